/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/camp.h: what the files of `heddle model camp` share. */
#ifndef HEDDLE_TB_CLI_MODEL_CAMP_H
#define HEDDLE_TB_CLI_MODEL_CAMP_H

#include "tb/cli/model/program.h"

#define NUM_CAMP_MODELS 3 /* enum camp_model */

/* What the three models say of two programs. */
struct camp_pair {
    const struct model_program *programs; /* two */
    unsigned ways;
    double uses[MODEL_PAIR]; /* ways of each, where nobody else takes any */
    struct camp_equilibria says[NUM_CAMP_MODELS];
    enum camp_error error[NUM_CAMP_MODELS]; /* CAMP_ROOM_LEFT has an answer, too */
    const struct model_measured *measured;  /* NULL: nothing was measured */
    struct camp_equilibria by_spi; /* measured: of CAMP, where each has the machine's SPI */
    enum camp_error by_spi_error;
};

const char *camp_model_name(enum camp_model);

/* Is there an answer? */
int camp_has_answer(const struct camp_pair *, enum camp_model);

/* Ways of a program at an equilibrium. */
double camp_ways_at(const struct camp_pair *, enum camp_model, unsigned equilibrium,
                    unsigned program);

/* What a model, the profiles or the machine say; `over`: the speed over that with all ways. camp_rows.c */
struct camp_row {
    double ways[MODEL_PAIR], mpa[MODEL_PAIR], spi[MODEL_PAIR], over[MODEL_PAIR];
};
struct camp_row camp_row_at(const struct camp_pair *, enum camp_model, unsigned equilibrium);
struct camp_row camp_row_with(const struct camp_pair *,
                              const double ways[MODEL_PAIR]); /* by the profiles */
struct camp_row camp_row_measured(const struct camp_pair *);
/* With the machine's SPI the ways that CAMP finds. Returns 0, or -1: it finds none, or the programs fit the cache. */
int camp_row_by_spi(const struct camp_pair *, struct camp_row *);

/* Writes a row for each program and model that has an answer and, of two that were measured, with the ways that the machine gave ("known"), and with the SPI that it
 * had ("known_spi").
 * Returns 0, or -1 with the reason on stderr. */
int camp_csv(const char *path, const struct camp_pair *);

/* Prints a row for each equilibrium of each model, the machine's, and how far off each model's answer is. camp_tables.c */
void camp_print_pair(const struct camp_pair *);

/* Prints one program as it ran alone. */
void camp_print_alone(const struct model_program *, char letter);

/* Prints how several programs share the cache. */
void camp_print_share(const struct model_program *programs, unsigned num, unsigned ways,
                      const struct camp_share *);

/* Draws the curves of all programs and, of two, each model's answer (`pair`, else NULL). Returns 0, or -1 with the reason on
 * stderr. camp_picture.c */
int camp_picture(const char *path, const struct model_program *programs, unsigned num,
                 unsigned ways, const struct camp_pair *pair);

#endif
