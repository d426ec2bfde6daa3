/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/gpu.c: see gpu.h. */
#include "tb/observe/gpu.h"

#include <inttypes.h>
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
    o->steers |= s->observer->steers_sms;
    for (size_t i = 0; i < places; i++)
        nothing(&late[i]);
    return 0;
}

int gpu_observed_open(struct gpu_observed *o, const struct config *c, const struct plan *plan,
                      const struct dispatcher *d, const struct sm *sm, struct verdict *verdict)
{
    *o = (struct gpu_observed){.config = c, .sm = sm, .verdict = verdict};
    for (unsigned i = 0; i < plan->count; i++)
        if (open_one(o, &plan->units[i], &d->rack.plugs[i]))
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
    if (o->num_steered == o->places) {
        const size_t places = 2 * o->places + 16;
        struct steered *more = realloc(o->steered, places * sizeof *more);
        if (!more) {
            o->no_memory = 1;
            return;
        }
        o->steered = more;
        o->places = places;
        last = o->num_steered ? &more[o->num_steered - 1] : NULL;
    }
    const uint64_t rose = c->count == 1 && (!last || last->controls.count != 1) ? cycle + 1
                          : last                                                ? last->rose
                                                                                : 0;
    o->steered[o->num_steered++] = (struct steered){cycle, *c, rose};
}

int gpu_observed_busy(const struct gpu_observed *o)
{
    int any = 0;
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        any |= o->kernels[k].occupancy != NULL;
    return any;
}

/* Nothing has run: what was does not matter any more. */
static void begin(struct gpu_observed *o, uint64_t cycle)
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
    o->next = cycle;
    o->num_steered = 0;
    note(o, cycle, &none);
}

void gpu_observed_starts(struct gpu_observed *o, unsigned kernel, const struct occupancy *occupancy,
                         uint64_t blocks, const struct block_groups *groups, uint64_t cycle)
{
    if (!gpu_observed_busy(o))
        begin(o, cycle);
    o->kernels[kernel] = (struct kernel_seen){
        .occupancy = occupancy, .start = cycle, .blocks = blocks, .room = occupancy->blocks};
    o->groups = groups;
}

void gpu_observed_ends(struct gpu_observed *o, unsigned kernel)
{
    o->kernels[kernel].occupancy = NULL;
}

/* What a unit steered some cycles ago does so now. */
static void meet(struct gpu_controls *c, const struct gpu_controls *due)
{
    for (unsigned i = 0; i < NUM_SMS; i++) {
        c->vital[i] = due->vital[i] == NO_CHOICE ? c->vital[i] : due->vital[i];
        c->polluters[i] = due->polluters[i] == NO_CHOICE ? c->polluters[i] : due->polluters[i];
    }
    c->count = due->count == NO_CHOICE ? c->count : due->count;
    c->place_kernel = due->place_kernel == NO_CHOICE ? c->place_kernel : due->place_kernel;
    c->place_sm = due->place_sm == NO_CHOICE ? c->place_sm : due->place_sm;
    c->place_block = due->place_block == NO_CHOICE ? c->place_block : due->place_block;
}

void gpu_observed_ended(struct gpu_observed *o, unsigned kernel, unsigned sm, uint64_t blocks)
{
    o->kernels[kernel].held[sm] -= blocks;
    o->kernels[kernel].untold[sm] += blocks;
}

/* The block that is placed, if one is. */
static void place(struct gpu_observed *o, const struct gpu_controls *c)
{
    const uint64_t kernel = c->place_kernel == NO_CHOICE ? 0 : c->place_kernel;
    o->chosen = (struct chosen){c->place_sm != NO_CHOICE, kernel, c->place_sm, c->place_block};
    if (o->chosen.valid)
        o->kernels[kernel].held[o->chosen.sm]++;
}

/* What all units see of a cycle. */
static struct gpu_seen look(struct gpu_observed *o, uint64_t cycle)
{
    int starts = 0;
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        starts |= o->kernels[k].occupancy && o->kernels[k].start == cycle;
    return (struct gpu_seen){.sm = o->sm,
                             .cycle = cycle,
                             .kernels = o->kernels,
                             .starts = starts,
                             .groups = o->groups,
                             .counted = o->counted,
                             .shadows = o->shadows,
                             .num_shadows = o->count};
}

