/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/profile_pair_test.c: the profile of two kernels at once: what each one's program alone decides is as of the kernel alone;
 * sums over both are the machine's counters, and of each its own; nothing of it depends on who computes, and nothing on the profile. */
#include <stdlib.h>
#include <unistd.h>

#include "tests/tb/gpu/pair.h"
#include "tests/tb/gpu/statistics.h"

/* `reads` loads its word, and a line that all threads share, in each turn; `spreads` a line per lane, half of the lanes in every other
 * turn. Both then store. */
static const char text[] = PTX_HEADER
    ".visible .entry reads(.param .u64 out, .param .u64 turns)\n{\n"
    ".reg .b32 %r<8>;\n.reg .b64 %rd<6>;\n.reg .pred %p<2>;\n"
    "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [turns];\n"
    "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\n"
    "mad.lo.s32 %r3, %r0, %r1, %r2;\ncvt.u32.u64 %r5, %rd1;\nmov.u32 %r6, 0;\n"
    "mul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd0, %rd2;\n"
    "MORE:\nld.global.u32 %r4, [%rd3];\nadd.s32 %r6, %r6, %r4;\nld.global.u32 %r7, [%rd0];\n"
    "and.b32 %r7, %r7, 0;\nadd.s32 %r6, %r6, %r7;\nadd.s32 %r6, %r6, %r5;\n"
    "add.s32 %r5, %r5, -1;\nsetp.ne.s32 %p0, %r5, 0;\n@%p0 bra MORE;\n"
    "st.global.u32 [%rd3], %r6;\nret;\n}\n"
    ".visible .entry spreads(.param .u64 out, .param .u64 turns)\n{\n"
    ".reg .b32 %r<10>;\n.reg .b64 %rd<8>;\n.reg .pred %p<3>;\n"
    "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [turns];\n"
    "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\n"
    "mad.lo.s32 %r3, %r0, %r1, %r2;\ncvt.u32.u64 %r5, %rd1;\nmov.u32 %r6, 0;\n"
    "mul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd0, %rd2;\n"
    "mov.u32 %r7, %nctaid.x;\nmul.lo.u32 %r7, %r7, %r1;\nmul.wide.u32 %rd4, %r7, 4;\n"
    "add.s64 %rd4, %rd0, %rd4;\nand.b32 %r8, %r2, 31;\nmul.wide.u32 %rd5, %r8, 128;\n"
    "add.s64 %rd4, %rd4, %rd5;\n"
    "AGAIN:\nand.b32 %r9, %r5, 1;\nand.b32 %r9, %r9, %r8;\nsetp.eq.u32 %p1, %r9, 0;\n"
    "mov.u32 %r4, 0;\n@%p1 ld.global.u32 %r4, [%rd4];\nadd.s32 %r6, %r6, %r4;\n"
    "add.s32 %r6, %r6, %r5;\nadd.s32 %r5, %r5, -1;\nsetp.ne.s32 %p0, %r5, 0;\n@%p0 bra AGAIN;\n"
    "st.global.u32 [%rd3], %r6;\nret;\n}\n";

static char directory[] = "/tmp/heddle-profile-XXXXXX";
static char profile[64], stats[64];

static const struct one reads = {.kernel = "reads"},
                        spreads = {.kernel = "spreads", .more = 32 * 128};

struct machine {
    const char *sched, *backend;
    int64_t threads, queues, partition;
    int apart; /* each in memory of its own */
};

static const struct machine machines[] = {
    {"gto", "c", 1, 0, 0, 0}, {"lrr", "c", 1, 0, 2, 0},  {"gto", "c", 1, 0, 0, 1},
    {"gto", "c", 1, 1, 0, 0}, {"icmt", "c", 1, 2, 1, 1},
};
#define NUM_MACHINES (sizeof machines / sizeof *machines)

static struct config config_of(const struct machine *m)
{
    struct config c = pair_config("kmu");
    strcpy(c.run_sched, m->sched);
    strcpy(c.run_backend, m->backend);
    c.run_threads = m->threads;
    c.pmiq_block = m->queues;
    c.kmu_partition = m->partition;
    c.l1d_sets = 4;
    c.l1d_mshrs = 16;
    c.l1d_mshr_merge = 3;
    return c;
}

