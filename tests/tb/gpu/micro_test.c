/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/micro_test.c: micro-benchmarks on the configuration of this build. Each figure must
 * be what follows from the configuration's numbers: exactly where it is a latency, within a bound
 * where it is a rate of a machine full of requests. They end as a table.
 *
 * A figure is taken between a run and one twice as long, so that what happens once cancels out. */
#include <stdlib.h>

#include "tests/tb/gpu/chains.h"
#include "tests/tb/gpu/limits.h"

static struct config c;          /* the build's */
static char loops[16384];        /* micro_test.ptx */
static char text[1 << 18];       /* kernels without loops */
static struct stats_sums counts; /* of the last run */

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

/* What a kernel of micro_test.ptx does to memory, one block on each of so many SMs. */
struct traffic {
    const char *kernel;
    uint32_t sms, rounds, threads;
    uint32_t stride, size, warp, block; /* bytes */
};

/* Runs it, and again with twice as many rounds: leaves the differences of all counts, and returns
 * that of the cycles. */
static double twice(const struct traffic *t, uint64_t buffer_bytes)
{
    struct stats_sums runs[2];
    for (unsigned i = 0; i < 2; i++) {
        struct bench b;
        bench_open(&b, &c, loops, NULL);
        const uint32_t words[] = {t->rounds << i, t->stride, t->size, t->warp, t->block};
        bench_param(&b, bench_buffer(&b, buffer_bytes / 4));
        memcpy(b.params + b.param_bytes, words, sizeof words);
        b.param_bytes += sizeof words;
        bench_time(&b, t->kernel, t->sms, t->threads);
        runs[i] = bench_stats(&b)->sums;
        bench_close(&b);
    }
    for (size_t i = 0; i < sizeof counts / sizeof(uint64_t); i++)
        ((uint64_t *)&counts)[i] = ((uint64_t *)&runs[1])[i] - ((uint64_t *)&runs[0])[i];
    return (double)counts.cycles;
}

/* Each SM goes round in twice as many lines as L1D holds, which L2 has. */
static void l2_bandwidth_of(uint32_t sms, const char *read, const char *write)
{
    const uint32_t most = 32 * (uint32_t)c.l1d_sets;
    const uint32_t threads = many_threads(&c) < most ? many_threads(&c) : most;
    const uint64_t line = (uint64_t)c.l1d_line;
    const struct limit reads[] = {
        ports(&c, sms), banks(&c), issue(&c, sms), places(&c, sms, c.l2_banks, 0, c.l1d_line),
        requests(&c, sms, "requests of the SMs * l1d.line / L2 hit latency", 4, c.l1d_line,
                 from_l2(&c, 0, line))};
    const struct limit writes[] = {ports(&c, sms), banks(&c), issue(&c, sms),
                                   places(&c, sms, c.l2_banks, line, c.l1d_line)};
    struct traffic t = {
        .kernel = "read", .sms = sms, .rounds = 64, .threads = threads, .warp = 128};
    t.stride = t.block = threads * 4;
    const int64_t least = 4 * (int64_t)t.stride, l1 = c.l1d_sets * c.l1d_ways * c.l1d_line;
    t.size = even(&c, 2 * l1 > least ? 2 * l1 : least);
    double cycles = twice(&t, t.size);
    assert_true(counts.l1d.hits * 50 <= counts.l1d.accesses);
    assert_int_equal(counts.memory.dram.reads, 0);
    /* Hashed, requests of different SMs meet by chance; one that waits for its bank keeps those behind
     * it in the miss queue. */
    const double share = sms > 1 && !strcmp(c.l2_bank_index, "hashed") ? 0.2 : SHARE;
    figure_rate_but(read, reads, sizeof reads / sizeof *reads,
                    (double)(counts.memory.xbar.reads * line) / cycles, share);
    t.kernel = "write";
    cycles = twice(&t, t.size);
    assert_int_equal(counts.memory.dram.writes, 0);
    figure_rate_but(write, writes, sizeof writes / sizeof *writes,
                    (double)(counts.memory.xbar.writes * line) / cycles, share);
}

static void l2_bandwidth(void **state)
{
    (void)state;
    l2_bandwidth_of(1, "L2 read bandwidth of an SM, bytes per cycle",
                    "L2 write bandwidth of an SM, bytes per cycle");
    l2_bandwidth_of(NUM_SMS, "L2 read bandwidth of all SMs, bytes per cycle",
                    "L2 write bandwidth of all SMs, bytes per cycle");
}

/* Cycles of rows at this stride: all SMs read the same place of each, as a kernel does whose threads
 * have a row of a matrix each. There are twice as many rows as L1D has lines, and L2 has them all. */
