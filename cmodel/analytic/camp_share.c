/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/camp_share.c: the ways that each of several sharers holds (thesis 3.3.5, 3.5.3); see camp.h. */
#include <math.h>

#include "cmodel/analytic/camp.h"

#define STEPS      512  /* of the scan, per way: every whole number of ways is one */
#define HALVINGS   100  /* of one step, at most */
#define ITERATIONS 100  /* of Newton-Raphson */
#define SHORTENED  40   /* times that a step is halved, at most */
#define LEAST      1e-9 /* ways of a sharer in the iteration, whose logarithm must exist */
#define CONVERGED  1e-9

double camp_turnover(const struct camp_sharer *s, double ways)
{
    return camp_accesses(s->growth, ways) * camp_spi(s->program, ways) / s->program->api;
}

static enum camp_error check(const struct camp_sharer *sharers, unsigned num, unsigned ways)
{
    if (num < 1 || num > CAMP_SHARERS || ways < 1 || ways > CAMP_WAYS)
        return CAMP_BAD_SIZE;
    for (unsigned i = 0; i < num; i++) {
        const enum camp_error error = camp_check(sharers[i].program);
        if (error)
            return error;
    }
    return CAMP_OK;
}

/* What a sharer holds at most. */
static double reach(const struct camp_sharer *s, unsigned ways)
{
    return s->growth ? fmin(s->growth->top, ways) : ways;
}

/* Do they fill the cache? If not: because they need no more, or because their tables end? */
static enum camp_error check_reach(const struct camp_sharer *sharers, unsigned num, unsigned ways)
{
    double sum = 0;
    int saturated = 1;
    for (unsigned i = 0; i < num; i++) {
        sum += reach(&sharers[i], ways);
        saturated &= sharers[i].growth->saturated;
    }
    if (sum >= ways)
        return CAMP_OK;
    return saturated ? CAMP_ROOM_LEFT : CAMP_NO_ROOM;
}

void camp_guess(const struct camp_sharer *sharers, unsigned num, unsigned ways,
                double guess[CAMP_SHARERS])
{
    double left = ways, aps = 0;
    int full[CAMP_SHARERS] = {0};
    for (unsigned i = 0; i < num; i++)
        aps += camp_aps(sharers[i].program, ways);
    /* Whoever would get more than it can fill gets that, and the others divide what is left; again, as they get more then. */
    for (unsigned again = 1; again;) {
        again = 0;
        for (unsigned i = 0; i < num; i++) {
            if (full[i])
                continue;
            guess[i] = left * camp_aps(sharers[i].program, ways) / aps;
            if (guess[i] > reach(&sharers[i], ways)) {
                guess[i] = reach(&sharers[i], ways);
                full[i] = 1;
                left -= guess[i];
                aps -= camp_aps(sharers[i].program, ways);
                again = 1;
                break;
            }
        }
    }
}

/* Newton-Raphson ----------------------------------------------------------------------------------*/

struct system {
    const struct camp_sharer *sharers;
    unsigned num, ways;
};

static double level(const struct system *sys, unsigned i, double ways)
{
    return log(camp_turnover(&sys->sharers[i], ways));
}

/* How far from an equilibrium: (3.10) as the logarithm of its quotient, (3.11) as a part of the cache. */
static double residual(const struct system *sys, const double *ways)
{
    double low = INFINITY, high = -INFINITY, sum = -(double)sys->ways;
    for (unsigned i = 0; i < sys->num; i++) {
        const double t = level(sys, i, ways[i]);
        low = fmin(low, t);
        high = fmax(high, t);
        sum += ways[i];
    }
    return fmax(high - low, fabs(sum) / sys->ways);
}

/* d log T / dS, from both sides where both exist. Never 0: a step must be possible. */
static double slope(const struct system *sys, unsigned i, double ways)
{
    const double width = 1e-6 * fmin(1, ways), low = ways - width,
                 high = fmin(ways + width, reach(&sys->sharers[i], sys->ways)),
                 d = (level(sys, i, high) - level(sys, i, low)) / (high - low);
    return fabs(d) < 1e-6 ? copysign(1e-6, d) : d;
}

/* The step that would solve (3.10) and (3.11) if all were straight: sum dS = A - sum S, and S'[1] dS[1] + L[1] = S'[i] dS[i] + L[i]. */
static void newton_step(const struct system *sys, const double *ways, double *step)
{
    double slopes[CAMP_SHARERS], levels[CAMP_SHARERS], wanted = sys->ways, inverses = 0, most = 0;
    for (unsigned i = 0; i < sys->num; i++) {
        slopes[i] = slope(sys, i, ways[i]);
        levels[i] = level(sys, i, ways[i]);
        wanted += levels[i] / slopes[i] - ways[i];
        inverses += 1 / slopes[i];
    }
    const double common = wanted / (fabs(inverses) < 1e-9 ? copysign(1e-9, inverses) : inverses);
    for (unsigned i = 0; i < sys->num; i++) {
        step[i] = (common - levels[i]) / slopes[i];
        most = fmax(most, fabs(step[i]));
    }
    const double bound = sys->ways / 4.; /* the text bounds steps, too, but does not say how */
    for (unsigned i = 0; i < sys->num && most > bound; i++)
        step[i] *= bound / most;
}

