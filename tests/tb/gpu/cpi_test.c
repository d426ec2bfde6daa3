/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/cpi_test.c: where cycles go (thesis, chapter 6), on kernels for which it follows
 * from the configuration; and the identities that hold for any kernel.
 *
 * A warp alone is resident from cycle 0 on, in which it starts; it issues its first instruction in
 * cycle 1 + sm.fetch_latency, so its buffer is empty for so many cycles. */
#include "tests/tb/gpu/bench.h"

static char text[65536];
static struct stats_sums sums;

static void begin(void)
{
    strcpy(text,
           PTX_HEADER ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<40>;\n"
                      ".reg .f32 %f<40>;\n.reg .b64 %rd<40>;\n");
}

static void append(const char *line, unsigned times)
{
    for (; times; times--)
        strcat(text, line);
}

static void chain(uint32_t *word, uint64_t address)
{
    for (uint64_t i = 0; i < 64; i++) {
        const uint64_t next = address + (i + 1) % 64 * 128;
        memcpy(word + i * 32, &next, sizeof next);
    }
}

/* Runs the kernel in `text`; the sums are in `sums`. */
static void run(const struct config *c, uint32_t blocks, uint32_t threads)
{
    struct bench b;
    append("ret;\n}\n", 1);
    bench_open(&b, c, text, NULL);
    const uint64_t buffer = bench_buffer(&b, 1 << 16);
    chain(bench_words(&b, buffer), buffer);
    bench_param(&b, buffer);
    bench_time(&b, "k", blocks, threads);
    sums = bench_stats(&b)->sums;
    bench_close(&b);
    uint64_t total = 0;
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
        total += sums.sm.cpi.cycles[i];
    /* Each resident warp is in one class in each cycle, and issues as often as it is in `issued`.
     */
    assert_int_equal(total, sums.sm.warp_cycles);
    assert_int_equal(sums.sm.cpi.cycles[CPI_issued], sums.sm.warp_instructions);
}

static void expect(enum cpi_class class, uint64_t cycles)
{
    if (sums.sm.cpi.cycles[class] != cycles)
        fail_msg("%s: %lu cycles, expected %lu", cpi_name(class),
                 (unsigned long)sums.sm.cpi.cycles[class], (unsigned long)cycles);
}

/* Twenty instructions, each of which waits for the one before: sp.latency cycles apart, in the
 * first of which the pipeline is still taken. */
static void dependent_chain(void **state)
{
    (void)state;
    struct config c = test_config();
    const uint64_t n = 20, latency = (uint64_t)c.sp_latency, busy = (uint64_t)c.sp_interval - 1;
    begin();
    append("add.s32 %r1, %r1, %r1;\n", (unsigned)n);
    run(&c, 1, 32);
    expect(CPI_ibuf, 1 + (uint64_t)c.sm_fetch_latency);
    expect(CPI_issued, n + 1);
    expect(CPI_struct_sp, n * busy);
    expect(CPI_data_exe, (n - 1) * (latency - 1 - busy));
    /* The return issues sp.interval cycles after the last add, whose result comes at its latency.
     */
    expect(CPI_done, latency - (uint64_t)c.sp_interval);
    expect(CPI_data_mem, 0);
    expect(CPI_not_selected, 0);
    strcpy(c.cpi_overlap, "active");
    begin();
    append("add.s32 %r1, %r1, %r1;\n", (unsigned)n);
    run(&c, 1, 32);
    expect(CPI_struct_sp, busy); /* only the return waits for nothing but the pipeline */
    expect(CPI_data_exe, (n - 1) * (latency - 1));
}

/* After each jump the target is known branch_latency cycles later, and the buffer is filled
 * fetch_latency cycles after that. */
static void jumps(void **state)
{
    (void)state;
    const struct config c = test_config();
    const uint64_t n = 15;
    begin();
    for (unsigned i = 0; i < n; i++)
        sprintf(text + strlen(text), "bra.uni L%u;\nL%u:\n", i, i);
    run(&c, 1, 32);
    expect(CPI_control, n * (uint64_t)(c.sm_branch_latency - 1));
    expect(CPI_ibuf, 1 + (n + 1) * (uint64_t)c.sm_fetch_latency);
    expect(CPI_issued, n + 1);
}

/* SFU instructions that depend on nothing: each waits for the pipeline. */
static void sfu_pipeline(void **state)
{
    (void)state;
    const struct config c = test_config();
    begin();
    append("sin.approx.f32 %f1, %f10;\nsin.approx.f32 %f2, %f10;\nsin.approx.f32 %f3, %f10;\n", 1);
    run(&c, 1, 32);
    expect(CPI_struct_sfu, 2 * (uint64_t)(c.sfu_interval - 1));
}

