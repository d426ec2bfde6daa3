/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/rlws_act/rlws_act_test.c: the C reference against the words of RLWS IV-A, IV-F and table
 * I. Warps are asked one by one what they would issue; the choice is that of plain_pick.h. Nothing is
 * shared with rlws_act.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/rlws_act/rlws_act.h"
#include "cosim/stimulus.h"
#include "tests/cmodel/plain_pick.h"

enum pipeline { NOTHING, SP, SFU, GMEM, STCMEM }; /* table I, in its order */

struct warp {
    enum pipeline ready; /* for */
    int loads, held, loads_held;
};

struct bench {
    struct warp warps[NUM_WARPS];
    int closed[ACTIONS]; /* pipelines that other units withhold */
    int rested;
    struct choice choice;
    struct rlws_act_out out;
};

static int can_issue(const struct bench *b, const struct warp *w)
{
    return w->ready != NOTHING && !w->held && !b->closed[w->ready] &&
           !(w->ready == GMEM && w->loads && w->loads_held);
}

/* Table I; "when at least one of the other actions is possible, action NO_INSTR is not repeated in
 * consecutive cycles". */
static void plain_possible(struct bench *b)
{
    int *possible = b->choice.possible, others = 0;
    memset(possible, 0, sizeof b->choice.possible);
    for (int w = 0; w < NUM_WARPS; w++)
        if (can_issue(b, &b->warps[w])) {
            possible[b->warps[w].ready] = 1;
            others = 1;
        }
    possible[NOTHING] = !(others && b->rested);
}

static void ask(struct bench *b, uint64_t beats)
{
    struct rlws_act_state none;
    struct rlws_act_in in = {.beats = beats,
                             .drawn = (uint64_t)b->choice.drawn,
                             .draw = (uint64_t)b->choice.draw,
                             .rested = (uint64_t)b->rested};
    for (int w = 0; w < NUM_WARPS; w++) {
        const struct warp *warp = &b->warps[w];
        const uint64_t bit = UINT64_C(1) << w;
        in.ready_sp |= warp->ready == SP ? bit : 0;
        in.ready_sfu |= warp->ready == SFU ? bit : 0;
        in.ready_gmem |= warp->ready == GMEM ? bit : 0;
        in.ready_stcmem |= warp->ready == STCMEM ? bit : 0;
        in.load |= warp->loads ? bit : 0;
        in.allow |= warp->held ? 0 : bit;
        in.allow_load |= warp->loads_held ? 0 : bit;
    }
    for (int p = SP; p <= STCMEM; p++)
        in.allow_class |= b->closed[p] ? 0 : UINT64_C(1) << (p - SP);
    memset(&b->out, 0xff, sizeof b->out);
    rlws_act_comb(&none, &in, &b->out);
    /* The one class that the action names. */
    static const uint64_t only[] = {0, 1, 2, 4, 8};
    assert_in_range(b->out.action, 0, ACTIONS - 1);
    assert_int_equal(b->out.only, only[b->out.action]);
}

static void check(struct bench *b)
{
    plain_possible(b);
    ask(b, plain_beats(&b->choice));
    assert_int_equal(b->out.action, plain_pick(&b->choice));
}

static void random_cycle(struct stimulus *r, struct bench *b)
{
    const int crowd = (int)stimulus_below(r, 4);
    for (int w = 0; w < NUM_WARPS; w++) {
        struct warp *warp = &b->warps[w];
        warp->ready = stimulus_once_in(r, UINT64_C(1) << 2 * crowd)
                          ? (enum pipeline)stimulus_below(r, 5)
                          : NOTHING;
        warp->loads = stimulus_once_in(r, 2);
        warp->held = stimulus_once_in(r, 4);
        warp->loads_held = stimulus_once_in(r, 3);
    }
    for (int p = SP; p <= STCMEM; p++)
        b->closed[p] = stimulus_once_in(r, 5);
    for (int a = 0; a < ACTIONS; a++)
        b->choice.q[a] = (double)stimulus_below(r, 4) - 2;
    b->choice.drawn = stimulus_once_in(r, 3);
    b->choice.draw = (int)stimulus_below(r, DRAWS);
}

