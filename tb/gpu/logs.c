/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/logs.c: see logs.h. */
#include "tb/gpu/logs.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rows of a unit, which are made if there are none. */
static struct unit_rows *rows_of(struct logs *l, const char *stem, const struct log_kind *kind)
{
    unsigned i = 0;
    while (i < l->num_units && strcmp(l->units[i].stem, stem) != 0)
        i++;
    if (i == l->num_units)
        l->units[l->num_units++] = (struct unit_rows){.stem = stem, .kind = kind};
    return &l->units[i];
}

/* Makes room for more rows. Returns 0, or -1: no memory. */
static int make_room(struct unit_rows *to, size_t more)
{
    if (to->count + more <= to->places)
        return 0;
    const size_t twice = 2 * to->places,
                 places = to->count + more > twice ? to->count + more : twice;
    uint64_t *rows = realloc(to->rows, places * (to->kind->num_columns + 1) * sizeof *rows);
    if (!rows)
        return -1;
    to->rows = rows;
    to->places = places;
    return 0;
}

static void add_rows(struct unit_rows *to, const struct log *from, unsigned sm)
{
    const unsigned width = from->kind->num_columns;
    to->left_out += from->left_out;
    if (make_room(to, from->count)) {
        to->left_out += from->count;
        return;
    }
    for (size_t i = 0; i < from->count; i++) {
        uint64_t *row = &to->rows[to->count++ * (width + 1)];
        row[0] = sm;
        memcpy(row + 1, &from->rows[i * width], width * sizeof *row);
    }
}

void logs_add(struct logs *l, const struct rack *rack, unsigned sm)
{
    const struct unit_inst *unit;
    for (unsigned i = 0; (unit = rack_unit(rack, i)); i++) {
        const struct log *log = rack_log(rack, i);
        if (log)
            add_rows(rows_of(l, unit_stem(unit), log->kind), log, sm);
    }
}

void logs_free(struct logs *l)
{
    for (unsigned i = 0; i < l->num_units; i++)
        free(l->units[i].rows);
    *l = (struct logs){0};
}

static cJSON *value_of(uint64_t value, const struct log_column *c)
{
    if (value == LOG_NONE)
        return cJSON_CreateNull();
    return c->words ? cJSON_CreateString(c->words[value])
                    : cJSON_CreateNumber(ldexp((double)value, -(int)c->point));
}

/* One column; 0 is the SM. */
static void write_column(const struct unit_rows *u, unsigned column, cJSON *to)
{
    static const struct log_column sm = {.name = "sm"};
    const struct log_column *c = column ? &u->kind->columns[column - 1] : &sm;
    cJSON *array = cJSON_AddArrayToObject(to, c->name);
    for (size_t i = 0; i < u->count; i++)
        cJSON_AddItemToArray(array, value_of(u->rows[i * (u->kind->num_columns + 1) + column], c));
}

void logs_write(const struct logs *l, cJSON *kernel)
{
    cJSON *log = l->num_units ? cJSON_AddObjectToObject(kernel, "log") : NULL;
    for (unsigned i = 0; i < l->num_units; i++) {
        const struct unit_rows *u = &l->units[i];
        cJSON *to = cJSON_AddObjectToObject(log, u->stem);
        cJSON_AddNumberToObject(to, "left_out", (double)u->left_out);
        for (unsigned column = 0; column <= u->kind->num_columns; column++)
            write_column(u, column, to);
    }
}