/* One warp computes while the others wait for it at a barrier. */
static void barrier(void **state)
{
    (void)state;
    const struct config c = test_config();
    begin();
    append("mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 32;\n@%p1 bra MEET;\n", 1);
    append("add.s32 %r2, %r2, %r2;\n", 100);
    append("MEET:\nbar.sync 0;\n", 1);
    run(&c, 1, 96);
    const uint64_t work = 100 * (uint64_t)c.sp_latency;
    assert_in_range(sums.sm.cpi.cycles[CPI_barrier], 2 * (work - 50), 2 * (work + 50));
}

/* Loads of which each gives the next one's address: nearly all time is waiting for memory, and it
 * grows with the latency of DRAM by as much as that. */
static void memory_latency(void **state)
{
    (void)state;
    struct config c = test_config();
    uint64_t waits[2];
    for (unsigned i = 0; i < 2; i++) {
        begin();
        append("ld.param.u64 %rd1, [p];\n", 1);
        append("ld.global.u64 %rd1, [%rd1];\n", 60);
        c.dram_latency += i * 1000;
        run(&c, 1, 32);
        waits[i] = sums.sm.cpi.cycles[CPI_data_mem];
        assert_true(waits[i] * 10 > sums.sm.warp_cycles * 9);
    }
    assert_int_equal(waits[1] - waits[0], 59 * 1000); /* the last one is waited for as `done` */
}

/* More misses than MSHRs: the load/store unit stands still, its queue fills, and warps that want it
 * are refused. */
static void no_mshr(void **state)
{
    (void)state;
    struct config c = test_config();
    c.l1d_mshrs = 1;
    c.mem_queue = 1;
    begin();
    append("ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 128;\n"
           "add.s64 %rd3, %rd1, %rd2;\n",
           1);
    append("ld.global.u32 %r2, [%rd3];\nld.global.u32 %r3, [%rd3+4096];\nld.global.u32 %r4, "
           "[%rd3+8192];\n",
           1);
    run(&c, 1, 32);
    assert_true(sums.sm.cpi.cycles[CPI_struct_mem] * 2 > sums.sm.warp_cycles);
    assert_true(sums.l1d.failures[L1_FAIL_no_mshr] > 0);
}

/* Warps of one scheduler that could all issue: one does, the others are not selected. */
static void losers(void **state)
{
    (void)state;
    struct config c = test_config();
    c.sp_interval = 1;
    c.sm_fetch_latency = 1;
    c.sm_ibuffer_entries = 4;
    begin();
    append("mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 32;\n@%p1 bra MEET;\n", 1);
    append("add.s32 %r2, %r2, %r2;\n", 100); /* meanwhile the others' buffers fill */
    append("MEET:\nbar.sync 0;\n", 1);
    append("add.s32 %r1, %r2, %r3;\nadd.s32 %r4, %r2, %r3;\nadd.s32 %r5, %r2, %r3;\n", 1);
    run(&c, 1, 32 * NUM_SCHEDULERS * NUM_WARPS);
    assert_true(sums.sm.cpi.cycles[CPI_not_selected] > 0);
    expect(CPI_struct_sp, 0);
}

/* Many blocks on all SMs: the mean over warps is near the ratio of the sums, and IPC = warps / CPI.
 */
static void many_blocks(void **state)
{
    (void)state;
    const struct config c = test_config();
    begin();
    append("add.s32 %r1, %r1, %r2;\nmul.lo.s32 %r3, %r1, %r2;\n", 30);
    run(&c, NUM_SMS * 20, 64);
    const struct cpi_sums *s = &sums.sm.cpi;
    uint64_t resident = 0, mean = 0;
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
        resident += s->cycles[i], mean += s->mean[i];
    assert_int_equal(s->warps, NUM_SMS * 20 * 2);
    const double cpi = (double)resident / (double)sums.sm.warp_instructions;
    const double warps = (double)sums.sm.warp_cycles / (double)sums.cycles;
    const double ipc = (double)sums.sm.warp_instructions / (double)sums.cycles;
    assert_true(warps / cpi > ipc * 0.999999 && warps / cpi < ipc * 1.000001);
    const double unweighted = (double)mean / (1 << CPI_FRACTION) / (double)s->warps;
    assert_true(unweighted > cpi * 0.99 && unweighted < cpi * 1.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependent_chain), cmocka_unit_test(jumps),
        cmocka_unit_test(sfu_pipeline),    cmocka_unit_test(barrier),
        cmocka_unit_test(memory_latency),  cmocka_unit_test(no_mshr),
        cmocka_unit_test(losers),          cmocka_unit_test(many_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
