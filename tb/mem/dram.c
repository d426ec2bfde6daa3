/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/dram.c: see dram.h.
 *
 * In a tick the channel may issue one column command (read or write: the oldest request whose row
 * is open) and one row command (precharge or activate: for the oldest request of a bank that has
 * no request for its open row). Between ticks in which a command becomes possible nothing is
 * simulated. Timing parameters in ticks, JEDEC names: tRCD activate to column, tRP precharge to
 * activate, tRAS activate to precharge, tRC activate to activate of a bank, tRRD of different
 * banks, tCCD column to column, tCL and tWL column to data, tCDLR end of write data to read, tWR
 * end of write data to precharge. */
#include "tb/mem/dram.h"

#include <stdlib.h>
#include <string.h>

int dram_init(struct dram *d, const struct config *c, uint32_t reply_places)
{
    d->config = c;
    d->num_banks = (uint32_t)c->dram_banks;
    d->places = (uint32_t)c->dram_queue;
    d->reply_places = reply_places;
    d->core_mhz = (uint64_t)c->gpu_clock_mhz;
    d->dram_mhz = (uint64_t)c->dram_clock_mhz;
    d->banks = calloc(d->num_banks, sizeof *d->banks);
    d->queue = calloc(d->places, sizeof *d->queue);
    d->replies = calloc(reply_places, sizeof *d->replies);
    if (!d->banks || !d->queue || !d->replies)
        return -1;
    dram_reset(d);
    return 0;
}

void dram_free(struct dram *d)
{
    free(d->banks);
    free(d->queue);
    free(d->replies);
}

void dram_reset(struct dram *d)
{
    for (uint32_t i = 0; i < d->num_banks; i++)
        d->banks[i].row = -1;
    d->count = d->num_replies = 0;
    d->next_tick = d->next_cycle = NEVER;
}

/* The last tick that has begun by a core cycle, and the first core cycle by which a tick has. */
static uint64_t tick_of(const struct dram *d, uint64_t cycle)
{
    return cycle * d->dram_mhz / d->core_mhz;
}

