/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/camp_share.c: the ways that each of several sharers holds (thesis 3.3.5), by Newton-Raphson iteration; see camp.h. */
#include <math.h>

#include "cmodel/analytic/camp_sharer.h"
#include "cmodel/analytic/roots.h"

#define ITERATIONS 100  /* of Newton-Raphson */
#define SHORTENED  40   /* times that a step is halved, at most */
#define LEAST      1e-9 /* ways of a sharer in the iteration, whose logarithm must exist */
#define CONVERGED  1e-9
#define STEPS      16 /* per way, in which the fewest ways with a T are looked for */

struct system {
    const struct camp_sharer *sharers;
    unsigned num;
    double ways; /* that they divide */
};

/* Newton-Raphson ----------------------------------------------------------------------------------*/

static double level(const struct system *sys, unsigned i, double ways)
{
    return log(camp_turnover(&sys->sharers[i], ways));
}

/* How far from an equilibrium: (3.10) as the logarithm of its quotient, (3.11) as a part of the cache. The T of a sharer that has all it uses
 * is over before that of the others; more ways would not make it longer. */
static double residual(const struct system *sys, const double *ways)
{
    double low = INFINITY, high = -INFINITY, sum = -sys->ways;
    int limited = 0; /* somebody would hold more */
    for (unsigned i = 0; i < sys->num; i++) {
        const double t = level(sys, i, ways[i]);
        high = fmax(high, t);
        if (!camp_sharer_has_all(&sys->sharers[i], ways[i])) {
            low = fmin(low, t);
            limited = 1;
        }
        sum += ways[i];
    }
    return fmax(limited ? high - low : 0, fabs(sum) / sys->ways);
}

/* d log T / dS, from both sides where both exist. Never 0: a step must be possible. */
static double slope(const struct system *sys, unsigned i, double ways)
{
    const double width = 1e-6 * fmin(1, ways), low = ways - width,
                 high = fmin(ways + width, camp_sharer_reach(&sys->sharers[i], sys->ways)),
                 d = (level(sys, i, high) - level(sys, i, low)) / (high - low);
    return fabs(d) < 1e-6 ? copysign(1e-6, d) : d;
}

/* Shortens the longest step to what is allowed: the text bounds steps, too, but does not say how. */
static void bound(const struct system *sys, double *step)
{
    const double allowed = sys->ways / 4;
    double most = 0;
    for (unsigned i = 0; i < sys->num; i++)
        most = fmax(most, fabs(step[i]));
    for (unsigned i = 0; i < sys->num && most > allowed; i++)
        step[i] *= allowed / most;
}

/* The step that would solve (3.10) and (3.11) if all were straight: sum dS = A - sum S, and S'[1] dS[1] + L[1] = S'[i] dS[i] + L[i]. Sharers
 * that have all they use keep it. */
static void newton_step(const struct system *sys, const double *ways, double *step)
{
    double slopes[CAMP_SHARERS], levels[CAMP_SHARERS], wanted = sys->ways, inverses = 0,
                                                       highest = -INFINITY;
    for (unsigned i = 0; i < sys->num; i++) {
        levels[i] = level(sys, i, ways[i]);
        highest = fmax(highest, levels[i]);
    }
    for (unsigned i = 0; i < sys->num; i++) {
        const int stays = camp_sharer_has_all(&sys->sharers[i], ways[i]) && levels[i] < highest;
        slopes[i] = stays ? INFINITY : slope(sys, i, ways[i]);
        wanted += levels[i] / slopes[i] - ways[i];
        inverses += 1 / slopes[i];
    }
    const double common = wanted / (fabs(inverses) < 1e-9 ? copysign(1e-9, inverses) : inverses);
    for (unsigned i = 0; i < sys->num; i++)
        step[i] = (common - levels[i]) / slopes[i];
    bound(sys, step);
}

/* Goes on by the step or a part of it, as soon as that comes nearer; within what each can hold. Returns 0 if nothing does. */
static int go_on(const struct system *sys, double *ways, const double *step, double *error)
{
    double part = 1, next[CAMP_SHARERS];
    for (unsigned tries = 0; tries < SHORTENED; tries++, part /= 2) {
        for (unsigned i = 0; i < sys->num; i++)
            next[i] = fmin(fmax(ways[i] + part * step[i], fmax(LEAST, ways[i] / 8)),
                           camp_sharer_reach(&sys->sharers[i], sys->ways));
        const double now = residual(sys, next);
        if (!(now < *error))
            continue;
        for (unsigned i = 0; i < sys->num; i++)
            ways[i] = next[i];
        *error = now;
        return 1;
    }
    return 0;
}

