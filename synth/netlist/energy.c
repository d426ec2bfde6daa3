/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/energy.c: see energy.h. */
#include "synth/netlist/energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct netlist *netlist_of(const struct energy *e)
{
    return (struct netlist *)e->simulator->netlist;
}

static double supply(const struct energy *e)
{
    return netlist_of(e)->library->voltage;
}

/* C V^2 / 2 of one edge of a net. */
static double edge_of_net(const struct energy *e, uint32_t net)
{
    return e->load[net] * supply(e) * supply(e) / 2;
}

static int is_input(const struct netlist_cell *c, unsigned pin)
{
    return c->type->pins[pin].direction == PIN_IN;
}

/* The state of a flip-flop, as its outputs show it. */
static int state_of(const struct energy *e, const struct netlist_cell *c)
{
    uint64_t one[CELL_PINS + CELL_STATES] = {0};
    one[c->type->num_pins] = 1;
    for (unsigned p = 0; p < c->type->num_pins; p++)
        if (!is_input(c, p))
            return e->simulator->value[c->net[p]] ==
                   (function_value(c->type->pins[p].function, one) & 1);
    return 0;
}

/* Whether `when` of an arc holds, with nets as they are. */
static int holds(const struct energy *e, const struct netlist_cell *c, const struct power_arc *a)
{
    uint64_t values[CELL_PINS + CELL_STATES] = {0};
    if (!a->when)
        return 1;
    if (c->type->kind == CELL_FLIP_FLOP) {
        values[c->type->num_pins] = (uint64_t)state_of(e, c);
        values[c->type->num_pins + 1] = !values[c->type->num_pins];
    }
    for (unsigned p = 0; p < c->type->num_pins; p++)
        values[p] = e->simulator->value[c->net[p]];
    return function_value(a->when, values) & 1;
}

/* Energy inside cell n when its pin has an edge that `from` caused by one of its own: that of the conditional groups which
 * hold, and where none does that of the others. */
static double inside(const struct energy *e, uint32_t n, unsigned pin, unsigned from, enum edge out,
                     enum edge in)
{
    const struct netlist_cell *c = &netlist_of(e)->cells[n];
    const struct cell_arcs *arcs = e->arcs[n];
    const double slew = e->slew[in][c->net[from]], load = e->load[c->net[pin]];
    double sum[2] = {0, 0};
    int held = 0;
    for (unsigned i = 0; i < arcs->num_power; i++) {
        const struct power_arc *a = &arcs->power[i];
        if (a->pin != pin || a->from != from || !a->energy[out].values || !holds(e, c, a))
            continue;
        held |= a->when != NULL;
        sum[a->when != NULL] += table_value(&a->energy[out], slew, load);
    }
    return sum[held] * netlist_of(e)->library->capacitance;
}

/* Whether cell n has an internal_power of `pin` from `from`. */
static int has_arc(const struct energy *e, uint32_t n, unsigned pin, unsigned from)
{
    for (unsigned i = 0; i < e->arcs[n]->num_power; i++)
        if (e->arcs[n]->power[i].pin == pin && e->arcs[n]->power[i].from == from)
            return 1;
    return 0;
}

static int has_moved(const struct energy *e, uint32_t net)
{
    return e->simulator->value[net] != e->simulator->before[net];
}

/* The mean over the inputs that may have moved an output of cell n; of a flip-flop, its clock. */
static double mean_inside(const struct energy *e, uint32_t n, unsigned pin, enum edge out)
{
    const struct netlist_cell *c = &netlist_of(e)->cells[n];
    double sum = 0;
    unsigned causes = 0;
    for (unsigned from = 0; from < c->type->num_pins; from++) {
        const uint32_t net = c->net[from];
        const int clock = net == e->simulator->clock;
        if (!is_input(c, from) || !(clock || has_moved(e, net)) || !has_arc(e, n, pin, from))
            continue;
        sum +=
            inside(e, n, pin, from, out, clock || e->simulator->value[net] ? EDGE_RISE : EDGE_FALL);
        causes++;
    }
    return causes ? sum / causes : 0;
}

/* Both edges of the clock at one flip-flop, inside it. */
static double clock_inside(const struct energy *e, uint32_t n)
{
    const struct netlist_cell *c = &netlist_of(e)->cells[n];
    double sum = 0;
    for (unsigned pin = 0; pin < c->type->num_pins; pin++)
        if (is_input(c, pin) && c->net[pin] == e->simulator->clock)
            sum += inside(e, n, pin, pin, EDGE_RISE, EDGE_RISE) +
                   inside(e, n, pin, pin, EDGE_FALL, EDGE_FALL);
    return sum;
}

