/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/dispatcher.c: see dispatcher.h. */
#include "tb/gpu/dispatcher.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Static_assert(NUM_RESOURCES <= PARTITION_RESOURCES, "kernel_view.block has all resources");

int dispatcher_open(struct dispatcher *d, const struct config *c, const struct plan *plans,
                    enum unit_backend backend, struct sm *const *sms)
{
    memset(d, 0, sizeof *d);
    d->sms = sms;
    d->view.late = sm_window(c);
    d->list.latency = (uint64_t)c->paver_sm_latency;
    return rack_open(&d->rack, &plans[SCOPE_GPU], SCOPE_GPU, c, backend,
                     &(struct view){.gpu = &d->view}, "gpu");
}

void dispatcher_close(struct dispatcher *d)
{
    rack_close(&d->rack);
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        issued_free(&d->kernels[k].issued);
}

/* Those of the kernel it knows itself. */
uint32_t dispatcher_hears(const struct dispatcher *d)
{
    return HEARS(block_end) |
           (d->rack.hears & ~(HEARS(kernel_start) | HEARS(kernel_end) | HEARS(last_block)));
}

/* The listener of what happens to the kernel as a whole. */
static void hear(void *context, const struct event *e)
{
    rack_hear(context, e);
}

static struct listener listener_of(struct dispatcher *d)
{
    return (struct listener){.hears = d->rack.hears, .hear = hear, .context = &d->rack};
}

static int runs(const struct dispatcher *d, unsigned kernel)
{
    return d->kernels[kernel].occupancy != NULL;
}

static int idle(const struct dispatcher *d)
{
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        if (runs(d, k))
            return 0;
    return 1;
}

/* Does one more block of a kernel fit beside those of each, `held` by an SM? */
static int fits(const struct dispatcher *d, unsigned kernel, const uint64_t held[NUM_KERNELS])
{
    const struct occupancy *o = d->kernels[kernel].occupancy;
    for (unsigned r = 0; r < NUM_RESOURCES; r++) {
        uint64_t needed = o->needed[r];
        for (unsigned k = 0; k < NUM_KERNELS; k++)
            if (held[k])
                needed += held[k] * d->kernels[k].occupancy->needed[r];
        if (needed > o->available[r])
            return 0;
    }
    return 1;
}

/* What the SM has room for has changed, or not. */
static void note_room(struct dispatcher *d, unsigned sm)
{
    uint64_t held[NUM_KERNELS];
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        held[k] = d->kernels[k].placed[sm] - d->kernels[k].ended[sm];
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        if (runs(d, k))
            bit_set(d->view.kernels[k].free, sm, (uint64_t)fits(d, k, held));
}

void dispatcher_start(struct dispatcher *d, unsigned kernel, const uint32_t grid[3],
                      const struct occupancy *occupancy, const struct block_groups *groups,
                      uint64_t cycle)
{
    struct handed *h = &d->kernels[kernel];
    struct kernel_view *v = &d->view.kernels[kernel];
    const int first = idle(d);
    const struct listener units = listener_of(d);
    memcpy(h->grid, grid, sizeof h->grid);
    memset(h->placed, 0, sizeof h->placed);
    memset(h->ended, 0, sizeof h->ended);
    h->num_ended = 0;
    h->last = NEVER;
    h->done = 0;
    h->occupancy = occupancy;
    v->start = 1;
    v->runs = 1;
    v->limit = occupancy->blocks;
    v->block.warps = occupancy->warps;
    memcpy(v->block.needed, occupancy->needed, sizeof occupancy->needed);
    d->view.available = occupancy->available;
    d->view.resources = NUM_RESOURCES;
    v->warps = sm_warps(d->sms[0]);
    v->blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    v->groups = groups;
    issued_start(&h->issued, v->blocks);
    d->rack.wake = 0;
    for (unsigned i = 0; i < NUM_SMS; i++)
        note_room(d, i);
    if (!first)
        return;
    d->cycle = cycle;
    memset(&d->steered, 0xff, sizeof d->steered); /* as SMs are that have been launched */
    list_start(&d->list, groups);
    tell(&units, cycle, kernel_start);
}

int dispatcher_listen(struct dispatcher *d)
{
    int lost = 0;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        struct event_list *list = sm_events(d->sms[i]);
        int ended = 0;
        for (uint32_t n = 0; n < list->count; n++) {
            const struct event *e = &list->events[n];
            if (e->kind == EVENT_block_end) {
                d->kernels[e->of.block_end.kernel].ended[i]++;
                d->kernels[e->of.block_end.kernel].num_ended++;
                ended = 1;
            }
            rack_hear(&d->rack, e);
        }
        list->count = 0;
        if (ended)
            note_room(d, i);
        lost |= list->lost;
        d->view.counted[i] = sm_counted(d->sms[i]);
    }
    return lost ? -1 : 0;
}

