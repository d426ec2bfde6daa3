/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/taws_act/taws_act_test.c: the C reference against the words of the thesis, 7.2 and
 * 7.3.1: blocks are ranked "based on the number of warps that are currently stalled due to barrier
 * and function done", of equal ones by age, and the scheduler goes down that list; inside a block it
 * considers "the last issued warp ..., if not available" the others. Warps and blocks are structs
 * here, and the ranking is a list. Nothing is shared with taws_act.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/taws_act/taws_act.h"
#include "cosim/stimulus.h"

#define PAIRS (SM_BLOCKS * (SM_BLOCKS - 1) / 2)

enum { NOBODY = -1 };

enum pipeline { NOTHING, SP, SFU, GMEM, STCMEM };

struct warp {
    enum pipeline ready; /* for */
    int loads, held_back, loads_held_back;
    int block;
};

struct block {
    int stalled;     /* warps at a barrier, or done */
    int launched;    /* as the how manieth; no two alike */
    int last_issued; /* warp, or NOBODY */
};

struct bench {
    struct warp warps[NUM_WARPS];
    struct block blocks[SM_BLOCKS];
    int closed[STCMEM + 1]; /* pipelines that other units withhold */
    int global;             /* greed */
    uint64_t may;
};

/* No block has a stalled warp or remembers one; the lower context is the older; no warp is ready. */
static struct bench open_bench(void)
{
    struct bench b = {.global = 0};
    for (int n = 0; n < SM_BLOCKS; n++)
        b.blocks[n] = (struct block){.launched = n, .last_issued = NOBODY};
    return b;
}

static int can_issue(const struct bench *b, int warp)
{
    const struct warp *w = &b->warps[warp];
    return w->ready != NOTHING && !w->held_back && !b->closed[w->ready] &&
           !(w->ready == GMEM && w->loads && w->loads_held_back) && w->block < SM_BLOCKS;
}

static int how_many_can(const struct bench *b)
{
    int number = 0;
    for (int w = 0; w < NUM_WARPS; w++)
        number += can_issue(b, w);
    return number;
}

static int higher(const struct block *x, const struct block *y)
{
    return x->stalled != y->stalled ? x->stalled > y->stalled : x->launched < y->launched;
}

/* The list of blocks, the highest in front: each is put in before the first that it is higher than. */
static void rank(const struct bench *b, int *list)
{
    for (int n = 0; n < SM_BLOCKS; n++) {
        int place = 0;
        while (place < n && !higher(&b->blocks[n], &b->blocks[list[place]]))
            place++;
        memmove(&list[place + 1], &list[place], (size_t)(n - place) * sizeof *list);
        list[place] = n;
    }
}

/* The warp of this block that issued last, if it can now. */
static int last_of(const struct bench *b, int block)
{
    const int warp = b->blocks[block].last_issued;
    return warp != NOBODY && warp < NUM_WARPS && b->warps[warp].block == block && can_issue(b, warp)
               ? warp
               : NOBODY;
}

/* Which warps of this block may issue, as marks; are there any? */
static int issue_from(const struct bench *b, int block, int *may)
{
    int any = 0;
    for (int w = 0; w < NUM_WARPS; w++)
        if (b->warps[w].block == block && can_issue(b, w))
            may[w] = any = 1;
    if (last_of(b, block) != NOBODY) {
        memset(may, 0, NUM_WARPS * sizeof *may);
        may[last_of(b, block)] = 1;
    }
    return any;
}

/* "Runs a single warp until stalls, then fetches the thread block according to TAWS ranking" (7.2):
 * with global greed the warp that was run, whatever its block, comes before all others. */
static void plain_may(const struct bench *b, const int *list, int length, int *may)
{
    memset(may, 0, NUM_WARPS * sizeof *may);
    for (int n = 0; b->global && n < SM_BLOCKS; n++)
        if (last_of(b, n) != NOBODY) {
            may[last_of(b, n)] = 1;
            return;
        }
    for (int place = 0; place < length; place++)
        if (issue_from(b, list[place], may))
            return;
}

