/* SPDX-License-Identifier: Apache-2.0 */
/* tests/synth/wires/layout_test.c: what graywolf is asked is the netlist with its shapes, and its answer becomes a layout in which all
 * cells are in their places; an answer that cannot be one is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "synth/wires/check.h"
#include "synth/wires/layout.h"
#include "tests/synth/wires/support.h"

/* In hundredths of 1 um: a cell is 400 wide, a row 1000 high. */
#define ANSWER                                                                                     \
    "c0 -200 -500 200 500 0 1\nc1 203 -500 603 500 2 1\n"                                          \
    "p0 -450 40 -350 140 6 -1\np1 700 40 800 140 6 -2\n"

static void questions(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length = 0;
    const uint32_t *white = place_white(&hand, 0.5, stderr);
    assert_int_equal(white[0], 4);
    FILE *to = open_memstream(&text, &length);
    place_write_cells(&hand, white, to);
    fclose(to);
    const char *const expected[] = {
        "cell 0 c0\nleft -400 right 400 bottom -500 top 500\npin name A signal n2 layer 1 -300 0\n"
        "pin name Y signal n4 layer 1 -100 0\n",
        "pad 1 name p0\ncorners 4 -50 -50 -50 50 50 50 50 -50\npin name p0 signal n2 layer 1 0 "
        "0\n"};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        if (!strstr(text, expected[k]))
            fail_msg("there is no\n%s in\n%s", expected[k], text);
    free(text);
    to = open_memstream(&text, &length);
    place_write_parameters(&hand, to);
    fclose(to);
    assert_non_null(strstr(text, "layer m1 100 1.8 horizontal\nwidth m1 50\nspacing m1 m1 50\n"));
    assert_non_null(strstr(text, "via v1 m1 m2\nwidth v1 20\noverhang v1 m1 15\n"));
    free(text);
}

/* White space is not lost by rounding. */
static void white_space(void **state)
{
    (void)state;
    for (double density = 0.3; density <= 1; density += 0.01) {
        const uint32_t *white = place_white(&hand, density, stderr);
        const double wished = 8 / density - 8, got = white[0] + white[1];
        if (!(got <= wished + 1e-9 && got > wished - 1))
            fail_msg("at density %g %g sites of white space; expected %g", density, got, wished);
    }
}

struct asked {
    double density;
    struct def layout;
};

static int read_layout(void *user, const char *path, FILE *err)
{
    struct asked *a = user;
    const int failed = def_read(&a->layout, path, &hand.lef, err);
    a->layout.path = "DEF";
    return failed;
}

static int take_answer(void *user, const char *path, FILE *err)
{
    struct asked *a = user;
    struct places places;
    char *text = NULL, *said = NULL;
    size_t length = 0;
    const uint32_t *white = place_white(&hand, a->density, stderr);
    if (place_read(&hand, path, &places, err))
        return -1;
    FILE *to = open_memstream(&text, &length);
    const int failed = layout_write(&hand, &places, white, to, err);
    fclose(to);
    if (!failed && with_file(text, read_layout, a, &said))
        fail_msg("%s\nis refused: %s", text, said);
    free(said);
    free(text);
    return failed;
}

static void take_layout(struct asked *a, double density, const char *answer)
{
    char *said = NULL;
    a->density = density;
    if (with_file(answer, take_answer, a, &said))
        fail_msg("%s\nis refused: %s", answer, said);
    free(said);
    if (check_places(&hand, &a->layout, stderr))
        fail_msg("the layout of\n%s is none of the netlist", answer);
}

