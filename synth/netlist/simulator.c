/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/simulator.c: see simulator.h. */
#include "synth/netlist/simulator.h"

#include <stdlib.h>
#include <string.h>

/* Inputs of a table as columns: bit i of column k is bit k of i. */
static const uint64_t columns[NODE_INPUTS] = {
    UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc), UINT64_C(0xf0f0f0f0f0f0f0f0),
    UINT64_C(0xff00ff00ff00ff00), UINT64_C(0xffff0000ffff0000), UINT64_C(0xffffffff00000000)};

struct opening {
    struct simulator *s;
    FILE *err;
};

#define fail(o, cell, ...) netlist_error((o)->s->netlist, (o)->err, (cell)->line, __VA_ARGS__)

/* The function of a cell's input pins as a node. */
static int make_node(const struct opening *o, const struct netlist_cell *c,
                     const struct function *f, struct node *n)
{
    uint64_t values[CELL_PINS + CELL_STATES] = {0};
    *n = (struct node){.output = NET_NONE, .cell = (uint32_t)(c - o->s->netlist->cells)};
    for (unsigned p = 0; p < c->type->num_pins; p++) {
        int used = 0;
        for (unsigned i = 0; i < f->count; i++)
            used |= f->steps[i].op == FUNCTION_INPUT && f->steps[i].input == p;
        if (!used)
            continue;
        if (c->type->pins[p].direction != PIN_IN)
            return fail(o, c, "a function of '%s' is one of its outputs", c->type->name);
        if (n->inputs == NODE_INPUTS)
            return fail(o, c, "a function of '%s' has more than %d inputs", c->type->name,
                        NODE_INPUTS);
        values[p] = columns[n->inputs];
        n->input[n->inputs++] = c->net[p];
    }
    n->table = function_value(f, values);
    return 0;
}

/* The pin that clocks a cell, at its rising edge; or -1. */
static int clock_pin(const struct opening *o, const struct netlist_cell *c,
                     const struct liberty_group *ff)
{
    static const char *const others[] = {"clear", "preset", "clocked_on_also"};
    const char *clock = liberty_value(ff, "clocked_on");
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
        if (liberty_attribute(ff, others[i]))
            return fail(o, c, "'%s' is no plain flip-flop: it has %s", c->type->name, others[i]);
    const int pin = clock ? library_pin(c->type, clock, strlen(clock)) : -1;
    return pin >= 0 ? pin
                    : fail(o, c, "'%s' does not take its input at a rising edge", c->type->name);
}

/* Where the state of a flip-flop goes. */
static int take_outputs(const struct opening *o, const struct netlist_cell *c, struct flip_flop *f)
{
    f->output[0] = f->output[1] = NET_NONE;
    for (unsigned p = 0; p < c->type->num_pins; p++) {
        uint64_t values[CELL_PINS + CELL_STATES] = {0};
        if (c->type->pins[p].direction != PIN_OUT)
            continue;
        values[c->type->num_pins] = 2; /* bit 0: the state is 0; bit 1: it is 1 */
        values[c->type->num_pins + 1] = 1;
        const unsigned shows = function_value(c->type->pins[p].function, values) & 3;
        if ((shows != 2 && shows != 1) || f->output[shows == 1] != NET_NONE)
            return fail(o, c, "'%s' of '%s' is neither its state nor the inverse",
                        c->type->pins[p].name, c->type->name);
        f->output[shows == 1] = c->net[p];
    }
    return 0;
}

static int add_flip_flop(const struct opening *o, uint32_t number)
{
    struct simulator *s = o->s;
    const struct netlist_cell *c = &s->netlist->cells[number];
    const struct liberty_group *ff = liberty_first(c->type->group, "ff");
    const struct liberty_attribute *next = liberty_attribute(ff, "next_state");
    struct flip_flop *f = &s->flip_flops[s->num_flip_flops];
    const int pin = clock_pin(o, c, ff);
    const struct function *function =
        next && pin >= 0 ? library_function(s->netlist->library, c->type, next, o->err) : NULL;
    if (!next)
        return fail(o, c, "'%s' has no next_state", c->type->name);
    if (!function || make_node(o, c, function, &f->next) || take_outputs(o, c, f))
        return -1;
    if (s->clock != NET_NONE && s->clock != c->net[pin])
        return fail(o, c, "'%s' has another clock than the flip-flops before it", c->name);
    s->clock = c->net[pin];
    s->num_flip_flops++;
    return 0;
}

