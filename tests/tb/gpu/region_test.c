/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/region_test.c: run.timing and run.blocks: what is timed, and that all is executed. */
#include "tests/tb/gpu/bench.h"

/* Each block writes 1 + its number in the grid to its place. */
static const char program[] = PTX_HEADER ".visible .entry mark(.param .u64 out)\n"
                                         "{\n"
                                         ".reg .b32 %r<9>;\n"
                                         ".reg .b64 %rd<4>;\n"
                                         "ld.param.u64 %rd1, [out];\n"
                                         "mov.u32 %r1, %ctaid.x;\n"
                                         "mov.u32 %r2, %ctaid.y;\n"
                                         "mov.u32 %r3, %ctaid.z;\n"
                                         "mov.u32 %r4, %nctaid.x;\n"
                                         "mov.u32 %r5, %nctaid.y;\n"
                                         "mad.lo.u32 %r6, %r3, %r5, %r2;\n"
                                         "mad.lo.u32 %r6, %r6, %r4, %r1;\n"
                                         "mul.wide.u32 %rd2, %r6, 4;\n"
                                         "add.u64 %rd3, %rd1, %rd2;\n"
                                         "add.u32 %r7, %r6, 1;\n"
                                         "st.global.u32 [%rd3], %r7;\n"
                                         "ret;\n"
                                         "}\n";

#define INSTRUCTIONS 13 /* of a block, which is one warp */

/* Launches a grid. Returns how many blocks were timed, after a look at what all of them wrote. */
static uint64_t timed(struct bench *b, const uint32_t grid[3])
{
    const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2], out = bench_buffer(b, blocks);
    const struct gpu_launch launch = {.kernel = ptx_kernel(b->module, "mark"),
                                      .params = (const uint8_t *)&out,
                                      .grid = {grid[0], grid[1], grid[2]},
                                      .block = {32, 1, 1},
                                      .work_dim = 3};
    if (gpu_launch(b->gpu, &launch, &b->result) != GPU_OK)
        fail_msg("%s", b->result.message);
    for (uint64_t i = 0; i < blocks; i++)
        assert_int_equal(bench_words(b, out)[i], i + 1);
    const struct stats_sums *s = &bench_stats(b)->sums;
    assert_int_equal(s->sm.warp_instructions, s->sm.blocks * INSTRUCTIONS);
    assert_int_equal(s->untimed_instructions, (blocks - s->sm.blocks) * INSTRUCTIONS);
    assert_int_equal(s->cycles, bench_cycles(b));
    assert_int_equal(s->cycles > 0, s->sm.blocks > 0);
    return s->sm.blocks;
}

static void launches(void **state)
{
    (void)state;
    static const uint32_t grid[3] = {5, 1, 1};
    for (int64_t every = 0; every <= 4; every++) {
        struct config c = test_config();
        struct bench b;
        c.run_timing = every;
        bench_open(&b, &c, program, NULL);
        for (int64_t n = 0; n < 9; n++)
            assert_int_equal(timed(&b, grid), every && n % every == 0 ? 5 : 0);
        bench_close(&b);
    }
}

static void blocks(void **state)
{
    (void)state;
    static const struct {
        uint32_t grid[3];
        int64_t most;
        uint64_t timed;
    } cases[] = {
        {{50, 1, 1}, 0, 50},  {{50, 1, 1}, 1, 1},         {{50, 1, 1}, 49, 49},
        {{50, 1, 1}, 50, 50}, {{50, 1, 1}, 51, 50},       {{50, 1, 1}, INT64_MAX, 50},
        {{7, 6, 1}, 1, 7},    {{7, 6, 1}, 7, 7},          {{7, 6, 1}, 8, 14},
        {{7, 6, 1}, 41, 42},  {{7, 6, 1}, 43, 42},        {{3, 4, 5}, 1, 12},
        {{3, 4, 5}, 13, 24},  {{1, 30, 1}, 4, 4},         {{1, 1, 30}, 4, 4},
        {{3, 4, 5}, 60, 60},  {{3, 1, 9}, INT64_MAX, 27},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct config c = test_config();
        struct bench b;
        c.run_blocks = cases[i].most;
        bench_open(&b, &c, program, NULL);
        assert_int_equal(timed(&b, cases[i].grid), cases[i].timed);
        bench_close(&b);
    }
}

/* The time of the first blocks does not depend on what follows. */
static void the_same_time(void **state)
{
    (void)state;
    struct config c = test_config();
    struct bench b;
    bench_open(&b, &c, program, NULL);
    timed(&b, (const uint32_t[3]){4, 10, 1});
    const uint64_t alone = bench_cycles(&b);
    bench_close(&b);
    c.run_blocks = 40;
    bench_open(&b, &c, program, NULL);
    timed(&b, (const uint32_t[3]){4, 30, 1});
    assert_int_equal(bench_cycles(&b), alone);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches),
        cmocka_unit_test(blocks),
        cmocka_unit_test(the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