/* A unit is wrong, whatever lockstep says. */
__attribute__((format(printf, 2, 3))) static int accuse(struct dispatcher *d, const char *format,
                                                        ...)
{
    char reason[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    rack_accuse(&d->rack, d->cycle - 1, reason);
    return -1;
}

/* No block of the kernel is left to hand out. */
static int all_issued(const struct dispatcher *d, unsigned kernel)
{
    return issued_missing(&d->kernels[kernel].issued) == d->view.kernels[kernel].blocks;
}

/* The kernel's last block has been handed out. Units are told when it is the last of all kernels. */
static void last_is_out(struct dispatcher *d, unsigned kernel)
{
    const struct listener units = listener_of(d);
    const uint64_t cycle = d->cycle - 1;
    d->kernels[kernel].last = cycle;
    for (unsigned i = 0; i < NUM_SMS; i++)
        sm_tail(d->sms[i], kernel, cycle);
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        if (runs(d, k) && !all_issued(d, k))
            return;
    tell(&units, cycle, last_block);
    for (unsigned i = 0; i < NUM_SMS; i++)
        sm_last_block(d->sms[i], cycle);
}

/* Has the SM room for a block of the kernel, now? */
static int has_room(const struct dispatcher *d, unsigned kernel, unsigned sm)
{
    uint64_t held[NUM_KERNELS];
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        held[k] = sm_resident_of(d->sms[sm], k);
    return fits(d, kernel, held);
}

/* Places the block that was chosen, if that is right. */
static int place(struct dispatcher *d, uint64_t kernel, uint64_t sm, uint64_t block)
{
    static const char *const wrong[] = {
        [ISSUED_AGAIN] = "had been issued before",
        [ISSUED_NO_BLOCK] = "is not in the grid",
        [ISSUED_NO_MEMORY] = "is too far ahead of the others to be followed",
    };
    if (kernel >= NUM_KERNELS || !runs(d, (unsigned)kernel))
        return accuse(d, "block %" PRIu64 " is issued of kernel %" PRIu64 ", which does not run",
                      block, kernel);
    struct handed *h = &d->kernels[kernel];
    const uint64_t rows = block / h->grid[0];
    if (sm >= NUM_SMS || !has_room(d, (unsigned)kernel, (unsigned)sm))
        return accuse(d, "block %" PRIu64 " is issued to sm %" PRIu64 ", which %s", block, sm,
                      sm >= NUM_SMS ? "does not exist" : "has no room for it");
    const enum issued_status status = issued_note(&h->issued, block);
    if (status != ISSUED_FIRST)
        return accuse(d, "block %" PRIu64 ", issued to sm %" PRIu64 ", %s", block, sm,
                      wrong[status]);
    const uint32_t ctaid[3] = {(uint32_t)(block % h->grid[0]), (uint32_t)(rows % h->grid[1]),
                               (uint32_t)(rows / h->grid[1])};
    sm_place(d->sms[sm], (unsigned)kernel, ctaid, block, d->cycle - 1);
    h->placed[sm]++;
    note_room(d, (unsigned)sm);
    if (all_issued(d, (unsigned)kernel))
        last_is_out(d, (unsigned)kernel);
    return 0;
}

/* A unit says that a kernel is over: is it? */
static int finish(struct dispatcher *d, unsigned kernel)
{
    struct handed *h = &d->kernels[kernel];
    const uint64_t missing = issued_missing(&h->issued);
    h->done = 1;
    if (missing < d->view.kernels[kernel].blocks)
        return accuse(d,
                      "the kernel is reported as finished, but block %" PRIu64 " was never issued",
                      missing);
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (h->placed[i] != h->ended[i])
            return accuse(d, "the kernel is reported as finished, but a block runs on sm %u", i);
    return 0;
}

/* The same of all that a unit says it of. */
static int finish_all(struct dispatcher *d, uint64_t done)
{
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        if (done >> k & 1 && runs(d, k) && !d->kernels[k].done && finish(d, k))
            return -1;
    return 0;
}

/* Tells the SMs what has changed for them. */
static void steer(struct dispatcher *d, const struct gpu_controls *c)
{
    struct gpu_controls *told = &d->steered;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        if (c->vital[i] == told->vital[i] && c->polluters[i] == told->polluters[i] &&
            c->count == told->count)
            continue;
        sm_steer(d->sms[i], c->vital[i], c->polluters[i], c->count == 1, d->cycle - 1);
    }
    *told = *c;
}

/* Asks memory for what a unit wants, if that is right. */
static int fetch(struct dispatcher *d, const struct gpu_controls *c)
{
    switch (list_ask(&d->list, c->fetch_sm, c->fetch_group == 1, c->fetch_at, d->cycle - 1)) {
    case LIST_ASKED: return 0;
    case LIST_TWICE:
        return accuse(d, "memory is asked for sm %" PRIu64 ", which waits for a reply",
                      c->fetch_sm);
    default:
        return accuse(d, "memory is asked for %s %" PRIu64 ", which does not exist",
                      c->fetch_group == 1 ? "group" : "block", c->fetch_at);
    }
}

