/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/program.c: see program.h. */
#include "tb/observe/program.h"

#include <stdlib.h>

/* Is loop `inner` inside `outer`, or the same? Numbers from 1. */
static int inside(const struct ptx_kernel *k, uint32_t inner, uint32_t outer)
{
    while (inner && inner != outer)
        inner = k->loops[inner - 1].outer;
    return inner == outer;
}

static struct place place_of(const struct ptx_kernel *k, uint32_t pc, uint32_t loads_before)
{
    const struct uop *u = &k->uops[pc];
    struct place p = {.around = k->loop_of[pc]};
    uint32_t begins = 0, ends = 0; /* depths */
    if (u->klass == CLASS_GMEM && (u->op == U_LD || u->op == U_ATOM))
        p.load = loads_before + 1;
    for (uint32_t n = k->num_loops; n; n--) {
        const struct ptx_loop *l = &k->loops[n - 1];
        if (l->head == pc && l->depth >= begins) {
            p.begins = n;
            begins = l->depth;
        }
        if (l->back == pc && l->depth >= ends) {
            p.ends = n;
            ends = l->depth;
        }
        if (l->head >= pc)
            p.behind = n;
    }
    for (uint32_t n = 1; p.begins && n <= k->num_loops; n++)
        if (inside(k, n, p.begins))
            p.last = n;
    return p;
}

struct place *places_of(const struct ptx_kernel *k)
{
    struct place *places = calloc(k->num_uops + 1u, sizeof *places);
    uint32_t loads = 0;
    for (uint32_t pc = 0; places && pc < k->num_uops; pc++) {
        places[pc] = place_of(k, pc, loads);
        loads += places[pc].load != 0;
    }
    return places;
}
