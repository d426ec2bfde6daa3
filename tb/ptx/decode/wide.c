/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/wide.c: values of 128 bits, which are two of 64: ld, st and mov of .b128 are those of .v2.b64
 * (opcode_halve). A constant has 64 bits, and zeros above. What has other parts than these two takes two instructions:
 * mov from and to four of 32 bits, and a load of what is narrower, which is extended. */
#include <string.h>

#include "tb/ptx/decode/decode.h"
#include "tb/ptx/type.h"

static int is_whole(const struct operand *o)
{
    return o->kind == OPERAND_VECTOR && o->symbol && o->symbol->whole;
}

static int is_quarters(const struct operand *o)
{
    return o->kind == OPERAND_VECTOR && o->count == 4;
}

static int has_modifier(const struct insn *n, const char *word)
{
    for (uint32_t i = 0; i < n->num_modifiers; i++)
        if (!strcmp(n->modifiers[i], word))
            return 1;
    return 0;
}

/* Emits another instruction for this one, under its guard. */
static struct uop *emit(struct decoder *d, const struct insn *n, const char *mnemonic,
                        const char *type, const struct operand *operands, uint32_t num_operands)
{
    struct insn *own = ptx_scratch(d->context, 1, sizeof *own);
    const char **modifiers = ptx_scratch(d->context, 1, sizeof *modifiers);
    struct operand *kept = ptx_scratch(d->context, num_operands, sizeof *kept);
    memcpy(kept, operands, num_operands * sizeof *kept);
    *modifiers = type;
    *own = *n;
    own->mnemonic = mnemonic;
    own->modifiers = modifiers;
    own->num_modifiers = 1;
    own->operands = kept;
    own->num_operands = num_operands;
    return decode_instruction(d, own);
}

/* One of two equal parts of an operand. */
static struct operand half(const struct operand *o, int high)
{
    if (is_whole(o))
        return o->elements[high];
    struct operand part = *o;
    part.count = 2;
    part.elements = o->elements + 2 * high;
    return part;
}

/* mov.b128 q, {%r1, %r2, %r3, %r4}; mov.b128 {%r1, %r2, %r3, %r4}, q. */
static struct uop *move_quarters(struct decoder *d, const struct insn *n)
{
    for (int high = 0; high < 2; high++) {
        const struct operand operands[] = {half(&n->operands[0], high),
                                           half(&n->operands[1], high)};
        emit(d, n, "mov", ".b64", operands, 2);
    }
    return d->uop;
}

/* ld.global.s32 q, [%rd1]: as into a register of 64 bits, then the bits above. */
static struct uop *load_narrow(struct decoder *d, const struct insn *n)
{
    struct insn *low = ptx_scratch(d->context, 1, sizeof *low);
    struct operand *operands = ptx_scratch(d->context, 2, sizeof *operands);
    const struct operand *to = n->operands[0].elements;
    operands[0] = to[0];
    operands[1] = n->operands[1];
    *low = *n;
    low->operands = operands;
    const enum ptx_type type = (enum ptx_type)decode_instruction(d, low)->type;
    const struct operand zero = {.kind = OPERAND_INT}, sign = {.kind = OPERAND_INT, .value = 63};
    return type_is_signed(type)
               ? emit(d, n, "shr", ".s64", (struct operand[]){to[1], to[0], sign}, 3)
               : emit(d, n, "mov", ".b64", (struct operand[]){to[1], zero}, 2);
}

/* The instruction with operand 1 in another way. */
static const struct insn *with_source(struct decoder *d, const struct insn *n,
                                      struct operand source)
{
    struct insn *own = ptx_scratch(d->context, 1, sizeof *own);
    struct operand *operands = ptx_scratch(d->context, 2, sizeof *operands);
    operands[0] = n->operands[0];
    operands[1] = source;
    *own = *n;
    own->operands = operands;
    return own;
}

static struct operand constant(struct decoder *d, const struct operand *o)
{
    struct operand *elements = ptx_scratch(d->context, 2, sizeof *elements);
    elements[0] = *o;
    elements[1] = (struct operand){.kind = OPERAND_INT};
    return (struct operand){
        .kind = OPERAND_VECTOR, .name = o->name, .count = 2, .elements = elements};
}

struct uop *wide_decode(struct decoder *d, const struct insn **n_ret)
{
    const struct insn *n = *n_ret;
    const int moves = !strcmp(n->mnemonic, "mov"), stores = !strcmp(n->mnemonic, "st");
    const int loads = !strcmp(n->mnemonic, "ld");
    if (!(moves || stores || loads) || n->num_operands != 2)
        return NULL;
    const struct operand *to = &n->operands[0], *from = &n->operands[1];
    const int wide = has_modifier(n, ".b128");
    if (moves && wide &&
        ((is_quarters(to) && is_whole(from)) || (is_whole(to) && is_quarters(from))))
        return move_quarters(d, n);
    if (wide && !loads && from->kind == OPERAND_INT)
        *n_ret = with_source(d, n, constant(d, from));
    if (wide || has_modifier(n, ".v2") || has_modifier(n, ".v4"))
        return NULL;
    if (loads && is_whole(to))
        return load_narrow(d, n);
    if (stores && is_whole(from))
        *n_ret = with_source(d, n, from->elements[0]);
    return NULL;
}
