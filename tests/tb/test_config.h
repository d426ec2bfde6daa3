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
        .hw_num_sms = NUM_SMS,
        .hw_num_schedulers = NUM_SCHEDULERS,
        .hw_num_warps = NUM_WARPS,
        .hw_tl_group = TL_GROUP,
        .run_sched = "gto",
        .run_backend = "c",
        .run_seed = 1,
        .run_max_cycles = 0,
        .run_deadlock_cycles = 100000,
        .sm_max_threads = NUM_SCHEDULERS * NUM_WARPS * 32,
        .sm_max_blocks = 8,
        .sm_registers = 32768,
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
        .mem_shared_latency = 27,
        .mem_const_latency = 25,
        .l1d_sets = 32,
        .l1d_ways = 4,
        .l1d_line = 128,
        .l1d_mshrs = 64,
        .l1d_mshr_merge = 8,
        .l1d_hit_latency = 30,
        .l1d_miss_queue = 8,
        .dram_latency = 400,
        .dram_bytes_per_cycle = 128,
    };
}

#endif