static void ask(struct bench *b, const int *pairs)
{
    struct taws_act_state none;
    struct taws_act_in in = {.greedy = b->global ? taws_act_greedy_global : taws_act_greedy_block};
    struct taws_act_out out;
    for (int w = 0; w < NUM_WARPS; w++) {
        const struct warp *warp = &b->warps[w];
        const uint64_t bit = UINT64_C(1) << w;
        in.ready_sp |= warp->ready == SP ? bit : 0;
        in.ready_sfu |= warp->ready == SFU ? bit : 0;
        in.ready_gmem |= warp->ready == GMEM ? bit : 0;
        in.ready_stcmem |= warp->ready == STCMEM ? bit : 0;
        in.load |= warp->loads ? bit : 0;
        in.allow |= warp->held_back ? 0 : bit;
        in.allow_load |= warp->loads_held_back ? 0 : bit;
        in.block[w] = (uint64_t)warp->block;
    }
    for (int p = SP; p <= STCMEM; p++)
        in.allow_class |= b->closed[p] ? 0 : UINT64_C(1) << (p - SP);
    for (unsigned p = 0; p < PAIRS; p++)
        bit_set(in.ahead, p, pairs[p]);
    for (unsigned n = 0; n < SM_BLOCKS; n++) {
        const int last = b->blocks[n].last_issued;
        bit_set(in.held_valid, n, last != NOBODY);
        in.held[n] = last != NOBODY ? (uint64_t)last : n % NUM_WARPS;
    }
    memset(&out, 0xff, sizeof out);
    taws_act_comb(&none, &in, &out);
    b->may = out.may;
}

static void assert_may(const struct bench *b, const int *may)
{
    for (int w = 0; w < 64; w++)
        assert_int_equal(b->may >> w & 1, w < NUM_WARPS && may[w]);
}

static void check(struct bench *b)
{
    int pairs[PAIRS], *pair = pairs, list[SM_BLOCKS], may[NUM_WARPS];
    for (int i = 0; i < SM_BLOCKS; i++)
        for (int j = i + 1; j < SM_BLOCKS; j++)
            *pair++ = higher(&b->blocks[i], &b->blocks[j]);
    rank(b, list);
    plain_may(b, list, SM_BLOCKS, may);
    ask(b, pairs);
    assert_may(b, may);
}

/* Only these warps may issue: a list that ends with NOBODY. */
static void expect(struct bench *b, const int *warps)
{
    int may[NUM_WARPS] = {0};
    for (; *warps != NOBODY; warps++)
        may[*warps] = 1;
    check(b);
    assert_may(b, may);
}
#define EXPECT(b, ...) expect(b, (const int[]){__VA_ARGS__, NOBODY})

_Static_assert(NUM_WARPS >= 4 && SM_BLOCKS >= 3, "warps and blocks of the directed cases");

/* Warps 0 and 1 of block 0, 2 and 3 of block 1, all ready. */
static struct bench two_blocks(void)
{
    struct bench b = open_bench();
    for (int w = 0; w < 4; w++)
        b.warps[w] = (struct warp){.ready = (enum pipeline)(SP + w), .block = w / 2};
    return b;
}

/* Down the list: more stalled warps, then age; blocks in which nobody can issue are passed over. */
static void blocks_are_ranked(void **unused)
{
    (void)unused;
    struct bench b = two_blocks();
    EXPECT(&b, 0, 1);
    b.blocks[1].stalled = 1;
    EXPECT(&b, 2, 3);
    b.blocks[0].stalled = 1;
    EXPECT(&b, 0, 1);
    b.blocks[0].launched = SM_BLOCKS; /* its context was given to another block */
    EXPECT(&b, 2, 3);
    b.blocks[2].stalled = 2;
    EXPECT(&b, 2, 3);
    b.warps[2].ready = b.warps[3].ready = b.warps[0].ready = NOTHING;
    EXPECT(&b, 1);
    b.warps[1].ready = NOTHING;
    EXPECT(&b, NOBODY);
}

