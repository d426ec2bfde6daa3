/* SPDX-License-Identifier: Apache-2.0 */
/* tests/synth/wires/support.h: two inverters whose layout is drawn by hand (hand.v, hand.lef, hand.def), and changes of it. */
#ifndef HEDDLE_TESTS_WIRES_SUPPORT_H
#define HEDDLE_TESTS_WIRES_SUPPORT_H

#include "synth/wires/def.h"
#include "synth/wires/design.h"

#define HAND(ext) "tests/synth/wires/hand." ext

/* The text of a file in which `from` stands as `to`, to be freed; `from` must be there, or be "". */
char *changed(const char *path, const char *from, const char *to);

/* Writes a text to a file, calls `take`, and removes the file. What is said to `err` is then in `said`, to be freed, without the path;
 * NULL: nothing. Returns what `take` does. */
int with_file(const char *text, int (*take)(void *user, const char *path, FILE *err), void *user,
              char **said);

/* The netlist of hand.v, for a group of tests; they fail where it is refused. */
extern struct design hand;
int hand_open(void **state);
int hand_close(void **state);

/* The layout of hand.def, changed; see def_read. */
int read_changed(struct def *, const struct design *, const char *from, const char *to,
                 char **said);

/* What is said must contain the text. */
void expect_said(const char *said, const char *text, const char *about);

#endif
