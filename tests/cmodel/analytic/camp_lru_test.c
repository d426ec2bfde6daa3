/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/camp_lru_test.c: how near CAMP comes to a set with LRU replacement that two programs share whose stack distances are
 * independent draws from their histograms. What happens there is a Markov chain: its state is whose line stands at which place of the stack,
 * and the mean ways and miss rates of its steady state are exact. Nothing of this is known to the model but the histograms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/analytic/camp.h"
#include "tests/cmodel/analytic/numbers.h"

#define A 8
#define STATES                                                                                     \
    (1u                                                                                            \
     << A) /* bit i: the line at place i, 0 the most recently used one, is the second program's */
#define DISTANCE 14
#define ROOM     20000

struct stream {
    double hist[DISTANCE + 1], further; /* hist[k]: distance k, from 1 */
    double api, alpha, beta;
};

/* The mean ways and miss rates of both, in a set of which they are the steady state. */
struct steady {
    double ways[2], mpa[2], spi[2];
};

/* The stack after the line at `place` (A: a new one) of program `who` was used. */
static unsigned after(unsigned stack, unsigned place, unsigned who)
{
    const unsigned above = stack & ((1u << place) - 1),
                   below = place < A ? stack >> (place + 1) << (place + 1) : 0;
    return (below | above << 1 | who) & (STATES - 1);
}

/* Where a program's access leads with which probability: to its k-th line, or to a new one. */
static double next_states(const struct stream *s, unsigned who, unsigned stack, double share,
                          double next[STATES])
{
    double miss = 1;
    unsigned k = 0;
    for (unsigned place = 0; place < A; place++)
        if ((stack >> place & 1) == who && ++k <= DISTANCE) {
            next[after(stack, place, who)] += share * s->hist[k];
            miss -= s->hist[k];
        }
    next[after(stack, A, who)] += share * miss;
    return miss;
}

/* One access, of program 0 with probability `first`. Returns how much the state has changed. */
static double access_once(const struct stream s[2], double first, double state[STATES],
                          struct steady *is)
{
    double next[STATES] = {0}, change = 0;
    memset(is, 0, sizeof *is);
    for (unsigned stack = 0; stack < STATES; stack++) {
        if (state[stack] == 0)
            continue;
        for (unsigned who = 0; who < 2; who++)
            is->mpa[who] +=
                state[stack] *
                next_states(&s[who], who, stack, state[stack] * (who ? 1 - first : first), next);
        is->ways[1] += state[stack] * __builtin_popcount(stack);
    }
    is->ways[0] = A - is->ways[1];
    for (unsigned i = 0; i < STATES; i++) {
        change += fabs(next[i] - state[i]);
        state[i] = next[i];
    }
    return change;
}

/* The steady state. Who accesses how often depends on who misses how often, which is found by going there in small steps. */
static void steady_state(const struct stream s[2], struct steady *is)
{
    double state[STATES] = {0}, first = .5, change = 1;
    for (unsigned i = 0; i < STATES; i++)
        state[i] = 1. / STATES;
    for (unsigned i = 0; i < 100000 && change > 1e-11; i++) {
        double aps[2];
        change = access_once(s, first, state, is);
        for (unsigned k = 0; k < 2; k++) {
            is->spi[k] = s[k].alpha * is->mpa[k] + s[k].beta;
            aps[k] = s[k].api / is->spi[k];
        }
        const double step = .02 * (aps[0] / (aps[0] + aps[1]) - first);
        first += step;
        change += fabs(step);
    }
    assert_true(change <= 1e-11);
}

static void draw(struct stream *s, double used)
{
    double sum = s->further = between(.05, 2);
    for (unsigned k = 1; k <= DISTANCE; k++)
        sum += s->hist[k] = between(0, 1) < used ? between(0, 1) : 0;
    for (unsigned k = 1; k <= DISTANCE; k++)
        s->hist[k] /= sum;
    s->hist[0] = 0;
    s->further /= sum;
    s->api = exp(between(-1, 1));
    s->alpha = between(0, 3);
    s->beta = 1;
}

