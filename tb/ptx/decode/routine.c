/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/routine.c: calls of functions that are not inlined, and where these find their parameters.
 *
 * A routine has a frame on the thread's stack, which begins where the stack pointer says: its parameters
 * in .param space, in order, its results, its variables, and what it saves around its own calls. A caller
 * that is a routine moves the pointer behind its own frame and back (frame.c); so where a parameter lies
 * depends on the types alone, and a pointer may lead to any function that has these. Parameters and
 * results that are registers are the routine's registers; where pointers lead to it, those of the first
 * routine with these types. */
#include <string.h>

#include "tb/ptx/decode/decode.h"
#include "tb/ptx/type.h"

static void place_formals(struct decoder *d, const struct formals *f, uint32_t *end)
{
    for (uint32_t i = 0; i < f->count; i++) {
        struct symbol *y = f->symbols[i];
        if (y->kind != SYMBOL_VARIABLE)
            continue;
        layout_place(d, y, end, "stack");
        y->on_stack = 1;
    }
}

/* The parameters and results of a routine, or of a prototype. Returns their bytes. */
static uint32_t place_signature(struct decoder *d, const struct body *b)
{
    uint32_t end = 0;
    place_formals(d, &b->params, &end);
    place_formals(d, &b->results, &end);
    return end;
}

static int same_formals(const struct formals *a, const struct formals *b)
{
    if (a->count != b->count)
        return 0;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct symbol *y = a->symbols[i], *z = b->symbols[i];
        if (y->kind != z->kind || y->size != z->size || y->align != z->align ||
            (y->kind == SYMBOL_REGISTER && type_bits(y->type) != type_bits(z->type)))
            return 0;
    }
    return 1;
}

uint32_t routine_signature(struct decoder *d, const struct body *b)
{
    for (uint32_t i = 0; i < d->num_signatures; i++) {
        ptx_spend(d->context, 1 + b->params.count);
        if (same_formals(&b->params, &d->signatures[i]->params) &&
            same_formals(&b->results, &d->signatures[i]->results))
            return i;
    }
    d->signatures =
        ptx_grow(d->context, d->signatures, d->num_signatures, sizeof(const struct body *));
    d->signatures[d->num_signatures] = b;
    return d->num_signatures++;
}

static void share_formals(struct decoder *d, const struct formals *f, const struct formals *first)
{
    for (uint32_t i = 0; i < f->count; i++) {
        struct symbol *y = f->symbols[i];
        if (y->kind != SYMBOL_REGISTER || y == first->symbols[i] || y->shared_with)
            continue;
        y->shared_with = first->symbols[i];
        d->shared = ptx_grow(d->context, d->shared, d->num_shared, sizeof(struct symbol *));
        d->shared[d->num_shared++] = y;
    }
}

static void share(struct decoder *d, const struct body *b)
{
    const uint32_t number = routine_signature(d, b);
    const struct body *first = d->signatures[number];
    share_formals(d, &b->params, &first->params);
    share_formals(d, &b->results, &first->results);
}

static void forget_shared(struct formals *f)
{
    for (uint32_t i = 0; i < f->count; i++)
        f->symbols[i]->shared_with = NULL;
}

void routine_share(struct decoder *d)
{
    for (uint32_t i = 0; i < d->num_bodies; i++) {
        forget_shared(&d->bodies[i]->params);
        forget_shared(&d->bodies[i]->results);
    }
    for (uint32_t i = 1; i < d->num_routines; i++)
        if (d->routines[i].body->taken)
            share(d, d->routines[i].body);
    for (uint32_t i = 0; d->has_calls && i < d->num_bodies; i++)
        for (const struct insn *n = d->bodies[i]->insns; n; n = n->next) {
            ptx_spend(d->context, 1);
            if (strcmp(n->mnemonic, "call") || call_callee(d, n))
                continue;
            struct body *b = call_signature(d, n);
            forget_shared(&b->params);
            forget_shared(&b->results);
            share(d, b);
        }
}

void routine_place_shared(struct decoder *d)
{
    for (uint32_t i = 0; i < d->num_shared; i++) {
        d->shared[i]->number = d->shared[i]->shared_with->number;
        d->shared[i]->offset = d->shared[i]->shared_with->offset;
    }
}

/* The body's variable that a call passes lies where the routine looks for its parameter. */
static void bind(struct decoder *d, const struct insn *n, const struct symbol *formal,
                 const struct operand *actual)
{
    if (formal->kind != SYMBOL_VARIABLE || !call_is_param(actual))
        return;
    struct symbol *y = actual->symbol;
    if (y->formal || (y->outgoing && y->address != formal->address))
        ptx_fail(d->context, n->line,
                 "'%.60s' passes '%.100s', which %s; expected a variable of "
                 "this call's own",
                 n->opcode, y->name,
                 y->formal ? "is a parameter itself" : "another call passes elsewhere");
    y->address = formal->address;
    y->on_stack = y->outgoing = 1;
}

static void bind_calls(struct decoder *d, const struct body *b)
{
    for (const struct insn *n = b->insns; n; n = n->next) {
        ptx_spend(d->context, 1);
        if (strcmp(n->mnemonic, "call"))
            continue;
        const struct body *to = call_signature(d, n);
        const struct call call = call_of(n);
        d->parser->insn = n;
        if (!to->routine && call_callee(d, n))
            continue;
        call_check(d, n, to);
        if (!to->routine)
            place_signature(d, to);
        for (uint32_t i = 0; i < to->params.count; i++)
            bind(d, n, to->params.symbols[i], &call.arguments->elements[i]);
        for (uint32_t i = 0; i < to->results.count; i++)
            bind(d, n, to->results.symbols[i], &call.results->elements[i]);
    }
}

