/* SPDX-License-Identifier: Apache-2.0 */
/* synth/liberty/library.c: see library.h. */
#include "synth/liberty/library.h"

#include <stdlib.h>
#include <string.h>

#define FANOUT 4 /* NAND2 inputs that an output of a unit drives */

struct builder {
    struct library *l;
    FILE *err;
};

#define fail(b, line, ...) liberty_error(&(b)->l->liberty, (b)->err, line, __VA_ARGS__)

static void *take_memory(const struct builder *b, size_t count, size_t size)
{
    void *taken = arena_alloc(&b->l->liberty.memory, count * size, sizeof(void *));
    if (!taken)
        fail(b, 1, "no memory");
    return taken;
}

int library_number(const struct library *l, const struct liberty_attribute *a, double *to,
                   FILE *err)
{
    char *end = NULL;
    const char *text = a->count ? a->values[0] : "";
    *to = strtod(text, &end);
    if (end == text || *end || !(*to >= 0 && *to < 1e30))
        return liberty_error(&l->liberty, err, a->line, "expected a number from 0 on, not '%s'",
                             text);
    return 0;
}

static int optional_number(const struct builder *b, const struct liberty_group *g, const char *name,
                           double *to)
{
    const struct liberty_attribute *a = liberty_attribute(g, name);
    *to = 0;
    return a ? library_number(b->l, a, to, b->err) : 0;
}

/* A unit such as 1ns, 10ps, or (1, ff): a number, a prefix and the letter of the unit. */
static int unit(const struct builder *b, const struct liberty_attribute *a, const char *letter,
                double *to)
{
    static const struct {
        char letter;
        double value;
    } prefixes[] = {{'m', 1e-3},  {'u', 1e-6},  {'n', 1e-9},
                    {'p', 1e-12}, {'f', 1e-15}, {'a', 1e-18}};
    char text[64], *end;
    snprintf(text, sizeof text, "%s%s", a->count ? a->values[0] : "",
             a->count > 1 ? a->values[1] : "");
    const double factor = strtod(text, &end);
    while (*end == ' ')
        end++;
    double prefix = strcasecmp(end, letter) ? 0 : 1;
    for (unsigned i = 0; i < sizeof prefixes / sizeof prefixes[0] && prefix == 0; i++)
        if (*end == prefixes[i].letter && !strcasecmp(end + 1, letter))
            prefix = prefixes[i].value;
    *to = factor * prefix;
    return *to > 0 ? 0
                   : fail(b, a->line, "expected a unit such as 1p, behind it its letter, not '%s'",
                          text);
}

static int units(const struct builder *b)
{
    struct library *l = b->l;
    const struct liberty_group *g = l->liberty.library;
    const struct liberty_attribute *time = liberty_attribute(g, "time_unit"),
                                   *load = liberty_attribute(g, "capacitive_load_unit"),
                                   *leakage = liberty_attribute(g, "leakage_power_unit");
    l->time = 1e-9; /* as the format has it */
    l->leakage = 1e-9;
    if (!load)
        return fail(b, g->line, "the library has no capacitive_load_unit");
    if ((time && unit(b, time, "s", &l->time)) || unit(b, load, "f", &l->capacitance) ||
        (leakage && unit(b, leakage, "w", &l->leakage)))
        return -1;
    return optional_number(b, g, "nom_voltage", &l->voltage);
}

static const struct liberty_group *state_of(const struct library_cell *c)
{
    const struct liberty_group *ff = liberty_first(c->group, "ff");
    return ff ? ff : liberty_first(c->group, "latch");
}

int library_pin(const struct library_cell *c, const char *name, size_t length)
{
    for (unsigned i = 0; i < c->num_pins; i++)
        if (strlen(c->pins[i].name) == length && !memcmp(c->pins[i].name, name, length))
            return (int)i;
    return -1;
}

/* Where the names in a cell's functions stand: its pins, then its states. */
static int resolve(const void *user, const char *name, size_t length)
{
    const struct library_cell *c = user;
    const struct liberty_group *state = state_of(c);
    for (unsigned i = 0; state && i < state->count && i < CELL_STATES; i++)
        if (strlen(state->names[i]) == length && !memcmp(state->names[i], name, length))
            return (int)(c->num_pins + i);
    return library_pin(c, name, length);
}

