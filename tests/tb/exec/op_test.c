/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op_test.c: tests the sources of tb/exec/ that define operations, from PTX
 * text to registers and memory: the tables in op/, and that they leave nothing out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/tb/exec/op/op.h"

#define RUN(name)                                                                                  \
    static void name##_operations(void **state)                                                    \
    {                                                                                              \
        (void)state;                                                                               \
        print_message("%u instructions\n", op_run(&op_##name));                                    \
    }
OP_TABLES(RUN)

static void no_combination_without_a_row(void **state)
{
#define POINTER(name) &op_##name,
    static const struct op_table *const tables[] = {OP_TABLES(POINTER)};
    (void)state;
    op_check_coverage(tables, sizeof tables / sizeof *tables);
}

int main(void)
{
#define TEST(name) cmocka_unit_test(name##_operations),
    const struct CMUnitTest tests[] = {OP_TABLES(TEST)
                                           cmocka_unit_test(no_combination_without_a_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
