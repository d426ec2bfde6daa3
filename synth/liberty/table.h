/* SPDX-License-Identifier: Apache-2.0 */
/* synth/liberty/table.h: the look-up tables of Liberty files: what a delay, a transition time or an energy is at a
 * slew of the input and a load of the output. */
#ifndef HEDDLE_SYNTH_TABLE_H
#define HEDDLE_SYNTH_TABLE_H

#include "synth/liberty/library.h"

enum table_axis { TABLE_SLEW, TABLE_LOAD };

/* A scalar has no axis. */
struct table {
    struct {
        enum table_axis of;
        unsigned count;
        const double *points; /* s or F, rising */
    } axis[2];
    unsigned axes;
    const double *values; /* in the library's own unit; the last axis is the fastest */
};

/* The table of a group such as cell_rise or fall_power. Returns 0, or -1: `err` has been told. Memory is the
 * library's. */
int table_read(struct library *, const struct liberty_group *, struct table *, FILE *err);

/* Between the points linear, beyond them as between the last two. `slew` in s, `load` in F. */
double table_value(const struct table *, double slew, double load);

#endif
