/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/bench.h: a machine and a module of PTX text for tests that run kernels. */
#ifndef HEDDLE_TESTS_TB_GPU_BENCH_H
#define HEDDLE_TESTS_TB_GPU_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tb/exec/exec.h"
#include "tb/gpu/machine.h"
#include "tests/tb/test_config.h"

#define PTX_HEADER ".version 6.0\n.target sm_70\n.address_size 64\n"

struct bench {
    struct gpu *gpu;
    struct ptx_module *module;
    struct gpu_result result;
    uint8_t params[64];
    size_t param_bytes;
};

static uint64_t bench_place(void *ctx, const struct ptx_var *v)
{
    return gmem_alloc(ctx, v->size, NULL);
}

/* Opens a machine and loads `text` into it. `wave`, `stats`: see gpu_open. */
static inline void bench_open_wave(struct bench *b, const struct config *c, const char *text,
                                   const char *wave, const char *stats)
{
    struct ptx_error error;
    memset(b, 0, sizeof *b);
    b->gpu = gpu_open(c, wave, stats, stderr);
    assert_non_null(b->gpu);
    b->module = ptx_parse("test.ptx", text, strlen(text), &error);
    if (!b->module)
        fail_msg("%s", error.message);
    assert_int_equal(ptx_place(b->module, bench_place, gpu_memory(b->gpu)), 0);
    if (exec_bind(b->module, &error))
        fail_msg("%s", error.message);
}

static inline void bench_open(struct bench *b, const struct config *c, const char *text,
                              const char *stats)
{
    bench_open_wave(b, c, text, NULL, stats);
}

static inline void bench_close(struct bench *b)
{
    assert_int_equal(gpu_close(b->gpu), 0);
    ptx_free(b->module);
}

/* Device memory with these words; its address. */
static inline uint64_t bench_buffer(struct bench *b, size_t words)
{
    uint64_t address = gmem_alloc(gpu_memory(b->gpu), words * 4, NULL);
    assert_int_not_equal(address, 0);
    return address;
}

static inline uint32_t *bench_words(struct bench *b, uint64_t address)
{
    return gmem_host(gpu_memory(b->gpu), address, 4);
}

/* Parameters are 64-bit, one after the other. */
static inline void bench_param(struct bench *b, uint64_t value)
{
    memcpy(b->params + b->param_bytes, &value, sizeof value);
    b->param_bytes += sizeof value;
}

/* Launches a one-dimensional grid with the parameters given since the last launch. */
static inline enum gpu_status bench_run(struct bench *b, const char *kernel, uint32_t blocks,
                                        uint32_t threads)
{
    const struct ptx_kernel *k = ptx_kernel(b->module, kernel);
    assert_non_null(k);
    assert_int_equal(k->param_bytes, b->param_bytes);
    const struct gpu_launch launch = {.kernel = k,
                                      .params = b->params,
                                      .grid = {blocks, 1, 1},
                                      .block = {threads, 1, 1},
                                      .work_dim = 1};
    b->param_bytes = 0;
    return gpu_launch(b->gpu, &launch, &b->result);
}

static inline uint64_t bench_cycles(const struct bench *b)
{
    return b->result.end_cycle - b->result.start_cycle;
}

/* The same, for a launch that must end well. */
static inline uint64_t bench_time(struct bench *b, const char *kernel, uint32_t blocks,
                                  uint32_t threads)
{
    if (bench_run(b, kernel, blocks, threads) != GPU_OK)
        fail_msg("%s", b->result.message);
    return bench_cycles(b);
}

/* What the last launch counted. */
static inline const struct kernel_stats *bench_stats(const struct bench *b)
{
    return &b->gpu->stats.kernels[b->gpu->stats.num_kernels - 1];
}

#endif
