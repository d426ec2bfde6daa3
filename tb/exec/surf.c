/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/surf.c: surfaces: PTX ISA, "Surface Instructions". A surface has the descriptor of a texture (ptx.h). An access is one load,
 * store or reduction of global memory; .b goes by bytes, .p by texels, which it converts as
 * OpenCL does when it writes images. An index of a layer is held to the bounds as a coordinate is.
 */
#include "tb/exec/half.h"
#include "tb/exec/mem.h"
#include "tb/exec/texture.h"
#include "tb/ptx/type.h"

/* Bytes of one lane, as words. */
typedef uint32_t lane_words[LATER_OPERANDS][WARP_LANES];

/* Coordinate n of a lane within [0, end): as it is, or, with .clamp, the nearest. Returns -1: it is
 * outside. */
static int64_t within(const struct uop *u, int64_t x, int64_t end)
{
    if (x >= 0 && x < end) {
        return x;
    }
    return u->flags & UF_CLAMP && end > 0 ? (x < 0 ? 0 : end - 1) : -1;
}

static int64_t coordinate(const struct exec_warp *w, const struct uop *u, uint32_t n, int lane)
{
    return (int32_t)((const lane32 *)exec_source(w, u->src[1 + n]))[lane];
}

/* Where a lane's bytes lie. Returns 0: outside. */
static int locate(const struct exec_warp *w, const struct uop *u, const struct ptx_texture *t,
                  int lane, uint32_t bytes, uint64_t *address)
{
    const uint32_t layers = u->mod == TEX_A1D || u->mod == TEX_A2D;
    const uint32_t axes = u->mod == TEX_3D ? 3 : u->mod == TEX_2D || u->mod == TEX_A2D ? 2 : 1;
    const int64_t unit = u->flags & UF_FORMATTED ? t->texel_bytes : 1;
    const int64_t places = ((int64_t)t->width * t->texel_bytes - bytes) / unit + 1;
    const int64_t x = within(u, coordinate(w, u, layers, lane), places);
    const int64_t y = axes > 1 ? within(u, coordinate(w, u, layers + 1, lane), t->height) : 0;
    const int64_t z = axes > 2 ? within(u, coordinate(w, u, 2, lane), t->depth)
                      : layers ? within(u, (uint32_t)coordinate(w, u, 0, lane), t->depth)
                               : 0;
    *address = t->texels + (uint64_t)(x * unit) + (uint64_t)y * t->row_pitch +
               (uint64_t)z * t->slice_pitch;
    return x >= 0 && y >= 0 && z >= 0;
}

/* Fills *access for the lanes of the mask that are inside. Returns the lanes to serve; a fault may
 * have been raised. */
static uint32_t begin(struct exec_warp *w, const struct uop *u, uint32_t mask,
                      const struct ptx_texture *t, uint32_t bytes, struct exec_access *access)
{
    *access = (struct exec_access){.space = SPACE_GLOBAL,
                                   .bytes = (uint8_t)bytes,
                                   .is_store = u->op == U_SUST,
                                   .is_atomic = u->op == U_SURED};
    FOR_ACTIVE(mask, i)
    {
        if (locate(w, u, t, i, bytes, &access->address[i])) {
            access->mask |= 1u << i;
        } else if (!(u->flags & UF_ZERO)) {
            exec_fault(w, i, "the coordinates are outside of the surface of %d x %d x %d", t->width,
                       t->height, t->depth);
            return 0;
        }
    }
    return mem_aligned(w, access->mask, bytes, access);
}

static const struct exec_postponed *performed(const struct exec_warp *w)
{
    const struct exec_later *later = w->block->later;
    return later ? later->performing : NULL;
}

/* The surface of an access, or, of one that was put off, *access alone. Returns 1, 0: it was put off, or -1
 * after a fault. */
static int find_surface(struct exec_warp *w, const struct uop *u, uint32_t mask,
                        struct exec_access *access, struct ptx_texture *t)
{
    const struct exec_postponed *p = performed(w);
    if (p) {
        *access = p->access;
        return 0;
    }
    return texture_read(w, u, mask, "surface", t) ? 1 : -1;
}

static void set_element(struct exec_warp *w, const struct uop *u, uint32_t e, int lane, uint64_t x)
{
    void *d = exec_target(w, u->dst[e]);
    if (u->type2 == T_B64) {
        ((lane64 *)d)[lane] = x;
    } else {
        ((lane32 *)d)[lane] = (uint32_t)x;
    }
}

