/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/scheduler.c: see scheduler.h. */
#include "tb/observe/scheduler.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int scheduler_observe(struct scheduler_observer *o, const struct config *c, const struct plan *plan,
                      const struct sm *sm, const struct scheduler *scheduler,
                      struct verdict *verdict)
{
    *o = (struct scheduler_observer){
        .config = c, .sm = sm, .scheduler = scheduler, .verdict = verdict, .births = NUM_WARPS};
    for (unsigned i = 0; i < NUM_WARPS; i++)
        o->born[i] = i; /* reset: by number */
    o->registers.born = o->born;
    o->shadows = calloc(plan->count + 1u, sizeof *o->shadows);
    if (!o->shadows)
        return -1;
    for (; o->count < plan->count; o->count++)
        if (shadow_open(&o->shadows[o->count], &plan->units[o->count],
                        &scheduler->rack.plugs[o->count], 1, verdict)) {
            o->count++;
            return -1;
        }
    return 0;
}

void scheduler_observer_free(struct scheduler_observer *o)
{
    for (unsigned i = 0; i < o->count; i++)
        shadow_close(&o->shadows[i]);
    free(o->shadows);
}

static uint64_t any_ready(const struct registers *r)
{
    return r->ready[0] | r->ready[1] | r->ready[2] | r->ready[3];
}

/* A warp that was granted late and is not ready does not issue, nor does one whose pipeline takes one with a lower number. */
static void keep_ready(const struct registers *r, struct controls *c)
{
    uint64_t issue = 0;
    unsigned taken = 0; /* SP, SFU, MEM */
    for (unsigned slot = 0; slot < NUM_WARPS && c->grant != NO_CHOICE; slot++)
        for (unsigned i = 0; i < 4; i++) {
            const unsigned pipeline = i == 3 ? 1u << 2 : 1u << i;
            if (!(c->grant & r->ready[i] & UINT64_C(1) << slot) || taken & pipeline)
                continue;
            taken |= pipeline;
            issue |= UINT64_C(1) << slot;
        }
    c->grant = issue ? issue : NO_CHOICE;
}

/* Shows all shadows this cycle. */
static void ask(struct scheduler_observer *o, uint64_t cycle)
{
    o->controls = o->sm->controls[o->scheduler->index];
    for (unsigned i = 0; i < o->count; i++) {
        struct shadow *s = &o->shadows[i];
        s->observer->expect(o->config, &o->registers, &o->controls, s->in);
        shadow_comb(s, cycle);
        shadow_steer(s, &o->controls);
    }
    keep_ready(&o->registers, &o->controls);
}

/* Returns whether a register has moved, or what is steered late may yet. */
static int tick(struct scheduler_observer *o)
{
    int moved = 0;
    o->registers.starts = 0;
    for (unsigned i = 0; i < o->count; i++)
        moved |= shadow_tick(&o->shadows[i]);
    return moved;
}

static int registers_differ(struct scheduler_observer *o, uint64_t cycle)
{
    for (unsigned i = 0; i < o->count; i++)
        if (shadow_registers_differ(&o->shadows[i], o->verdict, cycle))
            return 1;
    return 0;
}

void scheduler_starts(struct scheduler_observer *o, uint64_t cycle)
{
    if (o->next < cycle)
        for (unsigned i = 0; i < o->count; i++)
            shadow_rest(&o->shadows[i], cycle - o->next);
    o->next = cycle;
    o->registers.starts = 1;
}

/* The first cycle from `cycle` on in which a pipeline is free again that is not yet, or a turn is another's. */
static uint64_t next_free(const struct scheduler_observer *o, uint64_t cycle)
{
    if (o->sm->alternate)
        return cycle + 1;
    const uint64_t times[] = {o->scheduler->sp_free, o->sm->sfu_free, o->sm->mem_free};
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < sizeof times / sizeof times[0]; i++)
        if (times[i] > cycle && times[i] < next)
            next = times[i];
    return next;
}

