/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/tex.c: textures: PTX ISA, "tex" and "tld4". A texel is the nearest one, and one load from global
 * memory, which the timing model sees as such. What textures and samplers are made of is in ptx.h.
 *
 * tld4 gives one component of the four texels around the coordinates, which hardware would filter. The
 * timing model sees one load of them: where textures are tiled, they mostly lie in one sector.
 *
 * PTX leaves open what a coordinate that is NaN reads: here it is far below the first texel. Layers
 * are held to those there are. Integers read as .f32 or .f16 are passed on as their bits, the low ones. */
#include <string.h>

#include "tb/exec/half.h"
#include "tb/exec/mem.h"
#include "tb/exec/texture.h"

#define FAR 0x1p30f /* texels; as far as a coordinate goes, in both directions */

int texture_handle(struct exec_warp *w, uint32_t operand, uint32_t param, uint32_t mask,
                   uint64_t *handle)
{
    if (operand == UOP_NONE) {
        memcpy(handle, w->block->launch->params + param, sizeof *handle);
        return 1;
    }
    const lane64 *lanes = exec_source(w, operand);
    const int first = __builtin_ctz(mask);
    *handle = lanes[first];
    FOR_ACTIVE(mask, i)
    {
        if (lanes[i] != *handle) {
            exec_fault(w, i, "the texture or sampler 0x%llx is another one than lane %d's",
                       (unsigned long long)lanes[i], first);
            return 0;
        }
    }
    return 1;
}

/* Whether the descriptor makes sense; a driver wrote it, or the program did. */
static int is_texture(const struct ptx_texture *t)
{
    const uint32_t bytes = t->texel_bytes;
    int good = bytes && bytes <= 16 && !(bytes & (bytes - 1)) && t->kind <= TEXEL_FLOAT &&
               t->width > 0 && t->height > 0 && t->depth > 0;
    for (int c = 0; bytes < 16 && c < 4; c++) {
        good &= t->widths[c] <= 32 && t->shifts[c] + t->widths[c] <= 64;
    }
    return good;
}

int texture_find(const struct exec_warp *w, uint64_t handle, struct ptx_texture *t)
{
    const void *bytes = gmem_host(w->block->launch->gmem, handle, sizeof *t);
    if (bytes) {
        memcpy(t, bytes, sizeof *t);
    }
    return bytes && is_texture(t);
}

int texture_read(struct exec_warp *w, const struct uop *u, uint32_t mask, const char *what,
                 struct ptx_texture *t)
{
    uint64_t handle;
    if (!texture_handle(w, u->src[0], (uint32_t)u->offset, mask, &handle)) {
        return 0;
    }
    if (texture_find(w, handle, t)) {
        return 1;
    }
    exec_fault(w, __builtin_ctz(mask), "0x%llx is not a bound %s", (unsigned long long)handle,
               what);
    return 0;
}

int texture_sampler(const struct exec_warp *w, uint64_t handle, uint32_t *sampler)
{
    *sampler = (uint32_t)handle;
    if (handle < SAMPLER_NUMBERS) {
        return 1;
    }
    const void *number = gmem_host(w->block->launch->gmem, handle, sizeof *sampler);
    if (number) {
        memcpy(sampler, number, sizeof *sampler);
    }
    return number != NULL;
}

/* Puts the instruction's own sampler, if it has one, in the place of the texture's. */
static int read_sampler(struct exec_warp *w, const struct uop *u, uint32_t mask,
                        struct ptx_texture *t)
{
    const int first = __builtin_ctz(mask);
    if (u->src[1] != UOP_NONE || u->target != UOP_NONE) {
        uint64_t handle;
        if (!texture_handle(w, u->src[1], u->target, mask, &handle)) {
            return 0;
        }
        if (!texture_sampler(w, handle, &t->sampler)) {
            exec_fault(w, first, "0x%llx is not a sampler", (unsigned long long)handle);
            return 0;
        }
    }
    if (t->sampler & SAMPLER_LINEAR && !u->mod2) {
        exec_fault(w, first, "the sampler filters linearly, which is not supported");
        return 0;
    }
    return 1;
}

