/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/common/verify_test.c: planted wrong elements are found, counted and named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/verify.h"

enum { COUNT = 100 };

/* Captures what a comparison prints. */
struct report {
    char *text;
    size_t size;
    FILE *out;
};

static void open_report(struct report *report)
{
    report->out = open_memstream(&report->text, &report->size);
    assert_non_null(report->out);
}

static void close_report(struct report *report, const char *expected)
{
    fclose(report->out);
    assert_string_equal(report->text, expected);
    free(report->text);
}

static void names_the_first_wrong_float(void **state)
{
    float expected[COUNT], got[COUNT];
    struct report report;
    (void)state;
    for (unsigned i = 0; i < COUNT; i++)
        expected[i] = got[i] = (float)i;
    open_report(&report);
    assert_int_equal(verify_floats("y", 0, expected, got, COUNT, 0, report.out), 0);
    close_report(&report, "");
    got[99] = 1.5f;
    got[42] = 42.5f;
    open_report(&report);
    assert_int_equal(verify_floats("y", 0, expected, got, COUNT, 0, report.out), 2);
    close_report(&report, "wrong: y[42]: expected 42 (0x42280000), got 42.5 (0x422a0000); "
                          "2 of 100 elements are wrong\n");
    open_report(&report);
    assert_int_equal(verify_floats("c", 10, expected, got, COUNT, 0, report.out), 2);
    close_report(&report, "wrong: c[4][2]: expected 42 (0x42280000), got 42.5 (0x422a0000); "
                          "2 of 100 elements are wrong\n");
    assert_int_equal(verify_floats("y", 0, expected, got, COUNT, 0, NULL), 2);
}

/* Any single element, the first and the last too. */
static void finds_every_place(void **state)
{
    float expected[COUNT] = {0}, got[COUNT] = {0};
    int32_t expected_level[COUNT] = {0}, level[COUNT] = {0};
    (void)state;
    for (unsigned i = 0; i < COUNT; i++) {
        got[i] = 1;
        level[i] = -1;
        assert_int_equal(verify_floats("y", 0, expected, got, COUNT, 0, NULL), 1);
        assert_int_equal(verify_integers("level", expected_level, level, COUNT, NULL), 1);
        got[i] = 0;
        level[i] = 0;
    }
}

static void compares_bits_without_tolerance(void **state)
{
    static const struct {
        float expected, got;
        size_t wrong;
    } pairs[] = {
        {1, 1, 0},         {1, 1 + 0x1p-23f, 1}, {0.0f, -0.0f, 1},        {NAN, NAN, 0},
        {1, NAN, 1},       {NAN, 1, 1},          {INFINITY, INFINITY, 0}, {INFINITY, -INFINITY, 1},
        {0, 0x1p-149f, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_int_equal(verify_floats("y", 0, &pairs[i].expected, &pairs[i].got, 1, 0, NULL),
                         pairs[i].wrong);
}

static void tolerance_is_relative_above_one(void **state)
{
    static const struct {
        float expected, got;
        size_t wrong;
    } pairs[] = {
        {1000, 1009, 0},
        {1000, 1011, 1},
        {-1000, -991, 0},
        {-1000, -989, 1},
        {0, 0.009f, 0},
        {0, 0.011f, 1},
        {1, -1, 1},
        {1, NAN, 1},
        {NAN, 1, 1},
        {INFINITY, 1, 1},
        {1, INFINITY, 1},
        {0.0f, -0.0f, 0},
        {INFINITY, INFINITY, 0},
        {INFINITY, -INFINITY, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_int_equal(verify_floats("y", 0, &pairs[i].expected, &pairs[i].got, 1, 0.01, NULL),
                         pairs[i].wrong);
}

static void names_the_first_wrong_integer(void **state)
{
    int32_t expected[] = {0, 1, 2, -1}, got[] = {0, 1, 2, -1};
    struct report report;
    (void)state;
    open_report(&report);
    assert_int_equal(verify_integers("level", expected, got, 4, report.out), 0);
    close_report(&report, "");
    got[3] = 7;
    open_report(&report);
    assert_int_equal(verify_integers("level", expected, got, 4, report.out), 1);
    close_report(&report, "wrong: level[3]: expected -1, got 7; 1 of 4 elements are wrong\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_first_wrong_float),
        cmocka_unit_test(finds_every_place),
        cmocka_unit_test(compares_bits_without_tolerance),
        cmocka_unit_test(tolerance_is_relative_above_one),
        cmocka_unit_test(names_the_first_wrong_integer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
