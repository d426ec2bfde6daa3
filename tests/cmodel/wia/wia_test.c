/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/wia/wia_test.c: the C reference against the papers' rules, restated as plainly as
 * they are written: ages are birth dates, round robin counts upwards, groups are lists. Nothing is
 * shared with wia.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/wia/wia.h"
#include "cosim/stimulus.h"

void wia_stimulus(struct stimulus *, void *);

#define NOBODY (-1)

/* The rules' own memory. */
struct plain {
    long born[NUM_WARPS]; /* date of assignment; at reset warp i was born before warp i + 1 */
    long date;
    int last;      /* granted last, for round robin */
    int group;     /* tl: the fetch group that has the turn */
    int greedy_on; /* who GTO would go on with, or NOBODY */
    int owes; /* who has issued under GTLS and is still to be told from its birth date, or NOBODY */
    long since
        [NUM_WARPS]; /* GTLS by a clock for each warp: its last issue under GTLS, or its assignment */
    long before;     /* what the clock of `owes` showed before that issue */
    long time;
};

static void plain_reset(struct plain *p)
{
    for (int w = 0; w < NUM_WARPS; w++)
        p->born[w] = w;
    p->date = NUM_WARPS;
    p->last = p->group = 0;
    p->greedy_on = p->owes = NOBODY;
    for (int w = 0; w < NUM_WARPS; w++)
        p->since[w] = w;
    p->time = NUM_WARPS;
}

static int has(uint64_t set, int warp)
{
    return (int)(set >> warp & 1);
}

/* May this warp issue, given its class, the classes allowed and the throttling of loads? */
static int eligible(const struct wia_in *in, int w)
{
    int by_class = (has(in->ready_sp, w) && has(in->allow_class, 0)) ||
                   (has(in->ready_sfu, w) && has(in->allow_class, 1)) ||
                   (has(in->ready_gmem, w) && has(in->allow_class, 2) &&
                    !(has(in->load, w) && !has(in->allow_load, w))) ||
                   (has(in->ready_stcmem, w) && has(in->allow_class, 3));
    return by_class && has(in->allow, w);
}

static int extreme_age(const struct plain *p, const struct wia_in *in, int youngest)
{
    int best = NOBODY;
    for (int w = 0; w < NUM_WARPS; w++)
        if (eligible(in, w) && (best == NOBODY || (youngest ? p->born[w] > p->born[best]
                                                            : p->born[w] < p->born[best])))
            best = w;
    return best;
}

/* "The warp with longest waiting time": whose clock shows the earliest time. */
static int longest_wait(const struct plain *p, const struct wia_in *in)
{
    int best = NOBODY;
    for (int w = 0; w < NUM_WARPS; w++)
        if (eligible(in, w) && (best == NOBODY || p->since[w] < p->since[best]))
            best = w;
    return best;
}

/* Goes round the warps first..first+count-1, beginning behind `after`. */
static int go_round(const struct wia_in *in, int first, int count, int after)
{
    for (int step = 1; step <= count; step++) {
        int w = first + (after - first + step + count) % count;
        if (eligible(in, w))
            return w;
    }
    return NOBODY;
}

static int sleeps(const struct wia_in *in, int group)
{
    int asleep = 0;
    for (int w = 0; w < NUM_WARPS; w++)
        asleep += w / TL_GROUP == group && has(in->long_wait, w);
    return asleep == TL_GROUP;
}

/* The group that has the turn works; when all of it sleeps, the turn is handed on, group by group,
 * to one that does not. Where all sleep it comes back to where it was. */
static int group_at_work(const struct plain *p, const struct wia_in *in)
{
    int group = p->group;
    for (int handed = 0; handed < NUM_WARPS / TL_GROUP && sleeps(in, group); handed++)
        group = group + 1 < NUM_WARPS / TL_GROUP ? group + 1 : 0;
    return group;
}