/* What is added to a coordinate: texels; and `back`, of a texel, so that the lower one of the two texels
 * around it is found. */
struct shift {
    int32_t texels;
    float back;
};

/* The index of the texel at a coordinate, before the address mode is applied. */
static int64_t index_of(float s, uint32_t sampler, int32_t size, float back)
{
    if (sampler & SAMPLER_NORMALIZED) {
        const uint32_t mode = sampler & SAMPLER_ADDRESS;
        s = mode == SAMPLER_REPEAT   ? s - floorf(s)
            : mode == SAMPLER_MIRROR ? fabsf(s - 2 * rintf(0.5f * s))
                                     : s;
        s *= (float)size;
    }
    s = s - back > -FAR ? s - back : -FAR;
    return (int32_t)floorf(s < FAR ? s : FAR);
}

/* The index that the address mode makes of it, or -1: the border. */
static int32_t addressed(int64_t i, uint32_t sampler, int32_t size)
{
    const int32_t edge = i < 0 ? 0 : i >= size ? size - 1 : (int32_t)i;
    const int64_t around = (i % size + size) % size;
    const int64_t period = 2 * (int64_t)size, twice = (i % period + period) % period;
    switch (sampler & SAMPLER_ADDRESS) {
    case SAMPLER_BORDER: return edge == i ? i : -1;
    case SAMPLER_REPEAT: return (int32_t)around;
    case SAMPLER_MIRROR: return (int32_t)(twice < size ? twice : period - 1 - twice);
    default: return edge;
    }
}

/* The instruction's own offset of an axis. */
static int32_t offset_of(const struct exec_warp *w, const struct uop *u, uint32_t axis, int lane)
{
    const uint32_t operand = axis < 2 ? u->src[2 + axis] : u->vsrc[3];
    return u->src[2] == UOP_NONE ? 0 : (int32_t)((const lane32 *)exec_source(w, operand))[lane];
}

/* The coordinate of an axis, the n-th one of a lane, as an index, or -1. An offset moves a mirrored
 * coordinate before it is mirrored. */
static int32_t coordinate(const struct exec_warp *w, const struct uop *u,
                          const struct ptx_texture *t, uint32_t n, uint32_t axis, int lane,
                          struct shift by)
{
    const int32_t size = axis == 0 ? t->width : axis == 1 ? t->height : t->depth;
    const lane32 *lanes = exec_source(w, u->vsrc[n]);
    const uint32_t mirror = SAMPLER_NORMALIZED | SAMPLER_MIRROR;
    int64_t i = (int32_t)lanes[lane], offset = offset_of(w, u, axis, lane);
    if (u->type2 == T_F32) {
        float s = ((const lane_float *)lanes)[lane];
        if (offset && (t->sampler & (SAMPLER_NORMALIZED | SAMPLER_ADDRESS)) == mirror) {
            s += (float)offset / (float)size;
            offset = 0;
        }
        i = index_of(s, t->sampler, size, by.back);
    }
    return addressed(i + offset + by.texels, t->sampler, size);
}

static int32_t layer(const struct exec_warp *w, const struct uop *u, int lane, int32_t layers)
{
    const uint32_t i = ((const lane32 *)exec_source(w, u->vsrc[0]))[lane];
    return i < (uint32_t)layers ? (int32_t)i : layers - 1;
}

/* Cube: the face in the direction of the largest coordinate, +x -x +y -y +z -z one behind the other,
 * and where the direction meets it: CUDA C++ Programming Guide, "Cubemap Textures". Of equal ones x
 * counts before y before z, which PTX leaves open. */
