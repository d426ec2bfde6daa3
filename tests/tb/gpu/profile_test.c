/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/profile_test.c: the profile of a machine: a kernel whose reuse is known by
 * construction; sums against L1D's counters; the same from any number of host threads; and nothing
 * else changes. */
#include <stdlib.h>
#include <unistd.h>

#include "tests/tb/gpu/statistics.h"

static char events_ptx[8192]; /* events_test.ptx */
static char directory[] = "/tmp/heddle-profile-XXXXXX";
static char profile[64], stats[64];

/* Two blocks after each other on every SM, of two warps each. Eight lanes of a warp load a line
 * each: `a`; the same lines again, once they are there: `b`; after a barrier, those of the other
 * warp: `c`. Then a warp of its block goes along a line in a loop: `d`. */
static const char reuse[] = PTX_HEADER
    ".visible .entry reuse(.param .u64 p)\n{\n.reg .b32 %r<16>;\n.reg .b64 %rd<16>;\n"
    ".reg .pred %p<4>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
    "and.b32 %r3, %r1, 31;\nshr.u32 %r4, %r1, 5;\nsetp.lt.u32 %p1, %r3, 8;\n"
    "mul.wide.u32 %rd2, %r3, 128;\nadd.s64 %rd2, %rd1, %rd2;\nmul.wide.u32 %rd3, %r4, 1024;\n"
    "add.s64 %rd4, %rd2, %rd3;\nmov.u32 %r5, 0;\n"
    "@%p1 ld.global.u32 %r5, [%rd4];\n" /* a */
    "and.b32 %r5, %r5, 0;\ncvt.u64.u32 %rd5, %r5;\nadd.s64 %rd6, %rd4, %rd5;\n"
    "@%p1 ld.global.u32 %r6, [%rd6];\n" /* b */
    "and.b32 %r6, %r6, 0;\nbar.sync 0;\nxor.b32 %r7, %r4, 1;\nadd.u32 %r7, %r7, %r6;\n"
    "mul.wide.u32 %rd7, %r7, 1024;\nadd.s64 %rd8, %rd2, %rd7;\n"
    "@%p1 ld.global.u32 %r8, [%rd8];\n" /* c */
    "shl.b32 %r9, %r2, 1;\nadd.u32 %r9, %r9, %r4;\nmul.wide.u32 %rd9, %r9, 128;\n"
    "add.s64 %rd10, %rd1, %rd9;\nadd.s64 %rd10, %rd10, 4096;\nmov.u32 %r10, 0;\n"
    "TRIP:\n"
    "ld.global.u32 %r11, [%rd10];\n" /* d */
    "and.b32 %r11, %r11, 0;\ncvt.u64.u32 %rd11, %r11;\nadd.s64 %rd10, %rd10, %rd11;\n"
    "add.s64 %rd10, %rd10, 4;\nadd.u32 %r10, %r10, 1;\nsetp.lt.u32 %p2, %r10, 3;\n"
    "@%p2 bra TRIP;\nret;\n}\n";

/* One warp goes twice along 64 lines, each load after the one before; then it writes a word of a line
 * and loads another. */
static const char twice[] =
    PTX_HEADER ".visible .entry twice(.param .u64 p)\n{\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n"
               ".reg .pred %p<2>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, 0;\n"
               "NEXT:\n"
               "and.b32 %r2, %r1, 63;\nmul.wide.u32 %rd2, %r2, 128;\nadd.s64 %rd2, %rd1, %rd2;\n"
               "ld.global.u32 %r3, [%rd2];\nand.b32 %r3, %r3, 0;\nadd.u32 %r1, %r1, %r3;\n"
               "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 128;\n@%p1 bra NEXT;\n"
               "st.global.u32 [%rd1+8192], %r1;\nld.global.u32 %r4, [%rd1+8256];\nret;\n}\n";

static double value(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!cJSON_IsNumber(item))
        fail_msg("no number %s", name);
    return item->valuedouble;
}

static const cJSON *kernel_of(const cJSON *root, int kernel)
{
    const cJSON *kernels = cJSON_GetObjectItemCaseSensitive(root, "kernels");
    const cJSON *found = cJSON_GetArrayItem(kernels, kernel);
    assert_non_null(found);
    return found;
}

