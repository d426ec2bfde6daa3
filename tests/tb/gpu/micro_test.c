/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/micro_test.c: micro-benchmarks on the configuration of this build. Each figure must
 * be what follows from the configuration's numbers: exactly where it is a latency, within a bound
 * where it is a rate of a machine full of requests. They end as a table.
 *
 * A figure is taken between a run and one twice as long, so that what happens once cancels out. */
#include <math.h>
#include <stdlib.h>

#include "tests/tb/gpu/bench.h"
#include "tests/tb/mem/expected.h"

#define EXACT 1e-9

static struct config c;          /* the build's */
static char loops[16384];        /* micro_test.ptx */
static char text[1 << 18];       /* kernels without loops */
static struct stats_sums counts; /* of the last run */

/* The table. */
static struct row {
    char name[80];
    const char *formula;
    double expected, measured, bound;
} rows[100];
static unsigned num_rows;

/* Notes a figure, which may miss what is expected by a share of `bound`. */
static void figure(const char *name, const char *formula, double expected, double measured,
                   double bound)
{
    struct row *r = &rows[num_rows++];
    snprintf(r->name, sizeof r->name, "%s", name);
    r->formula = formula;
    r->expected = expected;
    r->measured = measured;
    r->bound = bound;
    if (fabs(measured - expected) > bound * expected)
        fail_msg("%s: expected %.6g (%s), measured %.6g", name, expected, formula, measured);
}

/* A rate is that of what limits it. */
struct limit {
    const char *formula;
    double rate;
};
static void rate(const char *name, const struct limit *limits, unsigned count, double measured,
                 double bound)
{
    const struct limit *least = limits;
    for (unsigned i = 1; i < count; i++)
        least = limits[i].rate < least->rate ? &limits[i] : least;
    figure(name, least->formula, least->rate, measured, bound);
}
#define RATE(name, limits, measured, bound)                                                        \
    rate(name, limits, sizeof limits / sizeof *limits, measured, bound)

/* Instructions in a row, without loops. `line` may hold one %u, which becomes the numbers 0 to 15
 * in turns. Memory at p holds its own address. */
static uint64_t run_line(const char *before, const char *line, unsigned times, uint32_t threads)
{
    struct bench b;
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
    bench_open(&b, &c, text, NULL);
    const uint64_t buffer = bench_buffer(&b, 65536);
    memcpy(bench_words(&b, buffer), &buffer, sizeof buffer);
    bench_param(&b, buffer);
    const uint64_t cycles = bench_time(&b, "k", 1, threads);
    counts = bench_stats(&b)->sums;
    bench_close(&b);
    return cycles;
}

/* Cycles for each more of these instructions. */
static double cycles_each(const char *before, const char *line, unsigned times, uint32_t threads)
{
    const uint64_t once = run_line(before, line, times, threads);
    return (double)(run_line(before, line, 2 * times, threads) - once) / times;
}

/* Threads of one block that keep all schedulers of an SM busy. */
static uint32_t many_threads(void)
{
    const uint32_t warps = NUM_SCHEDULERS * (NUM_WARPS < 8 ? NUM_WARPS : 8);
    return 32 * warps < (uint32_t)c.sm_max_threads ? 32 * warps : (uint32_t)c.sm_max_threads;
}

