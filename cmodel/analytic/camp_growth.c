/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/camp_growth.c: how many lines a program has in a set after n accesses (thesis 3.3.4); see camp.h. */
#include <math.h>

#include "cmodel/analytic/camp.h"

#define STATES (CAMP_DISTANCES + 2 * CAMP_WAYS) /* numbers of lines that are told apart */
#define STILL  1e-13                            /* what grows less in an access, grows no more */

/* p[s] is the probability of s lines. The last state stands for all that have its miss rate: what comes in stays. That is exact for a curve
 * that is flat there. */
struct states {
    unsigned last;
    double p[STATES + 1], misses[STATES + 1];
};

/* (3.6), from the far end, as p[s - 1] must still be the old one. */
static void advance(struct states *st)
{
    unsigned s = st->last;
    st->p[s] += st->p[s - 1] * st->misses[s - 1];
    while (--s > 1)
        st->p[s] = st->p[s] * (1 - st->misses[s]) + st->p[s - 1] * st->misses[s - 1];
    st->p[1] *= 1 - st->misses[1];
}

/* The mean number of lines that the next access adds: G(n + 1) - G(n) of (3.7). */
static double growth(const struct states *st)
{
    double sum = 0;
    for (unsigned s = 1; s <= st->last; s++)
        sum += st->p[s] * st->misses[s];
    return sum;
}

/* The last state that is told apart: where the cache is full, or where a flat curve ends, or where it hardly matters. */
static unsigned last_state(const struct camp_curve *curve, unsigned ways, enum camp_past past)
{
    const double end = fmax(2, ceil(curve->ways[curve->num - 1]));
    if (past == CAMP_ABSORB)
        return ways;
    return curve->beyond == CAMP_FLAT && end < STATES ? (unsigned)end : STATES;
}

enum camp_error camp_grow(const struct camp_curve *curve, unsigned ways, enum camp_past past,
                          double *at, size_t room, struct camp_growth *g)
{
    const enum camp_error error = camp_check_curve(curve);
    if (error)
        return error;
    if (ways < 1 || ways > CAMP_WAYS || room < 2)
        return CAMP_BAD_SIZE;
    struct states st = {.last = last_state(curve, ways, past), .p = {[1] = 1}};
    for (unsigned s = 1; s <= st.last; s++)
        st.misses[s] = past == CAMP_ABSORB && s == ways ? 0 : camp_mpa(curve, s);
    *g = (struct camp_growth){.at = at, .num = 2};
    at[0] = 0;
    at[1] = 1; /* p[1][1] = 1: the first access misses */
    while (at[g->num - 1] < ways && !g->saturated && g->num < room) {
        const double more = growth(&st);
        g->saturated = more < STILL;
        at[g->num] = at[g->num - 1] + more;
        g->num++;
        advance(&st);
    }
    g->top = at[g->num - 1];
    return CAMP_OK;
}

double camp_accesses(const struct camp_growth *g, double ways)
{
    size_t low = 0, high = g->num - 1;
    if (ways <= 0)
        return 0;
    if (ways > g->top)
        return INFINITY;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (g->at[middle] < ways)
            low = middle;
        else
            high = middle;
    }
    return (double)low + (ways - g->at[low]) / (g->at[high] - g->at[low]);
}