/* What the four loads do per SM. */
struct expected {
    const char *name;
    double of[4];
};
static const struct expected two_warps[] = {
    {"executions", {4, 4, 4, 12}},
    {"lanes", {32, 32, 32, 384}},
    {"accesses", {32, 32, 32, 12}},
    {"converged", {0, 0, 0, 12}},
    {"diverged", {4, 4, 4, 0}},
    {"hits", {16, 32, 32, 8}},
    {"hits_intra_warp", {0, 16, 0, 8}},
    {"hits_inter_warp", {0, 0, 16, 0}},
    {"hits_inter_block", {16, 16, 16, 0}}, /* in the second block: the first has brought them */
    {"this_trip", {0, 0, 0, 0}},
    {"last_trip", {0, 0, 0, 8}},
    {"earlier", {0, 0, 0, 0}},
    {"misses", {16, 0, 0, 4}},
    {"misses_cold", {16, 0, 0, 4}},
    {"misses_merged", {0, 0, 0, 0}},
    {"reuses_intra_warp", {0, 32, 0, 8}},
    {"reuses_inter_warp", {0, 0, 32, 0}},
    {"reuses_inter_block", {16, 0, 0, 0}},
    {NULL, {0}},
};
/* One warp alone goes in order, so that distances are known. `b` comes back to a line after the 7
 * others. Between a line's touches by `c` are 7 others of `c`, the line of `d` three times, and 8
 * lines of `a` and `b`, twice each; between those by `b` and `a` 7 of theirs, 8 of `c`, and `d`. */
static const struct expected one_warp[] = {
    {"reuses_intra_warp", {0, 16, 0, 4}},
    {"lines_intra_warp", {0, 16 * 7, 0, 0}},
    {"accesses_intra_warp", {0, 16 * 7, 0, 0}},
    {"reuses_inter_block", {8, 0, 8, 0}},
    {"lines_inter_block", {8 * 16, 0, 8 * 16, 0}},
    {"accesses_inter_block", {8 * 18, 0, 8 * 26, 0}},
    {NULL, {0}},
};

static cJSON *profile_reuse(uint32_t threads)
{
    struct config c = test_config();
    struct bench b;
    c.sm_max_blocks = 1;
    bench_open(&b, &c, reuse, NULL);
    assert_int_equal(gpu_profile(b.gpu, profile), 0);
    bench_param(&b, bench_buffer(&b, 65536));
    bench_time(&b, "reuse", 2 * NUM_SMS, threads);
    bench_close(&b);
    return statistics_of(profile);
}

static void compare(const cJSON *loads, const struct expected *rows)
{
    assert_int_equal(cJSON_GetArraySize(loads), 4);
    for (; rows->name; rows++)
        for (int load = 0; load < 4; load++) {
            const double found = value(cJSON_GetArrayItem(loads, load), rows->name);
            if (found != rows->of[load] * NUM_SMS)
                fail_msg("load %c: %s = %g; expected %g", 'a' + load, rows->name, found,
                         rows->of[load] * NUM_SMS);
        }
}

static void known_reuse_is_found(void **unused)
{
    (void)unused;
    cJSON *root = profile_reuse(64);
    const cJSON *loads = cJSON_GetObjectItemCaseSensitive(kernel_of(root, 0), "loads");
    compare(loads, two_warps);
    for (int load = 0; load < 4; load++)
        assert_int_equal(value(cJSON_GetArrayItem(loads, load), "loop"), load == 3);
    /* a, b, c: all warps of all blocks load the same lines; d: each its own */
    const cJSON *sharing = cJSON_GetObjectItemCaseSensitive(kernel_of(root, 0), "sharing");
    assert_true(value(sharing, "both") == 96 * NUM_SMS);
    assert_true(value(sharing, "unshared") == 12 * NUM_SMS);
    assert_true(value(sharing, "intra_block") + value(sharing, "inter_block") == 0);
    /* eight lanes, eight lines */
    const cJSON *shapes = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(loads, 0), "shapes");
    assert_int_equal(cJSON_GetArraySize(shapes), 1);
    const cJSON *shape = cJSON_GetArrayItem(shapes, 0);
    const int one[] = {8, 8, 4 * NUM_SMS};
    for (int i = 0; i < 3; i++)
        assert_int_equal(cJSON_GetArrayItem(shape, i)->valueint, one[i]);
    cJSON_Delete(root);
}

