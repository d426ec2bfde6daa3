/* SPDX-License-Identifier: Apache-2.0 */
/* tb/notes.h: names and values that say who made something: the version of Heddle, its commit, its compilers, the command. */
#ifndef HEDDLE_TB_NOTES_H
#define HEDDLE_TB_NOTES_H

#include <stddef.h>

struct note {
    char *name, *value;
};

/* In the order in which they were added; {0}: none. */
struct notes {
    struct note *notes;
    size_t count;
};

/* Adds a copy. Without memory it is left out. */
void notes_add(struct notes *, const char *name, const char *value);

/* Adds the lines NAME=value of a file: `identity` of a build, the result of a synthesis. Returns 0, or -1 with errno set. */
int notes_read(struct notes *, const char *path);

/* Adds those of a build, whose file `identity` this is (a version "unknown" where there is none), and the command; NULL: it is not known. */
void notes_made_by(struct notes *, const char *identity, const char *command);

/* The value; NULL: there is none. */
const char *notes_find(const struct notes *, const char *name);

void notes_free(struct notes *);

#endif
