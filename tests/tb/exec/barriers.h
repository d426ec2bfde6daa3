/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/barriers.h: kernels that only end well if barriers do what they should: for the
 * executor and for the machine. Each has one block of THREADS threads, and writes a word for each
 * to `out`. */
#ifndef HEDDLE_TESTS_TB_EXEC_BARRIERS_H
#define HEDDLE_TESTS_TB_EXEC_BARRIERS_H

#include <stdint.h>

#define BARRIER_THREADS 256
#define BARRIER_ROUNDS  8

#define BARRIER_BEGIN(name)                                                                        \
    ".entry " name "(.param .u64 out)\n{\n.reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %d<9>;\n"  \
    ".shared .b32 sh[256];\nmov.u32 %r1, %tid.x; ld.param.u64 %d1, [out];\n"                       \
    "mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2; shl.b32 %r2, %r1, 2;\n"                      \
    "mov.u32 %r3, sh; add.u32 %r2, %r2, %r3; shr.u32 %r4, %r1, 5;\n"
#define BARRIER_END "st.global.u32 [%d1], %r20;\nret;\n}\n"

static const char barrier_kernels[] =
    /* Threads with tid % 7 < 3 are counted; all have tid < 256, any has tid 255, none tid 256. */
    BARRIER_BEGIN(
        "reduce") "rem.u32 %r5, %r1, 7; setp.lt.u32 %p1, %r5, 3; setp.eq.u32 %p2, %r1, 255;\n"
                  "bar.red.popc.u32 %r6, 0, %p1; bar.red.popc.u32 %r7, 1, !%p1;\n"
                  "bar.red.and.pred %p3, 0, !%p2; bar.red.or.pred %p4, 15, %p2;\n"
                  "setp.lt.u32 %p5, %r1, 256; bar.red.and.pred %p5, 2, 256, %p5;\n"
                  "bar.red.or.pred %p6, 2, 256, !%p5;\n"
                  "mul.lo.u32 %r20, %r6, 1000; add.u32 %r20, %r20, %r7; mul.lo.u32 %r20, %r20, "
                  "16;\n"
                  "@%p3 add.u32 %r20, %r20, 8; @%p4 add.u32 %r20, %r20, 4; @%p5 add.u32 %r20, "
                  "%r20, 2;\n"
                  "@%p6 add.u32 %r20, %r20, 1;\n" BARRIER_END
                      /* The upper half writes 128 words and goes on; the lower half waits for them
                       * and answers. Barrier 1: full, barrier 2: empty. */
                      BARRIER_BEGIN(
                          "pipe") "mov.u32 %r20, 0; mov.u32 %r9, 0; setp.ge.u32 %p1, %r1, 128; "
                                  "@%p1 bra PRODUCER;\n"
                                  "CONSUMER: bar.sync 1, 256; ld.shared.u32 %r5, [%r2+512]; "
                                  "mul.lo.u32 %r20, %r20, 3;\n"
                                  "add.u32 %r20, %r20, %r5; bar.arrive 2, 256; add.u32 %r9, "
                                  "%r9, 1;\n"
                                  "setp.lt.u32 %p2, %r9, 8; @%p2 bra CONSUMER; bra.uni END;\n"
                                  "PRODUCER: mad.lo.u32 %r5, %r9, 1000, %r1; st.shared.u32 "
                                  "[%r2], %r5; bar.arrive 1, 256;\n"
                                  "bar.sync 2, 256; add.u32 %r20, %r20, 1; add.u32 %r9, %r9, "
                                  "1;\n"
                                  "setp.lt.u32 %p2, %r9, 8; @%p2 bra "
                                  "PRODUCER;\nEND:\n" BARRIER_END
                                      /* Four teams of two warps, each with a barrier of its
                                       * own, turn a ring of 64 words, team n for 5 + n rounds.
                                       */
                                      BARRIER_BEGIN(
                                          "teams") "shr.u32 %r5, %r1, 6; add.u32 %r6, %r5, "
                                                   "5; st.shared.u32 [%r2], %r1; and.b32 "
                                                   "%r7, %r1, 63;\n"
                                                   "add.u32 %r7, %r7, 1; and.b32 %r7, %r7, "
                                                   "63; mad.lo.u32 %r7, %r5, 64, %r7; "
                                                   "shl.b32 %r7, %r7, 2;\n"
                                                   "add.u32 %r7, %r7, %r3; add.u32 %r8, "
                                                   "%r5, 3;\n"
                                                   "LOOP: bar.sync %r8, 64; ld.shared.u32 "
                                                   "%r9, [%r7]; bar.sync %r8, 64;\n"
                                                   "st.shared.u32 [%r2], %r9; sub.u32 %r6, "
                                                   "%r6, 1; setp.ne.u32 %p1, %r6, 0; @%p1 "
                                                   "bra LOOP;\n"
                                                   "bar.sync 0; ld.shared.u32 %r20, "
                                                   "[%r2];\n" BARRIER_END
                                                       /* Odd warps end; the others still
                                                          meet, three times. */
                                                       BARRIER_BEGIN("survivors") "mov.u32 %r20, "
                                                                                  "7; and.b32 "
                                                                                  "%r5, %r4, 1; "
                                                                                  "setp.eq.u32 "
                                                                                  "%p1, %r5, 1; "
                                                                                  "st.global.u32 "
                                                                                  "[%d1], %r20;\n"
                                                                                  "@%p1 exit; "
                                                                                  "st.shared.u32 "
                                                                                  "[%r2], %r1; "
                                                                                  "bar.sync 0; "
                                                                                  "xor.b32 %r6, "
                                                                                  "%r2, 256;\n"
                                                                                  "ld.shared.u32 "
                                                                                  "%r7, [%r6]; "
                                                                                  "bar.sync 0; "
                                                                                  "st.shared.u32 "
                                                                                  "[%r2], %r7; "
                                                                                  "barrier.sync."
                                                                                  "aligned 9;\n"
                                                                                  "ld.shared.u32 "
                                                                                  "%r20, "
                                                                                  "[%r6];"
                                                                                  "\n" BARRIER_END;

/* What thread t must have written. */
static inline uint32_t barrier_expected(int kernel, uint32_t t)
{
    uint32_t sum = 0, counted = 0;
    switch (kernel) {
    case 0:
        for (uint32_t i = 0; i < BARRIER_THREADS; i++)
            counted += i % 7 < 3;
        return (counted * 1000 + BARRIER_THREADS - counted) * 16 + 4 + 2;
    case 1:
        for (uint32_t round = 0; round < BARRIER_ROUNDS; round++)
            sum = sum * 3 + round * 1000 + t + 128;
        return t >= 128 ? BARRIER_ROUNDS : sum;
    case 2: return t / 64 * 64 + (t % 64 + 5 + t / 64) % 64;
    default: return t / 32 % 2 ? 7 : t;
    }
}
static const char *const barrier_names[] = {"reduce", "pipe", "teams", "survivors"};
#define BARRIER_KERNELS 4

#endif