const struct function *library_function(struct library *l, const struct library_cell *c,
                                        const struct liberty_attribute *a, FILE *err)
{
    const struct builder b = {l, err};
    char why[200];
    struct function *f = take_memory(&b, 1, sizeof *f);
    if (f && function_parse(f, a->count ? a->values[0] : "", resolve, c, why, sizeof why)) {
        fail(&b, a->line, "%s", why);
        return NULL;
    }
    return f;
}

static int truth(const char *value)
{
    return value && !strcmp(value, "true");
}

static int add_pin(const struct builder *b, struct library_cell *c, const struct liberty_group *g,
                   const char *name)
{
    static const char *const directions[] = {"input", "output"};
    const char *direction = liberty_value(g, "direction");
    struct library_pin *p = &c->pins[c->num_pins];
    if (c->num_pins == CELL_PINS)
        return fail(b, g->line, "more than %d pins in the cell '%s'", CELL_PINS, c->name);
    *p = (struct library_pin){.name = name, .direction = PIN_OTHER, .group = g};
    for (unsigned i = 0; direction && i < 2; i++)
        if (!strcmp(direction, directions[i]))
            p->direction = (enum pin_direction)i;
    if (optional_number(b, g, "capacitance", &p->capacitance))
        return -1;
    p->capacitance *= b->l->capacitance;
    c->num_inputs += p->direction == PIN_IN;
    c->num_outputs += p->direction == PIN_OUT;
    c->num_pins++;
    return 0;
}

/* Whether a cell is more than functions of its inputs and one state. */
static int is_other(const struct library_cell *c)
{
    static const char *const types[] = {"bus",     "bundle",     "memory",
                                        "ff_bank", "latch_bank", "statetable"};
    const struct liberty_group *ff = liberty_first(c->group, "ff"),
                               *latch = liberty_first(c->group, "latch");
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
        if (liberty_first(c->group, types[i]))
            return 1;
    for (unsigned i = 0; i < c->num_pins; i++) {
        const struct library_pin *p = &c->pins[i];
        if (p->direction == PIN_OTHER || liberty_attribute(p->group, "three_state") ||
            (p->direction == PIN_OUT && !liberty_attribute(p->group, "function")))
            return 1;
    }
    return !c->num_outputs || truth(liberty_value(c->group, "pad_cell")) || (ff && latch) ||
           (ff && liberty_next(ff)) || (latch && liberty_next(latch));
}

/* What kind of cell it is, and the functions of its outputs. */
static int classify(const struct builder *b, struct library_cell *c)
{
    const struct liberty_group *ff = liberty_first(c->group, "ff"),
                               *latch = liberty_first(c->group, "latch");
    c->kind = is_other(c) ? CELL_OTHER : ff ? CELL_FLIP_FLOP : latch ? CELL_LATCH : CELL_LOGIC;
    for (unsigned i = 0; i < c->num_pins && c->kind != CELL_OTHER; i++) {
        const struct liberty_attribute *a = liberty_attribute(c->pins[i].group, "function");
        if (a && !(c->pins[i].function = library_function(b->l, c, a, b->err)))
            return -1;
    }
    return 0;
}

static int add_cell(const struct builder *b, const struct liberty_group *g,
                    struct library_cell ***tail)
{
    struct library_cell *c = take_memory(b, 1, sizeof *c);
    if (!c)
        return -1;
    if (g->count != 1)
        return fail(b, g->line, "a cell has one name");
    c->name = g->names[0];
    c->group = g;
    c->unused = truth(liberty_value(g, "dont_use")) || truth(liberty_value(g, "dont_touch"));
    if (library_cell(b->l, c->name))
        return fail(b, g->line, "a second cell '%s'", c->name);
    if (optional_number(b, g, "area", &c->area) ||
        !(c->pins = take_memory(b, CELL_PINS, sizeof *c->pins)))
        return -1;
    for (const struct liberty_group *pin = liberty_first(g, "pin"); pin; pin = liberty_next(pin))
        for (unsigned i = 0; i < pin->count; i++)
            if (add_pin(b, c, pin, pin->names[i]))
                return -1;
    if (classify(b, c))
        return -1;
    **tail = c;
    *tail = &c->next;
    b->l->num_cells++;
    return 0;
}

