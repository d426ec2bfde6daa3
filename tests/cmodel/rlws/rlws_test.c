/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/rlws/rlws_test.c: the C reference against RLWS's rule in double precision, as the paper has it: a table of weights
 * for each variable and action, features 2^-v, SARSA. What the reference computes in words of RLWS_WEIGHT_BITS stays near it. Then what
 * the learner is for: it finds the action that pays, and finds another one when that pays instead. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/rlws/rlws.h"
#include "cosim/stimulus.h"
#include "tests/cmodel/rlws/plain.h"

#define FRACTION (RLWS_WEIGHT_BITS - 12)
#define ONE      (UINT64_C(1) << FRACTION)

/* How far a weight may be from double precision: rates have 16 bits, and all else is rounded to bits of a weight. */
#define BOUND (0.001 + 32.0 / (double)ONE)

static const double EPSILON = 0.04; /* table V, as ALPHA and GAMMA of plain.h */

static uint64_t rate_of(double rate)
{
    return (uint64_t)(rate * 65536 + 0.5);
}

static double value_of(uint64_t word)
{
    const uint64_t sign = UINT64_C(1) << (RLWS_WEIGHT_BITS - 1);
    return ((double)(word ^ sign) - (double)sign) / (double)ONE;
}

/* The unit with its inputs, as the paper sets them. */
struct bench {
    struct rlws_state s;
    struct rlws_in in;
    struct rlws_out out;
    struct stimulus random;
};

static void step(struct bench *b)
{
    rlws_comb(&b->s, &b->in, &b->out);
    rlws_tick(&b->s, &b->in, &b->out);
}

static void begin(struct bench *b)
{
    *b = (struct bench){.random = stimulus_start(7)};
    rlws_reset(&b->s);
    b->in.start = 1;
    b->in.seed = 12345;
    b->in.used = 0xff;
    b->in.reward = ONE;
    b->in.alpha = rate_of(ALPHA);
    b->in.epsilon = rate_of(EPSILON);
    b->in.gamma = rate_of(GAMMA);
    b->in.optimism = 5 * ONE / 2; /* 1 / (1 - gamma), over eight variables */
    step(b);
    b->in.start = 0;
}

/* The reward of an interval is that of a cycle, however long it is. */
static void decide_every(struct bench *b, unsigned cycles)
{
    b->in.interval = cycles - 1;
    b->in.reward = ONE / cycles;
}

static void random_cycle(struct bench *b)
{
    struct rlws_in *in = &b->in;
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        bit_set(in->acts, k, !stimulus_once_in(&b->random, 8));
        in->action[k] = stimulus_below(&b->random, 6);
        bit_set(in->issued, k, !stimulus_once_in(&b->random, 1 + in->action[k]));
        for (unsigned i = 0; i < VARIABLES; i++)
            if (stimulus_once_in(&b->random, 5))
                in->value[k * VARIABLES + i] = stimulus_below(&b->random, 8);
    }
}

static double distance(const struct bench *b, const struct plain *p)
{
    double most = 0;
    for (int i = 0; i < VARIABLES; i++)
        for (int a = 0; a < ACTIONS; a++)
            most = fmax(most, fabs(value_of(b->s.theta[i * ACTIONS + a]) - p->theta[i][a]));
    return most;
}

/* The order of actions is that of Q, where the two differ by more than the words can. */
static void assert_order(const struct bench *b, const struct plain *p, double doubt)
{
    for (int k = 0; k < SCHEDULERS; k++) {
        unsigned pair = (unsigned)k * RLWS_PAIRS;
        for (int i = 0; i < ACTIONS; i++)
            for (int j = i + 1; j < ACTIONS; j++, pair++) {
                const double more = p->agent[k].q[i] - p->agent[k].q[j];
                if (p->agent[k].seen && fabs(more) > doubt)
                    assert_int_equal(bit_get(b->s.beats, pair), more > 0);
            }
    }
}

/* Decisions every so many cycles. */
static void stays_near(unsigned every, int cycles)
{
    struct bench b;
    struct plain p = {0};
    double most = 0, largest = 0;
    begin(&b);
    decide_every(&b, every);
    for (int i = 0; i < VARIABLES; i++)
        for (int a = 0; a < ACTIONS; a++)
            p.theta[i][a] = value_of(5 * ONE / 2);
    for (int cycle = 0; cycle < cycles; cycle++) {
        random_cycle(&b);
        plain_cycle(&p, &b.in);
        step(&b);
        most = fmax(most, distance(&b, &p));
        if (cycle % 64 == 0)
            assert_order(&b, &p, BOUND * 16);
    }
    for (int i = 0; i < VARIABLES * ACTIONS; i++)
        largest = fmax(largest, fabs(value_of(b.s.theta[i])));
    printf("%d bits, decisions every %u cycles: weights differ by %.6f at most, the largest ends "
           "at %.3f\n",
           RLWS_WEIGHT_BITS, every, most, largest);
    assert_true(most < BOUND);
    assert_true(largest > 1);
}

