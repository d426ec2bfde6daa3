/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/tolerated_test.c: what is wrong and passes, on the machine. Of accesses outside the buffers: stores and atomics are put off there, SMs run in
 * several host threads, blocks behind run.blocks take no time; and what the statistics say. */
#include "tests/tb/gpu/bench.h"

/* Thread i of the grid adds words i - 1 and i + 1 of `in`, and puts the sum to word 2 i of `out`; and adds 1 to word i of `sum`. */
static const char text[] = PTX_HEADER
    ".entry k(.param .u64 in, .param .u64 out, .param .u64 sum)\n{\n"
    " .reg .b32 %r<9>; .reg .b64 %d<9>;\n"
    " mov.u32 %r1, %ctaid.x;\n mov.u32 %r2, %ntid.x;\n mov.u32 %r3, %tid.x;\n"
    " mad.lo.u32 %r1, %r1, %r2, %r3;\n mul.wide.u32 %d1, %r1, 4;\n"
    " ld.param.u64 %d2, [in];\n add.u64 %d2, %d2, %d1;\n"
    " ld.param.u64 %d3, [out];\n add.u64 %d3, %d3, %d1;\n add.u64 %d3, %d3, %d1;\n"
    " ld.param.u64 %d4, [sum];\n add.u64 %d4, %d4, %d1;\n"
    " ld.global.u32 %r4, [%d2+-4];\n ld.global.u32 %r5, [%d2+4];\n add.u32 %r4, %r4, %r5;\n"
    " st.global.u32 [%d3], %r4;\n red.global.add.u32 [%d4], 1;\n ret;\n}\n";

enum { BLOCKS = 12, SIZE = 32, THREADS = BLOCKS * SIZE };

/* Runs it where all buffers but `in` have half a word for each thread. Returns the machine's status. */
static enum gpu_status run(struct bench *b, const struct config *c, uint32_t sums[THREADS / 2],
                           uint32_t counts[THREADS / 2])
{
    bench_open(b, c, text, NULL);
    const uint64_t in = bench_buffer(b, THREADS), out = 0x100000, sum = 0x200000; /* far apart */
    assert_int_equal(gmem_place(gpu_memory(b->gpu), out, THREADS / 2 * 4), 0);
    assert_int_equal(gmem_place(gpu_memory(b->gpu), sum, THREADS / 2 * 4), 0);
    for (uint32_t i = 0; i < THREADS; i++)
        bench_words(b, in)[i] = i + 1;
    bench_param(b, in);
    bench_param(b, out);
    bench_param(b, sum);
    const enum gpu_status status = bench_run(b, "k", BLOCKS, SIZE);
    memcpy(sums, bench_words(b, out), THREADS / 2 * 4);
    memcpy(counts, bench_words(b, sum), THREADS / 2 * 4);
    return status;
}

static void zero_on_the_machine(void **unused)
{
    static const struct {
        int64_t threads, timing, blocks;
    } ways[] = {{1, 1, 0}, {2, 1, 0}, {1, 0, 0}, {1, 1, 5}};
    (void)unused;
    for (unsigned n = 0; n < sizeof ways / sizeof *ways; n++) {
        struct config c = test_config();
        struct bench b;
        uint32_t sums[THREADS / 2], counts[THREADS / 2];
        strcpy(c.gpu_outside, "zero");
        c.run_threads = ways[n].threads;
        c.run_timing = ways[n].timing;
        c.run_blocks = ways[n].blocks;
        assert_int_equal(run(&b, &c, sums, counts), GPU_OK);
        for (uint32_t i = 0; i < THREADS / 2; i++) {
            const uint32_t own = i / 2;
            assert_int_equal(sums[i], i % 2 ? 0 : own ? own + own + 2 : 2);
            assert_int_equal(counts[i], 1);
        }
        const struct exec_tolerated_counts *p = &bench_stats(&b)->sums.tolerated;
        assert_int_equal(p->overruns, 0);
        /* one before, one behind; each thread of the second half adds; those of the last three quarters store */
        assert_int_equal(p->reads, 2 + THREADS / 2);
        assert_int_equal(p->writes, THREADS / 2 + THREADS * 3 / 4);
        assert_memory_equal(p, &b.gpu->stats.totals.tolerated, sizeof *p);
        bench_close(&b);
    }
}

/* The default: the first store outside ends it, and the message says what would not have. */
static void faults_name_the_key(void **unused)
{
    (void)unused;
    struct config c = test_config();
    struct bench b;
    uint32_t sums[THREADS / 2], counts[THREADS / 2];
    assert_int_equal(run(&b, &c, sums, counts), GPU_FAULT);
    assert_non_null(strstr(b.result.message, "gpu.outside=zero lets it pass"));
    assert_int_equal(bench_stats(&b)->sums.tolerated.reads, 0);
    bench_close(&b);
    /* word THREADS of `in` is in its padding, and word -1 is not */
    strcpy(c.mem_overrun, "warn");
    assert_int_equal(run(&b, &c, sums, counts), GPU_FAULT);
    assert_non_null(strstr(b.result.message, "address 0xfffc (4 bytes) is outside every buffer"));
    bench_close(&b);
}

/* Half of each first warp comes to the barrier: also in host threads, without timing, and behind the timed blocks. */
static void parts_of_warps_at_a_barrier(void **unused)
{
    static const char half[] =
        PTX_HEADER ".entry k()\n{\n .reg .pred %p; .reg .b32 %r;\n"
                   " mov.u32 %r, %tid.x;\n setp.lt.u32 %p, %r, 16;\n @%p bar.sync 0;\n ret;\n}\n";
    static const struct {
        int64_t threads, timing, blocks;
    } ways[] = {{1, 1, 0}, {2, 1, 0}, {1, 0, 0}, {1, 1, 5}};
    (void)unused;
    for (unsigned n = 0; n < sizeof ways / sizeof *ways; n++) {
        struct config c = test_config();
        struct bench b;
        c.run_threads = ways[n].threads;
        c.run_timing = ways[n].timing;
        c.run_blocks = ways[n].blocks;
        bench_open(&b, &c, half, NULL);
        assert_int_equal(bench_run(&b, "k", BLOCKS, 2 * SIZE), GPU_OK);
        assert_int_equal(bench_stats(&b)->sums.tolerated.partial_barriers, BLOCKS);
        assert_int_equal(bench_stats(&b)->sums.tolerated.reads, 0);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_on_the_machine),
        cmocka_unit_test(faults_name_the_key),
        cmocka_unit_test(parts_of_warps_at_a_barrier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
