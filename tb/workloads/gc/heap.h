/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/gc/heap.h: a random heap of objects that refer to each other, and which of them a
 * collector should find. The layout stands in gc.cl. */
#ifndef HEDDLE_TB_WORKLOADS_GC_HEAP_H
#define HEDDLE_TB_WORKLOADS_GC_HEAP_H

#include <stdint.h>

#define MARK 0x80000000u

struct heap {
    uint32_t objects, words, roots;
    uint32_t *word;
    uint32_t *root; /* offsets, all different */
};

/* A heap of `objects` objects and `roots` of them as roots. Two objects in three may be in use:
 * they refer to each other only, half of the references to objects allocated about the same time.
 * Most objects have 4 to 24 fields, a few are arrays of up to 64; a third of the fields are
 * references. With `alike`, each has so many fields, and the same ones are references. No memory
 * ends the program. */
struct heap heap_make(uint32_t objects, uint32_t roots, uint32_t alike, uint64_t seed);
void heap_free(struct heap *heap);

/* Traces the heap with a queue: level[offset] is the number of references from a root to the object
 * there, UNREACHED where there is none. Marks what it reaches. Returns how many objects that is;
 * *depth is the last level. */
uint32_t heap_trace(struct heap *heap, int32_t *level, int32_t *depth);

#endif
