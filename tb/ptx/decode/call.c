/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/call.c: what a call names, and how its arguments and results move.
 *
 * Parameters in .param space lie in the thread's memory but are accessed like registers, through
 * the SP pipeline: that is where the real ABI keeps them. A parameter that the call passes as a
 * .param variable is that variable: either has the other's place (inline.c, routine.c). */
#include <string.h>

#include "tb/ptx/decode/decode.h"
#include "tb/ptx/type.h"

struct call call_of(const struct insn *n)
{
    static const struct operand nothing = {.kind = OPERAND_LIST};
    struct call call = {&nothing, NULL, &nothing, NULL};
    const struct operand *o = n->operands; /* of a call alone: NULL */
    uint32_t left = n->num_operands;
    if (left && o->kind == OPERAND_LIST) {
        call.results = o++;
        left--;
    }
    if (left) {
        call.function = o++;
        left--;
    }
    if (left && o->kind == OPERAND_LIST) {
        call.arguments = o++;
        left--;
    }
    if (left)
        call.targets = o;
    return call;
}

static const struct symbol *find(const struct decoder *d, const struct insn *n,
                                 const struct operand *o, enum symbol_kind kind)
{
    const struct symbol *y = o && (o->kind == OPERAND_NAME || o->kind == OPERAND_FUNCTION)
                                 ? symbols_find(&d->parser->symbols, n->scope, o->name)
                                 : NULL;
    return y && y->kind == kind ? y : NULL;
}

struct body *call_callee(const struct decoder *d, const struct insn *n)
{
    const struct symbol *y = find(d, n, call_of(n).function, SYMBOL_FUNCTION);
    return y ? y->body : NULL;
}

/* What the function looks like, or NULL. */
static struct body *find_signature(const struct decoder *d, const struct insn *n)
{
    struct body *b = call_callee(d, n);
    const struct operand *targets = call_of(n).targets;
    const struct symbol *y = b ? NULL : find(d, n, targets, SYMBOL_PROTOTYPE);
    if (b || y)
        return b ? b : y->body;
    y = find(d, n, targets, SYMBOL_TARGETS);
    return y ? y->first->body : NULL;
}

/* The last parameter, if it is without a size. */
static struct symbol *find_open(const struct body *b)
{
    struct symbol *y = b && b->params.count ? b->params.symbols[b->params.count - 1] : NULL;
    return y && y->open ? y : NULL;
}

static void set_open(const struct body *b, int is_known, uint64_t bytes)
{
    struct symbol *y = find_open(b);
    if (y && is_known)
        y->size = bytes;
}

/* What a call of this function passes for it. */
static uint64_t passed_bytes(const struct insn *n, const struct body *to)
{
    const struct operand *arguments = call_of(n).arguments;
    const struct operand *last =
        arguments->count ? &arguments->elements[arguments->count - 1] : NULL;
    return last && find_open(to) && call_is_param(last) && !last->symbol->open ? last->symbol->size
                                                                               : 0;
}

void call_size_open(struct decoder *d)
{
    uint64_t most = 0;
    for (uint32_t i = 0; d->parser->has_open && i < 2 * d->num_bodies; i++) {
        const struct body *b = d->bodies[i % d->num_bodies];
        const int is_known = i >= d->num_bodies;
        set_open(b, is_known, most);
        for (const struct insn *n = b->insns; n; n = n->next) {
            ptx_spend(d->context, 1);
            const struct body *to = strcmp(n->mnemonic, "call") ? NULL : find_signature(d, n);
            const uint64_t bytes = to ? passed_bytes(n, to) : 0;
            most = bytes > most ? bytes : most;
            set_open(to, is_known, most);
        }
    }
}

