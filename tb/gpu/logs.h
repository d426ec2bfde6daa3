/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/logs.h: what units of all SMs have logged in a kernel (tb/units/log.h), gathered when it has ended, and as it stands in
 * the statistics: for each unit a member with `left_out`, how many rows are missing, `sm`, and an array for each column. */
#ifndef HEDDLE_TB_GPU_LOGS_H
#define HEDDLE_TB_GPU_LOGS_H

#include <stddef.h>
#include <stdint.h>

#include "tb/units/rack.h"

struct cJSON;

/* The rows of one unit: SM after SM. */
struct unit_rows {
    const char *stem;
    const struct log_kind *kind;
    uint64_t *rows; /* `count` times the SM and its columns */
    size_t count, places;
    uint64_t left_out;
};

struct logs {
    struct unit_rows units[MAX_PLUGS];
    unsigned num_units; /* 0: no unit keeps a log */
};

/* Adds the rows of an SM's units. Those that find no memory are counted as left out. */
void logs_add(struct logs *, const struct rack *, unsigned sm);
void logs_free(struct logs *);

/* Adds the member `log` to a kernel of the statistics, if a unit keeps one. */
void logs_write(const struct logs *, struct cJSON *kernel);

#endif
