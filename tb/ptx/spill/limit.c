/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/spill/limit.c: versions of a kernel within a limit on its registers, each made once and kept in
 * an arena of its own. */
#include <string.h>

#include "tb/ptx/spill/spill.h"

struct version {
    struct version *next;
    uint32_t limit;
    struct ptx_kernel kernel;
    struct arena arena;
};

struct ptx_versions {
    const char *module; /* for messages */
    struct version *first;
};

void spill_open(struct ptx_context *c, struct ptx_kernel *k)
{
    k->versions = ptx_keep(c, 1, sizeof *k->versions);
    k->versions->module = ptx_keep_text(c, c->name, strlen(c->name));
}

#define NO_LIMIT UINT32_MAX

static void spill(struct ptx_context *c, const struct ptx_kernel *k, uint32_t limit,
                  struct ptx_kernel *out)
{
    struct spill *s = ptx_scratch(c, 1, sizeof *s);
    spill_choose(s, c, k, limit);
    spill_place(s);
    spill_rewrite(s, out);
}

/* The kernel with instructions and a list of registers of its own. */
static void copy(struct ptx_context *c, const struct ptx_kernel *k, struct ptx_kernel *out)
{
    *out = *k;
    out->uops = ptx_keep(c, k->num_uops, sizeof *k->uops);
    memcpy(out->uops, k->uops, k->num_uops * sizeof *k->uops);
    out->registers = ptx_keep(c, k->num_regs, sizeof *k->registers);
    memcpy(out->registers, k->registers, k->num_regs * sizeof *k->registers);
}

/* What routines keep in registers their callers see, and liveness does not: where there are any, all stay where they
 * are; and in what the parser has not made, or has refused. */
static int packs(const struct ptx_kernel *k)
{
    return k->versions && !k->num_routines && !k->stack_pointer;
}

static struct version *make(struct ptx_context *c, const struct ptx_kernel *k, uint32_t limit)
{
    struct version *made = ptx_keep(c, 1, sizeof *made);
    if (limit == NO_LIMIT)
        copy(c, k, &made->kernel);
    else
        spill(c, k, limit, &made->kernel);
    if (packs(k))
        pack_registers(c, &made->kernel);
    made->limit = limit;
    made->next = k->versions->first;
    made->arena = c->keep; /* last: nothing may be taken from it any more */
    return made;
}

/* Apart from its caller for the sake of setjmp. */
static struct version *make_or_return(struct ptx_context *c, const struct ptx_kernel *k,
                                      uint32_t limit)
{
    jmp_buf failed;
    c->failed = &failed;
    return setjmp(failed) ? NULL : make(c, k, limit);
}

const struct ptx_kernel *ptx_limit(const struct ptx_kernel *k, uint32_t registers,
                                   struct ptx_error *error)
{
    const uint32_t limit = k->regs_per_thread <= registers ? NO_LIMIT : registers;
    if (limit == NO_LIMIT && !packs(k))
        return k;
    for (const struct version *l = k->versions->first; l; l = l->next)
        if (l->limit == limit)
            return &l->kernel;
    struct ptx_context context = {.name = k->versions->module, .error = error};
    memset(error, 0, sizeof *error);
    struct version *made = make_or_return(&context, k, limit);
    if (made)
        k->versions->first = made;
    else
        arena_free(&context.keep);
    arena_free(&context.scratch);
    if (!made && limit == NO_LIMIT) /* too large for the analysis */
        return k;
    return made ? &made->kernel : NULL;
}

void spill_free(const struct ptx_kernel *k)
{
    struct version *l = k->versions ? k->versions->first : NULL;
    while (l) {
        struct arena arena = l->arena;
        l = l->next;
        arena_free(&arena);
    }
}