static void execution(void **state)
{
    (void)state;
    const uint32_t threads = many_threads();
    const double warps = threads / 32;
    figure("SP latency, cycles", "sp.latency", (double)c.sp_latency,
           cycles_each("", "add.s32 %%r1, %%r1, %%r1;\n", 100, 32), EXACT);
    figure("SFU latency, cycles", "sfu.latency", (double)c.sfu_latency,
           cycles_each("", "sin.approx.f32 %%f1, %%f1;\n", 100, 32), EXACT);
    figure("SP rate of an SM, instructions per cycle", "num_schedulers / sp.interval",
           (double)NUM_SCHEDULERS / (double)c.sp_interval,
           warps / cycles_each("", "add.s32 %%r%u, %%r16, %%r17;\n", 320, threads), 0.01);
    figure("SFU rate of an SM, instructions per cycle", "1 / sfu.interval",
           1 / (double)c.sfu_interval,
           warps / cycles_each("", "sin.approx.f32 %%f%u, %%f16;\n", 160, threads), 0.01);
    figure("MEM rate of an SM, instructions per cycle", "1 / mem.interval",
           1 / (double)c.mem_interval,
           warps /
               cycles_each("mov.u32 %r16, buf;\n", "ld.shared.u32 %%r%u, [%%r16];\n", 320, threads),
           0.01);
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
               issue >= fetch ? issue : fetch, cycles_each("", "bar.sync 0;\n", 100, 32 * warps),
               EXACT);
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
    const unsigned banks = (unsigned)c.mem_shared_banks;
    for (unsigned stride = 1; stride <= 32; stride *= 2) {
        char name[80], before[256];
        const unsigned meet = 32 * common_divisor(stride, banks) / banks, passes = meet ? meet : 1;
        snprintf(before, sizeof before,
                 "mov.u32 %%r1, %%tid.x;\nmul.lo.u32 %%r1, %%r1, %u;\nmov.u32 %%r2, buf;\n"
                 "add.u32 %%r1, %%r1, %%r2;\nst.shared.u32 [%%r1], %%r1;\n",
                 4 * stride);
        snprintf(name, sizeof name, "shared memory latency, %u lane%s in a bank, cycles", passes,
                 passes > 1 ? "s" : "");
        figure(name, "mem.shared_latency + lanes - 1", (double)c.mem_shared_latency + passes - 1,
               cycles_each(before, "ld.shared.u32 %%r1, [%%r1];\n", 50, 32), EXACT);
        snprintf(name, sizeof name, "shared memory access, %u lane%s in a bank, cycles each",
                 passes, passes > 1 ? "s" : "");
        figure(name, "max(lanes, mem.interval)", fmax(passes, (double)c.mem_interval),
               cycles_each(before, "st.shared.u32 [%%r1], %%r1;\n", 100, 32), EXACT);
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
               cycles_each(before, "ld.const.u32 %%r2, [%%rd1];\n", 50, 32), EXACT);
    }
}

static void l1_hits(void **state)
{
    (void)state;
    figure("L1D hit latency, cycles", "l1d.hit_latency", (double)c.l1d_hit_latency,
           cycles_each("mov.b64 %rd1, %rd18;\n", "ld.global.u64 %%rd1, [%%rd1];\n", 50, 32), EXACT);
    const unsigned most = (unsigned)(c.l1d_sets * c.l1d_ways);
    const unsigned lines = most < 32 ? most : 32;
    char name[80], before[256];
    snprintf(before, sizeof before,
             "mov.u32 %%r1, %%laneid;\nand.b32 %%r1, %%r1, %u;\nmul.wide.u32 %%rd1, %%r1, %u;\n"
             "add.s64 %%rd1, %%rd1, %%rd18;\n",
             lines - 1, (unsigned)c.l1d_line);
    snprintf(name, sizeof name, "L1D hit latency, %u lines, cycles", lines);
    figure(name, "l1d.hit_latency + lines - 1", (double)(c.l1d_hit_latency + lines - 1),
           cycles_each(before, "ld.global.u32 %%r2, [%%rd1];\n", 20, 32), EXACT);
    /* Eight bytes a lane: 256 bytes an instruction. */
    const double busy = fmax((double)c.mem_interval, 256 / (double)c.l1d_line);
    const uint32_t threads = many_threads();
    figure("L1D bandwidth of an SM, bytes per cycle", "256 / max(mem.interval, 256 / l1d.line)",
           256 / busy,
           256.0 * (threads / 32) /
               cycles_each("mov.u32 %r1, %laneid;\nmul.wide.u32 %rd16, %r1, 8;\n"
                           "add.s64 %rd16, %rd16, %rd18;\n",
                           "ld.global.u64 %%rd%u, [%%rd16];\n", 320, threads),
           0.01);
}

/* Addresses that a chain of pointers visits. */
struct chain {
    uint64_t links[4096];
    unsigned count;
};

