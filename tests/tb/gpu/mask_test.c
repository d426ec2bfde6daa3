/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/mask_test.c: vital and pollute bits in the machine (Poise III, VI-C): only the N
 * oldest warps issue, whatever the policy; barriers open for every N; fewer vital or fewer
 * polluting warps keep in L1 what all together drive out of it, and that saves time. Everything
 * runs in lockstep, both units. */
#include "tests/tb/exec/barriers.h"
#include "tests/tb/gpu/bench.h"

#define ROUNDS 12
#define LINES  8 /* that a warp of `walk` reads, over and over */

/* Warp w reads its own LINES lines ROUNDS times and adds what it finds. */
static const char walk[] =
    ".entry walk(.param .u64 base, .param .u64 out)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<20>; .reg .b64 %d<6>;\n"
    "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n"
    "mad.lo.u32 %r0, %r0, %r1, %r2; shr.u32 %r3, %r0, 5; and.b32 %r4, %r0, 31;\n"
    "ld.param.u64 %d0, [base]; mul.wide.u32 %d1, %r3, 1024; add.u64 %d0, %d0, %d1;\n"
    "mul.wide.u32 %d1, %r4, 4; add.u64 %d0, %d0, %d1; mov.u32 %r5, 0; mov.u32 %r6, 0;\n"
    "AGAIN: ld.global.u32 %r7, [%d0]; ld.global.u32 %r8, [%d0+128];\n"
    "ld.global.u32 %r9, [%d0+256]; ld.global.u32 %r10, [%d0+384];\n"
    "ld.global.u32 %r11, [%d0+512]; ld.global.u32 %r12, [%d0+640];\n"
    "ld.global.u32 %r13, [%d0+768]; ld.global.u32 %r14, [%d0+896];\n"
    "add.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r8; add.u32 %r6, %r6, %r9;\n"
    "add.u32 %r6, %r6, %r10; add.u32 %r6, %r6, %r11; add.u32 %r6, %r6, %r12;\n"
    "add.u32 %r6, %r6, %r13; add.u32 %r6, %r6, %r14;\n"
    "add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, 12; @%p0 bra AGAIN;\n"
    "ld.param.u64 %d2, [out]; mul.wide.u32 %d3, %r0, 4; add.u64 %d2, %d2, %d3;\n"
    "st.global.u32 [%d2], %r6;\nret;\n}\n";

static char text[sizeof PTX_HEADER + sizeof barrier_kernels + sizeof walk];

static struct config throttled(unsigned n, unsigned p)
{
    struct config c = test_config();
    strcpy(c.run_backend, "lockstep");
    c.mask_n = n;
    c.mask_p = p;
    return c;
}

/* What the tests remember of each warp of scheduler 0 of SM 0. */
static struct watch {
    struct gpu *gpu;
    unsigned n;
    struct sm_context before;
    uint64_t born[NUM_WARPS];
    unsigned grants, denied; /* denied: ready warps that were not vital */
} watch;

static unsigned older(const struct sm_context *c, unsigned warp)
{
    unsigned count = 0;
    for (unsigned w = 0; w < NUM_WARPS; w++)
        count += c->warps[w].state == WARP_RUN && watch.born[w] < watch.born[warp];
    return count;
}

/* A warp was born in the cycle in which it began to run; barriers do not make it younger. */
static void look(void *ctx, uint64_t cycle)
{
    struct sm_context now;
    (void)ctx;
    sm_context(watch.gpu->sms[0], 0, cycle, &now);
    if (now.grant != NO_CHOICE) {
        assert_true(older(&watch.before, (unsigned)now.grant) < watch.n);
        watch.grants++;
    }
    for (unsigned w = 0; w < NUM_WARPS; w++) {
        watch.denied += (now.ready >> w & 1) && older(&watch.before, w) >= watch.n;
        const int was_there =
            watch.before.warps[w].state == WARP_RUN || watch.before.warps[w].state == WARP_BARRIER;
        if (now.warps[w].state == WARP_RUN && !was_there)
            watch.born[w] = cycle;
    }
    watch.before = now;
}

static void only_the_oldest_issue(void **state)
{
    static const char *const policies[] = {"gto", "lrr", "oldest", "youngest", "tl", "tl-active"};
    (void)state;
    for (unsigned p = 0; p < sizeof policies / sizeof policies[0]; p++)
        for (unsigned n = 1; n <= NUM_WARPS; n += 1 + n) {
            struct config c = throttled(n, 0);
            struct bench b;
            strcpy(c.run_sched, policies[p]);
            c.active_limit = NUM_WARPS / 2;
            bench_open(&b, &c, text, NULL);
            watch = (struct watch){.gpu = b.gpu, .n = n};
            b.gpu->probe = look;
            uint64_t out = bench_buffer(&b, BARRIER_THREADS);
            for (int k = 0; k < BARRIER_KERNELS; k++) {
                bench_param(&b, out);
                bench_time(&b, barrier_names[k], 3 * NUM_SMS, BARRIER_THREADS);
            }
            assert_true(watch.grants > 100);
            assert_true(n > 3 || watch.denied > 100);
            bench_close(&b);
        }
}