static void SULD(OP_ARGUMENTS)
{
    const uint32_t bytes = type_bytes(u->type);
    struct mem_group group;
    uint32_t left = mask;
    struct ptx_texture t;
    const int found = find_surface(w, u, mask, access, &t);
    if (found < 0) {
        return;
    }
    if (found) {
        left = begin(w, u, mask, &t, bytes * u->vec, access);
        uint32_t outside = w->fault->raised ? 0 : mask & ~access->mask;
        FOR_ACTIVE(outside, i)
        {
            for (uint32_t e = 0; e < u->vec; e++) {
                set_element(w, u, e, i, 0);
            }
        }
        left = w->block->later && left ? mem_now(w, u, left, access, 0) : left;
    }
    while (mem_next(w, access, &left, &group)) {
        FOR_ACTIVE(group.lanes, i)
        {
            for (uint32_t e = 0; e < u->vec; e++) {
                uint64_t x = 0;
                memcpy(&x, mem_at(&group, i) + e * bytes, bytes);
                set_element(w, u, e, i, x);
            }
        }
    }
}

/* What a store or reduction brings along: the words that were kept, or, now, `words`; then they are
 * kept, if the access is put off. Returns the lanes to serve. */
static uint32_t bring(struct exec_warp *w, const struct uop *u, uint32_t mask,
                      const struct exec_access *access, lane_words words)
{
    const struct exec_postponed *p = performed(w);
    if (p) {
        for (uint32_t n = 0; n < LATER_OPERANDS; n++) {
            memcpy(words[n], p->operand[n], sizeof words[n]);
        }
        return mask;
    }
    if (w->block->later && mask) {
        exec_postpone_words(w, u, mask, access, (const uint32_t(*)[WARP_LANES])words);
        return 0;
    }
    return mask;
}

