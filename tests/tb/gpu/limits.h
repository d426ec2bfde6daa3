/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/limits.h: what limits the rates of memory traffic, by the configuration alone. */
#ifndef HEDDLE_TESTS_TB_GPU_LIMITS_H
#define HEDDLE_TESTS_TB_GPU_LIMITS_H

#include "tests/tb/gpu/figures.h"
#include "tests/tb/mem/expected.h"

/* Threads of one block that keep all schedulers of an SM busy. */
static inline uint32_t many_threads(const struct config *c)
{
    const uint32_t warps = NUM_SCHEDULERS * (NUM_WARPS < 8 ? NUM_WARPS : 8);
    return 32 * warps < (uint32_t)c->sm_max_threads ? 32 * warps : (uint32_t)c->sm_max_threads;
}

/* Bytes rounded up so that all L2 banks get the same share. */
static inline uint32_t even(const struct config *c, int64_t bytes)
{
    const uint64_t all = (uint64_t)(c->l2_banks * c->l2_interleave);
    return (uint32_t)(rounded_up((uint64_t)bytes, all) * all);
}

/* In all of these: so many SMs work. Bytes through the ports of SMs or banks, whichever are fewer.
 */
static inline struct limit ports(const struct config *c, int64_t sms)
{
    const double fewer = (double)(sms < c->l2_banks ? sms : c->l2_banks);
    return (struct limit){.formula = "min(SMs, l2.banks) * l1d.line / port(l1d.line)",
                          .rate = fewer * (double)c->l1d_line /
                                  (double)port_cycles(c, (uint64_t)c->l1d_line)};
}

static inline struct limit banks(const struct config *c)
{
    return (struct limit){.formula = "l2.banks * l1d.line / l2.interval",
                          .rate = (double)(c->l2_banks * c->l1d_line) / (double)c->l2_interval};
}

/* As many requests as the SMs can wait for: four of a warp of kernel `read`, one of `atomics`. */
static inline struct limit requests(const struct config *c, int64_t sms, const char *formula,
                                    unsigned of_warp, int64_t size, uint64_t trip)
{
    const int64_t warps = of_warp * (int64_t)many_threads(c) / 32;
    return requests_limit(formula, (double)(sms * (warps < c->l1d_mshrs ? warps : c->l1d_mshrs)),
                          (double)size, (double)trip);
}

/* Requests with `data` bytes each that find a place at `banks` L2 banks: the SM has it back when
 * the news has come that it is free. `size`: what a request stands for. */
static inline struct limit places(const struct config *c, int64_t sms, int64_t banks, uint64_t data,
                                  int64_t size)
{
    return requests_limit("SMs * banks * xbar.buffer / (port + 2 xbar.latency)",
                          (double)(sms * banks * c->xbar_buffer), (double)size,
                          (double)port_cycles(c, data) + 2 * (double)c->xbar_latency);
}

/* Bytes that the SMs ask for when they do nothing else: four in 19 SP instructions. */
static inline struct limit issue(const struct config *c, int64_t sms)
{
    return (struct limit){.formula = "SMs * num_schedulers / sp.interval * 4 * 128 / 19",
                          .rate = (double)(sms * NUM_SCHEDULERS) / (double)c->sp_interval * 4 *
                                  128 / 19};
}

/* What the channels' queues hold, each request for as long as a row's change and its data take. */
static inline struct limit queues(const struct config *c)
{
    const int64_t ticks =
        c->dram_tRP + c->dram_tRCD + c->dram_tWL + c->dram_tWR +
        (int64_t)rounded_up((uint64_t)c->l1d_line, (uint64_t)c->dram_bytes_per_cycle);
    return requests_limit("dram.channels * dram.queue * l1d.line / (row change and data)",
                          (double)(c->dram_channels * c->dram_queue), (double)c->l1d_line,
                          (double)(ticks * c->gpu_clock_mhz) / (double)c->dram_clock_mhz);
}

#endif
