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
        d->banks[i] = (struct dram_bank){
            .row = -1, .oldest = NO_REQUEST, .newest = NO_REQUEST, .ready = {NEVER, NEVER, NEVER}};
    for (uint32_t i = 0; i < d->places; i++)
        d->queue[i].next = i + 1 < d->places ? i + 1 : NO_REQUEST;
    d->free = 0;
    d->waiting = 0;
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

static void offer(const struct dram *d, struct dram_bank *bank, enum dram_command command,
                  uint32_t place, uint64_t ready)
{
    bank->request[command] = place;
    bank->ready[command] = later(ready, d->queue[place].ready);
    bank->number[command] = d->queue[place].number;
}

/* Finds what the bank could do next. */
static void plan(const struct dram *d, struct dram_bank *bank)
{
    bank->ready[DRAM_READ] = bank->ready[DRAM_WRITE] = bank->ready[DRAM_ROW] = NEVER;
    for (uint32_t i = bank->oldest; i != NO_REQUEST; i = d->queue[i].next) {
        const enum dram_command command = d->queue[i].is_write ? DRAM_WRITE : DRAM_READ;
        if ((int64_t)d->queue[i].row == bank->row && bank->ready[command] == NEVER)
            offer(d, bank, command, i, bank->column_ok);
    }
    if (bank->oldest != NO_REQUEST && bank->ready[DRAM_READ] == NEVER &&
        bank->ready[DRAM_WRITE] == NEVER)
        offer(d, bank, DRAM_ROW, bank->oldest,
              bank->row >= 0 ? bank->precharge_ok : bank->activate_ok);
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
    plan(d, bank);
    d->waiting |= UINT64_C(1) << r->bank;
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
    if (bank->oldest == NO_REQUEST)
        d->waiting &= ~(UINT64_C(1) << d->queue[place].bank);
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
    plan(d, bank);
}

/* Precharges or activates for the bank's oldest request. */
static void row(struct dram *d, struct dram_bank *bank, uint64_t tick)
{
    const struct config *c = d->config;
    struct dram_request *r = &d->queue[bank->oldest];
    if (bank->row >= 0) {
        bank->row = -1; /* which nobody wants: there is no hit */
        bank->activate_ok = later(bank->activate_ok, tick + (uint64_t)c->dram_tRP);
        plan(d, bank);
        return;
    }
    bank->row = (int64_t)r->row;
    bank->column_ok = tick + (uint64_t)c->dram_tRCD;
    bank->precharge_ok = tick + (uint64_t)c->dram_tRAS;
    bank->activate_ok = tick + (uint64_t)c->dram_tRC;
    d->activate_ok = tick + (uint64_t)c->dram_tRRD;
    r->activated = 1;
    d->counters.activates++;
    plan(d, bank);
}

/* The first ticks that the channel allows for each command: far enough from the last one, the data
 * bus free when the data comes. An activate waits for the last one, a precharge does not. */
static void allowed(const struct dram *d, uint64_t allows[NUM_COMMANDS])
{
    const uint64_t to_read = (uint64_t)d->config->dram_tCL,
                   to_write = (uint64_t)d->config->dram_tWL;
    allows[DRAM_READ] = later(d->read_ok, d->bus_free > to_read ? d->bus_free - to_read : 0);
    allows[DRAM_WRITE] = later(d->write_ok, d->bus_free > to_write ? d->bus_free - to_write : 0);
    allows[DRAM_ROW] = 0;
}

static uint64_t command_ready(const struct dram *d, const struct dram_bank *bank,
                              const uint64_t allows[NUM_COMMANDS], enum dram_command command)
{
    const uint64_t ready = later(bank->ready[command], allows[command]);
    return command == DRAM_ROW && bank->row < 0 ? later(ready, d->activate_ok) : ready;
}

/* The first tick, from `tick` on, in which a command is possible. */
static uint64_t earliest(const struct dram *d, uint64_t tick)
{
    uint64_t allows[NUM_COMMANDS], next = NEVER;
    allowed(d, allows);
    for (uint64_t rest = d->waiting; rest; rest &= rest - 1)
        for (enum dram_command i = 0; i < NUM_COMMANDS; i++) {
            const uint64_t ready = command_ready(d, &d->banks[__builtin_ctzll(rest)], allows, i);
            next = ready < next ? ready : next;
        }
    return later(next, tick);
}

/* Issues what is possible in this tick. Returns whether a request has left the queue. */
static int schedule(struct dram *d, uint64_t tick)
{
    uint64_t allows[NUM_COMMANDS], oldest[2] = {NEVER, NEVER}; /* column command, row command */
    struct dram_bank *best[2];
    enum dram_command command = DRAM_READ;
    allowed(d, allows);
    for (uint64_t rest = d->waiting; rest; rest &= rest - 1) {
        struct dram_bank *bank = &d->banks[__builtin_ctzll(rest)];
        for (enum dram_command i = 0; i < NUM_COMMANDS; i++) {
            const unsigned kind = i == DRAM_ROW;
            if (command_ready(d, bank, allows, i) > tick || bank->number[i] > oldest[kind])
                continue;
            oldest[kind] = bank->number[i];
            best[kind] = bank;
            command = kind ? command : i;
        }
    }
    if (oldest[1] != NEVER)
        row(d, best[1], tick);
    if (oldest[0] != NEVER)
        column(d, best[0]->request[command], tick);
    set_next(d, earliest(d, tick + 1));
    return oldest[0] != NEVER;
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