static void stays_near_double_precision(void **unused)
{
    (void)unused;
    stays_near(1, 1000000);
    stays_near(2, 300000);
    stays_near(16, 300000);
}

/* IV-I has one register for the Q of the action before, as it was when that action was taken. Two schedulers that share their weights
 * do not settle with it where many features are 1: there the weights move by more than half of the difference each. */
static void a_kept_q_does_not_settle(void **unused)
{
    (void)unused;
    for (int kept = 0; kept < 2; kept++)
        for (int schedulers = 1; schedulers <= 2 && schedulers <= SCHEDULERS; schedulers++) {
            struct rlws_in in = {0};
            struct plain p = {.keeps_q = kept};
            for (int k = 0; k < schedulers; k++) {
                bit_set(in.acts, (unsigned)k, 1);
                bit_set(in.issued, (unsigned)k, 1);
            }
            for (int cycle = 0; cycle < 20000; cycle++)
                plain_cycle(&p, &in);
            const double off = fabs(plain_q(&p, p.agent[0].state, 0) - 1 / (1 - GAMMA));
            printf("%d schedulers, Q of the action before %s: off by %.3g\n", schedulers,
                   kept ? "kept" : "computed anew", off);
            assert_int_equal(off < 0.01, !kept || schedulers == 1);
        }
}

/* A learner that is a pipeline moves weights some cycles late. Where many features are 1 and two actions take turns, one cycle is too late
 * for two schedulers, two are for one. Deciding in every second or fourth cycle gives the change that time. */
static void a_late_change_does_not_settle(void **unused)
{
    static const struct {
        int schedulers, late, every, settles;
    } of[] = {{1, 0, 1, 1}, {1, 1, 1, 1}, {1, 2, 1, 0}, {2, 0, 1, 1},
              {2, 1, 1, 0}, {1, 2, 3, 1}, {2, 1, 2, 1}, {2, 7, 8, 1}};
    (void)unused;
    for (unsigned row = 0; row < sizeof of / sizeof *of; row++) {
        struct rlws_in in = {.interval = (uint64_t)of[row].every - 1};
        struct plain p = {.late = of[row].late};
        if (of[row].schedulers > SCHEDULERS)
            continue;
        for (int cycle = 0; cycle < 40000; cycle++) {
            for (int k = 0; k < of[row].schedulers; k++) {
                bit_set(in.acts, (unsigned)k, 1);
                bit_set(in.issued, (unsigned)k, 1);
                in.action[k] = (uint64_t)(cycle / of[row].every & 1);
            }
            plain_cycle(&p, &in);
        }
        const double off = fabs(plain_q(&p, p.agent[0].state, 0) - 1 / (1 - GAMMA));
        printf("%d schedulers, decisions every %d cycles, changes %d late: off by %.3g\n",
               of[row].schedulers, of[row].every, of[row].late, off);
        assert_int_equal(off < 0.01, of[row].settles);
    }
}

/* ---- what the words hold ---- */

/* Rewards as high, or as low, as they can be: weights go to the limit and stay there. */
static void weights_stop_at_their_limits(void **unused)
{
    (void)unused;
    const uint64_t highest = (UINT64_C(1) << (RLWS_WEIGHT_BITS - 1)) - 1, lowest = highest + 1;
    for (int up = 0; up < 2; up++) {
        struct bench b;
        begin(&b);
        b.in.alpha = b.in.gamma = UINT16_MAX;
        b.in.reward = up ? highest : lowest;
        memset(b.in.acts, 0xff, sizeof b.in.acts);
        memset(b.in.issued, 0xff, sizeof b.in.issued);
        for (int cycle = 0; cycle < 200; cycle++) {
            const struct rlws_state before = b.s;
            step(&b);
            for (int i = 0; i < VARIABLES * ACTIONS; i++) {
                const double moved = value_of(b.s.theta[i]) - value_of(before.theta[i]);
                assert_true(up ? moved >= 0 : moved <= 0);
            }
        }
        for (int i = 0; i < VARIABLES; i++) {
            assert_int_equal(b.s.theta[i * ACTIONS], up ? highest : lowest);
            assert_int_equal(b.s.theta[i * ACTIONS + 1], 5 * ONE / 2); /* never taken */
        }
    }
}

