/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/existed_test.c: which versions and targets there have been, from lists of their own: the release history of the PTX ISA up to
 * 9.1, and the targets of its section ".target". */
#include "tb/ptx/parse/existed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int listed(const char *list, const char *word)
{
    char with_blanks[80];
    snprintf(with_blanks, sizeof with_blanks, " %s ", word);
    return strstr(list, with_blanks) != NULL;
}

static void versions(void **unused)
{
    static const char known[] =
        " 1.0 1.1 1.2 1.3 1.4 1.5 2.0 2.1 2.2 2.3 3.0 3.1 3.2 4.0 4.1 4.2 4.3 5.0 6.0 6.1 6.2 6.3 "
        "6.4 "
        "6.5 7.0 7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.8 8.0 8.1 8.2 8.3 8.4 8.5 8.6 8.7 8.8 ";
    (void)unused;
    for (int tenths = 0; tenths < 90; tenths++) {
        char text[16];
        snprintf(text, sizeof text, "%d.%d", tenths / 10, tenths % 10);
        if (version_existed(atof(text)) != listed(known, text))
            fail_msg("%s", text);
    }
    assert_true(version_existed(9.0) && version_existed(9.1) && version_existed(12.0));
    assert_false(version_existed(6.05) || version_existed(-6.0) || version_existed(1e-300));
}

static void targets(void **unused)
{
    static const char known[] =
        " 10 11 12 13 20 21 30 32 35 37 50 52 53 60 61 62 70 72 75 80 86 87 88 89 ";
    static const char *const there[] = {"sm_90",           "sm_90a",
                                        "sm_100f",         "sm_103a",
                                        "sm_121",          "debug",
                                        "texmode_unified", "texmode_independent",
                                        "map_f64_to_f32"},
                             *const not_there[] = {"sm_",    "sm",         "sm_070",  "sm_70a",
                                                   "sm_7x",  "sm_100b",    "sm_90aa", "sm_90fa",
                                                   "SM_70",  "compute_70", "70",      "",
                                                   "gfx900", "sm_-70",     "sm_ 70"};
    (void)unused;
    for (int sm = 1; sm < 90; sm++) {
        char number[16], name[32];
        snprintf(number, sizeof number, "%d", sm);
        snprintf(name, sizeof name, "sm_%d", sm);
        if (target_existed(name) != listed(known, number))
            fail_msg("%s", name);
    }
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (!target_existed(there[i]))
            fail_msg("%s", there[i]);
    for (size_t i = 0; i < sizeof not_there / sizeof *not_there; i++)
        if (target_existed(not_there[i]))
            fail_msg("%s", not_there[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(versions), cmocka_unit_test(targets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
