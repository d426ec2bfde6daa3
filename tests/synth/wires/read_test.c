/* SPDX-License-Identifier: Apache-2.0 */
/* tests/synth/wires/read_test.c: LEF and DEF files are read as they stand, and what is wrong in one is said with its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/synth/wires/support.h"

static int take_lef(void *user, const char *path, FILE *err)
{
    return lef_read(user, path, err);
}

static void lef_refused(const char *from, const char *to, const char *expected)
{
    struct lef lef;
    char *text = changed(HAND("lef"), from, to), *said = NULL;
    if (!with_file(text, take_lef, &lef, &said))
        fail_msg("'%s' for '%s' is accepted; expected '%s'", to, from, expected);
    expect_said(said, expected, to);
    free(said);
    free(text);
    lef_free(&lef);
}

static void def_refused(const char *from, const char *to, const char *expected)
{
    struct def l;
    char *said = NULL;
    if (!read_changed(&l, &hand, from, to, &said))
        fail_msg("'%s' for '%s' is accepted; expected '%s'", to, from, expected);
    expect_said(said, expected, to);
    free(said);
    def_free(&l);
}

static void lef_as_it_stands(void **state)
{
    (void)state;
    const struct lef *lef = &hand.lef;
    assert_int_equal(lef->num_layers, 4);
    assert_int_equal(lef->num_vias, 1);
    assert_int_equal(lef->num_macros, 2);
    const struct lef_layer *m2 = &lef->layers[lef_layer(lef, "m2", 2)];
    assert_int_equal(m2->kind, LAYER_ROUTING);
    assert_true(m2->vertical && m2->pitch == 1000 && m2->offset == 500 && m2->width == 1000);
    assert_string_equal(lef->layers[lef->vias[0].low].name, "m1");
    assert_string_equal(lef->layers[lef->vias[0].high].name, "m2");
    assert_true(lef->vias[0].resistance == 10);
    const struct lef_macro *inv = &lef->macros[lef_macro(lef, "INV")];
    assert_int_equal(inv->width, 4000);
    const struct lef_pin *y = &inv->pins[lef_pin(inv, "Y")];
    assert_int_equal(y->shapes.count, 1);
    assert_int_equal(y->shapes.shape[0].box.x0, 2500);
    assert_int_equal(y->shapes.shape[0].box.y1, 6000);
    assert_int_equal(inv->obstructions.count, 1);
    assert_int_equal(inv->pins[lef_pin(inv, "vdd")].use, PIN_POWER);
    assert_string_equal(lef_filler(lef)->name, "FILL");
    assert_int_equal(lef_macro(lef, "NAND2"), LEF_NONE);
}

/* An origin that is not the lower left corner; a semicolon without a blank. */
static void lef_in_other_words(void **state)
{
    (void)state;
    struct lef lef;
    char *said = NULL, *text = changed(HAND("lef"), "ORIGIN 0 0 ;\n  SIZE 4 BY 10 ;",
                                       "ORIGIN 1 2;\n  SIZE 4 BY 10;");
    assert_int_equal(with_file(text, take_lef, &lef, &said), 0);
    const struct lef_macro *inv = &lef.macros[lef_macro(&lef, "INV")];
    assert_int_equal(inv->pins[0].shapes.shape[0].box.x0, 1500);
    assert_int_equal(inv->pins[0].shapes.shape[0].box.y0, 6000);
    free(text);
    lef_free(&lef);
}

static void lef_that_is_wrong(void **state)
{
    (void)state;
    lef_refused("END LIBRARY", "", "the file ends; expected END LIBRARY");
    lef_refused("END INV\nEND LIBRARY", "", "the file ends; expected ;");
    lef_refused("END INV", "END NAND", ":111: error: 'NAND'; expected INV");
    lef_refused("MICRONS 1000", "MICRONS 0", ":6: error: 0 database units");
    lef_refused("MICRONS 1000", "MICRONS many", "'many'; expected a number");
    lef_refused("PITCH 1 ;", "", "the routing layer m1: expected a PITCH");
    lef_refused("RPERSQ 100", "RPERSQ -1", "a resistance or capacitance below 0");
    lef_refused("WIDTH 0.5", "WIDTH 1e9", ":16: error: 1e9 is too long");
    lef_refused("LAYER v1\n", "LAYER m1\n", "a second layer m1");
    lef_refused("LAYER v1 ;", "LAYER v9 ;", "'v9'; expected the name of a layer");
    lef_refused("LAYER v1 ;\n    RECT -0.1 -0.1 0.1 0.1 ;", "",
                "the via M2_M1: expected shapes on two layers and a cut");
    lef_refused("SIZE 1 BY 10", "SIZE 0 BY 10", "a SIZE of 0 or less");
    lef_refused("SIZE 4 BY 10 ;", "", "the MACRO INV: expected a SIZE");
    lef_refused("MACRO INV", "MACRO FILL", "a second MACRO FILL");
    lef_refused("RECT 0.5 4 1.5 6", "RECT 0.5 4 1.5", "';'; expected a number");
    lef_refused("RECT 0.5 4 1.5 6", "RECT 0.5 4 1.5 nan", "'nan'; expected a number");
    lef_refused("RECT 0.5 4 1.5 6", "POLYGON 0 0 1 1 0 1",
                "expected a RECT: other shapes are not read");
    lef_refused("PIN Y\n", "PIN A\n", "a second pin A of INV");
    lef_refused("    PORT\n      LAYER m1 ;\n        RECT 0.5", "    PORT\n        RECT 0.5",
                "expected a LAYER first");
}

