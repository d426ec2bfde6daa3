/* SPDX-License-Identifier: Apache-2.0 */
/* tests/synth/wires/tree_test.c: lengths, resistances, capacitances and delays of wires drawn by hand are those computed by hand.
 *
 * A wire on m1 takes 100 ohm / 0.5 um = 200 ohm and 0.5 x 1 + 2 x 0.2 = 0.9 fF for each um, on m2 50 ohm and 1 + 2 x 0.1 = 1.2 fF;
 * a via takes 10 ohm. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "synth/wires/measure.h"
#include "synth/wires/spef.h"
#include "synth/wires/tree.h"
#include "tests/synth/wires/support.h"

static void near(double value, double expected, const char *what)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%s: %.12g; expected %.12g", what, value, expected);
}

static uint32_t net_named(const char *name)
{
    for (uint32_t k = FIRST_NET; k < hand.netlist.num_nets; k++)
        if (!strcmp(hand.netlist.net_name[k], name))
            return k;
    fail_msg("no net %s", name);
    return 0;
}

static void take_tree(struct tree *t, const char *net, const char *from, const char *to)
{
    struct def l;
    char *said = NULL;
    if (read_changed(&l, &hand, from, to, &said) ||
        tree_build(t, &hand, &l, net_named(net), stderr))
        fail_msg("'%s' is refused: %s", to, said ? said : "by tree_build");
    free(said);
    def_free(&l);
}

static void expect_tree(const char *net, const char *from, const char *to, double m1, double m2,
                        double ohms, double ff)
{
    struct tree t;
    take_tree(&t, net, from, to);
    near(t.length[lef_layer(&hand.lef, "m1", 2)], m1, "um of m1");
    near(t.length[lef_layer(&hand.lef, "m2", 2)], m2, "um of m2");
    near(t.total_resistance, ohms, "ohm");
    near(t.total_capacitance, ff * 1e-15, "F");
    double sum = 0;
    for (uint32_t k = 0; k < t.num_nodes; k++)
        sum += t.capacitance[k];
    near(sum, ff * 1e-15, "F of all nodes");
    assert_int_equal(t.num_edges + 1, t.num_nodes);
    tree_free(&t);
}

static void lengths_resistances_capacitances(void **state)
{
    (void)state;
    expect_tree("in", "", "", 5, 0, 1000, 4.5);
    expect_tree("out", "", "", 5, 0, 1000, 4.5);
    expect_tree("mid", "", "", 21, 3, 21 * 200 + 3 * 50 + 2 * 10, 21 * 0.9 + 3 * 1.2);
    /* A branch; a piece that lies on another one; one that is twice as wide. */
    expect_tree("out", "( 28000 * )", "( 28000 * ) NEW m1 ( 25000 5000 ) ( * 7000 )", 7, 0, 1400,
                6.3);
    expect_tree("out", "( 28000 * )", "( 28000 * ) NEW m1 ( 26000 5000 ) ( 24000 * )", 5, 0, 1000,
                4.5);
    expect_tree("out", "( 23000 5000 ) ( 28000 * ) ;\nEND NETS",
                "( 23000 5000 ) ( 27000 * ) ;\nEND NETS\nSPECIALNETS 1 ;\n"
                "- out + ROUTED m1 1000 ( 27000 5000 ) ( 28000 * ) ;\nEND SPECIALNETS",
                5, 0, 4 * 200 + 100, 4 * 0.9 + 1.4);
    /* Side by side, not in line: they touch all the same. */
    expect_tree("out", "( 28000 * )", "( 26000 * ) NEW m1 ( 26000 5400 ) ( 28000 * )", 5, 0, 1000,
                4.5);
}

static void loops(void **state)
{
    (void)state;
    struct tree t;
    /* From 24 to 26 a second way, longer by 2 x 2 um: its longest part is cut, its capacitance stays. */
    take_tree(&t, "out", "( 28000 * )",
              "( 28000 * ) NEW m1 ( 24000 5000 ) ( * 7000 ) ( 27000 * ) ( * 5000 )");
    assert_int_equal(t.num_loops, 1);
    near(t.length[lef_layer(&hand.lef, "m1", 2)], 12, "um");
    near(t.total_capacitance, 12 * 0.9e-15, "F");
    near(t.total_resistance, 9 * 200, "ohm without a part of 3 um");
    tree_free(&t);
}

