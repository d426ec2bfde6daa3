/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/kernel.c: see kernel.h. */
#include "tb/profile/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "tb/profile/repetition.h"

void profiled_kernel_free(struct profiled_kernel *k)
{
    for (uint32_t i = 0; k->sites && i < k->num_loads; i++)
        free(k->sites[i].text);
    free(k->name);
    free(k->load_at);
    free(k->sites);
    free(k->sums);
    free(k);
}

/* Does it load through L1D? */
static int is_load(const struct uop *u)
{
    return u->klass == CLASS_GMEM && (u->op == U_LD || u->op == U_TEX || u->op == U_SULD);
}

/* Adds the numbers of the loads. Returns 0 or -1. */
static int number_loads(struct profiled_kernel *k, const struct ptx_kernel *from, int64_t line)
{
    struct landmark *marks = landmarks_of(from);
    uint32_t *repetitions = marks ? repetitions_of(from, marks, line) : NULL;
    const int failed = !repetitions;
    for (uint32_t pc = 0; pc < from->num_uops && !failed; pc++)
        k->program_loads += marks[pc].load != 0;
    for (uint32_t i = 0; i < k->num_loads && !failed; i++) {
        k->sites[i].number = marks[k->sites[i].pc].load;
        k->sites[i].repetition = repetitions[k->sites[i].pc];
    }
    free(repetitions);
    free(marks);
    return -failed;
}

/* Returns 0 or -1. */
static int describe(struct profiled_kernel *k, const struct ptx_kernel *from, int64_t line)
{
    k->num_pcs = from->num_uops;
    k->program_loops = from->num_loops;
    for (uint32_t pc = 0; pc < from->num_uops; pc++)
        k->num_loads += (uint32_t)is_load(&from->uops[pc]);
    k->name = strdup(from->name);
    k->load_at = calloc(k->num_pcs + 1u, sizeof *k->load_at);
    k->sites = calloc(k->num_loads + 1u, sizeof *k->sites);
    k->sums = calloc(k->num_loads + 1u, sizeof *k->sums);
    if (!k->name || !k->load_at || !k->sites || !k->sums)
        return -1;
    int failed = 0;
    for (uint32_t pc = 0, next = 0; pc < k->num_pcs; pc++) {
        k->load_at[pc] = NO_LOAD_NUMBER;
        if (!is_load(&from->uops[pc]))
            continue;
        k->load_at[pc] = next;
        k->sites[next] = (struct site){.pc = pc,
                                       .line = from->uops[pc].line,
                                       .loop = from->loop_of[pc],
                                       .text = strdup(from->text[pc])};
        failed |= !k->sites[next++].text;
    }
    return failed ? -1 : number_loads(k, from, line);
}

struct profiled_kernel *profiled_kernel_new(const struct ptx_kernel *from, int64_t line)
{
    struct profiled_kernel *k = calloc(1, sizeof *k);
    if (!k || !describe(k, from, line))
        return k;
    profiled_kernel_free(k);
    return NULL;
}

int profiled_kernel_is(const struct profiled_kernel *k, const struct ptx_kernel *other)
{
    if (strcmp(k->name, other->name) || k->num_pcs != other->num_uops)
        return 0;
    for (uint32_t i = 0; i < k->num_loads; i++)
        if (!is_load(&other->uops[k->sites[i].pc]) ||
            strcmp(k->sites[i].text, other->text[k->sites[i].pc]))
            return 0;
    return 1;
}
