/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/pdvfs_fit.c: the performance and the power model of P-DVFS and their fits: see pdvfs.h. */
#include "cmodel/analytic/pdvfs.h"

#include <math.h>

#define COLUMNS (NUM_PDVFS_EVENTS + 2) /* b0, the rates, what goes with the voltage */

double pdvfs_spi(const struct pdvfs_speed *s, double mpi, double hz)
{
    return s->c1 * mpi + s->c2 / hz;
}

enum pdvfs_error pdvfs_fit_speed(const struct pdvfs_point *point, unsigned points,
                                 struct pdvfs_speed *speed, struct fit *quality,
                                 enum fit_error *why)
{
    double x[PDVFS_POINTS * 2], y[PDVFS_POINTS], work[FIT_WORK(PDVFS_POINTS, 2)];
    if (points < 2 || points > PDVFS_POINTS)
        return PDVFS_SIZE;
    for (unsigned p = 0; p < points; p++) {
        if (!fit_amount(point[p].mpi) || !fit_amount(point[p].hz) || !fit_amount(point[p].cpi))
            return PDVFS_RANGE;
        /* The constant first: of points that all are the same, MPI * f is what cannot be told. */
        x[2 * p] = 1;
        x[2 * p + 1] = point[p].mpi * point[p].hz;
        y[p] = point[p].cpi;
    }
    *why = fit(x, y, points, 2, work, quality);
    if (*why)
        return PDVFS_FIT;
    *speed = (struct pdvfs_speed){.c1 = quality->coefficient[1], .c2 = quality->coefficient[0]};
    return speed->c1 >= 0 && speed->c2 > 0 ? PDVFS_OK : PDVFS_SPEED;
}

static double term(const struct pdvfs_power *p, const struct pdvfs_levels *levels, unsigned level)
{
    return p->voltage == PDVFS_VOLTAGE_TABLE ? p->term[level] : pow(levels->hz[level] / 1e9, 1.5);
}

enum pdvfs_error pdvfs_watts(const struct pdvfs_power *p, const struct pdvfs_levels *levels,
                             unsigned level, const double rates[NUM_PDVFS_EVENTS], double *watts)
{
    if (level >= levels->num || level >= PDVFS_LEVELS)
        return PDVFS_SIZE;
    double sum = p->b[0] + p->b[COLUMNS - 1] * term(p, levels, level);
    for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++) {
        if (!fit_amount(rates[e]))
            return PDVFS_RANGE;
        sum += p->b[1 + e] * rates[e];
    }
    if (!isfinite(sum))
        return PDVFS_RANGE;
    *watts = sum;
    return sum > 0 ? PDVFS_OK : PDVFS_WATTS;
}

enum pdvfs_error pdvfs_fit_power(const double (*rates)[NUM_PDVFS_EVENTS], const unsigned *level,
                                 const double *watts, unsigned samples,
                                 const struct pdvfs_levels *levels, double *work,
                                 struct pdvfs_power *power, struct fit *quality,
                                 enum fit_error *why)
{
    const enum pdvfs_error error = pdvfs_check_levels(levels);
    if (error)
        return error;
    if (!samples)
        return PDVFS_SIZE;
    for (unsigned s = 0; s < samples; s++) {
        double *row = work + (size_t)s * COLUMNS;
        if (level[s] >= levels->num)
            return PDVFS_SIZE;
        if (!fit_amount(watts[s]))
            return PDVFS_RANGE;
        row[0] = 1;
        for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++) {
            if (!fit_amount(rates[s][e]))
                return PDVFS_RANGE;
            row[1 + e] = rates[s][e];
        }
        row[COLUMNS - 1] = term(power, levels, level[s]);
    }
    *why = fit(work, watts, samples, COLUMNS, work + (size_t)samples * COLUMNS, quality);
    if (*why)
        return PDVFS_FIT;
    for (unsigned c = 0; c < COLUMNS; c++)
        power->b[c] = quality->coefficient[c];
    return PDVFS_OK;
}
