/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/rlws_ms/rlws_ms_test.c: the C reference against the words of RLWS V-D, IV-F and table IX.
 * Warps belong to blocks, some of which are on another scheduler; each says of its siblings what they
 * do. The choice is that of plain_pick.h. Nothing is shared with rlws_ms.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/rlws_ms/rlws_ms.h"
#include "cmodel/wia/wia.h"
#include "cosim/stimulus.h"
#include "tests/cmodel/plain_pick.h"

enum { GTO, YOUNGEST, LRR, YOUNGEST_BARRIER, YOUNGEST_FINISH }; /* table IX, in its order */
enum pipeline { SP, SFU, GMEM, STCMEM, NUM_PIPELINES };
enum doing { RUNS, AT_BARRIER, FINISHED };

/* The first NUM_WARPS are of the scheduler, the others of the one beside it. */
struct warp {
    int block, ready, loads, held, loads_held;
    enum pipeline next;
    enum doing doing;
};

struct bench {
    struct warp warps[2 * NUM_WARPS];
    int closed[NUM_PIPELINES]; /* that other units withhold */
    struct choice choice;
    struct rlws_ms_out out;
};

static int can_issue(const struct bench *b, int w)
{
    const struct warp *warp = &b->warps[w];
    return warp->doing == RUNS && warp->ready && !warp->held && !b->closed[warp->next] &&
           !(warp->next == GMEM && warp->loads && warp->loads_held);
}

static int has_sibling(const struct bench *b, int w, enum doing doing)
{
    for (int other = 0; other < 2 * NUM_WARPS; other++)
        if (other != w && b->warps[other].block == b->warps[w].block &&
            b->warps[other].doing == doing)
            return 1;
    return 0;
}

/* Actions among which the order of preference, or chance, decides: those by which a warp is
 * scheduled, as long as there are any. */
static void plain_possible(struct bench *b)
{
    int *possible = b->choice.possible, any = 0;
    memset(possible, 0, sizeof b->choice.possible);
    for (int w = 0; w < NUM_WARPS; w++) {
        if (!can_issue(b, w))
            continue;
        any = possible[GTO] = possible[YOUNGEST] = possible[LRR] = 1;
        possible[YOUNGEST_BARRIER] |= has_sibling(b, w, AT_BARRIER);
        possible[YOUNGEST_FINISH] |= has_sibling(b, w, FINISHED);
    }
    for (int a = 0; !any && a < ACTIONS; a++)
        possible[a] = 1;
}

static void ask(struct bench *b, uint64_t beats)
{
    struct rlws_ms_state none;
    struct rlws_ms_in in = {
        .beats = beats, .drawn = (uint64_t)b->choice.drawn, .draw = (uint64_t)b->choice.draw};
    for (int w = 0; w < NUM_WARPS; w++) {
        const struct warp *warp = &b->warps[w];
        const uint64_t bit = UINT64_C(1) << w;
        uint64_t *const ready[] = {&in.ready_sp, &in.ready_sfu, &in.ready_gmem, &in.ready_stcmem};
        *ready[warp->next] |= warp->ready && warp->doing == RUNS ? bit : 0;
        in.load |= warp->loads ? bit : 0;
        in.allow |= warp->held ? 0 : bit;
        in.allow_load |= warp->loads_held ? 0 : bit;
        in.sibling_waits |= has_sibling(b, w, AT_BARRIER) ? bit : 0;
        in.sibling_done |= has_sibling(b, w, FINISHED) ? bit : 0;
    }
    for (int p = 0; p < NUM_PIPELINES; p++)
        in.allow_class |= b->closed[p] ? 0 : UINT64_C(1) << p;
    memset(&b->out, 0xff, sizeof b->out);
    rlws_ms_comb(&none, &in, &b->out);
    assert_in_range(b->out.action, 0, ACTIONS - 1);
}