static int add_cell(const struct opening *o, uint32_t number)
{
    const struct netlist_cell *c = &o->s->netlist->cells[number];
    if (c->type->kind == CELL_FLIP_FLOP)
        return add_flip_flop(o, number);
    if (c->type->kind != CELL_LOGIC)
        return fail(o, c, "'%s' is neither logic nor a plain flip-flop", c->type->name);
    for (unsigned p = 0; p < c->type->num_pins; p++) {
        struct node *n = &o->s->nodes[o->s->num_nodes];
        if (c->type->pins[p].direction != PIN_OUT)
            continue;
        if (make_node(o, c, c->type->pins[p].function, n))
            return -1;
        n->output = c->net[p];
        o->s->num_nodes++;
    }
    return 0;
}

/* Which nodes read each net. */
static void find_fan_out(struct simulator *s)
{
    uint32_t *first = s->first_fan_out, at = 0;
    memset(first, 0, (s->netlist->num_nets + 1) * sizeof *first);
    for (uint32_t n = 0; n < s->num_nodes; n++)
        for (uint32_t i = 0; i < s->nodes[n].inputs; i++)
            first[s->nodes[n].input[i]]++;
    for (uint32_t net = 0; net <= s->netlist->num_nets; net++) {
        at += first[net]; /* its end, which filling it moves down to its beginning */
        first[net] = at;
    }
    for (uint32_t n = 0; n < s->num_nodes; n++)
        for (uint32_t i = 0; i < s->nodes[n].inputs; i++)
            s->fan_out[--first[s->nodes[n].input[i]]] = n;
}

/* Puts each node behind those that it depends on. */
static int order_nodes(const struct opening *o)
{
    struct simulator *s = o->s;
    struct node *sorted = calloc(s->num_nodes + 1, sizeof *sorted);
    uint32_t *queue = calloc(s->num_nodes + 1, sizeof *queue),
             *missing = calloc(s->num_nodes + 1, sizeof *missing), queued = 0, done = 0;
    uint8_t *made = calloc(s->netlist->num_nets, 1);
    int failed = sorted && queue && missing && made ? 0 : -1;
    find_fan_out(s);
    for (uint32_t n = 0; n < s->num_nodes && !failed; n++)
        made[s->nodes[n].output] = 1;
    for (uint32_t n = 0; n < s->num_nodes && !failed; n++) {
        for (uint32_t i = 0; i < s->nodes[n].inputs; i++)
            missing[n] += made[s->nodes[n].input[i]];
        if (!missing[n])
            queue[queued++] = n;
    }
    for (; done < queued; done++) {
        const struct node *n = &s->nodes[queue[done]];
        sorted[done] = *n;
        for (uint32_t i = s->first_fan_out[n->output]; i < s->first_fan_out[n->output + 1]; i++)
            if (--missing[s->fan_out[i]] == 0)
                queue[queued++] = s->fan_out[i];
    }
    if (failed)
        fprintf(o->err, "%s: error: no memory\n", s->netlist->path);
    for (uint32_t n = 0; n < s->num_nodes && done < s->num_nodes && !failed; n++)
        if (missing[n])
            failed = netlist_error(s->netlist, o->err, 1, "'%s' depends on itself",
                                   s->netlist->net_name[s->nodes[n].output]);
    if (!failed)
        memcpy(s->nodes, sorted, s->num_nodes * sizeof *sorted);
    free(sorted);
    free(queue);
    free(missing);
    free(made);
    find_fan_out(s);
    return failed;
}

/* Memory for all that a netlist of this size can need. */
static int take_memory(struct simulator *s)
{
    const struct netlist *n = s->netlist;
    uint32_t outputs = 0, inputs = 0;
    for (uint32_t c = 0; c < n->num_cells; c++) {
        outputs += n->cells[c].type->num_outputs;
        inputs += n->cells[c].type->num_inputs * n->cells[c].type->num_outputs;
    }
    s->value = calloc(n->num_nets, 1);
    s->before = calloc(n->num_nets, 1);
    s->is_touched = calloc(n->num_nets, 1);
    s->moved = calloc(n->num_nets, sizeof *s->moved);
    s->touched = calloc(n->num_nets, sizeof *s->touched);
    s->nodes = calloc(outputs + 1, sizeof *s->nodes);
    s->flip_flops = calloc(n->num_cells + 1, sizeof *s->flip_flops);
    s->next = calloc(n->num_cells + 1, 1);
    s->fan_out = calloc(inputs + 1, sizeof *s->fan_out);
    s->first_fan_out = calloc(n->num_nets + 1, sizeof *s->first_fan_out);
    s->due = calloc(outputs / 64 + 1, sizeof *s->due);
    return s->value && s->before && s->is_touched && s->moved && s->touched && s->nodes &&
                   s->flip_flops && s->next && s->fan_out && s->first_fan_out && s->due
               ? 0
               : -1;
}

