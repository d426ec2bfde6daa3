/* SPDX-License-Identifier: Apache-2.0 */
/* tests/synth/netlist/simulator_test.c: circuits made by hand move as they should, edge for edge, and cost what the library's figures
 * add up to. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "synth/netlist/energy.h"
#include "synth/netlist/switching.h"
#include "tests/synth/netlist/support.h"

static struct library hand;

/* A netlist that runs. */
struct running {
    struct netlist netlist;
    struct simulator *simulator;
    struct switching switching;
    struct energy *energy;
};

static void start(struct running *r, const char *text)
{
    take_text(&r->netlist, text, &hand);
    r->simulator = simulator_open(&r->netlist, stderr);
    assert_non_null(r->simulator);
    assert_int_equal(switching_open(&r->switching, r->simulator), 0);
    r->energy = energy_open(r->simulator, stderr);
    assert_non_null(r->energy);
}

static void stop(struct running *r)
{
    energy_close(r->energy);
    switching_close(&r->switching);
    simulator_close(r->simulator);
    netlist_free(&r->netlist);
}

static uint32_t net_of(const struct running *r, const char *name, unsigned bit)
{
    const struct netlist_signal *s = netlist_signal(&r->netlist, name);
    assert_non_null(s);
    return s->net[bit];
}

static void cycle(struct running *r)
{
    simulator_settle(r->simulator);
    simulator_compare(r->simulator);
    switching_cycle(&r->switching);
    energy_cycle(r->energy);
    simulator_edge(r->simulator);
}

#define COUNTER                                                                                    \
    "module counter(clk, q);\n"                                                                    \
    "  input clk; output [2:0] q; wire [2:0] d; wire n, c;\n"                                      \
    "  INV i0 (.A(q[0]), .Y(d[0]));\n"                                                             \
    "  XOR2 x1 (.A(q[1]), .B(q[0]), .Y(d[1]));\n"                                                  \
    "  NAND2 n2 (.A(q[1]), .B(q[0]), .Y(n));\n"                                                    \
    "  INV i2 (.A(n), .Y(c));\n"                                                                   \
    "  XOR2 x2 (.A(q[2]), .B(c), .Y(d[2]));\n"                                                     \
    "  DFF f0 (.CK(clk), .D(d[0]), .Q(q[0]));\n"                                                   \
    "  DFF f1 (.CK(clk), .D(d[1]), .Q(q[1]));\n"                                                   \
    "  DFF f2 (.CK(clk), .D(d[2]), .Q(q[2]));\n"                                                   \
    "endmodule\n"

static void a_counter_counts(void **state)
{
    (void)state;
    struct running r;
    start(&r, COUNTER);
    for (unsigned k = 0; k < 800; k++) {
        unsigned q = 0;
        for (unsigned b = 0; b < 3; b++)
            q |= (unsigned)r.simulator->value[net_of(&r, "q", b)] << b;
        assert_int_equal(q, k % 8);
        cycle(&r);
    }
    /* Of the 799 steps between 800 cycles; bit b moves with every 2^b-th of them. d is q of the cycle after. */
    const uint64_t edges[] = {799, 399, 199};
    for (unsigned b = 0; b < 3; b++) {
        assert_int_equal(r.switching.edges[net_of(&r, "q", b)], edges[b]);
        assert_int_equal(switching_high(&r.switching, net_of(&r, "q", b)), 400);
        assert_int_equal(switching_high(&r.switching, net_of(&r, "d", b)), 400);
    }
    assert_int_equal(r.switching.edges[net_of(&r, "d", 0)], 799);
    assert_int_equal(r.switching.edges[net_of(&r, "d", 1)], 400);
    assert_int_equal(r.switching.edges[net_of(&r, "d", 2)], 200);
    /* 3 and 7 of 8: up at 3, down at 4, up at 7, down at 0. */
    assert_int_equal(r.switching.edges[net_of(&r, "c", 0)], 399);
    assert_int_equal(switching_high(&r.switching, net_of(&r, "c", 0)), 200);
    stop(&r);
}