/* A program that has the stack distances of the stream. */
static struct camp_program program[2];
static struct camp_growth growth[2];
static const struct camp_sharer sharer[2] = {{&program[0], &growth[0]}, {&program[1], &growth[1]}};
static double room[2][ROOM];

static void profile(const struct stream s[2], enum camp_past past)
{
    for (unsigned i = 0; i < 2; i++) {
        program[i].api = s[i].api;
        program[i].alpha = s[i].alpha;
        program[i].beta = s[i].beta;
        assert_int_equal(
            camp_curve(&s[i].hist[1], DISTANCE, s[i].further, CAMP_FLAT, &program[i].curve),
            CAMP_OK);
        assert_int_equal(camp_grow(&program[i].curve, A, past, room[i], ROOM, &growth[i]), CAMP_OK);
    }
}

/* Mean errors of the ways, in ways, and of MPA and SPI, in parts; and of MPA if the right ways were known. */
struct errors {
    double ways, most, mpa, spi, known;
};

static void add(struct errors *e, enum camp_model model, const struct steady *is, double part)
{
    struct camp_equilibria found;
    assert_int_equal(camp_scan(sharer, A, model, &found), CAMP_OK);
    for (unsigned k = 0; k < 2; k++) {
        const double first = found.first[found.answer], ways = k ? A - first : first;
        e->ways += part * fabs(ways - is->ways[k]);
        e->most = fmax(e->most, fabs(ways - is->ways[k]));
        e->known += part * fabs(camp_mpa(&program[k].curve, is->ways[k]) - is->mpa[k]);
        e->mpa += part * fabs(camp_mpa(&program[k].curve, ways) - is->mpa[k]);
        e->spi += part * fabs(camp_spi(&program[k], ways) / is->spi[k] - 1);
    }
}

static void equilibria(void **unused)
{
    (void)unused;
    const char *const names[4] = {"CAMP", "AB", "MB", "CAMP, absorbed"};
    struct errors e[4] = {{0}};
    for (unsigned round = 0; round < 60; round++) {
        struct stream s[2];
        struct steady is;
        draw(&s[0], .6);
        draw(&s[1], .6);
        steady_state(s, &is);
        profile(s, CAMP_KEEP);
        for (unsigned model = 0; model < 3; model++)
            add(&e[model], (enum camp_model)model, &is, 1 / 120.);
        profile(s, CAMP_ABSORB);
        add(&e[3], CAMP_CAMP, &is, 1 / 120.);
    }
    for (unsigned i = 0; i < 4; i++)
        print_message("%s: %.3f ways (at most %.3f), MPA %.2f points, SPI %.2f %%\n", names[i],
                      e[i].ways, e[i].most, 100 * e[i].mpa, 100 * e[i].spi);
    print_message("MPA at the right ways: %.2f points\n", 100 * e[0].known);
    /* The model puts one T in place of its distribution, which shifts ways little; and MPA of the mean ways in place of the mean of MPA,
     * which is most of what is left. */
    assert_true(e[0].mpa < 1.1 * e[0].known);
    assert_true(e[0].ways < .06 && e[0].most < .3 && e[0].mpa < .03 && e[0].spi < .02);
    assert_true(e[1].ways > 3 * e[0].ways && e[2].ways > 3 * e[0].ways);
    assert_true(e[1].spi > e[0].spi && e[2].spi > e[0].spi);
}

