/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/image.cl: images (OpenCL 1.2, sections 6.12.14 and 8.2). An image is the address of its
 * descriptor (tb/ptx/texture.def), read through the constant cache; texels are loads and stores of
 * global memory, one each. A sampler is a number: the CLK_ constants, added up.
 *
 * Outside of an image: a read without an address mode takes the nearest texel, a write is dropped.
 */

struct image {
#define FIELD(type, name) type name;
#include "tb/ptx/texture.def"
#undef FIELD
};
enum texel_kind {
#define KIND(name) TEXEL_##name,
#include "tb/ptx/texture.def"
#undef KIND
};
typedef const __constant struct image *image;

#define SAMPLER_NORMALIZED 1
#define SAMPLER_ADDRESS    14
#define ADDRESS_CLAMP      4 /* to the border colour */
#define ADDRESS_REPEAT     6
#define ADDRESS_MIRRORED   8
#define SAMPLER_LINEAR     32
#define SAMPLER_NONE       0 /* unnormalized, no address mode, nearest */

/* What a program's sampler constant becomes: a pointer that is never followed. */
__attribute__((always_inline)) __constant void *__translate_sampler_initializer(uint bits)
{
    return (__constant void *)(ulong)bits;
}
#define SAMPLER(s) ((uint)(ulong)__builtin_astype(s, __constant void *))

/* A texel, the four components in their bits as they are stored. */

BUILTIN ulong texel_number(ulong address, uint bytes)
{
    switch (bytes) {
    case 1: return *(__global uchar *)address;
    case 2: return *(__global ushort *)address;
    case 4: return *(__global uint *)address;
    default: return *(__global ulong *)address;
    }
}

/* Bits of a component of the given width, all 64 bits of it for width 0. */
#define COMPONENT_MASK(width) (~0u >> (32 - (width)))

BUILTIN uint4 texel_bits(image im, ulong address)
{
    if (im->texel_bytes == 16)
        return *(__global uint4 *)address;
    const ulong number = texel_number(address, im->texel_bytes);
    const uchar4 shifts = im->shifts, widths = im->widths;
    uint4 result;
    _Pragma("unroll") for (int c = 0; c < 4; c++) result[c] =
        widths[c] ? (uint)(number >> shifts[c]) & COMPONENT_MASK(widths[c]) : 0;
    return result;
}

BUILTIN void put_texel_bits(image im, ulong address, uint4 bits)
{
    const uchar4 shifts = im->shifts, widths = im->widths;
    ulong number = 0;
    if (im->texel_bytes == 16) {
        *(__global uint4 *)address = bits;
        return;
    }
    _Pragma("unroll") for (int c = 0; c < 4; c++) if (im->written >> c & 1) number |=
        (ulong)(bits[c] & COMPONENT_MASK(widths[c])) << shifts[c];
    switch (im->texel_bytes) {
    case 1: *(__global uchar *)address = (uchar)number; break;
    case 2: *(__global ushort *)address = (ushort)number; break;
    case 4: *(__global uint *)address = (uint)number; break;
    default: *(__global ulong *)address = number;
    }
}

/* Between the bits of one component and its value. */

BUILTIN int component_int(uint bits, uint width)
{
    return (int)(bits << (32 - width)) >> (32 - width);
}

BUILTIN float component_float(uint kind, uint bits, uint width)
{
    switch (kind) {
    case TEXEL_UNORM: return (float)bits / (float)COMPONENT_MASK(width);
    case TEXEL_SNORM:
        return fmax((float)component_int(bits, width) / (float)(COMPONENT_MASK(width) >> 1), -1.0f);
    case TEXEL_HALF: return float_of_half((ushort)bits);
    default: return as(float, bits);
    }
}

BUILTIN uint component_of_float(uint kind, float x, uint width)
{
    const float most = (float)(COMPONENT_MASK(width) >> (kind == TEXEL_SNORM));
    switch (kind) {
    case TEXEL_UNORM: return (uint)clamp(convert_int_sat_rte(x * most), 0, (int)most);
    case TEXEL_SNORM: return (uint)clamp(convert_int_sat_rte(x * most), (int)-most - 1, (int)most);
    case TEXEL_HALF: return half_of_rn(x);
    default: return as(uint, x);
    }
}