/* Inside the block: the last issued, "if not available" all, for wia to choose. A better block comes
 * before it, unless greed is global. */
static void greed(void **unused)
{
    (void)unused;
    struct bench b = two_blocks();
    b.blocks[0].last_issued = 1;
    EXPECT(&b, 1);
    b.warps[1].ready = NOTHING;
    EXPECT(&b, 0);
    b.warps[1].ready = SFU;
    b.blocks[1].stalled = 1;
    EXPECT(&b, 2, 3);
    b.blocks[1].last_issued = 2;
    EXPECT(&b, 2);
    b.blocks[1].last_issued = NOBODY;
    b.global = 1;
    EXPECT(&b, 1);
    b.warps[1].ready = NOTHING;
    EXPECT(&b, 2, 3);
    /* Two are remembered, which taws never does: the lowest context that can go on. */
    b.blocks[1].last_issued = 3;
    EXPECT(&b, 3);
    b.warps[1].ready = SFU;
    EXPECT(&b, 1);
}

/* Whatever withholds a warp, greed and rank are as if it were not ready. */
static void what_is_withheld(void **unused)
{
    (void)unused;
    for (int global = 0; global < 2; global++) {
        struct bench b = two_blocks();
        b.global = global;
        b.blocks[0].last_issued = 1;
        b.blocks[1].last_issued = 2;
        b.warps[1].held_back = 1;
        EXPECT(&b, global ? 2 : 0);
        b.warps[1].held_back = 0;
        b.closed[SFU] = 1;
        EXPECT(&b, global ? 2 : 0);
        b.warps[1] = (struct warp){.ready = GMEM, .loads = 1, .loads_held_back = 1};
        EXPECT(&b, global ? 2 : 0);
        b.warps[1].loads = 0; /* a store */
        EXPECT(&b, 1);
        b.warps[1].held_back = b.warps[0].held_back = b.warps[2].held_back = 1;
        EXPECT(&b, 3);
        for (int p = SP; p <= STCMEM; p++)
            b.closed[p] = 1;
        EXPECT(&b, NOBODY);
    }
}

/* The slot of the remembered warp is another block's now: neither of them gains by that. */
static void remembered_of_another_block(void **unused)
{
    (void)unused;
    for (int global = 0; global < 2; global++) {
        struct bench b = two_blocks();
        b.global = global;
        b.blocks[0].last_issued = 3;
        EXPECT(&b, 0, 1);
        b.blocks[1].stalled = 1;
        EXPECT(&b, 2, 3);
        b.warps[2].ready = b.warps[3].ready = NOTHING;
        EXPECT(&b, 0, 1);
    }
}

/* Numbers that fit into the bits though there is no such warp or context. */
static void numbers_beyond(void **unused)
{
    (void)unused;
    for (int global = 0; global < 2; global++) {
        struct bench b = two_blocks();
        b.global = global;
        for (int warp = NUM_WARPS; warp < 1 << CLOG2(NUM_WARPS); warp++) {
            b.blocks[0].last_issued = warp;
            EXPECT(&b, 0, 1);
        }
        for (int block = SM_BLOCKS; block < 1 << CLOG2(SM_BLOCKS); block++) {
            b.warps[0].block = b.warps[1].block = block;
            b.blocks[0].last_issued = 1;
            EXPECT(&b, 2, 3);
        }
    }
}

