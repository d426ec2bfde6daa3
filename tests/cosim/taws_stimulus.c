/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/taws_stimulus.c: random but plausible inputs of what TAWS keeps of an SM. A block starts in a
 * free context; its warps begin one by one in free slots, issue, wait at barriers and end; when all
 * have ended the block does, and its context and slots are free. Phases differ in how large blocks are,
 * how many there are, and how often what happens. In wild phases levels are drawn anew, of one context,
 * two or all, also such as there are not; blocks start in contexts that are taken, warps begin and issue
 * where none is. */
#include <string.h>

#include "cmodel/taws/taws.h"
#include "cosim/stimulus.h"

void taws_stimulus(struct stimulus *, void *input);

#define SLOTS    (NUM_SCHEDULERS * NUM_WARPS)
#define CONTEXTS (1 << CLOG2(SM_BLOCKS)) /* that the bits of a number can name */

enum status { EMPTY, RUNNING, AT_BARRIER, ENDED };

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t wild, greedy, size, blocks;
    uint64_t starts, begins, issues, moves, ends; /* once in so many cycles */
    uint64_t barrier_in, again_in;                /* of moves, of issues: once in so many */
    uint8_t status[SLOTS], of[SLOTS]; /* of each slot: its warp, and the warp's context */
    uint8_t taken[SM_BLOCKS],
        coming[SM_BLOCKS]; /* of each context: has it a block; warps that have not begun */
    uint8_t last[NUM_SCHEDULERS];
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

static uint64_t often(struct stimulus *s)
{
    static const uint64_t once_in[] = {1, 1, 2, 5, 20, 100};
    return once_in[stimulus_below(s, 6)];
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    p->left = 1 + stimulus_below(s, stimulus_once_in(s, 4) ? 3000 : 300);
    p->wild = (uint64_t)stimulus_once_in(s, 5);
    p->greedy = stimulus_below(s, 2);
    p->size = 1 + stimulus_below(s, stimulus_once_in(s, 4) ? SLOTS : 1 + SLOTS / SM_BLOCKS);
    p->blocks = stimulus_once_in(s, 3) ? 1 + stimulus_below(s, SM_BLOCKS) : SM_BLOCKS;
    p->starts = often(s);
    p->begins = stimulus_once_in(s, 4) ? often(s) : 1;
    p->issues = often(s);
    p->moves = often(s);
    p->ends = often(s);
    p->barrier_in = 1 + stimulus_below(s, 4);
    p->again_in = 1 + stimulus_below(s, 3);
}

/* Slots of a context whose warp is in this state. */
static unsigned number(const struct phase *p, unsigned context, enum status status)
{
    unsigned n = 0;
    for (unsigned w = 0; w < SLOTS; w++)
        n += p->status[w] == status && p->of[w] == context;
    return n;
}

/* Any slot from a random one on, of scheduler k, whose warp is in this state; SLOTS: there is none. */
static unsigned slot_with(struct stimulus *s, const struct phase *p, unsigned k, enum status status)
{
    const unsigned from = (unsigned)stimulus_below(s, NUM_WARPS);
    for (unsigned n = 0; n < NUM_WARPS; n++) {
        const unsigned slot = k * NUM_WARPS + (from + n) % NUM_WARPS;
        if (p->status[slot] == status)
            return slot;
    }
    return SLOTS;
}

/* A block starts, if there is a context and there are slots for all its warps. */
static void start_block(struct stimulus *s, struct phase *p, struct taws_in *in)
{
    const unsigned context = (unsigned)stimulus_below(s, SM_BLOCKS);
    unsigned room = 0, taken = 0;
    for (unsigned w = 0; w < SLOTS; w++)
        room += p->status[w] == EMPTY;
    for (unsigned c = 0; c < SM_BLOCKS; c++) {
        taken += p->taken[c];
        room -= p->coming[c] < room ? p->coming[c] : room;
    }
    if (p->taken[context] || taken >= p->blocks || room < p->size)
        return;
    p->taken[context] = 1;
    p->coming[context] = (uint8_t)p->size;
    in->start = 1;
    in->start_block = context;
}

/* On a scheduler a warp begins. */
static void begin_warp(struct stimulus *s, struct phase *p, struct taws_in *in, unsigned k)
{
    const unsigned slot = slot_with(s, p, k, EMPTY);
    unsigned context = 0;
    while (context < SM_BLOCKS && !p->coming[context])
        context++;
    if (slot == SLOTS || context == SM_BLOCKS)
        return;
    p->coming[context]--;
    p->status[slot] = RUNNING;
    p->of[slot] = (uint8_t)context;
    bit_set(in->fresh, slot, 1);
}