/* What all schedulers learn of one action in the same cycle adds up. */
static void no_change_is_lost(void **unused)
{
    (void)unused;
    struct bench b;
    begin(&b);
    memset(b.in.acts, 0xff, sizeof b.in.acts);
    for (int cycle = 0; cycle < 1000; cycle++) {
        for (unsigned k = 0; k < NUM_SCHEDULERS; k++)
            bit_set(b.in.issued, k, stimulus_once_in(&b.random, 2));
        const double before = value_of(b.s.theta[0]);
        step(&b);
        double sum = 0;
        for (int k = 0; k < SCHEDULERS; k++)
            sum += (double)(int64_t)(b.out.change[k] << (62 - RLWS_WEIGHT_BITS)) /
                   pow(2, 62 - RLWS_WEIGHT_BITS) / (double)ONE;
        assert_true(fabs(value_of(b.s.theta[0]) - before - sum) < 1e-9);
    }
}

/* ---- rates, kernels, and what is drawn ---- */

static void rates_decay_while_blocks_wait(void **unused)
{
    (void)unused;
    struct bench b;
    begin(&b);
    b.in.decay = 100;
    b.in.waiting = 1;
    b.in.epsilon = 40000;
    b.in.start = 1;
    step(&b);
    b.in.start = 0;
    long alpha = (long)rate_of(ALPHA), epsilon = 40000, acted = 0;
    for (int cycle = 0; cycle < 20000; cycle++) {
        const int any = !stimulus_once_in(&b.random, 3);
        bit_set(b.in.acts, 0, any);
        step(&b);
        acted += any;
        if (any && acted % 100 == 0) {
            alpha -= alpha / 8;
            epsilon -= epsilon / 8;
        }
        assert_int_equal(b.s.rate, alpha);
        assert_int_equal(b.s.explores, epsilon);
    }
    assert_true(alpha < 8);
    bit_set(b.in.acts, 0, 1);
    b.in.waiting = 0;
    step(&b);
    assert_int_equal(b.s.rate, rate_of(ALPHA));
    assert_int_equal(b.s.explores, 40000);
}

static void a_kernel_begins_anew(void **unused)
{
    (void)unused;
    struct bench b;
    begin(&b);
    for (int cycle = 0; cycle < 5000; cycle++) {
        random_cycle(&b);
        step(&b);
    }
    const struct rlws_state old = b.s;
    for (int keep = 0; keep < 2; keep++) {
        b.s = old;
        b.in.start = 1;
        b.in.keep = (uint64_t)keep;
        step(&b);
        for (int i = 0; i < VARIABLES * ACTIONS; i++)
            assert_int_equal(b.s.theta[i], keep ? old.theta[i] : b.in.optimism);
        for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
            assert_int_equal(b.s.known[k], 0);
            assert_int_equal(bits_get(b.s.beats, k * RLWS_PAIRS, RLWS_PAIRS), 0x3ff);
            assert_false(bit_get(b.s.explore, k));
        }
        /* an action that is taken before its state was seen teaches nothing, nor does the first one after it */
        const struct rlws_state begun = b.s;
        b.in.start = 0;
        memset(b.in.acts, 0xff, sizeof b.in.acts);
        for (int cycle = 0; cycle < 2; cycle++) {
            for (unsigned k = 0; k < NUM_SCHEDULERS; k++)
                b.in.action[k] = 1;
            step(&b);
            assert_memory_equal(b.s.theta, begun.theta, sizeof begun.theta);
        }
    }
}

