/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/walk.h: a kernel whose warps walk along arrays of their own, for tests of what limits warps. */
#ifndef HEDDLE_TESTS_TB_GPU_WALK_H
#define HEDDLE_TESTS_TB_GPU_WALK_H

#include "tests/tb/gpu/bench.h"

#define SMALL        (NUM_SMS * NUM_SCHEDULERS * NUM_WARPS <= 64)
#define WALK_THREADS 128 /* of a block */

/* Thread t reads the words of line t one after the other, `trips` in all, and then from the first on. */
#define WALK(name)                                                                                 \
    ".entry " name "(.param .u64 base, .param .u64 trips)\n{\n"                                    \
    ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %d<3>;\n"                                        \
    "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n"                          \
    "mad.lo.u32 %r0, %r0, %r1, %r2; ld.param.u64 %d0, [base];\n"                                   \
    "ld.param.u32 %r1, [trips]; mul.wide.u32 %d1, %r0, 128; add.u64 %d0, %d0, %d1; "               \
    "mov.u32 %r5, 0; mov.u32 %r7, 0;\n"                                                            \
    "AGAIN: and.b32 %r4, %r5, 31; mul.wide.u32 %d1, %r4, 4; add.u64 %d1, %d0, %d1;\n"              \
    "ld.global.u32 %r6, [%d1]; add.u32 %r7, %r7, %r6;\n"                                           \
    "add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, %r1; @%p0 bra AGAIN;\nret;\n}\n"

/* The parameters of the next launch, which is of `blocks` blocks. */
static inline void walk_params(struct bench *b, uint32_t blocks, uint64_t trips)
{
    bench_param(b, bench_buffer(b, (size_t)blocks * WALK_THREADS * 128));
    bench_param(b, trips);
}

/* Cycles of a walk past an L1D of 16 KB, on a small machine in lockstep and observed. The machine is left in
 * *gpu while it runs, for `probe`, which may be NULL. */
static inline uint64_t walk_time(struct config *c, void (*probe)(void *, uint64_t),
                                 struct gpu **gpu)
{
    const uint32_t blocks = NUM_SMS * (SMALL ? 6 * NUM_SCHEDULERS * NUM_WARPS / 4 : 2);
    struct bench b;
    if (SMALL) {
        strcpy(c->run_backend, "lockstep");
        c->run_observe = 1;
    }
    c->l1d_ways = 8;
    c->l1d_line = 128;
    c->l1d_sets = 16;
    bench_open(&b, c, PTX_HEADER WALK("walk"), NULL);
    *gpu = b.gpu;
    b.gpu->probe = probe;
    walk_params(&b, blocks, 128);
    const uint64_t cycles = bench_time(&b, "walk", blocks, WALK_THREADS);
    bench_close(&b);
    return cycles;
}

#endif
