/* SPDX-License-Identifier: Apache-2.0 */
/* tests/synth/liberty/table_test.c: what tables say between and beyond their points, and what is wrong in a table or an arc. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "synth/liberty/arcs.h"

#define UNITS                                                                                      \
    "library(l) { capacitive_load_unit(1,pf); time_unit : 1ns; leakage_power_unit : 1uW;\n"
#define PLANE                                                                                      \
    "lu_table_template(plane) { variable_1 : input_net_transition; variable_2 : "                  \
    "total_output_net_capacitance;"                                                                \
    " index_1(\"1, 2, 4\"); index_2(\"10, 20\"); }\n"
#define CELL                                                                                       \
    "cell(c) { area : 1; pin(a) { direction : input; } pin(z) { direction : output; function : "   \
    "\"a\";\n"

/* Reads a text through a file; returns the arcs of its first cell, or NULL: `said`, to be freed, without the path. */
static struct cell_arcs *read_arcs(struct library *l, const char *text, char **said)
{
    char path[] = "/tmp/heddle_table_XXXXXX";
    static struct cell_arcs arcs;
    size_t length = 0;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    FILE *err = open_memstream(said, &length);
    const int failed = library_read(l, path, err) || arcs_read(l, l->cells, &arcs, err);
    fclose(err);
    remove(path);
    if (length)
        memmove(*said, *said + strlen(path), strlen(*said + strlen(path)) + 1);
    return failed ? NULL : &arcs;
}

static struct cell_arcs *take_arcs(struct library *l, const char *text)
{
    char *said = NULL;
    struct cell_arcs *arcs = read_arcs(l, text, &said);
    if (!arcs)
        fail_msg("%s\nis refused: %s", text, said);
    free(said);
    return arcs;
}

static void expect(const struct table *t, double slew, double load, double expected)
{
    const double value = table_value(t, slew * 1e-9, load * 1e-12);
    if (!(fabs(value - expected) < 1e-9))
        fail_msg("at %g ns, %g pF: %.12g, not %.12g", slew, load, value, expected);
}

static void two_axes(void **state)
{
    (void)state;
    struct library l;
    const struct cell_arcs *arcs =
        take_arcs(&l, UNITS PLANE CELL "timing() { related_pin : \"a\"; rise_transition(plane) { "
                                       "values(\"1, 3\", \"5, 9\", \"7, 11\"); }"
                                       " fall_transition(scalar) { values(\"4\"); } } } } }");
    assert_int_equal(arcs->num_timing, 1);
    const struct table *t = &arcs->timing[0].slew[EDGE_RISE];
    expect(t, 1, 10, 1);
    expect(t, 1, 20, 3);
    expect(t, 4, 20, 11);
    expect(t, 2, 10, 5);
    expect(t, 1.5, 10, 3); /* along each axis */
    expect(t, 3, 10, 6);
    expect(t, 1, 15, 2);
    expect(t, 1.5, 15, 4.5); /* between four */
    expect(t, 3, 15, 8);
    expect(t, 0, 10, -3); /* beyond, as between the last two */
    expect(t, 6, 10, 9);
    expect(t, 1, 0, -1);
    expect(t, 1, 40, 7);
    expect(t, 0, 0, -3); /* 1 - 4 and 3 - 6: -3 at 10 and at 20 */
    expect(&arcs->timing[0].slew[EDGE_FALL], 7, 9, 4);
    library_free(&l);
}

static void axes_in_another_order_or_one(void **state)
{
    (void)state;
    struct library l;
    const struct cell_arcs *arcs = take_arcs(
        &l, UNITS
        "lu_table_template(turned) { variable_1 : total_output_net_capacitance; variable_2 : "
        "input_net_transition;"
        " index_1(\"1, 2\"); index_2(\"1, 2\"); }\n"
        "power_lut_template(one) { variable_1 : input_transition_time; index_1(\"1, 2\"); }\n" CELL
        "timing() { related_pin : \"a\"; rise_transition(turned) { index_1(\"10, 20\"); "
        "values(\"1, 2\", \"5, 9\"); } }\n"
        "internal_power() { related_pin : \"a\"; power(one) { values(\"1, 4\"); } "
        "fall_power(scalar) { values(8); } }"
        " } } }");
    const struct table *t = &arcs->timing[0].slew[EDGE_RISE];
    expect(t, 1, 10, 1);
    expect(t, 2, 10, 2);
    expect(t, 1, 20, 5);
    expect(t, 2, 20, 9);
    expect(t, 1.5, 15, 4.25);
    assert_null(arcs->timing[0].slew[EDGE_FALL].values);
    expect(&arcs->power[0].energy[EDGE_RISE], 1.5, 99, 2.5);
    expect(&arcs->power[0].energy[EDGE_FALL], 1.5, 99, 8);
    library_free(&l);
}