/* Cycles of a walk of `steps` links; afterwards those that it must take by the configuration,
 * with a memory that has none of the lines, if `from_memory`, or has all of them in L2. */
static uint64_t walk(struct bench *b, struct chain *k, unsigned steps)
{
    for (unsigned i = 0; i < k->count; i++)
        memcpy(bench_words(b, k->links[i]), &k->links[(i + 1) % k->count], sizeof(uint64_t));
    bench_param(b, k->links[0]);
    bench_param(b, steps);
    return bench_time(b, "chase", 1, 32);
}

static uint64_t walk_expected(const struct chain *k, unsigned steps)
{
    static struct open_rows open;
    memset(&open, 0, sizeof open);
    uint64_t now = 1 + (uint64_t)(c.sm_fetch_latency + c.sp_latency);
    for (unsigned i = 0; i < steps; i++)
        now = from_dram(&c, now, row_ticks(&open, &c, k->links[i]), (uint64_t)c.l1d_line);
    return now + 1;
}

/* The j-th line of a row of channel 0, of which row number 0 begins at or behind `base`. */
static uint64_t line_of_row(uint64_t base, uint64_t row, uint64_t j)
{
    const uint64_t row_bytes = (uint64_t)c.dram_row_bytes, channels = (uint64_t)c.dram_channels,
                   interleave = (uint64_t)c.l2_interleave;
    const uint64_t inside =
        (rounded_up(base, row_bytes * channels) + row) * row_bytes + j * (uint64_t)c.l1d_line;
    return inside / interleave * channels * interleave + inside % interleave;
}

static void dram_latencies(void **state)
{
    (void)state;
    static struct chain k;
    const uint64_t in_row = (uint64_t)(c.dram_row_bytes / c.l1d_line);
    const uint64_t banks = (uint64_t)c.dram_banks;
    static const char *const names[] = {"DRAM read, row open, cycles",
                                        "DRAM read, no row open, cycles",
                                        "DRAM read, another row open, cycles"};
    static const char *const formulas[] = {
        "to and from L2 + (tCL + line / bytes_per_cycle) ticks + dram.latency",
        "the same + tRCD ticks", "the same + tRP + tRCD ticks"};
    for (unsigned kind = 0; kind < 3; kind++) {
        struct bench b;
        uint64_t result[2];
        const unsigned first = kind == 0 ? 1 : kind == 1 ? 0 : 2;
        for (unsigned run = 0; run < 2; run++) {
            bench_open(&b, &c, loops, NULL);
            const uint64_t rows_bytes = (uint64_t)(c.dram_row_bytes * c.dram_channels);
            const uint64_t base = bench_buffer(&b, (size_t)(3 * (banks + 1) * rows_bytes / 4));
            k.count = 0;
            for (uint64_t i = 0; i < (kind == 1 ? banks : 2 * in_row) && i < 64; i++)
                k.links[k.count++] = kind == 0   ? line_of_row(base, 0, i % in_row)
                                     : kind == 1 ? line_of_row(base, i, 0)
                                                 : line_of_row(base, i % 2 * banks, i / 2);
            if (kind == 0)
                k.count = (unsigned)(in_row < 64 ? in_row : 64);
            const unsigned steps = run ? k.count : first ? first : 1;
            result[run] = walk(&b, &k, steps);
            assert_int_equal(result[run], walk_expected(&k, steps));
            bench_close(&b);
        }
        const unsigned more = k.count - (first ? first : 1);
        const uint64_t expected = walk_expected(&k, k.count) - walk_expected(&k, first ? first : 1);
        figure(names[kind], formulas[kind], (double)expected / more,
               (double)(result[1] - result[0]) / more, EXACT);
    }
}

/* A chain through more lines than L1D holds, of each of its sets; L2 has them from the second round
 * on. */