/* Cycle after cycle, as a scheduler sees them. */
static void random_cycles(void **unused)
{
    (void)unused;
    unsigned taken[ACTIONS] = {0}, idle = 0, again = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct stimulus r = stimulus_start(seed);
        struct bench b = {0};
        for (int cycle = 0; cycle < 10000; cycle++) {
            random_cycle(&r, &b);
            check(&b);
            const int none = b.out.action == rlws_act_action_no_instr;
            int other = 0;
            for (int a = SP; a <= STCMEM; a++)
                other |= b.choice.possible[a];
            assert_false(none && b.rested && other);
            idle += none && other;
            again += none && b.rested;
            b.rested = none;
            taken[b.out.action]++;
        }
    }
    /* The cycles were such that everything occurred. */
    for (int a = 0; a < ACTIONS; a++)
        assert_true(taken[a] > 10000);
    assert_true(idle > 1000 && again > 1000);
}

/* A bench in which the actions of `set` are possible, a bit each, and no others. */
static struct bench with_possible(unsigned set)
{
    struct bench b = {.rested = !(set & 1)};
    int w = 0;
    for (int p = SP; p <= STCMEM; p++)
        if (set >> p & 1)
            b.warps[w++].ready = (enum pipeline)p;
    plain_possible(&b);
    for (int a = 0; a < ACTIONS; a++)
        assert_int_equal(b.choice.possible[a], set >> a & 1);
    return b;
}

_Static_assert(NUM_WARPS >= 4, "a warp for each pipeline");

/* Whatever is possible, whatever pairs say: who wins against all others; else, as nothing can mean
 * anything then, the lowest possible one. */
static void all_pairs(void **unused)
{
    (void)unused;
    int orders = 0, circles = 0;
    for (unsigned set = 1; set < 1 << ACTIONS; set++)
        for (uint64_t beats = 0; beats < 1 << PAIRS; beats++) {
            struct bench b = with_possible(set);
            int list[ACTIONS], winner = plain_winner(&b.choice, beats);
            plain_list(&b.choice, list);
            ask(&b, beats);
            assert_int_equal(b.out.action, winner < 0 ? list[0] : winner);
            winner < 0 ? circles++ : orders++;
        }
    assert_true(orders > 10000 && circles > 1000);
}

/* Each possible action is drawn as often as the others, but for one draw of 256. */
static void draws_are_uniform(void **unused)
{
    (void)unused;
    for (unsigned set = 1; set < 1 << ACTIONS; set++) {
        int times[ACTIONS] = {0}, list[ACTIONS], length = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            struct bench b = with_possible(set);
            length = plain_list(&b.choice, list);
            b.choice.drawn = 1;
            b.choice.draw = draw;
            check(&b);
            times[b.out.action]++;
        }
        for (int a = 0; a < ACTIONS; a++)
            assert_true(set >> a & 1 ? fabs(times[a] - (double)DRAWS / length) < 1 : !times[a]);
    }
}

/* When all Q are alike, as at the start of a kernel: nothing is issued in every second cycle, and
 * otherwise the lowest class. */
static void ties_go_down(void **unused)
{
    (void)unused;
    struct bench b = {.rested = 0};
    for (int w = 0; w < NUM_WARPS; w++)
        b.warps[w].ready = w % 2 ? SFU : STCMEM;
    for (int cycle = 0; cycle < 10; cycle++) {
        check(&b);
        assert_int_equal(b.out.action, cycle % 2 ? SFU : NOTHING);
        b.rested = b.out.action == NOTHING;
    }
}

/* A scheduler in which no warp can issue rests, cycle after cycle. */
static void nothing_else_is_possible(void **unused)
{
    (void)unused;
    struct bench b = {.rested = 1};
    for (int drawn = 0; drawn < 2; drawn++) {
        b.choice.drawn = drawn;
        for (b.choice.draw = 0; b.choice.draw < DRAWS; b.choice.draw++) {
            check(&b);
            assert_int_equal(b.out.action, rlws_act_action_no_instr);
        }
    }
    b.choice = (struct choice){.drawn = 0};
    b.warps[NUM_WARPS - 1] = (struct warp){.ready = GMEM, .loads = 1, .loads_held = 1};
    check(&b);
    assert_int_equal(b.out.action, rlws_act_action_no_instr);
    b.warps[NUM_WARPS - 1].loads = 0; /* a store */
    check(&b);
    assert_int_equal(b.out.action, rlws_act_action_gmem_instr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_cycles),
        cmocka_unit_test(all_pairs),
        cmocka_unit_test(draws_are_uniform),
        cmocka_unit_test(ties_go_down),
        cmocka_unit_test(nothing_else_is_possible),
    };
    return cmocka_run_group_tests_name("cmodel/rlws_act", tests, NULL, NULL);
}