/* Signed numbers go to the nearest that the width holds, unsigned ones too. */
BUILTIN uint component_of_int(int x, uint width)
{
    const int most = (int)(COMPONENT_MASK(width) >> 1);
    return (uint)clamp(x, -most - 1, most);
}
BUILTIN uint component_of_uint(uint x, uint width) { return min(x, COMPONENT_MASK(width)); }

/* A colour, with 0 and 1 for what an image does not have. */

#define MISSING(c) ((c) == 3)
#define EACH_COMPONENT(result, value)                                                              \
    _Pragma("unroll") for (int c = 0; c < 4; c++) result[c] = widths[c] ? value : MISSING(c)

BUILTIN float4 colour_f(image im, uint4 bits)
{
    const uchar4 widths = im->widths;
    const uint kind = im->kind;
    float4 result;
    EACH_COMPONENT(result, component_float(kind, bits[c], widths[c]));
    return result;
}
BUILTIN int4 colour_i(image im, uint4 bits)
{
    const uchar4 widths = im->widths;
    int4 result;
    EACH_COMPONENT(result, component_int(bits[c], widths[c]));
    return result;
}
BUILTIN uint4 colour_ui(image im, uint4 bits)
{
    const uchar4 widths = im->widths;
    uint4 result;
    EACH_COMPONENT(result, bits[c]);
    return result;
}

BUILTIN uint4 bits_of_f(image im, float4 colour)
{
    const uint kind = im->kind;
    const uchar4 widths = im->widths;
    uint4 result;
    _Pragma("unroll") for (int c = 0; c < 4; c++) result[c] =
        component_of_float(kind, colour[c], widths[c]);
    return result;
}
BUILTIN uint4 bits_of_i(image im, int4 colour)
{
    const uchar4 widths = im->widths;
    uint4 result;
    _Pragma("unroll") for (int c = 0; c < 4; c++) result[c] =
        component_of_int(colour[c], widths[c]);
    return result;
}
BUILTIN uint4 bits_of_ui(image im, uint4 colour)
{
    const uchar4 widths = im->widths;
    uint4 result;
    _Pragma("unroll") for (int c = 0; c < 4; c++) result[c] =
        component_of_uint(colour[c], widths[c]);
    return result;
}

/* Where a texel is. A place is inside if all its coordinates are. */

BUILTIN int is_inside(image im, int4 at)
{
    return (uint)at.x < (uint)im->width && (uint)at.y < (uint)im->height &&
           (uint)at.z < (uint)im->depth;
}
BUILTIN ulong texel_address(image im, int4 at)
{
    return im->texels + (ulong)(uint)at.x * im->texel_bytes + (ulong)(uint)at.y * im->row_pitch +
           (ulong)(uint)at.z * im->slice_pitch;
}

/* An address mode on an index that may be outside. */
BUILTIN int addressed(uint sampler, int i, int size)
{
    switch (sampler & SAMPLER_ADDRESS) {
    case ADDRESS_CLAMP: return clamp(i, -1, size);
    case ADDRESS_REPEAT: return i < 0 ? i + size : i >= size ? i - size : i;
    default: return clamp(i, 0, size - 1);
    }
}

/* A coordinate in texels. Repetition acts on normalized coordinates, before they are scaled. */
BUILTIN float scaled(uint sampler, float s, int size)
{
    const uint address = sampler & SAMPLER_ADDRESS;
    if (!(sampler & SAMPLER_NORMALIZED))
        return s;
    if (address == ADDRESS_REPEAT)
        s -= floor(s);
    else if (address == ADDRESS_MIRRORED)
        s = fabs(s - 2.0f * rint(0.5f * s));
    return s * (float)size;
}

/* Far outside is as far as 2^30: one more is an integer, too. */
#define FAR      0x1p30f
#define FLOOR(x) (int)floor(x)