static void arcs_of_every_kind(void **state)
{
    (void)state;
    struct library l;
    const struct cell_arcs *arcs = take_arcs(
        &l,
        UNITS "cell(c) { area : 1; leakage_power() { value : 3; } leakage_power() { when : \"a\"; "
              "value : 5; }\n"
              "pin(a) { direction : input; internal_power() { when : \"!b\"; power(scalar) { "
              "values(1); } } }\n"
              "pin(b) { direction : input; timing() { related_pin : \"a\"; timing_type : "
              "setup_rising; } }\n"
              "pin(z) { direction : output; function : \"a b\";\n"
              " timing() { related_pin : \"a b\"; timing_sense : negative_unate; }\n"
              " timing() { related_pin : \"b\"; timing_type : three_state_enable; }\n"
              " timing() { related_pin : \"b\"; timing_type : rising_edge; timing_sense : "
              "positive_unate; }\n"
              " internal_power() { related_pin : \" b  a\"; power(scalar) { values(2); } } } } }");
    assert_true(fabs(arcs->leakage - 4e-6) < 1e-15);
    assert_int_equal(arcs->num_timing,
                     3); /* the constraint of an input and three states are no arcs */
    assert_true(arcs->timing[0].from == 0 && arcs->timing[1].from == 1 && arcs->timing[1].to == 2);
    assert_int_equal(arcs->timing[1].sense, SENSE_NEGATIVE);
    assert_true(arcs->timing[2].clocked && arcs->timing[2].sense == SENSE_ANY);
    assert_int_equal(arcs->num_power, 3);
    assert_true(arcs->power[0].pin == 0 && arcs->power[0].from == 0 && arcs->power[0].when);
    assert_true(arcs->power[1].pin == 2 && arcs->power[1].from == 1 && !arcs->power[1].when);
    assert_true(arcs->power[2].pin == 2 && arcs->power[2].from == 0);
    library_free(&l);
}

#define TIMING(table)                                                                              \
    UNITS PLANE CELL "timing() { related_pin : a;\nrise_transition" table " } } } }"
#define TEMPLATE(lines)                                                                            \
    UNITS "lu_table_template(t) { " lines " }\n" CELL                                              \
          "timing() { rise_transition(t) { values(1); } } } } }"

static void what_is_wrong_and_where(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {TIMING("(plane) { }"), ":5: error: the table has no values\n"},
        {TIMING("(plan) { values(1); }"), ":5: error: the library has no template 'plan'\n"},
        {TIMING("(plane) { values(\"1, 2, 3\"); }"), ":5: error: 3 values; expected 6\n"},
        {TIMING("(plane) { values(\"1, 2, 3, 4, 5, x\"); }"),
         ":5: error: expected numbers, not '1, 2, 3, 4, 5, x'\n"},
        {TIMING("(plane) { values(\"1, 2, 3, 4, 5, nan\"); }"),
         ":5: error: expected numbers, not '1, 2, 3, 4, 5, nan'\n"},
        {TIMING("(scalar) { values(\"1, 2\"); }"), ":5: error: 2 values; expected 1\n"},
        {TIMING("(plane) { index_1(\"1, 1, 2\"); values(1); }"),
         ":5: error: the numbers of index_1 do not rise\n"},
        {TIMING("(plane) { index_1(\"\"); values(1); }"), ":5: error: index_1 has no numbers\n"},
        {TEMPLATE("variable_1 : input_net_transition;"), ":4: error: the table has no index_1\n"},
        {TEMPLATE("variable_1 : temperature; index_1(1);"),
         ":2: error: a table over 'temperature' is not understood\n"},
        {TEMPLATE("variable_1 : input_net_transition; variable_3 : related_out_total; index_1(1);"),
         ":4: error: a table of three variables is not understood\n"},
        {UNITS CELL "internal_power() {\nrelated_pin : b; power(scalar) { values(1); } } } } }",
         ":4: error: the cell 'c' has no pin 'b'\n"},
        {UNITS CELL "internal_power() {\nwhen : \"b\"; power(scalar) { values(1); } } } } }",
         ":4: error: \"b\", at character 1: no pin has this name\n"},
        {UNITS "cell(c) {\nleakage_power() { } } }", ":3: error: leakage_power without a value\n"},
        {UNITS "cell(c) {\nleakage_power() { value : low; } } }",
         ":3: error: expected a number from 0 on, not 'low'\n"},
        {UNITS "cell(c) {\ncell_leakage_power : -1; } }",
         ":3: error: expected a number from 0 on, not '-1'\n"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct library l;
        char *said = NULL;
        const struct cell_arcs *arcs = read_arcs(&l, wrong[i].text, &said);
        if (arcs || strcmp(said, wrong[i].message) != 0)
            fail_msg("%s\nis %s: %s, not %s", wrong[i].text, arcs ? "taken" : "refused", said,
                     wrong[i].message);
        free(said);
        library_free(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_axes),
        cmocka_unit_test(axes_in_another_order_or_one),
        cmocka_unit_test(arcs_of_every_kind),
        cmocka_unit_test(what_is_wrong_and_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