void routine_layout(struct decoder *d)
{
    for (uint32_t i = 0; i < d->num_bodies; i++)
        for (struct symbol *y = d->bodies[i]->vars; y; y = y->next_var)
            y->on_stack = y->outgoing = 0;
    for (uint32_t i = 1; i < d->num_routines; i++)
        d->routines[i].frame = place_signature(d, d->routines[i].body);
    for (uint32_t i = 0; d->has_calls && i < d->num_bodies; i++)
        bind_calls(d, d->bodies[i]);
}

static int is_formal(const struct formals *f, const struct operand *o)
{
    int found = 0;
    for (uint32_t i = 0; i < f->count; i++)
        found |= o->kind == OPERAND_REGISTER && f->symbols[i]->kind == SYMBOL_REGISTER &&
                 o->symbol->number == f->symbols[i]->number;
    return found;
}

static struct operand as_operand(struct symbol *y)
{
    return (struct operand){.kind = OPERAND_REGISTER, .name = y->name, .symbol = y};
}

/* A routine that calls itself, or what has the same registers, may pass its own in another order, or call
 * what one of them points to: they move by way of others. */
static void move_aside(struct decoder *d, const struct insn *n, const struct formals *f,
                       struct operand *o)
{
    if (!is_formal(f, o))
        return;
    const struct operand from = *o;
    struct symbol *aside = decode_temporary(d, from.name, from.symbol->type);
    *o = as_operand(aside);
    call_transfer(d, n, aside, &from, 0);
}

static void move_arguments(struct decoder *d, const struct insn *n, const struct body *to,
                           struct operand *function)
{
    const struct operand *list = call_of(n).arguments;
    struct operand *arguments = ptx_scratch(d->context, to->params.count, sizeof *arguments);
    for (uint32_t i = 0; i < to->params.count; i++)
        arguments[i] = list->elements[i];
    move_aside(d, n, &to->params, function);
    for (uint32_t i = 0; i < to->params.count; i++)
        move_aside(d, n, &to->params, &arguments[i]);
    for (uint32_t i = 0; i < to->params.count; i++) {
        struct symbol formal = *to->params.symbols[i];
        formal.outgoing = 1;
        call_transfer(d, n, formal.kind == SYMBOL_VARIABLE ? &formal : to->params.symbols[i],
                      &arguments[i], 0);
    }
}

static void move_results(struct decoder *d, const struct insn *n, const struct body *to)
{
    const struct operand *results = call_of(n).results->elements;
    struct symbol **from = ptx_scratch(d->context, to->results.count, sizeof *from);
    for (uint32_t i = 0; i < to->results.count; i++) {
        struct symbol *formal = from[i] = to->results.symbols[i];
        if (formal->kind == SYMBOL_REGISTER && to->results.count > 1) {
            const struct operand own = as_operand(formal);
            from[i] = decode_temporary(d, formal->name, formal->type);
            call_transfer(d, n, from[i], &own, 0);
        }
    }
    for (uint32_t i = 0; i < to->results.count; i++) {
        struct symbol formal = *from[i];
        formal.outgoing = 1;
        call_transfer(d, n, formal.kind == SYMBOL_VARIABLE ? &formal : from[i], &results[i], 1);
    }
}

/* Emits a call: of the routine of this number, or of what the register points to, with this signature. */
static void emit_call(struct decoder *d, const struct insn *n, const struct operand *pointer,
                      uint32_t number)
{
    struct uop *u = d->uop = decode_append(d, n->text, n->line, n->source);
    d->insn = n;
    u->op = U_CALL;
    u->klass = CLASS_CTRL;
    u->type = u->type2 = T_B64;
    u->offset = number;
    operand_reads(d, d->stack);
    u->src[0] = d->stack->offset;
    if (pointer)
        u->src[1] = operand_source(d, pointer, T_B64);
}

void routine_call(struct decoder *d, const struct insn *n, const struct body *to, uint32_t next)
{
    struct operand function = *call_of(n).function;
    const int by_pointer = !call_callee(d, n);
    if (n->guard)
        branch_over(d, n, next);
    struct call_site site = {.first = d->num_uops, .routine = d->routine};
    move_arguments(d, n, to, &function);
    site.call = d->num_uops;
    emit_call(d, n, by_pointer ? &function : NULL,
              by_pointer ? routine_signature(d, to) : to->routine - 1);
    move_results(d, n, to);
    site.last = d->num_uops;
    d->sites = ptx_grow(d->context, d->sites, d->num_sites, sizeof *d->sites);
    d->sites[d->num_sites++] = site;
}

void routine_list(struct decoder *d)
{
    struct ptx_kernel *k = d->kernel;
    k->num_routines = d->num_routines - 1;
    k->routines = ptx_keep(d->context, k->num_routines, sizeof *k->routines);
    for (uint32_t i = 0; i < k->num_routines; i++) {
        const struct routine *r = &d->routines[i + 1];
        const char *name = r->body->name;
        k->routines[i] = (struct ptx_routine){.name = ptx_keep_text(d->context, name, strlen(name)),
                                              .entry = r->first,
                                              .frame_bytes = r->frame,
                                              .signature = routine_signature(d, r->body),
                                              .address = ptx_function_address(r->body->taken)};
        k->stack_bytes += r->frame;
    }
    k->stack_bytes += k->stack_varies ? PTX_STACK_BYTES : 0;
    k->local_bytes = frame_aligned(k->local_bytes) + k->stack_bytes;
    k->stack_pointer = d->stack->offset;
    k->allocated = d->allocated ? d->allocated->offset : 0;
}