static void known_distances_are_found(void **unused)
{
    (void)unused;
    cJSON *root = profile_reuse(32);
    compare(cJSON_GetObjectItemCaseSensitive(kernel_of(root, 0), "loads"), one_warp);
    const cJSON *sharing = cJSON_GetObjectItemCaseSensitive(kernel_of(root, 0), "sharing");
    assert_true(value(sharing, "inter_block") == 48 * NUM_SMS); /* of one warp each */
    assert_true(value(sharing, "unshared") == 6 * NUM_SMS);
    cJSON_Delete(root);
}

/* Where L1D keeps its lines from kernel to kernel, those of an earlier one are another block's. */
static void lines_are_kept_as_l1d_keeps_them(void **unused)
{
    (void)unused;
    for (int keep = 0; keep < 2; keep++) {
        struct config c = test_config();
        struct bench b;
        c.sm_max_blocks = 1;
        c.l1d_keep = keep;
        bench_open(&b, &c, reuse, NULL);
        assert_int_equal(gpu_profile(b.gpu, profile), 0);
        const uint64_t buffer = bench_buffer(&b, 65536);
        for (int i = 0; i < 3; i++) {
            bench_param(&b, buffer);
            bench_time(&b, "reuse", 2 * NUM_SMS, 64);
        }
        const struct l1_counters l1d = b.gpu->stats.totals.l1d;
        bench_close(&b);
        cJSON *root = statistics_of(profile);
        const cJSON *totals = cJSON_GetObjectItemCaseSensitive(root, "totals");
        assert_true(value(totals, "hits") == l1d.hits);
        assert_true(value(totals, "misses_cold") == l1d.misses);
        assert_true(value(totals, "misses") == (keep ? 20 : 60) * NUM_SMS);
        assert_true(value(totals, "hits_inter_warp") == (keep ? 16 : 48) * NUM_SMS);
        cJSON_Delete(root);
    }
}

/* L2 that holds all 64 lines misses them once; one that does not, twice. */
static void misses_of_l2_have_their_reason(void **unused)
{
    (void)unused;
    for (int large = 0; large < 2; large++) {
        struct config c = test_config();
        struct bench b;
        c.l1d_sets = c.l1d_ways = 1;
        c.l2_sets = large ? 64 : 1;
        c.l2_ways = 2;
        bench_open(&b, &c, twice, NULL);
        assert_int_equal(gpu_profile(b.gpu, profile), 0);
        bench_param(&b, bench_buffer(&b, 65536));
        bench_time(&b, "twice", 1, 32);
        bench_close(&b);
        cJSON *root = statistics_of(profile);
        const cJSON *totals = cJSON_GetObjectItemCaseSensitive(root, "totals"),
                    *l2 = cJSON_GetObjectItemCaseSensitive(totals, "l2");
        assert_true(value(l2, "misses_cold") == 64 + 1);
        assert_true(value(l2, "misses_replaced") == (large ? 0 : 64));
        assert_true(value(l2, "misses_sectors") == 1);
        assert_true(value(l2, "misses_merged") == 0);
        cJSON_Delete(root);
    }
}

struct machine {
    const char *sched;
    int64_t n, p, threads, sets;
    int untracked; /* loads past L1D hold no MSHR */
};

static const struct machine machines[] = {
    {"gto", 0, 0, 1, 32, 0}, {"lrr", 0, 0, 1, 1, 0}, {"tl", 0, 0, 1, 4, 0},
    {"gto", 3, 1, 1, 2, 0},  {"lrr", 3, 2, 1, 4, 1},
};
#define NUM_MACHINES (sizeof machines / sizeof *machines)

/* Runs the kernel of events_test.c three times. `sums` gets what the machine has counted. */
static void run(const struct machine *m, int profiles, struct stats_sums *sums)
{
    struct config c = test_config();
    struct bench b;
    strcpy(c.run_sched, m->sched);
    c.run_threads = m->threads;
    c.mask_n = m->n;
    c.mask_p = m->p;
    c.l1d_sets = m->sets;
    c.l1d_bypass_mshr = !m->untracked;
    c.l1d_mshrs = 16;
    c.l1d_mshr_merge = 3;
    c.sm_max_blocks = 3;
    bench_open(&b, &c, events_ptx, stats);
    if (profiles)
        assert_int_equal(gpu_profile(b.gpu, profile), 0);
    const uint64_t buffer = bench_buffer(&b, 65536);
    for (unsigned i = 0; i < 3; i++) {
        bench_param(&b, buffer + 128 * i);
        bench_time(&b, "work", 2 * NUM_SMS + 9, 112);
    }
    *sums = b.gpu->stats.totals;
    bench_close(&b);
}