#define SHIFT                                                                                      \
    "module shift(clk, in, out);\n"                                                                \
    "  input clk, in; output out; wire a, b;\n"                                                    \
    "  DFF f0 (.CK(clk), .D(in), .Q(a));\n"                                                        \
    "  DFF f1 (.CK(clk), .D(a), .QN(b));\n"                                                        \
    "  DFF f2 (.CK(clk), .D(b), .Q(out));\n"                                                       \
    "endmodule\n"

static void a_shift_register_shifts(void **state)
{
    (void)state;
    struct running r;
    start(&r, SHIFT);
    for (unsigned k = 0; k < 1000; k++) { /* 1 in cycles 3 to 5 of every 10 */
        simulator_set(r.simulator, net_of(&r, "in", 0), k % 10 >= 3 && k % 10 < 6);
        simulator_settle(r.simulator);
        assert_int_equal(r.simulator->value[net_of(&r, "a", 0)], k % 10 >= 4 && k % 10 < 7);
        assert_int_equal(r.simulator->value[net_of(&r, "b", 0)], !(k % 10 >= 5 && k % 10 < 8));
        assert_int_equal(r.simulator->value[net_of(&r, "out", 0)],
                         k > 0 && !(k % 10 >= 6 && k % 10 < 9));
        cycle(&r);
    }
    assert_int_equal(r.switching.edges[net_of(&r, "in", 0)], 200);
    assert_int_equal(r.switching.edges[net_of(&r, "b", 0)], 200);
    assert_int_equal(r.switching.edges[net_of(&r, "out", 0)], 201);
    assert_int_equal(switching_high(&r.switching, net_of(&r, "a", 0)), 300);
    assert_int_equal(switching_high(&r.switching, net_of(&r, "b", 0)), 700);
    assert_int_equal(switching_high(&r.switching, net_of(&r, "out", 0)), 699);
    stop(&r);
}

/* What settles more than once in a cycle, as behind the ports of a memory, has one edge, or none. */
static void only_what_has_settled_counts(void **state)
{
    (void)state;
    struct running r;
    start(&r, SHIFT);
    for (int k = 0; k < 10; k++)
        for (int again = 0; again < 40; again++) {
            simulator_set(r.simulator, net_of(&r, "in", 0), (again ^ k) & 1);
            simulator_settle(r.simulator);
            if (again == 38 + (k & 1)) { /* at 0, always */
                cycle(&r);
                break;
            }
        }
    assert_int_equal(r.switching.edges[net_of(&r, "in", 0)], 0);
    simulator_set(r.simulator, net_of(&r, "in", 0), 1);
    simulator_set(r.simulator, net_of(&r, "in", 0), 0);
    simulator_set(r.simulator, net_of(&r, "in", 0), 1);
    cycle(&r);
    assert_int_equal(r.switching.edges[net_of(&r, "in", 0)], 1);
    stop(&r);
}

static void near(double computed, double by_hand, const char *what)
{
    if (!(fabs(computed - by_hand) <= 1e-9 * fabs(by_hand)))
        fail_msg("%s: %.12g, by hand %.12g", what, computed, by_hand);
}

/* The sums of a shift register of one bit and an inverter, from the figures of hand.lib. The input comes from BUF, whose
 * input has no slew; it drives D (0.07 pF): rise 0.2 + 2 x 0.07, fall 0.1 + 1 x 0.07 ns. Q drives A of INV (0.02 pF):
 * rise 0.2 + 2 x 0.02, fall 0.3 + 0.02 ns, from an edge without slew. QN has no load, but takes 0.02 pJ when it falls. y drives four A of NAND2, 0.12 pF. */
