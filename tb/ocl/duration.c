/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/duration.c: see duration.h. A rate of 1 MB/s is a byte per 1000 ns. */
#include "tb/ocl/duration.h"

#include "tb/ocl/machine.h"

static uint64_t duration(uint64_t bytes, int64_t mb_per_s)
{
    const uint64_t rate = (uint64_t)mb_per_s;
    const uint64_t all =
        (uint64_t)machine_config()->link_latency_ns + (bytes * 1000 + rate - 1) / rate;
    return all ? all : 1;
}

static int64_t memory_mb_per_s(void)
{
    const struct config *c = machine_config();
    return c->dram_channels * c->dram_bytes_per_cycle * c->dram_clock_mhz;
}

uint64_t duration_of_transfer(uint64_t bytes)
{
    return duration(bytes, machine_config()->link_mb_per_s);
}

uint64_t duration_of_copy(uint64_t bytes)
{
    return duration(2 * bytes, memory_mb_per_s());
}

uint64_t duration_of_fill(uint64_t bytes)
{
    return duration(bytes, memory_mb_per_s());
}