static void locate_on_cube(const struct exec_warp *w, const struct uop *u,
                           const struct ptx_texture *t, int lane, const struct shift by[2],
                           uint64_t *address)
{
    const uint32_t layers = u->mod == TEX_ACUBE;
    float at[3];
    for (uint32_t n = 0; n < 3; n++) {
        at[n] = ((const lane_float *)exec_source(w, u->vsrc[layers + n]))[lane];
    }
    const float x = at[0], y = at[1], z = at[2];
    const float size_x = fabsf(x), size_y = fabsf(y), size_z = fabsf(z);
    const int axis = size_x >= size_y && size_x >= size_z ? 0 : size_y >= size_z ? 1 : 2;
    const int back = at[axis] < 0, most = t->depth / 6 - 1;
    const float across = axis == 0 ? (back ? z : -z) : axis == 1 || !back ? x : -x;
    const float down = axis == 1 ? (back ? -z : z) : -y;
    const uint32_t to_edge = SAMPLER_NORMALIZED | SAMPLER_EDGE;
    const float scale = at[axis] != 0 ? fabsf(at[axis]) : 1;
    const int64_t i =
        index_of((across / scale + 1) / 2, to_edge, t->width, by[0].back) + by[0].texels;
    const int64_t j =
        index_of((down / scale + 1) / 2, to_edge, t->height, by[1].back) + by[1].texels;
    const int32_t k = layers ? layer(w, u, lane, most + 1) : 0;
    *address = t->texels + (uint64_t)addressed(i, to_edge, t->width) * t->texel_bytes +
               (uint64_t)addressed(j, to_edge, t->height) * t->row_pitch +
               (uint64_t)(6 * k + 2 * axis + back) * t->slice_pitch;
}

/* Where a lane's texel lies. Returns 0: outside. */
static int locate(const struct exec_warp *w, const struct uop *u, const struct ptx_texture *t,
                  int lane, const struct shift by[2], uint64_t *address)
{
    if (u->mod >= TEX_CUBE) {
        locate_on_cube(w, u, t, lane, by, address);
        return 1;
    }
    const uint32_t layers = u->mod == TEX_A1D || u->mod == TEX_A2D;
    const uint32_t axes = u->mod == TEX_3D ? 3 : u->mod == TEX_2D || u->mod == TEX_A2D ? 2 : 1;
    const int32_t x = coordinate(w, u, t, layers, 0, lane, by[0]);
    const int32_t y = axes > 1 ? coordinate(w, u, t, layers + 1, 1, lane, by[1]) : 0;
    const int32_t z = axes > 2 ? coordinate(w, u, t, 2, 2, lane, (struct shift){0})
                      : layers ? layer(w, u, lane, t->depth)
                               : 0;
    *address = t->texels + (uint64_t)x * t->texel_bytes + (uint64_t)y * t->row_pitch +
               (uint64_t)z * t->slice_pitch;
    return x >= 0 && y >= 0 && z >= 0;
}

static int gives_halves(const struct uop *u)
{
    return u->type == T_F16 || u->type == T_F16X2;
}

