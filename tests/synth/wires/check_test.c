/* SPDX-License-Identifier: Apache-2.0 */
/* tests/synth/wires/check_test.c: a layout that is the netlist is accepted; one that is not in one place is refused, with the net or
 * cell and where it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "synth/wires/check.h"
#include "tests/synth/wires/support.h"

static uint32_t close_pairs; /* of the layout that was checked last */

/* Reads hand.def, changed, and checks it. Returns as check_layout; `said` is to be freed. */
static int check_changed(const char *from, const char *to, char **said)
{
    struct def l;
    int failed = read_changed(&l, &hand, from, to, said);
    if (!failed) {
        size_t length = 0;
        free(*said);
        *said = NULL;
        FILE *err = open_memstream(said, &length);
        failed = check_layout(&hand, &l, &close_pairs, err);
        fclose(err);
    }
    def_free(&l);
    return failed;
}

static void refused(const char *from, const char *to, const char *expected)
{
    char *said = NULL;
    if (!check_changed(from, to, &said))
        fail_msg("'%s' for '%s' is accepted; expected '%s'", to, from, expected);
    expect_said(said, expected, to);
    free(said);
}

static void accepted(const char *from, const char *to)
{
    char *said = NULL;
    if (check_changed(from, to, &said))
        fail_msg("'%s' for '%s' is refused: %s", to, from, said);
    free(said);
}

static void layouts_that_are_the_netlist(void **state)
{
    (void)state;
    accepted("", "");
    accepted("fill.0 FILL + PLACED ( 4000 0 )", "fill.0 FILL + PLACED ( 19000 0 )");
    /* Two ways from pin to pin; metal upon metal; a stub that is a special net's. */
    accepted("( * 5000 ) ;\n- out",
             "( * 5000 )\n  NEW m1 ( 20750 5500 ) ( 12000 * ) M2_M1 ;\n- out");
    accepted("( 21000 * ) ( * 5000 ) ;",
             "( 21000 * ) ( * 5000 ) NEW m1 ( 13000 8000 ) ( 15000 * ) ;");
    accepted("( 21000 * ) ( * 5000 ) ;\n- out", "( 21000 * ) ( * 6200 ) ;\n- out");
    accepted("END NETS", "END NETS\nSPECIALNETS 1 ;\n- mid + ROUTED m1 500 ( 21000 5000 ) ( * 7000 "
                         ") ;\nEND SPECIALNETS");
}

static void wires_that_are_not_there(void **state)
{
    (void)state;
    refused("\n  NEW m2 ( 12000 5000 ) ( * 8000 ) M2_M1", "",
            "open: the net mid does not reach its pin on m1");
    refused("NEW m2 ( 12000 5000 ) ( * 8000 ) M2_M1", "NEW m2 ( 12000 5000 ) ( * 8000 )",
            "open: the net mid");
    refused("( 12000 * ) M2_M1", "( 12000 * )", "open: the net mid");
    refused("m1 ( 23000 5000 )", "m1 ( 24000 5000 )",
            "open: the net out does not reach its pin on m1");
    refused("( 28000 * ) ;", "( 27000 * ) ;",
            "open: the net out does not reach its pin on m1 at (27.750, 4.750)");
    refused("( 28000 * ) ;", ";", "open: the net out"); /* a point alone */
    refused("( 21000 * ) ( * 5000 ) ;", "( 21000 * ) ( * 6300 ) ;", "open: the net mid");
    refused("( 21000 * ) ( * 5000 ) ;", "( 21000 * ) ( * 5000 ) NEW m1 ( 8000 2000 ) ( 9000 * ) ;",
            "open: metal of the net mid on m1 at (7.750, 1.750) um is connected to no pin");
    refused("( 21000 * ) ( * 5000 ) ;",
            "( 21000 * ) ( * 5000 ) NEW m2 ( 14000 8000 ) ( 16000 * ) ;",
            "open: metal of the net mid on m2");
}

static void wires_that_touch_others(void **state)
{
    (void)state;
    refused("( 21000 * ) ( * 5000 ) ;", "( 23000 * ) ( * 5000 ) ;", "short: ");
    refused("( 21000 * ) ( * 5000 ) ;", "( 23000 * ) ( * 5000 ) ;",
            "short: the inside of b touches the net mid on m1 at (21.900, 7.750)");
    refused("m1 ( 3000 5000 )", "m1 ( 1000 5000 )", "short: ");
    refused("( -4000 5000 ) ( 1000 * )", "( -4000 5000 ) ( 3000 * )", "touches");
    refused("( 28000 * ) ;", "( 28000 * ) NEW m1 ( 24000 5000 ) ( * 9800 ) ;", "the power supply");
    refused("( 28000 * ) ;", "( 28000 * ) NEW m1 ( 23000 5000 ) ( * 200 ) ;", "ground");
    refused("( 28000 * ) ;",
            "( 28000 * ) NEW m1 ( 23000 5000 ) M2_M1 NEW m2 ( 23000 5000 ) ( 12000 * ) ;",
            "short: the net out touches the net mid on m2 at (11.500, 4.500)");
    /* corner to corner */
    refused("( 28000 * ) ;", "( 28000 * ) NEW m1 ( 24000 5000 ) ( * 7000 ) ( 21500 * ) ;",
            "short: ");
    /* across the mid net on the other layer is allowed */
    accepted(
        "( 28000 * ) ;",
        "( 28000 * ) NEW m1 ( 23500 5000 ) M2_M1 NEW m2 ( 23500 5000 ) ( * 12000 ) ( 15000 * ) ;");
}

