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

/* DRAM rows that are open, for a memory that serves one request at a time. */
struct open_rows {
    uint64_t rows[64][64]; /* of each channel and bank: number + 1; 0: none */
};

/* Ticks of row commands before the line at `address` can be read; its row is open from now on. */
static inline uint64_t row_ticks(struct open_rows *o, const struct config *c, uint64_t address)
{
    const uint64_t chunk = address / (uint64_t)c->l2_interleave,
                   channels = (uint64_t)c->dram_channels, banks = (uint64_t)c->dram_banks;
    const uint64_t inside = chunk / channels * (uint64_t)c->l2_interleave +
                            address % (uint64_t)c->l2_interleave; /* the channel's own address */
    const uint64_t row = inside / (uint64_t)c->dram_row_bytes;
    uint64_t *open = &o->rows[chunk % channels][row % banks];
    const uint64_t before = *open;
    *open = row / banks + 1;
    if (before == *open)
        return 0;
    return (uint64_t)c->dram_tRCD + (before ? (uint64_t)c->dram_tRP : 0);
}

#endif