/* Two programs that need 5 of the 8 ways each: what is real lies between equilibria, to and fro. */
static void cliff(void **unused)
{
    (void)unused;
    struct stream s[2] = {{.api = 1, .alpha = 1, .beta = 1, .further = .1},
                          {.api = 1, .alpha = 1, .beta = 1, .further = .1}};
    struct steady is;
    struct camp_equilibria e;
    s[0].hist[5] = s[1].hist[5] = .9;
    steady_state(s, &is);
    profile(s, CAMP_KEEP);
    assert_int_equal(camp_scan(sharer, A, CAMP_CAMP, &e), CAMP_OK);
    print_message("two cliffs: MPA is %.3f; CAMP has %u equilibria:", is.mpa[0], e.num);
    for (unsigned i = 0; i < e.num; i++)
        print_message(" %.2f ways, MPA %.3f%s", e.first[i], camp_mpa(&program[0].curve, e.first[i]),
                      e.unstable >> i & 1 ? " (unstable);" : ";");
    print_message("\n");
    assert_true(fabs(is.ways[0] - 4) < 1e-6);
    assert_true(e.num >= 3);
}

/* A stream beside the stressmark: lines 1 .. A, each as likely, so that each distance up to k is. */
static void stressmark(void **unused)
{
    (void)unused;
    double known = 0, spread = 0, printed = 0;
    unsigned rounds = 0;
    for (unsigned round = 0; round < 20; round++) {
        struct stream s[2] = {{.api = 1}};
        struct camp_run runs[A];
        struct camp_program p;
        struct fit line;
        enum fit_error why;
        draw(&s[0], 1);
        s[0].api = .2;
        for (unsigned k = 1; k <= A; k++) {
            struct steady is;
            s[1] = (struct stream){.api = 1, .beta = 1};
            for (unsigned d = 1; d <= k; d++)
                s[1].hist[d] = 1. / k;
            steady_state(s, &is);
            const double ways = camp_stress_ways(k, is.mpa[1]);
            known += fabs(ways - is.ways[1]) / A / 20;
            runs[k - 1] = (struct camp_run){ways, s[0].api, is.mpa[0], is.spi[0]};
        }
        assert_int_equal(camp_profile(runs, A, A, 1e-9, &p, &line, &why), CAMP_OK);
        assert_true(fabs(p.alpha - s[0].alpha) < 1e-6 && fabs(p.beta - 1) < 1e-6 &&
                    line.r2 > 1 - 1e-6);
        double hist[2][A], further, real = 1, is[2] = {1, 1};
        assert_int_equal(camp_histogram(&p.curve, CAMP_SPREAD, A, hist[0], &further), CAMP_OK);
        assert_int_equal(camp_histogram(&p.curve, CAMP_AT_END, A, hist[1], &further), CAMP_OK);
        for (unsigned k = 1; k < A; k++) {
            real -= s[0].hist[k];
            is[0] -= hist[0][k - 1];
            is[1] -= hist[1][k - 1];
            spread += fabs(is[0] - real) / (A - 1);
            printed += fabs(is[1] - real) / (A - 1);
        }
        rounds++;
    }
    print_message(
        "stressmark: its ways to %.3f; MPA of the other to %.2f points, as printed %.2f\n", known,
        100 * spread / rounds, 100 * printed / rounds);
    assert_true(spread < printed);
    assert_true(spread / rounds < .05);
}

/* The chain itself: one program alone, with all lines of its own, misses what is further than A. */
static void the_chain_is_right(void **unused)
{
    (void)unused;
    struct stream s[2];
    struct steady is;
    double state[STATES] = {0}, further;
    assert_int_equal(after(0x2d, 3, 1), 0x2b); /* places 0 to 3, 1 0 1 1, become 1 1 0 1 */
    assert_int_equal(after(0x81, A, 0), 0x02);
    draw(&s[0], .6);
    draw(&s[1], .6);
    state[0] = 1;
    access_once(s, 1, state, &is);
    further = s[0].further;
    for (unsigned k = A + 1; k <= DISTANCE; k++)
        further += s[0].hist[k];
    assert_true(fabs(is.mpa[0] - further) < 1e-12 && fabs(is.mpa[1] - 1) < 1e-12);
    assert_true(fabs(is.ways[0] - A) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chain_is_right),
        cmocka_unit_test(equilibria),
        cmocka_unit_test(cliff),
        cmocka_unit_test(stressmark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
