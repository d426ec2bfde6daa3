/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/registers.c: what the registers of a thread hold, and what an instruction's operands
 * are. */
#include <string.h>

#include "tb/locality/analysis.h"
#include "tb/ptx/type.h"

static struct registers make(struct analysis *a)
{
    return (struct registers){
        .values = ptx_scratch(a->context, a->kernel->num_regs, sizeof(const struct value *)),
        .flags = ptx_scratch(a->context, a->kernel->num_regs, sizeof(const struct condition *))};
}

/* The number of the thread in its block, x first. */
static const struct value *linear_thread(struct analysis *a)
{
    struct values *p = &a->values;
    const uint32_t *block = a->launch->block;
    const struct value *plane = value_sum(p, 1, value_axis(p, AXIS_Y, block[1] - 1), block[1],
                                          value_axis(p, AXIS_Z, block[2] - 1));
    return value_sum(p, 1, value_axis(p, AXIS_X, block[0] - 1), block[0], plane);
}

struct registers registers_start(struct analysis *a)
{
    struct values *p = &a->values;
    const struct locality_launch *l = a->launch;
    struct registers r = make(a);
    for (uint32_t i = 0; i < a->kernel->num_regs; i++) {
        r.values[i] = value_constant(p, 0);
        r.flags[i] = p->never;
    }
    for (uint32_t i = 0; i < 3; i++) {
        r.values[SR_TID_X + i] = value_axis(p, AXIS_X + i, l->block[i] - 1);
        r.values[SR_NTID_X + i] = value_constant(p, l->block[i]);
        r.values[SR_CTAID_X + i] = value_axis(p, AXIS_BLOCK_X + i, l->grid[i] - 1);
        r.values[SR_NCTAID_X + i] = value_constant(p, l->grid[i]);
        r.values[SR_ENVREG1 + i] = value_constant(p, l->offset[i]);
    }
    const struct value *thread = linear_thread(a), *lanes = value_constant(p, WARP_LANES);
    const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    r.values[SR_ENVREG0] = value_constant(p, l->work_dim);
    r.values[SR_LANEID] = value_remainder(p, thread, lanes);
    r.values[SR_WARPID] = value_quotient(p, thread, lanes);
    r.values[SR_NWARPID] = value_constant(p, (int64_t)((threads + WARP_LANES - 1) / WARP_LANES));
    return r;
}

struct registers registers_copy(struct analysis *a, const struct registers *from)
{
    struct registers r = make(a);
    memcpy(r.values, from->values, a->kernel->num_regs * sizeof *r.values);
    memcpy(r.flags, from->flags, a->kernel->num_regs * sizeof *r.flags);
    return r;
}

void registers_join(struct analysis *a, struct registers *into, const struct condition *when,
                    const struct registers *other)
{
    struct values *p = &a->values;
    ptx_spend(a->context, a->kernel->num_regs);
    for (uint32_t i = 0; i < a->kernel->num_regs; i++) {
        if (into->values[i] != other->values[i])
            into->values[i] = value_choice(p, when, other->values[i], into->values[i]);
        if (into->flags[i] != other->flags[i])
            into->flags[i] =
                condition_either(p, condition_both(p, when, other->flags[i]),
                                 condition_both(p, condition_not(p, when), into->flags[i]));
    }
}

/* A constant of the kernel, which all lanes have alike, or NULL. */
static const struct value *constant(struct analysis *a, uint32_t operand, enum ptx_type type)
{
    const uint8_t *lanes = a->kernel->constants + (operand & ~UOP_CONST);
    const unsigned bytes = type_bytes(type) == 8 ? 8 : 4;
    int64_t number = 0;
    if (memcmp(lanes, lanes + bytes, bytes * (WARP_LANES - 1)) != 0)
        return value_doubt(&a->values, REASON_WARP);
    memcpy(&number, lanes, bytes);
    return value_constant(&a->values, bytes == 8 ? number : (int32_t)number);
}

const struct value *held_value(struct analysis *a, const struct registers *r, const struct uop *u,
                               uint32_t operand, enum ptx_type type)
{
    if (operand == UOP_NONE)
        return value_constant(&a->values, 0);
    return operand & UOP_CONST ? constant(a, operand, type)
                               : r->values[ptx_register_of(a->kernel, u, operand)];
}

const struct condition *held_flag(struct analysis *a, const struct registers *r,
                                  const struct uop *u, uint32_t operand)
{
    uint32_t lanes;
    if (operand == UOP_NONE)
        return a->values.always;
    if (!(operand & UOP_CONST))
        return r->flags[ptx_register_of(a->kernel, u, operand)];
    memcpy(&lanes, a->kernel->constants + (operand & ~UOP_CONST), sizeof lanes);
    return lanes ? a->values.always : a->values.never;
}

const struct condition *held_guard(struct analysis *a, const struct registers *r,
                                   const struct uop *u)
{
    const struct condition *c = held_flag(a, r, u, u->guard);
    return u->flags & UF_GUARD_NOT ? condition_not(&a->values, c) : c;
}
