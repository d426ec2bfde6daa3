/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/camp_curve.c: profiles of programs (thesis 3.3, 3.4), from histograms and from runs; see camp.h. */
#include <math.h>

#include "cmodel/analytic/camp.h"

#define SUMS_TO_ONE 1e-6 /* how near shares must come */
#define APART       1e-9 /* ways between two points, at least */

static const char *const reasons[NUM_CAMP_ERRORS] = {
    [CAMP_OK] = "no error",
    [CAMP_NOT_FINITE] = "a number is not finite",
    [CAMP_BAD_SIZE] = "a number of ways, points, sharers or runs is outside its range",
    [CAMP_BAD_HISTOGRAM] = "a histogram of distances is negative or does not add up to 1",
    [CAMP_NOT_MONOTONIC] = "a curve of misses does not fall from 1 as ways rise from 0",
    [CAMP_BAD_PROGRAM] = "accesses or time per instruction are not in [1e-100, 1e100]",
    [CAMP_BAD_RUN] = "a number of a run is negative, not finite, or too large",
    [CAMP_FIT] = "alpha and beta could not be fitted to the runs",
    [CAMP_NO_ROOM] = "the table of growth ends before the cache is full",
    [CAMP_ROOM_LEFT] = "the programs fit the cache together",
    [CAMP_NOT_CONVERGED] = "the iteration found no equilibrium",
};

const char *camp_reason(enum camp_error error)
{
    return (unsigned)error < NUM_CAMP_ERRORS ? reasons[error] : "no such error";
}

/* Curves ------------------------------------------------------------------------------------------*/

enum camp_error camp_curve(const double *hist, unsigned num, double further,
                           enum camp_beyond beyond, struct camp_curve *curve)
{
    double sum = further;
    if (num < 1 || num > CAMP_DISTANCES)
        return CAMP_BAD_SIZE;
    for (unsigned k = 0; k < num; k++)
        sum += hist[k];
    if (!isfinite(sum))
        return CAMP_NOT_FINITE;
    for (unsigned k = 0; k < num; k++)
        if (hist[k] < 0)
            return CAMP_BAD_HISTOGRAM;
    if (further < 0 || fabs(sum - 1) > SUMS_TO_ONE)
        return CAMP_BAD_HISTOGRAM;
    curve->num = num + 1;
    curve->beyond = beyond;
    /* From the far end, so that rounding leaves no misses where there are none. */
    double misses = further;
    for (unsigned k = num; k; k--) {
        curve->ways[k] = k;
        curve->mpa[k] = fmin(misses, 1);
        misses += hist[k - 1];
    }
    curve->ways[0] = 0;
    curve->mpa[0] = 1;
    return CAMP_OK;
}

enum camp_error camp_check_curve(const struct camp_curve *c)
{
    if (c->num < 2 || c->num > CAMP_POINTS)
        return CAMP_BAD_SIZE;
    for (unsigned i = 0; i < c->num; i++)
        if (!isfinite(c->ways[i]) || !isfinite(c->mpa[i]))
            return CAMP_NOT_FINITE;
    if (c->ways[0] != 0 || c->mpa[0] != 1 || c->mpa[c->num - 1] < 0)
        return CAMP_NOT_MONOTONIC;
    for (unsigned i = 1; i < c->num; i++)
        if (c->ways[i] - c->ways[i - 1] < APART || c->mpa[i] > c->mpa[i - 1])
            return CAMP_NOT_MONOTONIC;
    return CAMP_OK;
}

/* Of what is divided by, too: no quotient or product of a few overflows. */
static int is_positive(double v)
{
    return v >= 1 / FIT_LARGEST && v <= FIT_LARGEST;
}

enum camp_error camp_check(const struct camp_program *p)
{
    const enum camp_error error = camp_check_curve(&p->curve);
    if (error)
        return error;
    if (!isfinite(p->api) || !isfinite(p->alpha) || !isfinite(p->beta))
        return CAMP_NOT_FINITE;
    return is_positive(p->api) && is_positive(p->beta) && is_positive(p->alpha + p->beta)
               ? CAMP_OK
               : CAMP_BAD_PROGRAM;
}

double camp_mpa(const struct camp_curve *c, double ways)
{
    const unsigned last = c->num - 1;
    unsigned i = 1;
    if (ways <= 0)
        return 1;
    if (ways >= c->ways[last] && c->beyond == CAMP_FLAT)
        return c->mpa[last];
    while (i < last && ways > c->ways[i])
        i++;
    const double slope = (c->mpa[i] - c->mpa[i - 1]) / (c->ways[i] - c->ways[i - 1]);
    return fmax(0, c->mpa[i] + slope * (ways - c->ways[i]));
}

