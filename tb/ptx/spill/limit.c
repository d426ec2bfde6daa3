/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/spill/limit.c: versions of a kernel within a limit on its registers, each made once and kept in
 * an arena of its own. */
#include <string.h>

#include "tb/ptx/spill/spill.h"

struct ptx_limited {
    struct ptx_limited *next;
    uint32_t limit;
    struct ptx_kernel kernel;
    struct arena arena;
};

static struct ptx_limited *make(struct ptx_context *c, const struct ptx_kernel *k, uint32_t limit)
{
    struct spill *s = ptx_scratch(c, 1, sizeof *s);
    struct ptx_limited *made = ptx_keep(c, 1, sizeof *made);
    spill_choose(s, c, k, limit);
    spill_place(s);
    spill_rewrite(s, &made->kernel);
    made->limit = limit;
    made->next = *k->limited;
    made->arena = c->keep; /* last: nothing may be taken from it any more */
    return made;
}

/* Apart from its caller for the sake of setjmp. */
static struct ptx_limited *make_or_return(struct ptx_context *c, const struct ptx_kernel *k,
                                          uint32_t limit)
{
    jmp_buf failed;
    c->failed = &failed;
    return setjmp(failed) ? NULL : make(c, k, limit);
}

const struct ptx_kernel *ptx_limit(const struct ptx_kernel *k, uint32_t registers,
                                   struct ptx_error *error)
{
    if (k->regs_per_thread <= registers)
        return k;
    for (const struct ptx_limited *l = *k->limited; l; l = l->next)
        if (l->limit == registers)
            return &l->kernel;
    struct ptx_context context = {.name = k->name, .error = error};
    memset(error, 0, sizeof *error);
    struct ptx_limited *made = make_or_return(&context, k, registers);
    if (made)
        *k->limited = made;
    else
        arena_free(&context.keep);
    arena_free(&context.scratch);
    return made ? &made->kernel : NULL;
}

void spill_free(const struct ptx_kernel *k)
{
    struct ptx_limited *l = k->limited ? *k->limited : NULL;
    while (l) {
        struct arena arena = l->arena;
        l = l->next;
        arena_free(&arena);
    }
}