static void rows_of(uint32_t stride, const char *index, const char *name, double share)
{
    const struct config before = c;
    const uint32_t threads = many_threads(&c);
    uint32_t rows = 4 * threads;
    while (rows < 2 * c.l1d_sets * c.l1d_ways)
        rows *= 2;
    strcpy(c.l2_bank_index, index);
    /* What sets do to rows is not measured here: those of L1D are hashed, those of L2 many and odd. */
    strcpy(c.l1d_index, "hashed");
    c.l2_sets = 512 * c.l2_sets + 1;
    uint64_t most = 0, of_bank[256] = {0};
    for (uint64_t i = 0; i < rows; i++) {
        uint64_t *n = &of_bank[expected_bank(&c, i * stride / (uint64_t)c.l2_interleave)];
        most = ++*n > most ? *n : most;
    }
    const uint64_t line = (uint64_t)c.l1d_line;
    const struct limit limits[] = {
        ports(&c, NUM_SMS),
        banks(&c),
        places(&c, NUM_SMS, c.l2_banks, 0, c.l1d_line),
        requests(&c, NUM_SMS, "requests of the SMs * l1d.line / L2 hit latency", 128, c.l1d_line,
                 from_l2(&c, 0, line)),
        {.formula = "rows / those of the fullest bank * l1d.line / port(l1d.line)",
         .rate = (double)(rows * line) / (double)(most * port_cycles(&c, line))}};
    /* Linear, the banks that rows meet in; hashed, all. */
    const unsigned count = !strcmp(index, "linear") ? 5 : 4;
    struct traffic t = {.kernel = "rows", .sms = NUM_SMS, .rounds = 16, .threads = threads};
    t.stride = stride;
    t.size = rows - 1;
    const double cycles = twice(&t, (uint64_t)rows * stride);
    assert_true(counts.l1d.hits * 50 <= counts.l1d.accesses);
    assert_int_equal(counts.memory.dram.reads, 0);
    figure_rate_but(name, limits, count, (double)(counts.memory.xbar.reads * line) / cycles, share);
    c = before;
}

static void strided_rows(void **state)
{
    (void)state;
    char name[80];
    for (uint32_t kib = 1; kib <= 32; kib *= 2) {
        snprintf(name, sizeof name, "L2 read bandwidth, rows of %u KiB, bytes per cycle", kib);
        rows_of(kib << 10, "hashed", name, 0.1);
        snprintf(name, sizeof name, "the same, l2.bank_index = linear");
        rows_of(kib << 10, "linear", name, 0.1);
    }
}

/* An SM whose warps, but for the oldest of each scheduler, load one word of a line past L1D: how many
 * flits answer such a load, and how many loads can be under way, with and without an MSHR for each. */
static void past_l1d(void **state)
{
    (void)state;
    const struct config before = c;
    const uint32_t threads = many_threads(&c);
    const uint64_t line = (uint64_t)c.l1d_line;
    struct traffic t = {.kernel = "rows", .sms = 1, .rounds = 32, .threads = threads};
    t.stride = 3 * (uint32_t)line;
    t.size = 4 * threads - 1;
    strcpy(c.l1d_index, "hashed");
    c.l2_sets *= 512;
    c.mask_p = 1;
    for (c.l1d_bypass_mshr = 1; c.l1d_bypass_mshr >= 0; c.l1d_bypass_mshr--) {
        const double cycles = twice(&t, (uint64_t)(t.size + 1) * t.stride);
        const double flit = (double)c.xbar_interval, word = (double)port_cycles(&c, 32) / flit,
                     whole = (double)port_cycles(&c, line) / flit,
                     read = (double)counts.memory.xbar.reads, past = (double)counts.l1d.bypassed,
                     most = (double)(c.l1d_mshrs * (c.l1d_bypass_mshr ? 1 : c.l1d_mshr_merge));
        const struct limit limits[] = {
            {.formula = "1 / port(32)",
             .rate = read / ((past * word + (read - past) * whole) * flit)},
            {.formula = "1 / l1d.interval", .rate = 1 / (double)c.l1d_interval},
            requests_limit(c.l1d_bypass_mshr ? "l1d.mshrs / L2 hit latency"
                                             : "l1d.mshrs * l1d.mshr_merge / L2 hit latency",
                           fmin(most, 4.0 * threads), 1, (double)from_l2(&c, 0, 32))};
        assert_true(past * 2 > read);
        assert_int_equal(counts.memory.dram.reads, 0);
        if (c.l1d_bypass_mshr)
            figure("flits of a reply past L1D, one word", "ceil((8 + 32) / xbar.flit)", word,
                   ((double)counts.memory.xbar.reply_flits - (read - past) * whole) / past);
        FIGURE_RATE(c.l1d_bypass_mshr ? "loads past L1D of an SM, lines per cycle"
                                      : "the same, l1d.bypass_mshr = 0",
                    limits, read / cycles);
    }
    c = before;
}