/* Round robin in the group, behind the warp granted last if that was one of it. */
static int two_level(const struct plain *p, const struct wia_in *in)
{
    int group = group_at_work(p, in), first = group * TL_GROUP;
    int goes_on = p->last / TL_GROUP == group;
    return go_round(in, first, TL_GROUP, goes_on ? p->last : first + TL_GROUP - 1);
}

static int plain_grant(const struct plain *p, const struct wia_in *in)
{
    switch (in->policy) {
    case 0: return go_round(in, 0, NUM_WARPS, p->last);
    case 1:
        return p->greedy_on != NOBODY && eligible(in, p->greedy_on) ? p->greedy_on
                                                                    : extreme_age(p, in, 0);
    case 2: return extreme_age(p, in, 0);
    case 3: return extreme_age(p, in, 1);
    case 4: return two_level(p, in);
    case 5:
        return p->greedy_on != NOBODY && eligible(in, p->greedy_on) ? p->greedy_on
                                                                    : longest_wait(p, in);
    default: return NOBODY;
    }
}

static void plain_tick(struct plain *p, const struct wia_in *in, int grant)
{
    if (in->policy == 4) /* the turn is where it was handed to, whether or not anybody issued */
        p->group = group_at_work(p, in);
    /* Who has issued under GTLS is reborn when somebody is granted or assigned next, if the policy is
     * GTLS then; else that issue is as if it had not been. */
    if (p->owes != NOBODY && (grant != NOBODY || in->alloc)) {
        if (in->policy == 5)
            p->born[p->owes] = p->date++;
        else
            p->since[p->owes] = p->before;
        p->owes = NOBODY;
    }
    if (grant != NOBODY) {
        p->last = p->greedy_on = grant;
        p->owes = in->policy == 5 ? grant : NOBODY;
        p->before = p->since[grant];
    }
    if (in->alloc && in->alloc_warp < NUM_WARPS) {
        p->born[in->alloc_warp] = p->date++;
        if (p->greedy_on == (int)in->alloc_warp)
            p->greedy_on = p->owes = NOBODY;
    }
    /* A new warp waits from the cycle of its assignment on, who issues in it only from its end. */
    if (in->alloc && in->alloc_warp < NUM_WARPS)
        p->since[in->alloc_warp] = 2 * p->time;
    if (in->policy == 5 && grant != NOBODY && !(in->alloc && (int)in->alloc_warp == grant))
        p->since[grant] = 2 * p->time + 1;
    p->time++;
}

/* The bits that other units go by: for each pair, one row after the other, is the first warp the older
 * one? Returns how many are wrong. */
static unsigned wrong_pairs(const struct wia_state *s, const struct plain *p)
{
    unsigned wrong = 0, place = 0;
    for (int i = 0; i < NUM_WARPS; i++)
        for (int j = i + 1; j < NUM_WARPS; j++)
            wrong += bit_get(s->order, place++) != (p->born[i] < p->born[j]);
    return wrong;
}

/* Steps both and compares. Returns the grant. */
static int step(struct wia_state *s, struct plain *p, const struct wia_in *in)
{
    struct wia_out out;
    memset(&out, 0xff, sizeof out);
    wia_comb(s, in, &out);
    int expected = plain_grant(p, in);
    assert_int_equal(out.grant_valid, expected != NOBODY);
    assert_int_equal(out.grant, expected == NOBODY ? 0 : expected);
    wia_tick(s, in, &out);
    const int had = p->group;
    plain_tick(p, in, expected);
    assert_int_equal(out.turn_passes, p->group != had);
    assert_int_equal(s->turn, p->group);
    assert_int_equal(s->last_valid, p->greedy_on != NOBODY);
    assert_int_equal(s->issued, p->owes != NOBODY);
    assert_int_equal(wrong_pairs(s, p), 0);
    return expected;
}

