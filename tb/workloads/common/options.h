/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/options.h: the command line of a workload, from a table of its own options
 * and the ones that all workloads have: --size=small|medium|large, --seed, --repeat, --device-type.
 * A table's number has one default for each --size; giving the option itself overrides that. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_OPTIONS_H
#define HEDDLE_TB_WORKLOADS_COMMON_OPTIONS_H

#include <stdint.h>

enum workload_size { SIZE_SMALL, SIZE_MEDIUM, SIZE_LARGE, NUM_SIZES };

enum option_kind { OPTION_NUMBER, OPTION_REAL, OPTION_TEXT };

struct option_entry {
    const char *name; /* "rows". A number named "size" is what --size=N sets. */
    enum option_kind kind;
    const char *argument;       /* its name in --help: "N" */
    const char *meaning;        /* in --help */
    int64_t least, most;        /* of a number */
    int64_t by_size[NUM_SIZES]; /* default of a number */
    const char *otherwise;      /* in --help, instead of by_size: what happens without the option */
};

struct option_value {
    int given; /* on the command line */
    int64_t number;
    double real;
    const char *text;
};

/* A number with a default for each size; one that is told what happens without it; other kinds. */
#define NUMBER_OPTION(name, least, most, small, medium, large, meaning)                            \
    {                                                                                              \
        name, OPTION_NUMBER, "N", meaning, least, most, {small, medium, large}, NULL               \
    }
#define CHOICE_OPTION(name, least, most, otherwise, meaning)                                       \
    {                                                                                              \
        name, OPTION_NUMBER, "N", meaning, least, most, {0}, otherwise                             \
    }
#define REAL_OPTION(name, otherwise, meaning)                                                      \
    {                                                                                              \
        name, OPTION_REAL, "X", meaning, 0, 0, {0}, otherwise                                      \
    }
#define TEXT_OPTION(name, argument, otherwise, meaning)                                            \
    {                                                                                              \
        name, OPTION_TEXT, argument, meaning, 0, 0, {0}, otherwise                                 \
    }

#define MOST_OPTIONS 12 /* a workload's own and the common ones */

/* What the command line says; own[i] belongs to the i-th option of the workload's table. */
struct options {
    struct option_value own[MOST_OPTIONS];
    struct option_value seed, repeat, device_type;
};

/* Parses the command line; `meaning` opens --help. A wrong option ends the program with EXIT_USAGE.
 */
void parse_command_line(struct options *options, int argc, char **argv, const char *meaning,
                        const struct option_entry *table, unsigned count);

#endif