static void barriers_open_for_every_n(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= NUM_WARPS; n++) {
        struct config c = throttled(n, 1);
        struct bench b;
        bench_open(&b, &c, text, NULL);
        uint64_t out = bench_buffer(&b, BARRIER_THREADS);
        for (int k = 0; k < BARRIER_KERNELS; k++) {
            memset(bench_words(&b, out), 0x55, 4 * BARRIER_THREADS);
            bench_param(&b, out);
            bench_time(&b, barrier_names[k], 4 * NUM_SMS, BARRIER_THREADS);
            for (uint32_t t = 0; t < BARRIER_THREADS; t++)
                assert_int_equal(bench_words(&b, out)[t], barrier_expected(k, t));
        }
        bench_close(&b);
    }
}

#define VITAL (NUM_WARPS < 8 ? 1u : NUM_WARPS / 8u)

/* `walk` on every warp of the machine; an L1D that holds the lines of VITAL warps of each
 * scheduler. */
static struct stats_sums walk_with(unsigned n, unsigned p)
{
    const uint32_t warps = NUM_SMS * NUM_SCHEDULERS * NUM_WARPS, threads = 8 * 32;
    struct config c = throttled(n, p);
    struct bench b;
    c.xbar_interval = 8; /* so that misses cost time even where there are few warps */
    for (c.l1d_sets = 1; c.l1d_sets * c.l1d_ways < NUM_SCHEDULERS * VITAL * LINES;)
        c.l1d_sets *= 2;
    bench_open(&b, &c, text, NULL);
    uint64_t base = bench_buffer(&b, warps * LINES * 32), out = bench_buffer(&b, warps * 32);
    for (uint32_t i = 0; i < warps * LINES * 32; i++)
        bench_words(&b, base)[i] = i;
    bench_param(&b, base);
    bench_param(&b, out);
    bench_time(&b, "walk", warps * 32 / threads, threads);
    for (uint32_t t = 0; t < warps * 32; t++) {
        uint32_t sum = 0;
        for (uint32_t line = 0; line < LINES; line++)
            sum += (t / 32 * LINES + line) * 32 + t % 32;
        assert_int_equal(bench_words(&b, out)[t], sum * ROUNDS);
    }
    struct stats_sums sums = bench_stats(&b)->sums;
    bench_close(&b);
    return sums;
}

static double hit_rate(const struct stats_sums *s)
{
    return (double)s->l1d.hits / (double)s->l1d.accesses;
}

static void fewer_warps_hit_more(void **state)
{
    (void)state;
    const struct stats_sums all = walk_with(0, 0), vital = walk_with(VITAL, 0),
                            polluting = walk_with(0, VITAL);
    assert_true(hit_rate(&all) < 0.3);
    assert_int_equal(all.l1d.bypassed, 0);
    /* Few vital warps: each brings its lines once. */
    assert_true(hit_rate(&vital) > 0.8);
    assert_true(vital.cycles < all.cycles);
    assert_int_equal(vital.l1d.bypassed, 0);
    /* All vital, few polluting: their lines stay, the others' pass by. */
    assert_true(hit_rate(&polluting) > hit_rate(&all) + 0.2);
    assert_true(polluting.cycles < all.cycles);
    assert_true(polluting.l1d.bypassed > 0 && polluting.l1d.evictions < all.l1d.evictions);
}

/* A p beyond n counts as n: as if it were not set (swl). */
static void no_more_pollute_than_are_vital(void **state)
{
    (void)state;
    const struct stats_sums swl = walk_with(VITAL, 0), beyond = walk_with(VITAL, NUM_WARPS),
                            same = walk_with(VITAL, VITAL);
    assert_memory_equal(&swl, &beyond, sizeof swl);
    assert_memory_equal(&swl, &same, sizeof swl);
    assert_int_equal(swl.l1d.bypassed, 0);
}

/* All warps vital and polluting is no throttling at all. */
static void everything_is_nothing(void **state)
{
    (void)state;
    const struct stats_sums off = walk_with(0, 0), all = walk_with(NUM_WARPS, NUM_WARPS);
    assert_memory_equal(&off, &all, sizeof off);
}

int main(void)
{
    strcat(strcat(strcpy(text, PTX_HEADER), barrier_kernels), walk);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_oldest_issue), cmocka_unit_test(barriers_open_for_every_n),
        cmocka_unit_test(fewer_warps_hit_more),  cmocka_unit_test(no_more_pollute_than_are_vital),
        cmocka_unit_test(everything_is_nothing),
    };
    return cmocka_run_group_tests_name("tb/gpu/mask", tests, NULL, NULL);
}
