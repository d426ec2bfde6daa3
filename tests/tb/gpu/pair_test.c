/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/pair_test.c: two kernels on the machine at once (thesis 8): what they compute, what is counted of each and of both, how
 * many blocks of each an SM holds, and that one alone runs as under the dispatcher of one kernel. */
#include "tests/tb/gpu/pair.h"

/* Both store a number per thread that depends on all turns of a loop; `loads` reads memory in it, and waits at a barrier. */
static const char text[] = PTX_HEADER ADDING_KERNEL(
    "adds",
    "%r3") ".visible .entry loads(.param .u64 out, .param .u64 turns)\n{\n"
           ".reg .b32 %r<8>;\n.reg .b64 %rd<6>;\n.reg .pred %p<2>;\n"
           "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [turns];\n"
           "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\n"
           "mad.lo.s32 %r3, %r0, %r1, %r2;\ncvt.u32.u64 %r5, %rd1;\n"
           "mul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd0, %rd2;\n"
           "MORE:\nld.global.u32 %r4, [%rd3];\nadd.s32 %r4, %r4, %r5;\nst.global.u32 [%rd3], %r4;\n"
           "bar.sync 0;\nadd.s32 %r5, %r5, -1;\nsetp.ne.s32 %p0, %r5, 0;\n@%p0 bra MORE;\nret;\n}\n"
           ".visible .entry far(.param .u64 out, .param .u64 turns)\n{\n"
           ".reg .b32 %r<2>;\n.reg .b64 %rd<2>;\n"
           "mov.u64 %rd0, 16;\nld.global.u32 %r0, [%rd0];\nst.global.u32 [%rd0], %r0;\nret;\n}\n";

static void alone_it_runs_as_under_lrr(void **unused)
{
    (void)unused;
    const char *const kernels[] = {"adds", "loads"};
    for (unsigned k = 0; k < 2; k++) {
        struct stats_sums sums[2];
        for (unsigned i = 0; i < 2; i++) {
            const struct config c = pair_config(i ? "kmu" : "lrr");
            struct bench b;
            bench_open(&b, &c, text, NULL);
            struct one o = {.kernel = kernels[k]};
            unsigned ended;
            pair_prepare(&b, &o);
            assert_int_equal(pair_begin(&b, 0, &o), GPU_OK);
            assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
            pair_check(&b, &o);
            sums[i] = bench_stats(&b)->sums;
            assert_int_equal(b.gpu->stats.num_periods, 0);
            bench_close(&b);
        }
        assert_memory_equal(&sums[0], &sums[1], sizeof sums[0]);
    }
}

/* The number of warp instructions depends on nobody else. */
static uint64_t instructions_alone(const char *kernel)
{
    const struct config c = pair_config("kmu");
    struct bench b;
    bench_open(&b, &c, text, NULL);
    struct one o = {.kernel = kernel};
    unsigned ended;
    pair_prepare(&b, &o);
    assert_int_equal(pair_begin(&b, 1, &o), GPU_OK);
    assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
    assert_int_equal(ended, 1);
    const uint64_t is = bench_stats(&b)->sums.sm.warp_instructions;
    bench_close(&b);
    return is;
}

static void each_is_counted(void **unused)
{
    (void)unused;
    const struct config c = pair_config("kmu");
    struct bench b;
    struct one adds = {.kernel = "adds"}, loads = {.kernel = "loads"};
    pair_open(&b, &c, text, &adds, &loads);
    pair_run(&b, &adds, &loads);
    pair_check(&b, &adds);
    pair_check(&b, &loads);
    const char *const kernels[] = {"adds", "loads"};
    struct stats_sums both = {0};
    for (unsigned k = 0; k < 2; k++) {
        const struct kernel_stats *s = pair_stats(&b, kernels[k]);
        uint64_t resident = 0;
        assert_int_equal(s->shares, 1);
        assert_int_equal(s->sums.sm.warp_instructions, instructions_alone(kernels[k]));
        assert_int_equal(s->sums.sm.blocks, BLOCKS);
        for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
            resident += s->sums.sm.cpi.cycles[i];
        assert_int_equal(resident, s->sums.sm.warp_cycles); /* IPC = warps / CPI */
        assert_int_equal(s->sums.sm.cpi.cycles[CPI_issued], s->sums.sm.warp_instructions);
        both.sm.warp_instructions += s->sums.sm.warp_instructions;
        both.sm.warp_cycles += s->sums.sm.warp_cycles;
    }
    assert_int_equal(b.gpu->stats.num_periods, 1);
    const struct period_stats *p = &b.gpu->stats.periods[0];
    assert_int_equal(p->count, 2);
    assert_int_equal(p->sums.sm.warp_instructions, both.sm.warp_instructions);
    assert_int_equal(p->sums.sm.warp_cycles, both.sm.warp_cycles);
    assert_int_equal(p->sums.sm.outcomes[OUTCOME_granted], both.sm.warp_instructions);
    assert_int_equal(b.gpu->stats.totals.sm.warp_instructions, both.sm.warp_instructions);
    bench_close(&b);
}

