/* SPDX-License-Identifier: Apache-2.0 */
/* tests/synth/netlist/random_test.c: random netlists of hand.lib against a restatement that shares nothing with the simulator: gates are
 * evaluated over and over until nothing changes, and each figure of the library stands here as its formula. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "synth/netlist/energy.h"
#include "synth/netlist/switching.h"
#include "tests/synth/netlist/support.h"

enum { INPUTS = 3, MOST_GATES = 40, MOST_NETS = INPUTS + 2 * MOST_GATES, OUTPUTS = 4, CYCLES = 30 };
enum kind { BUF, INV, NAND2, XOR2, DFF, NUM_KINDS };
enum { ZERO = -1, ONE = -2, NONE = -3 };

static const char *const kinds[] = {"BUF", "INV", "NAND2", "XOR2", "DFF"};

struct gate {
    enum kind kind;
    int in[2], out[2]; /* nets; of DFF: Q and QN */
};

struct circuit {
    struct gate gate[MOST_GATES];
    int gates, nets, output[OUTPUTS];
    int value[MOST_NETS], before[MOST_NETS];
    uint64_t edges[MOST_NETS], high[MOST_NETS];
    double internal[MOST_GATES], switching[MOST_GATES], inputs, clock; /* pJ */
};

static unsigned seed;

static int below(int n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (unsigned)n);
}

/* ---- the library, in ns, pF, pJ ---- */

static double pin_load(const struct circuit *c, int net)
{
    static const double pins[NUM_KINDS][2] = {
        {0.01, 0}, {0.02, 0}, {0.03, 0.04}, {0.05, 0.06}, {0.07, 0}};
    double sum = 0;
    for (int g = 0; g < c->gates; g++)
        for (int i = 0; i < 2; i++)
            sum += c->gate[g].in[i] == net ? pins[c->gate[g].kind][i] : 0;
    for (int o = 0; o < OUTPUTS; o++)
        sum += c->output[o] == net ? 4 * 0.03 : 0;
    return sum;
}

static double slew_of(const struct circuit *c, int net, int rise);

/* The slower of both edges of an input. */
static double either(const struct circuit *c, int net)
{
    return fmax(slew_of(c, net, 0), slew_of(c, net, 1));
}

static double slew_of(const struct circuit *c, int net, int rise)
{
    if (net < 0)
        return 0;
    const double l = pin_load(c, net);
    for (int n = 0; n < c->gates; n++) {
        const struct gate *g = &c->gate[n];
        double slowest = 0;
        if (g->kind == DFF && g->out[0] == net)
            return rise ? 0.2 + 2 * l : 0.3 + l;
        if (g->kind == DFF && g->out[1] == net)
            return rise ? 0.25 + 2 * l : 0.35 + l;
        if (g->out[0] != net)
            continue;
        for (int i = 0; i < 2; i++) {
            const int in = g->in[i];
            double s = 0;
            if (in < 0)
                continue;
            switch (g->kind) {
            case BUF:
                s = rise ? 0.2 + 0.1 * slew_of(c, in, 1) + 2 * l
                         : 0.1 + 0.2 * slew_of(c, in, 0) + l;
                break;
            case INV:
                s = rise ? 0.1 + 0.1 * slew_of(c, in, 0) + 3 * l
                         : 0.05 + 0.2 * slew_of(c, in, 1) + 2 * l;
                break;
            case NAND2:
                s = rise ? 0.2 + 0.1 * slew_of(c, in, 0) + 4 * l
                         : 0.3 + 0.3 * slew_of(c, in, 1) + l;
                break;
            default:
                s = i == 0 ? (rise ? 0.4 + 0.1 * either(c, in) + 2 * l
                                   : 0.2 + 0.2 * either(c, in) + 3 * l)
                           : (rise ? 0.3 + 0.2 * either(c, in) + 2 * l
                                   : 0.1 + 0.1 * either(c, in) + 3 * l);
            }
            slowest = fmax(slowest, s);
        }
        return slowest;
    }
    return rise ? 0.2 + 2 * l : 0.1 + l; /* from outside, by BUF */
}