/* The sampler's texel at integer coordinates: a colour's bits and whether it is no border. */
BUILTIN uint4 texel_at(image im, int4 at, int *inside)
{
    *inside = is_inside(im, at);
    return *inside ? texel_bits(im, texel_address(im, at)) : (uint4)0;
}

/* DIMENSIONS: how many coordinates the sampler acts on; a layer, if there is one, is z. */
BUILTIN int4 place_of(image im, uint sampler, int4 at, int dimensions)
{
    return (int4)(addressed(sampler, at.x, im->width),
                  dimensions > 1 ? addressed(sampler, at.y, im->height) : 0,
                  dimensions > 2 ? addressed(sampler, at.z, im->depth)
                                 : clamp(at.z, 0, im->depth - 1),
                  0);
}
BUILTIN float4 in_texels(image im, uint sampler, float4 at, int dimensions)
{
    const float4 t = (float4)(scaled(sampler, at.x, im->width),
                              dimensions > 1 ? scaled(sampler, at.y, im->height) : 0.0f,
                              dimensions > 2 ? scaled(sampler, at.z, im->depth) : rint(at.z), 0.0f);
    return clamp(t, -FAR, FAR);
}
BUILTIN int4 nearest_place(image im, uint sampler, float4 at, int dimensions)
{
    const float4 t = in_texels(im, sampler, at, dimensions);
    return place_of(im, sampler, (int4)(FLOOR(t.x), FLOOR(t.y), FLOOR(t.z), 0), dimensions);
}

#define COLOUR(T, form)                                                                            \
    BUILTIN T sample_##form(image im, uint sampler, int4 at, int dimensions)                       \
    {                                                                                              \
        int inside;                                                                                \
        const uint4 bits = texel_at(im, place_of(im, sampler, at, dimensions), &inside);           \
        return inside ? colour_##form(im, bits) : (T)(0, 0, 0, im->opaque_border);                 \
    }
COLOUR(float4, f)
COLOUR(int4, i)
COLOUR(uint4, ui)
BUILTIN int4 sample_i(image im, uint sampler, float4 at, int dimensions)
{
    return sample_i(im, sampler, nearest_place(im, sampler, at, dimensions), dimensions);
}
BUILTIN uint4 sample_ui(image im, uint sampler, float4 at, int dimensions)
{
    return sample_ui(im, sampler, nearest_place(im, sampler, at, dimensions), dimensions);
}
/* Linear: the weighted mean of the 2, 4 or 8 texels around the place, one after the other. */
BUILTIN float4 sample_f(image im, uint sampler, float4 at, int dimensions)
{
    if (!(sampler & SAMPLER_LINEAR))
        return sample_f(im, sampler, nearest_place(im, sampler, at, dimensions), dimensions);
    const float4 t = in_texels(im, sampler, at, dimensions) -
                     (float4)(0.5f, 0.5f, dimensions > 2 ? 0.5f : 0.0f, 0.0f);
    const float4 whole = floor(t), part = t - whole;
    const int x = FLOOR(t.x), y = FLOOR(t.y), z = FLOOR(t.z);
    float4 sum = 0;
    _Pragma("nounroll") for (int corner = 0; corner < 1 << dimensions; corner++)
    {
        const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
        const float weight = (dx ? part.x : 1.0f - part.x) *
                             (dimensions < 2 ? 1.0f
                              : dy           ? part.y
                                             : 1.0f - part.y) *
                             (dimensions < 3 ? 1.0f
                              : dz           ? part.z
                                             : 1.0f - part.z);
        sum += weight * sample_f(im, sampler, (int4)(x + dx, y + dy, z + dz, 0), dimensions);
    }
    return sum;
}

/* The built-in functions, for each type of image: its coordinates as four, its dimensions. */

/* An image is an address of global memory, where its descriptor is. Its type becomes constant
 * memory in assembly: LLVM's cast has no PTX. */
BUILTIN image descriptor(__global void *address)
{
    image result;
    __asm("mov.u64 %0, %1;" : "=l"(result) : "l"(address));
    return result;
}
#define IMAGE(i) descriptor(__builtin_astype(i, __global void *))

