/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/gpu.c: see gpu.h. */
#include "tb/observe/gpu.h"

#include <stdlib.h>
#include <string.h>

/* Where nothing steers. */
static void nothing(struct gpu_controls *c)
{
    memset(c, 0xff, sizeof *c);
}

static int open_one(struct gpu_observed *o, const struct planned *planned, const struct plug *plug)
{
    struct shadow *s = &o->shadows[o->count];
    const size_t places = planned->delay + 1;
    struct gpu_controls *late = o->late[o->count++] = malloc(places * sizeof *late);
    if (shadow_open(s, planned, plug, 1, o->verdict) || !late)
        return -1;
    for (size_t i = 0; i < places; i++)
        nothing(&late[i]);
    return 0;
}

int gpu_observed_open(struct gpu_observed *o, const struct config *c, const struct plan *plan,
                      const struct dispatcher *d, const struct sm *sm, struct verdict *verdict)
{
    *o = (struct gpu_observed){.config = c, .dispatcher = d, .sm = sm, .verdict = verdict};
    for (unsigned i = 0; i < plan->count; i++)
        if (strcmp(plan->units[i].socket->stem, "dispatch") != 0 &&
            open_one(o, &plan->units[i], &d->rack.plugs[i]))
            return -1;
    return 0;
}

void gpu_observed_close(struct gpu_observed *o)
{
    for (unsigned i = 0; i < o->count; i++) {
        shadow_close(&o->shadows[i]);
        free(o->late[i]);
    }
    free(o->steered);
}

/* From this cycle on these steer. */
static void note(struct gpu_observed *o, uint64_t cycle, const struct gpu_controls *c)
{
    const struct steered *last = o->num_steered ? &o->steered[o->num_steered - 1] : NULL;
    if (last && !memcmp(&last->controls, c, sizeof *c))
        return;
    if (o->num_steered == o->room) {
        const size_t room = 2 * o->room + 16;
        struct steered *more = realloc(o->steered, room * sizeof *more);
        if (!more) {
            o->no_memory = 1;
            return;
        }
        o->steered = more;
        o->room = room;
        last = o->num_steered ? &more[o->num_steered - 1] : NULL;
    }
    const uint64_t rose = c->count == 1 && (!last || last->controls.count != 1) ? cycle + 1
                          : last                                                ? last->rose
                                                                                : 0;
    o->steered[o->num_steered++] = (struct steered){cycle, *c, rose};
}

void gpu_observed_starts(struct gpu_observed *o, uint64_t cycle)
{
    struct gpu_controls none;
    for (unsigned i = 0; i < o->count && o->next < cycle; i++) {
        const uint64_t ring = o->shadows[i].delay + 1;
        const struct gpu_controls last = o->late[i][(o->next + ring - 1) % ring];
        for (uint64_t at = o->next; at < cycle && at < o->next + ring; at++)
            o->late[i][(cycle - 1 - (at - o->next)) % ring] = last;
    }
    nothing(&none);
    memset(o->counted, 0, sizeof o->counted);
    o->last_block = o->memory_since = UINT64_MAX;
    memset(&o->memory, 0, sizeof o->memory);
    o->next = o->start = cycle;
    o->num_steered = 0;
    note(o, cycle, &none);
}

/* What a unit steered some cycles ago does so now. */
static void meet(struct gpu_controls *c, const struct gpu_controls *due)
{
    for (unsigned i = 0; i < NUM_SMS; i++) {
        c->vital[i] = due->vital[i] == NO_CHOICE ? c->vital[i] : due->vital[i];
        c->polluters[i] = due->polluters[i] == NO_CHOICE ? c->polluters[i] : due->polluters[i];
    }
    c->count = due->count == NO_CHOICE ? c->count : due->count;
}

/* A cycle of the shadows. */
static void step(struct gpu_observed *o)
{
    const uint64_t cycle = o->next++;
    struct gpu_controls c;
    nothing(&c);
    for (unsigned i = 0; i < o->count; i++) {
        struct shadow *s = &o->shadows[i];
        const uint64_t ring = s->delay + 1;
        const struct gpu_seen seen = {
            .sm = o->sm, .starts = cycle == o->start, .counted = o->counted, .state = s->state};
        s->observer->expect_gpu(o->config, &seen, s->in);
        shadow_comb(s, cycle);
        nothing(&o->late[i][cycle % ring]);
        s->observer->steer_gpu(s->out, &o->late[i][cycle % ring]);
        meet(&c, &o->late[i][(cycle + 1) % ring]);
        shadow_tick(s);
    }
    note(o, cycle, &c);
}

static int registers_differ(const struct gpu_observed *o, uint64_t cycle)
{
    for (unsigned i = 0; i < o->count; i++)
        if (shadow_registers_differ(&o->shadows[i], o->verdict, cycle))
            return 1;
    return 0;
}

int gpu_observed_rested(struct gpu_observed *o, uint64_t cycle)
{
    if (!o->count)
        return 0;
    while (o->next < cycle)
        step(o);
    if (o->no_memory)
        return wrong(o->verdict, cycle, "no memory for what steers the SMs");
    return registers_differ(o, cycle - 1);
}

int gpu_observed_asked(struct gpu_observed *o, uint64_t cycle)
{
    if (!o->count)
        return 0;
    while (o->next <= cycle)
        step(o);
    for (unsigned i = 0; i < o->count; i++)
        if (shadow_inputs_differ(&o->shadows[i], o->verdict, cycle))
            return 1;
    return registers_differ(o, cycle);
}

void gpu_observed_stopped(struct gpu_observed *o)
{
    for (unsigned i = 0; i < o->count; i++) {
        struct shadow *s = &o->shadows[i];
        memcpy(s->state, plug_state(s->plug), s->unit->state_size);
        shadow_comb(s, o->next);
        for (uint64_t at = 0; at <= s->delay; at++)
            s->observer->steer_gpu(s->out, &o->late[i][at]);
    }
}

const struct steered *gpu_steered(const struct gpu_observed *o, size_t *at, uint64_t cycle)
{
    while (*at + 1 < o->num_steered && o->steered[*at + 1].cycle <= cycle)
        ++*at;
    return &o->steered[*at];
}