/* An edge of a net: of the cell that drives it, and inside those that it goes to. */
static void take_edge(struct energy *e, uint32_t net)
{
    const struct netlist *n = netlist_of(e);
    const enum edge edge = e->simulator->value[net] ? EDGE_RISE : EDGE_FALL;
    const uint32_t driver = e->driver[net];
    if (driver == NET_NONE)
        e->inputs += edge_of_net(e, net);
    else
        e->switching[driver] += edge_of_net(e, net);
    for (unsigned p = 0; driver != NET_NONE && p < n->cells[driver].type->num_pins; p++)
        if (n->cells[driver].net[p] == net && !is_input(&n->cells[driver], p))
            e->internal[driver] += mean_inside(e, driver, p, edge);
    for (uint32_t i = e->first_load[net]; i < e->first_load[net + 1]; i++) {
        const struct load *l = &e->loads[i];
        e->internal[l->cell] += inside(e, l->cell, l->pin, l->pin, edge, edge);
    }
}

void energy_start(struct energy *e)
{
    memset(e->internal, 0, netlist_of(e)->num_cells * sizeof *e->internal);
    memset(e->switching, 0, netlist_of(e)->num_cells * sizeof *e->switching);
    e->inputs = e->clock = 0;
    e->cycles = e->moved = 0;
}

void energy_cycle(struct energy *e)
{
    const struct simulator *s = e->simulator;
    for (uint32_t i = 0; i < s->num_moved; i++)
        take_edge(e, s->moved[i]);
    e->clock += e->clock_fixed;
    for (uint32_t i = 0; i < e->num_clocked; i++)
        e->clock += clock_inside(e, e->clocked[i]);
    e->moved += s->num_moved;
    e->cycles++;
}

double energy_sum(const struct energy *e, const double *of_cells, enum cell_kind kind)
{
    double sum = 0;
    for (uint32_t c = 0; c < netlist_of(e)->num_cells; c++)
        if (kind == CELL_OTHER || netlist_of(e)->cells[c].type->kind == kind)
            sum += of_cells[c];
    return sum;
}

/* Arcs of every type of cell that is used, read once each. */
static int take_arcs(struct energy *e, FILE *err)
{
    struct netlist *n = netlist_of(e);
    struct {
        const struct library_cell *type;
        struct cell_arcs *arcs;
    } *known = calloc(n->library->num_cells + 1, sizeof *known);
    unsigned count = 0;
    int failed = known ? 0 : -1;
    for (uint32_t c = 0; c < n->num_cells && !failed; c++) {
        unsigned k = 0;
        while (k < count && known[k].type != n->cells[c].type)
            k++;
        if (k == count) {
            known[count].type = n->cells[c].type;
            known[count].arcs = arena_alloc(&n->memory, sizeof **e->arcs, sizeof(void *));
            failed = !known[count].arcs ||
                     arcs_read(n->library, n->cells[c].type, known[count].arcs, err);
            count++;
        }
        e->arcs[c] = known[k].arcs;
        e->leakage += known[k].arcs ? known[k].arcs->leakage : 0;
    }
    free(known);
    return failed ? -1 : 0;
}

/* Which cells' inputs have an energy of their own, by net. */
static void find_loads(struct energy *e)
{
    const struct netlist *n = netlist_of(e);
    uint32_t at = 0;
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t c = 0; c < n->num_cells; c++)
            for (unsigned p = 0; p < n->cells[c].type->num_pins; p++) {
                const uint32_t net = n->cells[c].net[p];
                if (!is_input(&n->cells[c], p) || net == e->simulator->clock ||
                    !has_arc(e, c, p, p))
                    continue;
                if (fill)
                    e->loads[--e->first_load[net]] = (struct load){c, p};
                else
                    e->first_load[net]++;
            }
        for (uint32_t net = 0; net <= n->num_nets && !fill; net++)
            e->first_load[net] = at += e->first_load[net];
    }
}

/* Of each net: who drives it, and what it drives. */
static void take_loads(struct energy *e)
{
    const struct netlist *n = netlist_of(e);
    for (uint32_t net = 0; net < n->num_nets; net++)
        e->driver[net] = NET_NONE;
    for (uint32_t c = 0; c < n->num_cells; c++)
        for (unsigned p = 0; p < n->cells[c].type->num_pins; p++) {
            const uint32_t net = n->cells[c].net[p];
            if (is_input(&n->cells[c], p))
                e->load[net] += n->cells[c].type->pins[p].capacitance;
            else
                e->driver[net] = c;
        }
    for (uint32_t s = 0; s < n->num_signals; s++)
        for (unsigned b = 0; b < n->signals[s].bits; b++)
            if (n->signals[s].direction == PIN_OUT)
                e->load[n->signals[s].net[b]] += library_load(n->library);
}

/* The slew of a cell's output, from those of its inputs: the slowest, as it is not known which of them comes last. */
static void take_slew(struct energy *e, const struct cell_arcs *arcs, const uint32_t *net,
                      uint32_t output)
{
    for (unsigned i = 0; i < arcs->num_timing; i++) {
        const struct timing_arc *a = &arcs->timing[i];
        for (unsigned in = 0; in < NUM_EDGES; in++)
            for (unsigned out = 0; out < NUM_EDGES; out++) {
                const uint32_t from = net ? net[a->from] : NET_NONE;
                const int other = a->sense == SENSE_NEGATIVE;
                if ((net && net[a->to] != output) || !a->slew[out].values || from == NET_0 ||
                    from == NET_1 ||
                    (a->clocked ? in != EDGE_RISE : a->sense != SENSE_ANY && (in != out) != other))
                    continue;
                const double slew =
                    table_value(&a->slew[out], from == NET_NONE ? 0 : e->slew[in][from],
                                e->load[output]) *
                    netlist_of(e)->library->time;
                e->slew[out][output] = fmax(e->slew[out][output], slew);
            }
    }
}