double camp_spi(const struct camp_program *p, double ways)
{
    return p->alpha * camp_mpa(&p->curve, ways) + p->beta;
}

double camp_aps(const struct camp_program *p, double ways)
{
    return p->api / camp_spi(p, ways);
}

double camp_mps(const struct camp_program *p, double ways)
{
    return camp_mpa(&p->curve, ways) * camp_aps(p, ways);
}

/* Runs beside a stressmark ------------------------------------------------------------------------*/

double camp_stress_ways(double lines, double mpa)
{
    return lines * (1 - mpa);
}

/* Points by the ways that are left to the program, fewest first. */
static void sort_in(struct camp_curve *c, double ways, double mpa)
{
    unsigned at = c->num++;
    for (; at > 1 && ways < c->ways[at - 1]; at--) {
        c->ways[at] = c->ways[at - 1];
        c->mpa[at] = c->mpa[at - 1];
    }
    c->ways[at] = ways;
    c->mpa[at] = mpa;
}

static void level(struct camp_curve *c, double noise)
{
    for (unsigned i = 1; i < c->num; i++)
        if (c->mpa[i] > c->mpa[i - 1] && c->mpa[i] <= c->mpa[i - 1] + noise)
            c->mpa[i] = c->mpa[i - 1];
}

/* (3.15), (3.16). The constant comes first: if MPA is the same in all runs, alpha is what cannot be told. */
static enum fit_error fit_spi(const struct camp_run *runs, unsigned num, struct camp_program *p,
                              struct fit *quality)
{
    double x[2 * CAMP_DISTANCES], y[CAMP_DISTANCES], work[FIT_WORK(CAMP_DISTANCES, 2)];
    for (unsigned i = 0; i < num; i++) {
        x[2 * i] = 1;
        x[2 * i + 1] = runs[i].mpa;
        y[i] = runs[i].spi;
        p->beta += runs[i].spi / num;
    }
    const enum fit_error why = fit(x, y, num, 2, work, quality);
    if (!why) {
        p->alpha = quality->coefficient[1];
        p->beta = quality->coefficient[0];
    }
    return why;
}

enum camp_error camp_profile(const struct camp_run *runs, unsigned num, double ways, double noise,
                             struct camp_program *program, struct fit *quality, enum fit_error *why)
{
    *program = (struct camp_program){.curve = {.num = 1, .beyond = CAMP_SLOPE, .mpa = {1}}};
    *quality = (struct fit){0};
    *why = FIT_OK;
    if (num < 2 || num > CAMP_DISTANCES)
        return CAMP_BAD_SIZE;
    if (!fit_amount(ways) || !fit_amount(noise))
        return CAMP_BAD_RUN;
    for (unsigned i = 0; i < num; i++) {
        if (!fit_amount(runs[i].stress_ways) || !fit_amount(runs[i].api) ||
            !fit_amount(runs[i].mpa) || !fit_amount(runs[i].spi))
            return CAMP_BAD_RUN;
        program->api += runs[i].api / num; /* (3.14) */
        sort_in(&program->curve, ways - runs[i].stress_ways, runs[i].mpa);
    }
    level(&program->curve, noise);
    const enum camp_error error = camp_check_curve(&program->curve);
    if (error)
        return error;
    *why = fit_spi(runs, num, program, quality);
    return *why ? CAMP_FIT : camp_check(program);
}

/* The misses that become hits at the points up to `ways`, from those at point i - 1 to those at point i each. */
static double printed_hits(const struct camp_curve *c, double ways)
{
    double sum = 0;
    for (unsigned i = 1; i < c->num; i++)
        if (fmax(1, round(c->ways[i])) <= ways)
            sum += c->mpa[i - 1] - c->mpa[i];
    return sum;
}

enum camp_error camp_histogram(const struct camp_curve *c, enum camp_mass mass, unsigned num,
                               double *hist, double *further)
{
    const enum camp_error error = camp_check_curve(c);
    if (error)
        return error;
    if (num < 1 || num > CAMP_DISTANCES)
        return CAMP_BAD_SIZE;
    double before = 0;
    for (unsigned k = 1; k <= num; k++) {
        const double hits = mass == CAMP_SPREAD ? 1 - camp_mpa(c, k) : printed_hits(c, k);
        hist[k - 1] = fmax(0, hits - before);
        before = hits;
    }
    *further = 1 - before;
    return CAMP_OK;
}