/* What the machine has counted. */
struct counted {
    struct stats_sums each[2], all;
    uint64_t shared; /* launches that shared the machine */
};

/* Both three times: at once, one behind the other, and at once with what ends first begun again. */
static void run(const struct machine *m, int profiles, struct counted *counted)
{
    const struct config c = config_of(m);
    struct bench b;
    struct one first = reads, second = spreads;
    struct one *const both[] = {&first, &second};
    unsigned ended;
    if (m->apart) {
        first.memory = gmem_new();
        second.memory = gmem_new();
        second.space = 1;
    }
    bench_open(&b, &c, text, stats);
    if (profiles)
        assert_int_equal(gpu_profile(b.gpu, profile), 0);
    pair_prepare(&b, &first);
    pair_prepare(&b, &second);
    pair_run(&b, &first, &second);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(pair_begin(&b, i, both[i]), GPU_OK);
        assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
    }
    assert_int_equal(pair_begin(&b, 0, &first), GPU_OK);
    assert_int_equal(pair_begin(&b, 1, &second), GPU_OK);
    assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
    assert_int_equal(pair_begin(&b, ended, both[ended]), GPU_OK);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(gpu_advance(b.gpu, &(unsigned){0}), GPU_OK);
    *counted = (struct counted){.all = b.gpu->stats.totals};
    for (size_t i = 0; i < b.gpu->stats.num_kernels; i++) {
        const struct kernel_stats *k = &b.gpu->stats.kernels[i];
        struct sm_counters *sum = &counted->each[!strcmp(k->name, "spreads")].sm;
        sum->warp_instructions += k->sums.sm.warp_instructions;
        sum->global_loads += k->sums.sm.global_loads;
        counted->shared += (uint64_t)k->shares;
    }
    if (m->apart) {
        gmem_free_all(first.memory);
        gmem_free_all(second.memory);
    }
    bench_close(&b);
}

static const cJSON *at(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!item)
        fail_msg("no member %s", name);
    return item;
}

static uint64_t value(const cJSON *object, const char *name)
{
    return (uint64_t)at(object, name)->valuedouble;
}

static const cJSON *kernel_of(const cJSON *root, const char *name)
{
    const cJSON *kernel;
    cJSON_ArrayForEach(kernel, at(root, "kernels")) if (!strcmp(at(kernel, "name")->valuestring,
                                                                name)) return kernel;
    fail_msg("no kernel %s", name);
    return NULL;
}

static uint64_t sum(const cJSON *object)
{
    uint64_t result = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, object) result += (uint64_t)item->valuedouble;
    return result;
}

static const char *const names[] = {"reads", "spreads"};

static void sums_are_the_counters(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < NUM_MACHINES; i++) {
        struct counted counted;
        run(&machines[i], 1, &counted);
        cJSON *root = statistics_of(profile);
        uint64_t accesses = 0, hits = 0, misses = 0, merged = 0, alone = 0;
        assert_int_equal(cJSON_GetArraySize(at(root, "kernels")), 2);
        for (unsigned k = 0; k < 2; k++) {
            const cJSON *kernel = kernel_of(root, names[k]);
            const struct sm_counters *own = &counted.each[k].sm;
            assert_int_equal(sum(at(kernel, "activity")), own->warp_instructions);
            assert_int_equal(value(kernel, "executions"), own->global_loads);
            assert_int_equal(sum(at(kernel, "sharing")), value(kernel, "accesses"));
            accesses += value(kernel, "accesses");
            hits += value(kernel, "hits");
            misses += value(kernel, "misses");
            merged += value(kernel, "misses_merged");
            alone += value(at(kernel, "l2"), "misses");
        }
        const struct l1_counters *l1d = &counted.all.l1d;
        assert_int_equal(accesses, l1d->accesses);
        assert_int_equal(hits, l1d->hits);
        assert_int_equal(misses, l1d->misses);
        assert_int_equal(merged, l1d->mshr_merged);
        assert_int_equal(value(kernel_of(root, "reads"), "launches_beside") +
                             value(kernel_of(root, "spreads"), "launches_beside"),
                         counted.shared);
        assert_int_equal(counted.shared, 5);
        const uint64_t beside = value(at(at(root, "together"), "l2"), "misses");
        assert_int_equal(alone + beside, counted.all.memory.l2.misses);
        assert_int_equal(value(at(at(root, "totals"), "l2"), "misses"), alone + beside);
        assert_true(beside > 0);
        cJSON_Delete(root);
    }
}

