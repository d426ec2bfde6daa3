/* SPDX-License-Identifier: Apache-2.0 */
/* synth/liberty/table.c: see table.h. */
#include "synth/liberty/table.h"

#include <stdlib.h>
#include <string.h>

#define MOST_POINTS 4096 /* of an axis, and of a table */

struct reading {
    struct library *l;
    FILE *err;
};

#define fail(r, line, ...) liberty_error(&(r)->l->liberty, (r)->err, line, __VA_ARGS__)

/* All numbers of an attribute, whose values are lists such as "0.06, 0.24", times a factor. Returns how many there are, or
 * -1. */
static int numbers(const struct reading *r, const struct liberty_attribute *a, double factor,
                   const double **to)
{
    double n[MOST_POINTS], *kept;
    int count = 0;
    for (unsigned i = 0; i < a->count; i++)
        for (const char *at = a->values[i]; *(at += strspn(at, " ,\t\r\n"));) {
            char *end;
            const double value = strtod(at, &end);
            if (end == at || !(value > -1e30 && value < 1e30))
                return fail(r, a->line, "expected numbers, not '%s'", a->values[i]);
            if (count == MOST_POINTS)
                return fail(r, a->line, "more than %d numbers", MOST_POINTS);
            n[count++] = value * factor;
            at = end;
        }
    kept = arena_alloc(&r->l->liberty.memory, (size_t)count * sizeof *n, sizeof *n);
    if (!kept)
        return fail(r, a->line, "no memory");
    *to = memcpy(kept, n, (size_t)count * sizeof *n);
    return count;
}

/* What an axis is of, from the name of its variable. */
static int axis_of(const struct reading *r, const struct liberty_attribute *a, enum table_axis *of)
{
    static const struct {
        const char *variable;
        enum table_axis of;
    } variables[] = {{"input_net_transition", TABLE_SLEW},
                     {"input_transition_time", TABLE_SLEW},
                     {"total_output_net_capacitance", TABLE_LOAD}};
    for (unsigned i = 0; i < sizeof variables / sizeof variables[0]; i++)
        if (a->count && !strcmp(a->values[0], variables[i].variable)) {
            *of = variables[i].of;
            return 0;
        }
    return fail(r, a->line, "a table over '%s' is not understood", a->count ? a->values[0] : "");
}

static const struct liberty_group *template_of(const struct library *l, const char *name)
{
    static const char *const types[] = {"lu_table_template", "power_lut_template"};
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
        for (const struct liberty_group *g = liberty_first(l->liberty.library, types[i]); g;
             g = liberty_next(g))
            if (g->count && !strcmp(g->names[0], name))
                return g;
    return NULL;
}

/* Axis n: its variable stands in the template, its points in the table or, where that has none, in the template. */
static int read_axis(const struct reading *r, const struct liberty_group *g,
                     const struct liberty_group *template, unsigned n, struct table *t)
{
    static const char *const variables[] = {"variable_1", "variable_2"};
    static const char *const indices[] = {"index_1", "index_2"};
    const struct liberty_attribute *variable = liberty_attribute(template, variables[n]),
                                   *index = liberty_attribute(g, indices[n]);
    if (!index)
        index = liberty_attribute(template, indices[n]);
    if (!index)
        return fail(r, g->line, "the table has no %s", indices[n]);
    if (axis_of(r, variable, &t->axis[n].of))
        return -1;
    const double unit = t->axis[n].of == TABLE_SLEW ? r->l->time : r->l->capacitance;
    const int count = numbers(r, index, unit, &t->axis[n].points);
    if (count < 0)
        return -1;
    if (count == 0)
        return fail(r, index->line, "%s has no numbers", indices[n]);
    for (int i = 1; i < count; i++)
        if (t->axis[n].points[i] <= t->axis[n].points[i - 1])
            return fail(r, index->line, "the numbers of %s do not rise", indices[n]);
    t->axis[n].count = (unsigned)count;
    t->axes++;
    return 0;
}

int table_read(struct library *l, const struct liberty_group *g, struct table *t, FILE *err)
{
    const struct reading r = {l, err};
    const struct liberty_attribute *values = liberty_attribute(g, "values");
    const char *name = g->count ? g->names[0] : "scalar";
    const struct liberty_group *template = template_of(l, name);
    unsigned expected = 1;
    *t = (struct table){0};
    if (!values)
        return fail(&r, g->line, "the table has no values");
    if (!template && strcmp(name, "scalar") != 0)
        return fail(&r, g->line, "the library has no template '%s'", name);
    if (template && liberty_attribute(template, "variable_3"))
        return fail(&r, g->line, "a table of three variables is not understood");
    if (template && liberty_attribute(template, "variable_1") && read_axis(&r, g, template, 0, t))
        return -1;
    if (t->axes && liberty_attribute(template, "variable_2") && read_axis(&r, g, template, 1, t))
        return -1;
    for (unsigned n = 0; n < t->axes; n++)
        expected *= t->axis[n].count;
    const int count = numbers(&r, values, 1, &t->values);
    if (count >= 0 && (unsigned)count != expected)
        return fail(&r, values->line, "%d values; expected %u", count, expected);
    return count < 0 ? -1 : 0;
}

/* Where x stands on an axis: between points i and i + 1, at this part of the way. */
static double part_of(const double *points, unsigned count, double x, unsigned *i)
{
    unsigned at = 0;
    *i = 0;
    if (count == 1)
        return 0;
    while (at + 2 < count && x >= points[at + 1])
        at++;
    *i = at;
    return (x - points[at]) / (points[at + 1] - points[at]);
}

double table_value(const struct table *t, double slew, double load)
{
    unsigned at[2] = {0, 0}, count[2] = {1, 1};
    double part[2] = {0, 0};
    for (unsigned n = 0; n < t->axes; n++) {
        count[n] = t->axis[n].count;
        part[n] =
            part_of(t->axis[n].points, count[n], t->axis[n].of == TABLE_SLEW ? slew : load, &at[n]);
    }
    const unsigned down = count[0] > 1 ? count[1] : 0, right = count[1] > 1;
    const double *v = &t->values[at[0] * count[1] + at[1]];
    const double above = v[0] + part[1] * (v[right] - v[0]),
                 below = v[down] + part[1] * (v[down + right] - v[down]);
    return above + part[0] * (below - above);
}
