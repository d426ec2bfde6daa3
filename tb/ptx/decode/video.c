/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/video.c: operands of video instructions, of which a part may be chosen: %r1.b2 and
 * %r1.h0 of scalar ones; of SIMD ones for each element one of the eight bytes or four half-words of
 * b:a, %r1.b7531 and %r1.h20, and in the destination those that are written, %r1.b31. The choice
 * goes into uop.offset: see uop.h. */
#include <string.h>

#include "tb/ptx/decode/decode.h"
#include "tb/ptx/type.h"

/* How many elements a register has: 1, 2 or 4. */
static uint32_t count_elements(const struct uop *u)
{
    return u->op < U_VADD2 ? 1 : u->op < U_VADD4 ? 2 : 4;
}

static uint64_t scalar_part(struct decoder *d, const struct operand *o)
{
    static const char *const parts[] = {[PART_B0] = ".b0", [PART_B1] = ".b1", [PART_B2] = ".b2",
                                        [PART_B3] = ".b3", [PART_H0] = ".h0", [PART_H1] = ".h1"};
    if (!o->selector)
        return PART_WORD;
    for (uint64_t i = PART_B0; i < sizeof parts / sizeof *parts; i++)
        if (!strcmp(o->selector, parts[i]))
            return i;
    operand_fail(d, o, "one of .b0 to .b3, .h0, .h1");
}

/* Whether the selector has the element's letter and at most `most` digits below `limit`. */
static int is_choice(const char *selector, uint32_t count, size_t least, size_t most, char limit)
{
    const size_t digits = strlen(selector) - 2;
    for (size_t i = 0; i < digits; i++)
        if (selector[2 + i] < '0' || selector[2 + i] >= limit)
            return 0;
    return selector[1] == (count == 2 ? 'h' : 'b') && digits >= least && digits <= most;
}

/* One pick per element, the highest element's first; by default the operand's own elements. */
static uint64_t element_picks(struct decoder *d, const struct operand *o, uint32_t number)
{
    const uint32_t count = count_elements(d->uop);
    uint64_t picks = 0;
    if (o->selector && !is_choice(o->selector, count, count, count, (char)('0' + 2 * count)))
        operand_fail(d, o, count == 2 ? ".h and 2 digits, 0 to 3" : ".b and 4 digits, 0 to 7");
    for (uint32_t n = 0; n < count; n++) {
        const uint64_t pick =
            o->selector ? (uint64_t)(o->selector[1 + count - n] - '0') : n + number * count;
        picks |= pick << 4 * n;
    }
    return picks;
}

/* The elements that are written, in falling order; by default all. */
static uint64_t element_mask(struct decoder *d, const struct operand *o)
{
    const uint32_t count = count_elements(d->uop);
    if (!o->selector)
        return (UINT64_C(1) << count) - 1;
    int good = is_choice(o->selector, count, 1, count, (char)('0' + count));
    uint64_t mask = 0;
    for (const char *at = o->selector + 2; good && *at; at++) {
        good = mask == 0 || at[0] < at[-1];
        mask |= UINT64_C(1) << (*at - '0');
    }
    if (!good)
        operand_fail(d, o, count == 2 ? ".h0, .h1 or .h10" : ".b and some of 3210, in this order");
    return mask;
}

static struct operand without_selector(const struct operand *o)
{
    struct operand plain = *o;
    plain.selector = NULL;
    plain.minus = 0;
    return plain;
}

void video_destination(struct decoder *d, const struct operand *o)
{
    struct uop *u = d->uop;
    const struct operand plain = without_selector(o);
    u->offset |= (int64_t)(count_elements(u) == 1 ? scalar_part(d, o) : element_mask(d, o));
    u->dst[0] = operand_destination(d, &plain, u->type);
}

/* Only vmad negates: the product, as one of its factors is, or the sum's other part. */
static void decode_minus(struct decoder *d, const struct operand *o, int is_factor)
{
    struct uop *u = d->uop;
    if (!o->minus)
        return;
    if (u->op != U_VMAD || u->mod2 == SECOND_PLUS_ONE)
        operand_fail(d, o, "no '-' here");
    u->offset ^= is_factor ? VIDEO_NEGATE_PRODUCT : VIDEO_NEGATE_C;
}

uint32_t video_source(struct decoder *d, const struct operand *o, uint32_t number)
{
    struct uop *u = d->uop;
    const struct operand plain = without_selector(o);
    if (count_elements(u) == 1)
        u->offset |= (int64_t)(scalar_part(d, o) << (number ? 8 : 4));
    else
        u->offset |=
            (int64_t)(element_picks(d, o, number) << (number ? VIDEO_PICKS_B : VIDEO_PICKS_A));
    decode_minus(d, o, 1);
    return operand_source(d, &plain, u->type);
}

uint32_t video_addend(struct decoder *d, const struct operand *o)
{
    struct operand plain = *o;
    plain.minus = 0;
    decode_minus(d, o, 0);
    if (d->uop->offset & VIDEO_NEGATE_PRODUCT && d->uop->offset & VIDEO_NEGATE_C)
        operand_fail(d, o, "'-' before the product or before what is added, not both");
    return operand_source(d, &plain, d->uop->type);
}

void video_check(struct decoder *d)
{
    const struct uop *u = d->uop;
    const uint32_t part = u->offset & 0xf;
    if (u->op > U_VSET || u->op == U_VMAD)
        return;
    if ((part || u->mod2) && u->src[2] == UOP_NONE)
        ptx_fail(d->context, d->insn->line, "'%.60s' has 3 operands; expected 4", d->insn->opcode);
    if (part && u->mod2)
        operand_fail(d, &d->insn->operands[0],
                     "the whole register, as there is a second operation");
}
