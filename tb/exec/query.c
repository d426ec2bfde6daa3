/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/query.c: what is asked of textures, samplers and surfaces: PTX ISA, "txq", "suq". The
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

static const struct exec_form query_forms[] = {{U_TXQ, T_B32, ANY, ANY, 0, TXQ}};
EXPORT_FORMS(exec_query, query_forms)
