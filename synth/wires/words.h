/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/words.h: a text as words between white space, as LEF and DEF files are. `#` at the beginning of a word makes the
 * rest of its line a comment; a text in double quotes is one word. */
#ifndef HEDDLE_SYNTH_WIRES_WORDS_H
#define HEDDLE_SYNTH_WIRES_WORDS_H

#include <stdint.h>
#include <stdio.h>

#include "tb/arena.h"

#define WORDS_MOST_BYTES ((size_t)1 << 30) /* of a file */

struct words {
    const char *path;
    FILE *err;
    struct arena *memory; /* of what is kept */
    char *text;           /* the whole file */
    const char *at, *end;
    const char *word; /* length 0: the file has ended */
    size_t length;
    unsigned line; /* of the word */
};

/* Reads a file and takes its first word. Returns 0, or -1: `err` has been told. words_close is due either way. */
int words_open(struct words *, const char *path, struct arena *memory, FILE *err);
void words_close(struct words *);

void words_next(struct words *);

/* Whether the word is this text. */
int words_is(const struct words *, const char *text);

/* Takes the word if it is this text. Returns whether it was. */
int words_accept(struct words *, const char *text);

/* The same; if it was not, that is an error. Returns 0, or -1. */
int words_expect(struct words *, const char *text);

/* Takes everything up to and with the next `;`. Returns 0, or -1: the file has ended. */
int words_skip(struct words *);

/* Takes the word and keeps it. NULL: the file has ended, or no memory. */
const char *words_name(struct words *);

/* Takes a number. Returns 0, or -1. */
int words_number(struct words *, double *to);

/* Takes a length in units, `scale` of which are 1 in the file, up to LONGEST of them. Returns 0, or -1. */
#define LONGEST 100000000
int words_length(struct words *, double scale, int32_t *to);

/* Takes a whole number from 0 to `most`. Returns 0, or -1. */
int words_count(struct words *, uint32_t most, uint32_t *to);

/* As arena_grow; NULL: no memory, or too many, which has been said. */
void *words_grow(struct words *, void *array, uint32_t count, size_t size);

/* Says `path:line: error: ...` of the word. Returns -1. */
__attribute__((format(printf, 2, 3))) int words_error(const struct words *, const char *format,
                                                      ...);

/* Says that something else was expected than the word. Returns -1. */
int words_expected(const struct words *, const char *what);

#endif
