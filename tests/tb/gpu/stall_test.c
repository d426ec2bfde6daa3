/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/stall_test.c: what the unit counts of where warps' cycles go (thesis 6.3) is what the machine
 * counts, class by class, under several policies; IPC = warps / CPI is exact by its counts; it moves
 * nothing; and a count that is not the machine's stops the machine. */
#include <stdlib.h>

#include "tests/tb/gpu/bench.h"

/* Rounds of: a load, which the next instruction waits for; a branch on which lanes part; SFU; additions, more of them the higher
 * the warp's number is; a barrier. */
static const char mixed[] = PTX_HEADER
    ".entry mixed(.param .u64 data)\n{\n"
    ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .f32 %f<8>; .reg .b64 %d<4>;\n"
    "ld.param.u64 %d0, [data]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;\n"
    "mad.lo.u32 %r3, %r1, %r2, %r0; mul.lo.u32 %r3, %r3, 68; mov.u32 %r4, 0; mov.u32 %r5, 0;\n"
    "and.b32 %r6, %r0, 1; setp.ne.u32 %p0, %r6, 0; shr.u32 %r7, %r0, 5;\n"
    "ROUND: add.u32 %r3, %r3, 4100; and.b32 %r3, %r3, 65532; cvt.u64.u32 %d1, %r3; add.u64 %d1, "
    "%d0, %d1;\n"
    "ld.global.u32 %r8, [%d1]; add.u32 %r5, %r5, %r8; cvt.rn.f32.u32 %f0, %r5;\n"
    "@%p0 bra ODD;\n"
    "sin.approx.f32 %f1, %f0; cos.approx.f32 %f2, %f0; ex2.approx.f32 %f3, %f0; add.f32 %f4, %f1, "
    "%f2; bra.uni JOIN;\n"
    "ODD: add.u32 %r9, %r5, 1; add.u32 %r10, %r9, 1;\n"
    "JOIN: mov.u32 %r11, %r7;\n"
    "WORK: add.u32 %r12, %r11, 5; add.u32 %r13, %r12, %r11; setp.eq.u32 %p1, %r11, 0; sub.u32 "
    "%r11, %r11, 1;\n"
    "@!%p1 bra WORK;\n"
    "bar.sync 0; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 8; @%p2 bra ROUND;\n"
    "st.global.u32 [%d1], %r5;\nret;\n}\n";

#define BLOCKS  (4 * NUM_SMS)
#define THREADS 96

static struct config machine(const char *policy, const char *overlap, const char *backend)
{
    struct config c = test_config();
    strcpy(c.run_sched, policy);
    strcpy(c.cpi_overlap, overlap);
    strcpy(c.run_backend, backend);
    c.stall_count = 1;
    return c;
}

static void open_machine(struct bench *b, const struct config *c)
{
    bench_open(b, c, mixed, NULL);
}

/* What a launch has counted. */
static struct stats_sums launch(struct bench *b)
{
    bench_param(b, bench_buffer(b, 1 << 15));
    bench_time(b, "mixed", BLOCKS, THREADS);
    return bench_stats(b)->sums;
}

/* The unit's counts as the machine's stand. */
static void counts_of(const struct stats_sums *s, uint64_t counts[NUM_CPI_CLASSES])
{
    const uint64_t found[NUM_CPI_CLASSES] = {
#define CPI_CLASS(name, meaning) [CPI_##name] = s->sm.found.stall_##name,
#include "tb/sm/cpi.def"
#undef CPI_CLASS
    };
    memcpy(counts, found, sizeof found);
}

/* Class by class, and in the ways in which the thesis puts them together. Returns the sum. */
static uint64_t agree(const struct stats_sums *s)
{
    uint64_t counts[NUM_CPI_CLASSES], sum = 0;
    counts_of(s, counts);
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++) {
        if (counts[i] != s->sm.cpi.cycles[i])
            fail_msg("%s: %lu cycles counted, %lu by the machine", cpi_name(i),
                     (unsigned long)counts[i], (unsigned long)s->sm.cpi.cycles[i]);
        sum += counts[i];
    }
    /* With T cycles, C of warps and I instructions: IPC = I / T, warps = C / T, CPI = C / I, where C and I of CPI are
     * the unit's: (C / T) / (C' / I') = I / T. */
    assert_true(sum > 0);
    assert_int_equal(s->sm.warp_cycles * counts[CPI_issued], s->sm.warp_instructions * sum);
    assert_int_equal(counts[CPI_issued], s->sm.warp_instructions);
    return sum;
}