static void l2_latency(void **state)
{
    (void)state;
    static struct chain k;
    const uint64_t line = (uint64_t)c.l1d_line, sets = (uint64_t)c.l1d_sets;
    uint64_t cycles[2];
    k.count = (unsigned)(sets * (uint64_t)(c.l1d_ways + 1));
    assert_true(k.count <= sizeof k.links / sizeof *k.links);
    for (unsigned run = 0; run < 2; run++) {
        struct bench b;
        bench_open(&b, &c, loops, NULL);
        const uint64_t base = bench_buffer(&b, (k.count + sets) * line / 4);
        for (uint64_t i = 0; i < k.count; i++)
            k.links[i] = (rounded_up(base, sets * line) * sets + i) * line;
        cycles[run] = walk(&b, &k, (2 + run) * k.count);
        assert_int_equal(bench_stats(&b)->sums.l1d.hits, 0);
        assert_int_equal(bench_stats(&b)->sums.memory.dram.reads, k.count);
        bench_close(&b);
    }
    figure("L2 hit latency, cycles",
           "port(0) + xbar.latency + l2.latency + port(l1d.line) + xbar.latency",
           (double)from_l2(&c, 0, line), (double)(cycles[1] - cycles[0]) / k.count, EXACT);
}

/* A kernel of micro_test.ptx on all SMs, one block each, and again with twice as many rounds:
 * leaves the differences of cycles and counts. */
