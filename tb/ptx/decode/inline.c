/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/inline.c: calls. The machine has none: a function's instructions take the place of
 * each call, before control flow is analysed, so that reconvergence, loops and register pressure
 * need to know nothing of calls. As no function may reach itself, one copy of its registers and
 * variables serves all its calls in a kernel. A return becomes a branch to the end of the copy.
 *
 * Parameters in .param space lie in the thread's memory but are accessed like registers, through
 * the SP pipeline: that is where the real ABI keeps them. A parameter that the call passes as a
 * .param variable is that variable: the function's name for it is bound to the caller's place. */
#include <string.h>

#include "tb/ptx/decode/decode.h"
#include "tb/ptx/type.h"

/* What a call names: (results), function, (arguments). */
struct call {
    const struct operand *results, *function, *arguments;
};

static struct call call_of(const struct insn *n)
{
    static const struct operand nothing = {.kind = OPERAND_LIST};
    struct call call = {&nothing, NULL, &nothing};
    const struct operand *o = n->operands, *end = o + n->num_operands;
    if (o < end && o->kind == OPERAND_LIST)
        call.results = o++;
    if (o < end)
        call.function = o++;
    if (o < end && o->kind == OPERAND_LIST)
        call.arguments = o;
    return call;
}

static struct body *callee(const struct decoder *d, const struct insn *n)
{
    const struct operand *o = call_of(n).function;
    if (strcmp(n->mnemonic, "call") || !o || o->kind != OPERAND_NAME)
        return NULL;
    const struct symbol *y = symbols_find(&d->parser->symbols, n->scope, o->name);
    return y && y->kind == SYMBOL_FUNCTION ? y->body : NULL;
}

static void reach(struct decoder *d, struct body *b)
{
    if (b->reached_by == d->body->number)
        return;
    b->reached_by = d->body->number;
    b->active = 0;
    d->bodies = ptx_grow(d->context, d->bodies, d->num_bodies, sizeof(struct body *));
    d->bodies[d->num_bodies++] = b;
}

void inline_find(struct decoder *d)
{
    reach(d, d->body);
    for (uint32_t i = 0; i < d->num_bodies; i++)
        for (const struct insn *n = d->bodies[i]->insns; n; n = n->next) {
            ptx_spend(d->context, 1);
            struct body *b = callee(d, n);
            if (b)
                reach(d, b);
        }
}

static struct body *check_callee(struct decoder *d, const struct insn *n)
{
    const struct operand *o = call_of(n).function;
    struct body *b = callee(d, n);
    const char *name = o && o->name ? o->name : "?";
    if (n->num_modifiers > 1 || (n->num_modifiers && strcmp(n->modifiers[0], ".uni")))
        ptx_fail(d->context, n->line, "opcode '%.100s' is not supported", n->opcode);
    if (!b && (!o || o->kind != OPERAND_NAME))
        ptx_fail(d->context, n->line, "'%.60s' of '%.100s': an indirect call is not supported",
                 n->opcode, name);
    if (!b || !b->end)
        ptx_fail(d->context, n->line,
                 "call of function '%.200s', which has no body in this module (is it an OpenCL "
                 "built-in that the device library lacks?)",
                 name);
    if (b->kernel)
        ptx_fail(d->context, n->line, "call of kernel '%.200s'; expected a function", name);
    if (b->active)
        ptx_fail(d->context, n->line,
                 "call of function '%.200s' from within itself: recursion is not supported, "
                 "because calls are inlined",
                 name);
    if (d->depth == MAX_CALL_DEPTH)
        ptx_fail(d->context, n->line, "calls nest too deeply; expected at most %d levels",
                 MAX_CALL_DEPTH);
    if (d->num_calls++ == MAX_CALLS)
        ptx_fail(d->context, n->line, "kernel '%.100s' makes more than %u calls, all inlined",
                 d->body->name, MAX_CALLS);
    return b;
}

/* Emits `mnemonic[.param].type to, from` on behalf of a call. */
static void move(struct decoder *d, const struct insn *call, const char *mnemonic,
                 enum ptx_type type, const struct operand *to, const struct operand *from)
{
    struct insn n = {.line = call->line,
                     .scope = call->scope,
                     .opcode = call->opcode,
                     .mnemonic = mnemonic,
                     .operands = {*to, *from},
                     .num_operands = 2,
                     .text = call->text};
    if (*mnemonic != 'm')
        n.modifiers[n.num_modifiers++] = ".param";
    n.modifiers[n.num_modifiers++] = type_name(TYPES_H & TYPE_BIT(type) ? type_bits(type) : type);
    decode_instruction(d, &n);
    d->parser->insn = call;
}

/* An operand that is a variable's memory, or a register. */
static struct operand whole(struct symbol *y)
{
    return y->kind == SYMBOL_REGISTER
               ? (struct operand){.kind = OPERAND_REGISTER, .name = y->name, .symbol = y}
               : (struct operand){.kind = OPERAND_SYMBOL, .name = y->name, .symbol = y};
}

static struct operand address(struct operand *base)
{
    return (struct operand){.kind = OPERAND_ADDRESS, .count = 1, .elements = base};
}

