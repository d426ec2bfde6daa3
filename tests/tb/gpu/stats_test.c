/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/stats_test.c: the statistics file: what stands in it, that it is the same for every
 * backend, and that it is written for failed kernels too. */
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/tb/gpu/statistics.h"

static const char kernels[] = PTX_HEADER
    ".visible .entry copy(.param .u64 p)\n{\n.reg .b32 %r<6>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
    "mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.u32 %r5, [%rd3];\nst.global.u32 [%rd3], %r5;\nret;\n}\n"
    ".visible .entry bad()\n{\n.reg .b32 %r<2>;\n.reg .b64 %rd<2>;\nmov.u64 %rd1, 16;\n"
    "ld.global.u32 %r1, [%rd1];\nret;\n}\n"
    ".visible .entry turns()\n{\n.reg .b32 %r<3>;\n.reg .pred %p<3>;\nmov.u32 %r1, 0;\n"
    "mov.u32 %r2, %tid.x;\nagain:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 7;\n"
    "@%p1 bra again;\nsetp.eq.u32 %p2, %r2, 1000;\n@%p2 bra over;\nand.b32 %r2, %r2, 1;\n"
    "ways: .branchtargets even, odd;\nbrx.idx %r2, ways;\neven:\nadd.u32 %r1, %r1, 2;\n"
    "bra.uni over;\nodd:\nadd.u32 %r1, %r1, 3;\nover:\nret;\n}\n";

static char directory[] = "/tmp/heddle-stats-XXXXXX";
static char path[64];

static const cJSON *at(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!item)
        fail_msg("no member %s", name);
    return item;
}

