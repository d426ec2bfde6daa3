/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/image_reference.c: see image_reference.h. Coordinates are floats, as in kernels;
 * colours are doubles. */
#include "tests/tb/ocl/image_reference.h"

#include <math.h>
#include <string.h>

/* Which component each stored channel is; I and L stand for several. */
static const char *layout(cl_channel_order order)
{
    switch (order) {
    case CL_R: return "r";
    case CL_A: return "a";
    case CL_RG: return "rg";
    case CL_RA: return "ra";
    case CL_RGB:
    case CL_RGBx: return "rgb";
    case CL_RGBA: return "rgba";
    case CL_BGRA: return "bgra";
    case CL_ARGB: return "argb";
    case CL_INTENSITY: return "I";
    case CL_LUMINANCE: return "L";
    default: fail_msg("unknown order 0x%x", order); return "";
    }
}

/* Bits of channel i, of all of them, and where it begins. */
static int channel_bits(cl_channel_type type, int i)
{
    switch (type) {
    case CL_UNORM_SHORT_565: return i == 1 ? 6 : 5;
    case CL_UNORM_SHORT_555: return 5;
    case CL_UNORM_INT_101010: return 10;
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8: return 8;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT: return 32;
    default: return 16;
    }
}

static int is_packed(cl_channel_type type)
{
    return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010;
}

/* The first channel of a packed texel is the highest. */
static int channel_shift(cl_channel_type type, int i)
{
    int shift = 0;
    if (is_packed(type))
        for (int k = 2; k > i; k--)
            shift += channel_bits(type, k);
    return shift;
}

size_t texel_bytes(cl_image_format f)
{
    const cl_channel_type type = f.image_channel_data_type;
    return is_packed(type)
               ? (type == CL_UNORM_INT_101010 ? 4 : 2)
               : strlen(layout(f.image_channel_order)) * (size_t)channel_bits(type, 0) / 8;
}

enum colour_type colour_type(cl_image_format f)
{
    const cl_channel_type type = f.image_channel_data_type;
    return type >= CL_SIGNED_INT8 && type <= CL_SIGNED_INT32       ? COLOUR_INT
           : type >= CL_UNSIGNED_INT8 && type <= CL_UNSIGNED_INT32 ? COLOUR_UINT
                                                                   : COLOUR_FLOAT;
}

static double decode_half(unsigned bits)
{
    const int exponent = bits >> 10 & 31, significand = bits & 1023;
    const double size = exponent == 31  ? (significand ? NAN : INFINITY)
                        : exponent == 0 ? ldexp(significand, -24)
                                        : ldexp(1024 + significand, exponent - 25);
    return bits & 0x8000 ? -size : size;
}

static unsigned encode_half(double x)
{
    unsigned best = 0;
    for (unsigned bits = 0; bits <= 0x7c00; bits++) /* of two equally near ones the even one */
        if (fabs(decode_half(bits) - fabs(x)) < fabs(decode_half(best) - fabs(x)) ||
            (fabs(decode_half(bits) - fabs(x)) == fabs(decode_half(best) - fabs(x)) && !(bits & 1)))
            best = bits;
    return best | (signbit(x) ? 0x8000 : 0);
}

/* One channel's value. */
static double channel_decode(cl_channel_type type, uint32_t bits, int width)
{
    const double most = (double)(UINT32_MAX >> (32 - width)), half = floor(most / 2);
    const double with_sign = bits > half ? bits - most - 1 : bits;
    float f;
    memcpy(&f, &bits, sizeof f);
    switch (type) {
    case CL_SNORM_INT8:
    case CL_SNORM_INT16: return fmax((float)(with_sign / half), -1);
    case CL_SIGNED_INT8:
    case CL_SIGNED_INT16:
    case CL_SIGNED_INT32: return with_sign;
    case CL_UNSIGNED_INT8:
    case CL_UNSIGNED_INT16:
    case CL_UNSIGNED_INT32: return bits;
    case CL_HALF_FLOAT: return decode_half(bits);
    case CL_FLOAT: return f;
    default: return (float)(bits / most);
    }
}

static double held(double x, double least, double most)
{
    return x < least ? least : x > most ? most : x;
}

static uint32_t channel_encode(cl_channel_type type, double x, int width)
{
    const double most = (double)(UINT32_MAX >> (32 - width)), half = floor(most / 2);
    const float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    switch (type) {
    case CL_SNORM_INT8:
    case CL_SNORM_INT16: return (uint32_t)(int32_t)held(rint((float)(x * half)), -half - 1, half);
    case CL_SIGNED_INT8:
    case CL_SIGNED_INT16:
    case CL_SIGNED_INT32: return (uint32_t)(int32_t)held(x, -half - 1, half);
    case CL_UNSIGNED_INT8:
    case CL_UNSIGNED_INT16:
    case CL_UNSIGNED_INT32: return (uint32_t)held(x, 0, most);
    case CL_HALF_FLOAT: return encode_half(x);
    case CL_FLOAT: return bits;
    default: return (uint32_t)held(rint((float)(x * most)), 0, most);
    }
}