/* One bit at a time, from the recurrence b[n] = b[n-32] + b[n-22] + b[n-2] + b[n-1]. */
static void what_is_drawn(void **unused)
{
    (void)unused;
    enum { CYCLES = 100000 };
    static unsigned char bit[32 + 24 * CYCLES];
    struct bench b;
    int explored = 0, drawn[ACTIONS] = {0};
    begin(&b);
    for (int n = 0; n < 32; n++)
        bit[n] = (12345u >> (31 - n)) & 1;
    for (int n = 32; n < 32 + 24 * CYCLES; n++)
        bit[n] = bit[n - 32] ^ bit[n - 22] ^ bit[n - 2] ^ bit[n - 1];
    bit_set(b.in.acts, 0, 1);
    b.in.alpha = 0; /* with blocks waiting the rates stay */
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        uint32_t word = 0;
        step(&b);
        for (int n = 0; n < 32; n++)
            word = word << 1 | bit[24 * (cycle + 1) + n];
        assert_int_equal(b.s.lfsr[0], word);
        assert_int_equal(bit_get(b.s.explore, 0), (word >> 16) < rate_of(EPSILON));
        explored += bit_get(b.s.explore, 0);
        if (bit_get(b.s.explore, 0))
            drawn[(word & 0xff) * ACTIONS >> 8]++;
    }
    assert_in_range(explored, 0.037 * CYCLES, 0.043 * CYCLES);
    for (int a = 0; a < ACTIONS; a++)
        assert_in_range(drawn[a], 0.16 * explored, 0.24 * explored);
}

/* ---- it learns ---- */

/* What the scheduler would do that could take any action. */
static unsigned chosen(const struct bench *b, unsigned k)
{
    if (bit_get(b->s.explore, k))
        return (unsigned)((b->s.lfsr[k] & 0xff) * ACTIONS >> 8);
    for (unsigned a = 0; a < ACTIONS; a++) {
        int best = 1;
        unsigned pair = k * RLWS_PAIRS;
        for (unsigned i = 0; i < ACTIONS; i++)
            for (unsigned j = i + 1; j < ACTIONS; j++, pair++)
                best &= !((i == a && !bit_get(b->s.beats, pair)) ||
                          (j == a && bit_get(b->s.beats, pair)));
        if (best)
            return a;
    }
    fail();
    return 0;
}

/* Runs so many cycles in which `right` pays, or right + 1 where variable 3 is high; returns how many in a hundred of the last half
 * were right. */
static double share_right(struct bench *b, int cycles, unsigned right, int by_state)
{
    int good = 0, all = 0;
    uint64_t pays[NUM_SCHEDULERS];
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++)
        pays[k] = right;
    for (int cycle = 0; cycle < cycles; cycle++) {
        for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
            b->in.action[k] = chosen(b, k);
            bit_set(b->in.issued, k, b->in.action[k] == pays[k]);
            good += cycle >= cycles / 2 && b->in.action[k] == pays[k];
            all += cycle >= cycles / 2;
            const int high = by_state && stimulus_once_in(&b->random, 2);
            b->in.value[k * VARIABLES + 3] = high ? 7 : 0;
            b->in.value[k * VARIABLES + 5] = high ? 0 : 7;
            pays[k] = high ? right + 1 : right;
        }
        step(b);
    }
    return 100.0 * good / all;
}

static void finds_the_action_that_pays(void **unused)
{
    (void)unused;
    for (unsigned right = 0; right < 2 * ACTIONS; right++) {
        struct bench b;
        const unsigned every = right < ACTIONS ? 1 : 8, pays = right % ACTIONS;
        begin(&b);
        decide_every(&b, every);
        memset(b.in.acts, 0xff, sizeof b.in.acts);
        const double first = share_right(&b, 20000 * (int)every, pays, 0),
                     changed = share_right(&b, 20000 * (int)every, (pays + 2) % ACTIONS, 0);
        printf("decisions every %u cycles, action %u pays: taken in %.1f %% of cycles; then "
               "another one: %.1f %%\n",
               every, pays, first, changed);
        assert_true(first > 94); /* one cycle in 25 explores, and finds it once in five */
        assert_true(changed > 94);
    }
}

/* Which action pays depends on the state. */
static void tells_states_apart(void **unused)
{
    (void)unused;
    struct bench b;
    begin(&b);
    memset(b.in.acts, 0xff, sizeof b.in.acts);
    const double share = share_right(&b, 100000, 1, 1);
    printf("what pays depends on two variables: taken in %.1f %% of cycles\n", share);
    assert_true(share > 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stays_near_double_precision),
        cmocka_unit_test(a_kept_q_does_not_settle),
        cmocka_unit_test(a_late_change_does_not_settle),
        cmocka_unit_test(weights_stop_at_their_limits),
        cmocka_unit_test(no_change_is_lost),
        cmocka_unit_test(rates_decay_while_blocks_wait),
        cmocka_unit_test(a_kernel_begins_anew),
        cmocka_unit_test(what_is_drawn),
        cmocka_unit_test(finds_the_action_that_pays),
        cmocka_unit_test(tells_states_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
