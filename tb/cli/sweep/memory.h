/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/memory.h: allocation that ends the command when there is no memory. */
#ifndef HEDDLE_TB_CLI_SWEEP_MEMORY_H
#define HEDDLE_TB_CLI_SWEEP_MEMORY_H

#include <stddef.h>

#include "tb/arena.h"

/* As realloc(). */
void *more(void *old, size_t size);

/* A text as by printf(), for the caller to free. */
__attribute__((format(printf, 1, 2))) char *text_of(const char *format, ...);

__attribute__((noreturn)) void no_memory(void);

/* A copy that lives as long as the arena, for any type, with a zero byte behind it. */
void *arena_copy(struct arena *, const void *data, size_t size);

#endif