/* Slews of all nets: first those that a cycle begins with, then in the order of the logic. */
static int take_slews(struct energy *e, FILE *err)
{
    const struct netlist *n = netlist_of(e);
    const struct simulator *s = e->simulator;
    const struct library_cell *buffer = library_buffer(n->library);
    struct cell_arcs driver;
    if (!buffer)
        return fprintf(err, "%s: error: the library has no buffer\n", n->library->liberty.path), -1;
    if (arcs_read(n->library, buffer, &driver, err))
        return -1;
    for (uint32_t i = 0; i < n->num_signals; i++)
        for (unsigned b = 0; b < n->signals[i].bits; b++)
            if (n->signals[i].direction == PIN_IN && n->signals[i].net[b] != s->clock)
                take_slew(e, &driver, NULL, n->signals[i].net[b]);
    for (uint32_t f = 0; f < s->num_flip_flops; f++)
        for (int inverse = 0; inverse < 2; inverse++) {
            const uint32_t cell = s->flip_flops[f].next.cell,
                           net = s->flip_flops[f].output[inverse];
            if (net != NET_NONE)
                take_slew(e, e->arcs[cell], n->cells[cell].net, net);
        }
    for (uint32_t i = 0; i < s->num_nodes; i++) {
        const uint32_t cell = s->nodes[i].cell;
        take_slew(e, e->arcs[cell], n->cells[cell].net, s->nodes[i].output);
    }
    return 0;
}

/* The clock's pins, and which flip-flops take another energy from it in another state. */
static void take_clock(struct energy *e)
{
    const struct netlist *n = netlist_of(e);
    if (e->simulator->clock != NET_NONE)
        e->clock_fixed = 2 * edge_of_net(e, e->simulator->clock);
    for (uint32_t f = 0; f < e->simulator->num_flip_flops; f++) {
        const uint32_t cell = e->simulator->flip_flops[f].next.cell;
        int varies = 0;
        for (unsigned i = 0; i < e->arcs[cell]->num_power; i++) {
            const struct power_arc *a = &e->arcs[cell]->power[i];
            varies |= a->pin == a->from && a->when != NULL &&
                      n->cells[cell].net[a->pin] == e->simulator->clock;
        }
        if (varies)
            e->clocked[e->num_clocked++] = cell;
        else
            e->clock_fixed += clock_inside(e, cell);
    }
}

static int take_memory(struct energy *e)
{
    const struct netlist *n = netlist_of(e);
    uint32_t pins = 0;
    for (uint32_t c = 0; c < n->num_cells; c++)
        pins += n->cells[c].type->num_pins;
    e->arcs = calloc(n->num_cells + 1, sizeof *e->arcs);
    e->internal = calloc(n->num_cells + 1, sizeof *e->internal);
    e->switching = calloc(n->num_cells + 1, sizeof *e->switching);
    e->clocked = calloc(n->num_cells + 1, sizeof *e->clocked);
    e->load = calloc(n->num_nets, sizeof *e->load);
    e->slew[EDGE_FALL] = calloc(n->num_nets, sizeof *e->load);
    e->slew[EDGE_RISE] = calloc(n->num_nets, sizeof *e->load);
    e->driver = calloc(n->num_nets, sizeof *e->driver);
    e->first_load = calloc(n->num_nets + 1, sizeof *e->first_load);
    e->loads = calloc(pins + 1, sizeof *e->loads);
    return e->arcs && e->internal && e->switching && e->clocked && e->load && e->slew[EDGE_FALL] &&
                   e->slew[EDGE_RISE] && e->driver && e->first_load && e->loads
               ? 0
               : -1;
}

struct energy *energy_open(struct simulator *s, FILE *err)
{
    struct energy *e = calloc(1, sizeof *e);
    if (e)
        e->simulator = s;
    if (!e || take_memory(e)) {
        fprintf(err, "%s: error: no memory\n", s->netlist->path);
        energy_close(e);
        return NULL;
    }
    take_loads(e);
    if (take_arcs(e, err) || take_slews(e, err)) {
        energy_close(e);
        return NULL;
    }
    find_loads(e);
    take_clock(e);
    return e;
}

void energy_close(struct energy *e)
{
    if (!e)
        return;
    free(e->arcs);
    free(e->internal);
    free(e->switching);
    free(e->clocked);
    free(e->load);
    free(e->slew[EDGE_FALL]);
    free(e->slew[EDGE_RISE]);
    free(e->driver);
    free(e->first_load);
    free(e->loads);
    free(e);
}
