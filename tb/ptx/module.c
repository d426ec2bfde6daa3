/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/module.c: the face of the front end: parse, place, free. The module lives in an arena that
 * it owns; one that was opened has the parser's, too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/ptx/decode/decode.h"
#include "tb/ptx/spill/spill.h"

struct ptx_private {
    struct ptx_context context; /* error and failed: of the call that goes on */
    struct reloc_list relocs, kernel_relocs;
    struct parser *parser; /* of a module that was opened, else NULL */
    uint32_t stack;        /* as ptx_stack says, beyond PTX_STACK_BYTES */
};

static struct ptx_private *private_of(const struct ptx_module *m)
{
    return m->priv;
}

static struct ptx_module *collect(struct ptx_private *private, struct parser *p)
{
    struct ptx_context *c = &private->context;
    struct ptx_module *m = ptx_keep(c, 1, sizeof *m);
    m->name = ptx_keep_text(c, c->name, strlen(c->name));
    c->name = m->name;
    m->kernels = ptx_keep(c, p->num_kernels, sizeof *m->kernels);
    for (struct body *b = p->bodies; b; b = b->next)
        if (b->kernel) {
            b->kernel->module = m;
            m->kernels[m->num_kernels] = *b->kernel;
            b->kernel = &m->kernels[m->num_kernels++];
        }
    m->vars = ptx_keep(c, p->num_vars, sizeof *m->vars);
    for (const struct var_node *n = p->vars; n; n = n->next)
        m->vars[m->num_vars++] = n->var;
    m->bodies_read = p->num_read;
    m->can_open = !p->puts_off && !p->entangled;
    m->priv = private;
    private->relocs = p->relocs;
    private->kernel_relocs = p->kernel_relocs;
    private->parser = p->puts_off ? p : NULL;
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

static struct ptx_module *parse(struct ptx_private *private, const char *text, size_t length,
                                int puts_off)
{
    struct ptx_context *c = &private->context;
    while (length && !text[length - 1])
        length--; /* a binary may come with its terminator */
    if (length > MAX_TEXT_BYTES)
        ptx_fail(c, 0, "a text of %zu bytes; expected at most %u", length, MAX_TEXT_BYTES);
    struct parser *p = ptx_scratch(c, 1, sizeof *p);
    p->context = c;
    p->puts_off = (uint8_t)puts_off;
    parse_module(p, text, length);
    if (!puts_off)
        decode_kernels(p);
    return collect(private, p);
}

/* Apart from its caller for the sake of setjmp. */
static struct ptx_module *parse_or_return(struct ptx_private *private, const char *text,
                                          size_t length, int puts_off)
{
    jmp_buf failed;
    private->context.failed = &failed;
    return setjmp(failed) ? NULL : parse(private, text, length, puts_off);
}

static struct ptx_module *parse_either(const char *name, const char *text, size_t length,
                                       int puts_off, struct ptx_error *error)
{
    struct ptx_private *private = calloc(1, sizeof *private);
    memset(error, 0, sizeof *error);
    if (!private) {
        snprintf(error->message, sizeof error->message, "%.200s: out of memory", name);
        return NULL;
    }
    private->context = (struct ptx_context){.name = name, .error = error};
    struct ptx_module *module = parse_or_return(private, text, length, puts_off);
    if (!module || !puts_off)
        arena_free(&private->context.scratch);
    if (!module) {
        arena_free(&private->context.keep);
        free(private);
    }
    return module;
}

struct ptx_module *ptx_parse(const char *name, const char *text, size_t length,
                             struct ptx_error *error)
{
    return parse_either(name, text, length, 0, error);
}

struct ptx_module *ptx_open(const char *name, const char *text, size_t length,
                            struct ptx_error *error)
{
    return parse_either(name, text, length, 1, error);
}

int ptx_place(struct ptx_module *m, uint64_t (*place)(void *ctx, const struct ptx_var *), void *ctx)
{
    const struct ptx_private *private = private_of(m);
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

static void widen_stack(const struct ptx_module *m, struct ptx_kernel *k)
{
    k->local_bytes += k->stack_varies ? private_of(m)->stack : 0;
    k->stack_bytes += k->stack_varies ? private_of(m)->stack : 0;
}

void ptx_stack(struct ptx_module *m, uint32_t bytes)
{
    private_of(m)->stack = frame_aligned(bytes) - PTX_STACK_BYTES;
    for (uint32_t i = 0; i < m->num_kernels; i++)
        widen_stack(m, &m->kernels[i]);
}

/* Apart from its caller for the sake of setjmp. */
static int read_kernel(struct parser *p, struct body *b)
{
    jmp_buf failed;
    p->context->failed = &failed;
    if (setjmp(failed))
        return -1;
    p->kernel_relocs = (struct reloc_list){NULL, NULL};
    decode_kernel(p, b);
    parse_name_sources(p);
    return 0;
}

int ptx_read(struct ptx_module *m, struct ptx_kernel *k)
{
    struct parser *p = private_of(m)->parser;
    struct ptx_error error = {0};
    struct body *b = p ? p->bodies : NULL;
    while (b && b->kernel != k)
        b = b->next;
    if (!b || k->uops)
        return 0;
    p->context->error = &error;
    p->symbols.seen = UINT32_MAX; /* whatever has become of the kernel before */
    if (read_kernel(p, b) < 0)
        return -1;
    k->module = m;
    widen_stack(m, k);
    reloc_apply(p->kernel_relocs.first, RELOC_IN_KERNEL, m->vars);
    m->bodies_read = p->num_read;
    return 0;
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
    struct ptx_error error;
    private_of(m)->context.error = &error;
    return refuse(&private_of(m)->context, k, insn, why);
}

void ptx_free(struct ptx_module *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; i < m->num_kernels; i++)
        spill_free(&m->kernels[i]);
    struct ptx_private *private = private_of(m);
    arena_free(&private->context.scratch);
    arena_free(&private->context.keep); /* the module, too */
    free(private);
}

struct ptx_kernel *ptx_kernel(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->num_kernels; i++)
        if (!strcmp(m->kernels[i].name, name))
            return &m->kernels[i];
    return NULL;
}