int library_read(struct library *l, const char *path, FILE *err)
{
    const struct builder b = {l, err};
    struct library_cell **tail = &l->cells;
    *l = (struct library){0};
    if (liberty_read(&l->liberty, path, err))
        return -1;
    l->name = l->liberty.library->names[0];
    if (units(&b))
        return -1;
    for (const struct liberty_group *g = liberty_first(l->liberty.library, "cell"); g;
         g = liberty_next(g))
        if (add_cell(&b, g, &tail))
            return -1;
    return 0;
}

void library_free(struct library *l)
{
    liberty_free(&l->liberty);
}

const struct library_cell *library_cell(const struct library *l, const char *name)
{
    const struct library_cell *c = l->cells;
    while (c && strcmp(c->name, name) != 0)
        c = c->next;
    return c;
}

/* The smallest cell of the library that passes. */
static const struct library_cell *smallest(const struct library *l,
                                           int (*passes)(const struct library_cell *))
{
    const struct library_cell *best = NULL;
    for (const struct library_cell *c = l->cells; c; c = c->next)
        if (!c->unused && c->area > 0 && passes(c) && (!best || c->area < best->area))
            best = c;
    return best;
}

/* Whether a cell with one output and up to two inputs has this table, its inputs in their order. */
static int has_table(const struct library_cell *c, unsigned inputs, uint64_t table)
{
    static const uint64_t counting[2] = {0xa, 0xc};
    uint64_t values[CELL_PINS + CELL_STATES] = {0};
    const struct function *f = NULL;
    unsigned input = 0;
    if (c->kind != CELL_LOGIC || c->num_inputs != inputs || c->num_outputs != 1)
        return 0;
    for (unsigned i = 0; i < c->num_pins; i++)
        if (c->pins[i].direction == PIN_IN)
            values[i] = counting[input++];
        else
            f = c->pins[i].function;
    return (function_value(f, values) & 0xf) == table;
}

static int is_nand2(const struct library_cell *c)
{
    return has_table(c, 2, 0x7);
}

static int is_buffer(const struct library_cell *c)
{
    return has_table(c, 1, 0xa);
}

/* Whether a function is one input of the cell as it is. */
static int is_input(const struct library_cell *c, const char *text)
{
    for (unsigned i = 0; text && i < c->num_pins; i++)
        if (c->pins[i].direction == PIN_IN && !strcmp(c->pins[i].name, text))
            return 1;
    return 0;
}

int library_is_state(const struct library_cell *c, const struct library_pin *p)
{
    const struct function *f = p->function;
    return c->kind != CELL_LOGIC && f && f->count == 1 && f->steps[0].op == FUNCTION_INPUT &&
           f->steps[0].input == c->num_pins;
}

static int is_flip_flop(const struct library_cell *c)
{
    const struct liberty_group *ff = liberty_first(c->group, "ff");
    if (c->kind != CELL_FLIP_FLOP ||
        c->num_inputs != 2) /* a third would clear, set, enable or scan */
        return 0;
    for (unsigned i = 0; i < c->num_pins; i++)
        if (library_is_state(c, &c->pins[i]))
            return is_input(c, liberty_value(ff, "next_state")) &&
                   is_input(c, liberty_value(ff, "clocked_on"));
    return 0;
}

const struct library_cell *library_nand2(const struct library *l)
{
    return smallest(l, is_nand2);
}

const struct library_cell *library_buffer(const struct library *l)
{
    return smallest(l, is_buffer);
}

const struct library_cell *library_flip_flop(const struct library *l)
{
    return smallest(l, is_flip_flop);
}

double library_load(const struct library *l)
{
    const struct library_cell *nand2 = library_nand2(l);
    for (unsigned i = 0; nand2 && i < nand2->num_pins; i++)
        if (nand2->pins[i].direction == PIN_IN)
            return FANOUT * nand2->pins[i].capacitance;
    return 0;
}