/* What a kernel's loads do whoever runs beside it, by load. */
static char *own_of(const cJSON *root, const char *kernel)
{
    static const char *const members[] = {"pc",        "executions", "lanes", "accesses",
                                          "converged", "diverged",   "shapes"};
    cJSON *own = cJSON_CreateArray();
    const cJSON *load;
    cJSON_ArrayForEach(load, at(kernel_of(root, kernel), "loads"))
    {
        cJSON *of = cJSON_CreateObject();
        cJSON_AddItemToArray(own, of);
        for (size_t i = 0; i < sizeof members / sizeof *members; i++)
            cJSON_AddItemToObject(of, members[i], cJSON_Duplicate(at(load, members[i]), 1));
    }
    char *printed = cJSON_Print(own);
    cJSON_Delete(own);
    return printed;
}

/* Of a kernel that runs so often with nobody beside it. */
static char *own_alone(const struct one *what, unsigned times)
{
    const struct config c = config_of(&machines[0]);
    struct bench b;
    struct one o = *what;
    unsigned ended;
    bench_open(&b, &c, text, NULL);
    assert_int_equal(gpu_profile(b.gpu, profile), 0);
    pair_prepare(&b, &o);
    for (unsigned i = 0; i < times; i++) {
        assert_int_equal(pair_begin(&b, 0, &o), GPU_OK);
        assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
    }
    bench_close(&b);
    cJSON *root = statistics_of(profile);
    char *own = own_of(root, what->kernel);
    assert_null(cJSON_GetObjectItemCaseSensitive(root, "together"));
    assert_null(cJSON_GetObjectItemCaseSensitive(kernel_of(root, what->kernel), "launches_beside"));
    cJSON_Delete(root);
    return own;
}

static void each_does_what_it_does_alone(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < NUM_MACHINES; i++) {
        struct counted counted;
        run(&machines[i], 1, &counted);
        cJSON *root = statistics_of(profile);
        for (unsigned k = 0; k < 2; k++) {
            const unsigned times = (unsigned)value(kernel_of(root, names[k]), "launches");
            char *beside = own_of(root, names[k]), *alone = own_alone(k ? &spreads : &reads, times);
            assert_string_equal(beside, alone);
            free(beside);
            free(alone);
        }
        cJSON_Delete(root);
    }
}

/* In memories of their own no line is the other's; in one, where both go along the same lines, most are brought by the other. */
static void lines_are_known_by_memory(void **unused)
{
    (void)unused;
    for (int apart = 0; apart < 2; apart++) {
        struct config c = config_of(&machines[0]);
        struct bench b;
        struct one first = reads, second = reads;
        first.blocks = second.blocks = 1;
        c.l1d_sets = 64; /* all lines stay */
        c.kmu_partition = 0;
        if (apart) {
            first.memory = gmem_new();
            second.memory = gmem_new();
            second.space = 1;
        }
        bench_open(&b, &c, text, NULL);
        assert_int_equal(gpu_profile(b.gpu, profile), 0);
        pair_prepare(&b, &first);
        pair_prepare(&b, &second);
        second.params[0] = first.params[0];
        pair_run(&b, &first, &second);
        const uint64_t misses = b.gpu->stats.totals.l1d.misses;
        if (apart) {
            gmem_free_all(first.memory);
            gmem_free_all(second.memory);
        }
        bench_close(&b);
        cJSON *root = statistics_of(profile);
        const cJSON *kernel = kernel_of(root, "reads");
        assert_int_equal(value(kernel, "launches"), 2);
        assert_int_equal(value(kernel, "launches_beside"), 2);
        assert_int_equal(value(kernel, "misses"), misses);
        assert_int_equal(value(at(kernel, "lines"), "unshared") +
                             value(at(kernel, "lines"), "intra_block"),
                         4); /* of each launch two: 64 words */
        assert_int_equal(value(kernel, "reuses_inter_block") > 0, !apart);
        cJSON_Delete(root);
    }
}

