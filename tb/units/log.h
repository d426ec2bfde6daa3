/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/log.h: rows that a unit of an SM leaves of a kernel: what it did, in order, where sums would
 * not tell it. A socket that keeps a log lists its columns in tb/units/<stem>.rows and names them here;
 * rows stand in the statistics below their kernel (tb/gpu/logs.h). A machine whose SMs have no such unit
 * does nothing for it. */
#ifndef HEDDLE_TB_UNITS_LOG_H
#define HEDDLE_TB_UNITS_LOG_H

#include <stddef.h>
#include <stdint.h>

/* Of one unit of one SM in one launch; what comes after is counted only. */
#define LOG_MOST_ROWS 1000

/* A value that there is none of in a row. */
#define LOG_NONE UINT64_MAX

struct log_column {
    const char *name, *unit, *meaning;
    unsigned point;           /* bits behind the point */
    const char *const *words; /* by value; NULL: it is a number */
};

/* The rows of one unit. */
struct log {
    const struct log_kind *kind;
    uint64_t *rows; /* `count` rows of kind->num_columns values */
    size_t count, places;
    uint64_t left_out; /* rows beyond LOG_MOST_ROWS, or for which there was no memory */
    void *memory; /* kind->memory bytes, at least 1, zero at first: what it needs to remember */
};

struct plug;

/* How a socket keeps its log. Rows must come from the unit's registers (plug_state) and the cycle alone, so that
 * they are the same whoever computes the unit. */
struct log_kind {
    const struct log_column *columns;
    unsigned num_columns;
    size_t memory;

    /* A kernel begins; there is no row. */
    void (*begin)(struct log *);

    /* The cycle is over in which the registers became what they are, or a later one in which they stayed. */
    void (*note)(const struct plug *, uint64_t cycle, struct log *);

    /* The kernel has ended, or failed; `cycle` is the first in which nothing of it was left. The machine may have gone on
     * for some cycles until it knew. */
    void (*end)(uint64_t cycle, struct log *);
};

/* Adds a row. Returns 0, or -1: it is left out, and counted. */
int log_add(struct log *, const uint64_t *row);

/* Makes ready an empty log. Returns 0, or -1: no memory; log_close is due in either case. */
int log_open(struct log *, const struct log_kind *);
void log_close(struct log *);

/* Forgets all rows. */
void log_begin(struct log *);

/* The log of a plug, or NULL: it keeps none. */
const struct log *plug_log(const struct plug *);

#endif