int scheduler_rested(struct scheduler_observer *o, uint64_t cycle)
{
    if (o->next >= cycle)
        return 0;
    for (uint64_t changes = o->next; o->next < cycle;) {
        if (o->next >= changes) {
            registers_read(&o->registers, o->sm, o->scheduler, o->next);
            changes = next_free(o, o->next);
        }
        ask(o, o->next);
        if (o->controls.grant != NO_CHOICE)
            return wrong(o->verdict, o->next,
                         "the cycle was left out, but warp %d should have issued",
                         __builtin_ctzll(o->controls.grant));
        if (o->registers.begins < NUM_WARPS)
            return wrong(o->verdict, o->next,
                         "the cycle was left out, but warp %u should have begun",
                         o->registers.begins);
        /* Where nothing has moved nothing will, until what is shown changes. */
        const uint64_t same_until = changes < cycle ? changes : cycle;
        o->next = tick(o) ? o->next + 1 : same_until;
    }
    return registers_differ(o, cycle - 1);
}

int scheduler_turn(struct scheduler_observer *o, uint64_t cycle)
{
    registers_read(&o->registers, o->sm, o->scheduler, cycle);
    ask(o, cycle);
    for (unsigned slot = 0; slot < NUM_WARPS; slot++)
        o->before[slot] = signature_of(o->scheduler, slot);
    o->wants_memory = o->registers.ready[2] | o->registers.ready[3];
    o->queued = o->sm->lsu.count;
    return 0;
}

/* Where a warp is ready, begins or is granted, every unit of the scheduler must have been shown this
 * cycle, and the machine must steer by what they say. */
static int shown_wrong(struct scheduler_observer *o, uint64_t cycle)
{
    for (unsigned i = 0; i < o->count; i++)
        if (shadow_inputs_differ(&o->shadows[i], o->verdict, cycle))
            return 1;
    return controls_differ(&o->controls, &o->scheduler->controls, o->verdict, cycle);
}

/* The slots that issued or, where none should begin, began. */
static void find_issued(struct scheduler_observer *o)
{
    o->issued = 0;
    for (unsigned slot = 0; slot < NUM_WARPS; slot++) {
        const struct signature now = signature_of(o->scheduler, slot);
        const struct signature *before = &o->before[slot];
        if (slot == o->registers.begins ||
            (now.pc == before->pc && now.flushes == before->flushes && now.state == before->state &&
             now.in_buffer == before->in_buffer))
            continue;
        o->issued |= UINT64_C(1) << slot;
    }
}

/* The lowest of some slots; -1: there is none. */
static int lowest(uint64_t slots)
{
    return slots ? __builtin_ctzll(slots) : -1;
}

/* Does it matter that warps go by age, and not by number as after a reset? */
static int is_aged(const struct registers *r)
{
    const uint64_t ready = any_ready(r);
    unsigned oldest = NUM_WARPS, first = NUM_WARPS;
    for (unsigned slot = NUM_WARPS; slot--;)
        if (ready >> slot & 1) {
            first = slot;
            if (oldest == NUM_WARPS || r->born[slot] < r->born[oldest])
                oldest = slot;
        }
    return oldest != first;
}

int scheduler_turned(struct scheduler_observer *o, uint64_t cycle)
{
    const unsigned begins = o->registers.begins;
    o->next = cycle + 1;
    const int matters =
        any_ready(&o->registers) || begins < NUM_WARPS || o->scheduler->controls.grant != NO_CHOICE;
    if (matters && shown_wrong(o, cycle))
        return 1;
    o->aged += (uint64_t)is_aged(&o->registers);
    tick(o);
    if (registers_differ(o, cycle))
        return 1;
    find_issued(o);
    const uint64_t granted = o->controls.grant == NO_CHOICE ? 0 : o->controls.grant,
                   differ = o->issued ^ granted;
    o->issues += (uint64_t)__builtin_popcountll(o->issued);
    if (differ)
        return wrong(o->verdict, cycle, "issued: warp %d; granted: %d (-1: none)",
                     lowest(o->issued & differ), lowest(granted & differ));
    if (begins < NUM_WARPS) {
        if (o->scheduler->state[begins] != WARP_RUN)
            return wrong(o->verdict, cycle, "warp %u should have begun", begins);
        o->born[begins] = o->births++;
    }
    o->to_memory = o->sm->lsu.count > o->queued;
    return 0;
}