static uint64_t cycle_of(const struct dram *d, uint64_t tick)
{
    return (tick * d->core_mhz + d->dram_mhz - 1) / d->dram_mhz;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void set_next(struct dram *d, uint64_t tick)
{
    d->next_tick = tick;
    d->next_cycle = tick == NEVER ? NEVER : cycle_of(d, tick);
}

/* Counts up to and with this tick, before its commands. */
static void count_occupancy(struct dram *d, uint64_t tick)
{
    d->counters.queue_occupancy += d->count * (tick - d->occupied_since);
    d->occupied_since = tick;
}

void dram_account(struct dram *d, uint64_t cycle)
{
    count_occupancy(d, tick_of(d, cycle));
}

void dram_send(struct dram *d, uint64_t cycle, uint64_t address, uint32_t bytes, int is_write,
               uint32_t owner)
{
    const uint64_t row = address / (uint64_t)d->config->dram_row_bytes;
    const uint64_t tick = tick_of(d, cycle);
    count_occupancy(d, tick);
    struct dram_request *r = &d->queue[d->count++];
    *r = (struct dram_request){.row = row / d->num_banks,
                               .bank = (uint32_t)(row % d->num_banks),
                               .ready = tick + 1,
                               .bytes = bytes,
                               .owner = owner,
                               .is_write = (uint8_t)is_write};
    if (r->ready < d->next_tick)
        set_next(d, r->ready);
}

/* Ticks for which the data bus moves a request's data. */
static uint64_t burst(const struct dram *d, const struct dram_request *r)
{
    uint64_t rate = (uint64_t)d->config->dram_bytes_per_cycle;
    return (r->bytes + rate - 1) / rate;
}

/* The first tick for a request's column command, its row being open. */
static uint64_t column_ready(const struct dram *d, const struct dram_request *r)
{
    uint64_t to_data = (uint64_t)(r->is_write ? d->config->dram_tWL : d->config->dram_tCL);
    uint64_t bus = d->bus_free > to_data ? d->bus_free - to_data : 0;
    uint64_t ready = later(d->banks[r->bank].column_ok, r->is_write ? d->write_ok : d->read_ok);
    return later(later(ready, bus), r->ready);
}

static void column(struct dram *d, uint32_t index, uint64_t tick)
{
    const struct config *c = d->config;
    const struct dram_request r = d->queue[index];
    struct dram_bank *bank = &d->banks[r.bank];
    uint64_t busy = burst(d, &r);
    uint64_t data = tick + (uint64_t)(r.is_write ? c->dram_tWL : c->dram_tCL);
    d->bus_free = data + busy;
    d->read_ok = d->write_ok = tick + (uint64_t)c->dram_tCCD;
    if (r.is_write) {
        d->read_ok = later(d->read_ok, d->bus_free + (uint64_t)c->dram_tCDLR);
        bank->precharge_ok = later(bank->precharge_ok, d->bus_free + (uint64_t)c->dram_tWR);
    } else {
        bank->precharge_ok = later(bank->precharge_ok, tick + busy);
        d->replies[(d->first_reply + d->num_replies++) % d->reply_places] =
            (struct dram_reply){cycle_of(d, d->bus_free) + (uint64_t)c->dram_latency, r.owner};
    }
    d->counters.reads += !r.is_write;
    d->counters.writes += r.is_write;
    d->counters.bytes += r.bytes;
    d->counters.row_hits += !r.activated;
    d->counters.bus_busy += busy;
    memmove(&d->queue[index], &d->queue[index + 1], (d->count - index - 1) * sizeof r);
    d->count--;
}

/* The first tick for a request's row command. */
static uint64_t row_ready(const struct dram *d, const struct dram_request *r)
{
    const struct dram_bank *bank = &d->banks[r->bank];
    uint64_t ready = bank->row >= 0 ? bank->precharge_ok : later(bank->activate_ok, d->activate_ok);
    return later(ready, r->ready);
}

static void row(struct dram *d, struct dram_request *r, uint64_t tick)
{
    const struct config *c = d->config;
    struct dram_bank *bank = &d->banks[r->bank];
    if (bank->row >= 0) {
        bank->row = -1;
        bank->activate_ok = later(bank->activate_ok, tick + (uint64_t)c->dram_tRP);
        return;
    }
    bank->row = (int64_t)r->row;
    bank->column_ok = tick + (uint64_t)c->dram_tRCD;
    bank->precharge_ok = tick + (uint64_t)c->dram_tRAS;
    bank->activate_ok = tick + (uint64_t)c->dram_tRC;
    d->activate_ok = tick + (uint64_t)c->dram_tRRD;
    r->activated = 1;
    d->counters.activates++;
}

/* Finds what the queue can do in this tick, and the next tick in which it can do something. */
static int schedule(struct dram *d, uint64_t tick)
{
    uint64_t wanted = 0, seen = 0, next = NEVER; /* banks with a request for their open row */
    int64_t best = -1;
    struct dram_request *opens = NULL;
    for (uint32_t i = 0; i < d->count; i++)
        if (d->banks[d->queue[i].bank].row == (int64_t)d->queue[i].row)
            wanted |= UINT64_C(1) << d->queue[i].bank;
    for (uint32_t i = 0; i < d->count; i++) {
        struct dram_request *r = &d->queue[i];
        const uint64_t bit = UINT64_C(1) << r->bank;
        if (d->banks[r->bank].row == (int64_t)r->row) {
            uint64_t ready = column_ready(d, r);
            if (ready <= tick && best < 0)
                best = i;
            else
                next = ready < next ? ready : next;
        } else if (!((wanted | seen) & bit)) {
            uint64_t ready = row_ready(d, r);
            seen |= bit;
            if (ready <= tick && !opens)
                opens = r;
            else
                next = ready < next ? ready : next;
        }
    }
    if (opens)
        row(d, opens, tick);
    if (best >= 0)
        column(d, (uint32_t)best, tick);
    /* After a command every other request's time may have changed. */
    set_next(d, opens || best >= 0 ? (d->count ? tick + 1 : NEVER) : next);
    return best >= 0;
}

int dram_step(struct dram *d, uint64_t cycle)
{
    int left = 0;
    while (d->next_cycle <= cycle) {
        count_occupancy(d, d->next_tick);
        left |= schedule(d, d->next_tick);
    }
    return left;
}

int dram_receive(struct dram *d, uint64_t cycle, uint32_t *owner)
{
    if (!d->num_replies || d->replies[d->first_reply].due > cycle)
        return 0;
    *owner = d->replies[d->first_reply].owner;
    d->first_reply = (d->first_reply + 1) % d->reply_places;
    d->num_replies--;
    return 1;
}

uint64_t dram_event(const struct dram *d)
{
    uint64_t reply = d->num_replies ? d->replies[d->first_reply].due : NEVER;
    return reply < d->next_cycle ? reply : d->next_cycle;
}
