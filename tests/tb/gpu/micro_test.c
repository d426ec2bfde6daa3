/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/micro_test.c: micro-benchmarks on the configuration of this build: latencies, and the
 * rates of one SM. Each figure must be what follows from the configuration's numbers: exactly where
 * it is a latency, within a bound where it is a rate of a machine full of requests. They end as a
 * table.
 *
 * A figure is taken between a run and one twice as long, so that what happens once cancels out. */
#include "tests/tb/gpu/chains.h"
#include "tests/tb/gpu/limits.h"
#include "tests/tb/gpu/micro.h"

static char text[1 << 18]; /* kernels without loops */

/* A kernel of instructions in a row. `line` may hold one %u, which becomes the numbers 0 to 15 in
 * turns. */
static void write_text(const char *before, const char *line, unsigned times)
{
    size_t used = (size_t)sprintf(
        text,
        PTX_HEADER ".const .align 256 .b8 table[256];\n"
                   ".visible .entry k(.param .u64 p)\n{\n.shared .align 4 .b8 buf[4096];\n"
                   ".reg .b32 %%r<20>;\n.reg .f32 %%f<20>;\n.reg .b64 %%rd<20>;\n"
                   "ld.param.u64 %%rd18, [p];\n%s",
        before);
    for (unsigned i = 0; i < times; i++)
        used += (size_t)sprintf(text + used, line, i % 16);
    strcpy(text + used, "ret;\n}\n");
}

/* Cycles of such a kernel in one block. Memory at p holds its own address. */
static uint64_t run_line(const char *before, const char *line, unsigned times, uint32_t threads)
{
    struct bench b;
    write_text(before, line, times);
    bench_open(&b, &c, text, NULL);
    const uint64_t buffer = bench_buffer(&b, 65536);
    memcpy(bench_words(&b, buffer), &buffer, sizeof buffer);
    bench_param(&b, buffer);
    const uint64_t cycles = bench_time(&b, "k", 1, threads);
    bench_close(&b);
    return cycles;
}

/* Cycles for each more of these instructions. */
static double cycles_each(const char *before, const char *line, unsigned times, uint32_t threads)
{
    const uint64_t once = run_line(before, line, times, threads);
    return (double)(run_line(before, line, 2 * times, threads) - once) / times;
}

static void execution(void **state)
{
    (void)state;
    const uint32_t threads = many_threads(&c);
    const double warps = threads / 32;
    figure("SP latency, cycles", "sp.latency", (double)c.sp_latency,
           cycles_each("", "add.s32 %%r1, %%r1, %%r1;\n", 100, 32));
    figure("SFU latency, cycles", "sfu.latency", (double)c.sfu_latency,
           cycles_each("", "sin.approx.f32 %%f1, %%f1;\n", 100, 32));
    const struct limit sp = {.formula = "num_schedulers / sp.interval",
                             .rate = (double)NUM_SCHEDULERS / (double)c.sp_interval},
                       sfu = {.formula = "1 / sfu.interval", .rate = 1 / (double)c.sfu_interval},
                       mem = {.formula = "1 / mem.interval", .rate = 1 / (double)c.mem_interval};
    figure_rate("SP rate of an SM, instructions per cycle", &sp, 1,
                warps / cycles_each("", "add.s32 %%r%u, %%r16, %%r17;\n", 320, threads));
    figure_rate("SFU rate of an SM, instructions per cycle", &sfu, 1,
                warps / cycles_each("", "sin.approx.f32 %%f%u, %%f16;\n", 160, threads));
    figure_rate("MEM rate of an SM, instructions per cycle", &mem, 1,
                warps / cycles_each("mov.u32 %r16, buf;\n", "ld.shared.u32 %%r%u, [%%r16];\n", 320,
                                    threads));
}