static int64_t hold(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* The integer next to x * most, for any x. */
static int64_t scaled(float x, int64_t most)
{
    const float product = x * (float)most;
    return product == product ? (int64_t)rintf(fminf(fmaxf(product, -0x1p31f), 0x1p32f)) : 0;
}

/* Bits of a component: the nearest that the texel can hold. */
static uint32_t component(const struct ptx_texture *t, uint32_t bits, uint32_t width)
{
    const int64_t ones = ~0u >> (32 - width), most = ones >> 1;
    float x;
    memcpy(&x, &bits, sizeof x);
    switch (t->kind) {
    case TEXEL_UNORM: return (uint32_t)hold(scaled(x, ones), 0, ones);
    case TEXEL_SNORM: return (uint32_t)(hold(scaled(x, most), -most - 1, most) & ones);
    case TEXEL_SIGNED: return (uint32_t)(hold((int32_t)bits, -most - 1, most) & ones);
    case TEXEL_UNSIGNED: return (uint32_t)hold(bits, 0, ones);
    case TEXEL_HALF: return half_of(x) & (uint32_t)ones;
    default: return bits & (uint32_t)ones;
    }
}

/* A lane's texel from the components in vsrc; what there is none for becomes zero. */
static void make_texel(const struct exec_warp *w, const struct uop *u, const struct ptx_texture *t,
                       int lane, uint32_t words[LATER_OPERANDS])
{
    uint64_t number = 0;
    for (uint32_t c = 0; c < u->vec; c++) {
        const void *lanes = exec_source(w, u->vsrc[c]);
        const uint32_t bits = u->type2 == T_B64 ? (uint32_t)((const lane64 *)lanes)[lane]
                                                : ((const lane32 *)lanes)[lane];
        const uint32_t width = t->texel_bytes == 16 ? 32 : t->widths[c];
        if (t->texel_bytes == 16) {
            words[c] = component(t, bits, width);
        } else if (width && t->written >> c & 1) {
            number |= (uint64_t)component(t, bits, width) << t->shifts[c];
        }
    }
    if (t->texel_bytes < 16) {
        memcpy(words, &number, sizeof number);
    }
}

static void make_bytes(const struct exec_warp *w, const struct uop *u, int lane, uint8_t *out)
{
    const uint32_t bytes = type_bytes(u->type), slot = u->type2 == T_B64 ? 8 : 4;
    for (uint32_t e = 0; e < u->vec; e++) {
        const uint8_t *lanes = exec_source(w, u->vsrc[e]);
        memcpy(out + e * bytes, lanes + (uint32_t)lane * slot, bytes);
    }
}

static void SUST(OP_ARGUMENTS)
{
    struct mem_group group;
    lane_words words = {0};
    uint32_t left = mask;
    struct ptx_texture t;
    const int found = find_surface(w, u, mask, access, &t);
    if (found < 0) {
        return;
    }
    if (found) {
        const int formatted = u->flags & UF_FORMATTED;
        left =
            begin(w, u, mask, &t, formatted ? t.texel_bytes : type_bytes(u->type) * u->vec, access);
        uint32_t rest = left;
        FOR_ACTIVE(rest, i)
        {
            uint32_t own[LATER_OPERANDS] = {0};
            if (formatted) {
                make_texel(w, u, &t, i, own);
            } else {
                make_bytes(w, u, i, (uint8_t *)own);
            }
            for (uint32_t n = 0; n < LATER_OPERANDS; n++) {
                words[n][i] = own[n];
            }
        }
    }
    left = bring(w, u, left, access, words);
    while (mem_next(w, access, &left, &group)) {
        FOR_ACTIVE(group.lanes, i)
        {
            const uint32_t own[] = {words[0][i], words[1][i], words[2][i], words[3][i]};
            memcpy(mem_at(&group, i), own, access->bytes);
        }
    }
}

/* sured: `old` and b are extended from their width, with the sign or without. */
static uint64_t reduced(uint8_t operation, uint64_t old, uint64_t b, int is_signed)
{
    const int less = is_signed ? (int64_t)old < (int64_t)b : old < b;
    switch (operation) {
    case ATOM_ADD: return old + b;
    case ATOM_MIN: return less ? old : b;
    case ATOM_MAX: return less ? b : old;
    case ATOM_AND: return old & b;
    default: return old | b;
    }
}

static uint64_t extended(uint64_t x, uint32_t bytes, int is_signed)
{
    return bytes == 8 ? x : is_signed ? (uint64_t)(int32_t)x : (uint32_t)x;
}

/* Words 0 and 1 are what comes in, word 2 says whether it is signed. */
static void SURED(OP_ARGUMENTS)
{
    const uint32_t bytes = type_bytes(u->type);
    struct mem_group group;
    lane_words words = {0};
    uint32_t left = mask;
    struct ptx_texture t;
    const int found = find_surface(w, u, mask, access, &t);
    if (found < 0) {
        return;
    }
    if (found) {
        const int formatted = u->flags & UF_FORMATTED;
        const int integers = t.kind == TEXEL_SIGNED || t.kind == TEXEL_UNSIGNED;
        if (formatted && (!integers || t.texel_bytes != bytes)) {
            exec_fault(w, __builtin_ctz(mask), "the surface's texels are not integers of %u bytes",
                       bytes);
            return;
        }
        left = begin(w, u, mask, &t, bytes, access);
        const int is_signed =
            formatted ? t.kind == TEXEL_SIGNED : u->type == T_S32 || u->type == T_S64;
        FOR_LANES
        {
            uint8_t own[2 * sizeof(uint32_t)] = {0};
            const uint8_t *lanes = exec_source(w, u->vsrc[0]);
            memcpy(own, lanes + (uint32_t)i * bytes, bytes);
            memcpy(&words[0][i], own, sizeof(uint32_t));
            memcpy(&words[1][i], own + sizeof(uint32_t), sizeof(uint32_t));
            words[2][i] = (uint32_t)is_signed;
        }
    }
    left = bring(w, u, left, access, words);
    while (mem_next(w, access, &left, &group)) {
        FOR_ACTIVE(group.lanes, i)
        {
            uint64_t old = 0, b = (uint64_t)words[1][i] << 32 | words[0][i];
            memcpy(&old, mem_at(&group, i), bytes);
            const int is_signed = (int)words[2][i];
            old = reduced(u->mod2, extended(old, bytes, is_signed), extended(b, bytes, is_signed),
                          is_signed);
            memcpy(mem_at(&group, i), &old, bytes);
        }
    }
}

static const struct exec_form surf_forms[] = {
    {U_SULD, T_B8, ANY, ANY, 0, SULD},    {U_SULD, T_B16, ANY, ANY, 0, SULD},
    {U_SULD, T_B32, ANY, ANY, 0, SULD},   {U_SULD, T_B64, ANY, ANY, 0, SULD},
    {U_SUST, T_B8, ANY, ANY, 0, SUST},    {U_SUST, T_B16, ANY, ANY, 0, SUST},
    {U_SUST, T_B32, ANY, ANY, 0, SUST},   {U_SUST, T_B64, ANY, ANY, 0, SUST},
    {U_SURED, T_B32, ANY, ANY, 0, SURED}, {U_SURED, T_B64, ANY, ANY, 0, SURED},
};
EXPORT_FORMS(exec_surf, surf_forms)