/* Inside a gate when its output has an edge because input i has one. */
static double inside(const struct circuit *c, const struct gate *g, int i)
{
    const int net = g->out[0], rise = c->value[net];
    const double l = pin_load(c, net), s = slew_of(c, g->in[i], c->value[g->in[i]]);
    switch (g->kind) {
    case BUF: return rise ? 0.02 + 0.01 * s + 0.03 * l : 0.01 + 0.04 * s + 0.01 * l;
    case INV: return rise ? 0.04 + 0.02 * s + 0.01 * l : 0.03 + 0.01 * s + 0.05 * l;
    case NAND2:
        return i == 0 ? (rise ? 0.05 + 0.03 * s + 0.01 * l : 0.06 + 0.02 * s + 0.01 * l)
                      : (rise ? 0.07 + 0.01 * s + 0.02 * l : 0.02 + 0.04 * s + 0.02 * l);
    default:
        return (rise ? 0.1 + 0.05 * s + 0.1 * l : 0.12 + 0.01 * s + 0.1 * l) +
               (g->in[0] == ONE || (g->in[0] >= 0 && c->value[g->in[0]]) ? 0 : 0.1);
    }
}

/* ---- what happens in a cycle ---- */

static int value_of(const struct circuit *c, int net)
{
    return net == ONE || (net >= 0 && c->value[net]);
}

static void settle(struct circuit *c)
{
    for (int changed = 1; changed;) {
        changed = 0;
        for (int n = 0; n < c->gates; n++) {
            const struct gate *g = &c->gate[n];
            const int a = value_of(c, g->in[0]), b = value_of(c, g->in[1]);
            const int values[] = {a, !a, !(a && b), a != b};
            if (g->kind == DFF || c->value[g->out[0]] == values[g->kind])
                continue;
            c->value[g->out[0]] = values[g->kind];
            changed = 1;
        }
    }
}

static int moved(const struct circuit *c, int net)
{
    return net >= 0 && c->value[net] != c->before[net];
}

static void count_flip_flop(struct circuit *c, int n)
{
    const struct gate *g = &c->gate[n];
    const int shown = g->out[0] != NONE ? 0 : 1, state = c->value[g->out[shown]] ^ shown,
              changed = moved(c, g->out[shown]);
    c->clock += 0.08 * 4 + (state ? 0.18 : 0.11);
    if (moved(c, g->in[0])) {
        const int rise = c->value[g->in[0]];
        const double s = slew_of(c, g->in[0], rise);
        c->internal[n] += rise ? 0.03 + 0.02 * s : 0.02 + 0.04 * s;
    }
    for (int o = 0; o < 2; o++) /* an output that nobody reads has no load, but moves */
        if (changed) {
            const int rise = state ^ o;
            const double l = g->out[o] == NONE ? 0 : pin_load(c, g->out[o]);
            c->internal[n] +=
                (rise ? 0.02 : 0.03) * l + (o == 0 ? (rise ? 0.15 : 0.11) : (rise ? 0.01 : 0.02));
        }
}

static void count(struct circuit *c)
{
    for (int net = 0; net < c->nets; net++) {
        c->edges[net] += (uint64_t)moved(c, net);
        c->high[net] += (uint64_t)c->value[net];
        if (net < INPUTS && moved(c, net))
            c->inputs += pin_load(c, net) * 2;
    }
    for (int n = 0; n < c->gates; n++) {
        const struct gate *g = &c->gate[n];
        double sum = 0;
        int causes = 0;
        for (int o = 0; o < 2; o++)
            if (moved(c, g->out[o]))
                c->switching[n] += pin_load(c, g->out[o]) * 2;
        if (g->kind == DFF) {
            count_flip_flop(c, n);
            continue;
        }
        for (int i = 0; i < 2; i++)
            if (moved(c, g->out[0]) && moved(c, g->in[i])) {
                sum += inside(c, g, i);
                causes++;
            }
        c->internal[n] += causes ? sum / causes : 0;
    }
}