static int is_param(const struct operand *o)
{
    return o->kind == OPERAND_SYMBOL && o->symbol->kind == SYMBOL_VARIABLE &&
           o->symbol->space == SPACE_PARAM && !o->offset;
}

/* Gives a formal parameter in .param space its place. */
static void bind(struct decoder *d, const struct insn *call, struct symbol *formal,
                 const struct operand *actual)
{
    if (formal->kind != SYMBOL_VARIABLE)
        return;
    if (!is_param(actual)) {
        layout_param(d, formal);
        return;
    }
    if (actual->symbol->size < formal->size)
        ptx_fail(d->context, call->line,
                 "'%.60s' passes '%.100s' of %llu bytes for '%.100s'; expected %llu", call->opcode,
                 actual->name, (unsigned long long)actual->symbol->size, formal->name,
                 (unsigned long long)formal->size);
    formal->address = actual->symbol->address;
}

/* Moves an argument to a formal parameter (or, the other way, a result) that is not bound to it. */
static void transfer(struct decoder *d, const struct insn *call, struct symbol *formal,
                     const struct operand *actual, int is_result)
{
    struct operand own = whole(formal), other = *actual;
    const int in_memory = formal->kind == SYMBOL_VARIABLE;
    if (in_memory && is_param(actual))
        return;
    if (in_memory && formal->size != type_bytes(formal->type))
        ptx_fail(d->context, call->line, "'%.60s' needs a variable in .param space for '%.100s'",
                 call->opcode, formal->name);
    if (in_memory == is_param(actual)) { /* both are registers, or one is a constant */
        move(d, call, "mov", formal->type, is_result ? &other : &own, is_result ? &own : &other);
        return;
    }
    struct operand place = address(in_memory ? &own : &other);
    const struct operand *value = in_memory ? &other : &own;
    if (in_memory == is_result)
        move(d, call, "ld", formal->type, value, &place);
    else
        move(d, call, "st", formal->type, &place, value);
}

static void check_count(struct decoder *d, const struct insn *call, const struct body *b,
                        const char *what, uint32_t got, uint32_t expected)
{
    if (got != expected)
        ptx_fail(d->context, call->line, "'%.60s' of '%.100s' has %u %s%s; expected %u",
                 call->opcode, b->name, got, what, got == 1 ? "" : "s", expected);
}

/* A result must not overwrite an argument while the function still reads it. */
static void check_separate(struct decoder *d, const struct insn *call, const struct operand *result,
                           const struct operand *arguments)
{
    for (uint32_t i = 0; i < arguments->count; i++)
        if (is_param(result) && is_param(&arguments->elements[i]) &&
            result->symbol == arguments->elements[i].symbol)
            ptx_fail(d->context, call->line,
                     "'%.60s' has '%.100s' as argument and as result; expected two variables",
                     call->opcode, result->name);
}

static void inline_call(struct decoder *d, const struct insn *n, uint32_t next)
{
    ptx_spend(d->context, 1);
    d->parser->insn = n;
    struct body *b = check_callee(d, n);
    const struct call call = call_of(n);
    check_count(d, n, b, "argument", call.arguments->count, b->params.count);
    check_count(d, n, b, "result", call.results->count, b->results.count);
    if (n->guard)
        decode_skip(d, n, next);
    for (uint32_t i = 0; i < b->params.count; i++) {
        bind(d, n, b->params.symbols[i], &call.arguments->elements[i]);
        transfer(d, n, b->params.symbols[i], &call.arguments->elements[i], 0);
    }
    for (uint32_t i = 0; i < b->results.count; i++) {
        check_separate(d, n, &call.results->elements[i], call.arguments);
        bind(d, n, b->results.symbols[i], &call.results->elements[i]);
    }
    d->depth++;
    inline_body(d, b);
    d->depth--;
    for (uint32_t i = 0; i < b->results.count; i++)
        transfer(d, n, b->results.symbols[i], &call.results->elements[i], 1);
}

/* In a function `ret` goes to its end, where it need not go when it is there already. */
static void inline_return(struct decoder *d, struct uop *u, const struct body *b, uint32_t next)
{
    if (next == b->num_insns && u->guard == UOP_NONE) {
        d->num_uops--;
        return;
    }
    u->op = U_BRA;
    decode_branch_target(d, b->num_insns);
}

void inline_body(struct decoder *d, struct body *b)
{
    struct fixup *const outer = d->fixups;
    uint32_t *start = ptx_scratch(d->context, (size_t)b->num_insns + 1, sizeof *start);
    uint32_t i = 0;
    b->active = 1;
    d->fixups = NULL;
    for (const struct insn *n = b->insns; n; n = n->next) {
        start[i++] = d->num_uops;
        if (!strcmp(n->mnemonic, "call")) {
            inline_call(d, n, i);
            continue;
        }
        struct uop *u = decode_instruction(d, n);
        if (u->op == U_RET && d->depth && !strcmp(n->mnemonic, "ret"))
            inline_return(d, u, b, i);
    }
    start[i] = d->num_uops;
    for (const struct fixup *f = d->fixups; f; f = f->next)
        d->uops[f->uop].target = start[f->insn];
    d->fixups = outer;
    b->active = 0;
}
