/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/query.c: what is asked of textures, samplers and surfaces: PTX ISA, "txq", "suq", "istypep". The
 * descriptor is read like an operand, without an access. */
#include "tb/exec/fault.h"
#include "tb/exec/op.h"
#include "tb/exec/texture.h"

/* PTX numbers the address modes wrap, mirror, clamp_ogl,
 * clamp_to_edge, clamp_to_border. */
static uint32_t address_mode(uint32_t sampler)
{
    switch (sampler & SAMPLER_ADDRESS) {
    case SAMPLER_REPEAT: return 0;
    case SAMPLER_MIRROR: return 1;
    case SAMPLER_BORDER: return 4;
    default: return 3;
    }
}

static uint32_t answer(uint8_t query, const struct ptx_texture *t)
{
    switch (query) {
    case QUERY_WIDTH: return (uint32_t)t->width;
    case QUERY_HEIGHT: return (uint32_t)t->height;
    case QUERY_DEPTH: return (uint32_t)t->depth;
    case QUERY_DATA_TYPE: return t->data_type;
    case QUERY_ORDER: return t->order;
    case QUERY_NORMALIZED: return t->sampler & SAMPLER_NORMALIZED ? 1 : 0;
    case QUERY_UNNORMALIZED: return t->sampler & SAMPLER_NORMALIZED ? 0 : 1;
    case QUERY_FILTER: return t->sampler & SAMPLER_LINEAR ? 1 : 0;
    case QUERY_ADDRESS: return address_mode(t->sampler);
    default: return 1;
    }
}

static void TXQ(OP_ARGUMENTS)
{
    struct ptx_texture t;
    uint64_t handle;
    if (!texture_handle(w, u->src[0], (uint32_t)u->offset, mask, &handle)) {
        return;
    }
    /* A question about a sampler may be put to one. */
    const int found = texture_find(w, handle, &t) ||
                      (u->mod >= QUERY_NORMALIZED && texture_sampler(w, handle, &t.sampler));
    if (!found) {
        exec_fault(w, __builtin_ctz(mask), "0x%llx is not a bound texture, surface or sampler",
                   (unsigned long long)handle);
        return;
    }
    const uint32_t result = answer(u->mod, &t);
    lane32 *d = exec_target(w, u->dst[0]);
    FOR_ACTIVE(mask, i)
    {
        d[i] = result;
    }
}

/* Whether a handle is one of the type. What is no variable of the module, but the image of a driver,
 * serves as a texture and as a surface. */
static int is_of_type(const struct exec_warp *w, uint64_t handle, uint8_t opaque)
{
    const struct ptx_module *module = w->kernel->module;
    struct ptx_texture t;
    for (uint32_t i = 0; i < module->num_vars; i++) {
        const struct ptx_var *var = &module->vars[i];
        if (var->opaque && var->address == handle) {
            return var->opaque == opaque;
        }
    }
    return opaque == OPAQUE_SAMPLERREF ? handle < SAMPLER_NUMBERS : texture_find(w, handle, &t);
}

static void ISTYPEP(OP_ARGUMENTS)
{
    uint64_t handles[WARP_LANES];
    uint32_t rest = mask, yes = 0;
    FOR_ACTIVE(rest, i)
    {
        if (u->src[0] == UOP_NONE) {
            memcpy(&handles[i], w->block->launch->params + u->offset, sizeof handles[i]);
        } else {
            handles[i] = ((const lane64 *)exec_source(w, u->src[0]))[i];
        }
        yes |= is_of_type(w, handles[i], u->mod) ? 1u << i : 0;
    }
    exec_set_predicate(w, u->dst[0], mask, yes);
}

static const struct exec_form query_forms[] = {{U_TXQ, T_B32, ANY, ANY, 0, TXQ},
                                               {U_ISTYPEP, T_B32, ANY, ANY, 0, ISTYPEP}};
EXPORT_FORMS(exec_query, query_forms)