#define READS(type, form, T, C, F, dimensions, ...)                                                \
    BUILTIN T read_image##form(__read_only type i, sampler_t s, C c)                               \
    {                                                                                              \
        return sample_##form(IMAGE(i), SAMPLER(s), (int4)(__VA_ARGS__), dimensions);               \
    }                                                                                              \
    BUILTIN T read_image##form(__read_only type i, sampler_t s, F c)                               \
    {                                                                                              \
        return sample_##form(IMAGE(i), SAMPLER(s), (float4)(__VA_ARGS__), dimensions);             \
    }
#define ACCESSES(type, form, T, C, dimensions, ...)                                                \
    BUILTIN T read_image##form(__read_only type i, C c)                                            \
    {                                                                                              \
        return sample_##form(IMAGE(i), SAMPLER_NONE, (int4)(__VA_ARGS__), dimensions);             \
    }                                                                                              \
    BUILTIN void write_image##form(__write_only type i, C c, T colour)                             \
    {                                                                                              \
        const image im = IMAGE(i);                                                                 \
        const int4 at = (int4)(__VA_ARGS__);                                                       \
        if (is_inside(im, at))                                                                     \
            put_texel_bits(im, texel_address(im, at), bits_of_##form(im, colour));                 \
    }
#define QUERIES(access, type)                                                                      \
    BUILTIN int get_image_width(access type i) { return IMAGE(i)->width; }                         \
    BUILTIN int get_image_channel_data_type(access type i) { return (int)IMAGE(i)->data_type; }    \
    BUILTIN int get_image_channel_order(access type i) { return (int)IMAGE(i)->order; }
#define HEIGHT(access, type)                                                                       \
    BUILTIN int get_image_height(access type i) { return IMAGE(i)->height; }
#define AREA(access, type)                                                                         \
    HEIGHT(access, type)                                                                           \
    BUILTIN int2 get_image_dim(access type i) { return (int2)(IMAGE(i)->width, IMAGE(i)->height); }
#define VOLUME(access, type)                                                                       \
    HEIGHT(access, type)                                                                           \
    BUILTIN int get_image_depth(access type i) { return IMAGE(i)->depth; }                         \
    BUILTIN int4 get_image_dim(access type i)                                                      \
    {                                                                                              \
        return (int4)(IMAGE(i)->width, IMAGE(i)->height, IMAGE(i)->depth, 0);                      \
    }
#define LAYERS(access, type)                                                                       \
    BUILTIN size_t get_image_array_size(access type i) { return (size_t)IMAGE(i)->depth; }

#define IN_FORMS(X, type, ...)                                                                     \
    X(type, f, float4, __VA_ARGS__) X(type, i, int4, __VA_ARGS__) X(type, ui, uint4, __VA_ARGS__)
#define IN_ACCESSES(X, type) X(__read_only, type) X(__write_only, type)

#define IMAGE_TYPE(type, C, F, dimensions, ...)                                                    \
    IN_FORMS(READS, type, C, F, dimensions, __VA_ARGS__)                                           \
    IN_FORMS(ACCESSES, type, C, dimensions, __VA_ARGS__)                                           \
    IN_ACCESSES(QUERIES, type)
IMAGE_TYPE(image1d_t, int, float, 1, c, 0, 0, 0)
IMAGE_TYPE(image1d_array_t, int2, float2, 1, c.x, 0, c.y, 0)
IMAGE_TYPE(image2d_t, int2, float2, 2, c, 0, 0)
IMAGE_TYPE(image2d_array_t, int4, float4, 2, c.x, c.y, c.z, 0)
IMAGE_TYPE(image3d_t, int4, float4, 3, c.x, c.y, c.z, 0)
IN_FORMS(ACCESSES, image1d_buffer_t, int, 1, c, 0, 0, 0)
IN_ACCESSES(QUERIES, image1d_buffer_t)
IN_ACCESSES(AREA, image2d_t)
IN_ACCESSES(AREA, image2d_array_t)
IN_ACCESSES(VOLUME, image3d_t)
IN_ACCESSES(LAYERS, image1d_array_t)
IN_ACCESSES(LAYERS, image2d_array_t)
