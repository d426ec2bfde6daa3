/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/mem.c: rows of tb/exec/mem.c: PTX ISA, "ld", "ldu", "st": every type in every
 * register that may hold it, as scalars and vectors, in every state space. */
#include <string.h>

#include "tests/tb/exec/op/op.h"

/* Element by element, extended as the type says. */
static void load(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const unsigned bytes = op->type.bits / 8;
    for (unsigned n = 0; n < op->vec; n++) {
        uint64_t x = 0;
        memcpy(&x, (const uint8_t *)in + n * bytes, bytes);
        out[n] = (uint64_t)op_integer(op->type, x);
    }
}

/* The low bits of each operand, one behind the other. */
static void store(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const unsigned bytes = op->type.bits / 8;
    for (unsigned n = 0; n < op->vec; n++)
        memcpy((uint8_t *)out + n * bytes, &in[n], bytes);
}

static void store_minus_2(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t with[4] = {in[0], ~1ull};
    store(op, with, out);
}

static void store_1(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t with[4] = {op->type.bits == 32 ? 0x3f800000 : 0x3ff0000000000000, in[0]};
    store(op, with, out);
}

#define NARROW "<b8|u8|s8|b16|u16|s16|b32|u32|s32|f32>"
#define WIDE   "<b64|u64|s64|f64>"

/* Which window a generic address lies in. The bench has no .const variable. */
static void in_space(const struct op *op, const uint64_t *in, uint64_t *out)
{
    const uint64_t top = in[0] >> 56, low = in[0] << 8 >> 8;
    const int inside = low < GENERIC_WINDOW;
    const int shared = top == 1 && inside, local = top == 2 && inside, param = top == 3 && inside;
    out[0] = (uint64_t)(op_has(op, ".local")                                  ? local
                        : op_has(op, ".const")                                ? 0
                        : op_has(op, ".param") || op_has(op, ".param::entry") ? param
                        : op_has(op, ".global")                               ? !shared && !local
                                                                              : shared);
}

static void nothing(const struct op *op, const uint64_t *in, uint64_t *out)
{
    (void)op, (void)in, (void)out;
}

static const struct row rows[] = {
    {"ld<|.volatile>@r." NARROW " %*0, [$]", "", load},
    {"ld<|.volatile>@r." WIDE " %*0, [$+8]", "", load},
    {"ld<|.volatile>@r.v2." NARROW " {%*0, %*5}, [$+8]", "", load},
    {"ld<|.volatile>@r.v2." WIDE " {%*5, %*0}, [$]", "", load},
    {"ld<|.volatile>@r.v4." NARROW " {%*0, %*7, %*5, %*1}, [$+16]", "", load},
    {"ldu@u." NARROW " %*0, [$]", "", load},
    {"ldu@u." WIDE " %*0, [$]", "", load},
    {"ldu@u.v2." NARROW " {%*0, %*5}, [$]", "", load},
    {"ldu@u.v2." WIDE " {%*0, %*5}, [$]", "", load},
    {"ldu@u.v4." NARROW " {%*0, %*7, %*5, %*1}, [$]", "", load},
    {"st<|.volatile>@w." NARROW " [$], %*1", "t", store},
    {"st<|.volatile>@w." WIDE " [$+8], %*1", "t", store},
    {"st<|.volatile>@w.v2." NARROW " [$], {%*1, %*2}", "t=", store},
    {"st<|.volatile>@w.v2." WIDE " [$+16], {%*1, %*2}", "t=", store},
    {"st<|.volatile>@w.v4." NARROW " [$+16], {%*1, %*2, %*3, %*4}", "t===", store},
    {"isspacep.<global|shared|shared::cta|local|const|param|param::entry> %p0, %d1", "g", in_space},
    {"prefetch<|.global|.shared|.shared::cta|.local>.<L1|L2|L2::evict_last|L2::evict_normal> "
     "[%a0+4]",
     "", nothing},
    {"prefetchu.<L1|L2|L2::evict_last|L2::evict_normal> [%a0]", "", nothing},
    {"nanosleep.u32 %1", "t", nothing},
    {"pmevent<|.mask> 7", "", nothing},
    /* Odd addresses, "_", constants, qualifiers that change nothing. */
    {"ld@r.<u8|s8> %r0, [$+3]", "", load},
    {"ld@r.v2.u16 {<_, %r5|%r5, _>}, [$+4]", "", load},
    {"ld@r.v4.u8 {%r0, %r5, %r6, _}, [$+4]", "", load},
    {"ld<.relaxed|.acquire|.weak><.cta|.gpu|.sys>@w.u32 %r0, [$]", "", load},
    {"ld@w<.L1::evict_normal|.L1::no_allocate|.L1::evict_last><|.L2::128B>.f32 %f0, [$]", "", load},
    {"ld@r<.ca|.cg|.cs|.cv|.lu|.nc>.f32 %f0, [$]", "", load},
    {"st<.relaxed|.release|.weak><.cta|.gpu|.sys>@w.u32 [$], %r1", "t", store},
    {"st@w<.wb|.cg|.cs|.wt>.f32 [$], %f1", "t", store},
    {"st@w.v2.<b32|s64> [$], {%1, -2}", "t=", store_minus_2},
    {"st@w.v2.f32 [$], {<0f3F800000|1.0>, %1}", "t=", store_1},
    {"st@w.f64 [$], <0d3FF0000000000000|1.0>", "", store_1},
};
OP_TABLE(mem, rows)
