/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/timeline/timeline_test.c: what a timeline says is what the statistics count: the slices of all SMs, added up by class;
 * and it is the same whoever decides, on however many threads, and whoever looks on besides. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "tb/timeline/timeline.h"
#include "tests/tb/gpu/statistics.h"
#include "tests/tb/timeline/trace_events.h"

#define WORDS 8192 /* of memory that kernels use */

static char program[32768]; /* launch_test.ptx, and `sines` */
static char directory[] = "/tmp/heddle-timeline-XXXXXX";
static char stats[64], file[64];
static struct trace_events events, others;

/* A machine, and who looks at it. */
struct variant {
    const char *sched, *backend;
    unsigned threads;
    int observed, active; /* run.observe; cpi.overlap = active */
    unsigned code_lines;  /* in the instruction cache; 0: there is none */
    int narrow;           /* the load/store unit holds one instruction, and takes long for a line */
    int alternate;        /* sched.alternate */
};

static void run(struct bench *b, const char *kernel, uint64_t words, uint32_t blocks,
                uint32_t threads)
{
    bench_param(b, words);
    bench_time(b, kernel, blocks, threads);
}

/* Runs kernels of all kinds on a machine in which everything waits for everything. With `choice` a timeline is written; what that
 * says on `said`, which may be NULL, is checked by the caller. */
static void run_kernels(const struct variant *v, const struct timeline_choice *choice)
{
    struct config c = test_config();
    struct bench b;
    c.run_threads = v->threads;
    c.run_observe = v->observed;
    strcpy(c.run_backend, v->backend);
    strcpy(c.run_sched, v->sched);
    strcpy(c.cpi_overlap, v->active ? "active" : "first");
    c.active_limit = NUM_WARPS / 2;
    c.sched_alternate = v->alternate;
    c.l1i_sets = v->code_lines, c.l1i_ways = 1;
    c.l1d_sets = 4, c.l1d_mshrs = 6, c.l1d_mshr_merge = 2, c.l1d_miss_queue = 3;
    c.l2_sets = 4, c.l2_ways = 2, c.l2_mshrs = 4, c.dram_queue = 6, c.mem_queue = 3;
    if (v->narrow)
        c.mem_queue = 1, c.l1d_interval = 7;
    bench_open(&b, &c, program, stats);
    if (choice)
        assert_int_equal(gpu_timeline(b.gpu, choice, stderr), 0);
    const uint64_t buffer = bench_buffer(&b, WORDS);
    for (uint32_t i = 0; i < WORDS; i++)
        bench_words(&b, buffer)[i] = i * 2654435761u;
    run(&b, "reverse", buffer, 40, 128);
    run(&b, "diverge", buffer, 33, 96);
    run(&b, "sines", buffer, 30, 128);
    run(&b, "count", buffer, 50, 100);
    run(&b, "local", buffer, 20, 64);
    run(&b, "diverge", buffer, 31, 32); /* blocks of one warp: not every scheduler has one */
    bench_close(&b);
}

static uint64_t count_of(const cJSON *root, const char *group, const char *name)
{
    const cJSON *totals = cJSON_GetObjectItem(root, "totals"),
                *cpi = cJSON_GetObjectItem(totals, "cpi"),
                *of = !strcmp(group, "warp_cycles") ? cJSON_GetObjectItem(cpi, group)
                                                    : cJSON_GetObjectItem(totals, group),
                *value = cJSON_GetObjectItem(of, name);
    if (!cJSON_IsNumber(value))
        fail_msg("the statistics lack %s.%s", group, name);
    return (uint64_t)value->valuedouble;
}