static void what_edges_cost(void **state)
{
    (void)state;
    struct running r;
    start(&r, "module m(clk, in, y);\n input clk, in; output y; wire q;\n"
              "DFF f (.CK(clk), .D(in), .Q(q));\nINV i (.A(q), .Y(y));\nendmodule\n");
    near(r.energy->load[net_of(&r, "in", 0)], 0.07e-12, "load of in");
    near(r.energy->load[net_of(&r, "y", 0)], 0.12e-12, "load of y");
    near(r.energy->slew[EDGE_RISE][net_of(&r, "in", 0)], 0.34e-9, "rise of in");
    near(r.energy->slew[EDGE_FALL][net_of(&r, "in", 0)], 0.17e-9, "fall of in");
    near(r.energy->slew[EDGE_RISE][net_of(&r, "q", 0)], 0.24e-9, "rise of q");
    near(r.energy->slew[EDGE_FALL][net_of(&r, "q", 0)], 0.32e-9, "fall of q");
    /* INV falls when q rises */
    near(r.energy->slew[EDGE_FALL][net_of(&r, "y", 0)], (0.05 + 0.2 * 0.24 + 2 * 0.12) * 1e-9,
         "fall of y");
    near(r.energy->slew[EDGE_RISE][net_of(&r, "y", 0)], (0.1 + 0.1 * 0.32 + 3 * 0.12) * 1e-9,
         "rise of y");
    near(r.energy->leakage, 11e-9, "leakage");
    cycle(&r);                       /* nothing moves: the clock alone, at a flip-flop that is 0 */
    const double pin = 0.08e-12 * 4; /* of the clock, both edges: C V^2 */
    near(r.energy->clock, pin + (0.05 + 0.06) * 1e-12, "the clock at 0");
    assert_true(r.energy->moved == 0 && r.energy->inputs == 0 && r.energy->internal[0] == 0);
    simulator_set(r.simulator, net_of(&r, "in", 0), 1);
    cycle(&r); /* in rises: its net, and D inside the flip-flop */
    near(r.energy->inputs, 0.07e-12 * 2, "the net of in");
    near(r.energy->internal[0], (0.03 + 0.02 * 0.34) * 1e-12, "D rises");
    cycle(&r); /* q rises, y falls */
    const double q_rises = 0.15 + 0.02 * 0.02 + 0.02, y_falls = 0.03 + 0.01 * 0.24 + 0.05 * 0.12;
    near(r.energy->internal[0], (0.03 + 0.02 * 0.34 + q_rises) * 1e-12, "q rises");
    near(r.energy->internal[1], y_falls * 1e-12, "y falls");
    near(r.energy->switching[0], 0.02e-12 * 2, "the net of q");
    near(r.energy->switching[1], 0.12e-12 * 2, "the net of y");
    near(r.energy->clock, 3 * pin + (2 * 0.11 + 2 * 0.09) * 1e-12, "the clock at 0, 0, 1");
    simulator_set(r.simulator, net_of(&r, "in", 0), 0);
    cycle(&r); /* in falls */
    near(r.energy->internal[0], (0.03 + 0.02 * 0.34 + q_rises + 0.02 + 0.04 * 0.17) * 1e-12,
         "D falls");
    cycle(&r); /* q falls, y rises */
    const double y_rises = 0.04 + 0.02 * 0.32 + 0.01 * 0.12;
    near(r.energy->internal[1], (y_falls + y_rises) * 1e-12, "y rises");
    near(r.energy->switching[1], 2 * 0.12e-12 * 2, "the net of y again");
    assert_int_equal(r.energy->moved, 8);
    assert_int_equal(r.energy->cycles, 5);
    stop(&r);
}

#define MODULE "module m(a, b, c, y, z);\n input a, b, c; output y, z; wire w;\n"

