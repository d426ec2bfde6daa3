/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/pdvfs_models.h: frequencies and a power model of the thesis, and speeds of programs, for tests of P-DVFS. */
#ifndef HEDDLE_TESTS_CMODEL_ANALYTIC_PDVFS_MODELS_H
#define HEDDLE_TESTS_CMODEL_ANALYTIC_PDVFS_MODELS_H

#include "cmodel/analytic/pdvfs.h"
#include "tests/cmodel/analytic/numbers.h"

static const struct pdvfs_levels levels = {4, {1.2e9, 1.6e9, 2.0e9, 2.4e9}};

/* (5.8), the coefficient of FPPS with the exponent of its neighbours. */
static const struct pdvfs_power mcf = {
    .b = {4.778, 2.2864e-9, 6.517e-8, -3.596e-7, 6.342e-9, -3.136e-9, 4.308}};

static inline struct pdvfs_speed random_speed(void)
{
    return (struct pdvfs_speed){1e-8 + 1e-7 * uniform(), 0.4 + uniform()};
}

#endif
