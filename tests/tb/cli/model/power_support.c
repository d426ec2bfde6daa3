/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/power_support.c: see power_support.h. */
#include "tests/tb/cli/model/power_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "tests/tb/cli/sweep/sweep_support.h"

#define HERTZ 1e9

const double power_joules[5] = {.5e-9, 4e-9, -3e-9, .1e-9, .02e-9};

double power_thesis(const struct power_counts *c)
{
    const double events[5] = {c->l1d, c->l2, c->l2_misses - c->l2_merged, c->branches,
                              c->sp + c->sfu};
    double joules = 0;
    for (unsigned e = 0; e < 5; e++)
        joules += power_joules[e] * events[e];
    return 15 * POWER_IDLE + joules / (c->cycles / HERTZ);
}

double power_watts(const struct power_counts *c)
{
    double femtojoules = 0;
#define ROW(key, events, each) femtojoules += (events) * (double)(each);
    POWER_ROWS(ROW)
#undef ROW
    return femtojoules * 1e-15 / (c->cycles / HERTZ);
}

struct power_counts power_some(unsigned number)
{
    struct power_counts c;
    unsigned state = number * 2654435761u + 1;
#define COUNT(member, word)                                                                        \
    state = state * 1664525 + 1013904223;                                                          \
    c.member = 10000 + state / 65536 % 10000;
    POWER_COUNTS(COUNT)
#undef COUNT
    c.l1d_misses += c.l1d_merged + c.bypassed; /* no more of what is a part */
    c.l2_misses += c.l2_merged;
    c.l2 += c.l2_misses;
    c.cycles *= 10;
    return c;
}

/* A word with a dot is of an object in this one. */
static void put(cJSON *object, const char *word, double value)
{
    const char *dot = strchr(word, '.');
    if (!dot) {
        cJSON_AddNumberToObject(object, word, value);
        return;
    }
    char name[16];
    snprintf(name, sizeof name, "%.*s", (int)(dot - word), word);
    cJSON *within = cJSON_GetObjectItemCaseSensitive(object, name);
    cJSON_AddNumberToObject(within ? within : cJSON_AddObjectToObject(object, name), dot + 1,
                            value);
}

cJSON *power_totals(const struct power_counts *c, double watts)
{
    cJSON *totals = cJSON_CreateObject();
#define COUNT(member, word) put(totals, word, c->member);
    POWER_COUNTS(COUNT)
#undef COUNT
    cJSON *energy = cJSON_AddObjectToObject(totals, "energy");
    put(energy, "total", (watts > 0 ? watts : power_watts(c)) * (c->cycles / HERTZ) * 1e9);
#define ROW(key, count, each) put(energy, "events." #key, (count) * (double)(each)*1e-6);
    POWER_ROWS(ROW)
#undef ROW
    return totals;
}

void power_write(const char *path, const char *name, const struct power_counts *c, double watts,
                 unsigned sms, unsigned ways)
{
    cJSON *totals = power_totals(c, watts);
    cJSON_AddNumberToObject(totals, "untimed_instructions", 0);
    char *text = cJSON_Print(totals), all[8192];
    snprintf(
        all, sizeof all,
        "{\"config\": \"gtx480\", \"sched\": \"lrr\", \"dispatch\": \"kmu\", \"kernels\": "
        "[{\"name\": \"%s\", \"status\": \"ok\"}], \"totals\": %s, \"settings\": {" POWER_SETTINGS
        "}}",
        name, text, sms, ways);
    write_file(path, all);
    cJSON_free(text);
    cJSON_Delete(totals);
}

void power_says(const char *words, int status, const char *says)
{
    char all[1000];
    snprintf(all, sizeof all, "power %s", words);
    heddle_says("model", all, status, says);
}

void power_numbers(const char *from, const char *words, double *numbers, unsigned count)
{
    char start[80];
    snprintf(start, sizeof start, "\n%s ", words);
    const char *at = from ? strstr(from, start) : NULL;
    if (!at)
        fail_msg("no row '%s' in:\n%s", words, said);
    at += strlen(start);
    for (unsigned i = 0; i < count; i++) {
        char *end;
        numbers[i] = strtod(at, &end);
        if (at == end)
            fail_msg("no number %u in row '%s' of:\n%s", i, words, said);
        at = end + strspn(end, " %WnJ");
    }
}