static void what_does_not_run(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {MODULE "SET x (.D(a), .CK(b), .S(c), .Q(y));\nassign z = y;\nendmodule",
         "NETLIST:3: error: 'SET' is no plain flip-flop: it has preset\n"},
        {MODULE "LATE x (.D(a), .CK(b), .Q(y));\nassign z = y;\nendmodule",
         "NETLIST:3: error: 'LATE' does not take its input at a rising edge\n"},
        {MODULE "LATCH x (.D(a), .G(b), .Q(y));\nassign z = y;\nendmodule",
         "NETLIST:3: error: 'LATCH' is neither logic nor a plain flip-flop\n"},
        {MODULE "WIDE x (.A(a), .B(a), .C(a), .D(a), .E(a), .F(a), .G(a), .Y(y));\nassign z = "
                "y;\nendmodule",
         "NETLIST:3: error: a function of 'WIDE' has more than 6 inputs\n"},
        {MODULE "DFF x (.D(a), .CK(b), .Q(y));\nDFF v (.D(a), .CK(c), .Q(z));\nendmodule",
         "NETLIST:4: error: 'v' has another clock than the flip-flops before it\n"},
        {MODULE "INV x (.A(w), .Y(y));\nINV v (.A(y), .Y(w));\nassign z = y;\nendmodule",
         "NETLIST:1: error: 'y' depends on itself\n"},
        {MODULE "DFF x (.D(a), .CK(b), .Q(y));\nINV v (.A(b), .Y(z));\nendmodule",
         "NETLIST:1: error: the clock 'b' is read or driven by logic\n"},
        {MODULE "INV v (.A(b), .Y(w));\nDFF x (.D(a), .CK(w), .Q(y));\nassign z = y;\nendmodule",
         "NETLIST:1: error: the clock 'w' is read or driven by logic\n"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct netlist n;
        char *said = NULL;
        size_t length = 0;
        FILE *err = open_memstream(&said, &length);
        take_text(&n, wrong[i].text, &hand);
        struct simulator *s = simulator_open(&n, err);
        fclose(err);
        if (s || strcmp(said, wrong[i].message) != 0)
            fail_msg("%s\nis %s: %s", wrong[i].text, s ? "taken" : "refused", said);
        simulator_close(s);
        netlist_free(&n);
        free(said);
    }
}

static void switching_as_saif(void **state)
{
    (void)state;
    struct running r;
    char *text = NULL;
    size_t length = 0;
    start(&r, SHIFT);
    for (unsigned k = 0; k < 4; k++) {
        simulator_set(r.simulator, net_of(&r, "in", 0), k == 1 || k == 2);
        cycle(&r);
    }
    FILE *out = open_memstream(&text, &length);
    switching_print(&r.switching, 1500, out);
    fclose(out);
    assert_string_equal(
        text, "(SAIFILE\n(SAIFVERSION \"2.0\")\n(DIRECTION \"backward\")\n(DESIGN \"shift\")\n"
              "(PROGRAM_NAME \"Heddle\")\n(DIVIDER / )\n(TIMESCALE 1 ps)\n(DURATION 6000)\n"
              "(INSTANCE shift\n  (NET\n"
              "    (clk (T0 3000) (T1 3000) (TX 0) (TC 8) (IG 0))\n"
              "    (in (T0 3000) (T1 3000) (TX 0) (TC 2) (IG 0))\n"
              "    (out (T0 1500) (T1 4500) (TX 0) (TC 1) (IG 0))\n"
              "    (a (T0 3000) (T1 3000) (TX 0) (TC 1) (IG 0))\n"
              "    (b (T0 1500) (T1 4500) (TX 0) (TC 1) (IG 0))\n"
              "  )\n)\n)\n");
    free(text);
    stop(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counter_counts),
        cmocka_unit_test(a_shift_register_shifts),
        cmocka_unit_test(only_what_has_settled_counts),
        cmocka_unit_test(what_edges_cost),
        cmocka_unit_test(what_does_not_run),
        cmocka_unit_test(switching_as_saif),
    };
    if (library_read(&hand, HAND, stderr))
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    library_free(&hand);
    return failed;
}
