/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/pcal.c: PCAL's search in the GPU (Poise III-C, VII-C). What it finds is the N and p of the units `mask` of all
 * schedulers, SM by SM. The SMs count what they issue while it says so; it is shown their counts in READ, when all that has been
 * counted is known, and zeros in all other states, in which it looks at none. */
#include "cmodel/pcal/pcal.h"

#include <string.h>

#include "tb/units/socket.h"

struct memory {
    struct pcal_in settings;
    uint64_t delay; /* pcal.delay: the SMs begin and end to count so much later */
};

/* What so many bits hold of it. */
static uint64_t held(uint64_t value)
{
    const uint64_t most = (UINT64_C(1) << PCAL_SAMPLE_BITS) - 1;
    return value < most ? value : most;
}

static void open(struct plug *p, const struct config *c)
{
    struct memory *m = p->memory;
    m->delay = (uint64_t)c->pcal_delay;
    m->settings.start_n = (uint64_t)c->pcal_n;
    m->settings.warmup = held((uint64_t)c->pcal_warmup);
    m->settings.sample = held((uint64_t)c->pcal_sample);
    m->settings.stride = (uint64_t)c->pcal_stride;
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    const struct memory *m = p->memory;
    const struct pcal_state *state = plug_state(p);
    struct pcal_in *in = input;
    (void)controls;
    *in = m->settings;
    in->start = view->gpu->kernels[0].start;
    in->warps = view->gpu->kernels[0].warps;
    in->late = held(view->gpu->late + m->delay);
    if (state->state == PCAL_READ)
        memcpy(in->issued, view->gpu->counted, sizeof in->issued);
    return in->start != 0;
}

static void apply(const struct plug *p, void *controls)
{
    const struct pcal_out *out = p->out;
    struct gpu_controls *c = controls;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        c->vital[i] = out->vital;
        c->polluters[i] = out->polluters[i];
    }
    c->count = out->count;
}

const struct socket pcal_socket = {.stem = "pcal",
                                   .scope = SCOPE_GPU,
                                   .memory = sizeof(struct memory),
                                   .open = open,
                                   .gather = gather,
                                   .apply = apply};
