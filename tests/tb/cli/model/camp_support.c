/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/camp_support.c: see camp_support.h. */
#include "tests/tb/cli/model/camp_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hw.h"
#include "tests/tb/cli/sweep/sweep_support.h"

#define SETTINGS                                                                                   \
    "\"hw.num_sms\": 15, \"kmu.partition\": 3, \"kmu.sms_0\": %u, \"l2.banks\": 2, "               \
    "\"l2.sets\": 32, \"l2.ways\": %u, \"run.max_cycles\": %u, \"sm.max_blocks\": 3, "             \
    "\"kmu.blocks_0\": 3, \"kmu.blocks_1\": 3"

const struct made_up camp_first = {"first", "a", .2, 7, 2, {{6, .75, 2}, {12, .5, 2}}},
                     camp_second = {"second", "b", .1, 8, 2, {{6, .75, 2}, {12, .5, 2}}};

/* Of what does not bring a line a fifth found it on its way. */
static void write_run(const struct made_up *p, unsigned r)
{
    const double instructions = 1e6, accesses = p->api * instructions,
                 merged = (1 - p->runs[r].mpa) * accesses / 5;
    char path[40], text[2048];
    snprintf(path, sizeof path, "%s.%u.json", p->stem, p->runs[r].ways);
    snprintf(text, sizeof text,
             "{\"config\": \"gtx480\", \"sched\": \"lrr\", \"dispatch\": \"kmu\", \"kernels\": "
             "[{\"name\": \"%s\", \"status\": \"ok\"}, {\"name\": \"other\", \"status\": \"ok\"}], "
             "\"totals\": {\"cycles\": %.17g, \"warp_instructions\": %.17g, "
             "\"untimed_instructions\": 0, \"l2\": {\"accesses\": %.17g, \"misses\": %.17g, "
             "\"mshr_merged\": %.17g}}, \"settings\": {" SETTINGS "}}",
             p->name, p->runs[r].spi * instructions, instructions, accesses,
             p->runs[r].mpa * accesses + merged, merged, p->sms, p->runs[r].ways, r);
    write_file(path, text);
}

char *camp_files(const struct made_up *p, char *text)
{
    *text = 0;
    for (unsigned r = 0; r < p->num; r++)
        sprintf(text + strlen(text), "%s%s.%u.json", r ? "," : "", p->stem, p->runs[r].ways);
    return text;
}

void camp_write(const struct made_up *p)
{
    for (unsigned r = 0; r < p->num; r++)
        write_run(p, r);
}

void camp_says(const char *words, int status, const char *says)
{
    char all[1000];
    snprintf(all, sizeof all, "camp %s", words);
    heddle_says("model", all, status, says);
}

/* The program alone, or two. */
void camp_finds(const struct made_up *a, const struct made_up *b, const char *options,
                const char *says)
{
    char words[900], text[400];
    camp_write(a);
    snprintf(words, sizeof words, "%s %s", options, camp_files(a, text));
    if (b) {
        camp_write(b);
        snprintf(words + strlen(words), sizeof words - strlen(words), " %s", camp_files(b, text));
    }
    camp_says(words, 0, says);
}

/* Numbers of the first row of that name, behind `from`. */
void camp_row(const char *from, const char *name, double *numbers, unsigned count)
{
    char start[24];
    snprintf(start, sizeof start, "\n%-10s", name);
    const char *row = from ? strstr(from, start) : NULL;
    assert_non_null(row);
    char *at = (char *)row + strlen(start), *end;
    for (unsigned i = 0; i < count; i++, at = end) {
        numbers[i] = strtod(at, &end);
        assert_ptr_not_equal(at, end);
    }
}

void camp_near(double is, double expected, double by)
{
    if (!(fabs(is - expected) <= by))
        fail_msg("%.9g, not within %.9g of %.9g, of:\n%s", is, by, expected, said);
}

/* For 1000 cycles, with 12 ways of 64 sets: 6 and 5 ways, MPA .8 and .9, SPI 4 and 2. */
int camp_with_pair(void **state)
{
    in_folder(state);
    camp_write(&camp_first);
    camp_write(&camp_second);
    char text[2048];
    snprintf(text, sizeof text,
             "{\"config\": \"gtx480\", \"sched\": \"lrr\", \"dispatch\": \"kmu\", \"kernels\": "
             "[{\"name\": \"second\", \"number\": 1}, {\"name\": \"first\", \"number\": 0}], "
             "\"together\": [{\"cycles\": 1000, \"each\": [{\"warp_instructions\": 250}, "
             "{\"warp_instructions\": 500}], \"l2_spaces\": [{\"accesses\": 100, \"misses\": 90, "
             "\"mshr_merged\": 10, \"line_cycles\": 384000}, {\"accesses\": 50, \"misses\": 45, "
             "\"mshr_merged\": 0, \"line_cycles\": 320000}]}], \"settings\": {" SETTINGS "}}",
             7, 12, 0);
    write_file("m.json", text);
    return 0;
}

/* Writes other words where these stand first. */
void camp_spoil(const char *path, const char *words, const char *others)
{
    char text[4096] = "", spoiled[8192];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    char *at = strstr(text, words);
    assert_non_null(at);
    snprintf(spoiled, sizeof spoiled, "%.*s%s%s", (int)(at - text), text, others,
             at + strlen(words));
    write_file(path, spoiled);
}

void camp_says_of_spoiled(const struct spoiled *s,
                          void (*says)(const char *words, int status, const char *says),
                          const char *words)
{
    camp_spoil(s->path, s->words, s->others);
    says(words, 2, s->says);
    camp_spoil(s->path, s->others, s->words);
}

void camp_measure(const char *const names[2])
{
    static const unsigned sms[2] = {1, NUM_SMS - 1};
    char words[400];
    for (unsigned i = 0; i < 2; i++) {
        snprintf(words, sizeof words, "--capture=%s.cap -- $H/workloads/%s --size=small", names[i],
                 names[i]);
        heddle_says("run", words, 0, NULL);
        for (unsigned ways = 1; ways <= 4; ways *= 2) {
            snprintf(words, sizeof words,
                     "--differ --dispatch=kmu --set kmu.partition=3 --set kmu.sms_0=%u --set "
                     "l2.ways=%u --stats=%s.%u.json %s.cap",
                     sms[i], ways, names[i], ways, names[i]);
            heddle_says("replay", words, 0, NULL);
        }
    }
    snprintf(words, sizeof words,
             "--differ --dispatch=kmu --set kmu.partition=3 --set kmu.sms_0=1 --set l2.ways=4 "
             "--stats=both.json %s.cap %s.cap",
             names[0], names[1]);
    heddle_says("replay", words, 0, NULL);
}