/* All SMs go through a long array together, line after line. */
static void dram_bandwidth(void **state)
{
    (void)state;
    const struct limit limits[] = {
        {.formula = "dram.channels * bytes_per_cycle * dram.clock_mhz / gpu.clock_mhz",
         .rate = (double)(c.dram_channels * c.dram_bytes_per_cycle * c.dram_clock_mhz) /
                 (double)c.gpu_clock_mhz},
        ports(&c, NUM_SMS),
        issue(&c, NUM_SMS),
        queues(&c),
        requests(&c, NUM_SMS, "requests of the SMs * l1d.line / DRAM latency", 4, c.l1d_line,
                 from_dram(&c, 0, 0, (uint64_t)c.l1d_line)),
        requests_limit("l2.banks * l2.mshrs * l1d.line / time from L2 to L2",
                       (double)(c.l2_banks * c.l2_mshrs), (double)c.l1d_line,
                       (double)fetched(&c, 0, 0))};
    const uint32_t threads = many_threads(&c), step = NUM_SMS * threads * 4; /* of all warps */
    const uint32_t l2_bytes = (uint32_t)(c.l2_banks * c.l2_sets * c.l2_ways * c.l1d_line);
    struct traffic t = {
        .kernel = "read", .sms = NUM_SMS, .threads = threads, .stride = step, .size = UINT32_MAX};
    t.warp = 128;
    t.block = threads * 4;
    t.rounds = 32;
    double cycles = twice(&t, 2 * 4 * (uint64_t)t.rounds * step);
    FIGURE_RATE("DRAM read bandwidth, bytes per cycle", limits,
                (double)counts.memory.dram.bytes / cycles);
    /* So that L2 is full of written lines before the second half. */
    t.kernel = "write";
    t.rounds = 8 + l2_bytes / (2 * step);
    t.warp = NUM_SMS * 128;
    t.block = 128;
    cycles = twice(&t, 2 * 4 * (uint64_t)t.rounds * step);
    figure_rate("DRAM write bandwidth, bytes per cycle", limits, 4,
                (double)counts.memory.dram.bytes / cycles);
}

static void atomics(void **state)
{
    (void)state;
    const double port = fmax((double)port_cycles(&c, 32), (double)c.l2_interval);
    const double fewer = NUM_SMS < c.l2_banks ? NUM_SMS : (double)c.l2_banks;
    const uint64_t trip = answered(&c, at_l2(&c, 0, 32), 32);
    const struct limit same[] = {
        {.formula = "1 / max(l2.interval, port(32))", .rate = 1 / port},
        places(&c, NUM_SMS, 1, 32, 1),
        requests(&c, NUM_SMS, "warps or MSHRs of all SMs / round trip", 1, 1, trip)};
    const struct limit apart[] = {
        {.formula = "min(SMs, l2.banks) / max(l2.interval, port(32))", .rate = fewer / port},
        places(&c, NUM_SMS, c.l2_banks, 32, 1),
        requests(&c, NUM_SMS, "MSHRs of all SMs / round trip", 32, 1, trip)};
    struct traffic t = {
        .kernel = "atomics", .sms = NUM_SMS, .rounds = 40, .threads = many_threads(&c), .size = 1};
    double cycles = twice(&t, 4096);
    FIGURE_RATE("atomics of one address, requests per cycle", same,
                (double)counts.memory.xbar.atomics / cycles);
    t.stride = (uint32_t)c.l1d_line;
    t.size = even(&c, c.l2_banks * c.l2_sets * c.l2_ways * c.l1d_line / 4);
    cycles = twice(&t, t.size);
    assert_int_equal(counts.memory.dram.reads, 0);
    FIGURE_RATE("atomics of different lines, requests per cycle", apart,
                (double)counts.memory.xbar.atomics / cycles);
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
    strcpy(c.run_sched, "lrr"); /* all warps alike: the policy is not what is measured */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(execution),      cmocka_unit_test(barriers),
        cmocka_unit_test(shared_memory),  cmocka_unit_test(constants),
        cmocka_unit_test(l1_hits),        cmocka_unit_test(l2_latency),
        cmocka_unit_test(dram_latencies), cmocka_unit_test(l2_bandwidth),
        cmocka_unit_test(strided_rows),   cmocka_unit_test(past_l1d),
        cmocka_unit_test(dram_bandwidth), cmocka_unit_test(atomics),
    };
    const int result = cmocka_run_group_tests(tests, NULL, NULL);
    print_figures();
    return result;
}
