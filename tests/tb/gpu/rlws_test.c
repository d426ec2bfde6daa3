/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/rlws_test.c: RLWS in the machine. Without learning and exploration all actions are worth the same, and the first by number that is
 * possible is taken: under rlws-ms that is gto; under rlws nothing is issued in every second cycle, and else to the lowest class. With learning
 * the agent finds out that it does not pay to issue nothing. Weights begin anew with a kernel, or are kept. */
#include "cmodel/rlws/rlws.h"
#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/bench.h"

/* Thread t adds up its words, with some arithmetic of all kinds in between. */
static const char text[] = PTX_HEADER
    ".entry work(.param .u64 base)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b64 %d<3>;\n.shared .b32 tile[64];\n"
    "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n"
    "mad.lo.u32 %r0, %r0, %r1, %r2; ld.param.u64 %d0, [base];\n"
    "mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1; mov.u32 %r5, 0; mov.f32 %f1, 0f3F800000;\n"
    "mov.u32 %r4, tile; and.b32 %r3, %r2, 63; shl.b32 %r3, %r3, 2; add.u32 %r4, %r4, %r3;\n"
    "AGAIN: ld.global.f32 %f0, [%d0]; sin.approx.f32 %f2, %f1; st.shared.f32 [%r4], %f2; add.f32 "
    "%f1, %f0, %f2;\n"
    "add.f32 %f1, %f1, %f1; ld.shared.f32 %f3, [%r4]; add.f32 %f1, %f1, %f3;\n"
    "add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 64; @%p0 bra AGAIN;\n"
    "st.global.f32 [%d0], %f1;\nret;\n}\n";

/* Arithmetic alone: a scheduler that has warps enough can issue in every cycle in which its pipeline is free. */
static const char spin[] = PTX_HEADER
    ".entry work(.param .u64 base)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %d<3>;\n"
    "mov.u32 %r0, %tid.x; mov.u32 %r5, 0; ld.param.u64 %d0, [base];\n"
    "AGAIN: add.u32 %r1, %r0, 1; add.u32 %r2, %r0, 2; add.u32 %r3, %r0, 3; add.u32 %r4, %r0, 4;\n"
    "add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 200; @%p0 bra AGAIN;\nret;\n}\n";

#define THREADS 64
#define BLOCKS  (4 * NUM_SMS)

static struct config config_of(const char *policy)
{
    struct config c = test_config();
    strcpy(c.run_sched, policy);
    return c;
}

/* No learning, no exploration. */
static struct config indifferent(const char *policy)
{
    struct config c = config_of(policy);
    c.rlws_alpha = c.rlws_epsilon = c.rlws_ms_alpha = c.rlws_ms_epsilon = 0;
    return c;
}

static uint64_t time_of(const struct config *c, const char *program, struct stats_sums *sums)
{
    struct bench b;
    bench_open(&b, c, program, NULL);
    bench_param(&b, bench_buffer(&b, BLOCKS * THREADS));
    const uint64_t cycles = bench_time(&b, "work", BLOCKS, THREADS);
    if (sums)
        *sums = bench_stats(&b)->sums;
    bench_close(&b);
    return cycles;
}

static void the_first_tie_of_rlws_ms_is_gto(void **unused)
{
    (void)unused;
    const struct config gto = config_of("gto"), ms = indifferent("rlws-ms");
    struct config c = ms;
    assert_int_equal(time_of(&gto, text, NULL), time_of(&ms, text, NULL));
    c.rlws_ms_epsilon = 500000; /* half of the actions are drawn */
    assert_int_not_equal(time_of(&gto, text, NULL), time_of(&c, text, NULL));
}

/* ---- the order of rlws ---- */

/* What has been seen in the turns of the schedulers of SM 0. */
static struct turns {
    struct sm *sm;
    uint64_t rested[NUM_SCHEDULERS]; /* the last action was to issue nothing */
    uint64_t known[NUM_SCHEDULERS];  /* cycles seen */
    uint64_t issued[NUM_ISSUE_CLASSES], refused;
} turns;

static int nothing(void *context, uint64_t cycle)
{
    (void)context;
    (void)cycle;
    return 0;
}
static int no_turn(void *context, unsigned scheduler, uint64_t cycle)
{
    (void)context;
    (void)scheduler;
    (void)cycle;
    return 0;
}

/* The turn is over: has the scheduler taken the lowest action that was possible? */
static int turned(void *context, unsigned scheduler, uint64_t cycle)
{
    const struct scheduler *sc = &turns.sm->schedulers[scheduler];
    uint64_t first = 0;
    (void)context;
    if (sc->turn != cycle + 1 || !sc->view.occupied)
        return 0;
    for (unsigned i = NUM_ISSUE_CLASSES; i--;)
        if (sc->view.ready[i])
            first = i + 1;
    /* two cycles go by until the learner knows a last action */
    const uint64_t should = turns.rested[scheduler] ? first : 0;
    if (turns.known[scheduler]++ > 3) {
        assert_int_equal(sc->view.action, should);
        turns.refused += first && !should;
        if (should)
            turns.issued[should - 1]++;
    }
    turns.rested[scheduler] = sc->view.action == 0;
    return 0;
}

