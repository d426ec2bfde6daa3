/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/pdvfs_fit.c: the performance and the power model of P-DVFS and their fits: see pdvfs.h. */
#include "cmodel/analytic/pdvfs.h"

#include <limits.h>
#include <math.h>

#define COLUMNS (NUM_PDVFS_EVENTS + 2) /* b0, the rates, what goes with the voltage */

double pdvfs_spi(const struct pdvfs_speed *s, double mpi, double hz)
{
    return s->c1 * mpi + s->c2 / hz;
}

enum pdvfs_error pdvfs_fit_speed_of(const struct pdvfs_point *point, size_t points, double *work,
                                    struct pdvfs_speed *speed, struct fit *quality,
                                    enum fit_error *why)
{
    double *x = work, *y = work + 2 * points;
    if (points < 2 || points > UINT_MAX)
        return PDVFS_SIZE;
    for (size_t p = 0; p < points; p++) {
        if (!fit_amount(point[p].mpi) || !fit_amount(point[p].hz) || !fit_amount(point[p].cpi))
            return PDVFS_RANGE;
        /* The constant first: of points that all are the same, MPI * f is what cannot be told. */
        x[2 * p] = 1;
        x[2 * p + 1] = point[p].mpi * point[p].hz;
        y[p] = point[p].cpi;
    }
    *why = fit(x, y, (unsigned)points, 2, work + 3 * points, quality);
    if (*why)
        return PDVFS_FIT;
    *speed = (struct pdvfs_speed){.c1 = quality->coefficient[1], .c2 = quality->coefficient[0]};
    return speed->c1 >= 0 && speed->c2 > 0 ? PDVFS_OK : PDVFS_SPEED;
}

enum pdvfs_error pdvfs_fit_speed(const struct pdvfs_point *point, unsigned points,
                                 struct pdvfs_speed *speed, struct fit *quality,
                                 enum fit_error *why)
{
    double work[PDVFS_SPEED_WORK(PDVFS_POINTS)];
    return points > PDVFS_POINTS ? PDVFS_SIZE
                                 : pdvfs_fit_speed_of(point, points, work, speed, quality, why);
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

/* A number of a sample: what b[column] is the coefficient of. */
static double number_of(const struct pdvfs_power *p, const struct pdvfs_samples *s, unsigned sample,
                        unsigned column)
{
    return column == 0             ? 1
           : column == COLUMNS - 1 ? term(p, s->levels, s->level[sample])
                                   : s->rates[sample][column - 1];
}

static enum pdvfs_error check_samples(const struct pdvfs_samples *s)
{
    const enum pdvfs_error error = pdvfs_check_levels(s->levels);
    if (error)
        return error;
    if (!s->num)
        return PDVFS_SIZE;
    for (unsigned i = 0; i < s->num; i++) {
        if (s->level[i] >= s->levels->num)
            return PDVFS_SIZE;
        for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
            if (!fit_amount(s->rates[i][e]))
                return PDVFS_RANGE;
        if (!fit_amount(s->watts[i]))
            return PDVFS_RANGE;
    }
    return PDVFS_OK;
}

/* Coefficients of these columns; those of the others are 0. */
static enum fit_error fit_columns(const struct pdvfs_samples *s, const unsigned *column,
                                  unsigned columns, double *work, struct pdvfs_power *power,
                                  struct fit *quality)
{
    for (unsigned i = 0; i < s->num; i++)
        for (unsigned c = 0; c < columns; c++)
            work[(size_t)i * columns + c] = number_of(power, s, i, column[c]);
    const enum fit_error why =
        fit(work, s->watts, s->num, columns, work + (size_t)s->num * columns, quality);
    if (why)
        return why;
    for (unsigned c = 0; c < COLUMNS; c++)
        power->b[c] = 0;
    for (unsigned c = 0; c < columns; c++)
        power->b[column[c]] = quality->coefficient[c];
    return FIT_OK;
}

enum pdvfs_error pdvfs_fit_power(const double (*rates)[NUM_PDVFS_EVENTS], const unsigned *level,
                                 const double *watts, unsigned samples,
                                 const struct pdvfs_levels *levels, double *work,
                                 struct pdvfs_power *power, struct fit *quality,
                                 enum fit_error *why)
{
    const struct pdvfs_samples s = {samples, levels, rates, level, watts};
    unsigned column[COLUMNS];
    const enum pdvfs_error error = check_samples(&s);
    if (error)
        return error;
    for (unsigned c = 0; c < COLUMNS; c++)
        column[c] = c;
    *why = fit_columns(&s, column, COLUMNS, work, power, quality);
    return *why ? PDVFS_FIT : PDVFS_OK;
}

/* b0 first, then the frequency, then the events: each is taken if the samples tell it from those before it. */
enum pdvfs_error pdvfs_fit_power_told(const struct pdvfs_samples *s, double *work,
                                      struct pdvfs_power *power, struct fit *quality,
                                      enum fit_error *why)
{
    static const unsigned order[COLUMNS] = {0, COLUMNS - 1, 1, 2, 3, 4, 5};
    unsigned column[COLUMNS], columns = 0;
    const enum pdvfs_error error = check_samples(s);
    if (error)
        return error;
    for (unsigned c = 0; c < COLUMNS; c++) {
        struct fit with;
        column[columns] = order[c];
        *why = fit_columns(s, column, columns + 1, work, power, &with);
        if (*why && *why != FIT_RANK && *why != FIT_FEW_ROWS)
            return PDVFS_FIT;
        if (*why)
            continue;
        columns++;
        *quality = with;
    }
    *why = FIT_OK;
    return PDVFS_OK;
}
