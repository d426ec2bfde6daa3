/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/cost.h: what a unit costs: the result of its synthesis, from this tree's builds or from the unit's page of evidence. */
#ifndef HEDDLE_TB_CLI_COST_H
#define HEDDLE_TB_CLI_COST_H

#include <stddef.h>

#include "tb/notes.h"

/* What is told of a cost: the note, the head of its column in a page of evidence, in words, its unit, and a note whose value stands behind that; NULL: none does. */
struct cost_row {
    const char *name, *head, *what, *unit, *of;
};
#define NUM_COST_ROWS 5
extern const struct cost_row cost_rows[NUM_COST_ROWS];

/* Letters, digits, '_' and '-', at most 63: a name that may become part of a path. */
int is_plain_name(const char *);

/* Reads what one instance of a unit costs on a configuration, both of plain names; `build` is the folder of this build. `from`
 * becomes the file, from the top of the tree on. Returns 0, or -1: there is no report. */
int cost_read(struct notes *, const char *build, const char *config, const char *unit, char *from,
              size_t size);

/* Reads a row of the table "Synthesis on each configuration" of a page of evidence as the notes that a result of synthesis has.
 * Returns 0, or -1: the text has none for this configuration. */
int cost_of_evidence(struct notes *, const char *text, const char *config);

#endif