static double value(const cJSON *object, const char *name)
{
    const cJSON *item = at(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* Two kernels on a machine with this backend; the file it leaves. */
static cJSON *file_of(const char *backend)
{
    struct config c = test_config();
    struct bench b;
    snprintf(c.run_backend, sizeof c.run_backend, "%s", backend);
    bench_open(&b, &c, kernels, path);
    uint64_t words = bench_buffer(&b, 128 * 60);
    for (unsigned i = 0; i < 2; i++) {
        bench_param(&b, words);
        bench_time(&b, "copy", i ? 60 : 10, 128);
    }
    bench_close(&b);
    return statistics_of(path);
}

static double sum(const cJSON *object)
{
    double result = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, object) result += item->valuedouble;
    return result;
}

static void contents(void **state)
{
    (void)state;
    cJSON *root = file_of("c");
    assert_string_equal(at(root, "config")->valuestring, "test");
    assert_string_equal(at(root, "sched")->valuestring, "gto");
    assert_string_equal(at(root, "backend")->valuestring, "c");
    const cJSON *list = at(root, "kernels"), *total = at(root, "totals");
    assert_int_equal(cJSON_GetArraySize(list), 2);
    static const char *const sums[] = {"cycles", "warp_instructions", "thread_instructions",
                                       "blocks", "global_loads"};
    for (unsigned i = 0; i < sizeof sums / sizeof *sums; i++) {
        const cJSON *first = cJSON_GetArrayItem(list, 0), *second = cJSON_GetArrayItem(list, 1);
        assert_true(value(total, sums[i]) == value(first, sums[i]) + value(second, sums[i]));
    }
    const cJSON *k = cJSON_GetArrayItem(list, 1);
    assert_string_equal(at(k, "name")->valuestring, "copy");
    assert_string_equal(at(k, "status")->valuestring, "ok");
    assert_true(value(k, "blocks") == 60);
    assert_true(value(k, "warp_instructions") == 60 * 4 * 10);
    assert_true(value(k, "thread_instructions") == 60 * 4 * 10 * 32);
    assert_true(value(k, "global_loads") == 60 * 4);
    assert_true(sum(at(k, "instructions")) == value(k, "warp_instructions"));
    assert_true(value(at(k, "instructions"), "gmem") == 60 * 4 * 2); /* a load and a store */
    const double cycles = value(k, "cycles");
    assert_float_equal(value(k, "ipc"), value(k, "warp_instructions") / cycles, 1e-12);
    assert_float_equal(value(k, "thread_ipc"), value(k, "thread_instructions") / cycles, 1e-12);
    assert_true(sum(at(k, "issue")) == value(k, "cycles") * NUM_SMS * NUM_SCHEDULERS);
    const cJSON *l1d = at(k, "l1d"), *xbar = at(k, "xbar"), *l2 = at(k, "l2"),
                *dram = at(k, "dram");
    assert_true(value(l1d, "accesses") == 60 * 4);
    assert_true(value(l1d, "hits") + value(l1d, "misses") == value(l1d, "accesses"));
    assert_true(cJSON_IsObject(at(l1d, "reservation_failures")));
    assert_true(value(xbar, "reads") == 240 && value(xbar, "writes") == 240);
    assert_true(value(l2, "accesses") == 480 && value(l2, "reads") == 240);
    /* The first kernel has left its 40 lines in L2; lines that are read are there when written. */
    assert_true(value(l2, "read_hits") == 40 && value(l2, "misses") == 200);
    assert_true(value(dram, "reads") == 200 && value(dram, "bytes") == 200 * 128);
    assert_true(cJSON_IsObject(at(l2, "stalls")));
    assert_true(value(at(k, "l1c"), "accesses") == 0);
    const cJSON *occupancy = at(k, "occupancy");
    assert_true(value(occupancy, "blocks_per_sm") <= 8);
    assert_true(cJSON_GetArraySize(at(occupancy, "limited_by")) >= 1);
    assert_true(value(occupancy, "registers_per_thread") == 3);
    assert_true(value(at(k, "spills"), "values") == 0);
    const cJSON *edges = at(root, "warp_edges");
    assert_true(value(edges, "FREE->START") == 70 * 4);
    assert_true(value(edges, "DONE->FREE") == 70 * 4);
    assert_true(value(edges, "RUN->BARRIER") == 0);
    assert_true(value(at(root, "settings"), "sp.latency") == 22);
    const cJSON *host = at(root, "host");
    assert_true(value(host, "wall_seconds") > 0 && value(host, "threads") == 1);
    struct rusage used; /* it only grows, and this process needs more than a megabyte */
    assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
    assert_in_range((uint64_t)value(host, "peak_memory_mb"), 1, (uint64_t)used.ru_maxrss / 1024);
    assert_int_equal(access(path, F_OK), 0);
    cJSON_Delete(root);
}

/* A warp goes round seven times; one branch nobody takes; lanes part at an indirect one, after which the even lanes jump. */
static void branches_are_counted(void **state)
{
    (void)state;
    const struct config c = test_config();
    struct bench b;
    bench_open(&b, &c, kernels, path);
    assert_int_equal(bench_run(&b, "turns", 5, 64), GPU_OK);
    bench_close(&b);
    cJSON *root = statistics_of(path);
    assert_true(value(at(root, "totals"), "branches") == 5 * 2 * (7 + 1 + 1 + 1));
    cJSON_Delete(root);
}

static void backends_agree(void **state)
{
    (void)state;
    static const char *const backends[] = {"c", "c", "rtl", "lockstep"};
    char *first = NULL;
    for (unsigned i = 0; i < 4; i++) {
        cJSON *root = file_of(backends[i]);
        const cJSON *wia = at(at(root, "lockstep"), "wia");
        assert_true(value(wia, "mismatches") == 0);
        assert_int_equal(value(wia, "cycles") > 0, i == 3);
        cJSON_Delete(root);
        char *text = comparable(path);
        if (!first)
            first = strdup(text);
        assert_string_equal(text, first);
        free(text);
    }
    free(first);
}

/* Runs `copy` as the kernel of this number. */
static void run_as(struct bench *b, unsigned number, uint64_t words)
{
    const struct gpu_launch launch = {.kernel = ptx_kernel(b->module, "copy"),
                                      .params = (const uint8_t *)&words,
                                      .grid = {3, 1, 1},
                                      .block = {128, 1, 1},
                                      .work_dim = 1};
    unsigned ended;
    assert_int_equal(gpu_begin(b->gpu, number, &launch, &b->result), GPU_OK);
    assert_int_equal(gpu_advance(b->gpu, &ended), GPU_OK);
}

/* The file of a machine with this dispatching policy that has run one kernel as the first and, under kmu, two as the second. */
static cJSON *edges_under(const char *dispatch, const char *backend)
{
    struct config c = test_config();
    struct bench b;
    snprintf(c.run_backend, sizeof c.run_backend, "%s", backend);
    snprintf(c.run_dispatch, sizeof c.run_dispatch, "%s", dispatch);
    bench_open(&b, &c, kernels, path);
    const uint64_t words = bench_buffer(&b, 3 * 128);
    for (unsigned i = 0; i < 3; i++)
        if (i == 0 || gpu_kernels(b.gpu) > 1)
            run_as(&b, i != 0, words);
    bench_close(&b);
    return statistics_of(path);
}

/* A kernel goes once along each of these three edges of fsm/dispatch.def and fsm/kmu.def. */
static void went_round(const cJSON *edges, double times, int num_edges)
{
    assert_int_equal(cJSON_GetArraySize(edges), num_edges);
    assert_true(value(edges, "IDLE->SEARCH") == times);
    assert_true(value(edges, "SEARCH->DRAIN") == times);
    assert_true(value(edges, "DRAIN->IDLE") == times);
}

/* Of a unit with one state machine its edges, of one with two those of each, by the register that it moves. */
static void edges_of_every_state_machine(void **state)
{
    (void)state;
    static const char *const backends[] = {"c", "rtl", "lockstep"};
    for (unsigned i = 0; i < 3; i++) {
        cJSON *root = edges_under("kmu", backends[i]);
        const cJSON *kmu = at(root, "kmu_edges");
        assert_int_equal(cJSON_GetArraySize(kmu), 2);
        went_round(at(kmu, "state_0"), 1, 3);
        went_round(at(kmu, "state_1"), 2, 3);
        cJSON_Delete(root);
        root = edges_under("lrr", backends[i]);
        went_round(at(root, "dispatch_edges"), 1, 6);
        cJSON_Delete(root);
    }
}

static void faults_are_written_at_once(void **state)
{
    (void)state;
    const struct config c = test_config();
    struct bench b;
    bench_open(&b, &c, kernels, path);
    unlink(path);
    assert_int_equal(bench_run(&b, "bad", 1, 32), GPU_FAULT);
    cJSON *root = statistics_of(path);
    const cJSON *k = cJSON_GetArrayItem(at(root, "kernels"), 0);
    assert_string_equal(at(k, "name")->valuestring, "bad");
    assert_string_equal(at(k, "status")->valuestring, "fault");
    assert_true(value(k, "warp_instructions") == 2);
    cJSON_Delete(root);
    bench_close(&b);
}

static void unwritable_file_is_reported(void **state)
{
    (void)state;
    const struct config c = test_config();
    char text[256] = "";
    FILE *err = fmemopen(text, sizeof text, "w");
    const struct stats none = {0};
    assert_int_equal(stats_write(&none, &c, "/nonexistent/stats.json", err), -1);
    fclose(err);
    assert_non_null(strstr(text, "/nonexistent/stats.json"));
}

/* Launches by kernel and geometry, as the file of the same run without folding has them. */
static void like_launches_are_folded(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        uint32_t blocks, threads;
        int folded; /* into which */
    } launches[] = {{"copy", 10, 128, 0}, {"copy", 60, 128, 1}, {"copy", 10, 128, 0},
                    {"copy", 10, 64, 2},  {"copy", 10, 128, 0}, {"copy", 60, 128, 1},
                    {"bad", 1, 32, 3},    {"bad", 1, 32, 3}};
    enum { LAUNCHES = sizeof launches / sizeof *launches, FOLDED = 4 };
    cJSON *roots[2];
    for (int fold = 0; fold < 2; fold++) {
        struct config c = test_config();
        struct bench b;
        c.run_fold = fold;
        bench_open(&b, &c, kernels, path);
        const uint64_t words = bench_buffer(&b, 128 * 60);
        for (unsigned i = 0; i < LAUNCHES; i++) {
            if (strcmp(launches[i].kernel, "bad"))
                bench_param(&b, words);
            bench_run(&b, launches[i].kernel, launches[i].blocks, launches[i].threads);
        }
        bench_close(&b);
        roots[fold] = statistics_of(path);
    }
    const cJSON *all = at(roots[0], "kernels"), *folded = at(roots[1], "kernels");
    assert_int_equal(cJSON_GetArraySize(all), LAUNCHES);
    assert_int_equal(cJSON_GetArraySize(folded), FOLDED);
    for (int f = 0; f < FOLDED; f++) {
        const cJSON *sum = cJSON_GetArrayItem(folded, f), *first = NULL;
        double count = 0, cycles = 0, hits = 0, latest = 0;
        for (int i = 0; i < LAUNCHES; i++) {
            const cJSON *one = cJSON_GetArrayItem(all, i);
            if (launches[i].folded != f)
                continue;
            first = first ? first : one;
            count++;
            cycles += value(one, "cycles");
            hits += value(at(one, "l1d"), "accesses");
            latest = value(one, "ipc");
            assert_string_equal(at(sum, "name")->valuestring, launches[i].kernel);
            assert_true(cJSON_GetArrayItem(at(sum, "grid"), 0)->valuedouble == launches[i].blocks);
            assert_true(cJSON_GetArrayItem(at(sum, "block"), 0)->valuedouble ==
                        launches[i].threads);
            assert_true(cJSON_Compare(at(sum, "occupancy"), at(one, "occupancy"), 1));
            assert_string_equal(at(sum, "status")->valuestring, at(one, "status")->valuestring);
        }
        assert_true(value(sum, "launches") == count);
        assert_true(value(sum, "start") == value(first, "start"));
        assert_true(value(sum, "cycles") == cycles);
        assert_true(value(at(sum, "l1d"), "accesses") == hits);
        assert_true(latest == 0 || (value(sum, "ipc") > 0 && value(sum, "ipc") < 10 * latest));
    }
    assert_true(cJSON_Compare(at(roots[0], "totals"), at(roots[1], "totals"), 1));
    assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(all, 0), "launches"));
    cJSON_Delete(roots[0]);
    cJSON_Delete(roots[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contents),
        cmocka_unit_test(branches_are_counted),
        cmocka_unit_test(backends_agree),
        cmocka_unit_test(edges_of_every_state_machine),
        cmocka_unit_test(like_launches_are_folded),
        cmocka_unit_test(faults_are_written_at_once),
        cmocka_unit_test(unwritable_file_is_reported),
    };
    if (!mkdtemp(directory))
        return 1;
    snprintf(path, sizeof path, "%s/stats.json", directory);
    int result = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    rmdir(directory);
    return result;
}