/* From `ways` on, which become those where it stops. */
static void iterate(const struct system *sys, struct camp_share *share)
{
    double step[CAMP_SHARERS];
    share->residual = residual(sys, share->ways);
    for (unsigned i = 0; i < ITERATIONS && share->residual > CONVERGED; i++) {
        newton_step(sys, share->ways, step);
        share->iterations++;
        if (!go_on(sys, share->ways, step, &share->residual))
            return;
    }
}

/* By T --------------------------------------------------------------------------------------------*/

struct lag {
    const struct camp_sharer *sharer;
    double t;
};

static double lag(const void *context, double ways)
{
    const struct lag *l = context;
    return camp_turnover(l->sharer, ways) - l->t;
}

/* The ways that all hold, together, if each has the fewest at which its T is `t`, or all it can hold if T is always shorter. */
static double sum_at(const struct system *sys, double t, double ways[CAMP_SHARERS])
{
    double sum = 0;
    for (unsigned i = 0; i < sys->num; i++) {
        const double reach = camp_sharer_reach(&sys->sharers[i], sys->ways);
        const struct lag l = {&sys->sharers[i], t};
        if (!roots_scan(lag, &l, 0, reach, (unsigned)ceil(reach * STEPS), &ways[i], 1))
            ways[i] = reach;
        sum += ways[i];
    }
    return sum;
}

static double surplus(const void *context, double t)
{
    const struct system *sys = context;
    double ways[CAMP_SHARERS];
    return sum_at(sys, t, ways) - sys->ways;
}

/* No T is longer. */
static double longest(const struct system *sys)
{
    double t = 0;
    for (unsigned i = 0; i < sys->num; i++) {
        const struct camp_sharer *s = &sys->sharers[i];
        const double spi = fmax(camp_spi(s->program, 0), s->program->beta);
        t = fmax(t,
                 camp_accesses(s->growth, camp_sharer_reach(s, sys->ways)) * spi / s->program->api);
    }
    return t;
}

/* The ways at the T where all of them are the cache. Where the T of a sharer falls before it rises again the sum may jump across the cache: then
 * those beside the jump. */
static void by_turnover(const struct system *sys, double ways[CAMP_SHARERS])
{
    double t;
    if (roots_scan(surplus, sys, 0, longest(sys) * 1.01, 1, &t, 1))
        sum_at(sys, t, ways);
}

/* Answers ------------------------------------------------------------------------------------------*/

static enum camp_error by_scan(const struct system *sys, struct camp_share *share)
{
    struct camp_equilibria e;
    const enum camp_error error = camp_scan(sys->sharers, (unsigned)sys->ways, CAMP_CAMP, &e);
    if (error)
        return error;
    share->ways[0] = e.first[e.answer];
    share->ways[1] = sys->ways - share->ways[0];
    share->residual = residual(sys, share->ways);
    return CAMP_OK;
}

static enum camp_error solve(const struct system *sys, struct camp_share *share)
{
    camp_guess(sys->sharers, sys->num, sys->ways, share->ways);
    iterate(sys, share);
    if (share->residual > CONVERGED) {
        by_turnover(sys, share->ways);
        iterate(sys, share);
    }
    if (share->residual <= CONVERGED)
        return CAMP_OK;
    for (unsigned i = 0; i < sys->num; i++)
        if (camp_sharer_is_cut(&sys->sharers[i], share->ways[i], sys->ways))
            return CAMP_NO_ROOM;
    return sys->num == 2 ? by_scan(sys, share) : CAMP_NOT_CONVERGED;
}

enum camp_error camp_share(const struct camp_sharer *sharers, unsigned num, unsigned ways,
                           struct camp_share *share)
{
    const struct system sys = {sharers, num, ways};
    *share = (struct camp_share){0};
    enum camp_error error = camp_sharer_check(sharers, num, ways);
    if (!error)
        error = camp_sharer_fill(sharers, num, ways);
    if (error == CAMP_ROOM_LEFT)
        for (unsigned i = 0; i < num; i++)
            share->ways[i] = camp_sharer_reach(&sharers[i], ways);
    return error ? error : solve(&sys, share);
}
