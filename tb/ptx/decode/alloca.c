/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/alloca.c: memory of run-time size. It lies at the end of the thread's stack that the frames
 * grow toward, and grows toward them: so frames keep their sizes, and calls cost what they cost without.
 * A register of the thread, %allocated, says where it begins. A function takes a copy when it is entered,
 * and puts it back where it ends, also where it is inlined: a loop around a call needs the memory once. */
#include <string.h>

#include "tb/ptx/decode/decode.h"
#include "tb/ptx/type.h"

#define ALIGN_LEAST 3 /* of the power of two: PTX ISA, "alloca" */
#define ALIGN_MOST  23

void alloca_alignment(struct decoder *d, const struct operand *o)
{
    const uint64_t align = o->value;
    if (o->kind != OPERAND_INT)
        operand_fail(d, o, "a number");
    if (!align || (align & (align - 1)) || align >> ALIGN_MOST > 1)
        ptx_fail(d->context, d->insn->line,
                 "'%.60s' has alignment %llu; expected a power of two up to %u", d->insn->opcode,
                 (unsigned long long)align, 1u << ALIGN_MOST);
    d->uop->mod = (uint8_t)__builtin_ctzll(align);
}

void alloca_move(struct decoder *d)
{
    struct uop *u = d->uop;
    const uint32_t allocated = d->allocated->offset;
    if (u->op == U_MOV) { /* stacksave */
        operand_reads(d, d->allocated);
        u->src[0] = allocated;
        if (type_bytes(u->type) == 8) {
            u->op = U_CVT;
            u->type2 = T_U32;
            u->mod = T_B64;
            u->mod2 = T_B32;
        }
        return;
    }
    operand_reads(d, d->stack);
    u->src[2] = d->stack->offset;
    operand_writes(d, d->allocated);
    frame_from_end(d);
    if (u->op == U_STACKRESTORE) {
        u->dst[0] = allocated;
        return;
    }
    operand_reads(d, d->allocated);
    u->src[1] = u->dst[1] = allocated;
    u->mod = u->mod < ALIGN_LEAST ? ALIGN_LEAST : u->mod;
}

static void copy(struct decoder *d, const struct insn *n, struct symbol *to, struct symbol *from)
{
    const struct operand operands[] = {
        {.kind = OPERAND_REGISTER, .name = to->name, .symbol = to},
        {.kind = OPERAND_REGISTER, .name = from->name, .symbol = from}};
    char text[64] = "mov.u32 ";
    strcat(strcat(strcat(text, to->name), ", "), from->name);
    decode_help(d, n, "mov.u32", operands, 2, ptx_keep_text(d->context, text, strlen(text)));
}

void alloca_enter(struct decoder *d, struct body *b)
{
    if (!b->entered)
        b->entered = decode_temporary(d, "%entered", T_B32);
    copy(d, b->insns, b->entered, d->allocated);
}

void alloca_leave(struct decoder *d, const struct body *b)
{
    struct insn *end = ptx_scratch(d->context, 1, sizeof *end); /* a message may name it later */
    *end = (struct insn){.line = b->end,
                         .scope = b->scope,
                         .opcode = "ret",
                         .text = ptx_keep_text(d->context, "ret", 3)};
    copy(d, end, d->allocated, b->entered);
}
