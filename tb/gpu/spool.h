/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/spool.h: many texts that grow side by side, each of which is read once, in one piece. They
 * consist of pages. When there are more pages than memory is meant to hold, those that are full go
 * to a file, which has no name and ends with the process. */
#ifndef HEDDLE_TB_GPU_SPOOL_H
#define HEDDLE_TB_GPU_SPOOL_H

#include <stdint.h>
#include <stdio.h>

#define SPOOL_PAGE 16384 /* bytes */

struct spool;
struct spool_page;

/* One text; zeros are an empty one. */
struct spool_text {
    struct spool_page *first, *last;
};

/* A spool that keeps so many bytes of full pages in memory, and the others in a file in `folder`.
 * NULL with errno set: it cannot be made. */
struct spool *spool_open(const char *folder, uint64_t memory);

/* All texts must have been given away. NULL is allowed. */
void spool_close(struct spool *);

/* Adds to a text. Different texts may be added to from different threads. What cannot be kept is
 * lost, and spool_error says so. */
void spool_add(struct spool *, struct spool_text *, const char *bytes, uint32_t count);

/* The text rests: its last page counts as full, which it may not be, and can leave memory. */
void spool_rest(struct spool *, struct spool_text *);

/* Writes a text to `to`, whose own error indicator says whether that worked, and gives it away. */
void spool_write(struct spool *, struct spool_text *, FILE *to);

/* Gives a text away. */
void spool_drop(struct spool *, struct spool_text *);

/* The errno of what went wrong first; 0: nothing. */
int spool_error(struct spool *);

/* For tests: pages in memory, and places for pages in the file. */
void spool_pages(struct spool *, uint64_t *in_memory, uint64_t *in_file);

#endif
