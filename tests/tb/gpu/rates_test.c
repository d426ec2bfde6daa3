/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/rates_test.c: micro-benchmarks of the memory full of requests, on the configuration of
 * this build: the rates of L2 and DRAM, of rows at a stride, of loads past L1D, of atomics. As in
 * micro_test.c, a figure is taken between a run and one twice as long, and they end as a table. */
#include "tests/tb/gpu/limits.h"
#include "tests/tb/gpu/micro.h"

static struct stats_sums counts; /* of the last run */

/* What a kernel of micro.ptx does to memory, one block on each of so many SMs. */
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
    /* On a large machine as many requests are fewer rounds. */
    const uint32_t rounds = NUM_SMS > 32 ? 4 : 8;
    struct traffic t = {.kernel = "rows", .sms = NUM_SMS, .rounds = rounds, .threads = threads};
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
    if (micro_open())
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(l2_bandwidth), cmocka_unit_test(strided_rows),
        cmocka_unit_test(past_l1d),     cmocka_unit_test(dram_bandwidth),
        cmocka_unit_test(atomics),
    };
    const int result = cmocka_run_group_tests(tests, NULL, NULL);
    print_figures();
    return result;
}
