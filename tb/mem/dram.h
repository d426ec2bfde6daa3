/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/dram.h: one DRAM channel: banks with a row buffer each, first-ready first-come
 * first-served scheduling (Rixner et al.: Memory Access Scheduling, ISCA 2000), the timing of the
 * configuration's [dram] section.
 *
 * The channel counts in DRAM clock cycles ("ticks"), so that its bandwidth is exact whatever the
 * ratio to the core clock. Refresh is left out. */
#ifndef HEDDLE_TB_MEM_DRAM_H
#define HEDDLE_TB_MEM_DRAM_H

#include <stdint.h>

#include "tb/config.h"
#include "tb/mem/memory.h"

#define NO_REQUEST UINT32_MAX

#define MAX_DRAM_BANKS 64

enum dram_command { DRAM_READ, DRAM_WRITE, DRAM_PRECHARGE, DRAM_ACTIVATE, NUM_COMMANDS };

struct dram_bank {
    int64_t row;          /* open; -1: none */
    uint64_t activate_ok; /* first ticks for the next command of each kind */
    uint64_t precharge_ok;
    uint64_t column_ok;
    uint32_t oldest, newest; /* its requests, a list by age; NO_REQUEST: none */
};

/* For one command: the banks that it could be given to as far as it is up to them. A read or write
 * is for the oldest request of its kind for the open row; where there is neither, a precharge or
 * activate for the oldest of all. */
struct dram_offers {
    uint64_t banks;                  /* a bit of each; the others' entries mean nothing */
    uint64_t ready[MAX_DRAM_BANKS];  /* first tick */
    uint64_t number[MAX_DRAM_BANKS]; /* of the request */
    uint32_t place[MAX_DRAM_BANKS];
};

struct dram_request {
    uint64_t row;
    uint64_t ready;  /* tick at which the scheduler sees it */
    uint64_t number; /* requests before it */
    uint32_t bank, bytes;
    uint32_t owner; /* comes back with a read's data */
    uint32_t next;  /* younger one of its bank, or next free place */
    uint8_t is_write, activated;
};

/* A read whose data arrives at the L2 in this core cycle. */
struct dram_reply {
    uint64_t due;
    uint32_t owner;
};

struct dram {
    const struct config *config;
    struct dram_bank *banks;
    struct dram_request *queue; /* in any order */
    struct dram_reply *replies; /* ring, by `due` */
    struct dram_offers offers[NUM_COMMANDS];
    uint64_t sent; /* requests so far */
    uint32_t num_banks, count, places, free, first_reply, num_replies, reply_places;
    uint64_t core_mhz, dram_mhz;
    uint64_t next_tick, next_cycle; /* in which a command may be possible; NEVER: none */
    uint64_t activate_ok, read_ok, write_ok, bus_free;
    uint64_t occupied_since; /* tick up to which queue_occupancy is counted */
    struct dram_counters counters;
};

/* `reply_places`: most reads that can be unanswered. Returns 0, or -1: no memory. */
int dram_init(struct dram *, const struct config *, uint32_t reply_places);
void dram_free(struct dram *);
void dram_reset(struct dram *);

/* Whether `count` more requests find room. */
static inline int dram_room(const struct dram *d, uint32_t count)
{
    return d->count + count <= d->places;
}

/* A read or write of `bytes` at a channel's own address, which must find room. */
void dram_send(struct dram *, uint64_t cycle, uint64_t address, uint32_t bytes, int is_write,
               uint32_t owner);

/* Does what can be done by this core cycle. Returns whether a request has left the queue. */
int dram_step(struct dram *, uint64_t cycle);

/* Takes the next read's answer due by `cycle`: returns 1 and its owner, or 0. */
int dram_receive(struct dram *, uint64_t cycle, uint32_t *owner);

/* The first core cycle in which dram_step or dram_receive has something to do. */
uint64_t dram_event(const struct dram *);

/* Counts up to all core cycles before `cycle`. */
void dram_account(struct dram *, uint64_t cycle);

#endif
