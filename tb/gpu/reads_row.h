/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/reads_row.h: what is kept of a launch. Launches of which all this is the same, but for the
 * time, are one row. */
#ifndef HEDDLE_TB_GPU_READS_ROW_H
#define HEDDLE_TB_GPU_READS_ROW_H

#include "tb/gpu/reads.h"
#include "tb/locality/sharing.h"

struct reads_load {
    uint32_t line, bytes;
    char *instruction; /* as written in the PTX */
    char *address;     /* where it reads; NULL: not known */
    char *why;         /* NULL, or why not */
};

struct reads_row {
    char *kernel;
    uint32_t grid[3], block[3];
    uint64_t launches;
    struct reads_load *loads; /* by line */
    uint32_t num_loads;
    char *failed; /* NULL, or why there is nothing below */
    struct sharing_counts counts;
    uint64_t edges;
    uint32_t blocks;
    double loads_seconds, memory_seconds, graph_seconds; /* all launches together */
    uint32_t cells;                                      /* of the picture, each direction */
    uint64_t *cell; /* units that blocks share, sums; row after row */
};

/* Fills a row but for the times. Returns 0, or -1: no memory. */
int reads_row_fill(struct reads_row *, const struct gpu_launch *, const struct locality *,
                   const struct sharing *, const char *failed);
int reads_row_same(const struct reads_row *, const struct reads_row *);
void reads_row_free(struct reads_row *);

#endif
