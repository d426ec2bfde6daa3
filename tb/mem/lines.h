/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/lines.h: memory in whole cache lines of the host. SMs and memory partitions run on several
 * host threads; a line that holds data of two of them would travel from processor to processor at
 * every write. */
#ifndef HEDDLE_TB_MEM_LINES_H
#define HEDDLE_TB_MEM_LINES_H

#include <stdint.h>
#include <stdlib.h>

#define HOST_LINE 64 /* bytes */

/* Zeroed memory for `count` elements that shares no line with any other; NULL: none. What is large and never used
 * takes no memory: calloc's pages are the kernel's, which are zero. Where that memory begins stands before the first line. */
static inline void *lines_alloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - 2 * HOST_LINE)
        return NULL;
    /* A line at least, so that what is returned lies within: a checker of leaks sees who holds it. */
    char *memory = calloc(1, (bytes / HOST_LINE + 2) * HOST_LINE);
    if (!memory)
        return NULL;
    void **lines = (void **)(memory + HOST_LINE - (uintptr_t)memory % HOST_LINE);
    lines[-1] = memory;
    return lines;
}

static inline void lines_free(void *lines)
{
    if (lines)
        free(((void **)lines)[-1]);
}

#endif