static void def_as_it_stands(void **state)
{
    (void)state;
    struct def l;
    char *said = NULL;
    assert_int_equal(read_changed(&l, &hand, "", "", &said), 0);
    assert_int_equal(l.num_cells, 3);
    assert_int_equal(l.num_pins, 2);
    assert_int_equal(l.num_nets, 3);
    assert_int_equal(l.num_rows, 1);
    assert_int_equal(l.die.x1, 28000);
    const struct def_net *mid = def_net(&l, "mid");
    assert_int_equal(mid->num_ends, 2);
    assert_int_equal(mid->num_vias, 2);
    assert_int_equal(mid->num_wires, 4);
    assert_int_equal(mid->vias[1].y, 8000);
    assert_int_equal(mid->wires[3].y0, 5000); /* from below, whichever way it is drawn */
    assert_int_equal(mid->wires[3].y1, 8000);
    const struct box metal = def_metal(&mid->wires[3]);
    assert_int_equal(metal.x0, 20750);
    assert_int_equal(metal.y1, 8250);
    def_free(&l);
}

static void orientations(void **state)
{
    (void)state;
    static const struct {
        enum orientation orientation;
        struct box expected;
    } rows[] = {{ORIENT_N, {110, 220, 130, 240}},
                {ORIENT_FN, {100 + 4000 - 30, 220, 100 + 4000 - 10, 240}},
                {ORIENT_FS, {110, 200 + 10000 - 40, 130, 200 + 10000 - 20}},
                {ORIENT_S, {100 + 4000 - 30, 200 + 10000 - 40, 100 + 4000 - 10, 200 + 10000 - 20}}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct def_cell cell = {.macro = &hand.lef.macros[lef_macro(&hand.lef, "INV")],
                                      .x = 100,
                                      .y = 200,
                                      .orientation = rows[k].orientation};
        const struct box b = def_placed(&cell, &(struct box){10, 20, 30, 40});
        assert_memory_equal(&b, &rows[k].expected, sizeof b);
    }
}

static void def_that_is_wrong(void **state)
{
    (void)state;
    def_refused("END DESIGN", "", "the file ends; expected END DESIGN");
    def_refused("END NETS\nEND DESIGN", "", "the file ends; expected END");
    def_refused("MICRONS 1000", "MICRONS 100", ":5: error: 100 units for 1 um; expected 1000");
    def_refused("ROW row_1 core", "ROW row_1 pad", "the row row_1 of site pad; expected core");
    def_refused("STEP 1000 0 ;\nTRACKS", "STEP 10 0 ;\nTRACKS", "expected steps of 1000 or more");
    def_refused("a INV", "a NAND2", ":10: error: the cell a is a NAND2, which");
    def_refused("- b INV + PLACED", "- a INV + PLACED", "a second cell a; the first is in line 10");
    def_refused("- b INV + PLACED ( 20000 0 ) N", "- b INV + SOURCE USER", "expected + PLACED");
    def_refused("( 20000 0 ) N", "( 20000 0 ) W", "'W'; expected N, S, FN or FS");
    def_refused("( 20000 0 ) N", "( 20000 ) N", "')'; expected a number");
    def_refused("( 20000 0 ) N", "( 2e12 0 ) N", "2e12 is too long");
    def_refused("- out + NET out", "- in + NET out", "a second pin in");
    def_refused("+ LAYER m1 ( -250 -250 ) ( 250 250 )", "",
                "the pin in: expected NET, LAYER with a box, and PLACED");
    def_refused("( -250 -250 ) ( 250 250 )", "( 250 -250 ) ( -250 250 )",
                "expected the lower left corner first");
    def_refused("- out\n", "- in\n", "a second net in");
    def_refused("( a Y )", "( c Y )", "the net mid is at a cell c that is not placed");
    def_refused("( a Y )", "( a Z )", "the net mid is at a pin Z of a; a INV has none");
    def_refused("( PIN in )", "( PIN on )", "the net in is at a pin on that is not placed");
    def_refused("ROUTED m1", "ROUTED m9", "'m9'; expected the name of a routing layer");
    def_refused("ROUTED m1", "ROUTED poly", "'poly'; expected the name of a routing layer");
    def_refused("( 1000 * ) ;\n- mid", "( 1000 6000 ) ;\n- mid", "expected none that is diagonal");
    def_refused("( -4000 5000 ) ( 1000", "( * 5000 ) ( 1000", "'*' in the first point of a path");
    def_refused("( 1000 * ) ;\n- mid", "( 1000 * 5 ) ;\n- mid",
                "how far a wire is extended is not read");
    def_refused("ROUTED m1 ( -4000 5000 ) ( 1000 * ) ;", "ROUTED m1 ;", "';'; expected a point");
    def_refused("( 12000 * ) M2_M1", "( 12000 * ) M9_M8",
                "'M9_M8'; expected a point, the name of a via");
    def_refused("NEW m2", "NEW m1 M2_M1 NEW m2", "the via M2_M1 behind a point on no layer");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lef_as_it_stands),  cmocka_unit_test(lef_in_other_words),
        cmocka_unit_test(lef_that_is_wrong), cmocka_unit_test(def_as_it_stands),
        cmocka_unit_test(orientations),      cmocka_unit_test(def_that_is_wrong),
    };
    return cmocka_run_group_tests(tests, hand_open, hand_close);
}
