/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/camp_scan.c: all equilibria of two sharers, under CAMP, AB and MB (thesis 3.3.5, 3.5.3); see camp.h. */
#include <math.h>

#include "cmodel/analytic/camp_sharer.h"
#include "cmodel/analytic/roots.h"

#define STEPS 512 /* of the scan, per way: every whole number of ways is one */

struct two {
    const struct camp_sharer *pair;
    double ways;
    enum camp_model model;
};

/* Above 0 where the first one has more than the model gives it. */
static double excess(const void *context, double first)
{
    const struct two *t = context;
    const struct camp_program *a = t->pair[0].program, *b = t->pair[1].program;
    const double second = t->ways - first;
    switch (t->model) {
    case CAMP_AB: return first * camp_aps(b, second) - second * camp_aps(a, first);
    case CAMP_MB: return first * camp_mps(b, second) - second * camp_mps(a, first);
    default: return camp_turnover(&t->pair[0], first) - camp_turnover(&t->pair[1], second);
    }
}

static unsigned nearest(const struct camp_equilibria *e, double guess)
{
    unsigned best = 0;
    for (unsigned i = 1; i < e->num; i++)
        if (fabs(e->first[i] - guess) < fabs(e->first[best] - guess))
            best = i;
    return best;
}

/* Where the excess falls: a sharer that has a little more gets more still. */
static int is_unstable(const struct two *t, double first)
{
    const double away = .25 / STEPS;
    return excess(t, fmin(first + away, t->ways)) < excess(t, fmax(first - away, 0));
}

/* Is the point what it seems? The excess jumps where a table ends, and MB is at rest wherever neither misses. */
static enum camp_error judge(const struct two *t, double first)
{
    const double held[2] = {first, t->ways - first};
    int misses = 0;
    for (unsigned i = 0; i < 2; i++) {
        if (t->model == CAMP_CAMP && camp_sharer_is_cut(&t->pair[i], held[i], t->ways))
            return CAMP_NO_ROOM;
        misses |= camp_mpa(&t->pair[i].program->curve, held[i]) > 0;
    }
    return t->model == CAMP_MB && !misses ? CAMP_ROOM_LEFT : CAMP_OK;
}

enum camp_error camp_scan(const struct camp_sharer pair[2], unsigned ways, enum camp_model model,
                          struct camp_equilibria *e)
{
    const struct two two = {pair, ways, model};
    enum camp_error error = camp_sharer_check(pair, 2, ways);
    *e = (struct camp_equilibria){0};
    if (!error && model == CAMP_CAMP)
        error = camp_sharer_fill(pair, 2, ways);
    if (error == CAMP_ROOM_LEFT)
        *e = (struct camp_equilibria){.num = 1, .first = {camp_sharer_reach(&pair[0], ways)}};
    if (error)
        return error;
    e->num = roots_scan(excess, &two, 0, ways, ways * STEPS, e->first, CAMP_EQUILIBRIA);
    double guess[CAMP_SHARERS];
    camp_guess(pair, 2, ways, guess);
    e->answer = nearest(e, guess[0]);
    for (unsigned i = 0; i < e->num; i++) {
        e->unstable |= (unsigned)is_unstable(&two, e->first[i]) << i;
        error = judge(&two, e->first[i]);
        if (error == CAMP_ROOM_LEFT)
            *e = (struct camp_equilibria){.num = 1, .first = {e->first[i]}};
        if (error)
            return error;
    }
    return e->num ? CAMP_OK : CAMP_NOT_CONVERGED;
}
