/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/taws_test.c: thread blocks by rank in the machine (thesis 7.2, 7.3): who issues is of the
 * block with the most warps at a barrier or done, of those with a warp that is ready; the time that
 * warps wait for others of their block falls. Who issues is watched in lockstep. */
#include "tests/tb/gpu/bench.h"

#define ROUNDS 6

/* In each round a warp adds, more often the higher its number and the round are, modulo four; then its
 * block meets at a barrier. In the end it adds once more before it ends. */
static const char rounds[] = PTX_HEADER
    ".entry rounds(.param .u64 out)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %d<3>;\n"
    "mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 5; mov.u32 %r2, 0; mov.u32 %r3, 0;\n"
    "ROUND: add.u32 %r4, %r1, %r2; and.b32 %r4, %r4, 3; shl.b32 %r4, %r4, 3; add.u32 %r4, %r4, 2;\n"
    "WORK: add.u32 %r5, %r2, 1; add.u32 %r6, %r2, 2; add.u32 %r7, %r2, 3; add.u32 %r3, %r3, 1;\n"
    "sub.u32 %r4, %r4, 1; setp.ne.u32 %p0, %r4, 0; @%p0 bra WORK;\n"
    "add.u32 %r2, %r2, 1; setp.gt.u32 %p1, %r2, 6; @%p1 bra END;\n"
    "bar.sync 0; bra.uni ROUND;\n"
    "END: mov.u32 %r8, %ctaid.x; mov.u32 %r9, %ntid.x; mad.lo.u32 %r8, %r8, %r9, %r0;\n"
    "ld.param.u64 %d0, [out]; mul.wide.u32 %d1, %r8, 4; add.u64 %d0, %d0, %d1;\n"
    "st.global.u32 [%d0], %r3;\nret;\n}\n";

static uint32_t sum_of(unsigned warp)
{
    uint32_t sum = 0;
    for (unsigned round = 0; round <= ROUNDS; round++)
        sum += 2 + 8 * ((warp + round) % 4);
    return sum;
}

static struct config ranked(const char *policy, int greedy)
{
    struct config c = test_config();
    strcpy(c.run_sched, policy);
    strcpy(c.run_backend, "lockstep");
    c.taws_greedy = greedy;
    c.sp_interval = 2; /* warps compete for it */
    return c;
}

/* Runs a few blocks on each SM; what it counted. */
static struct stats_sums run(struct bench *b)
{
    const uint32_t threads = 128, blocks = 5 * NUM_SMS;
    const uint64_t out = bench_buffer(b, (size_t)blocks * threads);
    bench_param(b, out);
    bench_time(b, "rounds", blocks, threads);
    for (uint32_t t = 0; t < blocks * threads; t++)
        assert_int_equal(bench_words(b, out)[t], sum_of(t % threads / 32));
    return bench_stats(b)->sums;
}

/* What the test remembers of SM 0: its warps as they were when the last cycle had ended. */
static struct watch {
    struct gpu *gpu;
    int greedy;
    struct sm_context before[NUM_SCHEDULERS];
    uint64_t last[NUM_SCHEDULERS]; /* block of the warp that issued last, and the warp */
    unsigned last_warp[NUM_SCHEDULERS];
    unsigned grants, outranked, preempted, went_on;
} watch;

static int stalled(const struct sm_context *c, unsigned w)
{
    return c->warps[w].state == WARP_BARRIER || c->warps[w].state == WARP_DONE;
}

/* Warps of a block at a barrier or done, of all schedulers. */
static unsigned waiting(uint64_t block)
{
    unsigned count = 0;
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++)
        for (unsigned w = 0; w < NUM_WARPS; w++)
            count += stalled(&watch.before[k], w) && watch.before[k].warps[w].block == block;
    return count;
}

/* Blocks come to an SM in the order of their numbers. */
static int goes_before(uint64_t a, uint64_t b)
{
    return waiting(a) != waiting(b) ? waiting(a) > waiting(b) : a < b;
}