/* A barrier opens when the last warp has come. */
static void barriers(void **state)
{
    (void)state;
    const unsigned most = (unsigned)c.sm_max_threads / 32;
    for (unsigned warps = 1; warps <= most;
         warps = warps < most && 2 * warps > most ? most : 2 * warps) {
        char name[80];
        const double per_scheduler = (double)rounded_up(warps, NUM_SCHEDULERS);
        const double issue = per_scheduler * (double)c.sp_interval;
        const double fetch = (double)c.sm_fetch_latency / (double)c.sm_ibuffer_entries;
        snprintf(name, sizeof name, "barrier of %u warp%s, cycles", warps, warps > 1 ? "s" : "");
        figure(name,
               issue >= fetch ? "ceil(warps / num_schedulers) * sp.interval"
                              : "sm.fetch_latency / sm.ibuffer_entries",
               issue >= fetch ? issue : fetch, cycles_each("", "bar.sync 0;\n", 100, 32 * warps));
    }
}

static unsigned common_divisor(unsigned a, unsigned b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* Lanes whose words lie `stride` words apart. */
static void shared_memory(void **state)
{
    (void)state;
    const uint32_t threads = many_threads(&c);
    unsigned before_this = 0;
    const unsigned banks = (unsigned)c.mem_shared_banks;
    for (unsigned stride = 1; stride <= 32; stride *= 2) {
        char name[80], before[256];
        const unsigned meet = 32 * common_divisor(stride, banks) / banks, passes = meet ? meet : 1;
        if (passes == before_this) /* fewer banks than words */
            continue;
        before_this = passes;
        snprintf(before, sizeof before,
                 "mov.u32 %%r1, %%laneid;\nmul.lo.u32 %%r1, %%r1, %u;\nmov.u32 %%r2, buf;\n"
                 "add.u32 %%r1, %%r1, %%r2;\nst.shared.u32 [%%r1], %%r1;\n",
                 4 * stride);
        snprintf(name, sizeof name, "shared memory latency, %u lane%s in a bank, cycles", passes,
                 passes > 1 ? "s" : "");
        figure(name, "mem.shared_latency + lanes - 1", (double)c.mem_shared_latency + passes - 1,
               cycles_each(before, "ld.shared.u32 %%r1, [%%r1];\n", 50, 32));
        snprintf(name, sizeof name, "shared memory access, %u lane%s in a bank, cycles each",
                 passes, passes > 1 ? "s" : "");
        const double busy = fmax(passes, (double)c.mem_interval);
        figure_between(name, "max(lanes, mem.interval)", busy,
                       cycles_each(before, "st.shared.u32 [%%r1], %%r1;\n", 320, threads) /
                           (threads / 32),
                       busy * (1 - SHARE), busy * (1 + SHARE));
    }
}

/* Lanes that want `words` different words. */
static void constants(void **state)
{
    (void)state;
    for (unsigned words = 1; words <= 32; words *= 2) {
        char name[80], before[256];
        const uint64_t lines = rounded_up(4 * words, (uint64_t)c.l1c_line);
        if ((int64_t)lines > c.l1c_sets * c.l1c_ways)
            continue;
        snprintf(before, sizeof before,
                 "mov.u32 %%r1, %%laneid;\nand.b32 %%r1, %%r1, %u;\nmul.wide.u32 %%rd1, %%r1, 4;\n"
                 "mov.u64 %%rd2, table;\nadd.s64 %%rd1, %%rd1, %%rd2;\n",
                 words - 1);
        snprintf(name, sizeof name, "constant hit latency, %u word%s, cycles", words,
                 words > 1 ? "s" : "");
        figure(name, "mem.const_latency + words - 1 + lines - 1",
               (double)(c.mem_const_latency + words - 1 + (int64_t)lines - 1),
               cycles_each(before, "ld.const.u32 %%r2, [%%rd1];\n", 50, 32));
    }
}

static void l1_hits(void **state)
{
    (void)state;
    figure("L1D hit latency, cycles", "l1d.hit_latency", (double)c.l1d_hit_latency,
           cycles_each("mov.b64 %rd1, %rd18;\n", "ld.global.u64 %%rd1, [%%rd1];\n", 50, 32));
    const unsigned most = (unsigned)(c.l1d_sets * c.l1d_ways);
    const unsigned lines = most < 32 ? most : 32;
    char name[80], before[256];
    snprintf(before, sizeof before,
             "mov.u32 %%r1, %%laneid;\nand.b32 %%r1, %%r1, %u;\nmul.wide.u32 %%rd1, %%r1, %u;\n"
             "add.s64 %%rd1, %%rd1, %%rd18;\n",
             lines - 1, (unsigned)c.l1d_line);
    snprintf(name, sizeof name, "L1D hit latency, %u lines, cycles", lines);
    figure(name, "l1d.hit_latency + (lines - 1) * l1d.interval",
           (double)(c.l1d_hit_latency + (lines - 1) * c.l1d_interval),
           cycles_each(before, "ld.global.u32 %%r2, [%%rd1];\n", 20, 32));
    /* Eight bytes a lane: 256 bytes an instruction. */
    const double busy =
        fmax((double)c.mem_interval, 256 / (double)c.l1d_line * (double)c.l1d_interval);
    const uint32_t threads = many_threads(&c);
    const struct limit limit = {.formula = "256 / max(mem.interval, 256 / l1d.line * l1d.interval)",
                                .rate = 256 / busy};
    figure_rate("L1D bandwidth of an SM, bytes per cycle", &limit, 1,
                256.0 * (threads / 32) /
                    cycles_each("mov.u32 %r1, %laneid;\nmul.wide.u32 %rd16, %r1, 8;\n"
                                "add.s64 %rd16, %rd16, %rd18;\n",
                                "ld.global.u64 %%rd%u, [%%rd16];\n", 320, threads));
}

static struct chain chain;

static void dram_latencies(void **state)
{
    (void)state;
    static const struct {
        const char *name, *formula;
        unsigned first; /* links that are not counted */
    } kinds[] = {
        {"DRAM read, row open, cycles",
         "to L2, (tCL + l1d.line / bytes_per_cycle) ticks, dram.latency, from L2", 1},
        {"DRAM read, no row open, cycles", "as before and tRCD ticks", 1},
        {"DRAM read, another row open, cycles", "as before and tRP + tRCD ticks", 2},
    };
    for (enum rows kind = ROW_OPEN; kind <= OTHER_ROW; kind++) {
        struct bench b[2];
        uint64_t cycles[2], expected[2];
        for (unsigned run = 0; run < 2; run++) {
            const unsigned steps = run ? chain.count : kinds[kind].first;
            write_text("", "ld.global.u64 %%rd18, [%%rd18];\n", steps);
            bench_open(&b[run], &c, text, NULL);
            const int64_t rows_bytes = c.dram_row_bytes * c.dram_channels;
            chain_through_rows(
                &chain, &c, kind,
                bench_buffer(&b[run], (size_t)((c.dram_banks + 2) * rows_bytes / 4)));
            chain_write(&chain, &b[run]);
            bench_param(&b[run], chain.links[0]);
            cycles[run] = bench_time(&b[run], "k", 1, 32);
            expected[run] = chain_through_dram(&chain, &c, steps);
            assert_int_equal(cycles[run], expected[run]);
            bench_close(&b[run]);
        }
        const double counted = chain.count - kinds[kind].first;
        if (counted > 0)
            figure(kinds[kind].name, kinds[kind].formula,
                   (double)(expected[1] - expected[0]) / counted,
                   (double)(cycles[1] - cycles[0]) / counted);
    }
}

/* L2 has the lines from the second round on. */
static void l2_latency(void **state)
{
    (void)state;
    uint64_t cycles[2];
    for (unsigned run = 0; run < 2; run++) {
        struct bench b;
        bench_open(&b, &c, loops, NULL);
        chain_past_l1(&chain, &c, bench_buffer(&b, chain_past_l1(&chain, &c, 0) / 4));
        chain_write(&chain, &b);
        bench_param(&b, chain.links[0]);
        bench_param(&b, (2 + run) * chain.count);
        cycles[run] = bench_time(&b, "chase", 1, 32);
        assert_int_equal(bench_stats(&b)->sums.l1d.hits, 0);
        assert_int_equal(bench_stats(&b)->sums.memory.dram.reads, chain.count);
        bench_close(&b);
    }
    figure("L2 hit latency, cycles",
           "port(0) + xbar.latency + l2.latency + port(l1d.line) + xbar.latency",
           (double)from_l2(&c, 0, (uint64_t)c.l1d_line),
           (double)(cycles[1] - cycles[0]) / chain.count);
}

/* A warp goes `rounds` times round a loop of so many instructions, between one before and one behind it.
 * Returns the kernel's cycles; *misses: lines that were fetched. */
static uint64_t run_loop(const struct config *machine, unsigned instructions, unsigned rounds,
                         uint64_t *misses)
{
    struct bench b;
    size_t used = (size_t)sprintf(text,
                                  PTX_HEADER ".visible .entry k()\n{\n.reg .b32 %%r<20>;\n"
                                             ".reg .pred %%p<2>;\nmov.u32 %%r16, %u;\nLOOP:\n"
                                             "sub.u32 %%r16, %%r16, 1;\n"
                                             "setp.ne.u32 %%p1, %%r16, 0;\n",
                                  rounds);
    for (unsigned i = 0; i < instructions - 3; i++)
        used += (size_t)sprintf(text + used, "add.u32 %%r%u, %%r17, %%r18;\n", i % 16);
    strcpy(text + used, "@%p1 bra LOOP;\nret;\n}\n");
    bench_open(&b, machine, text, NULL);
    assert_int_equal(ptx_kernel(b.module, "k")->num_uops, instructions + 2);
    const uint64_t cycles = bench_time(&b, "k", 1, 32);
    *misses = bench_stats(&b)->sums.l1i.misses;
    bench_close(&b);
    return cycles;
}

/* What a round of such a loop costs more with 2 KB for instructions than with as many as there are, and
 * its misses; *first: misses of the first four rounds. */
static void cost_of_round(unsigned instructions, double *misses, double *more, double *first)
{
    struct config cached = c, ideal;
    uint64_t missed[2], cycles[2], without[2], none;
    cached.sp_interval = 1; /* nothing is in the buffer that a miss could hide behind */
    cached.l1i_sets = 4, cached.l1i_ways = 4, cached.l1i_line = 128;
    ideal = cached;
    ideal.l1i_sets = 0;
    for (unsigned run = 0; run < 2; run++) {
        cycles[run] = run_loop(&cached, instructions, 4 * (run + 1), &missed[run]);
        without[run] = run_loop(&ideal, instructions, 4 * (run + 1), &none);
        assert_int_equal(none, 0);
    }
    *first = (double)missed[0];
    *misses = (double)(missed[1] - missed[0]) / 4;
    *more = (double)(cycles[1] - cycles[0] - (without[1] - without[0])) / 4;
}

/* A loop that fits misses once per line. Of one that does not, least recently used keeps no line from
 * one round to the next; each miss costs the way to L2 and back, if L2 has it. */
static void code(void **state)
{
    (void)state;
    double misses, more, first;
    cost_of_round(200, &misses, &more, &first);
    figure("L1I misses, loop of 200 instructions", "lines", (double)rounded_up(202, 16), first);
    figure("L1I misses of each more round", "0", 0, misses);
    assert_true(more == 0);
    cost_of_round(400, &misses, &more, &first);
    figure("L1I misses of each more round, loop of 400 instructions", "lines",
           (double)rounded_up(401, 16), misses);
    if (c.l2_banks * c.l2_sets * c.l2_ways >= 100) /* several times the lines */
        figure("L1I miss that hits L2, cycles",
               "port(0) + xbar.latency + l2.latency + port(l1i.line) + xbar.latency",
               (double)from_l2(&c, 0, 128), more / misses);
}

int main(void)
{
    if (micro_open())
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(execution),      cmocka_unit_test(barriers),
        cmocka_unit_test(shared_memory),  cmocka_unit_test(constants),
        cmocka_unit_test(l1_hits),        cmocka_unit_test(l2_latency),
        cmocka_unit_test(dram_latencies), cmocka_unit_test(code),
    };
    const int result = cmocka_run_group_tests(tests, NULL, NULL);
    print_figures();
    return result;
}
