/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/mask.c: the vital and pollute bits in a scheduler (Poise VI-C). Vital gates the arbiter
 * in the same cycle; pollute travels with each load.
 *
 * A warp counts while it is running: one that waits at a barrier, or has ended while its block goes
 * on, would hold its place against the younger warps that it waits for. */
#include "cmodel/mask/mask.h"

#include <string.h>

#include "cmodel/icmt/icmt.h"
#include "cmodel/wia/wia.h"
#include "tb/units/socket.h"

struct memory {
    const struct plug *wia, *icmt; /* the one that is there: whose age order it is */
    uint64_t n, p;
};

static int used(const struct config *c)
{
    return c->mask_n || c->mask_p;
}

static const char *objects(const struct plan *plans)
{
    return plan_has(plans, SCOPE_SCHEDULER, "wia", wia_policy_gtls)
               ? "goes by age: under gtls wia keeps the order of waiting instead"
               : NULL;
}

static void open(struct plug *plug, const struct config *c)
{
    struct memory *m = plug->memory;
    m->wia = plug_find(plug, "wia");
    m->icmt = plug_find(plug, "icmt");
    m->n = c->mask_n ? (uint64_t)c->mask_n : NUM_WARPS;
    m->p = c->mask_p ? (uint64_t)c->mask_p : m->n;
}

static const uint64_t *order_of(const struct memory *m)
{
    if (m->icmt)
        return ((const struct icmt_state *)plug_state(m->icmt))->order;
    return ((const struct wia_state *)plug_state(m->wia))->order;
}

static int gather(struct plug *plug, const struct view *view, const void *controls, void *input)
{
    const struct memory *m = plug->memory;
    struct mask_in *in = input;
    const struct controls *c = controls;
    _Static_assert(sizeof((struct wia_state *)0)->order == sizeof in->order &&
                       sizeof((struct icmt_state *)0)->order == sizeof in->order,
                   "the same order");
    in->n = c->vital == NO_CHOICE ? m->n : c->vital;
    in->p = c->polluters == NO_CHOICE ? m->p : c->polluters;
    in->live = view->scheduler->running;
    memcpy(in->order, order_of(m), sizeof in->order);
    return 0;
}

static void apply(const struct plug *plug, void *controls)
{
    const struct mask_out *out = plug->out;
    struct controls *c = controls;
    c->allow &= out->vital;
    c->pollute &= out->pollute;
}

const struct socket mask_socket = {.stem = "mask",
                                   .scope = SCOPE_SCHEDULER,
                                   .several = 1,
                                   .memory = sizeof(struct memory),
                                   .used = used,
                                   .objects = objects,
                                   .open = open,
                                   .gather = gather,
                                   .apply = apply};
