/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/test_config.h: a configuration for tests of the machine, written out so that
 * expectations can be computed from it and do not move with the files in configs/. Numbers are
 * chosen so that no two latencies are equal. */
#ifndef HEDDLE_TESTS_TB_TEST_CONFIG_H
#define HEDDLE_TESTS_TB_TEST_CONFIG_H

#include "hw.h"
#include "tb/config.h"

static inline struct config test_config(void)
{
    return (struct config){
        .name = "test",
        .gpu_clock_mhz = 1000,
#define HW(key, constant, least, most, meaning)                 .hw_##key = constant,
#define SETTING(stem, key, least, most, value, meaning, source) .stem##_##key = value,
#include "tb/config.def"
        .run_sched = "gto",
        .run_dispatch = "lrr",
        .run_backend = "c",
        .run_timing = 1,
        .run_threads = 1,
        .run_max_cycles = 0,
        .run_deadlock_cycles = 100000,
        .sm_max_threads = NUM_SCHEDULERS * NUM_WARPS * 32,
        .sm_max_blocks = 8,
        .sm_registers = 32768,
        .sm_thread_registers = 255,
        .sm_shared_bytes = 49152,
        .sm_ibuffer_entries = 2,
        .sm_fetch_latency = 4,
        .sm_branch_latency = 5,
        .sp_interval = 2,
        .sp_latency = 22,
        .sfu_interval = 8,
        .sfu_latency = 38,
        .mem_interval = 2,
        .mem_queue = 8,
        .mem_shared_banks = 32,
        .mem_shared_latency = 27,
        .mem_const_latency = 25,
        .cpi_overlap = "first",
        .l1d_sets = 32,
        .l1d_ways = 4,
        .l1d_line = 128,
        .l1d_index = "linear",
        .l1d_mshrs = 64,
        .l1d_mshr_merge = 8,
        .l1d_hit_latency = 30,
        .l1d_interval = 1,
        .l1d_bypass_mshr = 1,
        .l1d_keep = 0,
        .l1d_miss_queue = 8,
        .l1c_sets = 32,
        .l1c_ways = 2,
        .l1c_line = 64,
        .l1c_mshrs = 4,
        .l1c_mshr_merge = 8,
        .xbar_flit = 32,
        .xbar_interval = 1,
        .xbar_latency = 20,
        .xbar_buffer = 8,
        .l2_banks = 4,
        .l2_bank_index = "linear",
        .l2_interleave = 256,
        .l2_sets = 64,
        .l2_ways = 8,
        .l2_mshrs = 32,
        .l2_mshr_merge = 8,
        .l2_interval = 2,
        .l2_latency = 61,
        .dram_channels = 2,
        .dram_clock_mhz = 1000,
        .dram_bytes_per_cycle = 32,
        .dram_queue = 32,
        .dram_banks = 16,
        .dram_row_bytes = 2048,
        .dram_latency = 83,
        .dram_tCCD = 2,
        .dram_tRRD = 6,
        .dram_tRCD = 13,
        .dram_tRAS = 28,
        .dram_tRP = 11,
        .dram_tRC = 40,
        .dram_tCL = 12,
        .dram_tWL = 4,
        .dram_tCDLR = 5,
        .dram_tWR = 10,
    };
}

#endif