/* A cycle of the shadows: all outputs, then all edges. */
static void step(struct gpu_observed *o)
{
    const uint64_t cycle = o->next++;
    struct gpu_controls c;
    nothing(&c);
    struct gpu_seen seen = look(o, cycle);
    for (unsigned i = 0; i < o->count; i++) {
        struct shadow *s = &o->shadows[i];
        const uint64_t ring = s->delay + 1;
        struct gpu_controls *now = &o->late[i][cycle % ring];
        seen.state = s->state;
        seen.out = s->out;
        seen.memory = s->memory;
        seen.num_before = i;
        s->observer->expect_gpu(o->config, &seen, s->in);
        shadow_comb(s, cycle);
        nothing(now);
        if (s->observer->steer_gpu)
            s->observer->steer_gpu(&seen, s->out, now);
        meet(&c, &o->late[i][(cycle + 1) % ring]);
    }
    for (unsigned i = 0; i < o->count; i++)
        shadow_tick(&o->shadows[i]);
    place(o, &c);
    c.place_kernel = c.place_sm = c.place_block = NO_CHOICE;
    note(o, cycle, &c);
}

const void *gpu_seen_out(const struct gpu_seen *seen, const char *stem)
{
    const struct shadow *s = shadow_find(seen->shadows, seen->num_before, stem);
    return s ? s->out : NULL;
}

const void *gpu_seen_state(const struct gpu_seen *seen, const char *stem)
{
    const struct shadow *s = shadow_find(seen->shadows, seen->num_shadows, stem);
    return s ? s->state : NULL;
}

static int registers_differ(const struct gpu_observed *o, uint64_t cycle)
{
    for (unsigned i = 0; i < o->count; i++)
        if (shadow_registers_differ(&o->shadows[i], o->verdict, cycle))
            return 1;
    return 0;
}

/* The cycles before this one, in which the units were not asked. */
static int catch_up(struct gpu_observed *o, uint64_t cycle)
{
    while (o->next < cycle) {
        step(o);
        if (o->chosen.valid)
            return wrong(o->verdict, o->next - 1,
                         "the cycle was left out, but block %" PRIu64
                         " should have gone to sm %" PRIu64,
                         o->chosen.block, o->chosen.sm);
    }
    return o->no_memory ? wrong(o->verdict, cycle, "no memory for what steers the SMs") : 0;
}

int gpu_observed_rested(struct gpu_observed *o, uint64_t cycle)
{
    return catch_up(o, cycle) || registers_differ(o, cycle - 1);
}

int gpu_observed_asked(struct gpu_observed *o, uint64_t cycle)
{
    if (catch_up(o, cycle))
        return 1;
    step(o);
    for (unsigned i = 0; i < o->count; i++)
        if (shadow_inputs_differ(&o->shadows[i], o->verdict, cycle))
            return 1;
    return registers_differ(o, cycle);
}

void gpu_observed_stopped(struct gpu_observed *o)
{
    struct gpu_seen seen = look(o, o->next);
    for (unsigned i = 0; i < o->count; i++) {
        struct shadow *s = &o->shadows[i];
        memcpy(s->state, plug_state(s->plug), s->unit->state_size);
        memset(s->memory, 0, s->observer->memory);
        seen.num_before = i;
        shadow_comb(s, o->next);
        for (uint64_t at = 0; at <= s->delay; at++) {
            nothing(&o->late[i][at]);
            if (s->observer->steer_gpu)
                s->observer->steer_gpu(&seen, s->out, &o->late[i][at]);
        }
    }
}

const struct steered *gpu_steered(const struct gpu_observed *o, size_t *at, uint64_t cycle)
{
    while (*at + 1 < o->num_steered && o->steered[*at + 1].cycle <= cycle)
        ++*at;
    return &o->steered[*at];
}
