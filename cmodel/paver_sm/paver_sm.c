/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/paver_sm/paver_sm.c: see paver_sm.h. */
#include "cmodel/paver_sm/paver_sm.h"

#include <string.h>

_Static_assert(NUM_SMS >= 2, "one SM needs no groups");
_Static_assert(PAVER_TB_BITS >= 2 && PAVER_TB_BITS <= BLOCK_BITS, "next_tb names blocks");
_Static_assert(PAVER_LIST_BITS >= PAVER_TB_BITS && PAVER_LIST_BITS <= 64,
               "a list has an entry for each block that next_tb can name");

#define TB_MASK   (~UINT64_C(0) >> (64 - PAVER_TB_BITS))
#define LIST_MASK (~UINT64_C(0) >> (64 - PAVER_LIST_BITS))

void paver_sm_reset(struct paver_sm_state *s)
{
    memset(s, 0, sizeof *s);
}

/* Does the SM need something from memory? A group, while there are any, or the number of its next block. */
static int wants(const struct paver_sm_state *s, unsigned sm)
{
    if (bit_get(s->asked, sm))
        return 0;
    return bit_get(s->held, sm) ? !bit_get(s->allow, sm) : s->left != 0;
}

/* Is its next block placed in this cycle? */
static int is_placed(const struct paver_sm_state *s, const struct paver_sm_in *in, unsigned sm)
{
    return in->place_valid && in->place_sm == sm && bit_get(s->held, sm) && bit_get(s->allow, sm);
}

/* Is the block at `next` the SM's own? It is placed, or about to be: a context is free, or its number is not even there. */
static int keeps_next(const struct paver_sm_state *s, const struct paver_sm_in *in, unsigned sm)
{
    return is_placed(s, in, sm) || bit_get(in->free, sm) || !bit_get(s->allow, sm);
}

static uint64_t waiting(const struct paver_sm_state *s, const struct paver_sm_in *in, unsigned sm)
{
    if (!bit_get(s->held, sm))
        return 0;
    return (s->tail[sm] - s->next[sm] + !keeps_next(s, in, sm)) & TB_MASK;
}

static int is_recipient(const struct paver_sm_state *s, const struct paver_sm_in *in, unsigned sm)
{
    return !s->left && bit_get(in->free, sm) && !bit_get(s->held, sm) && !bit_get(s->asked, sm);
}

/* What is asked of memory: the next SM, in turn, that needs something. */
static void fetch(const struct paver_sm_state *s, struct paver_sm_out *out)
{
    for (unsigned step = 1; step <= NUM_SMS; step++) {
        const unsigned sm = ((unsigned)s->last + step) % NUM_SMS;
        if (!wants(s, sm))
            continue;
        out->fetch_valid = 1;
        out->fetch_group = !bit_get(s->held, sm);
        out->fetch_sm = sm;
        out->fetch_at = out->fetch_group ? s->group : s->next[sm];
        return;
    }
}

void paver_sm_comb(const struct paver_sm_state *s, const struct paver_sm_in *in,
                   struct paver_sm_out *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned sm = 0; sm < NUM_SMS; sm++) {
        bit_set(out->recipients, sm, is_recipient(s, in, sm));
        out->busy |= (uint64_t)bit_get(s->held, sm);
    }
    const unsigned place_sm = (unsigned)in->place_sm, look = (unsigned)in->look,
                   recipient = (unsigned)in->recipient;
    out->place_block = !s->active ? in->order_block : place_sm < NUM_SMS ? s->next_tb[place_sm] : 0;
    if (look < NUM_SMS)
        out->waiting = waiting(s, in, look);
    if (in->start || in->stop)
        return;
    fetch(s, out);
    if (in->give && recipient < NUM_SMS && is_recipient(s, in, recipient))
        out->given = in->count < out->waiting ? in->count : out->waiting;
}

/* The SM has no block any more. */
static void exhaust(struct paver_sm_state *s, unsigned sm)
{
    bit_set(s->held, sm, 0);
    bit_set(s->allow, sm, 0);
}

static void give(struct paver_sm_state *s, unsigned donor, unsigned recipient, uint64_t count,
                 int all)
{
    s->tail[recipient] = s->tail[donor];
    s->tail[donor] = (s->tail[donor] - count) & LIST_MASK;
    s->next[recipient] = (s->tail[donor] + 1) & LIST_MASK;
    bit_set(s->held, recipient, 1);
    if (all)
        exhaust(s, donor);
}

static void reply(struct paver_sm_state *s, const struct paver_sm_in *in, unsigned sm)
{
    bit_set(s->asked, sm, 0);
    if (bit_get(s->held, sm)) {
        s->next_tb[sm] = in->reply_tb;
        bit_set(s->allow, sm, 1);
    } else {
        s->next[sm] = in->reply_next;
        s->tail[sm] = in->reply_tail;
        bit_set(s->held, sm, 1);
    }
}

static void forget(struct paver_sm_state *s)
{
    s->left = 0;
    memset(s->held, 0, sizeof s->held);
    memset(s->asked, 0, sizeof s->asked);
    memset(s->allow, 0, sizeof s->allow);
}

void paver_sm_tick(struct paver_sm_state *s, const struct paver_sm_in *in,
                   const struct paver_sm_out *out)
{
    if (in->start || in->stop) {
        forget(s);
        if (in->start) {
            s->active = in->groups != 0;
            for (unsigned sm = 0; sm < NUM_SMS; sm++)
                bit_set(s->allow, sm, !in->groups);
            s->group = in->first_group;
            s->left = in->groups;
            s->last = NUM_SMS - 1;
        }
        return;
    }
    const struct paver_sm_state before = *s;
    const unsigned place_sm = (unsigned)in->place_sm, look = (unsigned)in->look;
    if (place_sm < NUM_SMS && is_placed(&before, in, place_sm)) {
        bit_set(s->allow, place_sm, 0);
        if (s->next[place_sm] == s->tail[place_sm])
            exhaust(s, place_sm);
        s->next[place_sm] = (s->next[place_sm] + 1) & LIST_MASK;
    }
    if (out->given)
        give(s, look, (unsigned)in->recipient, out->given,
             out->given == out->waiting &&
                 (is_placed(&before, in, look) || !keeps_next(&before, in, look)));
    if (in->reply_valid && in->reply_sm < NUM_SMS && bit_get(before.asked, (unsigned)in->reply_sm))
        reply(s, in, (unsigned)in->reply_sm);
    if (out->fetch_valid) {
        bit_set(s->asked, (unsigned)out->fetch_sm, 1);
        s->last = out->fetch_sm;
        if (out->fetch_group) {
            s->group = (s->group + 1) & LIST_MASK;
            s->left--;
        }
    }
}
