/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/sampled_test.c: what the statistics count of a kernel is what Poise's engine counts in a sample:
 * with a sample that is longer than the kernel, both are the same numbers. So `heddle train` learns
 * from what the engine will measure. */
#include "cmodel/poise/poise.h"
#include "tb/gpu/occupancy.h"
#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/bench.h"

#define BLOCKS (2 * NUM_SMS + 1)

/* Thread t reads words of line t / 2 % 32, as others do, some of them again, with an atomic and a store between; a load
 * that no lane executes is one, too. */
static const char text[] = PTX_HEADER
    ".entry mixed(.param .u64 base)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %d<5>;\n"
    "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n"
    "mad.lo.u32 %r0, %r0, %r1, %r2; ld.param.u64 %d0, [base];\n"
    "shr.u32 %r3, %r0, 1; and.b32 %r3, %r3, 31; mul.wide.u32 %d1, %r3, 128; add.u64 %d1, %d0, %d1; "
    "mov.u32 %r5, 0;\n"
    "setp.gt.u32 %p1, %r2, 4096;\n"
    "AGAIN: and.b32 %r4, %r5, 7; mul.wide.u32 %d2, %r4, 4; add.u64 %d2, %d1, %d2;\n"
    "ld.global.u32 %r6, [%d2]; @%p1 ld.global.u32 %r7, [%d0]; add.u32 %r5, %r5, 1;\n"
    "setp.lt.u32 %p0, %r5, 6; @%p0 bra AGAIN;\n"
    "atom.global.add.u32 %r6, [%d0], 1; st.global.u32 [%d1], %r6; ld.global.u32 %r6, [%d2];\n"
    "ret;\n}\n";

static void sampled_is_counted(void **unused)
{
    struct config c = test_config();
    struct bench b;
    uint64_t accesses = 0, hits = 0, owns = 0, instructions = 0, globals = 0, waited = 0;
    (void)unused;
    strcpy(c.run_sched, "poise");
    c.poise_period = 60000;
    c.poise_warmup = 1;
    c.poise_feature = 16000;
    bench_open(&b, &c, text, NULL);
    bench_param(&b, bench_buffer(&b, BLOCKS * 64 * 32));
    const uint64_t cycles = bench_time(&b, "mixed", BLOCKS, 64);
    assert_in_range(cycles, 100, 15000);
    const struct kernel_stats *k = bench_stats(&b);
    for (unsigned i = 0; i < NUM_SMS; i++) {
        const struct sm *sm = b.gpu->sms[i];
        const struct poise_state *s = plug_state(plug_find(sm->rack.plugs, "poise"));
        assert_int_equal(s->waiting, 0);
        assert_int_equal(s->most, occupancy_scheduler(&k->occupancy));
        accesses += s->accesses;
        hits += s->hits;
        owns += s->owns;
        instructions += s->instructions;
        globals += s->globals;
        waited += s->waited;
    }
    assert_int_equal(k->sums.l1d.accesses, accesses);
    assert_int_equal(k->sums.l1d.hits, hits);
    assert_int_equal(k->sums.l1d.hits_intra_warp, owns);
    assert_int_equal(k->sums.l1d.waited, waited);
    assert_int_equal(k->sums.sm.loads, globals);
    /* Those before the sample: the engine begins it in its third cycle. */
    assert_in_range(k->sums.sm.warp_instructions - instructions, 0, 3 * NUM_SMS * NUM_SCHEDULERS);
    assert_true(k->sums.l1d.mshr_merged > 0 && hits > owns && owns > 0 && waited > accesses - hits);
    assert_int_equal(globals, (2 * 6 + 2) * 2 * BLOCKS);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sampled_is_counted)};
    return cmocka_run_group_tests_name("tb/gpu/sampled", tests, NULL, NULL);
}
