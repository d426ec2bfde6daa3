/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/log.c: see log.h. */
#include "tb/units/log.h"

#include <stdlib.h>
#include <string.h>

int log_open(struct log *l, const struct log_kind *kind)
{
    *l = (struct log){.kind = kind, .memory = calloc(1, kind->memory)};
    return l->memory ? 0 : -1;
}

void log_close(struct log *l)
{
    free(l->memory);
    free(l->rows);
    *l = (struct log){0};
}

void log_begin(struct log *l)
{
    l->count = l->left_out = 0;
    l->kind->begin(l);
}

/* Makes room for a row. Returns 0, or -1: there is none. */
static int make_room(struct log *l)
{
    if (l->count < l->places)
        return 0;
    const size_t twice = l->places ? 2 * l->places : 16,
                 places = twice < LOG_MOST_ROWS ? twice : LOG_MOST_ROWS;
    uint64_t *rows = l->count < LOG_MOST_ROWS
                         ? realloc(l->rows, places * l->kind->num_columns * sizeof *rows)
                         : NULL;
    if (!rows)
        return -1;
    l->rows = rows;
    l->places = places;
    return 0;
}

int log_add(struct log *l, const uint64_t *row)
{
    if (l->left_out || make_room(l)) { /* none follows one that is left out */
        l->left_out++;
        return -1;
    }
    memcpy(&l->rows[l->count++ * l->kind->num_columns], row, l->kind->num_columns * sizeof *row);
    return 0;
}
