/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/dispatcher.c: see dispatcher.h. */
#include "tb/gpu/dispatcher.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int dispatcher_open(struct dispatcher *d, const struct unit *unit, enum unit_backend backend,
                    uint64_t policy, struct sm *const *sms)
{
    memset(d, 0, sizeof *d);
    d->sms = sms;
    d->in.policy = policy;
    for (unsigned i = 0; i < NUM_SMS; i++)
        bit_set(d->in.allow, i, 1);
    d->unit = unit_open(unit, backend, "gpu");
    return d->unit ? 0 : -1;
}

void dispatcher_close(struct dispatcher *d)
{
    unit_close(d->unit);
    issued_free(&d->issued);
}

void dispatcher_start(struct dispatcher *d, const uint32_t grid[3], uint32_t room, uint64_t cycle)
{
    memcpy(d->grid, grid, sizeof d->grid);
    memset(d->held, 0, sizeof d->held);
    memset(d->told, 0, sizeof d->told);
    memset(d->ended, 0, sizeof d->ended);
    d->num_ended = 0;
    d->room = room;
    d->cycle = cycle;
    d->still = d->done = 0;
    d->in.start = 1;
    d->in.limit = room;
    d->in.blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    issued_start(&d->issued, d->in.blocks);
}

void dispatcher_listen(struct dispatcher *d)
{
    d->num_ended = 0;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        d->ended[i] = sm_counters(d->sms[i])->blocks - d->told[i];
        d->num_ended += d->ended[i];
    }
}

/* Sets in.ended for the SMs in `counts` and takes one block from each. */
static void tell(struct dispatcher *d, uint64_t *counts)
{
    memset(d->in.ended, 0, sizeof d->in.ended);
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (counts[i]) {
            bit_set(d->in.ended, i, 1);
            counts[i]--;
        }
}

/* The unit is wrong, whatever lockstep says. */
__attribute__((format(printf, 2, 3))) static int accuse(struct dispatcher *d, const char *format,
                                                        ...)
{
    char reason[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    unit_accuse(d->unit, d->cycle - 1, reason);
    return -1;
}

/* Places the block that the unit has chosen, if that is right. */
static int place(struct dispatcher *d)
{
    static const char *const wrong[] = {
        [ISSUED_AGAIN] = "had been issued before",
        [ISSUED_NO_BLOCK] = "is none of the grid's",
        [ISSUED_NO_MEMORY] = "is too far ahead of the others to be followed",
    };
    const uint64_t block = d->out.place_block, sm = d->out.place_sm, rows = block / d->grid[0];
    if (sm >= NUM_SMS || sm_resident(d->sms[sm]) >= d->room)
        return accuse(d, "block %" PRIu64 " is issued to sm %" PRIu64 ", which %s", block, sm,
                      sm >= NUM_SMS ? "there is not" : "has no room for it");
    const enum issued_status status = issued_note(&d->issued, block);
    if (status != ISSUED_FIRST)
        return accuse(d, "block %" PRIu64 ", issued to sm %" PRIu64 ", %s", block, sm,
                      wrong[status]);
    const uint32_t ctaid[3] = {(uint32_t)(block % d->grid[0]), (uint32_t)(rows % d->grid[1]),
                               (uint32_t)(rows / d->grid[1])};
    sm_place(d->sms[sm], ctaid, block, d->cycle - 1);
    d->held[sm]++;
    return 0;
}

/* The unit says that the kernel is over: is it? */
static int finish(struct dispatcher *d)
{
    const uint64_t missing = issued_missing(&d->issued);
    d->done = 1;
    if (missing < d->issued.blocks)
        return accuse(d, "the kernel is called over, but block %" PRIu64 " was never issued",
                      missing);
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (d->held[i])
            return accuse(d, "the kernel is called over, but a block runs on sm %u", i);
    return 0;
}

static int step(struct dispatcher *d)
{
    tell(d, d->ended);
    for (unsigned i = 0; i < NUM_SMS && d->num_ended; i++)
        if (bit_get(d->in.ended, i)) {
            d->told[i]++;
            d->held[i]--;
            d->num_ended--;
        }
    const int differs = unit_step(d->unit, d->cycle++, &d->in, &d->out);
    d->still = unit_idle(d->unit, &d->in, &d->out);
    d->in.start = 0;
    if (differs)
        return -1;
    if (d->out.place_valid && place(d))
        return -1;
    return d->out.done && finish(d) ? -1 : 0;
}

int dispatcher_run(struct dispatcher *d, uint64_t until)
{
    while (d->cycle < until) {
        if (!dispatcher_busy(d)) {
            memset(d->in.ended, 0, sizeof d->in.ended);
            d->cycle = until;
        } else if (step(d))
            return -1;
    }
    return 0;
}

int dispatcher_busy(const struct dispatcher *d)
{
    return !d->still || d->num_ended;
}

uint64_t dispatcher_stop(struct dispatcher *d, uint64_t cycle)
{
    static uint64_t none[NUM_SMS];
    d->in.start = 0;
    d->in.stop = 1;
    for (unsigned n = 0; n <= SM_BLOCKS + 1 && !d->done; n++) { /* each SM's blocks one by one */
        tell(d, d->in.stop ? none : d->held);
        if (unit_step(d->unit, cycle++, &d->in, &d->out))
            break;
        d->done = (int)d->out.done;
        d->in.stop = 0;
    }
    return cycle;
}