/* What a counter that is per cycle (`per` 1) or per 100 of them comes to until the last launch had ended. */
static uint64_t sum_of(const double *values, uint64_t per)
{
    const uint64_t end =
        events.launch[events.launches - 1].start + events.launch[events.launches - 1].cycles;
    double sum = 0;
    for (uint64_t cycle = 0; cycle < end; cycle += 100) {
        const uint64_t width = end - cycle < 100 ? end - cycle : 100;
        sum += per == 1 ? ceil(values[cycle] * (double)width - 1e-6) : values[cycle];
    }
    return (uint64_t)(sum + 0.5);
}

static void check_launches(const cJSON *root)
{
    const cJSON *kernels = cJSON_GetObjectItem(root, "kernels"), *kernel;
    unsigned i = 0;
    assert_int_equal(events.launches, cJSON_GetArraySize(kernels));
    cJSON_ArrayForEach(kernel, kernels)
    {
        assert_string_equal(events.launch[i].name,
                            cJSON_GetObjectItem(kernel, "name")->valuestring);
        assert_int_equal(events.launch[i].start, cJSON_GetObjectItem(kernel, "start")->valuedouble);
        assert_int_equal(events.launch[i].cycles,
                         cJSON_GetObjectItem(kernel, "cycles")->valuedouble);
        i++;
    }
}

/* Warps are there while a launch is. */
static void check_within_launches(void)
{
    for (uint64_t cycle = 0; cycle < events.end; cycle++) {
        int resident = 0, launched = 0;
        for (int track = 0; track < TRACE_TRACKS; track++)
            resident |= events.classes[track][cycle] != TRACE_NONE;
        for (uint64_t l = 0; l < events.launches; l++)
            launched |= cycle >= events.launch[l].start &&
                        cycle < events.launch[l].start + events.launch[l].cycles;
        if (resident && !launched)
            fail_msg("a warp in cycle %lu, and no launch", cycle);
    }
}

static const struct variant variants[] = {
    {"gto", "c", 1, 0, 0, 0, 0, 0},  {"lrr", "c", 2, 0, 1, 0, 0, 0},
    {"tl", "c", 1, 1, 0, 2, 0, 0},   {"icmt", "lockstep", 2, 0, 0, 0, 0, 0},
    {"ccws", "c", 1, 0, 0, 0, 1, 0}, {"tl-active", "rtl", 1, 0, 1, 0, 0, 0},
    {"gtls", "c", 1, 0, 0, 0, 0, 1},
};
#define NUM_VARIANTS (sizeof variants / sizeof variants[0])

static void says_what_the_statistics_count(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_VARIANTS; i++) {
        uint64_t cycles[TRACE_CLASSES] = {0}, misses = 0, issued = 0, warps = 0;
        run_kernels(&variants[i], NULL);
        char *without = comparable(stats);
        for (unsigned sm = 0; sm < NUM_SMS; sm++) {
            run_kernels(&variants[i], &(struct timeline_choice){file, sm, 100});
            trace_events_read(&events, file, sm, 1);
            for (int class = 0; class < TRACE_CLASSES; class ++)
                cycles[class] += events.cycles[class];
            warps += events.blocks;
            misses += sum_of(events.misses, 100);
            issued += sum_of(events.ipc, 1);
            assert_int_equal(sum_of(events.ready, 1), events.cycles[0] + events.cycles[10]);
        }
        char *with = comparable(stats);
        assert_string_equal(with, without); /* it steers nothing */
        free(with);
        free(without);
        cJSON *root = statistics_of(stats);
        for (int class = 0; class < TRACE_CLASSES; class ++)
            if (cycles[class] != count_of(root, "warp_cycles", trace_classes[class]))
                fail_msg("variant %zu: %s: %lu cycles in the timelines, %lu in the statistics", i,
                         trace_classes[class], cycles[class],
                         count_of(root, "warp_cycles", trace_classes[class]));
        assert_int_equal(misses, count_of(root, "l1d", "misses"));
        assert_int_equal(issued, cycles[0]);
        assert_int_equal(
            warps, cJSON_GetObjectItem(
                       cJSON_GetObjectItem(cJSON_GetObjectItem(root, "totals"), "cpi"), "warps")
                       ->valuedouble);
        for (int class = 0; class < TRACE_CLASSES; class ++)
            assert_true(i || cycles[class]); /* else it would be no test of it */
        check_launches(root);
        check_within_launches();
        cJSON_Delete(root);
    }
}

