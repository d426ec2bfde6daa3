/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/dvfs/plain.h: the loop of figure 5.1 of the thesis once more, as it is said: cycles are counted from the first one on, counts are
 * compared by multiplication in 128 bits, and a table is a copy. Nothing is here that hardware would need: no quotient, no
 * timer that goes round. */
#ifndef HEDDLE_TESTS_CMODEL_DVFS_PLAIN_H
#define HEDDLE_TESTS_CMODEL_DVFS_PLAIN_H

#include "cmodel/dvfs/dvfs.h"

#define PLAIN_ONES(bits) (~UINT64_C(0) >> (64 - (bits)))

__extension__ typedef unsigned __int128 plain_wide;

struct plain_table {
    uint64_t level[DVFS_SLOTS];
};

struct plain {
    long now;
    int runs;
    long began; /* the cycle of the last point */
    uint64_t scaling,
        remaining; /* from there on: cycles to the next scaling, to the next control point */
    plain_wide instructions, misses; /* of this period */
    /* The period that is searched: `bits` cycles of the division, `edges` compared, slot so far. */
    int searches, by_control;
    plain_wide divided, by;
    unsigned bits, behind, edges, slot;
    long settles; /* last cycle of settling, or one before now */
    uint64_t level, asks, edge[DVFS_SLOTS - 1], shares[DVFS_SLOTS];
    struct plain_table in_use, other;
    long points, controls, changes, late; /* how many there were */
};

static void plain_start(struct plain *p)
{
    *p = (struct plain){.settles = -1, .level = DVFS_LEVELS - 1};
    for (unsigned i = 0; i < DVFS_SLOTS; i++)
        p->in_use.level[i] = p->other.level[i] = DVFS_LEVELS - 1;
    for (unsigned i = 0; i < DVFS_SLOTS - 1; i++)
        p->edge[i] = PLAIN_ONES(DVFS_EDGE_BITS);
}

static int plain_settles(const struct plain *p)
{
    return p->settles >= p->now;
}

/* Is this the cycle in which a period's slot is known? */
static int plain_looks_up(const struct plain *p)
{
    return p->searches && p->edges == DVFS_SLOTS - 1;
}

/* Does the level change in this cycle? */
static int plain_changes(const struct plain *p, const struct dvfs_in *in)
{
    return plain_looks_up(p) && in->run && !p->by_control && p->in_use.level[p->slot] != p->level;
}

static plain_wide plain_most(plain_wide count)
{
    return count < PLAIN_ONES(DVFS_COUNT_BITS) ? count : PLAIN_ONES(DVFS_COUNT_BITS);
}

/* As the thesis has it: t1 has come to T_control, or else t2 to T_scaling. */
static void plain_point(struct plain *p, const struct dvfs_in *in)
{
    const int control = p->remaining <= p->scaling;
    const uint64_t waited = control ? p->remaining : p->scaling;
    p->points++;
    p->controls += control;
    p->late += (uint64_t)(p->now - p->began) > waited;
    if (plain_most(p->instructions)) {
        p->searches = 1;
        p->by_control = control;
        p->by = plain_most(p->instructions);
        p->divided = plain_most(p->misses);
        p->bits = p->behind = p->edges = p->slot = 0;
    } else if (control) {
        p->asks = 1;
    }
    p->began = p->now;
    p->remaining = control ? in->control + !in->control : p->remaining - p->scaling;
    p->scaling = in->scaling + !in->scaling;
    p->instructions = p->misses = 0;
}

static void plain_look_up(struct plain *p, const struct dvfs_in *in)
{
    p->shares[p->slot] = (p->shares[p->slot] + (uint64_t)p->by) & PLAIN_ONES(DVFS_SHARE_BITS);
    if (plain_changes(p, in)) {
        p->level = p->in_use.level[p->slot];
        p->settles = p->now + (long)(in->settle + !in->settle);
        p->changes++;
    }
    if (p->by_control)
        p->asks = 1;
    p->searches = 0;
}

/* The search takes a cycle for each bit of a count and of the fraction, and one for each edge; where `fraction` falls meanwhile there are as
 * many bits as have been. */
static void plain_search(struct plain *p, const struct dvfs_in *in)
{
    if (p->bits < DVFS_COUNT_BITS || p->bits < p->behind + DVFS_COUNT_BITS) {
        p->bits++;
        p->behind = p->bits >= DVFS_COUNT_BITS + in->fraction ? p->bits - DVFS_COUNT_BITS
                                                              : (unsigned)in->fraction;
        return;
    }
    p->slot += p->divided << p->behind >= (plain_wide)p->edge[p->edges] * p->by;
    p->edges++;
}

static void plain_write(struct plain *p, const struct dvfs_in *in)
{
    const struct plain_table before = p->in_use;
    if (in->write == 1 && in->index + 1 < DVFS_SLOTS)
        p->edge[in->index] = in->value;
    if (in->write == 2 && in->index < DVFS_SLOTS)
        p->other.level[in->index] = in->value >= DVFS_LEVELS ? DVFS_LEVELS - 1 : in->value;
    if (in->write == 3) {
        p->in_use = p->other;
        p->other = before;
    }
}

/* A cycle. */
static void plain_cycle(struct plain *p, const struct dvfs_in *in)
{
    if (p->runs) {
        p->instructions += in->issued;
        p->misses += in->missed;
    }
    if (in->write == 3)
        p->asks = 0;
    if (plain_settles(p)) {
        if (!in->run && p->settles == p->now)
            p->runs = 0;
    } else if (!in->run) {
        p->runs = p->searches = 0;
    } else if (!p->runs) {
        p->runs = 1;
        p->began = p->now;
        p->scaling = in->scaling + !in->scaling;
        p->remaining = in->control + !in->control;
        p->instructions = p->misses = 0;
    } else if (plain_looks_up(p)) {
        plain_look_up(p, in);
    } else if (p->searches) {
        plain_search(p, in);
    } else if ((uint64_t)(p->now - p->began) >=
               (p->remaining < p->scaling ? p->remaining : p->scaling)) {
        plain_point(p, in);
    }
    if (!p->runs)
        p->asks = 0;
    plain_write(p, in);
    p->now++;
}

#endif