struct body *call_signature(struct decoder *d, const struct insn *n)
{
    const struct call call = call_of(n);
    const struct operand *o = call.function;
    struct body *b = call_callee(d, n);
    const char *name = o && o->name ? o->name : "?";
    if (n->num_modifiers > 1 || (n->num_modifiers && strcmp(n->modifiers[0], ".uni")))
        ptx_fail(d->context, n->line, "opcode '%.100s' is not supported", n->opcode);
    if (!b && o && o->kind == OPERAND_REGISTER) {
        const struct symbol *prototype = find(d, n, call.targets, SYMBOL_PROTOTYPE),
                            *targets = find(d, n, call.targets, SYMBOL_TARGETS);
        if (prototype)
            return prototype->body;
        if (targets)
            return targets->first->body;
        ptx_fail(d->context, n->line,
                 "'%.60s' of '%.100s' names no .callprototype or .calltargets of this function",
                 n->opcode, name);
    }
    if (!b && (!o || o->kind != OPERAND_NAME))
        ptx_fail(d->context, n->line, "'%.60s' names no function", n->opcode);
    if (!b || !b->end)
        ptx_fail(d->context, n->line,
                 "call of function '%.200s', which has no body in this module (is it an OpenCL "
                 "built-in that the device library lacks?)",
                 name);
    if (b->kernel)
        ptx_fail(d->context, n->line, "call of kernel '%.200s'; expected a function", name);
    return b;
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
        if (call_is_param(result) && call_is_param(&arguments->elements[i]) &&
            result->symbol == arguments->elements[i].symbol)
            ptx_fail(d->context, call->line,
                     "'%.60s' has '%.100s' as argument and as result; expected two variables",
                     call->opcode, result->name);
}

/* A variable that is passed by its place. */
static void check_size(struct decoder *d, const struct insn *call, const struct symbol *formal,
                       const struct operand *actual)
{
    if (formal->kind == SYMBOL_VARIABLE && !formal->open && call_is_param(actual) &&
        actual->symbol->size < formal->size)
        ptx_fail(d->context, call->line,
                 "'%.60s' passes '%.100s' of %llu bytes for '%.100s'; expected %llu", call->opcode,
                 actual->name, (unsigned long long)actual->symbol->size, formal->name,
                 (unsigned long long)formal->size);
}

void call_check(struct decoder *d, const struct insn *n, const struct body *b)
{
    const struct call call = call_of(n);
    check_count(d, n, b, "argument", call.arguments->count, b->params.count);
    check_count(d, n, b, "result", call.results->count, b->results.count);
    for (uint32_t i = 0; i < b->params.count; i++)
        check_size(d, n, b->params.symbols[i], &call.arguments->elements[i]);
    for (uint32_t i = 0; i < b->results.count; i++) {
        check_separate(d, n, &call.results->elements[i], call.arguments);
        check_size(d, n, b->results.symbols[i], &call.results->elements[i]);
    }
}

int call_is_param(const struct operand *o)
{
    return o->kind == OPERAND_SYMBOL && o->symbol->kind == SYMBOL_VARIABLE &&
           o->symbol->space == SPACE_PARAM && !o->offset;
}

/* Emits `mnemonic[.param].type to, from` on behalf of a call. */
static void move(struct decoder *d, const struct insn *call, const char *mnemonic,
                 enum ptx_type type, const struct operand *to, const struct operand *from)
{
    const struct operand operands[] = {*to, *from};
    char opcode[32];
    strcpy(opcode, mnemonic);
    strcat(opcode, *mnemonic == 'm' ? "" : ".param");
    strcat(opcode, type_name(TYPES_H & TYPE_BIT(type) ? type_bits(type) : type));
    decode_help(d, call, opcode, operands, 2, call->text);
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

void call_transfer(struct decoder *d, const struct insn *call, struct symbol *formal,
                   const struct operand *actual, int is_result)
{
    struct operand own = whole(formal), other = *actual;
    const int in_memory = formal->kind == SYMBOL_VARIABLE;
    if (in_memory && call_is_param(actual))
        return;
    if (in_memory && formal->size != type_bytes(formal->type))
        ptx_fail(d->context, call->line, "'%.60s' needs a variable in .param space for '%.100s'",
                 call->opcode, formal->name);
    if (in_memory == call_is_param(actual)) { /* both are registers, or one is a constant */
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
