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

#include "tb/mem/lines.h"

int dram_init(struct dram *d, const struct config *c, uint32_t reply_places)
{
    d->config = c;
    d->num_banks = (uint32_t)c->dram_banks;
    d->places = (uint32_t)c->dram_queue;
    d->reply_places = reply_places;
    d->core_mhz = (uint64_t)c->gpu_clock_mhz;
    d->dram_mhz = (uint64_t)c->dram_clock_mhz;
    d->banks = lines_alloc(d->num_banks, sizeof *d->banks);
    d->queue = lines_alloc(d->places, sizeof *d->queue);
    d->replies = lines_alloc(reply_places, sizeof *d->replies);
    if (!d->banks || !d->queue || !d->replies)
        return -1;
    dram_reset(d);
    return 0;
}

void dram_free(struct dram *d)
{
    lines_free(d->banks);
    lines_free(d->queue);
    lines_free(d->replies);
}

void dram_reset(struct dram *d)
{
    for (uint32_t i = 0; i < d->num_banks; i++)
        d->banks[i] = (struct dram_bank){.row = -1, .oldest = NO_REQUEST, .newest = NO_REQUEST};
    for (enum dram_command i = 0; i < NUM_COMMANDS; i++)
        d->offers[i].banks = 0;
    for (uint32_t i = 0; i < d->places; i++)
        d->queue[i].next = i + 1 < d->places ? i + 1 : NO_REQUEST;
    d->free = 0;
    d->count = d->num_replies = 0;
    d->activate_ok = d->read_ok = d->write_ok = d->bus_free = 0;
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

static void offer(struct dram *d, uint32_t bank, enum dram_command command, uint32_t place,
                  uint64_t ready)
{
    struct dram_offers *o = &d->offers[command];
    o->banks |= UINT64_C(1) << bank;
    o->ready[bank] = later(ready, d->queue[place].ready);
    o->number[bank] = d->queue[place].number;
    o->place[bank] = place;
}

/* Finds what a bank could do next. */
static void plan(struct dram *d, uint32_t number)
{
    const struct dram_bank *bank = &d->banks[number];
    const uint64_t bit = UINT64_C(1) << number;
    for (enum dram_command i = 0; i < NUM_COMMANDS; i++)
        d->offers[i].banks &= ~bit;
    for (uint32_t i = bank->oldest; i != NO_REQUEST; i = d->queue[i].next) {
        const enum dram_command command = d->queue[i].is_write ? DRAM_WRITE : DRAM_READ;
        if ((int64_t)d->queue[i].row == bank->row && !(d->offers[command].banks & bit))
            offer(d, number, command, i, bank->column_ok);
    }
    if (bank->oldest == NO_REQUEST ||
        (d->offers[DRAM_READ].banks | d->offers[DRAM_WRITE].banks) & bit)
        return;
    if (bank->row >= 0)
        offer(d, number, DRAM_PRECHARGE, bank->oldest, bank->precharge_ok);
    else
        offer(d, number, DRAM_ACTIVATE, bank->oldest, bank->activate_ok);
}

void dram_send(struct dram *d, uint64_t cycle, uint64_t address, uint32_t bytes, int is_write,
               uint32_t owner)
{
    const uint64_t row = address / (uint64_t)d->config->dram_row_bytes;
    const uint64_t tick = tick_of(d, cycle);
    count_occupancy(d, tick);
    const uint32_t place = d->free;
    struct dram_request *r = &d->queue[place];
    d->free = r->next;
    d->count++;
    *r = (struct dram_request){.row = row / d->num_banks,
                               .bank = (uint32_t)(row % d->num_banks),
                               .ready = tick + 1,
                               .bytes = bytes,
                               .owner = owner,
                               .is_write = (uint8_t)is_write,
                               .number = d->sent++,
                               .next = NO_REQUEST};
    struct dram_bank *bank = &d->banks[r->bank];
    *(bank->oldest == NO_REQUEST ? &bank->oldest : &d->queue[bank->newest].next) = place;
    bank->newest = place;
    plan(d, r->bank);
    if (r->ready < d->next_tick)
        set_next(d, r->ready);
}

/* Ticks for which the data bus moves a request's data. */
static uint64_t burst(const struct dram *d, const struct dram_request *r)
{
    uint64_t rate = (uint64_t)d->config->dram_bytes_per_cycle;
    return (r->bytes + rate - 1) / rate;
}

/* Takes a request out of its bank's list. */
static void take_out(struct dram *d, struct dram_bank *bank, uint32_t place)
{
    uint32_t *link = &bank->oldest, before = NO_REQUEST;
    while (*link != place) {
        before = *link;
        link = &d->queue[*link].next;
    }
    *link = d->queue[place].next;
    if (bank->newest == place)
        bank->newest = before;
    d->queue[place].next = d->free;
    d->free = place;
    d->count--;
}

static void column(struct dram *d, uint32_t place, uint64_t tick)
{
    const struct config *c = d->config;
    const struct dram_request r = d->queue[place];
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
    take_out(d, bank, place);
    plan(d, r.bank);
}

/* Closes the row, which nobody wants: there would be a column command. */
static void precharge(struct dram *d, uint32_t number, uint64_t tick)
{
    struct dram_bank *bank = &d->banks[number];
    bank->row = -1;
    bank->activate_ok = later(bank->activate_ok, tick + (uint64_t)d->config->dram_tRP);
    plan(d, number);
}

/* Opens the row of the bank's oldest request. */
static void activate(struct dram *d, uint32_t number, uint64_t tick)
{
    const struct config *c = d->config;
    struct dram_bank *bank = &d->banks[number];
    struct dram_request *r = &d->queue[bank->oldest];
    bank->row = (int64_t)r->row;
    bank->column_ok = tick + (uint64_t)c->dram_tRCD;
    bank->precharge_ok = tick + (uint64_t)c->dram_tRAS;
    bank->activate_ok = tick + (uint64_t)c->dram_tRC;
    d->activate_ok = tick + (uint64_t)c->dram_tRRD;
    r->activated = 1;
    d->counters.activates++;
    plan(d, number);
}

/* The first tick that the channel allows for a command: far enough from the last one, the data bus
 * free when the data comes. */
static uint64_t allowed(const struct dram *d, enum dram_command command)
{
    const uint64_t to_read = (uint64_t)d->config->dram_tCL,
                   to_write = (uint64_t)d->config->dram_tWL;
    switch (command) {
    case DRAM_READ: return later(d->read_ok, d->bus_free > to_read ? d->bus_free - to_read : 0);
    case DRAM_WRITE: return later(d->write_ok, d->bus_free > to_write ? d->bus_free - to_write : 0);
    case DRAM_ACTIVATE: return d->activate_ok;
    default: return 0;
    }
}

/* The first tick in which one of the banks takes the command, but `soonest` if that is earlier. */
static uint64_t first_ready(const struct dram_offers *o, uint64_t soonest)
{
    uint64_t ready = NEVER;
    for (uint64_t rest = o->banks; rest; rest &= rest - 1) {
        const uint64_t r = o->ready[__builtin_ctzll(rest)];
        if (r <= soonest)
            return soonest;
        ready = r < ready ? r : ready;
    }
    return ready;
}

/* The first tick, from `tick` on, in which a command is possible. */
static uint64_t earliest(const struct dram *d, uint64_t tick)
{
    uint64_t next = NEVER;
    for (enum dram_command i = 0; i < NUM_COMMANDS; i++) {
        const uint64_t soonest = later(allowed(d, i), tick);
        const uint64_t ready = soonest < next ? first_ready(&d->offers[i], soonest) : NEVER;
        next = ready < next ? ready : next;
    }
    return next;
}

/* The bank of the oldest request that the command can be issued for in this tick, if it is older
 * than *number, which becomes its number; else -1. */
static int oldest(const struct dram *d, enum dram_command command, uint64_t tick, uint64_t *number)
{
    const struct dram_offers *o = &d->offers[command];
    if (allowed(d, command) > tick)
        return -1;
    int bank = -1;
    for (uint64_t rest = o->banks; rest; rest &= rest - 1) {
        const int i = __builtin_ctzll(rest);
        if (o->ready[i] > tick || o->number[i] > *number)
            continue;
        *number = o->number[i];
        bank = i;
    }
    return bank;
}

/* Issues what is possible in this tick. Returns whether a request has left the queue. */
static int schedule(struct dram *d, uint64_t tick)
{
    uint64_t number = NEVER;
    const int to_read = oldest(d, DRAM_READ, tick, &number);
    const int to_write = oldest(d, DRAM_WRITE, tick, &number);
    number = NEVER;
    const int to_close = oldest(d, DRAM_PRECHARGE, tick, &number);
    const int to_open = oldest(d, DRAM_ACTIVATE, tick, &number);
    if (to_open >= 0)
        activate(d, (uint32_t)to_open, tick);
    else if (to_close >= 0)
        precharge(d, (uint32_t)to_close, tick);
    if (to_write >= 0)
        column(d, d->offers[DRAM_WRITE].place[to_write], tick);
    else if (to_read >= 0)
        column(d, d->offers[DRAM_READ].place[to_read], tick);
    set_next(d, earliest(d, tick + 1));
    return to_read >= 0 || to_write >= 0;
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
