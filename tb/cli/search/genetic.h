/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/search/genetic.h: the genetic algorithm of RLWS IV-H. What a generation is depends on the seed and on the fitness of those before it alone. */
#ifndef HEDDLE_TB_CLI_SEARCH_GENETIC_H
#define HEDDLE_TB_CLI_SEARCH_GENETIC_H

#include "tb/cli/search/design.h"

/* Of a generation these come back, or are random; the others are children. */
#define GENETIC_FRESH(population) ((population) / 10)
/* Every so many generations the best come back. */
enum { GENETIC_RETURN = 10 };

struct candidate {
    struct design design;
    double fitness; /* mean speed over the baseline */
};

/* Fills the designs of a generation, numbered from 0; the first, or with `random` each, is drawn at random. `last` is the generation before. `best` are the
 * best GENETIC_FRESH(population) of all so far, the best first. */
void genetic_next(struct candidate *next, int population, int generation, int random,
                  const struct candidate *last, const struct candidate *best, struct chance *);

#endif