static void issue(struct stimulus *s, struct phase *p, struct taws_in *in, unsigned k)
{
    unsigned slot = k * NUM_WARPS + p->last[k];
    if (p->status[slot] != RUNNING || stimulus_once_in(s, p->again_in))
        slot = slot_with(s, p, k, RUNNING);
    if (slot == SLOTS)
        return;
    p->last[k] = (uint8_t)(slot - k * NUM_WARPS);
    bit_set(in->issued, k, 1);
    in->issued_warp[k] = p->last[k];
    if (stimulus_once_in(s, p->moves)) /* it was a barrier, or its last instruction */
        p->status[slot] = stimulus_once_in(s, p->barrier_in) ? ENDED : AT_BARRIER;
}

/* When nobody of a block runs, its barrier opens or the block ends, sooner or later. */
static void go_on(struct stimulus *s, struct phase *p)
{
    const unsigned context = (unsigned)stimulus_below(s, SM_BLOCKS);
    if (!p->taken[context] || p->coming[context] || number(p, context, RUNNING))
        return;
    const int opens = number(p, context, AT_BARRIER) != 0;
    for (unsigned w = 0; w < SLOTS; w++)
        if (p->of[w] == context && p->status[w] == (opens ? AT_BARRIER : ENDED))
            p->status[w] = opens ? RUNNING : EMPTY;
    p->taken[context] = (uint8_t)opens;
}

/* Contexts as many as there are, as their numbers can name, two, or one; stalled in all densities. */
static void be_wild(struct stimulus *s, struct taws_in *in)
{
    const uint64_t stalled = stimulus_bits(s), more = stimulus_bits(s), kind = stimulus_below(s, 4);
    const uint64_t one = stimulus_below(s, SM_BLOCKS), other = stimulus_below(s, CONTEXTS);
    const unsigned density = (unsigned)stimulus_below(s, 4);
    for (unsigned w = 0; w < SLOTS; w++) {
        in->block[w] = kind == 0   ? stimulus_below(s, CONTEXTS)
                       : kind == 1 ? stimulus_below(s, SM_BLOCKS)
                       : kind == 2 ? (stimulus_once_in(s, 2) ? one : other)
                                   : one;
        const int a = (int)(stalled >> w % 64 & 1), b = (int)(more >> w % 64 & 1);
        bit_set(in->stalled, w, density == 0 ? a & b : density == 1 ? a : density == 2 ? a | b : 1);
        if (stimulus_once_in(s, 2 * SLOTS))
            bit_set(in->fresh, w, 1);
    }
    in->start = (uint64_t)stimulus_once_in(s, 2);
    in->start_block = stimulus_below(s, CONTEXTS);
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        bit_set(in->issued, k, stimulus_once_in(s, 2));
        in->issued_warp[k] = stimulus_below(s, UINT64_C(1) << CLOG2(NUM_WARPS));
        const struct taws_state *is = s->state; /* it begins where it has issued, now or before */
        if (stimulus_once_in(s, 8) && in->issued_warp[k] < NUM_WARPS)
            bit_set(in->fresh, k * NUM_WARPS + (unsigned)in->issued_warp[k], 1);
        if (stimulus_once_in(s, 8))
            bit_set(in->fresh,
                    k * NUM_WARPS +
                        (unsigned)is->held[k * SM_BLOCKS + stimulus_below(s, SM_BLOCKS)],
                    1);
    }
}

void taws_stimulus(struct stimulus *s, void *input)
{
    struct taws_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    if (p->left-- == 0)
        new_phase(s, p);
    memset(in, 0, sizeof *in);
    in->greedy = p->greedy;
    if (stimulus_once_in(s, p->ends))
        go_on(s, p);
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        if (stimulus_once_in(s, p->begins))
            begin_warp(s, p, in, k);
        if (stimulus_once_in(s, p->issues))
            issue(s, p, in, k);
        else
            in->issued_warp[k] = stimulus_below(s, NUM_WARPS); /* says nothing */
    }
    in->start_block = stimulus_below(s, SM_BLOCKS); /* nor does this, yet */
    if (stimulus_once_in(s, p->starts))
        start_block(s, p, in);
    for (unsigned w = 0; w < SLOTS; w++) {
        in->block[w] = p->of[w];
        bit_set(in->stalled, w, p->status[w] == AT_BARRIER || p->status[w] == ENDED);
    }
    if (p->wild && stimulus_once_in(s, 2))
        be_wild(s, in);
}
