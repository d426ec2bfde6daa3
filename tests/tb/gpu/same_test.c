/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/same_test.c: a machine does the same whatever the number of host threads, whoever
 * watches, and whoever decides: the same statistics to the byte, the same memory. */
#include <stdlib.h>
#include <unistd.h>

#include "tests/tb/gpu/statistics.h"

#define WORDS 8192 /* of memory that kernels use */

static char program[16384]; /* launch_test.ptx */
static char directory[] = "/tmp/heddle-same-XXXXXX";
static char stats[64], wave[64];

static void run(struct bench *b, const char *kernel, uint64_t words, uint32_t blocks,
                uint32_t threads)
{
    bench_param(b, words);
    bench_time(b, kernel, blocks, threads);
}

static uint64_t probed;
static void probe(void *ctx, uint64_t cycle)
{
    (void)ctx;
    assert_int_equal(cycle, probed++);
}

struct variant {
    const char *backend;
    unsigned threads;
    int probed;
    const char *window; /* of a waveform, or NULL */
    int observed;       /* then an SM looks at all its stages in each step */
};

struct schedule {
    const char *sched;
    int idle; /* most of the time nothing happens */
    unsigned n, p;
    unsigned code_lines; /* in the instruction cache; 0: there is none */
    int narrow;          /* the load/store unit holds one instruction, and takes long for a line */
    unsigned clock;      /* sm.clock; 0: full */
};

/* Kernels of all kinds on a machine whose memory is so small that everything waits for everything,
 * unless it is idle; leaves the words that they used, and returns the statistics. */
static char *results(const struct variant *v, const struct schedule *policy, uint32_t words[WORDS])
{
    struct config c = test_config();
    struct bench b;
    char spec[128];
    c.run_threads = v->threads;
    c.run_observe = v->observed;
    strcpy(c.run_backend, v->backend);
    strcpy(c.run_sched, policy->sched);
    c.mask_n = policy->n, c.mask_p = policy->p;
    c.active_limit = NUM_WARPS / 2;
    c.l1i_sets = policy->code_lines, c.l1i_ways = 1;
    c.l1d_sets = 4, c.l1d_mshrs = 6, c.l1d_mshr_merge = 2, c.l1d_miss_queue = 3;
    c.xbar_buffer = 2, c.l2_sets = 4, c.l2_ways = 2, c.l2_mshrs = 4, c.dram_queue = 6;
    c.dram_bytes_per_cycle = 16, c.mem_queue = 3, c.xbar_latency = 13;
    if (policy->clock)
        c.sm_clock = policy->clock;
    if (policy->narrow)
        c.mem_queue = 1, c.l1d_interval = 7;
    if (policy->idle)
        c.sm_max_blocks = 1, c.dram_latency = 611;
    snprintf(spec, sizeof spec, "%s:%s", wave, v->window ? v->window : "");
    bench_open_wave(&b, &c, program, v->window ? spec : NULL, stats);
    if (v->probed)
        b.gpu->probe = probe;
    probed = 0;
    const uint64_t buffer = bench_buffer(&b, WORDS);
    for (uint32_t i = 0; i < WORDS; i++)
        bench_words(&b, buffer)[i] = i * 2654435761u;
    run(&b, "reverse", buffer, 40, 128);
    run(&b, "diverge", buffer, 33, 96);
    run(&b, "count", buffer, 50, 100);
    run(&b, "local", buffer, 20, 64);
    run(&b, "reverse", buffer + 64, 60, 128);
    if (v->probed)
        assert_int_equal(probed, gpu_cycle(b.gpu));
    memcpy(words, bench_words(&b, buffer), WORDS * sizeof *words);
    bench_close(&b);
    return comparable(stats);
}

