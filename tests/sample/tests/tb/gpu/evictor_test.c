/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/evictor_test.c: the evictor in the machine: from the next cycle on, the warp that
 * has lost most lines of L1D issues no load; with an L1D that loses none it changes nothing.
 * Everything runs in lockstep. */
#include "cmodel/evictor/evictor.h"
#include "tests/tb/gpu/bench.h"

#define LINES   4 /* that a warp reads, over and over */
#define WARPS   (NUM_SCHEDULERS * NUM_WARPS)
#define THREADS (4 * 32)

/* Warp w reads its own LINES lines twelve times. */
static const char text[] =
    PTX_HEADER ".entry walk(.param .u64 base)\n{\n"
               ".reg .pred %p<2>; .reg .b32 %r<10>; .reg .b64 %d<3>;\n"
               "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n"
               "mad.lo.u32 %r0, %r0, %r1, %r2; shr.u32 %r3, %r0, 5; and.b32 %r4, %r0, 31;\n"
               "ld.param.u64 %d0, [base]; mul.wide.u32 %d1, %r3, 512; add.u64 %d0, %d0, %d1;\n"
               "mul.wide.u32 %d1, %r4, 4; add.u64 %d0, %d0, %d1; mov.u32 %r5, 0;\n"
               "AGAIN: ld.global.u32 %r6, [%d0]; ld.global.u32 %r7, [%d0+128];\n"
               "ld.global.u32 %r8, [%d0+256]; ld.global.u32 %r9, [%d0+384];\n"
               "add.u32 %r6, %r6, %r7; add.u32 %r8, %r8, %r9;\n"
               "add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 12; @%p0 bra AGAIN;\nret;\n}\n";

/* What is seen of SM 0. */
static struct watch {
    struct gpu *gpu;
    struct sm_context before[NUM_SCHEDULERS];
    struct evictor_out out; /* of the cycle before */
    unsigned grants, denied;
} watch;

static int is_withheld_load(unsigned scheduler, unsigned slot)
{
    const char *next = watch.before[scheduler].warps[slot].text;
    return !bit_get(watch.out.allow_load, scheduler * NUM_WARPS + slot) && next &&
           strstr(next, "ld.global");
}

static void look(void *context, uint64_t cycle)
{
    (void)context;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        struct sm_context now;
        sm_context(watch.gpu->sms[0], i, cycle, &now);
        for (unsigned w = 0; w < NUM_WARPS; w++)
            watch.denied += (now.ready >> w & 1) && is_withheld_load(i, w);
        if (now.grant != NO_CHOICE) {
            assert_false(is_withheld_load(i, (unsigned)now.grant));
            watch.grants++;
        }
        watch.before[i] = now;
    }
    watch.out = *(const struct evictor_out *)sm_rack(watch.gpu->sms[0], NUM_RACKS - 1)->plugs->out;
}

/* Runs `walk` with as many warps as the machine has; returns its cycles. */
static uint64_t walk_with(int64_t threshold, int64_t sets, uint64_t *evictions)
{
    struct config c = test_config();
    struct bench b;
    strcpy(c.run_backend, "lockstep");
    c.evictor_threshold = threshold;
    c.l1d_sets = sets;
    bench_open(&b, &c, text, NULL);
    watch = (struct watch){.gpu = b.gpu};
    memset(&watch.out, 0xff, sizeof watch.out);
    if (threshold)
        b.gpu->probe = look;
    bench_param(&b, bench_buffer(&b, (size_t)NUM_SMS * WARPS * LINES * 32));
    const uint64_t cycles = bench_time(&b, "walk", NUM_SMS * WARPS * 32 / THREADS, THREADS);
    *evictions = bench_stats(&b)->sums.l1d.evictions;
    bench_close(&b);
    return cycles;
}

static void the_worst_issues_no_loads(void **unused)
{
    (void)unused;
    uint64_t evictions;
    walk_with(2, 1, &evictions);
    assert_true(evictions > 100);
    assert_true(watch.grants > 100);
    assert_true(watch.denied > 10);
}

static void without_evictions_nothing_changes(void **unused)
{
    (void)unused;
    uint64_t evictions;
    const uint64_t with = walk_with(1, 1024, &evictions);
    assert_int_equal(evictions, 0);
    assert_int_equal(watch.denied, 0);
    assert_int_equal(with, walk_with(0, 1024, &evictions));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_issues_no_loads),
        cmocka_unit_test(without_evictions_nothing_changes),
    };
    return cmocka_run_group_tests_name("tb/gpu/evictor", tests, NULL, NULL);
}
