/* SPDX-License-Identifier: Apache-2.0 */
/* synth/liberty/liberty.h: a Liberty file as a tree. Liberty is the format in which a library of standard
 * cells says what its cells do, how large and fast they are, and what they consume:
 *
 *   library(name) {                 a group: its type, names in brackets, and what it holds
 *     time_unit : "1ns";            an attribute of one value
 *     capacitive_load_unit (1,pf);  an attribute of several
 *     cell (NAND2X1) { ... }
 *   }
 *
 * Everything is kept, nothing is understood here: library.h does that. */
#ifndef HEDDLE_SYNTH_LIBERTY_H
#define HEDDLE_SYNTH_LIBERTY_H

#include <stdio.h>

#include "tb/arena.h"

#define LIBERTY_DEPTH 32 /* groups within groups */

/* Values and names are without their quotes and the backslashes that continue a line. */
struct liberty_attribute {
    const char *name;
    const char *const *values;
    unsigned count, line;
    struct liberty_attribute *next;
};

struct liberty_group {
    const char *type;
    const char *const *names;
    unsigned count, line;                 /* names; where it begins */
    struct liberty_attribute *attributes; /* in the order of the file */
    struct liberty_group *groups, *next;
};

struct liberty {
    const char *path;
    struct liberty_group *library;
    struct arena memory;
};

/* Returns 0, or -1: the file cannot be read or is no Liberty file, and `err` has been told where and why.
 * liberty_free is due either way. */
int liberty_read(struct liberty *, const char *path, FILE *err);
void liberty_free(struct liberty *);

/* The same of a text of `size` bytes; `path`, which the tree has already, names it in messages. */
int liberty_parse(struct liberty *, const char *text, size_t size, FILE *err);

/* Says `path:line: error: ...` in one line, whatever bytes of the file are among what it says. Returns -1. */
__attribute__((format(printf, 4, 5))) int liberty_error(const struct liberty *, FILE *err,
                                                        unsigned line, const char *format, ...);

/* The attribute of this name, the last if there are several, or NULL. */
const struct liberty_attribute *liberty_attribute(const struct liberty_group *, const char *name);

/* Its first value, or NULL. */
const char *liberty_value(const struct liberty_group *, const char *name);

/* The first group of this type in a group, the next one of the same type behind a group; or NULL. */
const struct liberty_group *liberty_first(const struct liberty_group *, const char *type);
const struct liberty_group *liberty_next(const struct liberty_group *);

#endif