static double twice(const char *kernel, uint64_t rounds, uint32_t threads, uint64_t stride,
                    uint64_t mask, uint64_t bytes)
{
    struct stats_sums runs[2];
    for (unsigned i = 0; i < 2; i++) {
        struct bench b;
        bench_open(&b, &c, loops, NULL);
        bench_param(&b, bench_buffer(&b, (size_t)bytes / 4));
        bench_param(&b, rounds << i);
        bench_param(&b, stride);
        bench_param(&b, mask);
        bench_time(&b, kernel, NUM_SMS, threads);
        runs[i] = bench_stats(&b)->sums;
        bench_close(&b);
    }
    for (size_t i = 0; i < sizeof counts / sizeof(uint64_t); i++)
        ((uint64_t *)&counts)[i] = ((uint64_t *)&runs[1])[i] - ((uint64_t *)&runs[0])[i];
    return (double)counts.cycles;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static uint64_t power_of_two_above(uint64_t n)
{
    uint64_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

static void l2_bandwidth(void **state)
{
    (void)state;
    const double line = (double)c.l1d_line, ports = least(NUM_SMS, (double)c.l2_banks);
    const struct limit reads[] = {
        {"min(num_sms, l2.banks) * l1d.line / port(l1d.line)",
         ports * line / (double)port_cycles(&c, (uint64_t)c.l1d_line)},
        {"l2.banks * l1d.line / l2.interval", (double)c.l2_banks * line / (double)c.l2_interval},
        {"num_sms * l1d.mshrs * l1d.line / L2 hit latency",
         NUM_SMS * (double)c.l1d_mshrs * line / (double)from_l2(&c, 0, (uint64_t)c.l1d_line)},
    };
    const uint32_t threads = many_threads();
    const uint64_t bytes = power_of_two_above(2 * (uint64_t)(c.l1d_sets * c.l1d_ways * c.l1d_line));
    const double cycles = twice("read", 64, threads, threads * 4, bytes - 1, bytes);
    assert_int_equal(counts.l1d.hits, 0);
    assert_int_equal(counts.memory.dram.reads, 0);
    RATE("L2 read bandwidth, bytes per cycle", reads,
         (double)counts.memory.xbar.reads * line / cycles, 0.05);
    const double written = twice("write", 256, threads, threads * 4, bytes - 1, bytes);
    assert_int_equal(counts.memory.dram.writes, 0);
    const struct limit writes[] = {
        reads[0],
        {"l2.banks * l1d.line / l2.interval", (double)c.l2_banks * line / (double)c.l2_interval}};
    RATE("L2 write bandwidth, bytes per cycle", writes,
         (double)counts.memory.xbar.writes * line / written, 0.05);
}

static void dram_bandwidth(void **state)
{
    (void)state;
    const double line = (double)c.l1d_line, ports = least(NUM_SMS, (double)c.l2_banks);
    const struct limit limits[] = {
        {"dram.channels * bytes_per_cycle * dram.clock / gpu.clock",
         (double)(c.dram_channels * c.dram_bytes_per_cycle * c.dram_clock_mhz) /
             (double)c.gpu_clock_mhz},
        {"min(num_sms, l2.banks) * l1d.line / port(l1d.line)",
         ports * line / (double)port_cycles(&c, (uint64_t)c.l1d_line)},
    };
    const uint32_t threads = many_threads();
    const uint64_t step = (uint64_t)NUM_SMS * threads * 4; /* of all threads */
    const uint64_t l2_bytes = (uint64_t)(c.l2_banks * c.l2_sets * c.l2_ways * c.l1d_line);
    uint64_t rounds = 1 + 2 * l2_bytes / (4 * step);
    double cycles = twice("read", rounds, threads, step, ~UINT64_C(0), 8 * rounds * step);
    RATE("DRAM read bandwidth, bytes per cycle", limits, (double)counts.memory.dram.bytes / cycles,
         0.1);
    rounds = 1 + 2 * l2_bytes / step;
    cycles = twice("write", rounds, threads, step, ~UINT64_C(0), 2 * rounds * step);
    RATE("DRAM write bandwidth, bytes per cycle", limits, (double)counts.memory.dram.bytes / cycles,
         0.1);
}

static void atomics(void **state)
{
    (void)state;
    const double port = fmax((double)port_cycles(&c, 32), (double)c.l2_interval);
    const double way = (double)answered(&c, at_l2(&c, 0, 32), 32);
    const double mshrs = NUM_SMS * (double)c.l1d_mshrs;
    const uint32_t threads = many_threads();
    const struct limit same[] = {{"1 / max(l2.interval, port(32))", 1 / port},
                                 {"num_sms * l1d.mshrs / round trip", mshrs / way}};
    double cycles = twice("atomics", 20, threads, 0, ~UINT64_C(0), 4096);
    RATE("atomics of one address, requests per cycle", same,
         (double)counts.memory.xbar.atomics / cycles, 0.05);
    const struct limit apart[] = {{"min(num_sms, l2.banks) / max(l2.interval, port(32))",
                                   least(NUM_SMS, (double)c.l2_banks) / port},
                                  {"num_sms * l1d.mshrs / round trip", mshrs / way}};
    const uint64_t bytes =
        power_of_two_above((uint64_t)(c.l2_banks * c.l2_sets * c.l2_ways * c.l1d_line) / 4 + 1);
    cycles = twice("atomics", 20, threads, (uint64_t)c.l1d_line, bytes - 1, bytes);
    RATE("atomics of different lines, requests per cycle", apart,
         (double)counts.memory.xbar.atomics / cycles, 0.05);
}

static void print_table(void)
{
    printf("\n| figure, %s | formula | expected | measured |\n| --- | --- | ---: | ---: |\n",
           CONFIG_NAME);
    for (unsigned i = 0; i < num_rows; i++)
        printf("| %s | %s | %.5g | %.5g |\n", rows[i].name, rows[i].formula, rows[i].expected,
               rows[i].measured);
}

int main(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/" CONFIG_NAME ".ini", getenv("HEDDLE_BUILD"));
    FILE *file = fopen("tests/tb/gpu/micro_test.ptx", "r");
    if (!file || fread(loops, 1, sizeof loops - 1, file) == 0)
        return perror("tests/tb/gpu/micro_test.ptx"), 1;
    fclose(file);
    if (config_read(&c, path, stderr) || config_check(&c, stderr))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(execution),      cmocka_unit_test(barriers),
        cmocka_unit_test(shared_memory),  cmocka_unit_test(constants),
        cmocka_unit_test(l1_hits),        cmocka_unit_test(l2_latency),
        cmocka_unit_test(dram_latencies), cmocka_unit_test(l2_bandwidth),
        cmocka_unit_test(dram_bandwidth), cmocka_unit_test(atomics),
    };
    const int result = cmocka_run_group_tests(tests, NULL, NULL);
    print_table();
    return result;
}
