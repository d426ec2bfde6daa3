/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/image_format.c: image formats (OpenCL 1.2, section 5.3.1.1): which there are, where the
 * bits of each component lie, and colours as texels. */
#include <math.h>
#include <string.h>

#include "tb/ocl/image.h"

enum { RED, GREEN, BLUE, ALPHA, NUM_COMPONENTS, RGB_ALIKE, ALL_ALIKE };

/* Which types an order goes with. */
enum { ANY, NO_INTEGERS, BYTES, PACKED };

static const struct order {
    cl_channel_order order;
    int types;
    unsigned channels;
    int component[NUM_COMPONENTS]; /* what each channel holds */
    int opaque_border;
} orders[] = {
    {CL_R, ANY, 1, {RED}, 1},
    {CL_A, ANY, 1, {ALPHA}, 0},
    {CL_RG, ANY, 2, {RED, GREEN}, 1},
    {CL_RA, ANY, 2, {RED, ALPHA}, 0},
    {CL_RGB, PACKED, 3, {RED, GREEN, BLUE}, 1},
    {CL_RGBA, ANY, 4, {RED, GREEN, BLUE, ALPHA}, 0},
    {CL_BGRA, BYTES, 4, {BLUE, GREEN, RED, ALPHA}, 0},
    {CL_ARGB, BYTES, 4, {ALPHA, RED, GREEN, BLUE}, 0},
    {CL_INTENSITY, NO_INTEGERS, 1, {ALL_ALIKE}, 0},
    {CL_LUMINANCE, NO_INTEGERS, 1, {RGB_ALIKE}, 1},
    {CL_RGBx, PACKED, 3, {RED, GREEN, BLUE}, 0},
};

static const struct type {
    cl_channel_type type;
    enum ptx_texel kind;
    unsigned bits;                 /* of a channel; 0: packed */
    unsigned bytes;                /* of a packed texel */
    unsigned widths[3], shifts[3]; /* of its channels */
} types[] = {
    {CL_SNORM_INT8, TEXEL_SNORM, 8, 0, {0}, {0}},
    {CL_SNORM_INT16, TEXEL_SNORM, 16, 0, {0}, {0}},
    {CL_UNORM_INT8, TEXEL_UNORM, 8, 0, {0}, {0}},
    {CL_UNORM_INT16, TEXEL_UNORM, 16, 0, {0}, {0}},
    {CL_UNORM_SHORT_565, TEXEL_UNORM, 0, 2, {5, 6, 5}, {11, 5, 0}},
    {CL_UNORM_SHORT_555, TEXEL_UNORM, 0, 2, {5, 5, 5}, {10, 5, 0}},
    {CL_UNORM_INT_101010, TEXEL_UNORM, 0, 4, {10, 10, 10}, {20, 10, 0}},
    {CL_SIGNED_INT8, TEXEL_SIGNED, 8, 0, {0}, {0}},
    {CL_SIGNED_INT16, TEXEL_SIGNED, 16, 0, {0}, {0}},
    {CL_SIGNED_INT32, TEXEL_SIGNED, 32, 0, {0}, {0}},
    {CL_UNSIGNED_INT8, TEXEL_UNSIGNED, 8, 0, {0}, {0}},
    {CL_UNSIGNED_INT16, TEXEL_UNSIGNED, 16, 0, {0}, {0}},
    {CL_UNSIGNED_INT32, TEXEL_UNSIGNED, 32, 0, {0}, {0}},
    {CL_HALF_FLOAT, TEXEL_HALF, 16, 0, {0}, {0}},
    {CL_FLOAT, TEXEL_FLOAT, 32, 0, {0}, {0}},
};
#define NUM_ORDERS (sizeof orders / sizeof orders[0])
#define NUM_TYPES  (sizeof types / sizeof types[0])

static int goes_with(const struct order *o, const struct type *t)
{
    if (t->bits == 0 || o->types == PACKED)
        return t->bits == 0 && o->types == PACKED;
    const int integers = t->kind == TEXEL_SIGNED || t->kind == TEXEL_UNSIGNED;
    return o->types == ANY || (o->types == NO_INTEGERS && !integers) ||
           (o->types == BYTES && t->bits == 8);
}