static void the_first_tie_of_rlws_is_to_rest(void **unused)
{
    static const struct sm_observer observer = {NULL, nothing, no_turn, turned, nothing};
    (void)unused;
    const struct config c = indifferent("rlws");
    struct bench b;
    bench_open(&b, &c, text, NULL);
    turns = (struct turns){.sm = b.gpu->sms[0]};
    b.gpu->sms[0]->observer = &observer;
    bench_param(&b, bench_buffer(&b, BLOCKS * THREADS));
    bench_time(&b, "work", BLOCKS, THREADS);
    for (unsigned i = 0; i < NUM_ISSUE_CLASSES; i++)
        assert_true(turns.issued[i] > 0);
    assert_true(turns.refused > 100);
    bench_close(&b);
}

/* ---- it learns ---- */

static void it_learns_not_to_rest(void **unused)
{
    (void)unused;
    struct config with = config_of("rlws"), without = indifferent("rlws");
    /* A pipeline that takes an instruction every second cycle has time to rest. */
    with.sp_interval = without.sp_interval = 1;
    struct stats_sums learnt, never;
    const uint64_t fast = time_of(&with, spin, &learnt), slow = time_of(&without, spin, &never);
    print_message("cycles in which a warp was ready and none was granted: %llu of %llu, without "
                  "learning %llu of %llu\n",
                  (unsigned long long)learnt.sm.outcomes[OUTCOME_held], (unsigned long long)fast,
                  (unsigned long long)never.sm.outcomes[OUTCOME_held], (unsigned long long)slow);
    assert_true(learnt.sm.outcomes[OUTCOME_held] * 2 < never.sm.outcomes[OUTCOME_held]);
    assert_true(fast < slow);
}

static void what_is_drawn_depends_on_the_seed(void **unused)
{
    (void)unused;
    struct config c = config_of("rlws");
    const uint64_t first = time_of(&c, text, NULL);
    assert_int_equal(time_of(&c, text, NULL), first);
    c.rlws_seed = 12345;
    assert_int_not_equal(time_of(&c, text, NULL), first);
}

static const struct rlws_state *learner(const struct sm *sm)
{
    for (unsigned i = 0; i < sm->rack.count; i++)
        if (!strcmp(sm->rack.plugs[i].socket->stem, "rlws"))
            return plug_state(&sm->rack.plugs[i]);
    fail_msg("there is no learner");
    return NULL;
}

/* The weights as SM 0 has them after the first cycle of the second kernel. */
static struct rlws_state second;
static int watches;

static void look(void *gpu, uint64_t cycle)
{
    (void)cycle;
    if (watches++ == 0)
        second = *learner(((struct gpu *)gpu)->sms[0]);
}

static void weights_begin_anew_or_are_kept(void **unused)
{
    (void)unused;
    for (int64_t keep = 0; keep < 2; keep++) {
        struct config c = config_of("rlws");
        struct bench b;
        c.rlws_keep = keep;
        bench_open(&b, &c, text, NULL);
        const uint64_t data = bench_buffer(&b, BLOCKS * THREADS);
        bench_param(&b, data);
        bench_time(&b, "work", BLOCKS, THREADS);
        const struct rlws_state first = *learner(b.gpu->sms[0]);
        watches = 0;
        b.gpu->probe = look;
        b.gpu->probe_ctx = b.gpu;
        b.gpu->probe_first = gpu_cycle(b.gpu) + 1;
        bench_param(&b, data);
        bench_time(&b, "work", BLOCKS, THREADS);
        assert_true(watches > 0);
        /* 1 / (1 - 0.95), over eight variables */
        const uint64_t fresh = UINT64_C(5) << (RLWS_WEIGHT_BITS - 12) >> 1;
        int moved = 0;
        for (unsigned i = 0; i < RLWS_VARIABLES * RLWS_ACTIONS; i++) {
            moved |= first.theta[i] != fresh;
            assert_int_equal(second.theta[i], keep ? first.theta[i] : fresh);
        }
        assert_true(moved);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_tie_of_rlws_ms_is_gto),
        cmocka_unit_test(the_first_tie_of_rlws_is_to_rest),
        cmocka_unit_test(it_learns_not_to_rest),
        cmocka_unit_test(what_is_drawn_depends_on_the_seed),
        cmocka_unit_test(weights_begin_anew_or_are_kept),
    };
    return cmocka_run_group_tests_name("tb/gpu/rlws", tests, NULL, NULL);
}