/* Goes on by the step or a part of it, as soon as that comes nearer; within what each can hold. Returns 0 if nothing does. */
static int go_on(const struct system *sys, double *ways, const double *step, double *error)
{
    double part = 1, next[CAMP_SHARERS];
    for (unsigned tries = 0; tries < SHORTENED; tries++, part /= 2) {
        for (unsigned i = 0; i < sys->num; i++)
            next[i] = fmin(fmax(ways[i] + part * step[i], fmax(LEAST, ways[i] / 8)),
                           reach(&sys->sharers[i], sys->ways));
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

/* Two sharers -------------------------------------------------------------------------------------*/

/* Above 0 where the first one has more than the model gives it. */
static double excess(const struct camp_sharer pair[2], unsigned ways, enum camp_model model,
                     double first)
{
    const struct camp_program *a = pair[0].program, *b = pair[1].program;
    const double second = ways - first;
    switch (model) {
    case CAMP_AB: return first * camp_aps(b, second) - second * camp_aps(a, first);
    case CAMP_MB: return first * camp_mps(b, second) - second * camp_mps(a, first);
    default: return camp_turnover(&pair[0], first) - camp_turnover(&pair[1], second);
    }
}

static double bisect(const struct camp_sharer pair[2], unsigned ways, enum camp_model model,
                     double low, double high)
{
    const int rises = excess(pair, ways, model, low) < 0;
    for (unsigned i = 0; i < HALVINGS; i++) {
        const double middle = low + (high - low) / 2;
        if ((excess(pair, ways, model, middle) < 0) == rises)
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
}

static unsigned nearest(const struct camp_equilibria *e, double guess)
{
    unsigned best = 0;
    for (unsigned i = 1; i < e->num; i++)
        if (fabs(e->first[i] - guess) < fabs(e->first[best] - guess))
            best = i;
    return best;
}

enum camp_error camp_scan(const struct camp_sharer pair[2], unsigned ways, enum camp_model model,
                          struct camp_equilibria *e)
{
    enum camp_error error = check(pair, 2, ways);
    *e = (struct camp_equilibria){0};
    if (!error && model == CAMP_CAMP)
        error = check_reach(pair, 2, ways);
    if (error == CAMP_ROOM_LEFT) {
        e->first[0] = reach(&pair[0], ways);
        e->num = 1;
    }
    if (error)
        return error;
    double x = 0, y = excess(pair, ways, model, 0);
    for (unsigned i = 1; i <= ways * STEPS && e->num < CAMP_EQUILIBRIA; i++) {
        const double next = (double)i / STEPS, value = excess(pair, ways, model, next);
        if (value == 0)
            e->first[e->num++] = next;
        else if (y != 0 && (y < 0) != (value < 0))
            e->first[e->num++] = bisect(pair, ways, model, x, next);
        x = next;
        y = value;
    }
    double guess[CAMP_SHARERS];
    camp_guess(pair, 2, ways, guess);
    e->answer = nearest(e, guess[0]);
    for (unsigned i = 0; i < e->num; i++)
        if (excess(pair, ways, model, fmin(e->first[i] + .25 / STEPS, ways)) <
            excess(pair, ways, model, fmax(e->first[i] - .25 / STEPS, 0)))
            e->unstable |= 1u << i;
    return e->num ? CAMP_OK : CAMP_NOT_CONVERGED;
}

/* Several sharers ---------------------------------------------------------------------------------*/

static enum camp_error by_scan(const struct system *sys, struct camp_share *share)
{
    struct camp_equilibria e;
    const enum camp_error error = camp_scan(sys->sharers, sys->ways, CAMP_CAMP, &e);
    if (error)
        return error;
    share->ways[0] = e.first[e.answer];
    share->ways[1] = sys->ways - share->ways[0];
    share->residual = residual(sys, share->ways);
    return CAMP_OK;
}

enum camp_error camp_share(const struct camp_sharer *sharers, unsigned num, unsigned ways,
                           struct camp_share *share)
{
    const struct system sys = {sharers, num, ways};
    enum camp_error error = check(sharers, num, ways);
    *share = (struct camp_share){0};
    if (!error)
        error = check_reach(sharers, num, ways);
    if (error == CAMP_ROOM_LEFT)
        for (unsigned i = 0; i < num; i++)
            share->ways[i] = reach(&sharers[i], ways);
    if (error)
        return error;
    camp_guess(sharers, num, ways, share->ways);
    share->residual = residual(&sys, share->ways);
    while (share->residual > CONVERGED && share->iterations < ITERATIONS) {
        double step[CAMP_SHARERS];
        newton_step(&sys, share->ways, step);
        share->iterations++;
        if (!go_on(&sys, share->ways, step, &share->residual))
            break;
    }
    if (share->residual > CONVERGED && num == 2)
        return by_scan(&sys, share);
    return share->residual > CONVERGED ? CAMP_NOT_CONVERGED : CAMP_OK;
}
