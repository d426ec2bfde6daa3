/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/accepted.h: PTX that was accepted as a whole, all of its kernels: its kernels can be read when they are asked for (ptx_open),
 * because reading them all would find nothing wrong. The cache has a file for each such text, of one word. What counts as
 * accepted is a matter of the reader: another build of the driver finds out anew. */
#ifndef HEDDLE_TB_OCL_ACCEPTED_H
#define HEDDLE_TB_OCL_ACCEPTED_H

#include "tb/ocl/cache.h"

/* Of a shorter text nothing is kept: it is read in a few milliseconds. */
#define ACCEPTED_LEAST_BYTES 32768

struct cache_key accepted_key(const char *ptx, size_t bytes);
int accepted_find(const struct cache_key *);
void accepted_keep(const struct cache_key *);

#endif
