/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/landmarks.c: see landmarks.h. */
#include "tb/sm/landmarks.h"

#include <stdlib.h>

/* The last loop, by number, that is inside this one; itself, if none is. */
static uint32_t last_inside(const struct ptx_kernel *k, uint32_t loop)
{
    uint32_t last = loop;
    for (uint32_t inner = loop + 1; inner <= k->num_loops; inner++) {
        uint32_t around = inner;
        while (around > loop)
            around = k->loops[around - 1].outer;
        if (around == loop)
            last = inner;
    }
    return last;
}

struct landmark *landmarks_of(const struct ptx_kernel *k)
{
    struct landmark *marks = calloc(k->num_uops + 1u, sizeof *marks);
    uint32_t loads = 0;
    if (!marks)
        return NULL;
    for (uint32_t i = 0; i < k->num_uops; i++)
        if (is_global_load(&k->uops[i]))
            marks[i].load = ++loads;
    for (uint32_t l = 0; l < k->num_loops; l++) {
        const struct ptx_loop *loop = &k->loops[l];
        uint32_t *begin = &marks[loop->head].loop_begin, *end = &marks[loop->back].loop_end;
        if (!*begin || k->loops[*begin - 1].depth < loop->depth)
            *begin = l + 1;
        if (!*end || k->loops[*end - 1].depth < loop->depth)
            *end = l + 1;
    }
    for (uint32_t i = k->num_uops, next = 0; i--;) {
        if (marks[i].loop_begin) {
            marks[i].loop_last = last_inside(k, marks[i].loop_begin);
            next = marks[i].loop_begin;
        }
        marks[i].loop = k->loop_of[i];
        marks[i].next_loop = next;
    }
    return marks;
}