static void answers(void **state)
{
    (void)state;
    struct asked a;
    take_layout(&a, 1, ANSWER);
    assert_int_equal(def_cell(&a.layout, "a")->x, 0);
    assert_int_equal(def_cell(&a.layout, "b")->x, 4000); /* 3 off its site */
    assert_int_equal(def_cell(&a.layout, "b")->orientation,
                     ORIENT_S); /* the lowest row is upside down */
    assert_int_equal(a.layout.rows[0].sites, 8);
    assert_int_equal(a.layout.die.x1, 12000);
    assert_int_equal(def_pin(&a.layout, "in")->shape.box.x0, -3750);
    assert_int_equal(def_pin(&a.layout, "out")->shape.box.x1, 11750);
    def_free(&a.layout);
    /* Overlapping ones are moved apart; the mirrored one has its white space on the left. */
    take_layout(
        &a, 0.8,
        "c0 -200 -500 300 500 0 1\nc1 100 -500 600 500 2 1\np0 0 0 0 0 0 -3\np1 0 0 0 0 0 -3\n");
    assert_int_equal(def_cell(&a.layout, "b")->x, 6000);
    assert_int_equal(a.layout.rows[0].sites, 10);
    assert_int_equal(a.layout.num_cells, 4); /* two of white space */
    assert_int_not_equal(def_pin(&a.layout, "in")->shape.box.x0,
                         def_pin(&a.layout, "out")->shape.box.x0);
    def_free(&a.layout);
    take_layout(&a, 1,
                "c0 0 0 400 1000 0 2\nc1 0 -1000 400 0 0 1\ntwfeed1 0 0 100 1000 0 2\np0 0 0 0 0 0 "
                "-4\np1 0 0 0 0 0 -1\n");
    assert_int_equal(def_cell(&a.layout, "a")->y, 10000);
    assert_int_equal(def_cell(&a.layout, "a")->orientation, ORIENT_N);
    def_free(&a.layout);
}

static void refused(const char *answer, const char *expected)
{
    struct asked a = {.density = 1};
    char *said = NULL;
    if (!with_file(answer, take_answer, &a, &said))
        fail_msg("%s\nis accepted; expected '%s'", answer, expected);
    expect_said(said, expected, answer);
    free(said);
}

static void answers_that_are_none(void **state)
{
    (void)state;
    refused("c0 -200 -500 200 500 0 1\n", "the cell c1 (b) is not placed");
    refused("c0 -200 -500 200 500 0 1\nc1 203 -500 603 500 2 1\np0 0 0 0 0 0 -1\n",
            "the port p1 (out) is not placed");
    refused("c0 0 0 0 0 0 1\nc0 0 0 0 0 0 1\n", ":2: error: 'c0' is placed twice");
    refused("c2 0 0 0 0 0 1\n", ":1: error: 'c2'; expected a cell");
    refused("x0 0 0 0 0 0 1\n", "'x0'; expected a cell");
    refused("c0 0 0 0 0 9 1\n", "9; expected a whole number from 0 to 7");
    refused("c0 0 0 0 0 0 0\n", "row 0; expected 1 to");
    refused("c0 0 0 0 0 0 -1\n", "row -1; expected 1 to");
    refused("p0 0 0 0 0 0 1\n", "row 1; expected 1 to");
    refused("c0 0 0 0 0\n", "the file ends; expected a number");
}

static int open_netlist(void *user, const char *path, FILE *err)
{
    return design_open(user, path, HAND("lib"), HAND("lef"), err);
}

static void netlists_that_cannot_be_placed(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *expected;
    } rows[] = {
        {".A(in)", ".A(1'h1)", "the pin A of a is a constant"},
        {"INV a", "INV \\; ", "the name ';'; expected one that can stand in a DEF file"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct design d;
        char *text = changed(HAND("v"), rows[k].from, rows[k].to), *said = NULL;
        assert_int_equal(with_file(text, open_netlist, &d, &said), -1);
        expect_said(said, rows[k].expected, rows[k].to);
        free(said);
        free(text);
        design_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions),
        cmocka_unit_test(white_space),
        cmocka_unit_test(answers),
        cmocka_unit_test(answers_that_are_none),
        cmocka_unit_test(netlists_that_cannot_be_placed),
    };
    return cmocka_run_group_tests(tests, hand_open, hand_close);
}
