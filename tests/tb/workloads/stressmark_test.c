/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/stressmark_test.c: the stressmark misses L2 as often as its page says, whatever the machine has besides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/shell.h"

#define SETS      16 /* of a bank */
#define WAYS      16
#define TOLERANCE .03

static unsigned banks; /* of the machine */

static double number(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    if (!at)
        fail_msg("no %s in:\n%s", name, text);
    return strtod(at + strlen(name), NULL);
}

/* Runs the stressmark with L2 of so many ways. Returns the misses per access. */
static double misses(unsigned ways, unsigned regions, unsigned lines)
{
    static char text[MAX_OUTPUT];
    char command[512];
    snprintf(command, sizeof command,
             "f=$(mktemp); $H/heddle run --set l2.sets=%u --set l2.ways=%u --stats=$f -- "
             "$H/workloads/stressmark --groups=64 --rounds=200 --regions=%u --lines=%u && "
             "$H/heddle report --get=totals.l2 $f && echo banks $($H/heddle report "
             "--get=settings.l2.banks $f)",
             SETS, ways, regions, lines);
    if (shell(command, text) || !strstr(text, "verified: 8192 results equal the host's\n"))
        fail_msg("%s\n%s", command, text);
    banks = (unsigned)number(text, "\nbanks ");
    return (number(text, "totals.l2.misses ") - number(text, "totals.l2.mshr_merged ")) /
           number(text, "totals.l2.accesses ");
}

static int set_up(void **unused)
{
    (void)unused;
    misses(WAYS, 1, 4);
    return 0;
}

static double mpa(unsigned ways, unsigned regions)
{
    return regions > ways ? 1 - (double)ways / regions : 0;
}

static void misses_are_those_asked_for(void **unused)
{
    (void)unused;
    static const unsigned regions[] = {8, 16, 24, 64, 1024};
    for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) {
        const double got = misses(WAYS, regions[i], SETS * banks);
        const double asked = mpa(WAYS, regions[i]);
        if (got < asked - TOLERANCE || got > asked + TOLERANCE)
            fail_msg("%u regions: %.4f misses per access, expected %.4f", regions[i], got, asked);
    }
}

/* What is told of another cache than the machine's is not met. */
static void another_cache_is_another_number(void **unused)
{
    (void)unused;
    assert_true(misses(WAYS, 24, 2 * SETS * banks) > mpa(WAYS, 24) + TOLERANCE);
    assert_true(misses(2 * WAYS, 24, SETS * banks) < mpa(WAYS, 24) - TOLERANCE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misses_are_those_asked_for),
        cmocka_unit_test(another_cache_is_another_number),
    };
    return cmocka_run_group_tests_name("tb/workloads/stressmark", tests, set_up, NULL);
}