static void edge(struct circuit *c)
{
    int next[MOST_GATES];
    memcpy(c->before, c->value, sizeof c->before);
    for (int n = 0; n < c->gates; n++)
        next[n] = value_of(c, c->gate[n].in[0]);
    for (int n = 0; n < c->gates; n++)
        for (int o = 0; o < 2; o++)
            if (c->gate[n].kind == DFF && c->gate[n].out[o] != NONE)
                c->value[c->gate[n].out[o]] = next[n] ^ o;
}

/* ---- circuits ---- */

static int some_net(int nets)
{
    const int n = below(nets + 2);
    return n < nets ? n : n == nets ? ZERO : ONE;
}

/* Flip-flops first, so that logic may read them and they all of the logic. */
static void invent(struct circuit *c)
{
    *c = (struct circuit){.gates = 1 + below(MOST_GATES), .nets = INPUTS};
    const int flip_flops = below(c->gates + 1);
    for (int n = 0; n < c->gates; n++) {
        struct gate *g = &c->gate[n];
        const int shows = n < flip_flops ? 1 + below(3) : 1;
        *g =
            (struct gate){n < flip_flops ? DFF : (enum kind)below(DFF), {NONE, NONE}, {NONE, NONE}};
        if (g->kind != DFF)
            g->in[0] = some_net(c->nets);
        if (g->kind == NAND2 || g->kind == XOR2)
            g->in[1] = some_net(c->nets);
        for (int o = 0; o < 2; o++)
            if (shows >> o & 1)
                g->out[o] = c->nets++;
    }
    for (int n = 0; n < flip_flops; n++)
        c->gate[n].in[0] = some_net(c->nets);
    for (int o = 0; o < OUTPUTS; o++)
        c->output[o] = some_net(c->nets);
    for (int n = 0; n < flip_flops; n++) /* all flip-flops are 0 */
        if (c->gate[n].out[1] != NONE)
            c->value[c->gate[n].out[1]] = 1;
    settle(c);
    memcpy(c->before, c->value, sizeof c->before);
}

static const char *name_of(int net)
{
    static char names[4][8];
    static int turn;
    char *name = names[turn++ % 4];
    snprintf(name, 8,
             net == ZERO    ? "1'h0"
             : net == ONE   ? "1'h1"
             : net < INPUTS ? "in[%d]"
                            : "n%d",
             net);
    return name;
}

/* Its gates in an order that is not that of their numbers: where[n] is the cell that gate n becomes. */
static char *text_of(const struct circuit *c, uint32_t *where)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "module m(clk, in, out);\n input clk;\n input [%d:0] in;\n output [%d:0] out;\n",
            INPUTS - 1, OUTPUTS - 1);
    for (int n = INPUTS; n < c->nets; n++)
        fprintf(f, " wire n%d;\n", n);
    fputs(" wire [7:0] again;\n assign again[1] = in[0];\n", f);
    for (int k = 0; k < c->gates; k++) {
        const int n = k % 2 ? k / 2 : c->gates - 1 - k / 2;
        const struct gate *g = &c->gate[n];
        where[n] = (uint32_t)k;
        if (g->kind == DFF) {
            fprintf(f, " DFF g%d (.CK(clk), .D(%s)", n, name_of(g->in[0]));
            if (g->out[0] != NONE)
                fprintf(f, ", .Q(%s)", name_of(g->out[0]));
            if (g->out[1] != NONE)
                fprintf(f, ", .QN(%s)", name_of(g->out[1]));
            fputs(");\n", f);
        } else if (g->in[1] == NONE) {
            fprintf(f, " %s g%d (.A(%s), .Y(%s));\n", kinds[g->kind], n,
                    g->in[0] == 0 ? "again[1]" : name_of(g->in[0]), name_of(g->out[0]));
        } else {
            fprintf(f, " %s g%d (.A(%s), .B(%s), .Y(%s));\n", kinds[g->kind], n, name_of(g->in[0]),
                    name_of(g->in[1]), name_of(g->out[0]));
        }
    }
    fprintf(f, " assign { out[3:2], out[0], out[1] } = { %s, %s, %s, %s };\nendmodule\n",
            name_of(c->output[3]), name_of(c->output[2]), name_of(c->output[0]),
            name_of(c->output[1]));
    fclose(f);
    return text;
}