static void sums_are_the_counters(void **unused)
{
    (void)unused;
    uint64_t bypassed = 0, own = 0;
    for (unsigned i = 0; i < NUM_MACHINES; i++) {
        struct stats_sums sums;
        run(&machines[i], 1, &sums);
        const struct l1_counters l1d = sums.l1d;
        cJSON *root = statistics_of(profile);
        const cJSON *totals = cJSON_GetObjectItemCaseSensitive(root, "totals"),
                    *l2 = cJSON_GetObjectItemCaseSensitive(totals, "l2");
        const cJSON *kernel = kernel_of(root, 0);
        const cJSON *activity = cJSON_GetObjectItemCaseSensitive(totals, "activity"), *count;
        double instructions = 0;
        cJSON_ArrayForEach(count, activity) instructions += count->valuedouble;
        assert_true(instructions == sums.sm.warp_instructions);
        assert_true(value(totals, "accesses") == l1d.accesses);
        assert_true(value(totals, "hits") == l1d.hits);
        assert_true(value(totals, "misses") == l1d.misses);
        assert_true(value(totals, "misses_merged") == l1d.mshr_merged);
        /* L1D knows slots: another warp that has the slot later is the same to it */
        assert_true(value(totals, "hits_intra_warp") <= l1d.hits_intra_warp);
        own += (uint64_t)value(totals, "hits_intra_warp");
        assert_true(value(totals, "hits_intra_warp") + value(totals, "hits_inter_warp") +
                        value(totals, "hits_inter_block") ==
                    l1d.hits);
        assert_true(value(totals, "misses_cold") + value(totals, "misses_capacity") +
                        value(totals, "misses_conflict") + value(totals, "misses_written") +
                        value(totals, "misses_bypassed") ==
                    l1d.misses - l1d.mshr_merged);
        assert_true(value(l2, "misses") == sums.memory.l2.misses);
        assert_true(value(l2, "misses_merged") == sums.memory.l2.mshr_merged);
        assert_true(value(l2, "misses_cold") + value(l2, "misses_replaced") +
                        value(l2, "misses_sectors") ==
                    sums.memory.l2.misses - sums.memory.l2.mshr_merged);
        assert_int_equal(value(kernel, "launches"), 3);
        assert_true(value(kernel, "accesses") == l1d.accesses);
        assert_true(value(totals, "misses_written") > 0);
        bypassed += (uint64_t)value(totals, "misses_bypassed");
        cJSON_Delete(root);
    }
    assert_true(bypassed > 0 && own > 0);
}

static char *text_of(const char *path, const char *without)
{
    cJSON *root = statistics_of(path);
    cJSON_DeleteItemFromObject(root, without);
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}

static void threads_make_no_difference(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < NUM_MACHINES; i++) {
        struct stats_sums sums;
        struct machine m = machines[i];
        run(&m, 1, &sums);
        char *alone = text_of(profile, "nothing");
        m.threads = 3;
        run(&m, 1, &sums);
        char *three = text_of(profile, "nothing");
        assert_string_equal(alone, three);
        free(alone);
        free(three);
    }
}

static void profiling_changes_nothing(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < NUM_MACHINES; i++) {
        struct stats_sums sums;
        run(&machines[i], 0, &sums);
        char *off = text_of(stats, "host");
        run(&machines[i], 1, &sums);
        char *on = text_of(stats, "host");
        assert_string_equal(off, on);
        free(off);
        free(on);
    }
}

int main(void)
{
    FILE *file = fopen("tests/tb/gpu/events_test.ptx", "r");
    if (!file || fread(events_ptx, 1, sizeof events_ptx - 1, file) == 0)
        return perror("tests/tb/gpu/events_test.ptx"), 1;
    fclose(file);
    if (!mkdtemp(directory))
        return perror(directory), 1;
    snprintf(profile, sizeof profile, "%s/profile.json", directory);
    snprintf(stats, sizeof stats, "%s/stats.json", directory);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_reuse_is_found),
        cmocka_unit_test(known_distances_are_found),
        cmocka_unit_test(lines_are_kept_as_l1d_keeps_them),
        cmocka_unit_test(misses_of_l2_have_their_reason),
        cmocka_unit_test(sums_are_the_counters),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(profiling_changes_nothing),
    };
    const int result = cmocka_run_group_tests_name("tb/gpu/profile", tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command) ? 1 : result;
}
