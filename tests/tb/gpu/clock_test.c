/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/clock_test.c: %clock is the cycle in which the warp issues, whatever computes the
 * units and however many host threads simulate; %smid is the SM; %gridid counts launches. */
#include <stdlib.h>

#include "tests/tb/gpu/bench.h"

#define BLOCKS 24
#define WORDS                                                                                      \
    6 /* of a block: cycle before and after, SM, SMs, launch, and cycle again in 64 bits */

/* Adds, each of which waits for the one before it, between two readings. */
static char text[8192];
static void kernel(unsigned adds)
{
    strcpy(text, PTX_HEADER ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>;\n"
                            ".reg .b64 %rd<5>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %ctaid.x;\n"
                            "mul.wide.u32 %rd2, %r1, 24;\nadd.u64 %rd1, %rd1, %rd2;\n"
                            "mov.u32 %r2, %clock;\nadd.u32 %r3, %r2, 0;\n");
    for (unsigned i = 1; i < adds; i++)
        strcat(text, "add.u32 %r3, %r3, 0;\n");
    strcat(text, "mov.u32 %r3, %clock;\nmov.u32 %r4, %smid;\nmov.u32 %r5, %nsmid;\n"
                 "mov.u64 %rd3, %gridid;\nmov.u64 %rd4, %clock64;\n"
                 "st.global.u32 [%rd1], %r2;\nst.global.u32 [%rd1+4], %r3;\n"
                 "st.global.u32 [%rd1+8], %r4;\nst.global.u32 [%rd1+12], %r5;\n"
                 "st.global.u32 [%rd1+16], %rd3;\nst.global.u32 [%rd1+20], %rd4;\nret;\n}\n");
}

static void run(struct bench *b, const struct config *c, uint32_t blocks, uint32_t words[][WORDS])
{
    bench_open(b, c, text, NULL);
    for (uint32_t launch = 0; launch < 2; launch++) {
        const uint64_t buffer = bench_buffer(b, BLOCKS * WORDS);
        bench_param(b, buffer);
        bench_time(b, "k", blocks, 32);
        for (uint32_t i = 0; i < blocks; i++) {
            memcpy(words[i], bench_words(b, buffer) + i * WORDS, sizeof words[i]);
            assert_true(words[i][0] >= b->result.start_cycle && words[i][5] < b->result.end_cycle);
            assert_true(words[i][1] > words[i][0] && words[i][5] > words[i][1]);
            assert_true(words[i][2] < NUM_SMS);
            assert_int_equal(words[i][3], NUM_SMS);
            assert_int_equal(words[i][4], launch);
        }
    }
}

/* An add takes as long as SP does: so does each further one between the readings. */
static void difference_is_latency(void **unused)
{
    (void)unused;
    const struct config c = test_config();
    static uint32_t words[BLOCKS][WORDS];
    uint32_t took[2];
    for (unsigned i = 0; i < 2; i++) {
        struct bench b;
        kernel(i ? 30 : 10);
        run(&b, &c, 1, words);
        took[i] = words[0][1] - words[0][0];
        bench_close(&b);
    }
    /* The second reading overwrites what the last add writes, so it waits for it as well. */
    assert_int_equal((took[1] - took[0]) % 20, 0);
    assert_true(took[1] - took[0] >= 20 * (uint32_t)c.sp_latency);
}

static void same_everywhere(void **unused)
{
    (void)unused;
    static const char *const backends[] = {"c", "rtl", "lockstep"};
    static uint32_t words[2][BLOCKS][WORDS];
    kernel(10);
    for (unsigned i = 0; i < 6; i++) {
        struct config c = test_config();
        struct bench b;
        c.run_threads = i % 2 ? 2 : 1;
        strcpy(c.run_backend, backends[i / 2]);
        run(&b, &c, BLOCKS, words[i > 0]);
        bench_close(&b);
        assert_memory_equal(words[0], words[i > 0], sizeof words[0]);
    }
    uint32_t sms = 0;
    for (unsigned i = 0; i < BLOCKS; i++)
        sms |= 1u << words[0][i][2] % 32;
    assert_int_equal(__builtin_popcount(sms), NUM_SMS < BLOCKS ? NUM_SMS : BLOCKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(difference_is_latency),
        cmocka_unit_test(same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
