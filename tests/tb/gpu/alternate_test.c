/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/alternate_test.c: the schedulers of an SM issue in turn (sched.alternate; thesis 6.2.1, 9.7.2): in
 * cycle c none but scheduler c modulo their number. */
#include "tests/tb/gpu/bench.h"

/* Independent additions, by which a warp can issue in every cycle, and a load. */
static const char busy[] =
    PTX_HEADER ".entry busy(.param .u64 data)\n{\n"
               ".reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %d<3>;\n"
               "ld.param.u64 %d0, [data]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 "
               "%d0, %d0, %d1; mov.u32 %r1, 0;\n"
               "ROUND: ld.global.u32 %r2, [%d0]; add.u32 %r3, %r0, 1; add.u32 %r4, %r0, 2; add.u32 "
               "%r5, %r0, 3; add.u32 %r6, %r0, 4;\n"
               "add.u32 %r7, %r0, 5; add.u32 %r8, %r0, 6; add.u32 %r9, %r2, 7; add.u32 %r1, %r1, "
               "1; setp.lt.u32 %p0, %r1, 20;\n"
               "@%p0 bra ROUND;\n"
               "st.global.u32 [%d0], %r9;\nret;\n}\n";

struct issues {
    uint64_t number, others, last; /* in all; in another's turn; the cycle of the last one */
    uint64_t together;             /* two in one cycle */
};

static void hear(void *context, const struct event *e)
{
    struct issues *i = context;
    const uint64_t scheduler = e->of.issue.warp / NUM_WARPS;
    i->others += i->number && e->cycle % NUM_SCHEDULERS != scheduler;
    i->together += i->number && e->cycle == i->last;
    i->last = e->cycle;
    i->number++;
}

static struct stats_sums run(struct config *c, struct issues *issues)
{
    struct bench b;
    memset(issues, 0, sizeof *issues);
    bench_open(&b, c, busy, NULL);
    struct listener guest = {.hears = HEARS(issue), .hear = hear, .context = issues};
    sm_listen(b.gpu->sms[0], &guest);
    bench_param(&b, bench_buffer(&b, 1024));
    bench_time(&b, "busy", 2 * NUM_SMS, 128);
    const struct stats_sums sums = bench_stats(&b)->sums;
    bench_close(&b);
    assert_true(issues->number > 500);
    return sums;
}

static struct config machine(const char *policy, int alternate)
{
    struct config c = test_config();
    strcpy(c.run_sched, policy);
    c.sp_interval = 1;
    c.sched_alternate = alternate;
    return c;
}

static void schedulers_take_turns(void **unused)
{
    static const char *const policies[] = {"gto", "lrr", "gtls-taws"};
    (void)unused;
    for (unsigned i = 0; i < 3; i++) {
        struct issues free_issues, in_turn;
        struct config c = machine(policies[i], 0);
        const struct stats_sums before = run(&c, &free_issues);
        assert_true(NUM_SCHEDULERS == 1 || (free_issues.others > 100 && free_issues.together > 10));
        c.sched_alternate = 1;
        const struct stats_sums after = run(&c, &in_turn);
        assert_int_equal(in_turn.others + in_turn.together, 0);
        assert_int_equal(in_turn.number, free_issues.number);
        assert_true(NUM_SCHEDULERS == 1 || after.cycles > before.cycles);
        assert_true(after.sm.warp_instructions <= after.cycles * NUM_SMS);
    }
}

/* What is observed, counted by the unit stall, and computed in lockstep, agrees there, too. */
static void all_agree(void **unused)
{
    static const char *const policies[] = {"gto", "lrr", "tl-active"};
    (void)unused;
    for (unsigned i = 0; i < 3; i++) {
        struct issues plain, watched;
        struct config c = machine(policies[i], 1);
        const struct stats_sums one = run(&c, &plain);
        strcpy(c.run_backend, "lockstep");
        c.run_observe = 1;
        const struct stats_sums other = run(&c, &watched);
        assert_int_equal(one.cycles, other.cycles);
        assert_memory_equal(&one.sm.cpi, &other.sm.cpi, sizeof one.sm.cpi);
        c.stall_count = 1;
        const struct stats_sums counted = run(&c, &watched);
        assert_int_equal(one.cycles, counted.cycles);
        assert_memory_equal(one.sm.outcomes, counted.sm.outcomes, sizeof one.sm.outcomes);
        assert_int_equal(counted.sm.found.stall_not_selected,
                         counted.sm.cpi.cycles[CPI_not_selected]);
    }
}

/* A scheduler holds a warp back, of which there are some that the policy turns down, in its turn alone. */
static void held_in_turn(void **unused)
{
    (void)unused;
    struct issues issues;
    struct config c = machine("gto", 1);
    c.mask_n = 1;
    const struct stats_sums sums = run(&c, &issues);
    const uint64_t granted = sums.sm.outcomes[OUTCOME_granted],
                   held = sums.sm.outcomes[OUTCOME_held];
    assert_true(NUM_SCHEDULERS == 1 || held > granted);
    assert_true(granted + held <= sums.cycles * NUM_SMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedulers_take_turns),
        cmocka_unit_test(all_agree),
        cmocka_unit_test(held_in_turn),
    };
    return cmocka_run_group_tests_name("tb/gpu/alternate", tests, NULL, NULL);
}