/* Table IX: by what the warp is chosen, and from which warps. */
static void assert_meaning(const struct bench *b)
{
    static const uint64_t policy[] = {wia_policy_gto, wia_policy_youngest, wia_policy_lrr,
                                      wia_policy_youngest, wia_policy_youngest};
    assert_int_equal(b->out.policy, policy[b->out.action]);
    for (int w = 0; w < NUM_WARPS; w++) {
        const int may = b->out.action == YOUNGEST_BARRIER  ? has_sibling(b, w, AT_BARRIER)
                        : b->out.action == YOUNGEST_FINISH ? has_sibling(b, w, FINISHED)
                                                           : 1;
        assert_int_equal(b->out.may >> w & 1, may);
    }
    assert_int_equal(b->out.may >> (NUM_WARPS - 1) >> 1, 0);
}

static void check(struct bench *b)
{
    plain_possible(b);
    ask(b, plain_beats(&b->choice));
    assert_int_equal(b->out.action, plain_pick(&b->choice));
    assert_meaning(b);
}

static void random_cycle(struct stimulus *r, struct bench *b)
{
    const uint64_t crowd = stimulus_below(r, 4), still = 1 + stimulus_below(r, 8),
                   blocks = 1 + stimulus_below(r, NUM_WARPS);
    for (int w = 0; w < 2 * NUM_WARPS; w++) {
        struct warp *warp = &b->warps[w];
        warp->block = (int)stimulus_below(r, blocks);
        warp->ready = stimulus_once_in(r, UINT64_C(1) << 2 * crowd);
        warp->next = (enum pipeline)stimulus_below(r, NUM_PIPELINES);
        warp->loads = stimulus_once_in(r, 2);
        warp->held = stimulus_once_in(r, 4);
        warp->loads_held = stimulus_once_in(r, 3);
        warp->doing = stimulus_once_in(r, 2 * still) ? AT_BARRIER
                      : stimulus_once_in(r, still)   ? FINISHED
                                                     : RUNS;
    }
    for (int p = 0; p < NUM_PIPELINES; p++)
        b->closed[p] = stimulus_once_in(r, 5);
    for (int a = 0; a < ACTIONS; a++)
        b->choice.q[a] = (double)stimulus_below(r, 4) - 2;
    b->choice.drawn = stimulus_once_in(r, 3);
    b->choice.draw = (int)stimulus_below(r, DRAWS);
}

static void random_cycles(void **unused)
{
    (void)unused;
    unsigned taken[ACTIONS] = {0}, impossible[ACTIONS] = {0}, stalls = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct stimulus r = stimulus_start(seed);
        struct bench b;
        for (int cycle = 0; cycle < 10000; cycle++) {
            int can = 0, left = 0;
            random_cycle(&r, &b);
            check(&b);
            for (int w = 0; w < NUM_WARPS; w++) {
                can += can_issue(&b, w);
                left += can_issue(&b, w) && b.out.may >> w & 1;
            }
            assert_true(!can || left); /* no action leaves a cycle unused */
            stalls += !can;
            taken[b.out.action]++;
            for (int a = 0; a < ACTIONS; a++)
                impossible[a] += !b.choice.possible[a];
        }
    }
    /* The cycles were such that everything occurred. */
    for (int a = 0; a < ACTIONS; a++)
        assert_true(taken[a] > 5000);
    assert_true(stalls > 10000 && !impossible[GTO] && !impossible[YOUNGEST] && !impossible[LRR]);
    assert_true(impossible[YOUNGEST_BARRIER] > 10000 && impossible[YOUNGEST_FINISH] > 10000);
}

/* Two warps can issue: one on its own, and one in a block with what makes the actions of `set`
 * possible that look for siblings. */
