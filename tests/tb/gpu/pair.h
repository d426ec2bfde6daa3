/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/pair.h: two kernels on the machine at once, for tests. A kernel has two parameters: where it stores a number per thread,
 * and how often it goes round; the number is turns + ... + 1. */
#ifndef HEDDLE_TESTS_TB_GPU_PAIR_H
#define HEDDLE_TESTS_TB_GPU_PAIR_H

#include "tests/tb/gpu/bench.h"

/* PTX of such a kernel that does nothing but add; `begin`: what each thread begins with, %r3 being its number. */
#define ADDING_KERNEL(name, begin)                                                                 \
    ".visible .entry " name "(.param .u64 out, .param .u64 turns)\n{\n"                            \
    ".reg .b32 %r<8>;\n.reg .b64 %rd<6>;\n.reg .pred %p<2>;\n"                                     \
    "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [turns];\n"                                     \
    "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\n"                        \
    "mad.lo.s32 %r3, %r0, %r1, %r2;\nmov.u32 %r4, " begin ";\ncvt.u32.u64 %r5, %rd1;\n"            \
    "AGAIN:\nadd.s32 %r4, %r4, %r5;\nadd.s32 %r5, %r5, -1;\n"                                      \
    "setp.ne.s32 %p0, %r5, 0;\n@%p0 bra AGAIN;\n"                                                  \
    "mul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd0, %rd2;\nst.global.u32 [%rd3], %r4;\nret;\n}\n"

#define THREADS 64
#define BLOCKS  40
#define TURNS   30

struct one {
    const char *kernel;
    struct gmem *memory; /* NULL: the machine's */
    uint32_t space;
    uint64_t params[2];
    uint32_t blocks, turns; /* 0: BLOCKS, TURNS */
    uint64_t more;          /* bytes, all 0, behind what it stores */
    struct gpu_result result;
};

static inline struct config pair_config(const char *dispatch)
{
    struct config c = test_config();
    snprintf(c.run_dispatch, sizeof c.run_dispatch, "%s", dispatch);
    return c;
}

static inline struct gmem *pair_memory(const struct bench *b, const struct one *o)
{
    return o->memory ? o->memory : gpu_memory(b->gpu);
}

static inline void pair_prepare(struct bench *b, struct one *o)
{
    o->blocks = o->blocks ? o->blocks : BLOCKS;
    o->turns = o->turns ? o->turns : TURNS;
    o->params[0] = gmem_alloc(pair_memory(b, o), o->blocks * THREADS * 4 + o->more, NULL);
    o->params[1] = o->turns;
    assert_int_not_equal(o->params[0], 0);
}

static inline enum gpu_status pair_begin(struct bench *b, unsigned number, struct one *o)
{
    const struct gpu_launch launch = {.kernel = ptx_kernel(b->module, o->kernel),
                                      .params = (const uint8_t *)o->params,
                                      .grid = {o->blocks, 1, 1},
                                      .block = {THREADS, 1, 1},
                                      .work_dim = 1,
                                      .gmem = o->memory,
                                      .space = o->space};
    assert_non_null(launch.kernel);
    return gpu_begin(b->gpu, number, &launch, &o->result);
}

/* Every thread has added turns + ... + 1, to its number (`adds`) or to 0. */
static inline void pair_check(struct bench *b, const struct one *o)
{
    const uint32_t *words = gmem_host(pair_memory(b, o), o->params[0], o->blocks * THREADS * 4);
    const uint32_t sum = o->turns * (o->turns + 1) / 2;
    for (uint32_t i = 0; i < o->blocks * THREADS; i++)
        assert_int_equal(words[i], sum + (strcmp(o->kernel, "adds") ? 0 : i));
}

/* A machine with both ready to be begun. */
static inline void pair_open(struct bench *b, const struct config *c, const char *text,
                             struct one *first, struct one *second)
{
    bench_open(b, c, text, NULL);
    pair_prepare(b, first);
    pair_prepare(b, second);
}

/* Both from beginning to end. Returns the cycles that they took together. */
static inline uint64_t pair_run(struct bench *b, struct one *first, struct one *second)
{
    unsigned ended[2];
    struct one *const both[] = {first, second};
    const uint64_t start = gpu_cycle(b->gpu);
    assert_int_equal(pair_begin(b, 0, first), GPU_OK);
    assert_int_equal(pair_begin(b, 1, second), GPU_OK);
    for (unsigned i = 0; i < 2; i++)
        if (gpu_advance(b->gpu, &ended[i]) != GPU_OK)
            fail_msg("%s", both[ended[i]]->result.message);
    assert_int_equal(ended[0] + ended[1], 1);
    return gpu_cycle(b->gpu) - start;
}

/* The statistics of a kernel that has ended, by its name. */
static inline const struct kernel_stats *pair_stats(const struct bench *b, const char *kernel)
{
    const struct stats *s = &b->gpu->stats;
    for (size_t i = s->num_kernels; i-- > 0;)
        if (!strcmp(s->kernels[i].name, kernel))
            return &s->kernels[i];
    fail_msg("no kernel %s", kernel);
    return NULL;
}

#endif
