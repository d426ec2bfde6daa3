/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/texture.c: operands of instructions on textures and surfaces.
 *     tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [texture, sampler, {%r1, %r2}]
 * Texture and sampler are variables, parameters of the kernel, or handles in registers; the sampler
 * may be missing. */
#include "tb/ptx/decode/decode.h"
#include "tb/ptx/type.h"

/* {...}|p: whether the texel is resident. All are: behind the instruction p is set, by a mov under the
 * same guard. */
static const struct operand *take_residency(struct decoder *d, const struct operand *o)
{
    if (o->kind != OPERAND_PAIR || o->elements[0].kind != OPERAND_VECTOR)
        return o;
    d->resident = &o->elements[1];
    return o->elements;
}

void texture_resident(struct decoder *d, const struct insn *n)
{
    static const char *const modifiers[] = {".pred"};
    struct operand *operands = ptx_scratch(d->context, 2, sizeof *operands);
    struct insn *mov = ptx_scratch(d->context, 1, sizeof *mov); /* a message may name it later */
    operands[0] = *d->resident;
    operands[1] = (struct operand){.kind = OPERAND_INT, .value = 1};
    d->resident = NULL;
    *mov = *n;
    mov->mnemonic = "mov";
    mov->modifiers = modifiers;
    mov->num_modifiers = 1;
    mov->operands = operands;
    mov->num_operands = 2;
    decode_instruction(d, mov);
}

void texture_texel(struct decoder *d, const struct operand *o)
{
    o = take_residency(d, o);
    const uint32_t count = d->uop->vec;
    if (o->kind != OPERAND_VECTOR || o->count != count)
        operand_fail(d, o, count == 4 ? "a vector of 4 elements" : "a vector of 2 elements");
    for (uint32_t i = 0; i < count; i++)
        d->uop->dst[i] = operand_destination(d, &o->elements[i], d->uop->type);
}

/* A handle: a variable's address, or what a register or a parameter holds. Of a parameter, *param
 * becomes the offset. */
static uint32_t decode_handle(struct decoder *d, const struct operand *o, int64_t *param)
{
    if (o->kind != OPERAND_SYMBOL || o->symbol->kind != SYMBOL_PARAM)
        return operand_source(d, o, T_U64);
    const struct ptx_param *p = &d->kernel->params[o->symbol->param];
    if (p->size != 8 || o->offset)
        operand_fail(d, o, "a parameter of 8 bytes");
    *param = p->offset;
    return UOP_NONE;
}

/* What is to be `count` coordinates; a vector of three has four elements in PTX, the last one of no use.
 * `surplus`: old compilers wrote four everywhere. */
static const struct operand *coordinates(struct decoder *d, const struct operand *o, uint32_t count,
                                         int surplus)
{
    const uint32_t written = count >= 3 ? 4 : count;
    if (o->kind == OPERAND_VECTOR && (o->count == written || (surplus && o->count == 4)))
        return o->elements;
    if (o->kind == OPERAND_VECTOR || count > 1)
        operand_fail(d, o,
                     count >= 3   ? "4 coordinates"
                     : count == 2 ? "2 coordinates"
                                  : "1 coordinate");
    return o;
}

/* Coordinates of a texture, and how many of them are layers. */
static const struct {
    uint32_t count, layers;
} geometry[] = {[TEX_1D] = {1, 0},  [TEX_2D] = {2, 0},   [TEX_3D] = {3, 0},   [TEX_A1D] = {2, 1},
                [TEX_A2D] = {3, 1}, [TEX_CUBE] = {3, 0}, [TEX_ACUBE] = {4, 1}};

/* Layer first, then x, y, z. */
static void decode_coordinates(struct decoder *d, const struct operand *o)
{
    struct uop *u = d->uop;
    const uint32_t count = geometry[u->mod].count;
    const struct operand *e = coordinates(d, o, count, 1);
    for (uint32_t i = 0; i < count; i++)
        u->vsrc[i] = operand_source(d, &e[i], i < geometry[u->mod].layers ? T_U32 : u->type2);
}

void texture_decode(struct decoder *d, const struct operand *o)
{
    struct uop *u = d->uop;
    int64_t sampler = UOP_NONE;
    if (o->kind != OPERAND_ADDRESS || o->count < 2 || o->offset)
        operand_fail(d, o, "[texture, coordinates]");
    u->space = SPACE_GLOBAL;
    u->src[0] = decode_handle(d, &o->elements[0], &u->offset);
    if (o->count == 3)
        u->src[1] = decode_handle(d, &o->elements[1], &sampler);
    u->target = (uint32_t)sampler;
    decode_coordinates(d, &o->elements[o->count - 1]);
}

/* How coordinates change from texel to texel: the hardware's choice of a level, of which there is one. */
void texture_gradient(struct decoder *d, const struct operand *o)
{
    const uint32_t count = geometry[d->uop->mod].count - geometry[d->uop->mod].layers;
    const struct operand *e = coordinates(d, o, count, 0);
    for (uint32_t i = 0; i < count; i++)
        operand_source(d, &e[i], T_F32);
}

/* In texels, of x, y, z. The third one takes the place of a fourth coordinate. */
void texture_offsets(struct decoder *d, const struct operand *o)
{
    struct uop *u = d->uop;
    uint32_t *const offsets[] = {&u->src[2], &u->src[3], &u->vsrc[3]};
    const uint32_t count = geometry[u->mod].count - geometry[u->mod].layers;
    if (o->kind != OPERAND_VECTOR)
        operand_fail(d, o, "a vector of offsets: there are no depth textures");
    const struct operand *e = coordinates(d, o, count, 0);
    for (uint32_t i = 0; i < count; i++)
        *offsets[i] = operand_source(d, &e[i], T_S32);
}

/* suld.b.2d.v2.b32.trap {%r1, %r2}, [surface, {%r3, %r4}]: coordinates are .s32 or, of a layer,
 * .u32, in src[1] to src[3]. */
void surface_decode(struct decoder *d, const struct operand *o)
{
    static const uint8_t counts[] = {
        [TEX_1D] = 1, [TEX_2D] = 2, [TEX_3D] = 3, [TEX_A1D] = 2, [TEX_A2D] = 3};
    struct uop *u = d->uop;
    const uint32_t count = counts[u->mod];
    if (o->kind != OPERAND_ADDRESS || o->count != 2 || o->offset)
        operand_fail(d, o, "[surface, coordinates]");
    const struct operand *e = coordinates(d, &o->elements[1], count, 0);
    u->space = SPACE_GLOBAL;
    u->src[0] = decode_handle(d, &o->elements[0], &u->offset);
    for (uint32_t i = 0; i < count; i++)
        u->src[1 + i] = operand_source(d, &e[i], T_U32);
}

void texture_query(struct decoder *d, const struct operand *o)
{
    if (o->kind != OPERAND_ADDRESS || o->count != 1 || o->offset)
        operand_fail(d, o, "[texture] or [surface]");
    d->uop->src[0] = decode_handle(d, &o->elements[0], &d->uop->offset);
}

void texture_bare(struct decoder *d, const struct operand *o)
{
    d->uop->src[0] = decode_handle(d, o, &d->uop->offset);
}
