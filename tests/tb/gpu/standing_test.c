/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/standing_test.c: where the warps of a stopped kernel are, on a kernel of which it is known: warp 0 of each block is at a
 * barrier, the others are in a loop that never ends. */
#include "tests/tb/gpu/bench.h"

#define BLOCKS 2
#define WARPS  3 /* of a block */

static const char program[] =
    ".version 6.0\n.target sm_30\n.address_size 64\n"
    ".visible .entry halt()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<3>;\n"
    "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bra WAIT;\n"
    "LOOP:\nadd.s32 %r2, %r2, 1;\nbra LOOP;\nWAIT:\nbar.sync 0;\nret;\n}\n";

/* How often a word stands in a text. */
static unsigned times(const char *text, const char *word)
{
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        n++;
    return n;
}

/* The warps that the lines of a summary count, and those among them whose line has the word. */
static unsigned counted(const char *summary, const char *word)
{
    unsigned sum = 0, n;
    for (const char *line = strchr(summary, '\n'); line; line = strchr(line + 1, '\n')) {
        const char *end = strchr(line + 1, '\n'), *found = strstr(line, word);
        if (sscanf(line + 1, " %u warp", &n) == 1 && found && (!end || found < end))
            sum += n;
    }
    return sum;
}

static void bench_halt(struct bench *b, enum gpu_status as)
{
    struct config c = test_config();
    c.run_max_cycles = 3000;
    bench_open(b, &c, program, NULL);
    if (as == GPU_INTERRUPTED)
        gpu_interrupt(b->gpu);
    assert_null(gpu_warps(b->gpu));
    assert_int_equal(bench_run(b, "halt", BLOCKS, 32 * WARPS), as);
}

static void each_warp_is_found(void **unused)
{
    struct bench b;
    char place[64];
    (void)unused;
    bench_halt(&b, GPU_LIMIT);
    const char *summary = b.result.message, *all = gpu_warps(b.gpu);
    assert_non_null(strstr(summary, "kernel halt: stopped in cycle "));
    assert_non_null(strstr(summary, " with 0 of 2 blocks ended\n"));
    assert_int_equal(counted(summary, ""), BLOCKS * WARPS);
    assert_int_equal(counted(summary, "BARRIER"), BLOCKS);
    assert_int_equal(
        counted(summary, "'ret'  wait for the barrier, where 1 of 3 warps have arrived"), BLOCKS);
    assert_int_equal(counted(summary, "RUN"), BLOCKS * (WARPS - 1));
    assert_true(summary[strlen(summary) - 1] != '\n');
    assert_int_equal(times(all, "\n"), BLOCKS * WARPS);
    assert_int_equal(times(all, "  kernel halt  next pc "), BLOCKS * WARPS);
    for (unsigned i = 0; i < BLOCKS * WARPS; i++) {
        snprintf(place, sizeof place, "  block %u warp %u  %s  ", i / WARPS, i % WARPS,
                 i % WARPS ? "RUN" : "BARRIER");
        assert_int_equal(times(all, place), 1);
    }
    bench_close(&b);
}

/* Before the first window has ended; the machine runs no kernel any more, and the failure is nobody's. */
static void interrupted(void **unused)
{
    struct bench b;
    (void)unused;
    bench_halt(&b, GPU_INTERRUPTED);
    assert_non_null(strstr(b.result.message, "kernel halt: interrupted in cycle "));
    assert_non_null(gpu_warps(b.gpu));
    assert_false(gpu_failed(b.gpu));
    assert_null(gpu_where(b.gpu));
    assert_int_equal(bench_run(&b, "halt", BLOCKS, 32 * WARPS), GPU_INTERRUPTED);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_warp_is_found),
                                       cmocka_unit_test(interrupted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
