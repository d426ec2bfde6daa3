/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/throttle_test.c: what ccws and daws are for (DAWS 1, figure 1). Each thread walks along
 * an array of its own, so that a line serves it for many iterations; a warp needs a line for each of its
 * lanes, and all warps of an SM need more than L1D has. Under gto they take the lines from each other.
 * Both policies hold back loads of some, so that more of them hit, and the kernel takes less time. Where L1D has
 * room for all, they hold back none. On a small machine in lockstep, and observed. */
#include <inttypes.h>

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

struct found {
    uint64_t cycles, hits, denied;
};

/* Runs it with as many warps as the machine has, a small one three times, on an L1D with lines for `warps` of an SM. */
static struct found walk_under(const char *policy, int64_t warps)
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
    b.gpu->probe = look;
    const uint32_t blocks = (SMALL ? 3 : 1) * NUM_SMS * NUM_SCHEDULERS * NUM_WARPS / 4;
    bench_param(&b, bench_buffer(&b, (size_t)blocks * 128 * WORDS));
    const uint64_t cycles = bench_time(&b, "walk", blocks, 128);
    const struct found found = {cycles, bench_stats(&b)->sums.l1d.hits, watch.denied};
    bench_close(&b);
    return found;
}

static void loads_wait_where_lines_are_few(void **unused)
{
    static const char *const policies[] = {"ccws", "daws"};
    (void)unused;
    const struct found gto = walk_under("gto", 4);
    assert_int_equal(gto.denied, 0);
    for (unsigned i = 0; i < 2; i++) {
        const struct found found = walk_under(policies[i], 4);
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
    const struct found gto = walk_under("gto", room), ccws = walk_under("ccws", room),
                       daws = walk_under("daws", room);
    assert_int_equal(ccws.denied, 0);
    assert_int_equal(daws.denied, 0);
    assert_int_equal(ccws.cycles, gto.cycles);
    assert_int_equal(daws.cycles, gto.cycles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_wait_where_lines_are_few),
        cmocka_unit_test(none_waits_where_all_have_room),
    };
    return cmocka_run_group_tests_name("tb/gpu/throttle", tests, NULL, NULL);
}