static char *text_of(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = calloc(1, 64 << 20);
    assert_true(f && text);
    assert_true(fread(text, 1, (64 << 20) - 1, f) > 1000);
    fclose(f);
    return text;
}

static void always_the_same(void **state)
{
    (void)state;
    static const struct variant same[] = {{"gto", "c", 1, 0, 0, 0, 0, 0},
                                          {"gto", "c", 2, 0, 0, 0, 0, 0},
                                          {"gto", "c", 5, 1, 0, 0, 0, 0},
                                          {"gto", "rtl", 1, 0, 0, 0, 0, 0},
                                          {"gto", "lockstep", 2, 1, 0, 0, 0, 0}};
    const struct timeline_choice choice = {file, 3, 100};
    run_kernels(&same[0], &choice);
    char *first = text_of(file);
    for (size_t i = 1; i < sizeof same / sizeof same[0]; i++) {
        run_kernels(&same[i], &choice);
        char *other = text_of(file);
        if (strcmp(first, other) != 0)
            fail_msg("variant %zu differs", i);
        free(other);
    }
    free(first);
}

/* In a window each cycle is as in the whole. */
static void windows(void **state)
{
    (void)state;
    static const struct cycles {
        uint64_t first, last;
    } cycles[] = {{0, 50}, {100, 700}, {333, 333}, {950, 1049}, {1234, 5000}, {700, 60000}};
    run_kernels(&variants[0], &(struct timeline_choice){file, 0, 100});
    trace_events_read(&others, file, 0, 1);
    for (size_t i = 0; i < sizeof cycles / sizeof cycles[0]; i++) {
        char spec[128];
        uint64_t launches = 0;
        snprintf(spec, sizeof spec, "%s:%lu-%lu", file, cycles[i].first, cycles[i].last);
        run_kernels(&variants[0], &(struct timeline_choice){spec, 0, 100});
        trace_events_read(&events, file, 0, 0);
        for (int track = 0; track < TRACE_TRACKS; track++)
            for (uint64_t cycle = 0; cycle < TRACE_CYCLES; cycle++) {
                const int in = cycle >= cycles[i].first && cycle <= cycles[i].last;
                if (events.classes[track][cycle] !=
                    (in ? others.classes[track][cycle] : TRACE_NONE))
                    fail_msg("window %zu: track %d is another in cycle %lu", i, track, cycle);
            }
        for (uint64_t l = 0; l < others.launches; l++)
            launches += others.launch[l].start <= cycles[i].last &&
                        others.launch[l].start + others.launch[l].cycles > cycles[i].first;
        assert_int_equal(events.launches, launches);
        for (uint64_t cycle = (cycles[i].first + 99) / 100 * 100;
             cycle + 99 <= cycles[i].last && cycle < others.end; cycle += 100)
            assert_true(events.ipc[cycle] == others.ipc[cycle]);
    }
}

/* A file that has come to its limit is whole, and what it says up to there is right. */
static void limit(void **state)
{
    (void)state;
    run_kernels(&variants[0], &(struct timeline_choice){file, 0, 100});
    trace_events_read(&others, file, 0, 1);
    assert_false(others.incomplete);
    run_kernels(&variants[0], &(struct timeline_choice){file, 0, 1});
    trace_events_read(&events, file, 0, 1);
    assert_true(events.incomplete);
    assert_true(events.end < others.end && events.end > 100);
    char *text = text_of(file);
    assert_in_range(strlen(text), 1000000, 1000000 + 20000);
    free(text);
    for (int track = 0; track < TRACE_TRACKS; track++)
        for (uint64_t cycle = 0; cycle + 1 < events.end; cycle++)
            if (events.classes[track][cycle] != others.classes[track][cycle])
                fail_msg("track %d is another in cycle %lu", track, cycle);
}