/* The same addresses in two memories are not the same bytes, nor the same lines. */
static void each_has_its_memory(void **unused)
{
    (void)unused;
    const struct config c = pair_config("kmu");
    struct bench b;
    struct one one = {.kernel = "loads", .memory = gmem_new(), .space = 0},
               other = {.kernel = "loads", .memory = gmem_new(), .space = 1};
    pair_open(&b, &c, text, &one, &other);
    assert_int_equal(one.params[0], other.params[0]);
    pair_run(&b, &one, &other);
    pair_check(&b, &one);
    pair_check(&b, &other);
    gmem_free_all(one.memory);
    gmem_free_all(other.memory);
    bench_close(&b);
}

/* Blocks whose last instruction is a store end before it is performed, and blocks of the other kernel come into their slots. */
static void stores_of_the_dead(void **unused)
{
    (void)unused;
    const struct config c = pair_config("kmu");
    struct bench b;
    bench_open(&b, &c, text, NULL);
    struct one
        one = {.kernel = "adds", .memory = gmem_new(), .space = 0, .blocks = 3000, .turns = 1},
        other = {.kernel = "adds", .memory = gmem_new(), .space = 1, .blocks = 3000, .turns = 2};
    pair_prepare(&b, &one);
    pair_prepare(&b, &other);
    pair_run(&b, &one, &other);
    pair_check(&b, &one);
    pair_check(&b, &other);
    gmem_free_all(one.memory);
    gmem_free_all(other.memory);
    bench_close(&b);
}

static struct {
    struct gpu *gpu;
    uint64_t most[NUM_KERNELS], together;
} seen;

static void look(void *context, uint64_t cycle)
{
    (void)context;
    (void)cycle;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        const unsigned a = sm_resident_of(seen.gpu->sms[i], 0),
                       b = sm_resident_of(seen.gpu->sms[i], 1);
        assert_int_equal(a + b, sm_resident(seen.gpu->sms[i]));
        if (!a || !b)
            continue;
        seen.together++;
        seen.most[0] = a > seen.most[0] ? a : seen.most[0];
        seen.most[1] = b > seen.most[1] ? b : seen.most[1];
    }
}

static void watch_quotas(int partition, int first, int second)
{
    struct config c = pair_config("kmu");
    c.kmu_partition = partition;
    c.kmu_blocks_0 = first;
    c.kmu_blocks_1 = second;
    struct bench b;
    struct one adds = {.kernel = "adds"}, loads = {.kernel = "loads"};
    pair_open(&b, &c, text, &adds, &loads);
    memset(&seen, 0, sizeof seen);
    seen.gpu = b.gpu;
    b.gpu->probe = look;
    b.gpu->probe_ctx = b.gpu;
    pair_run(&b, &adds, &loads);
    pair_check(&b, &adds);
    pair_check(&b, &loads);
    bench_close(&b);
}

static void quotas_are_kept(void **unused)
{
    (void)unused;
    watch_quotas(0, 1, 2);
    assert_true(seen.together > 0);
    assert_int_equal(seen.most[0], 1);
}

static void sms_of_their_own(void **unused)
{
    (void)unused;
    watch_quotas(2, 0, 0);
    assert_int_equal(seen.together, 0);
}

/* SMs that hold blocks of a kernel that runs alone. */
static uint64_t used;

static void look_who(void *context, uint64_t cycle)
{
    (void)context;
    (void)cycle;
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (sm_resident(seen.gpu->sms[i]))
            used |= UINT64_C(1) << i;
}

static uint64_t sms_alone(int partition, unsigned kernel)
{
    struct config c = pair_config("kmu");
    c.kmu_partition = partition;
    c.kmu_sms_0 = 1;
    struct bench b;
    struct one o = {.kernel = "adds"};
    unsigned ended;
    used = 0;
    bench_open(&b, &c, text, NULL);
    pair_prepare(&b, &o);
    seen.gpu = b.gpu;
    b.gpu->probe = look_who;
    assert_int_equal(pair_begin(&b, kernel, &o), GPU_OK);
    assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
    assert_int_equal(ended, kernel);
    pair_check(&b, &o);
    bench_close(&b);
    return used;
}