/* Where channel i of a texel is: the 32 bits from a byte on, and the shift in them. */
static uint32_t channel_get(cl_channel_type type, const unsigned char *texel, int i)
{
    const int width = channel_bits(type, i);
    uint32_t bits = 0;
    if (is_packed(type)) {
        memcpy(&bits, texel, type == CL_UNORM_INT_101010 ? 4 : 2);
        return bits >> channel_shift(type, i) & ((1u << width) - 1);
    }
    memcpy(&bits, texel + i * width / 8, (size_t)width / 8);
    return bits;
}

struct colour texel_decode(cl_image_format f, const unsigned char *texel)
{
    struct colour result = {{0, 0, 0, 1}};
    const char *channels = layout(f.image_channel_order);
    for (int i = 0; channels[i]; i++) {
        const cl_channel_type type = f.image_channel_data_type;
        const double x = channel_decode(type, channel_get(type, texel, i), channel_bits(type, i));
        for (int c = 0; c < 4; c++)
            if (channels[i] == "rgba"[c] || channels[i] == 'I' || (channels[i] == 'L' && c < 3))
                result.c[c] = x;
    }
    return result;
}

void texel_encode(cl_image_format f, struct colour colour, unsigned char *texel)
{
    const cl_channel_type type = f.image_channel_data_type;
    const char *channels = layout(f.image_channel_order);
    uint32_t packed = 0;
    for (int i = 0; channels[i]; i++) {
        const char *at = strchr("rgba", channels[i]);
        const int width = channel_bits(type, i);
        const uint32_t bits = channel_encode(type, colour.c[at ? at - "rgba" : 0], width);
        packed |= is_packed(type) ? bits << channel_shift(type, i) : 0;
        if (!is_packed(type))
            memcpy(texel + i * width / 8, &bits, (size_t)width / 8);
    }
    if (is_packed(type))
        memcpy(texel, &packed, texel_bytes(f));
}

/* A texel, or the border colour outside. */
static struct colour texel_at(const struct picture *p, const int at[3])
{
    static const cl_channel_order opaque[] = {CL_R, CL_RG, CL_RGB, CL_LUMINANCE};
    for (int d = 0; d < 3; d++)
        if (at[d] < 0 || at[d] >= p->size[d]) {
            struct colour border = {{0, 0, 0, 0}};
            for (int i = 0; i < 4; i++)
                border.c[3] += opaque[i] == p->format.image_channel_order;
            return border;
        }
    const size_t index = ((size_t)at[2] * (size_t)p->size[1] + (size_t)at[1]) * (size_t)p->size[0];
    return texel_decode(p->format, p->texels + (index + (size_t)at[0]) * texel_bytes(p->format));
}

static int at_least(int a, int b)
{
    return a > b ? a : b;
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

/* The two texels of one dimension, and the weight of the second; section 8.2, case by case. */
static void one_dimension(struct sampling s, float x, int size, int i[2], float *weight)
{
    const int linear = s.filter == CL_FILTER_LINEAR;
    float u = s.normalized ? x * (float)size : x;
    if (s.addressing == CL_ADDRESS_REPEAT)
        u = (x - floorf(x)) * (float)size;
    if (s.addressing == CL_ADDRESS_MIRRORED_REPEAT)
        u = fabsf(x - 2.0f * rintf(0.5f * x)) * (float)size;
    u = fmaxf(fminf(u, 1e9f), -1e9f);
    const float low = linear ? floorf(u - 0.5f) : floorf(u);
    *weight = linear ? u - 0.5f - low : 0;
    i[0] = (int)low;
    i[1] = i[0] + 1;
    for (int k = 0; k < 2; k++)
        switch (s.addressing) {
        case CL_ADDRESS_CLAMP: i[k] = at_least(at_most(i[k], size), -1); break;
        case CL_ADDRESS_REPEAT: i[k] = (i[k] + size) % size; break;
        default: i[k] = at_least(at_most(i[k], size - 1), 0);
        }
}

struct colour picture_sample(const struct picture *p, struct sampling s, const float at[3])
{
    struct colour sum = {{0, 0, 0, 0}};
    int i[3][2];
    float weight[3] = {0, 0, 0};
    for (int d = 0; d < 3; d++)
        if (d < p->sampled)
            one_dimension(s, at[d], p->size[d], i[d], &weight[d]);
        else
            i[d][0] = i[d][1] = (int)fmaxf(fminf(rintf(at[d]), (float)(p->size[d] - 1)), 0);
    for (int corner = 0; corner < 8; corner++) {
        double share = 1;
        int place[3];
        for (int d = 0; d < 3; d++) {
            const int second = corner >> d & 1;
            share *= second ? weight[d] : 1 - weight[d];
            place[d] = i[d][second];
        }
        if (share == 0)
            continue;
        const struct colour texel = texel_at(p, place);
        for (int c = 0; c < 4; c++)
            sum.c[c] += share * texel.c[c];
    }
    return sum;
}
