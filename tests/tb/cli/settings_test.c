/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/settings_test.c: `heddle run --settings=FILE`: the values count, the last word on the command line
 * wins, and errors name file and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/tb/shell.h"

#define FILE_OF(text) "cd $(mktemp -d) && printf '" text "' >f.ini && "
#define RUN           "$H/heddle run --stats=s.json "
#define SHOW                                                                                       \
    " -- $H/workloads/vecadd --size=small >/dev/null && "                                          \
    "grep -o '\"poise.alpha1\":.*\\|\"l1d.ways\":.*' s.json"

static void values_count(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {FILE_OF("; words\\n[poise]\\nalpha1 = -12 ; more\\n") RUN "--settings=f.ini" SHOW, 0,
         "\"poise.alpha1\":\t-12,"},
        {FILE_OF("[poise]\\nalpha1 = -12\\n[l1d]\\nways = 3\\n") RUN "-S f.ini" SHOW, 0,
         "\"l1d.ways\":\t3,"},
        {FILE_OF("[poise]\\nalpha1 = 1\\n") RUN "--settings=f.ini --set poise.alpha1=2" SHOW, 0,
         "\"poise.alpha1\":\t2,"},
        {FILE_OF("[poise]\\nalpha1 = 1\\n") RUN "--set poise.alpha1=2 --settings=f.ini" SHOW, 0,
         "\"poise.alpha1\":\t1,"},
        {FILE_OF("[poise]\\nalpha1 = 1\\n") "printf '[poise]\\nalpha1 = 7\\n' >g.ini && " RUN
                                            "--settings=f.ini --settings=g.ini" SHOW,
         0, "\"poise.alpha1\":\t7,"},
        {FILE_OF("[run]\\nsched = lrr\\n") RUN
         "--settings=f.ini -- $H/workloads/vecadd --size=small && grep sched s.json",
         0, "\"lrr\""},
        {FILE_OF("") RUN "--settings=f.ini" SHOW, 0, "\"poise.alpha1\":\t517687,"},
    };
    TRY(commands);
}

static void errors_name_file_and_line(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {FILE_OF("[poise]\\nalpha1 = 1\\nalpha1 = 2\\n") RUN "--settings=f.ini -- true", 2,
         "f.ini:3: [poise] alpha1 is given twice; first in line 2"},
        {FILE_OF("[poise]\\nalpha9 = 1\\n") RUN "--settings=f.ini -- true", 2,
         "f.ini:2: unknown key 'alpha9' in section [poise]"},
        {FILE_OF("[poise]\\n\\nalpha1 = 16000000\\n") RUN "--settings=f.ini -- true", 2,
         "f.ini:3: [poise] alpha1 = 16000000 is out of range; expected -15999999 to 15999999"},
        {FILE_OF("[poise]\\nalpha1 = x\\n") RUN "--settings=f.ini -- true", 2,
         "f.ini:2: [poise] alpha1 = 'x'; expected a whole number"},
        {FILE_OF("[hw]\\nnum_sms = 1\\n") RUN "--settings=f.ini -- true", 2,
         "f.ini:2: [hw] num_sms; expected other sections: [hw] is fixed"},
        {FILE_OF("alpha1\\n") RUN "--settings=f.ini -- true", 2,
         "f.ini:1: neither a comment, nor [section], nor key = value"},
        {FILE_OF("[l1d]\\nsets = 33\\n") RUN "--settings=f.ini -- true", 2,
         "expected a power of two"},
        {RUN "--settings=/nowhere.ini -- true", 2, "/nowhere.ini: cannot be read: No such file"},
    };
    TRY(commands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_count),
        cmocka_unit_test(errors_name_file_and_line),
    };
    return cmocka_run_group_tests_name("tb/cli/settings", tests, NULL, NULL);
}
