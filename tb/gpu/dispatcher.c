/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/dispatcher.c: see dispatcher.h. */
#include "tb/gpu/dispatcher.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    issued_free(&d->issued);
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

/* Whether the SM has room has changed, or not. */
static void note_room(struct dispatcher *d, unsigned sm)
{
    bit_set(d->view.free, sm, d->placed[sm] - d->ended[sm] < d->view.limit);
}

void dispatcher_start(struct dispatcher *d, const uint32_t grid[3], uint32_t room,
                      const struct block_groups *groups, uint64_t cycle)
{
    const struct listener units = listener_of(d);
    memcpy(d->grid, grid, sizeof d->grid);
    memset(d->placed, 0, sizeof d->placed);
    memset(d->ended, 0, sizeof d->ended);
    d->num_ended = 0;
    d->cycle = cycle;
    d->done = 0;
    d->view.start = 1;
    d->view.limit = room;
    d->view.warps = sm_warps(d->sms[0]);
    memset(&d->steered, 0xff, sizeof d->steered); /* as SMs are that have been launched */
    d->view.blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    d->rack.wake = 0;
    issued_start(&d->issued, d->view.blocks);
    d->view.groups = groups;
    list_start(&d->list, groups);
    for (unsigned i = 0; i < NUM_SMS; i++)
        note_room(d, i);
    tell(&units, cycle, kernel_start);
}

int dispatcher_listen(struct dispatcher *d)
{
    int lost = 0;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        struct event_list *list = sm_events(d->sms[i]);
        for (uint32_t n = 0; n < list->count; n++) {
            const int ended = list->events[n].kind == EVENT_block_end;
            d->ended[i] += (uint64_t)ended;
            d->num_ended += (uint64_t)ended;
            rack_hear(&d->rack, &list->events[n]);
        }
        list->count = 0;
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

static void tell_last_block(struct dispatcher *d)
{
    const struct listener units = listener_of(d);
    tell(&units, d->cycle - 1, last_block);
    for (unsigned i = 0; i < NUM_SMS; i++)
        sm_last_block(d->sms[i], d->cycle - 1);
}

/* Places the block that was chosen, if that is right. */
static int place(struct dispatcher *d, uint64_t sm, uint64_t block)
{
    static const char *const wrong[] = {
        [ISSUED_AGAIN] = "had been issued before",
        [ISSUED_NO_BLOCK] = "is not in the grid",
        [ISSUED_NO_MEMORY] = "is too far ahead of the others to be followed",
    };
    const uint64_t rows = block / d->grid[0];
    if (sm >= NUM_SMS || sm_resident(d->sms[sm]) >= d->view.limit)
        return accuse(d, "block %" PRIu64 " is issued to sm %" PRIu64 ", which %s", block, sm,
                      sm >= NUM_SMS ? "does not exist" : "has no room for it");
    const enum issued_status status = issued_note(&d->issued, block);
    if (status != ISSUED_FIRST)
        return accuse(d, "block %" PRIu64 ", issued to sm %" PRIu64 ", %s", block, sm,
                      wrong[status]);
    const uint32_t ctaid[3] = {(uint32_t)(block % d->grid[0]), (uint32_t)(rows % d->grid[1]),
                               (uint32_t)(rows / d->grid[1])};
    sm_place(d->sms[sm], ctaid, block, d->cycle - 1);
    d->placed[sm]++;
    note_room(d, (unsigned)sm);
    if (issued_missing(&d->issued) == d->view.blocks)
        tell_last_block(d);
    return 0;
}

/* A unit says that the kernel is over: is it? */
static int finish(struct dispatcher *d)
{
    const uint64_t missing = issued_missing(&d->issued);
    d->done = 1;
    if (missing < d->view.blocks)
        return accuse(d,
                      "the kernel is reported as finished, but block %" PRIu64 " was never issued",
                      missing);
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (d->placed[i] != d->ended[i])
            return accuse(d, "the kernel is reported as finished, but a block runs on sm %u", i);
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
    d->view.start = 0;
    if (differs)
        return -1;
    steer(d, &c);
    const int failed = (c.fetch_sm != NO_CHOICE && fetch(d, &c)) ||
                       (c.place_sm != NO_CHOICE && place(d, c.place_sm, c.place_block));
    if (d->observer)
        d->wrong = d->observer->asked(d->observer->context, d->cycle - 1);
    if (failed || d->wrong)
        return -1;
    return c.done == 1 && !d->done && finish(d) ? -1 : 0;
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

void dispatcher_end(struct dispatcher *d)
{
    const struct listener units = listener_of(d);
    tell(&units, d->cycle, kernel_end);
}

/* Blocks that are dropped end, as far as the units are concerned, after the cycle in which they are
 * told to stop, or after the one in which a late choice would have placed them. */
uint64_t dispatcher_stop(struct dispatcher *d, uint64_t cycle)
{
    struct gpu_controls c;
    /* Each SM's blocks one by one, when the last is there; then the news that nothing is left. */
    const uint64_t most = SM_BLOCKS + 2 + 2 * rack_late(&d->rack);
    d->view.start = 0;
    d->view.stop = 1;
    d->view.reply = (struct list_reply){0};
    list_start(&d->list, NULL);
    for (uint64_t n = 0; n < most && !d->done; n++) {
        memset(&c, 0xff, sizeof c);
        if (rack_step(&d->rack, cycle++, &c))
            break;
        d->view.stop = 0;
        d->done = c.done == 1;
        if (c.place_sm < NUM_SMS)
            d->placed[c.place_sm]++;
        for (unsigned i = 0; i < NUM_SMS; i++)
            for (; d->ended[i] < d->placed[i]; d->ended[i]++)
                rack_hear(&d->rack,
                          &(struct event){.kind = EVENT_block_end, .sm = i, .cycle = cycle});
    }
    dispatcher_end(d);
    return cycle;
}