static void pins_that_are_not_reached(void **state)
{
    (void)state;
    struct def l;
    struct tree t;
    char *said = NULL;
    size_t length = 0;
    assert_int_equal(read_changed(&l, &hand, "( 12000 * ) M2_M1", "( 12000 * )", &said), 0);
    free(said);
    FILE *err = open_memstream(&said, &length);
    assert_int_equal(tree_build(&t, &hand, &l, net_named("mid"), err), -1);
    fclose(err);
    expect_said(said, "DEF:27: error: the net mid has no way from a.Y to b.A",
                "a via that is not there");
    free(said);
    tree_free(&t);
    def_free(&l);
}

/* What the path takes by OpenSTA, with these wires or, if `spef` is empty, without. */
static double delay(const char *spef)
{
    char command[300], line[200];
    double ns = -1;
    snprintf(command, sizeof command,
             "SPEF=%s sta -no_splash -exit tests/synth/wires/opensta.tcl 2>&1", spef);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        if (strncmp(line, "Warning", 7) == 0 || strncmp(line, "Error", 5) == 0)
            fail_msg("OpenSTA says: %s", line);
        else
            sscanf(line, "delay %lf", &ns);
    assert_int_equal(pclose(f), 0);
    return ns;
}

static int write_wires(void *user, const char *path, FILE *err)
{
    FILE *f = fopen(path, "w");
    const int failed = !f || spef_write(&hand, user, f, err);
    assert_true(f && !fclose(f));
    const double with = failed ? -1 : delay(path), without = delay("");
    /* Elmore: each resistance times what it charges, in ohm x fF = 1e-6 ns; a pin has 20 fF, the port drives 50. */
    const double in = 1000 * (2.25 + 20), out = 1000 * (2.25 + 50);
    const double mid = 1800 * (8.1 / 2 + 3.6 + 8.1 + 2.7 + 20) + 10 * (3.6 + 8.1 + 2.7 + 20) +
                       150 * (3.6 / 2 + 8.1 + 2.7 + 20) + 10 * (8.1 + 2.7 + 20) +
                       1800 * (8.1 / 2 + 2.7 + 20) + 600 * (2.7 / 2 + 20);
    const double expected = (in + mid + out) * 1e-6;
    if (!(fabs(without - 2) < 1e-6))
        fail_msg("without wires %.6f ns; expected 2, of two inverters", without);
    if (!(fabs(with - without - expected) < 0.001 * expected))
        fail_msg("wires take %.6f ns; expected %.6f", with - without, expected);
    return failed;
}

/* Edges are slow, and the inverters take the same time whatever they drive: what remains is the wires' time constants. */
static void delays_by_opensta(void **state)
{
    (void)state;
    struct def l;
    char *said = NULL;
    assert_int_equal(read_changed(&l, &hand, "", "", &said), 0);
    assert_int_equal(with_file("", write_wires, &l, &said), 0);
    assert_null(said);
    def_free(&l);
}

static void expect_line(const char *text, const char *line)
{
    if (!strstr(text, line))
        fail_msg("there is no '%s' in\n%s", line, text);
}

static void figures(void **state)
{
    (void)state;
    struct def l;
    char *said = NULL;
    size_t length = 0;
    assert_int_equal(read_changed(&l, &hand, "", "", &said), 0);
    FILE *to = open_memstream(&said, &length);
    assert_int_equal(measure_write(&hand, &l, to, stderr), 0);
    fclose(to);
    expect_line(said, "cell_area_um2=80\ncore_area_um2=240\ndie_area_um2=576\n");
    expect_line(
        said, "density=0.333\nnets=3\nvias=2\nloops=0\nwire_um=34\nwire_um_m1=31\nwire_um_m2=3\n");
    expect_line(said, "longest_um=24\nlongest_net=mid\nwire_pf=0.032\npin_pf=0.040\n");
    free(said);
    def_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_resistances_capacitances),
        cmocka_unit_test(loops),
        cmocka_unit_test(pins_that_are_not_reached),
        cmocka_unit_test(delays_by_opensta),
        cmocka_unit_test(figures),
    };
    return cmocka_run_group_tests(tests, hand_open, hand_close);
}
