/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/throttle_test.c: what ccws and daws are for (DAWS 1, figure 1). Each thread walks along
 * an array of its own, so that a line serves it for many iterations; a warp needs a line for each of its
 * lanes, and all warps of an SM need more than L1D has. Under gto they take the lines from each other.
 * Both policies hold back loads of some, so that more of them hit, and the kernel takes less time. Where L1D has
 * room for all, they hold back none. On a small machine in lockstep, and observed. What is counted of it, and of
 * the locality that is lost, is what the units themselves know. */
#include <inttypes.h>

#include "cmodel/ccws/ccws.h"
#include "tb/profile/lost.h"
#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/bench.h"

#define WORDS 32 /* that a thread reads: a line */
#define SMALL (NUM_SMS * NUM_SCHEDULERS * NUM_WARPS <= 64)

/* Thread t reads the words of line t one after the other. */
static const char text[] = PTX_HEADER
    ".entry walk(.param .u64 base)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %d<3>;\n"
    "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n"
    "mad.lo.u32 %r0, %r0, %r1, %r2; ld.param.u64 %d0, [base];\n"
    "mul.wide.u32 %d1, %r0, 128; add.u64 %d0, %d0, %d1; mov.u32 %r5, 0; mov.u32 %r7, 0;\n"
    "AGAIN: ld.global.u32 %r6, [%d0]; add.u32 %r7, %r7, %r6; add.u64 %d0, %d0, 4;\n"
    "add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 32; @%p0 bra AGAIN;\nret;\n}\n";

/* What is seen of SM 0. */
static struct watch {
    struct gpu *gpu;
    uint64_t denied; /* warps whose loads were held back, summed over the cycles */
} watch;

static void look(void *context, uint64_t cycle)
{
    const struct sm *sm = watch.gpu->sms[0];
    (void)context;
    (void)cycle;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        watch.denied += (uint64_t)__builtin_popcountll(sm->schedulers[i].view.running &
                                                       ~sm->controls[i].allow_load);
}

struct seen {
    uint64_t cycles, hits, denied;
    uint64_t loops, withheld, held; /* of the statistics */
    uint64_t lost, known;           /* hits in victim tags of SM 0: by the guest, by ccws */
};

/* The hits that ccws has counted. */
static uint64_t hits_of_ccws(const struct sm *sm)
{
    for (unsigned i = 0; i < sm->rack.count; i++)
        if (!strcmp(sm->rack.plugs[i].socket->stem, "ccws"))
            return ((const struct ccws_state *)plug_state(&sm->rack.plugs[i]))->hits;
    return 0;
}

/* Runs it with as many warps as the machine has, a small one three times, on an L1D with lines for `warps` of an SM. */
static struct seen walk_under(const char *policy, int64_t warps)
{
    struct config c = test_config();
    struct bench b;
    strcpy(c.run_sched, policy);
    if (SMALL) {
        strcpy(c.run_backend, "lockstep");
        c.run_observe = 1;
    }
    c.l1d_ways = 8;
    c.l1d_line = 128;
    c.l1d_sets = warps * 32 / c.l1d_ways;
    bench_open(&b, &c, text, NULL);
    watch = (struct watch){.gpu = b.gpu};
    struct lost *lost = lost_new(&c);
    struct lost_counts counts = {0};
    assert_non_null(lost);
    sm_listen(b.gpu->sms[0], lost_listener(lost));
    b.gpu->probe = look;
    const uint32_t blocks = (SMALL ? 3 : 1) * NUM_SMS * NUM_SCHEDULERS * NUM_WARPS / 4;
    bench_param(&b, bench_buffer(&b, (size_t)blocks * 128 * WORDS));
    const uint64_t cycles = bench_time(&b, "walk", blocks, 128);
    const struct stats_sums *sums = &bench_stats(&b)->sums;
    assert_int_equal(lost_take(lost, 0, &counts), 0);
    const struct seen seen = {.cycles = cycles,
                              .hits = sums->l1d.hits,
                              .denied = watch.denied,
                              .loops = sums->sm.found.loops_with_locality,
                              .withheld = sums->sm.withheld,
                              .held = sums->sm.outcomes[OUTCOME_held],
                              .lost = counts.locality,
                              .known = hits_of_ccws(b.gpu->sms[0])};
    bench_close(&b);
    lost_free(lost);
    return seen;
}

static void loads_wait_where_lines_are_few(void **unused)
{
    static const char *const policies[] = {"ccws", "daws"};
    (void)unused;
    const struct seen gto = walk_under("gto", 4);
    assert_int_equal(gto.denied, 0);
    for (unsigned i = 0; i < 2; i++) {
        const struct seen found = walk_under(policies[i], 4);
        print_message("%s: %.2f of gto's cycles, %" PRIu64 " hits instead of %" PRIu64 "\n",
                      policies[i], (double)found.cycles / (double)gto.cycles, found.hits, gto.hits);
        assert_true(found.denied > found.cycles);
        assert_true(found.hits > gto.hits + 100);
        assert_true(found.cycles < gto.cycles);
    }
}

static void none_waits_where_all_have_room(void **unused)
{
    (void)unused;
    const int64_t room = 2 * NUM_SCHEDULERS * 64;
    const struct seen gto = walk_under("gto", room), ccws = walk_under("ccws", room),
                      daws = walk_under("daws", room);
    assert_int_equal(ccws.denied, 0);
    assert_int_equal(daws.denied, 0);
    assert_int_equal(ccws.cycles, gto.cycles);
    assert_int_equal(daws.cycles, gto.cycles);
}

/* The guest's victim tags lose what the units' do, and under a policy without any as well; the only loop
 * is found on each SM. */
static void what_is_lost_is_counted(void **unused)
{
    (void)unused;
    const struct seen gto = walk_under("gto", 4), ccws = walk_under("ccws", 4),
                      daws = walk_under("daws", 4), room = walk_under("ccws", 128);
    assert_true(gto.lost > ccws.lost && ccws.lost > daws.lost);
    assert_int_equal(room.lost, 0);
    assert_true(ccws.lost > 0);
    if (CCWS_HIT_BITS >= 12 && CCWS_ISSUE_BITS >= 16) /* else the unit has halved its counters */
        assert_int_equal(ccws.lost, ccws.known);
    assert_true(gto.withheld == 0 && gto.held == 0 && room.withheld == 0);
    assert_true(ccws.withheld > 0 && ccws.held > 0 && daws.withheld > 0 && daws.held > 0);
    assert_true(gto.loops == 0 && ccws.loops == 0);
    assert_int_equal(daws.loops, NUM_SMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_wait_where_lines_are_few),
        cmocka_unit_test(none_waits_where_all_have_room),
        cmocka_unit_test(what_is_lost_is_counted),
    };
    return cmocka_run_group_tests_name("tb/gpu/throttle", tests, NULL, NULL);
}
