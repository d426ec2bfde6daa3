/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/lines.h: memory in whole cache lines of the host. SMs and memory partitions run on several
 * host threads; a line that holds data of two of them would travel from processor to processor at
 * every write. */
#ifndef HEDDLE_TB_MEM_LINES_H
#define HEDDLE_TB_MEM_LINES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HOST_LINE 64 /* bytes */

/* Zeroed memory for `count` elements that shares no line with any other; for free(). NULL: none. */
static inline void *lines_alloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - HOST_LINE)
        return NULL;
    bytes = (bytes + HOST_LINE) / HOST_LINE * HOST_LINE;
    void *memory = aligned_alloc(HOST_LINE, bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

#endif