/* A component from its bits, as the instruction's type. */
static uint32_t component(const struct uop *u, const struct ptx_texture *t, uint32_t bits,
                          uint32_t width)
{
    const uint32_t most = ~0u >> (32 - width);
    const int32_t number = (int32_t)(bits << (32 - width)) >> (32 - width);
    float x;
    switch (t->kind) {
    case TEXEL_UNORM: x = (float)bits / (float)most; break;
    case TEXEL_SNORM: x = fmaxf((float)number / (float)(most >> 1), -1); break;
    case TEXEL_HALF: x = (float)double_from_half((uint16_t)bits); break;
    case TEXEL_FLOAT: memcpy(&x, &bits, sizeof x); break;
    case TEXEL_SIGNED: bits = (uint32_t)number; /* fallthrough */
    default: return gives_halves(u) ? bits & 0xffff : bits;
    }
    if (gives_halves(u)) {
        return half_of(x);
    }
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* What is not there: zeros, and a one at the end. */
static uint32_t missing(const struct uop *u, int c, uint32_t one)
{
    return c < 3 || !one ? 0 : u->type == T_F32 ? 0x3f800000 : gives_halves(u) ? 0x3c00 : 1;
}

/* Component c of the texel of texel_bytes at `at`. */
static uint32_t component_of(const struct uop *u, const struct ptx_texture *t, const uint8_t *at,
                             int c)
{
    uint32_t words[4] = {0};
    uint64_t number = 0;
    memcpy(words, at, t->texel_bytes);
    memcpy(&number, words, sizeof number);
    const uint32_t width = t->texel_bytes == 16 ? 32 : t->widths[c];
    const uint32_t bits = t->texel_bytes == 16 ? words[c]
                          : width ? (uint32_t)(number >> t->shifts[c]) & ~0u >> (32 - width)
                                  : 0;
    return width ? component(u, t, bits, width) : missing(u, c, 1);
}

/* A texel of each lane: its components from `first` on, `count` of them, to `results`. */
static void read_texels(struct exec_warp *w, const struct uop *u, uint32_t mask,
                        const struct ptx_texture *t, const struct shift by[2], int first, int count,
                        uint32_t (*results)[WARP_LANES], struct exec_access *access)
{
    struct mem_group group;
    *access = (struct exec_access){.space = SPACE_GLOBAL, .bytes = (uint8_t)t->texel_bytes};
    uint32_t rest = mask;
    FOR_ACTIVE(rest, i)
    {
        access->mask |= locate(w, u, t, i, by, &access->address[i]) ? 1u << i : 0;
        for (int c = 0; c < count; c++) {
            results[c][i] = missing(u, first + c, t->opaque_border);
        }
    }
    uint32_t left = access->mask;
    while (mem_next(w, access, &left, &group)) {
        FOR_ACTIVE(group.lanes, i)
        {
            for (int c = 0; c < count; c++) {
                results[c][i] = component_of(u, t, mem_at(&group, i), first + c);
            }
        }
    }
}

/* Counter-clockwise from the lower left: y points down. The access that is told has a texel of each
 * lane that has any inside. */
static void read_four(struct exec_warp *w, const struct uop *u, uint32_t mask,
                      const struct ptx_texture *t, uint32_t (*results)[WARP_LANES],
                      struct exec_access *access)
{
    static const struct shift corners[4][2] = {{{0, 0.5f}, {1, 0.5f}},
                                               {{1, 0.5f}, {1, 0.5f}},
                                               {{1, 0.5f}, {0, 0.5f}},
                                               {{0, 0.5f}, {0, 0.5f}}};
    read_texels(w, u, mask, t, corners[0], u->mod2 - 1, 1, results, access);
    for (int n = 1; n < 4; n++) {
        struct exec_access other;
        read_texels(w, u, mask, t, corners[n], u->mod2 - 1, 1, results + n, &other);
        uint32_t more = other.mask & ~access->mask;
        access->mask |= more;
        FOR_ACTIVE(more, i)
        {
            access->address[i] = other.address[i];
        }
    }
}

static void TEX(OP_ARGUMENTS)
{
    struct ptx_texture t;
    uint32_t results[4][WARP_LANES];
    if (!texture_read(w, u, mask, "texture", &t) || !read_sampler(w, u, mask, &t)) {
        return;
    }
    if (u->mod >= TEX_CUBE && t.depth < 6) {
        exec_fault(w, __builtin_ctz(mask), "the texture has %d of a cube's 6 faces", t.depth);
        return;
    }
    if (u->mod2) {
        read_four(w, u, mask, &t, results, access);
    } else {
        read_texels(w, u, mask, &t, (struct shift[2]){{0}}, 0, 4, results, access);
    }
    const int pairs = u->type == T_F16X2;
    for (int c = 0; c < u->vec; c++) {
        lane32 *d = exec_target(w, u->dst[c]);
        uint32_t rest = mask;
        FOR_ACTIVE(rest, i)
        {
            d[i] = pairs ? results[2 * c][i] | results[2 * c + 1][i] << 16 : results[c][i];
        }
    }
}

static const struct exec_form tex_forms[] = {{U_TEX, T_B32, ANY, ANY, 0, TEX},
                                             {U_TEX, T_F32, ANY, ANY, 0, TEX},
                                             {U_TEX, T_F16, ANY, ANY, 0, TEX},
                                             {U_TEX, T_F16X2, ANY, ANY, 0, TEX}};
EXPORT_FORMS(exec_tex, tex_forms)