static void judge(unsigned k, const struct sm_context *now)
{
    const struct sm_context *before = &watch.before[k];
    const unsigned granted = (unsigned)now->grant;
    const uint64_t block = before->warps[granted].block;
    const int goes_on = granted == watch.last_warp[k] && block == watch.last[k];
    int better = 0;
    for (unsigned w = 0; w < NUM_WARPS; w++) {
        if (!(now->ready >> w & 1))
            continue;
        const uint64_t other = before->warps[w].block;
        better |= other != block && goes_before(other, block);
        watch.outranked += other != block && other < block; /* an older one had to wait */
        watch.preempted += w == watch.last_warp[k] && other == watch.last[k] && w != granted;
        /* In a block, whoever issued last goes on. */
        assert_false(w == watch.last_warp[k] && other == watch.last[k] && other == block &&
                     w != granted);
    }
    assert_true(!better || (watch.greedy && goes_on));
    watch.went_on += better;
    watch.grants++;
    watch.last[k] = block;
    watch.last_warp[k] = granted;
}

static void look(void *ctx, uint64_t cycle)
{
    struct sm_context now[NUM_SCHEDULERS];
    (void)ctx;
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        sm_context(watch.gpu->sms[0], k, cycle, &now[k]);
        if (now[k].grant != NO_CHOICE)
            judge(k, &now[k]);
    }
    memcpy(watch.before, now, sizeof watch.before);
}

static void watched(const char *policy, int greedy)
{
    const struct config c = ranked(policy, greedy);
    struct bench b;
    bench_open(&b, &c, rounds, NULL);
    watch = (struct watch){.gpu = b.gpu, .greedy = greedy};
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++)
        watch.last_warp[k] = NUM_WARPS;
    b.gpu->probe = look;
    run(&b);
    bench_close(&b);
    assert_true(watch.grants > 1000);
    assert_true(watch.outranked > 100);
}

static void the_best_block_issues(void **unused)
{
    static const char *const policies[] = {"gto-taws", "gtls-taws"};
    (void)unused;
    for (unsigned i = 0; i < 2; i++) {
        watched(policies[i], 0);
        assert_int_equal(watch.went_on, 0);
        assert_true(watch.preempted > 10); /* a better block takes the turn from who could go on */
    }
}

/* Section 7.2 runs a warp until it stalls, and asks for the rank only then. */
static void a_warp_goes_on_until_it_stalls(void **unused)
{
    static const char *const policies[] = {"gto-taws", "gtls-taws"};
    (void)unused;
    for (unsigned i = 0; i < 2; i++) {
        watched(policies[i], 1);
        assert_true(watch.went_on > 10);
        assert_int_equal(watch.preempted, 0);
    }
}

static uint64_t waits(const char *policy)
{
    struct config c = ranked(policy, 0);
    struct bench b;
    strcpy(c.run_backend, "c");
    bench_open(&b, &c, rounds, NULL);
    const struct stats_sums sums = run(&b);
    bench_close(&b);
    return sums.sm.cpi.cycles[CPI_barrier] + sums.sm.cpi.cycles[CPI_done];
}

/* "TAWS based schemes perform better in reducing stalls due to barrier and function done" (7.4.1). */
static void warps_wait_less_for_their_block(void **unused)
{
    (void)unused;
    const uint64_t gto = waits("gto"), gto_taws = waits("gto-taws"), gtls = waits("gtls"),
                   gtls_taws = waits("gtls-taws");
    print_message("barrier and done: gto %lu, gto-taws %lu, gtls %lu, gtls-taws %lu\n",
                  (unsigned long)gto, (unsigned long)gto_taws, (unsigned long)gtls,
                  (unsigned long)gtls_taws);
    assert_true(gto_taws < gto);
    assert_true(gtls_taws < gtls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_block_issues),
        cmocka_unit_test(a_warp_goes_on_until_it_stalls),
        cmocka_unit_test(warps_wait_less_for_their_block),
    };
    return cmocka_run_group_tests_name("tb/gpu/taws", tests, NULL, NULL);
}
