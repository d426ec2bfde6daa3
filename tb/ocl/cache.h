/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/cache.h: what the compiler has made, kept in a folder, a file for each result, so that the same need not be
 * compiled again. A result is found by a hash (XXH3, 128 bits) over all that it was made from. Processes may
 * share a folder, and anything in it may be deleted at any time. A file that is damaged is not used, and replaced.
 *
 * The folder is HEDDLE_CACHE; where that is not set, heddle in XDG_CACHE_HOME, which is ~/.cache where it is not set. Empty:
 * nothing is kept. Its results take at most HEDDLE_CACHE_MB (10^6 bytes; 1000, where it is not set): those go first
 * whose last use is longest ago. */
#ifndef HEDDLE_TB_OCL_CACHE_H
#define HEDDLE_TB_OCL_CACHE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct cache_key {
    __extension__ unsigned __int128 hash;
    int known; /* all that the result depends on is in it, and there is a folder */
};

struct cache_key cache_key(void);

/* Adds a piece; where one ends and the next begins counts. */
void cache_add(struct cache_key *, const void *bytes, size_t size);
/* Whether a text of a program may read the time of day, or files otherwise than with #include. */
int cache_text_reads(const void *text, size_t size);
/* Adds a file by its size and the time of its last change: of one that is there whole before any program is built. */
void cache_add_file(struct cache_key *, const char *path);

/* The result, malloc'ed and of *bytes, with a 0 behind it; NULL: there is none. What the compiler said goes to `log`,
 * which may be NULL. */
char *cache_find(const struct cache_key *, size_t *bytes, FILE *log);

/* Keeps a result and what the compiler said. A folder that was named and cannot be written is told on stderr, once. */
void cache_keep(const struct cache_key *, const char *result, size_t bytes, const char *said);

/* cache_trim.c: deletes results in a folder, those whose last use is longest ago first, until `most` bytes are left; and what
 * processes have left that did not come to the end of writing. No other files. */
void cache_trim(const char *folder, uint64_t most);

#endif
