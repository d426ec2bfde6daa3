/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/step.c: what one instruction other than a branch does to registers; notes loads. */
#include <string.h>

#include "tb/locality/operation.h"
#include "tb/ptx/type.h"

/* Lanes that the guard leaves out keep what they have. */
static void set_value(struct stepper *s, uint32_t operand, const struct value *v)
{
    const uint32_t number = ptx_register_of(s->analysis->kernel, s->uop, operand);
    if (number == UOP_NONE)
        return;
    const struct value **held = &s->registers->values[number];
    *held = value_choice(s->values, s->guard, v, *held);
}

static void set_flag(struct stepper *s, uint32_t operand, const struct condition *c)
{
    const uint32_t number = ptx_register_of(s->analysis->kernel, s->uop, operand);
    if (number == UOP_NONE)
        return;
    const struct condition **held = &s->registers->flags[number];
    *held = s->guard == s->values->always
                ? c
                : condition_either(
                      s->values, condition_both(s->values, s->guard, c),
                      condition_both(s->values, condition_not(s->values, s->guard), *held));
}

static void put_doubt(struct stepper *s, const struct value *v)
{
    for (unsigned w = 0; w < s->uop->num_writes; w++) {
        const uint32_t number = s->uop->writes[w];
        s->registers->values[number] = v;
        s->registers->flags[number] = condition_unknown(s->values, v->doubt);
    }
}

/* What the instruction writes is not known: for this reason. */
static void forget(struct stepper *s, enum reason reason)
{
    put_doubt(s, value_doubt(s->values, reason));
}

/* The same, because what it reads is not known; or else for this reason. */
static void pass_on(struct stepper *s, enum reason reason)
{
    const struct value *v = NULL;
    for (unsigned i = 0; i < s->uop->num_reads && !v; i++) {
        const uint32_t number = s->uop->reads[i];
        const struct condition *c = s->registers->flags[number];
        if (s->registers->values[number]->doubt)
            v = s->registers->values[number];
        else if (c->doubt)
            v = value_in_doubt(s->values, c->doubt);
    }
    put_doubt(s, v ? v : value_doubt(s->values, reason));
}

static const struct condition *with_third(struct stepper *s, const struct condition *c)
{
    const struct uop *u = s->uop;
    const struct condition *third = source_flag(s, 2);
    if (u->flags & UF_SRC_NOT)
        third = condition_not(s->values, third);
    if (u->mod2 == BOOL_AND)
        return condition_both(s->values, c, third);
    if (u->mod2 == BOOL_OR)
        return condition_either(s->values, c, third);
    if (u->mod2 == BOOL_NONE)
        return c;
    return condition_either(s->values,
                            condition_both(s->values, c, condition_not(s->values, third)),
                            condition_both(s->values, condition_not(s->values, c), third));
}

static void step_setp(struct stepper *s)
{
    const struct uop *u = s->uop;
    const struct condition *c = condition_compare(s->values, u->mod, source_number(s, 0, u->type),
                                                  source_number(s, 1, u->type));
    const struct condition *other = condition_not(s->values, c);
    if (u->dst[0] != UOP_NONE)
        set_flag(s, u->dst[0], with_third(s, c));
    if (u->dst[1] != UOP_NONE)
        set_flag(s, u->dst[1], with_third(s, other));
}

/* mov.b64 {%r1, %r2}, %rd */
static void step_unpack(struct stepper *s)
{
    const struct uop *u = s->uop;
    if (u->vec != 2 || u->type2 != T_B32) {
        forget(s, REASON_OPERATION);
        return;
    }
    const struct value *v = source_number(s, 0, T_S64);
    if (u->dst[0] != UOP_NONE)
        set_value(s, u->dst[0], v);
    if (u->dst[1] != UOP_NONE)
        set_value(s, u->dst[1], value_quotient_down(s->values, v, (int64_t)1 << 32));
}

/* A parameter, at an address that is a number. */
static void load_param(struct stepper *s)
{
    const struct uop *u = s->uop;
    const unsigned bytes = type_bytes(u->type);
    if (u->src[0] != UOP_NONE) {
        forget(s, REASON_OPERATION);
        return;
    }
    for (unsigned i = 0; i < u->vec; i++) {
        const uint64_t at = (uint64_t)u->offset + i * bytes;
        int64_t bits = 0;
        if (at + bytes > s->analysis->kernel->param_bytes)
            return;
        memcpy(&bits, s->analysis->launch->params + at, bytes);
        if (u->dst[i] != UOP_NONE)
            set_value(s, u->dst[i], value_as(s->values, value_constant(s->values, bits), u->type));
    }
}

