/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/sm_clock_test.c: the machine with SMs that are slower than crossbar, L2 and DRAM (sm.clock): what computes takes as many
 * cycles of theirs, what waits for memory as many of the others; each cycle counts at its clock; time is that of the fixed clock. */
#include <stdlib.h>
#include <unistd.h>

#include "tests/tb/gpu/chains.h"
#include "tests/tb/gpu/statistics.h"

static char directory[] = "/tmp/heddle-sm-clock-XXXXXX";
static char path[64];

/* `turns` times an addition that waits for the one before, and the time in nanoseconds and cycles before and after. */
static const char compute[] =
    PTX_HEADER ".visible .entry compute(.param .u64 p, .param .u64 turns)\n{\n"
               ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p;\n"
               "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [turns];\nmov.u32 %r2, 0;\n"
               "mov.u64 %rd2, %globaltimer;\nmov.u64 %rd3, %clock64;\n"
               "AGAIN:\nadd.u32 %r2, %r2, %r2;\nadd.u32 %r1, %r1, -1;\nsetp.ne.u32 %p, %r1, 0;\n"
               "@%p bra AGAIN;\nmov.u64 %rd4, %globaltimer;\nmov.u64 %rd5, %clock64;\n"
               "st.global.u64 [%rd1], %rd2;\nst.global.u64 [%rd1+8], %rd3;\n"
               "st.global.u64 [%rd1+16], %rd4;\nst.global.u64 [%rd1+24], %rd5;\nret;\n}\n";

/* Loads, each of which has its address from the one before. */
#define LINKS 40
static char follow[4096];

static void write_follow(void)
{
    strcpy(follow, PTX_HEADER ".visible .entry follow(.param .u64 p)\n{\n.reg .b64 %rd<2>;\n"
                              "ld.param.u64 %rd1, [p];\n");
    for (unsigned i = 0; i < LINKS; i++)
        strcat(follow, "ld.global.u64 %rd1, [%rd1];\n");
    strcat(follow, "ret;\n}\n");
}

static struct config config(unsigned clock)
{
    struct config c = test_config();
    c.sm_clock = clock;
    return c;
}

/* Ends a launch of one warp on a new machine: what it has counted. In time all is measured from the machine's first cycle. */
static struct stats_sums finish(struct bench *b, unsigned clock)
{
    const struct stats_sums sums = bench_stats(b)->sums;
    const uint64_t end = b->result.end_cycle, start = b->result.start_cycle;
    assert_int_equal(sums.sm_cycles, end - start);
    assert_int_equal(sums.cycles, (end * 6 + clock - 1) / clock - (start * 6 + clock - 1) / clock);
    for (unsigned i = 0; i < NUM_SM_CLOCKS; i++)
        assert_int_equal(sums.at_clock[i], i + 3 == clock ? sums.cycles : 0);
    assert_int_equal(gpu_fixed_cycle(b->gpu), (gpu_cycle(b->gpu) * 6 + clock - 1) / clock);
    bench_close(b);
    return sums;
}

struct readings {
    uint64_t before, clock_before, after, clock_after;
};

static struct stats_sums computed(unsigned clock, uint64_t turns, struct readings *r)
{
    const struct config c = config(clock);
    struct bench b;
    bench_open(&b, &c, compute, path);
    const uint64_t buffer = bench_buffer(&b, 8);
    bench_param(&b, buffer);
    bench_param(&b, turns);
    bench_time(&b, "compute", 1, 32);
    memcpy(r, bench_words(&b, buffer), sizeof *r);
    return finish(&b, clock);
}

/* As many cycles of the SMs at each clock, and time as their clock says. */
static void computing_takes_cycles_of_the_sms(void **state)
{
    (void)state;
    struct readings r;
    const uint64_t expected = computed(6, 900, &r).sm_cycles - computed(6, 100, &r).sm_cycles;
    for (unsigned clock = 3; clock <= 6; clock++) {
        const struct stats_sums few = computed(clock, 100, &r), many = computed(clock, 900, &r);
        assert_int_equal(many.sm_cycles - few.sm_cycles, expected);
        assert_in_range((many.cycles - few.cycles) * clock, expected * 6 - clock,
                        expected * 6 + clock);
        /* A cycle of 1000 MHz is a nanosecond. */
        assert_in_range((r.after - r.before) * clock, (r.clock_after - r.clock_before) * 6 - clock,
                        (r.clock_after - r.clock_before) * 6 + clock);
        cJSON *root = statistics_of(path);
        const cJSON *totals = cJSON_GetObjectItemCaseSensitive(root, "totals");
        const cJSON *clocks = cJSON_GetObjectItemCaseSensitive(totals, "at_clock");
        char name[8];
        snprintf(name, sizeof name, "%u", clock);
        assert_int_equal(cJSON_GetObjectItemCaseSensitive(totals, "cycles")->valuedouble,
                         many.cycles);
        assert_int_equal(cJSON_GetObjectItemCaseSensitive(totals, "sm_cycles")->valuedouble,
                         many.sm_cycles);
        assert_int_equal(cJSON_GetObjectItemCaseSensitive(clocks, name)->valuedouble, many.cycles);
        cJSON_Delete(root);
    }
}

/* Each load leaves in a cycle of the SMs, waits in those of the memory, and is back in the SMs' next one. */
static void waiting_takes_cycles_of_the_memory(void **state)
{
    (void)state;
    uint64_t fastest = 0;
    write_follow();
    for (unsigned clock = 6; clock >= 3; clock--) {
        const struct config c = config(clock);
        static struct chain chain;
        struct bench b;
        bench_open(&b, &c, follow, NULL);
        const uint64_t buffer = bench_buffer(&b, 1 << 20);
        chain.count = LINKS;
        for (unsigned i = 0; i < LINKS; i++)
            chain.links[i] = buffer + i * 4096 + i * 128;
        chain_write(&chain, &b);
        bench_param(&b, buffer);
        assert_int_equal(bench_time(&b, "follow", 1, 1), chain_through_dram(&chain, &c, LINKS));
        const uint64_t cycles = finish(&b, clock).cycles;
        fastest = clock == 6 ? cycles : fastest;
        assert_in_range(cycles, fastest, fastest * 11 / 10);
    }
}

int main(void)
{
    if (!mkdtemp(directory))
        return perror(directory), 1;
    snprintf(path, sizeof path, "%s/stats.json", directory);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computing_takes_cycles_of_the_sms),
        cmocka_unit_test(waiting_takes_cycles_of_the_memory),
    };
    const int result = cmocka_run_group_tests_name("tb/gpu/sm_clock", tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command) ? 1 : result;
}
