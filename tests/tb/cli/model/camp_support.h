/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/camp_support.h: programs made up, as statistics for `heddle model camp`, and its tables read back. */
#ifndef HEDDLE_TESTS_TB_CLI_MODEL_CAMP_SUPPORT_H
#define HEDDLE_TESTS_TB_CLI_MODEL_CAMP_SUPPORT_H

#define MOST_RUNS 8

struct made_up {
    const char *name, *stem; /* of the kernel; of the files: STEM.WAYS.json */
    double api;
    unsigned sms, num;
    struct {
        unsigned ways;
        double mpa, spi;
    } runs[MOST_RUNS];
};

/* MPA is 1 - S / 24 up to 12 ways, the cache, and for G beyond. Each access then adds 1 - G / 24 lines: G(n) = 24 (1 - (23 / 24)^n). SPI is
 * always 2; the first accesses L2 twice as often. */
extern const struct made_up camp_first, camp_second;
#define PAIR "a.6.json,a.12.json b.6.json,b.12.json" /* their files */

/* Writes the files of a program; their names with commas between, in `text`, which is returned. */
void camp_write(const struct made_up *);
char *camp_files(const struct made_up *, char *text);

/* `heddle model camp` with these words ends with this status, and says this; what it said is in `said`. */
void camp_says(const char *words, int status, const char *says);

/* The same of one program, or two, which are written; it ends well. */
void camp_finds(const struct made_up *a, const struct made_up *b, const char *options,
                const char *says);

enum { WAYS_A, WAYS_B, MPA_A, MPA_B, SPI_A, SPI_B, OVER_A, OVER_B, NUM_COLUMNS };

/* Numbers of the first row of that name, behind `from`. */
void camp_row(const char *from, const char *name, double *numbers, unsigned count);

void camp_near(double is, double expected, double by);

/* Set-up of a test: a folder with the files of camp_first and camp_second, and m.json of both at once, for 1000 cycles, with 12 ways of 64
 * sets: 6 and 5 ways, MPA .8 and .9, SPI 4 and 2. */
int camp_with_pair(void **state);

/* Writes other words where these stand first. */
void camp_spoil(const char *path, const char *words, const char *others);

/* One word of a file is another; the message. */
struct spoiled {
    const char *path, *words, *others, *says;
};

/* With the file spoiled, and mended afterwards, the command `says` (camp_says and the like) ends with status 2 and the message. */
void camp_says_of_spoiled(const struct spoiled *,
                          void (*says)(const char *words, int status, const char *says),
                          const char *words);

/* Two workloads, small, as a person measures them: NAME.cap, and NAME.WAYS.json of each alone on its SMs, one and all others, with 1, 2
 * and 4 ways; both.json of both beside each other with 4. */
void camp_measure(const char *const names[2]);

#endif
