/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/repetition.c: see repetition.h. */
#include "tb/profile/repetition.h"

#include <stdlib.h>

/* Loads that repeat each other, by their first one. */
struct group {
    uint32_t number, loop, base;
    uint8_t space;
    int64_t least, most; /* displacements */
    int closed;          /* the register has been written since */
};

/* Closes the groups of registers that the instruction writes. */
static void close_groups(struct group *groups, uint32_t count, const struct ptx_kernel *k,
                         const struct uop *u)
{
    for (unsigned w = 0; w < u->num_writes; w++)
        for (uint32_t i = 0; i < count; i++)
            if (groups[i].base == k->registers[u->writes[w]].offset)
                groups[i].closed = 1;
}

static int joins(const struct group *g, const struct uop *u, uint32_t loop, int64_t line)
{
    const int64_t least = u->offset < g->least ? u->offset : g->least,
                  most = u->offset > g->most ? u->offset : g->most;
    return !g->closed && g->loop == loop && g->base == u->src[0] && g->space == u->space &&
           (uint64_t)most - (uint64_t)least < (uint64_t)line;
}

static uint32_t add(struct group *groups, uint32_t *count, const struct uop *u,
                    const struct landmark *mark, int64_t line)
{
    for (uint32_t i = 0; i < *count && mark->loop; i++)
        if (joins(&groups[i], u, mark->loop, line)) {
            struct group *g = &groups[i];
            g->least = u->offset < g->least ? u->offset : g->least;
            g->most = u->offset > g->most ? u->offset : g->most;
            return g->number;
        }
    groups[(*count)++] = (struct group){.number = mark->load,
                                        .loop = mark->loop,
                                        .base = u->src[0],
                                        .space = u->space,
                                        .least = u->offset,
                                        .most = u->offset};
    return mark->load;
}

uint32_t *repetitions_of(const struct ptx_kernel *k, const struct landmark *marks, int64_t line)
{
    uint32_t *ids = calloc(k->num_uops + 1u, sizeof *ids), count = 0;
    struct group *groups = calloc(k->num_uops + 1u, sizeof *groups);
    for (uint32_t i = 0; i < k->num_uops && ids && groups; i++) {
        const struct uop *u = &k->uops[i];
        if (marks[i].load && u->op == U_LD)
            ids[i] = add(groups, &count, u, &marks[i], line);
        close_groups(groups, count, k, u);
    }
    if (!groups) {
        free(ids);
        ids = NULL;
    }
    free(groups);
    return ids;
}
