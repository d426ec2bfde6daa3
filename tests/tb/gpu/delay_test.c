/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/delay_test.c: units that steer late (<stem>.delay) in the machine: kernels compute
 * what they should, in the same cycles whoever decides and whoever watches; and lateness costs what
 * it must. */
#include <stdlib.h>
#include <unistd.h>

#include "tests/tb/gpu/statistics.h"

#define WORDS 8192 /* of memory that kernels use */

static char program[16384]; /* launch_test.ptx */
static char directory[] = "/tmp/heddle-delay-XXXXXX";
static char stats[64], wave[64];

/* Who decides, and who watches. */
struct variant {
    const char *backend;
    unsigned threads;
    int probed;
    const char *window; /* of a waveform, or NULL */
};

/* What is decided, and how late. */
struct schedule {
    const char *sched, *dispatch;
    int64_t n, p, wia, mask, gpu;
};

static struct config late_config(const struct schedule *s)
{
    struct config c = test_config();
    strcpy(c.run_sched, s->sched);
    c.active_limit = NUM_WARPS / 2;
    strcpy(c.run_dispatch, s->dispatch);
    c.mask_n = s->n;
    c.mask_p = s->p;
    c.wia_delay = s->wia;
    c.mask_delay = s->mask;
    c.dispatch_delay = s->gpu;
    return c;
}

static void watch(void *ctx, uint64_t cycle)
{
    (void)ctx, (void)cycle;
}

/* Runs kernels of all kinds; leaves the words that they used, and returns the statistics. */
static char *results(const struct variant *v, const struct config *config, uint32_t words[WORDS])
{
    static const struct {
        const char *kernel;
        uint32_t blocks, threads;
    } kernels[] = {{"reverse", 20, 128}, {"diverge", 13, 96}, {"count", 16, 100}, {"local", 7, 64}};
    struct config c = *config;
    struct bench b;
    char spec[128];
    c.run_threads = v->threads;
    strcpy(c.run_backend, v->backend);
    c.l1d_sets = 4, c.l1d_mshrs = 6, c.l1d_mshr_merge = 2, c.l1d_miss_queue = 3;
    snprintf(spec, sizeof spec, "%s:%s", wave, v->window ? v->window : "");
    bench_open_wave(&b, &c, program, v->window ? spec : NULL, stats);
    if (v->probed)
        b.gpu->probe = watch;
    const uint64_t buffer = bench_buffer(&b, WORDS);
    for (uint32_t i = 0; i < WORDS; i++)
        bench_words(&b, buffer)[i] = i * 2654435761u;
    for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        bench_param(&b, buffer + 256 * i);
        bench_time(&b, kernels[i].kernel, kernels[i].blocks, kernels[i].threads);
    }
    memcpy(words, bench_words(&b, buffer), WORDS * sizeof *words);
    bench_close(&b);
    return comparable(stats);
}

static void always_the_same(void **unused)
{
    (void)unused;
    static const struct variant variants[] = {
        {"c", 1, 0, NULL},        {"c", 3, 0, NULL},        {"c", 1, 1, NULL},
        {"c", 1, 0, "300-900"},   {"rtl", 1, 0, NULL},      {"rtl", 3, 0, NULL},
        {"lockstep", 1, 0, NULL}, {"lockstep", 3, 0, NULL},
    };
    static const struct schedule schedules[] = {
        {"gto", "lrr", 0, 0, 1, 0, 0},        {"lrr", "lrr", 0, 0, 3, 0, 0},
        {"gto", "lrr", 2, 1, 0, 5, 0},        {"lrr", "bcs", 2, 1, 0, 1, 0},
        {"gto", "lrr", 0, 0, 0, 0, 7},        {"gto", "bcs", 0, 0, 0, 0, 40},
        {"tl", "lrr", 0, 0, 2, 0, 0},         {"oldest", "lrr", 3, 0, 2, 3, 1},
        {"youngest", "bcs", 1, 0, 4, 2, 100}, {"tl-active", "lrr", 0, 0, 2, 0, 0},
    };
    static const struct schedule in_time = {"gto", "lrr", 0, 0, 0, 0, 0};
    static uint32_t right[WORDS], words[WORDS];
    struct config c = late_config(&in_time);
    free(results(&variants[0], &c, right));
    for (unsigned s = 0; s < sizeof schedules / sizeof *schedules; s++) {
        c = late_config(&schedules[s]);
        char *first = results(&variants[0], &c, words);
        assert_memory_equal(words, right, sizeof words);
        for (unsigned i = 1; i < sizeof variants / sizeof *variants; i++) {
            char *other = results(&variants[i], &c, words);
            if (strcmp(first, other))
                fail_msg("schedule %u: statistics of variant %u differ", s, i);
            assert_memory_equal(words, right, sizeof words);
            free(other);
        }
        free(first);
    }
}

