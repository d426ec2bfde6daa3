/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/memory.h: memory that is there, or the command ends. */
#ifndef HEDDLE_TB_CLI_SWEEP_MEMORY_H
#define HEDDLE_TB_CLI_SWEEP_MEMORY_H

#include <obstack.h>
#include <stddef.h>
#include <stdlib.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free  free

/* As realloc(). */
void *more(void *old, size_t size);

/* A text as by printf(), for the caller to free. */
__attribute__((format(printf, 1, 2))) char *text_of(const char *format, ...);

/* Also where obstacks find no memory. */
__attribute__((noreturn)) void no_memory(void);

#endif