/* Partition 2 lends the other's SMs to who is alone, partition 3 does not. */
static void sms_of_ones_own_alone(void **unused)
{
    (void)unused;
    const uint64_t all = ~UINT64_C(0) >> (64 - NUM_SMS);
    assert_int_equal(sms_alone(2, 0), all);
    assert_int_equal(sms_alone(3, 0), 1);
    assert_int_equal(sms_alone(3, 1), all & ~UINT64_C(1));
    watch_quotas(3, 0, 0);
    assert_int_equal(seen.together, 0);
}

static void the_same_whoever_computes(void **unused)
{
    (void)unused;
    static const char *const backends[] = {"c", "rtl", "lockstep"};
    uint64_t cycles = 0;
    for (unsigned threads = 1; threads <= 3; threads++)
        for (unsigned i = 0; i < 3; i++) {
            struct config c = pair_config("kmu");
            snprintf(c.run_backend, sizeof c.run_backend, "%s", backends[i]);
            c.run_threads = threads;
            struct bench b;
            struct one adds = {.kernel = "adds"}, loads = {.kernel = "loads"};
            pair_open(&b, &c, text, &adds, &loads);
            const uint64_t is = pair_run(&b, &adds, &loads);
            cycles = cycles ? cycles : is;
            assert_int_equal(is, cycles);
            bench_close(&b);
        }
}

static void one_policy_knows_one_kernel(void **unused)
{
    (void)unused;
    const struct config c = pair_config("lrr");
    struct bench b;
    struct one adds = {.kernel = "adds"}, loads = {.kernel = "loads"};
    unsigned ended;
    pair_open(&b, &c, text, &adds, &loads);
    assert_int_equal(pair_begin(&b, 0, &adds), GPU_OK);
    assert_int_equal(pair_begin(&b, 1, &loads), GPU_NO_FIT);
    assert_non_null(strstr(loads.result.message, "one kernel at a time"));
    assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
    assert_int_equal(ended, 0);
    pair_check(&b, &adds);
    bench_close(&b);
}

static void a_fault_ends_both(void **unused)
{
    (void)unused;
    const struct config c = pair_config("kmu");
    struct bench b;
    struct one loads = {.kernel = "loads"}, far = {.kernel = "far"};
    unsigned ended;
    pair_open(&b, &c, text, &loads, &far);
    assert_int_equal(pair_begin(&b, 0, &loads), GPU_OK);
    assert_int_equal(pair_begin(&b, 1, &far), GPU_OK);
    assert_int_equal(gpu_advance(b.gpu, &ended), GPU_FAULT);
    assert_non_null(strstr(loads.result.message, "far"));
    assert_string_equal(loads.result.message, far.result.message);
    assert_int_equal(pair_stats(&b, "loads")->status, GPU_FAULT);
    assert_int_equal(pair_stats(&b, "far")->status, GPU_FAULT);
    /* And the machine goes on. */
    struct one adds = {.kernel = "adds"}, again = {.kernel = "loads"};
    pair_prepare(&b, &adds);
    pair_prepare(&b, &again);
    pair_run(&b, &adds, &again);
    pair_check(&b, &adds);
    pair_check(&b, &again);
    bench_close(&b);
}

static void stopped(void **unused)
{
    (void)unused;
    const struct config c = pair_config("kmu");
    struct bench b;
    struct one first = {.kernel = "adds"}, loads = {.kernel = "loads"};
    unsigned ended;
    pair_open(&b, &c, text, &first, &loads);
    loads.params[1] = 100 * TURNS;
    assert_int_equal(pair_begin(&b, 0, &first), GPU_OK);
    assert_int_equal(pair_begin(&b, 1, &loads), GPU_OK);
    assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
    assert_int_equal(ended, 0);
    gpu_stop(b.gpu);
    assert_int_equal(pair_stats(&b, "loads")->status, GPU_STOPPED);
    assert_int_equal(b.gpu->stats.periods[0].sums.cycles,
                     loads.result.end_cycle - first.result.start_cycle);
    assert_int_equal(gpu_failed(b.gpu), 0);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_it_runs_as_under_lrr),
        cmocka_unit_test(each_is_counted),
        cmocka_unit_test(each_has_its_memory),
        cmocka_unit_test(stores_of_the_dead),
        cmocka_unit_test(quotas_are_kept),
        cmocka_unit_test(sms_of_their_own),
        cmocka_unit_test(sms_of_ones_own_alone),
        cmocka_unit_test(the_same_whoever_computes),
        cmocka_unit_test(one_policy_knows_one_kernel),
        cmocka_unit_test(a_fault_ends_both),
        cmocka_unit_test(stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
