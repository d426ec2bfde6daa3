/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/paver_sm/plain.h: PAVER's runtime (5.1, 5.3) restated. Each SM has a list of the blocks that it still has, written
 * out position by position: there is no next and no tail. What waits is counted from the list. Nothing is shared with paver_sm.c. */
#ifndef HEDDLE_TESTS_CMODEL_PAVER_SM_PLAIN_H
#define HEDDLE_TESTS_CMODEL_PAVER_SM_PLAIN_H

#include <string.h>

#include "cmodel/paver_sm/paver_sm.h"

_Static_assert(PAVER_LIST_BITS <= 20, "lists are written out");
#define POSITIONS (1l << PAVER_LIST_BITS)
#define NUMBERS   (1l << PAVER_TB_BITS)
#define NOBODY    (-1)
/* An SM's number may be that of none: there nothing ever is. */
#define SM_NUMBERS (1 << CLOG2(NUM_SMS))

enum plain_asked { NOTHING, GROUP, NUMBER };

/* The list is list[first] to list[end - 1]. */
struct plain_sm {
    long first, end;
    uint32_t list[POSITIONS];
    enum plain_asked asked;
    int known; /* the number of its first block */
    uint64_t number;
};

struct plain {
    int kernel, grouped; /* there is one; its blocks are in groups */
    uint64_t group;
    long left;  /* groups nobody has asked for, and where the first of them is */
    int before; /* SM for which memory was asked last */
    struct plain_sm sm[SM_NUMBERS];
};

static long blocks(const struct plain_sm *sm)
{
    return sm->end - sm->first;
}

static int has(const uint64_t *set, int sm)
{
    return (int)(set[sm / 64] >> sm % 64 & 1);
}

static void forget(struct plain *p)
{
    p->kernel = 0;
    p->left = 0;
    for (int i = 0; i < NUM_SMS; i++) {
        p->sm[i].first = p->sm[i].end = 0;
        p->sm[i].asked = NOTHING;
        p->sm[i].known = 0;
    }
}

/* May the dispatcher place a block there? */
static int may_receive(const struct plain *p, int sm)
{
    return p->kernel && (!p->grouped || p->sm[sm].known);
}

/* Does the dispatcher take the first block of this SM's list in this cycle? */
static int is_placed(const struct plain *p, const struct paver_sm_in *in, int sm)
{
    return p->grouped && in->place_valid && (int)in->place_sm == sm && p->sm[sm].known;
}

/* "When all the tasks in the TB group are exhausted and SM has a free TB context, it is marked as recipient SM" (5.2), "when there are
 * no more unassigned groups": one that is on its way is assigned, and its SM waits for that. */
static int is_recipient(const struct plain *p, const struct paver_sm_in *in, int sm)
{
    return !p->left && has(in->free, sm) && !blocks(&p->sm[sm]) && p->sm[sm].asked == NOTHING;
}

/* Blocks that wait for a context. The first one is the SM's own where it will not wait, or where its number is being asked for. */
static long waiting(const struct plain *p, const struct paver_sm_in *in, int sm)
{
    const struct plain_sm *s = &p->sm[sm];
    if (!blocks(s))
        return 0;
    const int own = has(in->free, sm) || !s->known || is_placed(p, in, sm);
    return (blocks(s) - own) % NUMBERS;
}

static long given(const struct plain *p, const struct paver_sm_in *in)
{
    if (!in->give || in->start || in->stop || !is_recipient(p, in, (int)in->recipient))
        return 0;
    const long most = waiting(p, in, (int)in->look);
    return (long)in->count < most ? (long)in->count : most;
}

/* What an SM would ask memory for. */
static enum plain_asked wish(const struct plain *p, int sm)
{
    const struct plain_sm *s = &p->sm[sm];
    if (s->asked != NOTHING || s->known)
        return NOTHING;
    return blocks(s) ? NUMBER : p->left ? GROUP : NOTHING;
}

/* Whose wish is granted: one a cycle, in turn. */
static int asks(const struct plain *p, const struct paver_sm_in *in)
{
    int sm = p->before;
    if (in->start || in->stop)
        return NOBODY;
    for (int tried = 0; tried < NUM_SMS; tried++) {
        sm = sm == NUM_SMS - 1 ? 0 : sm + 1;
        if (wish(p, sm) != NOTHING)
            return sm;
    }
    return NOBODY;
}

static struct paver_sm_out plain_out(const struct plain *p, const struct paver_sm_in *in)
{
    struct paver_sm_out out = {.place_block =
                                   p->grouped ? p->sm[in->place_sm].number : in->order_block};
    const int sm = asks(p, in);
    if (sm != NOBODY) {
        out.fetch_valid = 1;
        out.fetch_group = wish(p, sm) == GROUP;
        out.fetch_sm = (uint64_t)sm;
        out.fetch_at = out.fetch_group ? p->group : p->sm[sm].list[p->sm[sm].first];
    }
    for (int i = 0; i < NUM_SMS; i++) {
        out.recipients[i / 64] |= (uint64_t)is_recipient(p, in, i) << i % 64;
        out.busy |= blocks(&p->sm[i]) > 0;
    }
    out.waiting = (uint64_t)waiting(p, in, (int)in->look);
    out.given = (uint64_t)given(p, in);
    return out;
}

static void plain_starts(struct plain *p, const struct paver_sm_in *in)
{
    forget(p);
    p->kernel = 1;
    p->grouped = in->groups != 0;
    p->left = (long)in->groups;
    p->group = in->first_group;
    p->before = NUM_SMS - 1;
}

/* All positions from the first to the last one; behind the highest comes 0. */
static void take_group(struct plain_sm *s, const struct paver_sm_in *in)
{
    uint64_t at = in->reply_next;
    s->first = s->end = 0;
    s->list[s->end++] = (uint32_t)at;
    while (at != in->reply_tail) {
        at = (at + 1) % (uint64_t)POSITIONS;
        s->list[s->end++] = (uint32_t)at;
    }
}

static void replies(struct plain_sm *s, const struct paver_sm_in *in)
{
    if (s->asked == GROUP)
        take_group(s, in);
    if (s->asked == NUMBER) {
        s->known = 1;
        s->number = in->reply_tb;
    }
    s->asked = NOTHING;
}

/* The last `count` blocks of one go to another, in their order. */
static void move(struct plain_sm *from, struct plain_sm *to, long count)
{
    memcpy(to->list, &from->list[from->end - count], (size_t)count * sizeof to->list[0]);
    to->first = 0;
    to->end = count;
    from->end -= count;
    if (!blocks(from))
        from->known = 0; /* the block of that number is gone */
}

/* The end of a cycle. All that happens in it is decided by what was there when it began. */
static void plain_tick(struct plain *p, const struct paver_sm_in *in)
{
    if (in->start) {
        plain_starts(p, in);
        return;
    }
    if (in->stop) {
        forget(p);
        return;
    }
    const long count = given(p, in);
    const int asking = asks(p, in);
    const enum plain_asked asked = asking == NOBODY ? NOTHING : wish(p, asking);
    for (int i = 0; i < NUM_SMS; i++)
        if (is_placed(p, in, i)) {
            p->sm[i].first++;
            p->sm[i].known = 0;
        }
    if (count)
        move(&p->sm[in->look], &p->sm[in->recipient], count);
    if (in->reply_valid)
        replies(&p->sm[in->reply_sm], in);
    if (asking != NOBODY) {
        p->sm[asking].asked = asked;
        p->before = asking;
    }
    if (asked == GROUP) {
        p->group = (p->group + 1) % (uint64_t)POSITIONS;
        p->left--;
    }
}

#endif
