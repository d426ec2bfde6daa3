/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/repair_test.c: what is taken out of clang's PTX. That rotations are mended is tested by their results
 * (devlib_integer_test.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tb/ocl/repair.h"

static void labels_of_debuggers_go(void **unused)
{
    static const struct {
        const char *before, *after;
    } cases[] = {
        {"", ""},
        {"a;\n", "a;\n"},
        {"Ltmp0:\n", ""},
        {"call.uni (retval0), \nLtmp12:\n\tf, \n\t(\n\tparam0\n\t);\nLtmp13:\n",
         "call.uni (retval0), \n\tf, \n\t(\n\tparam0\n\t);\n"},
        {"Ltmp1: ret;\nLtmp:\nLtmpx:\n Ltmp2:\nLBB0_1:\nLtmp3", /* others stay */
         "Ltmp1: ret;\nLtmp:\nLtmpx:\n Ltmp2:\nLBB0_1:\nLtmp3"},
        {"Ltmp4:\nLtmp5:\nret;", "ret;"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        size_t bytes = 0;
        strcpy(text, cases[i].before);
        repair_labels(text, &bytes);
        assert_string_equal(text, cases[i].after);
        assert_int_equal(bytes, strlen(cases[i].after));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(labels_of_debuggers_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