static void random_inputs(void **unused)
{
    (void)unused;
    long grants[8] = {0}, silent[8] = {0}, passes = 0, unseen = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct wia_state s;
        struct plain p;
        struct stimulus stimulus = {.random = seed * 77777, .state = &s};
        wia_reset(&s);
        plain_reset(&p);
        for (stimulus.cycle = 0; stimulus.cycle < 20000; stimulus.cycle++) {
            struct wia_in in = {0};
            wia_stimulus(&stimulus, &in);
            const int had = p.group, granted = step(&s, &p, &in);
            *(granted == NOBODY ? &silent[in.policy] : &grants[in.policy]) += 1;
            passes += p.group != had;
            unseen += p.group != had && granted == NOBODY;
        }
    }
    for (int policy = 0; policy < 8;
         policy++) { /* the comparison saw every policy act, and stay silent */
        assert_true(silent[policy] > 1000);
        assert_true(policy > 5 ? grants[policy] == 0 : grants[policy] > 10000);
    }
    /* The turn was passed, also in cycles in which nobody was granted. */
    assert_true(passes > 1000 && unseen > 100);
}

/* Directed cases: each line is one cycle. */
struct bench {
    struct wia_state s;
    struct plain p;
    struct wia_in in;
};

static void open_bench(struct bench *b, unsigned policy)
{
    memset(b, 0, sizeof *b);
    wia_reset(&b->s);
    plain_reset(&b->p);
    b->in.policy = policy;
    b->in.allow = b->in.allow_load = ~UINT64_C(0) >> (64 - NUM_WARPS);
    b->in.allow_class = 15;
}

static int ready(struct bench *b, uint64_t warps)
{
    b->in.ready_sp = warps;
    return step(&b->s, &b->p, &b->in);
}

static void alloc(struct bench *b, unsigned warp)
{
    b->in.alloc = 1;
    b->in.alloc_warp = warp;
    ready(b, 0);
    b->in.alloc = 0;
}

static void gto_is_greedy_then_oldest(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, wia_policy_gto);
    assert_int_equal(ready(&b, 0xc), 2); /* the older of 2 and 3 */
    assert_int_equal(ready(&b, 0xd), 2); /* greedy: 0 is older, but 2 can go on */
    assert_int_equal(ready(&b, 0xb), 0); /* 2 stalls: the oldest */
    assert_int_equal(ready(&b, 0x0), NOBODY);
    assert_int_equal(ready(&b, 0xf), 0); /* greed survives a cycle without a grant */
    alloc(&b, 0); /* 0 gets a new tenant: no greed for it, and it is the youngest */
    assert_int_equal(ready(&b, 0xf), 1);
    assert_int_equal(ready(&b, 0x9), 3);
    assert_int_equal(ready(&b, 0x1), 0);
}

static void youngest_follows_allocation(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, wia_policy_youngest);
    assert_int_equal(ready(&b, 0x7), 2);
    alloc(&b, 1);
    assert_int_equal(ready(&b, 0x7), 1);
    alloc(&b, 0);
    assert_int_equal(ready(&b, 0x7), 0);
}

static void gtls_is_greedy_then_longest_wait(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, wia_policy_gtls);
    assert_int_equal(ready(&b, 0xc), 2); /* nobody has issued: by number */
    assert_int_equal(ready(&b, 0xd), 2); /* greedy, although 0 and 3 have waited longer */
    assert_int_equal(ready(&b, 0xb), 0); /* 2 stalls */
    assert_int_equal(ready(&b, 0xe), 1); /* 0 stalls: 1 and 3 have never issued */
    assert_int_equal(ready(&b, 0x0), NOBODY);
    assert_int_equal(ready(&b, 0xd), 3); /* 1 stalls; 2 issued before 0, 3 never */
    assert_int_equal(ready(&b, 0x7), 2);
    alloc(&b, 3);                        /* a new warp waits from now on */
    assert_int_equal(ready(&b, 0xb), 0); /* before 1, 3 */
    assert_int_equal(ready(&b, 0xc), 2); /* it issued before 3 came */
    b.in.policy = wia_policy_oldest;     /* the order outlives the policy: 1, 3, then 0, 2 */
    assert_int_equal(ready(&b, 0x9), 3);
    assert_int_equal(ready(&b, 0xf), 1);
}

