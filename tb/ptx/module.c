/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/module.c: the face of the front end: parse, place, free. The module lives in an arena that
 * it owns. */
#include <string.h>

#include "tb/ptx/decode/decode.h"
#include "tb/ptx/spill/spill.h"

struct ptx_private {
    struct arena arena;
    struct reloc_list relocs, kernel_relocs;
};

static struct ptx_module *collect(struct parser *p)
{
    struct ptx_context *c = p->context;
    struct ptx_module *m = ptx_keep(c, 1, sizeof *m);
    struct ptx_private *private = ptx_keep(c, 1, sizeof *private);
    m->name = ptx_keep_text(c, c->name, strlen(c->name));
    m->kernels = ptx_keep(c, p->num_kernels, sizeof *m->kernels);
    for (const struct body *b = p->bodies; b; b = b->next)
        if (b->kernel) {
            b->kernel->module = m;
            m->kernels[m->num_kernels++] = *b->kernel;
        }
    m->vars = ptx_keep(c, p->num_vars, sizeof *m->vars);
    for (const struct var_node *n = p->vars; n; n = n->next)
        m->vars[m->num_vars++] = n->var;
    private->relocs = p->relocs;
    private->kernel_relocs = p->kernel_relocs;
    private->arena = c->keep; /* last: nothing may be taken from it any more */
    m->priv = private;
    return m;
}

/* A module none of whose kernels can run is refused with the reason of the first. */
static void decode_kernels(struct parser *p)
{
    const struct ptx_kernel *refused = NULL;
    uint32_t ready = 0;
    for (struct body *b = p->bodies; b; b = b->next) {
        if (!b->kernel)
            continue;
        decode_kernel(p, b);
        ready += !b->kernel->refused;
        if (b->kernel->refused && !refused)
            refused = b->kernel;
    }
    struct ptx_error *error = p->context->error;
    memset(error, 0, sizeof *error);
    if (ready || !refused)
        return;
    error->line = refused->uops[0].line;
    strcpy(error->message, refused->refused);
    longjmp(*p->context->failed, 1);
}

static struct ptx_module *parse(struct ptx_context *c, const char *text, size_t length)
{
    while (length && !text[length - 1])
        length--; /* a binary may come with its terminator */
    if (length > MAX_TEXT_BYTES)
        ptx_fail(c, 0, "a text of %zu bytes; expected at most %u", length, MAX_TEXT_BYTES);
    struct parser *p = ptx_scratch(c, 1, sizeof *p);
    p->context = c;
    parse_module(p, text, length);
    decode_kernels(p);
    return collect(p);
}

/* The context belongs to the caller, because locals of the function that calls setjmp are lost. */
static struct ptx_module *parse_or_return(struct ptx_context *c, const char *text, size_t length)
{
    jmp_buf failed;
    c->failed = &failed;
    return setjmp(failed) ? NULL : parse(c, text, length);
}

struct ptx_module *ptx_parse(const char *name, const char *text, size_t length,
                             struct ptx_error *error)
{
    struct ptx_context context = {.name = name, .error = error};
    memset(error, 0, sizeof *error);
    struct ptx_module *module = parse_or_return(&context, text, length);
    if (!module)
        arena_free(&context.keep);
    arena_free(&context.scratch);
    return module;
}

int ptx_place(struct ptx_module *m, uint64_t (*place)(void *ctx, const struct ptx_var *), void *ctx)
{
    const struct ptx_private *private = m->priv;
    const struct reloc *next = private->relocs.first;
    for (uint32_t i = 0; i < m->num_vars; i++) {
        next = reloc_apply(next, i, m->vars); /* an initial value names variables above it only */
        m->vars[i].address = place(ctx, &m->vars[i]);
        if (!m->vars[i].address)
            return -1;
    }
    reloc_apply(private->kernel_relocs.first, RELOC_IN_KERNEL, m->vars);
    return 0;
}

void ptx_stack(struct ptx_module *m, uint32_t bytes)
{
    const uint32_t more = frame_aligned(bytes) - PTX_STACK_BYTES;
    for (uint32_t i = 0; i < m->num_kernels; i++) {
        struct ptx_kernel *k = &m->kernels[i];
        k->local_bytes += k->recurses ? more : 0;
        k->stack_bytes += k->recurses ? more : 0;
    }
}

/* Apart from its caller for the sake of setjmp. */
static int refuse(struct ptx_context *c, struct ptx_kernel *k, uint32_t insn, const char *why)
{
    jmp_buf failed;
    c->failed = &failed;
    if (setjmp(failed))
        return -1;
    decode_refused(c, k, why, k->uops[insn].line, k->text[insn]);
    return 0;
}

int ptx_refuse(const struct ptx_module *m, struct ptx_kernel *k, uint32_t insn, const char *why)
{
    struct ptx_private *private = m->priv;
    struct ptx_error error;
    struct ptx_context context = {.name = m->name, .error = &error, .keep = private->arena};
    const int result = refuse(&context, k, insn, why);
    private->arena = context.keep;
    return result;
}

void ptx_free(struct ptx_module *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; i < m->num_kernels; i++)
        spill_free(&m->kernels[i]);
    struct arena arena = ((struct ptx_private *)m->priv)->arena;
    arena_free(&arena);
}

struct ptx_kernel *ptx_kernel(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->num_kernels; i++)
        if (!strcmp(m->kernels[i].name, name))
            return &m->kernels[i];
    return NULL;
}
