/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/expected.h: when the answer of a memory without other traffic comes, from the
 * numbers of the configuration alone. */
#ifndef HEDDLE_TESTS_TB_MEM_EXPECTED_H
#define HEDDLE_TESTS_TB_MEM_EXPECTED_H

#include <stdint.h>

#include "tb/config.h"

#define HEADER 8 /* bytes of a packet besides its data */

static inline uint64_t rounded_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* Cycles that a packet with `bytes` of data needs for its port. */
static inline uint64_t port_cycles(const struct config *c, uint64_t bytes)
{
    return rounded_up(HEADER + bytes, (uint64_t)c->xbar_flit) * (uint64_t)c->xbar_interval;
}

/* When the L2 bank has a request with `bytes` of data that an SM sends in `cycle`. */
static inline uint64_t at_l2(const struct config *c, uint64_t cycle, uint64_t bytes)
{
    return cycle + port_cycles(c, bytes) + (uint64_t)c->xbar_latency;
}

/* When the SM has the answer, `bytes` of data, of a bank that has them from `cycle` on. */
static inline uint64_t answered(const struct config *c, uint64_t cycle, uint64_t bytes)
{
    return cycle + (uint64_t)(c->l2_latency + c->xbar_latency) + port_cycles(c, bytes);
}

/* The first DRAM clock cycle that begins after a core cycle, and the first core cycle by which one
 * has begun. */
static inline uint64_t tick_after(const struct config *c, uint64_t cycle)
{
    return cycle * (uint64_t)c->dram_clock_mhz / (uint64_t)c->gpu_clock_mhz + 1;
}
static inline uint64_t cycle_by(const struct config *c, uint64_t tick)
{
    return rounded_up(tick * (uint64_t)c->gpu_clock_mhz, (uint64_t)c->dram_clock_mhz);
}

/* When the bank has the line for which it asks DRAM in `cycle`; row commands take `row` ticks. */
static inline uint64_t fetched(const struct config *c, uint64_t cycle, uint64_t row)
{
    const uint64_t data = (uint64_t)c->dram_tCL +
                          rounded_up((uint64_t)c->l1d_line, (uint64_t)c->dram_bytes_per_cycle);
    return cycle_by(c, tick_after(c, cycle) + row + data) + (uint64_t)c->dram_latency;
}

/* When an SM has the `bytes` that it asks for in `cycle`, from L2, or from DRAM. */
static inline uint64_t from_l2(const struct config *c, uint64_t cycle, uint64_t bytes)
{
    return answered(c, at_l2(c, cycle, 0), bytes);
}
static inline uint64_t from_dram(const struct config *c, uint64_t cycle, uint64_t row,
                                 uint64_t bytes)
{
    return answered(c, fetched(c, at_l2(c, cycle, 0), row), bytes);
}

/* The L2 bank of a chunk of l2.interleave bytes. Hashed: each bit of the group's number stands for
 * what is left of that power of x; they add up, without carries. */
static inline uint64_t expected_bank(const struct config *c, uint64_t chunk)
{
    /* x^n, the highest power that a bank's number does not reach, is worth these lower ones. */
    static const uint64_t worth[] = {0, 1, 3, 3, 3, 5, 3, 3, 29};
    const uint64_t banks = (uint64_t)c->l2_banks;
    unsigned n = 0;
    uint64_t turned = 0, power = 1;
    while (UINT64_C(1) << n < banks)
        n++;
    for (uint64_t group = chunk / banks; c->l2_bank_index[0] == 'h' && group; group /= 2) {
        if (n && group % 2)
            turned ^= power;
        power *= 2;
        if (power >> n)
            power = (power - (UINT64_C(1) << n)) ^ worth[n];
    }
    return (chunk + turned) % banks;
}

/* A byte's channel, and its place among those of the channel. */
static inline uint64_t expected_channel(const struct config *c, uint64_t address, uint64_t *inside)
{
    const uint64_t chunk = address / (uint64_t)c->l2_interleave, bank = expected_bank(c, chunk),
                   banks = (uint64_t)c->l2_banks, channels = (uint64_t)c->dram_channels;
    *inside = (chunk / banks * (banks / channels) + bank / channels) * (uint64_t)c->l2_interleave +
              address % (uint64_t)c->l2_interleave;
    return bank % channels;
}

/* DRAM rows that are open, for a memory that serves one request at a time. */
struct open_rows {
    uint64_t rows[64][64]; /* of each channel and bank: number + 1; 0: none */
};

/* Ticks of row commands before the line at `address` can be read; its row is open from now on. */
static inline uint64_t row_ticks(struct open_rows *o, const struct config *c, uint64_t address)
{
    const uint64_t banks = (uint64_t)c->dram_banks;
    uint64_t inside;
    const uint64_t channel = expected_channel(c, address, &inside),
                   row = inside / (uint64_t)c->dram_row_bytes;
    uint64_t *open = &o->rows[channel][row % banks];
    const uint64_t before = *open;
    *open = row / banks + 1;
    if (before == *open)
        return 0;
    return (uint64_t)c->dram_tRCD + (before ? (uint64_t)c->dram_tRP : 0);
}

#endif
