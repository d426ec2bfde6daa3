/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/texture.c: tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [texture, sampler, {%r1, %r2}].
 * Texture and sampler are variables, parameters of the kernel, or handles in registers; the sampler
 * may be missing. */
#include "tb/ptx/decode/decode.h"
#include "tb/ptx/type.h"

void texture_texel(struct decoder *d, const struct operand *o)
{
    if (o->kind != OPERAND_VECTOR || o->count != 4)
        operand_fail(d, o, "a vector of 4 elements");
    for (uint32_t i = 0; i < 4; i++)
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

/* Layer first, then x, y, z; a vector of three has four elements in PTX, the last one of no use. Old
 * compilers wrote four everywhere. */
static void decode_coordinates(struct decoder *d, const struct operand *o)
{
    static const struct {
        uint32_t count, layers;
    } geometry[] = {[TEX_1D] = {1, 0},
                    [TEX_2D] = {2, 0},
                    [TEX_3D] = {3, 0},
                    [TEX_A1D] = {2, 1},
                    [TEX_A2D] = {3, 1}};
    struct uop *u = d->uop;
    const uint32_t count = geometry[u->mod].count;
    const struct operand *e = o;
    if (o->kind == OPERAND_VECTOR && (o->count == 4 || (count < 3 && o->count == count)))
        e = o->elements;
    else if (o->kind == OPERAND_VECTOR || count > 1)
        operand_fail(d, o,
                     count == 3   ? "4 coordinates"
                     : count == 2 ? "2 coordinates"
                                  : "1 coordinate");
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
