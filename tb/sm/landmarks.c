/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/landmarks.c: see landmarks.h. */
#include "tb/sm/landmarks.h"

#include <stdlib.h>

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
    return marks;
}