/* One channel of the descriptor. A value that several components share is written from red. */
static void place_channel(struct ptx_texture *d, int component, unsigned shift, unsigned width)
{
    const int first = component < NUM_COMPONENTS ? component : RED;
    const int last = component < NUM_COMPONENTS ? component : component == RGB_ALIKE ? BLUE : ALPHA;
    for (int c = first; c <= last; c++) {
        d->shifts[c] = (uint8_t)shift;
        d->widths[c] = (uint8_t)width;
    }
    d->written |= 1u << first;
}

cl_int image_format_check(const cl_image_format *format, struct ptx_texture *d)
{
    if (!format)
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    const struct order *o = orders;
    const struct type *t = types;
    while (o < orders + NUM_ORDERS && o->order != format->image_channel_order)
        o++;
    while (t < types + NUM_TYPES && t->type != format->image_channel_data_type)
        t++;
    if (t == types + NUM_TYPES)
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if (o == orders + NUM_ORDERS) /* padded ones have no power of two bits with any type */
        return format->image_channel_order == CL_Rx || format->image_channel_order == CL_RGx
                   ? CL_IMAGE_FORMAT_NOT_SUPPORTED
                   : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if (!goes_with(o, t))
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    for (unsigned i = 0; i < o->channels; i++)
        place_channel(d, o->component[i], t->bits ? i * t->bits : t->shifts[i],
                      t->bits ? t->bits : t->widths[i]);
    d->order = o->order;
    d->data_type = t->type;
    d->kind = t->kind;
    d->texel_bytes = t->bits ? o->channels * t->bits / 8 : t->bytes;
    d->opaque_border = (cl_uint)o->opaque_border;
    return CL_SUCCESS;
}

cl_uint image_formats(cl_image_format *formats, cl_uint room)
{
    cl_uint count = 0;
    for (size_t o = 0; o < NUM_ORDERS; o++)
        for (size_t t = 0; t < NUM_TYPES; t++)
            if (goes_with(&orders[o], &types[t])) {
                if (count < room)
                    formats[count] = (cl_image_format){orders[o].order, types[t].type};
                count++;
            }
    return count;
}

static uint32_t encode_float(enum ptx_texel kind, float x, unsigned width)
{
    const float most = (float)((1u << (width - (kind == TEXEL_SNORM))) - 1);
    const float least = kind == TEXEL_SNORM ? -most - 1 : 0;
    const float scaled = rintf(x * most);
    return x != x ? 0 : (uint32_t)(int32_t)(scaled < least ? least : scaled > most ? most : scaled);
}

/* The bits of one component. */
static uint32_t encode(enum ptx_texel kind, const uint8_t *component, unsigned width)
{
    float f;
    int32_t i;
    uint32_t u;
    _Float16 half;
    memcpy(&f, component, sizeof f);
    memcpy(&i, component, sizeof i);
    memcpy(&u, component, sizeof u);
    const int64_t most = (int64_t)(UINT32_MAX >> (32 - width)) >> 1;
    switch (kind) {
    case TEXEL_UNORM:
    case TEXEL_SNORM: return encode_float(kind, f, width);
    case TEXEL_SIGNED: return (uint32_t)(i > most ? most : i < -most - 1 ? -most - 1 : i);
    case TEXEL_UNSIGNED: return u > UINT32_MAX >> (32 - width) ? UINT32_MAX >> (32 - width) : u;
    case TEXEL_HALF:
        half = (_Float16)f;
        u = 0;
        memcpy(&u, &half, sizeof half);
        return u;
    default: return u;
    }
}

void image_encode(const struct ptx_texture *d, const void *colour, uint8_t texel[16])
{
    uint64_t number = 0;
    if (d->texel_bytes == 16) {
        memcpy(texel, colour, 16);
        return;
    }
    for (unsigned c = 0; c < NUM_COMPONENTS; c++)
        if (d->written >> c & 1) {
            const unsigned width = d->widths[c];
            const uint64_t bits =
                encode((enum ptx_texel)d->kind, (const uint8_t *)colour + 4 * c, width);
            number |= (bits & UINT32_MAX >> (32 - width)) << d->shifts[c];
        }
    memcpy(texel, &number, sizeof number);
}