/* The spacing is 0.3 um. Above the cells a wire of the net in ends at (10, 12) um, and one of out at (x, y); both are 0.5 um wide. */
static void wires_that_are_close(void **state)
{
    (void)state;
    static const struct {
        int x, y;
        uint32_t pairs;
    } rows[] = {{10300, 12000, 0},
                {10299, 12000, 1},
                {9000, 12800, 0},
                {9000, 12799, 1},
                /* Corner to corner. */
                {10200, 12700, 1},
                {10220, 12720, 0},
                {10000, 12799, 1}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char *to = NULL;
        assert_true(asprintf(&to,
                             "END NETS\nSPECIALNETS 2 ;\n"
                             "- in + ROUTED m1 500 ( -4000 5000 ) ( * 12000 ) ( 10000 * ) ;\n"
                             "- out + ROUTED m1 500 ( 28000 5000 ) ( * %d ) ( %d * ) ;\n"
                             "END SPECIALNETS",
                             rows[k].y, rows[k].x) > 0);
        accepted("END NETS", to);
        if (close_pairs != rows[k].pairs)
            fail_msg("%d, %d: %u pairs; expected %u", rows[k].x, rows[k].y, close_pairs,
                     rows[k].pairs);
        free(to);
    }
}

static void cells_in_the_wrong_place(void **state)
{
    (void)state;
    refused("- b INV + PLACED ( 20000 0 )", "- b INV + PLACED ( 3000 0 )", "overlaps");
    refused("- b INV + PLACED ( 20000 0 )", "- b INV + PLACED ( 0 0 )", "overlaps a");
    refused("fill.0 FILL + PLACED ( 4000 0 )", "fill.0 FILL + PLACED ( 3000 0 )",
            "the cell fill.0 at (3.000, 0.000) um overlaps a");
    refused("- b INV + PLACED ( 20000 0 )", "- b INV + PLACED ( 20500 0 )",
            "the cell b at (20.500, 0.000) um, N, is not on the sites of a row");
    refused("- b INV + PLACED ( 20000 0 )", "- b INV + PLACED ( 20000 1000 )",
            "is not on the sites");
    refused("- b INV + PLACED ( 20000 0 )", "- b INV + PLACED ( 21000 0 )", "is not on the sites");
    refused("- a INV + PLACED ( 0 0 )", "- a INV + PLACED ( -1000 0 )", "is not on the sites");
    refused("( 20000 0 ) N", "( 20000 0 ) FS", "is not on the sites");
    refused("( 20000 0 ) N", "( 20000 0 ) FN", "touches"); /* in its place, but mirrored */
    refused("COMPONENTS 3", "ROW row_2 core 0 5000 N DO 24 BY 1 STEP 1000 0 ;\nCOMPONENTS 3",
            "overlap");
}

static void other_cells_and_nets(void **state)
{
    (void)state;
    refused("- b INV + PLACED ( 20000 0 ) N ;\n", "", "that is not placed");
    refused("- fill.0 FILL", "- more INV", "1 cells that the netlist does not have");
    refused("( a A )\n", "\n", "the net in does not list a.A");
    refused("( PIN in )", "", "the net in does not list port in");
    refused("( b Y )\n", "( b Y ) ( b A )\n", "the net out lists 3 ends; expected 2");
    refused("- mid\n", "- mud\n", "there is no net mid");
    refused("in + NET in", "in + NET out", "the port in is of the net out; expected in");
    refused("END NETS", "- ghost + ROUTED m1 ( 8000 2000 ) ( 9000 * ) ;\nEND NETS",
            "1 nets that the netlist does not have");
    refused("END PINS",
            "- more + NET in + LAYER m1 ( 0 0 ) ( 1 1 ) + PLACED ( 28000 0 ) N ;\nEND PINS",
            "3 pins; expected the 2 ports");
}

static void a_cell_that_is_left_out(void **state)
{
    (void)state;
    struct def l;
    char *said = NULL;
    size_t length = 0;
    assert_int_equal(read_changed(&l, &hand, "", "", &said), 0);
    HASH_DEL(l.cell_of, l.cells[2]);
    FILE *err = open_memstream(&said, &length);
    assert_int_equal(check_places(&hand, &l, err), -1);
    fclose(err);
    expect_said(said, "the cell b is not placed", "a layout without b");
    free(said);
    def_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_that_are_the_netlist), cmocka_unit_test(wires_that_are_not_there),
        cmocka_unit_test(wires_that_touch_others),      cmocka_unit_test(wires_that_are_close),
        cmocka_unit_test(cells_in_the_wrong_place),     cmocka_unit_test(other_cells_and_nets),
        cmocka_unit_test(a_cell_that_is_left_out),
    };
    return cmocka_run_group_tests(tests, hand_open, hand_close);
}