static void random_warps(struct stimulus *r, struct bench *b)
{
    const int crowd = (int)stimulus_below(r, 4), blocks = 1 + (int)stimulus_below(r, SM_BLOCKS);
    for (int w = 0; w < NUM_WARPS; w++) {
        struct warp *warp = &b->warps[w];
        warp->ready = stimulus_once_in(r, UINT64_C(1) << 2 * crowd)
                          ? (enum pipeline)stimulus_below(r, 5)
                          : NOTHING;
        warp->loads = stimulus_once_in(r, 2);
        warp->held_back = stimulus_once_in(r, 4);
        warp->loads_held_back = stimulus_once_in(r, 3);
        warp->block = (int)stimulus_below(r, (uint64_t)blocks);
        if (stimulus_once_in(r, 16))
            warp->block = (int)stimulus_below(r, 1u << CLOG2(SM_BLOCKS));
    }
    for (int p = SP; p <= STCMEM; p++)
        b->closed[p] = stimulus_once_in(r, 5);
    b->global = stimulus_once_in(r, 2);
    for (int n = 0; n < SM_BLOCKS; n++) {
        b->blocks[n].stalled = (int)stimulus_below(r, 3);
        b->blocks[n].last_issued = b->global && !stimulus_once_in(r, SM_BLOCKS)
                                       ? NOBODY
                                       : (int)stimulus_below(r, 1u << CLOG2(NUM_WARPS));
    }
}

/* Cycle after cycle, as blocks come and go. */
static void random_cycles(void **unused)
{
    (void)unused;
    unsigned several = 0, one_of_several = 0, none = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct stimulus r = stimulus_start(seed);
        struct bench b = open_bench();
        for (int cycle = 0; cycle < 10000; cycle++) {
            random_warps(&r, &b);
            b.blocks[stimulus_below(&r, SM_BLOCKS)].launched = SM_BLOCKS + cycle;
            check(&b);
            none += how_many_can(&b) == 0;
            one_of_several += how_many_can(&b) > 1 && !(b.may & (b.may - 1));
            several += (b.may & (b.may - 1)) != 0;
        }
    }
    /* The cycles were such that everything occurred. */
    assert_true(several > 1000 && one_of_several > 1000 && none > 1000);
}

/* The block that beats all others with a warp that can issue: who wins as many games as they are. */
static int winner_of(const struct bench *b, const int *pairs)
{
    int plays[SM_BLOCKS] = {0}, wins[SM_BLOCKS] = {0}, others = -1, winner = NOBODY;
    for (int w = 0; w < NUM_WARPS; w++)
        if (can_issue(b, w))
            plays[b->warps[w].block] = 1;
    for (int i = 0; i < SM_BLOCKS; i++)
        for (int j = i + 1; j < SM_BLOCKS; j++, pairs++)
            if (plays[i] && plays[j])
                wins[*pairs ? i : j]++;
    for (int n = 0; n < SM_BLOCKS; n++)
        others += plays[n];
    for (int n = 0; n < SM_BLOCKS; n++)
        if (plays[n] && wins[n] == others)
            winner = n;
    return winner;
}

/* Pairs as they please: without a winner nobody may issue, but a warp that goes on, globally. */
static void pairs_in_no_order(void **unused)
{
    (void)unused;
    struct stimulus r = stimulus_start(1);
    int winners = 0, circles = 0;
    for (int cycle = 0; cycle < 200000; cycle++) {
        struct bench b = open_bench();
        int pairs[PAIRS], may[NUM_WARPS];
        random_warps(&r, &b);
        for (int p = 0; p < PAIRS; p++)
            pairs[p] = stimulus_once_in(&r, 2);
        const int winner = winner_of(&b, pairs);
        plain_may(&b, &winner, winner != NOBODY, may);
        ask(&b, pairs);
        assert_may(&b, may);
        winners += winner != NOBODY;
        circles += winner == NOBODY && how_many_can(&b) > 0;
    }
    assert_true(winners > 1000 && circles > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_ranked), cmocka_unit_test(greed),
        cmocka_unit_test(what_is_withheld),  cmocka_unit_test(remembered_of_another_block),
        cmocka_unit_test(numbers_beyond),    cmocka_unit_test(random_cycles),
        cmocka_unit_test(pairs_in_no_order),
    };
    return cmocka_run_group_tests_name("cmodel/taws_act", tests, NULL, NULL);
}
