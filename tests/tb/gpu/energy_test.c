/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/energy_test.c: the energy in the statistics file, computed again from the counts and
 * the settings that stand in the same file. */
#include <stdlib.h>
#include <unistd.h>

#include "tests/tb/gpu/statistics.h"

static char directory[] = "/tmp/heddle-energy-XXXXXX";
static char path[64];

/* A kernel that spends on every key: arithmetic, a reciprocal, a constant, shared memory with
 * conflicts, loads that miss and hit, stores. */
static const char kernel[] = PTX_HEADER
    ".const .align 4 .u32 three = 3;\n"
    ".visible .entry spend(.param .u64 p)\n{\n.shared .align 4 .b8 buf[8192];\n"
    ".reg .b32 %r<12>;\n.reg .b64 %rd<6>;\n.reg .f32 %f<4>;\n.reg .pred %p<3>;\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
    "mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 128;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "mov.u32 %r9, 0;\nld.const.u32 %r10, [three];\n"
    "AGAIN:\n"
    "ld.global.f32 %f1, [%rd3];\nrcp.approx.f32 %f2, %f1;\n"
    "mov.u32 %r6, buf;\nshl.b32 %r7, %r1, 6;\nand.b32 %r7, %r7, 8191;\nadd.u32 %r6, %r6, %r7;\n"
    "st.shared.f32 [%r6], %f2;\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, %r10;\n@%p1 bra "
    "AGAIN;\n"
    "st.global.f32 [%rd3+4], %f2;\nret;\n}\n";

/* What each key costs for, in words of the statistics file; minus where the sign says so. */
static const struct {
    const char *key, *part, *events[4];
    unsigned volts; /* the power of the SMs' voltage */
} rows[] = {
    {"instruction", "core", {"warp_instructions"}, 2},
    {"registers", "core", {"thread_instructions"}, 2},
    {"sp", "core", {"threads.sp"}, 2},
    {"sfu", "core", {"threads.sfu"}, 2},
    {"address", "core", {"threads.gmem", "threads.stcmem"}, 2},
    {"shared", "core", {"shared_accesses", "shared_conflicts"}, 2},
    {"l1c", "core", {"l1c.accesses"}, 2},
    {"l1d", "memory", {"l1d.accesses", "l1d.misses", "-l1d.mshr_merged", "-l1d.bypassed"}, 2},
    {"flit", "network", {"xbar.request_flits", "xbar.reply_flits"}, 0},
    {"l2", "memory", {"l2.accesses", "dram.reads", "l2.writebacks"}, 0},
    {"dram_read", "memory", {"dram.reads"}, 0},
    {"dram_write", "memory", {"dram.writes"}, 0},
    {"dram_activate", "memory", {"dram.activates"}, 0},
    {"sm_cycle", "leakage", {"cycles"}, 1}, /* times the SMs */
};
#define NUM_ROWS (sizeof rows / sizeof *rows)

static double *at(const cJSON *object, const char *name)
{
    char word[64];
    snprintf(word, sizeof word, "%s", name);
    char *rest = word;
    for (char *step; object && (step = strsep(&rest, "."));)
        object = cJSON_GetObjectItemCaseSensitive(object, step);
    if (!object || !cJSON_IsNumber(object))
        fail_msg("no number %s", name);
    return (double *)&object->valuedouble;
}

static uint64_t setting(const cJSON *root, const char *name)
{
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(root, "settings");
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(all, name);
    assert_non_null(item);
    return (uint64_t)item->valuedouble;
}

/* The key that says the SMs' voltage. */
static const char *voltage(const cJSON *root)
{
    static const char *const keys[] = {"energy.mv_3", "energy.mv_4", "energy.mv_5", "energy.mv_6"};
    return keys[setting(root, "sm.clock") - 3];
}

/* The first member of `sums`, a kernel or the totals, whose energy is not what follows from the
 * counts; NULL: there is none. */
