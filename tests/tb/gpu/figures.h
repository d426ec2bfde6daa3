/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/figures.h: figures that micro-benchmarks measure, each beside what follows from the
 * configuration, as assertions and as a table. */
#ifndef HEDDLE_TESTS_TB_GPU_FIGURES_H
#define HEDDLE_TESTS_TB_GPU_FIGURES_H

#include <math.h>

#include "tests/tb/gpu/bench.h"

#define MOST_FIGURES 100

struct figure {
    char name[80];
    const char *formula;
    double expected, measured;
};
static struct figure figures[MOST_FIGURES];
static unsigned num_figures;

/* Notes a figure, and fails the test if it is not between `least` and `most`. */
static void figure_between(const char *name, const char *formula, double expected, double measured,
                           double least, double most)
{
    assert_true(num_figures < MOST_FIGURES);
    struct figure *f = &figures[num_figures++];
    snprintf(f->name, sizeof f->name, "%s", name);
    f->formula = formula;
    f->expected = expected;
    f->measured = measured;
    if (measured < least || measured > most)
        fail_msg("%s: measured %.6g; expected %.6g (%s), at least %.6g and at most %.6g", name,
                 measured, expected, formula, least, most);
}

/* A figure that is exact but for the rounding of its division. */
static void figure(const char *name, const char *formula, double expected, double measured)
{
    figure_between(name, formula, expected, measured, expected * (1 - 1e-9), expected * (1 + 1e-9));
}

/* What limits a rate: a part that serves so much in a cycle; or (round_trip) requests, each of
 * `size`, of which `count` can be under way, each for as many cycles at least. */
struct limit {
    const char *formula;
    double rate;
    double count, size, round_trip;
};

#define SHARE 0.05 /* by which a rate may miss its limit: the ends of a run */

/* A rate is that of what limits it, less a `share`. If the requests under way could do less than twice of what the
 * slowest part can, they wait for each other by chance; then the rate is at least that of requests
 * that all queue up there (Zahorjan, Sevcik, Eager, Galler: Balanced Job Bound Analysis of Queueing
 * Networks, CACM 1982). */
static void figure_rate_but(const char *name, const struct limit *limits, unsigned count,
                            double measured, double share)
{
    const struct limit *served = NULL, *requests = NULL;
    for (unsigned i = 0; i < count; i++) {
        const struct limit **least = limits[i].round_trip > 0 ? &requests : &served;
        *least = *least && (*least)->rate <= limits[i].rate ? *least : &limits[i];
    }
    const int by_chance = requests && requests->rate < 2 * served->rate;
    const struct limit *limit = by_chance && requests->rate < served->rate ? requests : served;
    double least = limit->rate;
    if (by_chance)
        least = requests->count * requests->size /
                (requests->round_trip + (requests->count - 1) * requests->size / served->rate);
    figure_between(name, limit->formula, limit->rate, measured, least * (1 - share),
                   limit->rate * (1 + share));
}
static void figure_rate(const char *name, const struct limit *limits, unsigned count,
                        double measured)
{
    figure_rate_but(name, limits, count, measured, SHARE);
}
#define FIGURE_RATE(name, limits, measured)                                                        \
    figure_rate(name, limits, sizeof limits / sizeof *limits, measured)

static inline struct limit requests_limit(const char *formula, double count, double size,
                                          double round_trip)
{
    return (struct limit){formula, count * size / round_trip, count, size, round_trip};
}

static inline void print_figures(void)
{
    printf("\n| figure, %s | formula | expected | measured |\n| --- | --- | ---: | ---: |\n",
           CONFIG_NAME);
    for (unsigned i = 0; i < num_figures; i++)
        printf("| %s | %s | %.5g | %.5g |\n", figures[i].name, figures[i].formula,
               figures[i].expected, figures[i].measured);
}

#endif