static void counts_are_the_machines(void **unused)
{
    static const char *const policies[] = {"gto", "lrr", "gtls-taws"},
                             *const overlaps[] = {"first", "active"},
                             *const backends[] = {"c", "lockstep"};
    (void)unused;
    for (unsigned i = 0; i < 12; i++) {
        const struct config c = machine(policies[i % 3], overlaps[i / 3 % 2], backends[i / 6]);
        struct bench b;
        open_machine(&b, &c);
        const struct stats_sums s = launch(&b);
        agree(&s);
        for (unsigned class = 0; class < NUM_CPI_CLASSES; class ++) /* the kernel has them all */
            assert_true(s.sm.cpi.cycles[class] > 0);
        bench_close(&b);
    }
}

/* Each launch has its own counts, whatever the one before has left in the registers. */
static void kernels_start_anew(void **unused)
{
    (void)unused;
    const struct config c = machine("gto", "first", "rtl");
    struct bench b;
    open_machine(&b, &c);
    for (unsigned i = 0; i < 3; i++) {
        const struct stats_sums s = launch(&b);
        agree(&s);
    }
    bench_close(&b);
}

/* A count with few bits goes round many times. */
static void counts_wrap(void **unused)
{
    (void)unused;
    const struct config c = machine("lrr", "first", "c");
    struct bench b;
    open_machine(&b, &c);
    const struct stats_sums s = launch(&b);
    const uint64_t each = agree(&s) / (NUM_CPI_CLASSES * NUM_SMS * NUM_SCHEDULERS);
    assert_true(STALL_COUNT_BITS > 8 || each > UINT64_C(1) << STALL_COUNT_BITS);
    bench_close(&b);
}

/* Who looks on moves nothing. */
static void nothing_moves(void **unused)
{
    static const char *const policies[] = {"gto", "gtls-taws", "rlws"};
    (void)unused;
    for (unsigned i = 0; i < 3; i++) {
        struct config c = machine(policies[i], "first", "c");
        struct bench b;
        open_machine(&b, &c);
        const struct stats_sums on = launch(&b);
        bench_close(&b);
        c.stall_count = 0;
        open_machine(&b, &c);
        const struct stats_sums off = launch(&b);
        bench_close(&b);
        uint64_t counts[NUM_CPI_CLASSES];
        counts_of(&off, counts);
        for (unsigned class = 0; class < NUM_CPI_CLASSES; class ++)
            assert_int_equal(counts[class], 0);
        assert_int_equal(on.cycles, off.cycles);
        assert_memory_equal(&on.sm.cpi, &off.sm.cpi, sizeof on.sm.cpi);
        assert_memory_equal(on.sm.outcomes, off.sm.outcomes, sizeof on.sm.outcomes);
    }
}

/* An SM forgets what it has counted when its kernel is over: compared once more, the unit has counted too much. */
static void a_difference_is_reported(void **unused)
{
    (void)unused;
    const struct config c = machine("gto", "first", "c");
    struct bench b;
    char *text = NULL;
    size_t size;
    open_machine(&b, &c);
    launch(&b);
    struct rack *wrong = sm_audit(b.gpu->sms[1], 77);
    assert_ptr_equal(wrong, sm_rack(b.gpu->sms[1], 0));
    assert_string_equal(unit_stem(wrong->wrong), "stall");
    FILE *to = open_memstream(&text, &size);
    unit_report(wrong->wrong, "some", to);
    fclose(to);
    assert_non_null(strstr(text, "stall  sm 1 scheduler 0  config some  cycle 77"));
    assert_non_null(strstr(text, "class issued: it has counted "));
    assert_non_null(strstr(text, " cycles, the machine 0"));
    free(text);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_the_machines),
        cmocka_unit_test(kernels_start_anew),
        cmocka_unit_test(counts_wrap),
        cmocka_unit_test(nothing_moves),
        cmocka_unit_test(a_difference_is_reported),
    };
    return cmocka_run_group_tests_name("tb/gpu/stall", tests, NULL, NULL);
}