static void always_the_same(void **state)
{
    (void)state;
    static const struct variant variants[] = {
        {"c", 1, 0, NULL, 0},        {"c", 2, 0, NULL, 0},        {"c", 3, 0, NULL, 0},
        {"c", 8, 0, NULL, 0},        {"c", 1, 1, NULL, 0},        {"c", 3, 1, NULL, 0},
        {"c", 1, 0, "100-700", 0},   {"c", 2, 0, "1234-1234", 0}, {"rtl", 2, 0, NULL, 0},
        {"lockstep", 1, 0, NULL, 0}, {"lockstep", 3, 0, NULL, 0}, {"c", 1, 0, NULL, 1},
    };
    static const struct schedule policies[] = {
        {"gto", 0, 0, 0, 0, 0, 0},       {"lrr", 0, 0, 0, 0, 0, 0},  {"oldest", 0, 0, 0, 0, 0, 0},
        {"youngest", 0, 0, 0, 0, 0, 0},  {"tl", 0, 0, 0, 0, 0, 0},   {"gto", 1, 0, 0, 0, 0, 0},
        {"gto", 0, 3, 2, 0, 0, 0},       {"gto", 1, 1, 0, 0, 0, 0},  {"lrr", 0, 2, 1, 0, 0, 0},
        {"tl", 0, 3, 0, 0, 0, 0},        {"gto", 0, 0, 0, 2, 0, 0},  {"lrr", 1, 0, 0, 4, 0, 0},
        {"tl-active", 0, 0, 0, 0, 0, 0}, {"ccws", 0, 0, 0, 0, 0, 0}, {"gto", 1, 0, 0, 0, 1, 0},
        {"gto", 0, 0, 0, 0, 0, 3},       {"lrr", 1, 3, 2, 2, 0, 5},
    };
    static uint32_t first_words[WORDS], words[WORDS];
    for (unsigned p = 0; p < sizeof policies / sizeof *policies; p++) {
        char *first = results(&variants[0], &policies[p], first_words);
        for (unsigned i = 1; i < sizeof variants / sizeof *variants; i++) {
            char *other = results(&variants[i], &policies[p], words);
            if (strcmp(first, other))
                fail_msg("policy %u: statistics of variant %u differ", p, i);
            assert_memory_equal(words, first_words, sizeof words);
            free(other);
        }
        free(first);
    }
}

#define ENDS 64

/* Kernels that end in every cycle of a window, one after the other: when the next one begins depends
 * on when the one before has come to rest. */
static void run_all(const struct config *c, const char *text, const char *written,
                    uint64_t starts[ENDS])
{
    struct bench b;
    bench_open_wave(&b, c, text, written, stats);
    for (int i = 0; i < ENDS; i++) {
        char kernel[16];
        snprintf(kernel, sizeof kernel, "k%d", i);
        bench_time(&b, kernel, 1, 32);
        starts[i] = b.result.start_cycle;
    }
    bench_close(&b);
}

static void the_next_kernel_begins_in_the_same_cycle(void **state)
{
    struct config c = test_config();
    static char text[ENDS * (ENDS * 24 + 128)];
    uint64_t with[ENDS], without[ENDS];
    FILE *f = fmemopen(text, sizeof text, "w");
    (void)state;
    assert_non_null(f);
    fputs(PTX_HEADER, f);
    for (int i = 0; i < ENDS; i++) {
        fprintf(f, ".entry k%d() { .reg .b32 %%r<2>;\n", i);
        for (int j = 0; j < i; j++)
            fputs("add.s32 %r0, %r1, 1;\n", f);
        fputs("ret; }\n", f);
    }
    fclose(f);
    strcpy(c.run_sched, "lrr");
    run_all(&c, text, NULL, without);
    run_all(&c, text, wave, with);
    for (int i = 0; i < ENDS; i++)
        assert_int_equal(with[i], without[i]);
}

int main(void)
{
    FILE *file = fopen("tests/tb/gpu/launch_test.ptx", "r");
    if (!file || fread(program, 1, sizeof program - 1, file) == 0)
        return perror("tests/tb/gpu/launch_test.ptx"), 1;
    fclose(file);
    if (!mkdtemp(directory))
        return perror(directory), 1;
    snprintf(stats, sizeof stats, "%s/stats.json", directory);
    snprintf(wave, sizeof wave, "%s/wave.fst", directory);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(always_the_same),
        cmocka_unit_test(the_next_kernel_begins_in_the_same_cycle),
    };
    const int result = cmocka_run_group_tests(tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command) ? 1 : result;
}
