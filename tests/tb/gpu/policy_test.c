/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/policy_test.c: the policies change the machine in the direction that the papers say:
 * under lrr "all warps tend to make equal progress", gto lets them "make unequal progress" (RLWS
 * III), and age decides who is ahead (DAWS 7.1). All warps of a scheduler run the same independent
 * instructions, so nothing but the policy decides who ends when. */
#include "tests/tb/gpu/bench.h"

#define INSTRUCTIONS 60

static struct gpu *watched;
static uint64_t done_at[NUM_WARPS]; /* of scheduler 0 of SM 0; 0: not yet */
static int ran[NUM_WARPS];

static void note_ends(void *ctx, uint64_t cycle)
{
    struct sm_context now;
    (void)ctx;
    sm_context(watched->sms[0], 0, cycle, &now);
    for (unsigned w = 0; w < NUM_WARPS; w++)
        if (now.warps[w].state == WARP_RUN)
            ran[w] = 1;
        else if (ran[w] && !done_at[w]) /* DONE; the last one is FREE at once */
            done_at[w] = cycle;
}

/* Runs one block that fills all slots of an SM; leaves done_at. */
static void run(const char *policy)
{
    static char text[16384];
    struct config c = test_config();
    struct bench b;
    int length = snprintf(text, sizeof text,
                          PTX_HEADER ".entry k()\n{\n.reg .b32 %%r<%d>;\nmov.u32 %%r0, %%laneid;\n",
                          INSTRUCTIONS + 1);
    for (int i = 1; i <= INSTRUCTIONS; i++)
        length +=
            snprintf(text + length, sizeof text - (size_t)length, "add.u32 %%r%d, 7, %d;\n", i, i);
    snprintf(text + length, sizeof text - (size_t)length, "ret;\n}\n");
    strcpy(c.run_sched, policy);
    c.sp_interval = 4; /* one warp alone can keep the pipeline full */
    c.sm_fetch_latency = 1;
    bench_open(&b, &c, text, NULL);
    watched = b.gpu;
    memset(done_at, 0, sizeof done_at);
    memset(ran, 0, sizeof ran);
    b.gpu->probe = note_ends;
    uint32_t warps = (uint32_t)c.sm_max_threads / 32;
    assert_int_equal(warps, NUM_WARPS * NUM_SCHEDULERS);
    bench_time(&b, "k", 1, 32 * warps);
    bench_close(&b);
}

static uint64_t earliest(void)
{
    uint64_t cycle = UINT64_MAX;
    for (unsigned w = 0; w < NUM_WARPS; w++)
        cycle = done_at[w] < cycle ? done_at[w] : cycle;
    return cycle;
}

static uint64_t latest(void)
{
    uint64_t cycle = 0;
    for (unsigned w = 0; w < NUM_WARPS; w++)
        cycle = done_at[w] > cycle ? done_at[w] : cycle;
    return cycle;
}

static void round_robin_makes_equal_progress(void **state)
{
    (void)state;
    run("lrr");
    assert_true(earliest() > 0);
    assert_true(latest() - earliest() < latest() / 10);
}

/* The first warp ends after its own share of the time, and they end in order of age. */
static void age_makes_unequal_progress(void **state)
{
    static const char *const policies[] = {"gto", "oldest"};
    (void)state;
    for (size_t p = 0; p < 2; p++) {
        run(policies[p]);
        assert_true(done_at[0] == earliest());
        assert_true(earliest() < 2 * latest() / NUM_WARPS);
        for (unsigned w = 1; w < NUM_WARPS; w++)
            assert_true(done_at[w] > done_at[w - 1]);
    }
}

static void youngest_turns_the_order_around(void **state)
{
    (void)state;
    run("youngest");
    assert_true(done_at[NUM_WARPS - 1] == earliest());
    assert_true(done_at[0] == latest());
}

/* A group goes round by itself while it is awake: its warps end together, before the next group's.
 */
static void groups_end_one_after_the_other(void **state)
{
    (void)state;
    run("tl");
    for (unsigned w = TL_GROUP; w < NUM_WARPS; w++)
        assert_true(done_at[w] > done_at[w % TL_GROUP]);
    uint64_t first = done_at[0], last = done_at[0];
    for (unsigned w = 0; w < TL_GROUP; w++) {
        first = done_at[w] < first ? done_at[w] : first;
        last = done_at[w] > last ? done_at[w] : last;
    }
    assert_true(last - first < latest() / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_robin_makes_equal_progress),
        cmocka_unit_test(age_makes_unequal_progress),
        cmocka_unit_test(youngest_turns_the_order_around),
        cmocka_unit_test(groups_end_one_after_the_other),
    };
    return cmocka_run_group_tests_name("tb/gpu/policy", tests, NULL, NULL);
}
