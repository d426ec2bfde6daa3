/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/locality.c: see locality.h. */
#include <setjmp.h>
#include <stdlib.h>

#include "tb/locality/analysis.h"

/* A line's loads are known only if they are on all ways that lead to it, and in all calls of the
 * function that it is in. */
static void spread_doubts(struct locality *found)
{
    for (uint32_t i = 0; i < found->num_loads; i++)
        for (uint32_t j = 0; j < found->num_loads; j++)
            if (found->loads[i].doubt && found->loads[i].line == found->loads[j].line)
                found->loads[j].doubt = found->loads[i].doubt;
}

/* Whether the kernel calls functions that are not inlined: how often, and with what, is not followed, and all its
 * loads are in doubt. */
static int calls(struct analysis *a)
{
    const struct ptx_kernel *k = a->kernel;
    uint32_t call = 0;
    while (call < k->num_uops && k->uops[call].op != U_CALL)
        call++;
    if (call == k->num_uops)
        return 0;
    a->values.line = k->uops[call].line;
    const struct value *doubt = value_doubt(&a->values, REASON_CALL);
    for (uint32_t i = 0; i < k->num_uops; i++)
        if (k->uops[i].op == U_LD)
            note_load(a, i, doubt, a->values.always);
    return 1;
}

static void find(struct analysis *a)
{
    struct trip once = {0};
    values_open(&a->values, a->context);
    if (calls(a))
        return;
    flow_build(a->context, a->kernel, &a->flow);
    const struct registers start = registers_start(a);
    walk(a, &once, &start);
    spread_doubts(a->found);
}

/* Returns 0, or -1: a stage has given up. */
static int find_all(struct analysis *a)
{
    jmp_buf failed;
    a->context->failed = &failed;
    if (setjmp(failed))
        return -1;
    find(a);
    return 0;
}

struct locality *locality_find(const struct locality_launch *launch, struct ptx_error *error)
{
    struct locality *found = calloc(1, sizeof *found);
    struct ptx_context context = {.name = launch->kernel->name, .error = error};
    struct analysis a = {
        .context = &context, .kernel = launch->kernel, .launch = launch, .found = found};
    *error = (struct ptx_error){.message = "out of memory"};
    if (found && find_all(&a)) {
        arena_free(&context.scratch);
        free(found);
        return NULL;
    }
    if (found)
        found->arena = context.scratch;
    return found;
}

void locality_free(struct locality *found)
{
    if (found)
        arena_free(&found->arena);
    free(found);
}