static const char *wrong(const cJSON *root, const cJSON *sums)
{
    static const char *const parts[] = {"core", "network", "memory", "leakage"};
    uint64_t of_part[4] = {0}, total = 0;
    for (unsigned r = 0; r < NUM_ROWS; r++) {
        char name[64];
        uint64_t count = 0;
        for (unsigned i = 0; i < 4 && rows[r].events[i]; i++) {
            const int minus = *rows[r].events[i] == '-';
            const uint64_t events = (uint64_t)*at(sums, rows[r].events[i] + minus);
            count = minus ? count - events : count + events;
        }
        if (!strcmp(rows[r].key, "sm_cycle"))
            count *= NUM_SMS;
        snprintf(name, sizeof name, "energy.%s", rows[r].key);
        unsigned __int128 scaled = count * setting(root, name);
        for (unsigned v = 0; v < rows[r].volts; v++)
            scaled *= setting(root, voltage(root));
        for (unsigned v = 0; v < rows[r].volts; v++)
            scaled /= setting(root, "energy.mv_6");
        const uint64_t spent = (uint64_t)scaled;
        snprintf(name, sizeof name, "energy.events.%s", rows[r].key);
        if (*at(sums, name) != (double)spent / 1e6)
            return rows[r].key;
        for (unsigned p = 0; p < 4; p++)
            of_part[p] += strcmp(parts[p], rows[r].part) ? 0 : spent;
        total += spent;
    }
    for (unsigned p = 0; p < 4; p++) {
        char name[64];
        snprintf(name, sizeof name, "energy.%s", parts[p]);
        if (*at(sums, name) != (double)of_part[p] / 1e6)
            return parts[p];
    }
    return *at(sums, "energy.total") == (double)total / 1e6 ? NULL : "total";
}

static cJSON *file_of(unsigned clock)
{
    struct config c = test_config();
    struct bench b;
    c.sm_clock = clock;
    bench_open(&b, &c, kernel, path);
    for (unsigned i = 0; i < 2; i++) {
        bench_param(&b, bench_buffer(&b, 32 * 256 * 8));
        bench_time(&b, "spend", i ? 8 : 3, 256);
    }
    bench_close(&b);
    return statistics_of(path);
}

/* That of totals is the sum of what launches have spent, each rounded down; at full clock nothing is rounded. */
static void energy_is_events_times_keys(void **unused)
{
    (void)unused;
    for (unsigned clock = 3; clock <= 6; clock++) {
        cJSON *root = file_of(clock);
        const cJSON *kernels = cJSON_GetObjectItemCaseSensitive(root, "kernels"), *kernel_sums;
        const cJSON *totals = cJSON_GetObjectItemCaseSensitive(root, "totals");
        cJSON_ArrayForEach(kernel_sums, kernels) assert_null(wrong(root, kernel_sums));
        if (clock == 6)
            assert_null(wrong(root, totals));
        for (unsigned r = 0; r < NUM_ROWS; r++) { /* and every key costs something */
            char name[64];
            snprintf(name, sizeof name, "energy.events.%s", rows[r].key);
            if (!(*at(totals, name) > 0))
                fail_msg("nothing was spent on %s", rows[r].key);
        }
        cJSON_Delete(root);
    }
}

/* Each count that is wrong by one is noticed, at a key that it goes into. */
static void a_wrong_count_is_noticed(void **unused)
{
    (void)unused;
    cJSON *root = file_of(6);
    const cJSON *totals = cJSON_GetObjectItemCaseSensitive(root, "totals");
    for (unsigned r = 0; r < NUM_ROWS; r++)
        for (unsigned i = 0; i < 4 && rows[r].events[i]; i++) {
            double *count = at(totals, rows[r].events[i] + (*rows[r].events[i] == '-'));
            ++*count;
            const char *found = wrong(root, totals);
            assert_non_null(found);
            if (strcmp(rows[r].key, "dram_read")) /* whose count goes into l2, which comes first */
                assert_string_equal(found, rows[r].key);
            --*count;
        }
    assert_null(wrong(root, totals));
    ++*at(totals, "energy.memory");
    assert_string_equal(wrong(root, totals), "memory");
    cJSON_Delete(root);
}

int main(void)
{
    if (!mkdtemp(directory))
        return perror(directory), 1;
    snprintf(path, sizeof path, "%s/stats.json", directory);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_events_times_keys),
        cmocka_unit_test(a_wrong_count_is_noticed),
    };
    const int result = cmocka_run_group_tests_name("tb/gpu/energy", tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command) ? 1 : result;
}