/* Where an access may be to global memory: -1, 0, or 1 for certain. */
static int is_global(const struct uop *u, const struct value *address)
{
    if (u->space != SPACE_GENERIC)
        return u->space == SPACE_GLOBAL;
    if (address->doubt)
        return -1;
    return address->low >= 0 && (uint64_t)address->high < GENERIC_SHARED_BASE ? 1
           : (uint64_t)address->low >= GENERIC_SHARED_BASE                    ? 0
                                                                              : -1;
}

static const struct doubt *doubt_of(const struct locality_load *l)
{
    if (l->address->doubt || l->when->doubt)
        return l->address->doubt ? l->address->doubt : l->when->doubt;
    for (const struct counted *c = l->around; c; c = c->outer)
        if (c->last->doubt || c->when->doubt)
            return c->last->doubt ? c->last->doubt : c->when->doubt;
    return NULL;
}

void note_load(struct analysis *a, uint32_t insn, const struct value *address,
               const struct condition *when)
{
    const struct uop *u = &a->kernel->uops[insn];
    struct locality *found = a->found;
    if (a->guessing || !is_global(u, address))
        return;
    const struct locality_load load = {.line = u->line,
                                       .bytes = u->vec * type_bytes(u->type),
                                       .address = address,
                                       .when = when,
                                       .around = a->around};
    found->loads = ptx_grow(a->context, found->loads, found->num_loads, sizeof *found->loads);
    found->loads[found->num_loads] = load;
    found->loads[found->num_loads].doubt = doubt_of(&load);
    found->num_loads++;
}

static void step_load(struct stepper *s, uint32_t insn, const struct condition *when)
{
    const struct uop *u = s->uop;
    struct values *p = s->values;
    if (u->space == SPACE_PARAM) {
        load_param(s);
        return;
    }
    const enum ptx_type type = u->flags & UF_ADDRESS32 ? T_U32 : T_S64;
    const struct value *address =
        value_as(p,
                 value_sum(p, 1, source_held(s, 0, type == T_U32 ? T_B32 : T_B64), 1,
                           value_constant(p, u->offset)),
                 type);
    if (is_global(u, address) < 0)
        address = address->doubt ? address : value_doubt(p, REASON_OPERATION);
    note_load(s->analysis, insn, address, condition_both(p, when, s->guard));
    forget(s, REASON_LOADED);
}

static int is_float(const struct uop *u)
{
    return type_is_float(u->type) || (u->op == U_CVT && type_is_float(u->type2));
}

/* Why what this instruction computes is not followed. */
static enum reason why_not(const struct uop *u)
{
    switch (u->op) {
    case U_SHFL:
    case U_VOTE:
    case U_MATCH:
    case U_REDUX:
    case U_ACTIVEMASK:
    case U_BAR: return REASON_WARP;
    case U_TEX:
    case U_SULD:
    case U_ISTYPEP:
    case U_TXQ: return REASON_TEXTURE;
    case U_ATOM: return REASON_ATOMIC;
    default: return is_float(u) ? REASON_FLOAT : REASON_OPERATION;
    }
}

/* Numbers are the bits of floats only where they are moved. */
static int is_followed(const struct uop *u)
{
    const int moves = u->op == U_MOV || u->op == U_SELP || u->op == U_PACK;
    return moves || !is_float(u);
}

void step(struct analysis *a, struct registers *r, uint32_t insn, const struct condition *when)
{
    const struct uop *u = &a->kernel->uops[insn];
    struct stepper s = {.analysis = a, .values = &a->values, .registers = r, .uop = u};
    ptx_spend(a->context, 1);
    a->values.line = u->line;
    s.guard = held_guard(a, r, u);
    if (u->op == U_LD) {
        step_load(&s, insn, when);
        return;
    }
    if (u->op == U_SETP && !type_is_float(u->type)) {
        step_setp(&s);
        return;
    }
    if (u->op == U_UNPACK) {
        step_unpack(&s);
        return;
    }
    if (u->num_writes == 0)
        return;
    const int predicates = u->type == T_PRED && u->num_writes == 1 && is_followed(u);
    const struct condition *c = predicates ? operation_decide(&s) : NULL;
    const struct value *v = !predicates && u->type != T_PRED && u->num_writes == 1 && is_followed(u)
                                ? operation_compute(&s)
                                : NULL;
    if (c)
        set_flag(&s, u->dst[0], c);
    else if (v)
        set_value(&s, u->dst[0], v);
    else
        pass_on(&s, why_not(u));
}
