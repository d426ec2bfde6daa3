/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/later_test.c: a warp reads what it has just stored, whatever the line is doing: on
 * its way for another warp's load, just arriving, there. The store and the load are put off to the
 * end of the window (struct exec_later), so the load must not end before it. */
#include "tests/tb/gpu/bench.h"

static char text[65536];

/* Warp 0 loads a line; warp 1 stores into it and loads from it `delay` instructions later. */
static void kernel(unsigned delay)
{
    strcpy(text, PTX_HEADER ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<2>;\n"
                            ".reg .b32 %r<9>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [p];\n"
                            "mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 32;\n@%p1 bra SECOND;\n"
                            "ld.global.u32 %r2, [%rd1];\nret;\nSECOND:\n");
    for (unsigned i = 0; i < delay; i++)
        strcat(text, i % 2 ? "add.s32 %r6, %r1, %r1;\n" : "add.s32 %r7, %r1, %r1;\n");
    strcat(text, "st.global.u32 [%rd1+64], 7;\nld.global.u32 %r3, [%rd1+64];\n"
                 "add.s32 %r4, %r3, 1;\nst.global.u32 [%rd1+256], %r4;\nret;\n}\n");
}

static void own_store_is_read(void **state)
{
    (void)state;
    struct config c = test_config();
    uint64_t merged = 0, missed = 0;
    for (unsigned i = 0; i < 600; i++) {
        const unsigned delay = i % 200;
        struct bench b;
        c.l2_latency = 61 + i / 200 * 7; /* the line comes early, midway and late in a window */
        kernel(delay);
        bench_open(&b, &c, text, NULL);
        const uint64_t buffer = bench_buffer(&b, 128);
        bench_param(&b, buffer);
        bench_time(&b, "k", 1, 64);
        assert_int_equal(bench_words(&b, buffer)[16], 7);
        assert_int_equal(bench_words(&b, buffer)[64], 8);
        merged += bench_stats(&b)->sums.l1d.mshr_merged;
        missed += bench_stats(&b)->sums.l1d.misses;
        bench_close(&b);
    }
    assert_true(merged > 5 && missed > merged + 600); /* before and after the line has come */
}

/* An atomic's result, which nobody reads, is written at the end of the window: not over what has been computed since. A
 * value for each instruction behind it, wherever the window ends. */
static void what_comes_late_harms_nobody(void **state)
{
    (void)state;
    const struct config c = test_config();
    struct bench b;
    strcpy(text, PTX_HEADER ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<40>;\n"
                            ".reg .b64 %rd<3>;\nld.param.u64 %rd1, [p];\n"
                            "atom.global.add.u32 %r0, [%rd1], 1000;\n");
    for (unsigned i = 1; i < 32; i++)
        sprintf(text + strlen(text), "mov.u32 %%r%u, %u;\n", i, i);
    for (unsigned i = 1; i < 32; i++)
        sprintf(text + strlen(text), "st.global.u32 [%%rd1+%u], %%r%u;\n", 4 * i, i);
    strcat(text, "ret;\n}\n");
    bench_open(&b, &c, text, NULL);
    const uint64_t buffer = bench_buffer(&b, 32);
    bench_param(&b, buffer);
    bench_time(&b, "k", 1, 32);
    assert_int_equal(bench_words(&b, buffer)[0], 32000);
    for (unsigned i = 1; i < 32; i++)
        assert_int_equal(bench_words(&b, buffer)[i], i);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(own_store_is_read),
                                       cmocka_unit_test(what_comes_late_harms_nobody)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