static int step(struct dispatcher *d)
{
    struct gpu_controls c;
    memset(&c, 0xff, sizeof c);
    d->view.reply = list_reply(&d->list, d->cycle);
    const int differs = rack_step(&d->rack, d->cycle++, &c);
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        d->view.kernels[k].start = 0;
    if (differs)
        return -1;
    steer(d, &c);
    const int failed =
        (c.fetch_sm != NO_CHOICE && fetch(d, &c)) ||
        (c.place_sm != NO_CHOICE &&
         place(d, c.place_kernel == NO_CHOICE ? 0 : c.place_kernel, c.place_sm, c.place_block));
    if (d->observer)
        d->wrong = d->observer->asked(d->observer->context, d->cycle - 1);
    if (failed || d->wrong)
        return -1;
    return c.done != NO_CHOICE ? finish_all(d, c.done) : 0;
}

uint64_t dispatcher_next(const struct dispatcher *d)
{
    const uint64_t due = list_due(&d->list), wake = due < d->rack.wake ? due : d->rack.wake;
    return wake > d->cycle ? wake : d->cycle;
}

int dispatcher_run(struct dispatcher *d, uint64_t until)
{
    while (d->cycle < until) {
        if (d->cycle < dispatcher_next(d))
            d->cycle = dispatcher_next(d) < until ? dispatcher_next(d) : until;
        else if (step(d))
            return -1;
    }
    if (d->observer)
        d->wrong = d->observer->ran(d->observer->context, until);
    return d->wrong ? -1 : 0;
}

int dispatcher_ended(const struct dispatcher *d, unsigned kernel)
{
    return d->kernels[kernel].num_ended == d->view.kernels[kernel].blocks;
}

int dispatcher_done(const struct dispatcher *d, unsigned kernel)
{
    return d->kernels[kernel].done;
}

uint64_t dispatcher_tail(const struct dispatcher *d, unsigned kernel, uint64_t until)
{
    const uint64_t last = d->kernels[kernel].last;
    return last < until ? until - last : 0;
}

void dispatcher_end(struct dispatcher *d, unsigned kernel)
{
    const struct listener units = listener_of(d);
    d->kernels[kernel].occupancy = NULL;
    d->view.kernels[kernel].runs = 0;
    if (idle(d))
        tell(&units, d->cycle, kernel_end);
}

/* The units have given up some blocks, or some are dropped: what is placed has ended. */
static int drop(struct dispatcher *d, uint64_t cycle)
{
    int done = 1;
    for (unsigned k = 0; k < NUM_KERNELS; k++) {
        struct handed *h = &d->kernels[k];
        done &= !runs(d, k) || h->done;
        for (unsigned i = 0; i < NUM_SMS; i++)
            for (; h->ended[i] < h->placed[i]; h->ended[i]++)
                rack_hear(&d->rack, &(struct event){.kind = EVENT_block_end,
                                                    .sm = i,
                                                    .cycle = cycle,
                                                    .of.block_end.kernel = k});
    }
    return done;
}

/* Blocks that are dropped end, as far as the units are concerned, after the cycle in which they are
 * told to stop, or after the one in which a late choice would have placed them. */
uint64_t dispatcher_stop(struct dispatcher *d, uint64_t cycle)
{
    struct gpu_controls c;
    /* Each SM's blocks one by one, when the last is there; then the news that nothing is left. */
    const uint64_t most = SM_BLOCKS + 2 + 2 * rack_late(&d->rack);
    int done = 1;
    for (unsigned k = 0; k < NUM_KERNELS; k++) {
        d->view.kernels[k].start = 0;
        d->view.kernels[k].stop = (uint64_t)runs(d, k);
        done &= !runs(d, k) || d->kernels[k].done;
    }
    d->view.reply = (struct list_reply){0};
    list_start(&d->list, NULL);
    for (uint64_t n = 0; n < most && !done; n++) {
        memset(&c, 0xff, sizeof c);
        if (rack_step(&d->rack, cycle++, &c))
            break;
        for (unsigned k = 0; k < NUM_KERNELS; k++) {
            d->view.kernels[k].stop = 0;
            d->kernels[k].done |= c.done != NO_CHOICE && (c.done >> k & 1);
        }
        if (c.place_sm < NUM_SMS)
            d->kernels[c.place_kernel < NUM_KERNELS ? c.place_kernel : 0].placed[c.place_sm]++;
        done = drop(d, cycle);
    }
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        if (runs(d, k))
            dispatcher_end(d, k);
    return cycle;
}