static char *text_of(const char *path, const char *without)
{
    cJSON *root = statistics_of(path);
    cJSON_DeleteItemFromObject(root, without);
    char *printed = cJSON_Print(root);
    cJSON_Delete(root);
    return printed;
}

static void the_same_whoever_computes(void **unused)
{
    (void)unused;
    static const struct machine same[] = {
        {"icmt", "c", 1, 1, 0, 1}, {"icmt", "rtl", 3, 1, 0, 1}, {"icmt", "lockstep", 2, 1, 0, 1}};
    struct counted counted;
    run(&same[0], 1, &counted);
    char *first = text_of(profile, "nothing");
    for (unsigned i = 1; i < sizeof same / sizeof *same; i++) {
        run(&same[i], 1, &counted);
        char *other = text_of(profile, "nothing");
        assert_string_equal(first, other);
        free(other);
    }
    free(first);
}

static void profiling_changes_nothing(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < NUM_MACHINES; i++) {
        struct counted counted;
        run(&machines[i], 0, &counted);
        char *off = text_of(stats, "host");
        run(&machines[i], 1, &counted);
        char *on = text_of(stats, "host");
        assert_string_equal(off, on);
        free(off);
        free(on);
    }
}

/* What is read of a launch before it begins, and what units are told of it, is of one kernel. */
static void the_second_is_refused(const struct config *c, int locality, const char *why)
{
    struct bench b;
    struct one first = reads, second = spreads;
    unsigned ended;
    bench_open(&b, c, text, NULL);
    if (locality)
        assert_int_equal(gpu_reads(b.gpu, stats, READS_UNIT, 0), 0);
    pair_prepare(&b, &first);
    pair_prepare(&b, &second);
    assert_int_equal(pair_begin(&b, 0, &first), GPU_OK);
    assert_int_equal(pair_begin(&b, 1, &second), GPU_NO_FIT);
    assert_non_null(strstr(second.result.message, "kernel spreads cannot run beside another one"));
    if (!strstr(second.result.message, why))
        fail_msg("%s", second.result.message);
    assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
    assert_int_equal(ended, 0);
    pair_check(&b, &first);
    bench_close(&b);
}

/* Statistics of an inference engine. */
static void run_poise(void)
{
    struct config c = test_config();
    struct bench b;
    struct one o = reads;
    unsigned ended;
    strcpy(c.run_sched, "poise");
    bench_open(&b, &c, text, stats);
    pair_prepare(&b, &o);
    assert_int_equal(pair_begin(&b, 0, &o), GPU_OK);
    assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
    bench_close(&b);
}

static void what_knows_one_kernel_refuses(void **unused)
{
    (void)unused;
    static const char one[] = "what units are told is of one kernel at a time";
    struct config c = pair_config("kmu"), told = c;
    free(own_alone(&reads, 1)); /* a profile */
    the_second_is_refused(&c, 1, "what a kernel reads is analysed of one kernel at a time");
    snprintf(c.daws_table_profile, sizeof c.daws_table_profile, "%s", profile);
    the_second_is_refused(&c, 0, one);
    run_poise();
    snprintf(told.poise_told, sizeof told.poise_told, "%s", stats);
    the_second_is_refused(&told, 0, one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_the_counters),
        cmocka_unit_test(each_does_what_it_does_alone),
        cmocka_unit_test(lines_are_known_by_memory),
        cmocka_unit_test(the_same_whoever_computes),
        cmocka_unit_test(profiling_changes_nothing),
        cmocka_unit_test(what_knows_one_kernel_refuses),
    };
    if (!mkdtemp(directory))
        return perror(directory), 1;
    snprintf(profile, sizeof profile, "%s/profile.json", directory);
    snprintf(stats, sizeof stats, "%s/stats.json", directory);
    const int result = cmocka_run_group_tests_name("tb/gpu/profile_pair", tests, NULL, NULL);
    unlink(profile);
    unlink(stats);
    rmdir(directory);
    return result;
}
