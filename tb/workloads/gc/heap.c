/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/gc/heap.c: objects are drawn one after the other as an allocator would place them;
 * then their fields are filled in. */
#include "tb/workloads/gc/heap.h"

#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/reference.h" /* UNREACHED */

#define LEAST_PLAIN 4 /* fields of an object that is no array */
#define MOST_PLAIN  24
#define MOST_ARRAY  64
#define NEAR        32 /* objects on both sides that count as allocated at the same time */

static uint32_t draw_fields(struct random *random)
{
    if (random_below(random, 64) == 0)
        return 1 + (uint32_t)random_below(random, MOST_ARRAY);
    return LEAST_PLAIN + (uint32_t)random_below(random, MOST_PLAIN - LEAST_PLAIN + 1);
}

/* Places the objects and returns their offsets. */
static uint32_t *place_objects(struct heap *heap, uint32_t alike, struct random *random)
{
    uint32_t *offset = allocate(heap->objects, sizeof *offset);
    uint32_t *fields = allocate(heap->objects, sizeof *fields);
    heap->words = 1; /* 0 is no object */
    for (uint32_t i = 0; i < heap->objects; i++) {
        fields[i] = alike ? alike : draw_fields(random);
        offset[i] = heap->words;
        heap->words += 1 + fields[i];
    }
    heap->word = allocate(heap->words, sizeof *heap->word);
    for (uint32_t i = 0; i < heap->objects; i++)
        heap->word[offset[i]] = fields[i];
    free(fields);
    return offset;
}

/* Fills the fields of the object of[self]: one in three with a reference to one of the `count`
 * objects, a few with 0, the others with numbers; where objects are alike, the same fields of all. */
static void fill(struct heap *heap, uint32_t alike, const uint32_t *of, uint32_t self,
                 uint32_t count, struct random *random)
{
    uint32_t first = self > NEAR ? self - NEAR : 0;
    uint32_t last = count - 1 - self > NEAR ? self + NEAR : count - 1;
    uint32_t *field = heap->word + of[self] + 1, fields = heap->word[of[self]];
    for (uint32_t f = 0; f < fields; f++) {
        uint64_t kind = alike ? 5 * f % 12 : random_below(random, 12);
        if (kind < 2)
            field[f] = 2 * of[first + random_below(random, (uint64_t)last - first + 1)];
        else if (kind < 4)
            field[f] = 2 * of[random_below(random, count)];
        else if (kind == 4)
            field[f] = 0;
        else
            field[f] = (uint32_t)random_bits(random) | 1;
    }
}

struct heap heap_make(uint32_t objects, uint32_t roots, uint32_t alike, uint64_t seed)
{
    struct heap heap = {.objects = objects};
    struct random random = {seed};
    uint32_t *offset = place_objects(&heap, alike, &random), used = 0;
    uint32_t *in_use = allocate(objects, sizeof *in_use);
    for (uint32_t i = 0; i < objects; i++) {
        if (i == 0 || random_below(&random, 3) > 0)
            in_use[used++] = offset[i];
        else
            fill(&heap, alike, offset, i, objects, &random);
    }
    for (uint32_t i = 0; i < used; i++)
        fill(&heap, alike, in_use, i, used, &random);
    random_permutation(&random, offset, used);
    heap.roots = roots < used ? roots : used;
    heap.root = allocate(heap.roots, sizeof *heap.root);
    for (uint32_t i = 0; i < heap.roots; i++)
        heap.root[i] = in_use[offset[i]];
    free(in_use);
    free(offset);
    return heap;
}

void heap_free(struct heap *heap)
{
    free(heap->word);
    free(heap->root);
    *heap = (struct heap){0};
}

static void reach(struct heap *heap, uint32_t object, int32_t at, int32_t *level, uint32_t *queue,
                  uint32_t *tail)
{
    if (level[object] != UNREACHED)
        return;
    level[object] = at;
    heap->word[object] |= MARK;
    queue[(*tail)++] = object;
}

uint32_t heap_trace(struct heap *heap, int32_t *level, int32_t *depth)
{
    uint32_t *queue = allocate(heap->objects, sizeof *queue), tail = 0;
    for (uint32_t i = 0; i < heap->words; i++)
        level[i] = UNREACHED;
    for (uint32_t i = 0; i < heap->roots; i++)
        reach(heap, heap->root[i], 0, level, queue, &tail);
    for (uint32_t head = 0; head < tail; head++) {
        const uint32_t *object = heap->word + queue[head];
        *depth = level[queue[head]];
        for (uint32_t f = 1; f <= (object[0] & ~MARK); f++)
            if (object[f] != 0 && object[f] % 2 == 0)
                reach(heap, object[f] / 2, *depth + 1, level, queue, &tail);
    }
    free(queue);
    return tail;
}
