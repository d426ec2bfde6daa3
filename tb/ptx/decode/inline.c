/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/inline.c: calls that are inlined: a function's instructions take the place of each call,
 * before control flow is analysed, so that reconvergence, loops and register pressure need to know
 * nothing of them. As no such function may reach itself, one copy of its registers and variables
 * serves all its calls in a kernel. A return becomes a branch to the end of the copy. The function's
 * name for a .param variable that is passed is bound to the caller's place. */
#include <string.h>

#include "tb/ptx/decode/decode.h"

/* Gives a formal parameter in .param space its place. */
static void bind(struct decoder *d, struct symbol *formal, const struct operand *actual)
{
    if (formal->kind != SYMBOL_VARIABLE)
        return;
    if (!call_is_param(actual)) {
        layout_param(d, formal);
        return;
    }
    formal->address = actual->symbol->address;
    formal->on_stack = actual->symbol->on_stack;
    formal->outgoing = actual->symbol->outgoing;
}

static void inline_call(struct decoder *d, const struct insn *n, struct body *b, uint32_t next)
{
    const struct call call = call_of(n);
    if (d->num_calls++ == MAX_CALLS)
        ptx_fail(d->context, n->line, "kernel '%.100s' makes more than %u calls, all inlined",
                 d->body->name, MAX_CALLS);
    if (n->guard)
        branch_over(d, n, next);
    for (uint32_t i = 0; i < b->params.count; i++) {
        bind(d, b->params.symbols[i], &call.arguments->elements[i]);
        call_transfer(d, n, b->params.symbols[i], &call.arguments->elements[i], 0);
    }
    for (uint32_t i = 0; i < b->results.count; i++)
        bind(d, b->results.symbols[i], &call.results->elements[i]);
    d->depth++;
    inline_body(d, b);
    d->depth--;
    for (uint32_t i = 0; i < b->results.count; i++)
        call_transfer(d, n, b->results.symbols[i], &call.results->elements[i], 1);
}

static void any_call(struct decoder *d, const struct insn *n, uint32_t next)
{
    ptx_spend(d->context, 1);
    d->parser->insn = n;
    struct body *b = call_signature(d, n);
    call_check(d, n, b);
    if (b->routine || !call_callee(d, n))
        routine_call(d, n, b, next);
    else
        inline_call(d, n, b, next);
}

/* `ret` in a routine's own body is one; in what is inlined it goes to the end of the copy, where it need
 * not go when it is there already. So it does where something is to be done at the end. */
static void any_return(struct decoder *d, struct uop *u, const struct body *b, uint32_t next)
{
    if (b->routine && !b->allocates) {
        u->op = U_RETURN;
        return;
    }
    if (next == b->num_insns && u->guard == UOP_NONE) {
        d->num_uops--;
        return;
    }
    u->op = U_BRA;
    branch_to(d, b->num_insns);
}

void inline_body(struct decoder *d, struct body *b)
{
    struct fixup *const outer = d->fixups;
    uint32_t *start = ptx_scratch(d->context, (size_t)b->num_insns + 1, sizeof *start);
    uint32_t i = 0;
    d->fixups = NULL;
    if (b->allocates && d->depth)
        alloca_enter(d, b);
    for (const struct insn *n = b->insns; n; n = n->next) {
        start[i++] = d->num_uops;
        if (!strcmp(n->mnemonic, "call")) {
            any_call(d, n, i);
            continue;
        }
        struct uop *u = decode_instruction(d, n);
        if (u->op == U_RET && d->depth && !strcmp(n->mnemonic, "ret"))
            any_return(d, u, b, i);
    }
    start[i] = d->num_uops;
    for (const struct fixup *f = d->fixups; f; f = f->next)
        *(f->slot == UOP_NONE ? &d->uops[f->uop].target : &d->targets[f->slot]) = start[f->insn];
    d->fixups = outer;
    if (b->allocates && d->depth)
        alloca_leave(d, b);
}
