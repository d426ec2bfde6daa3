/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/spill_test.c: a kernel with more values than registers, on the machine: the same
 * results, more instructions and accesses of L1D, and the statistics that say so. */
#include <stdlib.h>

#include "tests/tb/exec/spill_program.h"
#include "tests/tb/gpu/bench.h"

static const struct spill_program program = {
    .words = 60, .longs = 20, .statements = 60, .state = 0x2f00d};

/* Runs it with at most `registers` per thread. Returns what it wrote; free() it. */
static uint8_t *run(int64_t registers, struct kernel_stats *stats)
{
    struct config c = test_config();
    struct bench b;
    char *text = spill_program(program);
    const uint32_t bytes = PROGRAM_THREADS * spill_program_bytes(&program);
    c.sm_thread_registers = registers;
    bench_open(&b, &c, text, NULL);
    const uint64_t in = bench_buffer(&b, 64), out = bench_buffer(&b, bytes / 4);
    for (uint32_t i = 0; i < 64; i++)
        bench_words(&b, in)[i] = i * 2654435761u;
    bench_param(&b, in);
    bench_param(&b, out);
    bench_time(&b, "k", 1, PROGRAM_THREADS);
    uint8_t *written = malloc(bytes);
    assert_non_null(written);
    memcpy(written, bench_words(&b, out), bytes);
    *stats = *bench_stats(&b);
    bench_close(&b);
    free(text);
    return written;
}

static void spills_are_executed(void **unused)
{
    (void)unused;
    struct kernel_stats all, few;
    uint8_t *expected = run(255, &all);
    const uint32_t bytes = PROGRAM_THREADS * spill_program_bytes(&program);
    assert_true(all.occupancy.registers > 80);
    assert_int_equal(all.occupancy.spills.values, 0);
    for (uint32_t registers = 63; registers > 20; registers -= 21) {
        uint8_t *written = run(registers, &few);
        const struct ptx_spills *s = &few.occupancy.spills;
        assert_memory_equal(written, expected, bytes);
        assert_true(few.occupancy.registers <= registers);
        assert_true(s->values && s->stores && s->loads);
        /* each is executed by both warps, at least those outside branches */
        assert_true(few.sums.sm.warp_instructions > all.sums.sm.warp_instructions);
        assert_true(few.sums.l1d.accesses > all.sums.l1d.accesses);
        assert_true(few.sums.cycles > all.sums.cycles);
        free(written);
    }
    free(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spills_are_executed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
