/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/engine/engine.h: `heddle report --engine`: what Poise's inference engine did in each epoch, from the log that it leaves in
 * a statistics file (tb/units/poise.rows). */
#ifndef HEDDLE_TB_CLI_ENGINE_ENGINE_H
#define HEDDLE_TB_CLI_ENGINE_ENGINE_H

#include "tb/cli/map/map.h"

enum engine_column {
#define COLUMN(name, point, unit, meaning) ENGINE_##name,
#include "tb/units/poise.rows"
    NUM_ENGINE_COLUMNS
};

enum engine_end {
#define WORD(name, word, meaning) ENGINE_##name##_##word,
#include "tb/units/poise.rows"
    NUM_ENGINE_ENDS
};

struct epoch {
    const char *kernel;
    int launch; /* its place in the file's kernels */
    int sm;
    double value[NUM_ENGINE_COLUMNS]; /* NAN: none */
    enum engine_end ended;
};

struct engine {
    struct cJSON *file;   /* which `kernel` of the epochs points into */
    const char **kernels; /* the names of those that have epochs, each once */
    int num_kernels;
    struct epoch *epochs;
    int count;
    double left_out; /* rows that the log has not */
};

/* Which epochs; and which map is drawn below them. */
struct engine_choice {
    const char *kernel;  /* NULL: of all */
    int sm;              /* -1: of all */
    const char *results; /* of a sweep, or NULL */
    struct map_choice map;
};

/* Reads the epochs that are chosen. Returns 0, or -1 with the reason on stderr; engine_free is due in either case. */
int engine_read(struct engine *, const struct engine_choice *, const char *path);
void engine_free(struct engine *);

/* Prints them, and their means by kernel. */
void engine_table(const struct engine *);

/* Draws what was predicted and what was found in the plane of (N, p), a panel for each kernel, into a .svg, .png or .pdf file. Returns 0,
 * or -1 with the reason on stderr. */
int engine_picture(const struct engine *, const struct engine_choice *, const char *path);

/* All of this. Returns 0, or -1 with the reason on stderr; `picture` may be NULL. */
int engine_report(const struct engine_choice *, const char *path, const char *picture);

#endif