/* The clock comes from outside and goes to flip-flops alone. */
static int check_clock(const struct opening *o)
{
    const struct simulator *s = o->s;
    int wrong = s->clock != NET_NONE && s->first_fan_out[s->clock] < s->first_fan_out[s->clock + 1];
    for (uint32_t n = 0; n < s->num_nodes; n++)
        wrong |= s->nodes[n].output == s->clock;
    return wrong ? netlist_error(s->netlist, o->err, 1, "the clock '%s' is read or driven by logic",
                                 s->netlist->net_name[s->clock])
                 : 0;
}

/* What has settled is what was before. */
static void forget_touched(struct simulator *s)
{
    for (uint32_t i = 0; i < s->num_touched; i++) {
        s->before[s->touched[i]] = s->value[s->touched[i]];
        s->is_touched[s->touched[i]] = 0;
    }
    s->num_touched = 0;
}

struct simulator *simulator_open(const struct netlist *n, FILE *err)
{
    struct simulator *s = calloc(1, sizeof *s);
    const struct opening o = {s, err};
    if (!s) {
        fprintf(err, "%s: error: no memory\n", n->path);
        return NULL;
    }
    s->netlist = n;
    s->clock = NET_NONE;
    int failed = take_memory(s);
    if (failed)
        fprintf(err, "%s: error: no memory\n", n->path);
    for (uint32_t c = 0; c < n->num_cells && !failed; c++)
        failed = add_cell(&o, c);
    if (failed || order_nodes(&o) || check_clock(&o)) {
        simulator_close(s);
        return NULL;
    }
    s->value[NET_1] = s->before[NET_1] = 1;
    for (uint32_t f = 0; f < s->num_flip_flops; f++)
        if (s->flip_flops[f].output[1] != NET_NONE)
            simulator_set(s, s->flip_flops[f].output[1], 1);
    for (uint32_t node = 0; node < s->num_nodes; node++)
        s->due[node / 64] |= UINT64_C(1) << node % 64;
    simulator_settle(s);
    forget_touched(s);
    return s;
}

void simulator_close(struct simulator *s)
{
    if (!s)
        return;
    free(s->value);
    free(s->before);
    free(s->is_touched);
    free(s->moved);
    free(s->touched);
    free(s->nodes);
    free(s->flip_flops);
    free(s->next);
    free(s->fan_out);
    free(s->first_fan_out);
    free(s->due);
    free(s);
}

void simulator_set(struct simulator *s, uint32_t net, int value)
{
    if (s->value[net] == value)
        return;
    s->value[net] = (uint8_t)value;
    if (!s->is_touched[net]) {
        s->is_touched[net] = 1;
        s->touched[s->num_touched++] = net;
    }
    for (uint32_t i = s->first_fan_out[net]; i < s->first_fan_out[net + 1]; i++)
        s->due[s->fan_out[i] / 64] |= UINT64_C(1) << s->fan_out[i] % 64;
}

static inline int node_value(const struct simulator *s, const struct node *n)
{
    unsigned row = 0;
    for (uint32_t i = 0; i < n->inputs; i++)
        row |= (unsigned)s->value[n->input[i]] << i;
    return n->table >> row & 1;
}

/* A node makes only nodes behind it due: one pass is enough. */
void simulator_settle(struct simulator *s)
{
    for (uint32_t w = 0; w <= s->num_nodes / 64; w++)
        while (s->due[w]) {
            const struct node *n = &s->nodes[64 * w + (uint32_t)__builtin_ctzll(s->due[w])];
            s->due[w] &= s->due[w] - 1;
            simulator_set(s, n->output, node_value(s, n));
        }
}

void simulator_compare(struct simulator *s)
{
    s->num_moved = 0;
    for (uint32_t i = 0; i < s->num_touched; i++)
        if (s->value[s->touched[i]] != s->before[s->touched[i]])
            s->moved[s->num_moved++] = s->touched[i];
}

void simulator_edge(struct simulator *s)
{
    forget_touched(s);
    for (uint32_t f = 0; f < s->num_flip_flops; f++)
        s->next[f] = (uint8_t)node_value(s, &s->flip_flops[f].next);
    for (uint32_t f = 0; f < s->num_flip_flops; f++)
        for (int inverse = 0; inverse < 2; inverse++)
            if (s->flip_flops[f].output[inverse] != NET_NONE)
                simulator_set(s, s->flip_flops[f].output[inverse], s->next[f] ^ inverse);
}