static struct bench with_siblings(unsigned set)
{
    struct bench b;
    memset(&b, 0, sizeof b);
    for (int w = 0; w < 2 * NUM_WARPS; w++)
        b.warps[w].block = w;
    b.warps[0].ready = b.warps[1].ready = 1;
    b.warps[NUM_WARPS].block = b.warps[NUM_WARPS + 1].block = 1;
    b.warps[NUM_WARPS].doing = set & 1 ? AT_BARRIER : RUNS;
    b.warps[NUM_WARPS + 1].doing = set & 2 ? FINISHED : RUNS;
    plain_possible(&b);
    assert_int_equal(b.choice.possible[YOUNGEST_BARRIER], set & 1);
    assert_int_equal(b.choice.possible[YOUNGEST_FINISH], set >> 1 & 1);
    return b;
}

/* Whatever pairs say: who wins against all others that are possible; else, as nothing can mean
 * anything then, the lowest possible one. */
static void all_pairs(void **unused)
{
    (void)unused;
    int orders = 0, circles = 0;
    for (unsigned set = 0; set < 4; set++)
        for (uint64_t beats = 0; beats < 1 << PAIRS; beats++) {
            struct bench b = with_siblings(set);
            const int winner = plain_winner(&b.choice, beats);
            ask(&b, beats);
            assert_int_equal(b.out.action, winner < 0 ? GTO : winner);
            assert_meaning(&b);
            winner < 0 ? circles++ : orders++;
        }
    assert_true(orders > 1000 && circles > 1000);
}

/* Each possible action is drawn as often as the others, but for one draw of 256. */
static void draws_are_uniform(void **unused)
{
    (void)unused;
    for (unsigned set = 0; set < 4; set++) {
        int times[ACTIONS] = {0}, list[ACTIONS], length = 0;
        struct bench b = with_siblings(set);
        b.choice.drawn = 1;
        for (b.choice.draw = 0; b.choice.draw < DRAWS; b.choice.draw++) {
            check(&b);
            times[b.out.action]++;
        }
        length = plain_list(&b.choice, list);
        for (int a = 0; a < ACTIONS; a++)
            assert_true(b.choice.possible[a] ? fabs(times[a] - (double)DRAWS / length) < 1
                                             : !times[a]);
    }
}

/* When all Q are alike, as at the start of a kernel, the scheduler is one with gto. */
static void ties_are_gto(void **unused)
{
    (void)unused;
    struct stimulus r = stimulus_start(1);
    for (int cycle = 0; cycle < 10000; cycle++) {
        struct bench b;
        random_cycle(&r, &b);
        memset(b.choice.q, 0, sizeof b.choice.q);
        b.choice.drawn = 0;
        assert_int_equal(plain_beats(&b.choice), (1 << PAIRS) - 1);
        check(&b);
        assert_int_equal(b.out.action, rlws_ms_action_gto);
        assert_int_equal(b.out.policy, wia_policy_gto);
    }
}

/* A sibling counts, not the warp itself: the one that runs, not those that wait. And a warp that
 * could not issue does not make an action possible. */
static void siblings_are_others(void **unused)
{
    (void)unused;
    struct bench b = with_siblings(1);
    b.choice.q[YOUNGEST_BARRIER] = 1;
    check(&b);
    assert_int_equal(b.out.action, rlws_ms_action_youngest_barrier);
    assert_int_equal(b.out.may, 2); /* its sibling is on the other scheduler */
    b.warps[1].held = 1;
    check(&b);
    assert_int_equal(b.out.action, rlws_ms_action_gto);
    b.warps[0].held = 1; /* now none can issue: all actions are alike */
    check(&b);
    assert_int_equal(b.out.action, rlws_ms_action_youngest_barrier);
    assert_int_equal(b.out.may, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_cycles),       cmocka_unit_test(all_pairs),
        cmocka_unit_test(draws_are_uniform),   cmocka_unit_test(ties_are_gto),
        cmocka_unit_test(siblings_are_others),
    };
    return cmocka_run_group_tests_name("cmodel/rlws_ms", tests, NULL, NULL);
}