static uint32_t net_number(const struct netlist *n, int net)
{
    if (net < INPUTS)
        return netlist_signal(n, "in")->net[net];
    return netlist_signal(n, name_of(net))->net[0];
}

static void same(double heddle, double restated, const char *what, int number, const char *text)
{
    if (!(fabs(heddle - restated) <= 1e-9 * fabs(restated) + 1e-30))
        fail_msg("%s %d is %.12g, not %.12g, of\n%s", what, number, heddle, restated, text);
}

static void compare(const struct circuit *c, const struct netlist *n, const uint32_t *where,
                    const struct switching *a, const struct energy *e, const char *text)
{
    int flip_flops = 0;
    double leakage = 0;
    static const double leaks[NUM_KINDS] = {3, 1, 2, 5, 10};
    for (int net = 0; net < c->nets; net++) {
        const uint32_t number = net_number(n, net);
        same((double)a->edges[number], (double)c->edges[net], "edges of net", net, text);
        same((double)switching_high(a, number), (double)c->high[net], "cycles at 1 of net", net,
             text);
        same(e->load[number], pin_load(c, net) * 1e-12, "load of net", net, text);
        for (int rise = 0; rise < 2; rise++)
            same(e->slew[rise][number], slew_of(c, net, rise) * 1e-9, "slew of net", net, text);
    }
    for (int g = 0; g < c->gates; g++) {
        same(e->internal[where[g]], c->internal[g] * 1e-12, "energy inside gate", g, text);
        same(e->switching[where[g]], c->switching[g] * 1e-12, "energy behind gate", g, text);
        leakage += leaks[c->gate[g].kind] * 1e-9;
        flip_flops += c->gate[g].kind == DFF;
    }
    same(e->inputs, c->inputs * 1e-12, "energy of inputs", INPUTS, text);
    same(e->clock, c->clock * 1e-12, "energy of the clock of flip-flops", flip_flops, text);
    same(e->leakage, leakage, "leakage of gates", c->gates, text);
}

static void one(struct library *l, struct circuit *c)
{
    struct netlist n;
    struct switching a;
    uint32_t where[MOST_GATES];
    invent(c);
    char *text = text_of(c, where);
    take_text(&n, text, l);
    struct simulator *s = simulator_open(&n, stderr);
    assert_non_null(s);
    struct energy *e = energy_open(s, stderr);
    assert_non_null(e);
    assert_int_equal(switching_open(&a, s), 0);
    for (int k = 0; k < CYCLES; k++) {
        for (int i = 0; i < INPUTS; i++)
            if (below(3) == 0) {
                c->value[i] ^= 1;
                simulator_set(s, net_number(&n, i), c->value[i]);
            }
        settle(c);
        simulator_settle(s);
        for (int net = 0; net < c->nets; net++)
            same(s->value[net_number(&n, net)], c->value[net], "value of net", net, text);
        count(c);
        simulator_compare(s);
        switching_cycle(&a);
        energy_cycle(e);
        edge(c);
        simulator_edge(s);
    }
    compare(c, &n, where, &a, e, text);
    energy_close(e);
    switching_close(&a);
    simulator_close(s);
    netlist_free(&n);
    free(text);
}

static void random_netlists(void **state)
{
    (void)state;
    static struct circuit c;
    struct library hand;
    assert_int_equal(library_read(&hand, HAND, stderr), 0);
    for (unsigned k = 1; k <= 500; k++) {
        seed = k;
        one(&hand, &c);
    }
    library_free(&hand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_netlists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
