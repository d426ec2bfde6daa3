/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/includes.h: the files that a program includes, as far as its text shows them: for the cache, which need not run the compiler
 * to see that a program is the same. */
#ifndef HEDDLE_TB_OCL_INCLUDES_H
#define HEDDLE_TB_OCL_INCLUDES_H

#include "tb/ocl/cache.h"

/* Adds the paths and contents of all files that may be included to the key, as the compiler would find them with these options: of all
 * branches of conditions, so of no fewer than it reads. Returns whether it knows: not where a name is computed, asked for
 * (__has_include) or not found in the program's folders, where a text reads the time of day, or without memory. */
int includes_add(struct cache_key *, const char *source, char *const *options);

#endif