static void lrr_takes_turns(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, wia_policy_lrr);
    for (int round = 0; round < 3; round++)
        for (int w = 1; w <= 4; w++)
            assert_int_equal(ready(&b, 0xf), w % 4);
}

static void tl_stays_until_the_group_sleeps(void **unused)
{
    (void)unused;
    struct bench b;
    uint64_t first = ~UINT64_C(0) >> (64 - TL_GROUP), second = first << TL_GROUP;
    open_bench(&b, wia_policy_tl);
    assert_int_equal(ready(&b, first | second), 1);
    assert_int_equal(ready(&b, second),
                     NOBODY); /* its warps only stall for a moment: the turn stays */
    b.in.long_wait = first;
    assert_int_equal(ready(&b, second), TL_GROUP);
    b.in.long_wait = 0;
    assert_int_equal(ready(&b, first | second),
                     TL_GROUP + 1); /* and does not fall back by itself */
}

/* The event passes the turn, not the grant that may follow. */
static void tl_turn_passes_without_a_grant(void **unused)
{
    (void)unused;
    struct bench b;
    uint64_t first = ~UINT64_C(0) >> (64 - TL_GROUP), second = first << TL_GROUP;
    open_bench(&b, wia_policy_tl);
    b.in.long_wait = first;
    assert_int_equal(ready(&b, 0), NOBODY); /* the second group gets the turn, and stalls */
    b.in.long_wait = 0;
    assert_int_equal(ready(&b, first), NOBODY); /* the first is awake again: too late */
    assert_int_equal(ready(&b, first | second), TL_GROUP);
    b.in.long_wait = ~UINT64_C(0) >> (64 - NUM_WARPS);
    assert_int_equal(ready(&b, 0), NOBODY); /* all sleep: the turn stays */
    assert_int_equal(b.s.turn, 1);
    b.in.long_wait = 0;
    assert_int_equal(ready(&b, first), NOBODY);
}

static void tl_turn_rests_under_other_policies(void **unused)
{
    (void)unused;
    struct bench b;
    uint64_t first = ~UINT64_C(0) >> (64 - TL_GROUP), second = first << TL_GROUP;
    open_bench(&b, wia_policy_lrr);
    b.in.long_wait = first;
    assert_int_equal(ready(&b, second), TL_GROUP);
    b.in.policy = wia_policy_tl;
    b.in.long_wait = 0;
    assert_int_equal(ready(&b, first | second), 0);
}

static void throttling_masks_loads_only(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, wia_policy_oldest);
    b.in.ready_gmem = 3;
    b.in.load = 1;
    b.in.allow_load = ~UINT64_C(1);
    assert_int_equal(ready(&b, 0), 1); /* 0 holds a load and is throttled; 1 holds a store */
    b.in.load = 3;
    b.in.allow_load = 0;
    assert_int_equal(ready(&b, 0), NOBODY);
    assert_int_equal(ready(&b, 1), 0); /* arithmetic is not throttled by allow_load */
    b.in.allow = ~UINT64_C(1);
    assert_int_equal(ready(&b, 1), NOBODY);
    b.in.allow = ~UINT64_C(0);
    b.in.allow_class = 14;
    assert_int_equal(ready(&b, 1), NOBODY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inputs),
        cmocka_unit_test(gto_is_greedy_then_oldest),
        cmocka_unit_test(gtls_is_greedy_then_longest_wait),
        cmocka_unit_test(youngest_follows_allocation),
        cmocka_unit_test(lrr_takes_turns),
        cmocka_unit_test(tl_stays_until_the_group_sleeps),
        cmocka_unit_test(tl_turn_passes_without_a_grant),
        cmocka_unit_test(tl_turn_rests_under_other_policies),
        cmocka_unit_test(throttling_masks_loads_only),
    };
    return cmocka_run_group_tests_name("cmodel/wia", tests, NULL, NULL);
}
