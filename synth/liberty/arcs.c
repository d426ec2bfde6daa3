/* SPDX-License-Identifier: Apache-2.0 */
/* synth/liberty/arcs.c: see arcs.h. */
#include "synth/liberty/arcs.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    struct library *l;
    const struct library_cell *cell;
    struct cell_arcs *arcs;
    FILE *err;
};

#define fail(r, line, ...) liberty_error(&(r)->l->liberty, (r)->err, line, __VA_ARGS__)

/* Room for one more of `count` things. */
static void *one_more(const struct reading *r, const void *things, unsigned count, size_t size)
{
    void *grown = arena_grow(&r->l->liberty.memory, things, count, size);
    if (!grown)
        fail(r, 1, "no memory");
    return grown;
}

/* Tables of both edges, from groups of one name each, or one for both. Returns 0, or -1. */
static int tables(const struct reading *r, const struct liberty_group *g, const char *fall,
                  const char *rise, const char *both, struct table *t)
{
    const char *const names[NUM_EDGES] = {[EDGE_FALL] = fall, [EDGE_RISE] = rise};
    for (unsigned e = 0; e < NUM_EDGES; e++) {
        const struct liberty_group *table = liberty_first(g, names[e]);
        if (!table && both)
            table = liberty_first(g, both);
        t[e] = (struct table){0};
        if (table && table_read(r->l, table, &t[e], r->err))
            return -1;
    }
    return 0;
}

static int add_timing(const struct reading *r, const struct liberty_group *g, unsigned from,
                      unsigned to)
{
    static const char *const senses[] = {
        [SENSE_POSITIVE] = "positive_unate", [SENSE_NEGATIVE] = "negative_unate"};
    const char *type = liberty_value(g, "timing_type"), *sense = liberty_value(g, "timing_sense");
    struct timing_arc a = {.from = from, .to = to, .sense = SENSE_ANY};
    a.clocked = type && (!strcmp(type, "rising_edge") || !strcmp(type, "falling_edge"));
    if (type && !a.clocked && strcmp(type, "combinational") != 0)
        return 0; /* it is of set, reset, or three states, or no delay at all */
    for (int s = SENSE_POSITIVE; s <= SENSE_NEGATIVE && !a.clocked; s++)
        if (sense && !strcmp(sense, senses[s]))
            a.sense = (enum sense)s;
    struct cell_arcs *c = r->arcs;
    if (tables(r, g, "fall_transition", "rise_transition", NULL, a.slew) ||
        !(c->timing = one_more(r, c->timing, c->num_timing, sizeof a)))
        return -1;
    c->timing[c->num_timing++] = a;
    return 0;
}

static int add_power(const struct reading *r, const struct liberty_group *g, unsigned from,
                     unsigned pin)
{
    const struct liberty_attribute *when = liberty_attribute(g, "when");
    struct power_arc a = {.pin = pin, .from = from};
    struct cell_arcs *c = r->arcs;
    if (when && !(a.when = library_function(r->l, r->cell, when, r->err)))
        return -1;
    if (tables(r, g, "fall_power", "rise_power", "power", a.energy) ||
        !(c->power = one_more(r, c->power, c->num_power, sizeof a)))
        return -1;
    c->power[c->num_power++] = a;
    return 0;
}

/* `add` for each pin that a group of `pin` is related to; without any, for the pin itself. Returns 0, or -1. */
static int related(const struct reading *r, const struct liberty_group *g, unsigned pin,
                   int (*add)(const struct reading *, const struct liberty_group *, unsigned from,
                              unsigned to))
{
    const struct liberty_attribute *a = liberty_attribute(g, "related_pin");
    if (!a || !a->count)
        return add(r, g, pin, pin);
    for (const char *at = a->values[0]; *(at += strspn(at, " "));) {
        const size_t length = strcspn(at, " ");
        const int from = library_pin(r->cell, at, length);
        if (from < 0)
            return fail(r, a->line, "the cell '%s' has no pin '%.*s'", r->cell->name, (int)length,
                        at);
        if (add(r, g, (unsigned)from, pin))
            return -1;
        at += length;
    }
    return 0;
}

static int read_leakage(const struct reading *r)
{
    const struct liberty_attribute *a = liberty_attribute(r->cell->group, "cell_leakage_power");
    double sum = 0, value;
    unsigned states = 0;
    for (const struct liberty_group *g = liberty_first(r->cell->group, "leakage_power"); g && !a;
         g = liberty_next(g), states++, sum += value)
        if (!liberty_attribute(g, "value"))
            return fail(r, g->line, "leakage_power without a value");
        else if (library_number(r->l, liberty_attribute(g, "value"), &value, r->err))
            return -1;
    if (a && library_number(r->l, a, &sum, r->err))
        return -1;
    r->arcs->leakage = sum / (states ? states : 1) * r->l->leakage;
    return 0;
}

int arcs_read(struct library *l, const struct library_cell *c, struct cell_arcs *arcs, FILE *err)
{
    const struct reading r = {l, c, arcs, err};
    *arcs = (struct cell_arcs){0};
    for (unsigned i = 0; i < c->num_pins; i++) {
        const struct liberty_group *pin = c->pins[i].group, *g;
        for (g = liberty_first(pin, "timing"); g && c->pins[i].direction == PIN_OUT;
             g = liberty_next(g))
            if (related(&r, g, i, add_timing))
                return -1;
        for (g = liberty_first(pin, "internal_power"); g; g = liberty_next(g))
            if (related(&r, g, i, add_power))
                return -1;
    }
    return read_leakage(&r);
}