/* Kernels that are stopped leave their warps where they were; the next one begins anew. */
static void after_a_limit(void **state)
{
    (void)state;
    for (int64_t most = 1; most < 400; most += 7) {
        struct config c = test_config();
        struct bench b;
        c.run_max_cycles = most;
        bench_open(&b, &c, program, stats);
        assert_int_equal(gpu_timeline(b.gpu, &(struct timeline_choice){file, 0, 100}, stderr), 0);
        const uint64_t buffer = bench_buffer(&b, WORDS);
        bench_param(&b, buffer);
        assert_int_equal(bench_run(&b, "reverse", 60, 128), GPU_LIMIT);
        bench_param(&b, buffer);
        bench_run(&b, "sines", 30, 128);
        bench_close(&b);
        trace_events_read(&events, file, 0, 1);
        assert_int_equal(events.launches, 2);
        check_within_launches();
    }
}

/* What cannot be done is said before anything runs. */
static void refusals(void **state)
{
    (void)state;
    static const struct {
        struct timeline_choice choice;
        int timing;
        const char *says;
    } rows[] = {
        {{"/nowhere/t.json", 0, 1}, 1, "/nowhere/t.json: cannot be written"},
        {{"/tmp/t.json:5-4", 0, 1}, 1, "expected FILE.json or FILE.json:FROM-TO"},
        {{"/tmp/t.json:x", 0, 1}, 1, "expected FILE.json or FILE.json:FROM-TO"},
        {{":1-2", 0, 1}, 1, "expected FILE.json or FILE.json:FROM-TO"},
        {{file, NUM_SMS, 1}, 1, "this machine has SMs 0 to "},
        {{file, 0, 1}, 0, "[run] timing = 0: a timeline is of cycles"},
        {{file, 0, 1}, 1, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct config c = test_config();
        char *said;
        size_t length;
        FILE *err = open_memstream(&said, &length);
        c.run_timing = rows[i].timing;
        assert_int_equal(timeline_check(&rows[i].choice, &c, err), *rows[i].says ? -1 : 0);
        fclose(err);
        if (!strstr(said, rows[i].says) || (length > 0) != !!*rows[i].says)
            fail_msg("row %zu: %s", i, said);
        free(said);
    }
}

int main(void)
{
    static const char sines[] = ".visible .entry sines(.param .u64 pa)\n{\n.reg .f32 %f<9>;\n"
                                ".reg .b32 %r<4>;\nmov.u32 %r1, %tid.x;\ncvt.rn.f32.u32 %f1, %r1;\n"
                                "sin.approx.f32 %f2, %f1;\nsin.approx.f32 %f3, %f2;\n"
                                "cos.approx.f32 %f4, %f1;\nex2.approx.f32 %f5, %f1;\n"
                                "sin.approx.f32 %f6, %f5;\nret;\n}\n";
    FILE *f = fopen("tests/tb/gpu/launch_test.ptx", "r");
    if (!f || fread(program, 1, sizeof program - sizeof sines, f) == 0)
        return perror("tests/tb/gpu/launch_test.ptx"), 1;
    fclose(f);
    strcat(program, sines);
    if (!mkdtemp(directory))
        return perror(directory), 1;
    snprintf(stats, sizeof stats, "%s/stats.json", directory);
    snprintf(file, sizeof file, "%s/timeline.json", directory);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_the_statistics_count),
        cmocka_unit_test(always_the_same),
        cmocka_unit_test(windows),
        cmocka_unit_test(limit),
        cmocka_unit_test(after_a_limit),
        cmocka_unit_test(refusals),
    };
    const int result = cmocka_run_group_tests(tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command) ? 1 : result;
}
