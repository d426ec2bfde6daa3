/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/mckp.c: see mckp.h. */
#include "cmodel/analytic/mckp.h"

#include <math.h>

#define LARGEST ((uint64_t)1 << 62)

struct list {
    struct mckp_sum *sum;
    size_t num;
};

static enum mckp_error check_size(unsigned slots, unsigned levels)
{
    if (!slots || slots > MCKP_SLOTS || !levels || levels > MCKP_LEVELS)
        return MCKP_SIZE;
    uint64_t choices = 1;
    for (unsigned s = 0; s < slots; s++) {
        if (choices > UINT64_MAX / levels)
            return MCKP_SIZE;
        choices *= levels;
    }
    return MCKP_OK;
}

/* The least weight of each slot and of those behind it together; and do all sums stay below LARGEST? */
static enum mckp_error look(const struct mckp *m, uint64_t least[MCKP_SLOTS + 1])
{
    uint64_t weight = 0, cost = 0;
    least[m->slots] = 0;
    for (unsigned s = m->slots; s-- > 0;) {
        const struct mckp_item *item = m->item[s];
        uint64_t lightest = UINT64_MAX, heaviest = 0, dearest = 0;
        for (unsigned l = 0; l < m->levels; l++) {
            lightest = item[l].weight < lightest ? item[l].weight : lightest;
            heaviest = item[l].weight > heaviest ? item[l].weight : heaviest;
            dearest = item[l].cost > dearest ? item[l].cost : dearest;
        }
        if (heaviest > LARGEST - weight || dearest > LARGEST - cost)
            return MCKP_RANGE;
        weight += heaviest;
        cost += dearest;
        least[s] = least[s + 1] + lightest;
    }
    return least[0] > m->limit ? MCKP_INFEASIBLE : MCKP_OK;
}

static int before(const struct mckp_sum *a, const struct mckp_sum *b)
{
    return a->weight != b->weight ? a->weight < b->weight : a->cost < b->cost;
}

/* Merges what `from` becomes with each item of a slot, which are as many sorted lists. Of sums with the same weight the cheapest
 * comes first; one that is not cheaper than the last that was kept is beaten by it. */
static enum mckp_error extend(const struct mckp *m, unsigned slot, uint64_t most,
                              const struct list *from, struct list *to, size_t room)
{
    size_t head[MCKP_LEVELS] = {0};
    to->num = 0;
    for (;;) {
        struct mckp_sum next = {0};
        unsigned found = m->levels;
        for (unsigned l = 0; l < m->levels; l++) {
            if (head[l] == from->num)
                continue;
            const struct mckp_sum *old = &from->sum[head[l]];
            const struct mckp_sum sum = {.weight = old->weight + m->item[slot][l].weight,
                                         .cost = old->cost + m->item[slot][l].cost,
                                         .items = old->items * m->levels + l};
            if (found == m->levels || before(&sum, &next)) {
                found = l;
                next = sum;
            }
        }
        if (found == m->levels || next.weight > most)
            return MCKP_OK;
        head[found]++;
        if (to->num && next.cost >= to->sum[to->num - 1].cost)
            continue;
        if (to->num == room)
            return MCKP_ROOM;
        to->sum[to->num++] = next;
    }
}

enum mckp_error mckp_solve(const struct mckp *m, struct mckp_sum *room, size_t sums,
                           struct mckp_answer *out)
{
    uint64_t least[MCKP_SLOTS + 1];
    *out = (struct mckp_answer){.kept = 1};
    enum mckp_error error = check_size(m->slots, m->levels);
    if (!error)
        error = look(m, least);
    if (error)
        return error;
    if (sums < 2)
        return MCKP_ROOM;
    struct list from = {room, 1}, to = {room + sums / 2, 0};
    room[0] = (struct mckp_sum){0};
    for (unsigned s = 0; s < m->slots; s++) {
        /* What the slots behind it need at least must be left. */
        error = extend(m, s, m->limit - least[s + 1], &from, &to, sums / 2);
        if (error)
            return error;
        out->kept = to.num > out->kept ? to.num : out->kept;
        const struct list swapped = from;
        from = to;
        to = swapped;
    }
    /* Costs fall as weights rise: the last one is the cheapest. */
    const struct mckp_sum *best = &from.sum[from.num - 1];
    out->weight = best->weight;
    out->cost = best->cost;
    uint64_t items = best->items;
    for (unsigned s = m->slots; s-- > 0; items /= m->levels)
        out->level[s] = (unsigned)(items % m->levels);
    return MCKP_OK;
}

/* The power of two by which numbers are multiplied, whose sum then is below 2^MCKP_BITS. */
static int exponent(double sum)
{
    int e;
    frexp(sum, &e);
    return MCKP_BITS - e;
}

enum mckp_error mckp_scale(const double *weight, const double *cost, unsigned slots,
                           unsigned levels, double limit, struct mckp *out)
{
    double least[MCKP_SLOTS], weights = 0, costs = 0;
    const enum mckp_error error = check_size(slots, levels);
    if (error)
        return error;
    for (unsigned s = 0; s < slots; s++) {
        double dearest = -INFINITY;
        double heaviest = 0;
        least[s] = INFINITY;
        for (unsigned l = 0; l < levels; l++) {
            const double w = weight[s * levels + l], c = cost[s * levels + l];
            if (!(w >= 0 && w <= 1e300) || !(fabs(c) <= 1e300))
                return MCKP_RANGE;
            heaviest = fmax(heaviest, w);
            least[s] = fmin(least[s], c);
            dearest = fmax(dearest, c);
        }
        weights += heaviest;
        costs += dearest - least[s];
    }
    if (isnan(limit))
        return MCKP_RANGE;
    if (limit < 0)
        return MCKP_INFEASIBLE;
    const int by_weight = exponent(weights), by_cost = exponent(costs);
    out->slots = slots;
    out->levels = levels;
    out->limit = (uint64_t)floor(ldexp(fmin(limit, weights), by_weight) + slots / 2.0);
    for (unsigned s = 0; s < slots; s++)
        for (unsigned l = 0; l < levels; l++)
            out->item[s][l] = (struct mckp_item){
                .weight = (uint64_t)llround(ldexp(weight[s * levels + l], by_weight)),
                .cost = (uint64_t)llround(ldexp(cost[s * levels + l] - least[s], by_cost))};
    return MCKP_OK;
}

const char *mckp_reason(enum mckp_error error)
{
    switch (error) {
    case MCKP_OK: return "no error";
    case MCKP_SIZE: return "there are no slots or levels, or too many";
    case MCKP_RANGE: return "a weight or a cost is not finite, negative or too large";
    case MCKP_INFEASIBLE: return "even the lightest choice exceeds the limit";
    case MCKP_ROOM: return "more sums have to be kept than there is room for";
    }
    return "unknown error";
}
