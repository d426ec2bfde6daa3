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

/* Runs one block that fills all slots of an SM, and whose warps wait for a fetch of so many cycles; leaves
 * done_at. */
static void run_fetching(const char *policy, int64_t latency)
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
    c.sp_interval = 4;
    c.sm_fetch_latency = latency;
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

/* One warp alone can keep the pipeline full. */
static void run(const char *policy)
{
    run_fetching(policy, 1);
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

/* "Designed to maintain similar pace among threads" (thesis 7.4.1): while a warp never stalls, greed is
 * all there is; where each one stalls, who has waited longest is next, and gto's oldest is not. */
static void longest_wait_keeps_pace(void **state)
{
    (void)state;
    run("gtls");
    assert_true(earliest() < 2 * latest() / NUM_WARPS);
    run_fetching("gto", 12);
    assert_true(latest() - earliest() > latest() / 3);
    run_fetching("gtls", 12);
    assert_true(earliest() > 0);
    assert_true(latest() - earliest() < latest() / 10);
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

/* Adds up sines of its own word of `base`, with a wait for memory in each round. */
static const char walk[] = PTX_HEADER
    ".entry walk(.param .u64 base)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .f32 %f<2>; .reg .b64 %d<4>;\n"
    "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n"
    "mad.lo.u32 %r0, %r0, %r1, %r2; ld.param.u64 %d0, [base]; mul.wide.u32 %d1, %r0, 4;\n"
    "add.u64 %d0, %d0, %d1; mov.u32 %r3, 0; mov.u32 %r4, 0;\n"
    "AGAIN: atom.global.add.f32 %f0, [%d0], 0f3F800000; sin.approx.f32 %f1, %f0; mov.b32 %r5, "
    "%f1;\n"
    "add.u32 %r4, %r4, %r5; add.u32 %r4, %r4, 1;\n"
    "add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, 9; @%p0 bra AGAIN;\n"
    "st.global.u32 [%d0], %r4;\nret;\n}\n";

static struct config walk_config(const char *policy)
{
    struct config c = test_config();
    strcpy(c.run_sched, policy);
    strcpy(c.run_backend, "lockstep");
    c.xbar_interval = 4; /* so that the warps wait for different times */
    return c;
}

/* Which warps of scheduler 0 of SM 0 are under way, seen from outside: those that have issued and
 * have not come into a long wait since. */
static struct under_way {
    uint64_t warps;
    unsigned most, grants, turns_over; /* turns_over: how often one has made room for another */
} under_way;

static void note_under_way(void *ctx, uint64_t cycle)
{
    const struct scheduler_view *v = sm_rack(watched->sms[0], 0)->view.scheduler;
    struct sm_context now;
    (void)ctx;
    sm_context(watched->sms[0], 0, cycle, &now);
    if (now.grant != NO_CHOICE) {
        under_way.grants++;
        under_way.turns_over += !(under_way.warps >> now.grant & 1);
        under_way.warps |= UINT64_C(1) << now.grant;
        const unsigned count = (unsigned)__builtin_popcountll(under_way.warps);
        under_way.most = count > under_way.most ? count : under_way.most;
    }
    under_way.warps &= v->running & ~v->blocked_by_load;
}

static void active_warps_are_few(void **state)
{
    static const int64_t limits[] = {1, 2, 3, 6, NUM_WARPS};
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct config c = walk_config("tl-active");
        struct bench b;
        const int64_t limit = c.active_limit = limits[i];
        const unsigned threads = 32 * NUM_WARPS * NUM_SCHEDULERS;
        bench_open(&b, &c, walk, NULL);
        watched = b.gpu;
        under_way = (struct under_way){0};
        b.gpu->probe = note_under_way;
        bench_param(&b, bench_buffer(&b, 2 * NUM_SMS * threads));
        bench_time(&b, "walk", 2 * NUM_SMS, threads);
        assert_true(under_way.most == (limit < NUM_WARPS ? limit : NUM_WARPS));
        assert_true(under_way.turns_over > 9 * NUM_WARPS);
        bench_close(&b);
    }
}

/* The first `limit` warps work until they end: nobody else begins before one of them does. */
static void active_warps_end_first(void **state)
{
    (void)state;
    run("tl-active");
    const unsigned limit = test_config().active_limit;
    for (unsigned w = limit; w < NUM_WARPS; w++)
        assert_true(done_at[w] > done_at[w - limit]);
    if (2 * limit < NUM_WARPS)
        assert_true(done_at[limit - 1] < latest() / 2);
}

/* The state of both forms moves in cycles in which no warp is ready: a machine that asks their units
 * in every cycle in which something changes ends in the same cycle as one that leaves out what it
 * may. */
static void nothing_is_missed_while_nobody_is_ready(void **state)
{
    static const char *const policies[] = {"lrr", "tl", "tl-active"};
    (void)state;
    for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
        uint64_t cycles[2];
        for (int all = 0; all < 2; all++) {
            struct config c = walk_config(policies[p]);
            struct bench b;
            const unsigned threads = 32 * NUM_WARPS * NUM_SCHEDULERS / 2;
            c.active_limit = 2;
            c.sfu_interval = 64; /* so that a group that is awake may long have no warp ready */
            bench_open(&b, &c, walk, NULL);
            for (unsigned s = 0; s < NUM_SMS && all; s++) {
                sm_watch(b.gpu->sms[s]);
                for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
                    sm_rack(b.gpu->sms[s], i)->always = 1;
            }
            bench_param(&b, bench_buffer(&b, 4 * NUM_SMS * threads));
            cycles[all] = bench_time(&b, "walk", 4 * NUM_SMS, threads);
            bench_close(&b);
        }
        assert_int_equal(cycles[0], cycles[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_robin_makes_equal_progress),
        cmocka_unit_test(age_makes_unequal_progress),
        cmocka_unit_test(longest_wait_keeps_pace),
        cmocka_unit_test(youngest_turns_the_order_around),
        cmocka_unit_test(groups_end_one_after_the_other),
        cmocka_unit_test(active_warps_are_few),
        cmocka_unit_test(active_warps_end_first),
        cmocka_unit_test(nothing_is_missed_while_nobody_is_ready),
    };
    return cmocka_run_group_tests_name("tb/gpu/policy", tests, NULL, NULL);
}