/* A block comes so much later, and that is all. */
static void a_late_dispatcher_delays_the_block(void **unused)
{
    (void)unused;
    static const char *const kernels[] = {"reverse", "diverge", "count"};
    static const int64_t delays[] = {0, 1, 7, 33, 1024};
    for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        uint64_t in_time[2] = {0};
        for (unsigned d = 0; d < sizeof delays / sizeof *delays; d++) {
            struct config c = test_config();
            struct bench b;
            c.dispatch_delay = delays[d];
            bench_open(&b, &c, program, NULL);
            for (unsigned again = 0; again < 2; again++) {
                bench_param(&b, bench_buffer(&b, 128));
                const uint64_t time = bench_time(&b, kernels[k], 1, 128);
                in_time[again] = d ? in_time[again] : time;
                assert_int_equal(time, in_time[again] + (uint64_t)delays[d]);
            }
            bench_close(&b);
        }
    }
}

/* Independent instructions that nothing but the arbiter holds back, and no memory. */
static char *busy(void)
{
    static char text[4096];
    strcpy(text, PTX_HEADER ".entry k()\n{\n.reg .b32 %r<61>;\nmov.u32 %r0, %laneid;\n");
    for (int i = 1; i <= 60; i++)
        sprintf(text + strlen(text), "add.u32 %%r%d, 7, %d;\n", i, i);
    return strcat(text, "ret;\n}\n");
}

/* Kernels that are stopped while blocks are on their way leave none to the next one. */
static void a_stopped_kernel_leaves_nothing(void **unused)
{
    (void)unused;
    for (int64_t delay = 1; delay <= 100; delay += 33)
        for (unsigned stop = 1; stop < 400; stop += 23) {
            struct config c = test_config();
            struct bench b;
            c.dispatch_delay = delay;
            c.sm_max_blocks = 3;
            bench_open(&b, &c, busy(), NULL);
            const uint64_t alone = bench_time(&b, "k", 8 * NUM_SMS, 64);
            assert_true(alone > 400);
            b.gpu->config.run_max_cycles = stop;
            assert_int_equal(bench_run(&b, "k", 8 * NUM_SMS, 64), GPU_LIMIT);
            assert_int_equal(b.gpu->dispatcher.kernels[0].done, 1);
            b.gpu->config.run_max_cycles = 0;
            assert_int_equal(bench_time(&b, "k", 8 * NUM_SMS, 64), alone);
            bench_close(&b);
        }
}

static uint64_t issue_bound(const char *sched, int64_t delay)
{
    struct config c = test_config();
    struct bench b;
    strcpy(c.run_sched, sched);
    c.sp_interval = c.sm_fetch_latency = 1;
    c.wia_delay = delay;
    bench_open(&b, &c, busy(), NULL);
    const uint64_t cycles = bench_time(&b, "k", 1, 32 * NUM_SCHEDULERS * NUM_WARPS);
    assert_int_equal(bench_stats(&b)->sums.sm.warp_instructions, 62 * NUM_SCHEDULERS * NUM_WARPS);
    bench_close(&b);
    return cycles;
}

static void a_late_arbiter_costs_issues(void **unused)
{
    (void)unused;
    static const char *const policies[] = {"lrr", "gto", "oldest", "youngest", "tl", "tl-active"};
    for (unsigned i = 0; i < sizeof policies / sizeof *policies; i++) {
        const uint64_t in_time = issue_bound(policies[i], 0);
        for (int64_t delay = 1; delay <= 8; delay++)
            assert_true(issue_bound(policies[i], delay) > in_time);
    }
}

/* A warp that is granted late may not be ready any more: what is shown as granted has issued. */
static struct gpu *shown;
static uint64_t grants_shown;

static void count_grants(void *ctx, uint64_t cycle)
{
    (void)ctx;
    for (unsigned i = 0; i < NUM_SMS * NUM_SCHEDULERS; i++) {
        struct sm_context now;
        sm_context(shown->sms[i / NUM_SCHEDULERS], i % NUM_SCHEDULERS, cycle, &now);
        grants_shown += now.stepped && now.grant != NO_CHOICE;
    }
}

static void grants_that_come_too_late(void **unused)
{
    (void)unused;
    for (int64_t delay = 0; delay < 6; delay++) {
        struct config c = test_config();
        struct bench b;
        c.wia_delay = delay;
        bench_open(&b, &c, busy(), NULL);
        shown = b.gpu;
        grants_shown = 0;
        b.gpu->probe = count_grants;
        bench_time(&b, "k", 1, 64);
        assert_int_equal(grants_shown, bench_stats(&b)->sums.sm.warp_instructions);
        bench_close(&b);
    }
}

/* delay = 0 is no lateness at all. */
static void zero_is_no_delay(void **unused)
{
    (void)unused;
    static const struct variant alone = {"c", 1, 0, NULL};
    static uint32_t words[WORDS];
    static const char *const keys[] = {"wia.delay=0", "mask.delay=0", "dispatch.delay=0"};
    struct config c = test_config();
    c.mask_n = 2;
    char *without = results(&alone, &c, words);
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_int_equal(config_set(&c, keys[i], stderr), 0);
    char *with = results(&alone, &c, words);
    assert_string_equal(with, without);
    free(with);
    free(without);
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
        cmocka_unit_test(a_late_dispatcher_delays_the_block),
        cmocka_unit_test(a_stopped_kernel_leaves_nothing),
        cmocka_unit_test(a_late_arbiter_costs_issues),
        cmocka_unit_test(grants_that_come_too_late),
        cmocka_unit_test(zero_is_no_delay),
    };
    const int result = cmocka_run_group_tests_name("tb/gpu/delay", tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command) ? 1 : result;
}
