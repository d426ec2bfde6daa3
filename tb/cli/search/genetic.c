/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/search/genetic.c: see genetic.h. */
#include "tb/cli/search/genetic.h"

/* At this rate a child mutates whose parents are as fit as their generation; fitter ones' mutate less. The paper has no figure. */
#define MUTATES 0.2

/* The chance of each is in proportion to its fitness. */
static const struct candidate *choose(const struct candidate *from, int population, double sum,
                                      struct chance *c)
{
    double left = chance_part(c) * sum;
    int i = 0;
    while (i < population - 1 && (left -= from[i].fitness) >= 0)
        i++;
    return &from[i];
}

static double sum_of(const struct candidate *of, int population)
{
    double sum = 0;
    for (int i = 0; i < population; i++)
        sum += of[i].fitness;
    return sum;
}

/* Two children of two parents: one point of crossover, at most one mutation each. */
static void breed(struct candidate *children, const struct candidate *last, int population,
                  struct chance *c)
{
    const double sum = sum_of(last, population);
    const struct candidate *a = choose(last, population, sum, c),
                           *b = choose(last, population, sum, c);
    const double rate = MUTATES * 2 * (sum / population) / (a->fitness + b->fitness);
    children[0] = *a;
    children[1] = *b;
    design_cross(&children[0].design, &children[1].design,
                 1 + (unsigned)chance_below(c, DESIGN_PROPERTIES - 1));
    for (int i = 0; i < 2; i++)
        if (chance_part(c) < rate)
            design_mutate(&children[i].design, c);
}

void genetic_next(struct candidate *next, int population, int generation, int random,
                  const struct candidate *last, const struct candidate *best, struct chance *c)
{
    const int fresh = GENETIC_FRESH(population);
    int children = generation == 0 || random ? 0 : population - fresh;
    for (int i = 0; i < children; i += 2) {
        struct candidate pair[2];
        breed(pair, last, population, c);
        next[i] = pair[0];
        if (i + 1 < children)
            next[i + 1] = pair[1];
    }
    for (int i = children; i < population; i++)
        if (children && generation % GENETIC_RETURN == 0)
            next[i] = best[i - children];
        else
            next[i].design = design_random(c);
}
