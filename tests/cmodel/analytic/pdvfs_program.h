/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/pdvfs_program.h: a program for the control loop of P-DVFS, and settings for it. */
#ifndef HEDDLE_TESTS_CMODEL_ANALYTIC_PDVFS_PROGRAM_H
#define HEDDLE_TESTS_CMODEL_ANALYTIC_PDVFS_PROGRAM_H

#include "cmodel/analytic/pdvfs_loop.h"

static inline struct pdvfs_settings settings(void)
{
    struct pdvfs_settings s;
    pdvfs_defaults(&s, 0.015);
    s.power.b[0] = 5;
    s.power.b[1 + PDVFS_FP] = 1e-9;
    s.power.b[6] = 4.3;
    return s;
}

/* 10 ms of a program with c1 = 70 ns and c2 = 0.9 at a level. */
static inline struct pdvfs_sample sample(double mpi, unsigned level)
{
    const double spi = 7e-8 * mpi + 0.9 / (1.2e9 + 0.4e9 * level);
    struct pdvfs_sample s = {.seconds = 0.01, .instructions = 0.01 / spi};
    s.events[PDVFS_L2_MISS] = mpi * s.instructions;
    s.events[PDVFS_FP] = (0.1 + mpi) * s.instructions;
    return s;
}

#endif
