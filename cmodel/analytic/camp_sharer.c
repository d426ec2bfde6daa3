/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/camp_sharer.c: one of several sharers: what it can hold, and where the iteration begins; see camp.h. */
#include "cmodel/analytic/camp_sharer.h"

#include <math.h>

double camp_turnover(const struct camp_sharer *s, double ways)
{
    return camp_accesses(s->growth, ways) * camp_spi(s->program, ways) / s->program->api;
}

enum camp_error camp_sharer_check(const struct camp_sharer *sharers, unsigned num, unsigned ways)
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

double camp_sharer_reach(const struct camp_sharer *s, double ways)
{
    return s->growth ? fmin(s->growth->top, ways) : ways;
}

int camp_sharer_has_all(const struct camp_sharer *s, double ways)
{
    return s->growth->saturated && ways >= s->growth->top - CAMP_NEAR;
}

int camp_sharer_is_cut(const struct camp_sharer *s, double ways, double cache)
{
    const struct camp_growth *g = s->growth;
    return !g->saturated && g->top < cache && ways >= g->top - CAMP_NEAR;
}

enum camp_error camp_sharer_fill(const struct camp_sharer *sharers, unsigned num, unsigned ways)
{
    double sum = 0;
    int saturated = 1;
    for (unsigned i = 0; i < num; i++) {
        if (!sharers[i].growth)
            return CAMP_NO_ROOM;
        sum += camp_sharer_reach(&sharers[i], ways);
        saturated &= sharers[i].growth->saturated;
    }
    if (sum >= ways)
        return CAMP_OK;
    return saturated ? CAMP_ROOM_LEFT : CAMP_NO_ROOM;
}

/* Gives each of those that are not full its part of `left`. Returns the first that gets more than it can hold, or num. */
static unsigned divide(const struct camp_sharer *sharers, unsigned num, double ways, double left,
                       const int *full, double *guess)
{
    double aps = 0;
    for (unsigned i = 0; i < num; i++)
        aps += full[i] ? 0 : camp_aps(sharers[i].program, ways);
    for (unsigned i = 0; i < num; i++) {
        if (full[i])
            continue;
        guess[i] = left * camp_aps(sharers[i].program, ways) / aps;
        if (guess[i] > camp_sharer_reach(&sharers[i], ways))
            return i;
    }
    return num;
}

void camp_guess(const struct camp_sharer *sharers, unsigned num, double ways,
                double guess[CAMP_SHARERS])
{
    double left = ways;
    int full[CAMP_SHARERS] = {0};
    /* Whoever would get more than it can hold gets that, and the others divide what is left: once more per sharer at most. */
    for (unsigned i; (i = divide(sharers, num, ways, left, full, guess)) < num;) {
        guess[i] = camp_sharer_reach(&sharers[i], ways);
        left -= guess[i];
        full[i] = 1;
    }
}
