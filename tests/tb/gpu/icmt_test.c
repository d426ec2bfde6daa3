/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/icmt_test.c: two kernels on the machine under two-level GTO (thesis 8.6.1), with up to
 * three instructions per scheduler and cycle (8.5.1): who issues, what is counted then, and that one
 * kernel alone with one instruction per cycle runs as under gto. */
#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/pair.h"

#define SHARED_LOADS                                                                               \
    "ld.shared.u32 %r8, [%r20];\nld.shared.u32 %r9, [%r20];\nld.shared.u32 %r10, [%r20];\n"        \
    "ld.shared.u32 %r11, [%r20];\nld.shared.u32 %r12, [%r20];\nld.shared.u32 %r13, [%r20];\n"      \
    "ld.shared.u32 %r14, [%r20];\nld.shared.u32 %r15, [%r20];\n"
#define ADDS                                                                                       \
    "add.s32 %r8, %r2, %r3;\nadd.s32 %r9, %r2, %r3;\nadd.s32 %r10, %r2, %r3;\n"                    \
    "add.s32 %r11, %r2, %r3;\nadd.s32 %r12, %r2, %r3;\nadd.s32 %r13, %r2, %r3;\n"                  \
    "add.s32 %r14, %r2, %r3;\nadd.s32 %r15, %r2, %r3;\n"
#define SINES "sin.approx.f32 %f1, %f0;\nsin.approx.f32 %f2, %f0;\nsin.approx.f32 %f3, %f0;\n"
#define KERNEL(name, work)                                                                         \
    ".visible .entry " name "(.param .u64 out, .param .u64 turns)\n{\n"                            \
    ".reg .b32 %r<21>;\n.reg .b64 %rd<4>;\n.reg .f32 %f<4>;\n.reg .pred %p<2>;\n"                  \
    ".shared .align 4 .b8 words[128];\n"                                                           \
    "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [turns];\nmov.u32 %r0, %ctaid.x;\n"             \
    "mov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\nmad.lo.s32 %r3, %r0, %r1, %r2;\n"                \
    "mov.u32 %r20, words;\ncvt.u32.u64 %r5, %rd1;\nmov.f32 %f0, 0f3F800000;\n"                     \
    "AGAIN:\n" work "add.s32 %r5, %r5, -1;\nsetp.ne.s32 %p0, %r5, 0;\n@%p0 bra AGAIN;\n"           \
    "mul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd0, %rd2;\nst.global.u32 [%rd3], %r3;\nret;\n}\n"

/* Each stores its threads' numbers. */
static const char text[] = PTX_HEADER KERNEL("adds", ADDS ADDS) KERNEL("more", ADDS)
    KERNEL("shared", SHARED_LOADS SHARED_LOADS) KERNEL("mixed", ADDS SHARED_LOADS SINES);

/* So many blocks of each kernel as keep all SMs shared for a while. */
#define MANY (NUM_SMS * 6)

static struct one one_of(const char *kernel)
{
    return (struct one){.kernel = kernel, .blocks = MANY, .turns = 20};
}

static struct config config_of(const char *sched, int64_t issue)
{
    struct config c = pair_config("kmu");
    strcpy(c.run_sched, sched);
    c.icmt_issue = issue;
    return c;
}

static void check(struct bench *b, const struct one *o)
{
    for (uint32_t i = 0; i < o->blocks * THREADS; i++)
        assert_int_equal(bench_words(b, o->params[0])[i], i);
}

/* Runs one kernel. */
static void run(struct bench *b, struct one *o)
{
    unsigned ended;
    pair_prepare(b, o);
    assert_int_equal(pair_begin(b, 0, o), GPU_OK);
    assert_int_equal(gpu_advance(b->gpu, &ended), GPU_OK);
    check(b, o);
}

static const char *const kernels[] = {"adds", "shared", "mixed"};

/* The very statistics of gto; also where only the oldest may issue, and where a scheduler's units
 * steer late. */
static void alone_it_runs_as_under_gto(void **unused)
{
    (void)unused;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned variant = 0; variant < 4; variant++) {
            struct stats_sums sums[2];
            for (unsigned i = 0; i < 2; i++) {
                struct config c = config_of(i ? "icmt" : "gto", 1);
                c.mask_n = variant == 1 ? 1 : 0;
                c.wia_delay = c.icmt_delay = variant == 2 ? 3 : 0;
                c.sched_alternate = variant == 3;
                struct bench b;
                struct one one = one_of(kernels[k]);
                bench_open(&b, &c, text, NULL);
                run(&b, &one);
                sums[i] = bench_stats(&b)->sums;
                bench_close(&b);
            }
            assert_memory_equal(&sums[0], &sums[1], sizeof sums[0]);
        }
}

/* What each scheduler has done, and what two-level GTO would do next, by what has issued. */
static struct seen {
    struct gpu *gpu;
    unsigned issue;
    struct {
        unsigned priority;
        int greedy[NUM_KERNELS]; /* -1: none */
    } schedulers[NUM_SMS][NUM_SCHEDULERS];
    uint64_t contested[NUM_KERNELS]; /* cycles in which both could issue, by who did */
    uint64_t grants, several, with_memory, both_kernels;
} seen;

static unsigned kernel_number(const struct sm *sm, const struct scheduler *sc, unsigned slot)
{
    return (unsigned)(kernel_of(sc, slot) - sm->kernels);
}

/* One instruction per cycle: who must it be? */
static void look_at_one(const struct sm *sm, const struct scheduler *sc,
                        const struct sm_context *now, unsigned number)
{
    uint64_t of[NUM_KERNELS] = {0};
    unsigned *priority = &seen.schedulers[number][sc->index].priority;
    for (unsigned slot = 0; slot < NUM_WARPS; slot++)
        if (now->ready >> slot & 1)
            of[kernel_number(sm, sc, slot)] |= UINT64_C(1) << slot;
    const unsigned kernel = of[*priority] ? *priority : !*priority;
    int *greedy = &seen.schedulers[number][sc->index].greedy[kernel];
    if (sc->view.alloc)
        for (unsigned k = 0; k < NUM_KERNELS; k++)
            if (seen.schedulers[number][sc->index].greedy[k] == (int)sc->view.alloc_warp)
                seen.schedulers[number][sc->index].greedy[k] = -1;
    if (now->grant == NO_CHOICE) {
        assert_int_equal(now->ready, 0);
        return;
    }
    assert_true(of[kernel] >> now->grant & 1);
    if (*greedy >= 0 && of[kernel] >> *greedy & 1)
        assert_int_equal(now->grant, *greedy);
    seen.contested[kernel] += of[0] && of[1];
    *greedy = (int)now->grant;
    *priority = !*priority;
}

static void look(void *context, uint64_t cycle)
{
    (void)context;
    for (unsigned i = 0; i < NUM_SMS; i++)
        for (unsigned s = 0; s < NUM_SCHEDULERS; s++) {
            const struct sm *sm = seen.gpu->sms[i];
            const struct scheduler *sc = &sm->schedulers[s];
            struct sm_context now;
            sm_context(sm, s, cycle, &now);
            /* A scheduler that is not looked at shows what it did last. */
            if (!now.stepped || sc->turn != cycle + 1 || sc->counted != cycle + 1)
                continue;
            if (seen.issue == 1)
                look_at_one(sm, sc, &now, i);
            const uint64_t *r = sc->view.ready;
            const uint64_t pipelines[] = {r[ISSUE_SP], r[ISSUE_SFU],
                                          r[ISSUE_GMEM] | r[ISSUE_STCMEM]};
            unsigned could = 0, of = 0;
            for (unsigned p = 0; p < NUM_PIPELINES; p++) {
                assert_true(__builtin_popcountll(now.granted & pipelines[p]) <= 1);
                could += pipelines[p] != 0;
            }
            const unsigned count = (unsigned)__builtin_popcountll(now.granted);
            assert_int_equal(count, could < seen.issue ? could : seen.issue);
            for (unsigned slot = 0; slot < NUM_WARPS; slot++)
                if (now.granted >> slot & 1)
                    of |= 1u << kernel_number(sm, sc, slot);
            seen.grants += count != 0;
            seen.several += count > 1;
            seen.with_memory += (now.granted & pipelines[0]) && (now.granted & pipelines[2]);
            seen.both_kernels += of == 3;
        }
}

/* Runs two kernels and looks on. Returns the instructions per cycle and scheduler, in thousandths. */
static uint64_t watch(const struct config *c, const char *first, const char *second)
{
    struct bench b;
    struct one one = one_of(first), other = one_of(second);
    pair_open(&b, c, text, &one, &other);
    seen = (struct seen){.gpu = b.gpu, .issue = (unsigned)c->icmt_issue};
    for (unsigned i = 0; i < NUM_SMS * NUM_SCHEDULERS * NUM_KERNELS; i++)
        seen.schedulers[i / NUM_KERNELS / NUM_SCHEDULERS][i / NUM_KERNELS % NUM_SCHEDULERS]
            .greedy[i % NUM_KERNELS] = -1;
    b.gpu->probe = look;
    b.gpu->probe_ctx = b.gpu;
    const uint64_t cycles = pair_run(&b, &one, &other);
    check(&b, &one);
    check(&b, &other);
    const struct period_stats *p = &b.gpu->stats.periods[0];
    const uint64_t instructions = p->sums.sm.warp_instructions;
    uint64_t turns = 0;
    for (unsigned i = 0; i < NUM_OUTCOMES; i++)
        turns += p->sums.sm.outcomes[i];
    assert_int_equal(p->sums.sm.outcomes[OUTCOME_granted], seen.grants);
    assert_int_equal(turns, p->sums.cycles * NUM_SMS * NUM_SCHEDULERS);
    bench_close(&b);
    return instructions * 1000 / (cycles * NUM_SMS * NUM_SCHEDULERS);
}

/* Two kernels that want SP all the time have it in turns: also where it takes an instruction in every
 * second cycle only, and where each scheduler has a turn in every second cycle only. By the clock's
 * lowest bit one of them would have priority in all of these. */
static void kernels_share_evenly(void **unused)
{
    (void)unused;
    for (int64_t interval = 1; interval <= 2; interval++)
        for (int64_t alternate = 0; alternate <= 1; alternate++) {
            struct config c = config_of("icmt", 1);
            c.sp_interval = interval;
            c.sp_latency = 2;
            c.sched_alternate = alternate;
            watch(&c, "adds", "adds");
            const uint64_t a = seen.contested[0], b = seen.contested[1];
            assert_true(a > 100 && b > 100);
            assert_true(10 * a < 11 * b && 10 * b < 11 * a);
        }
}

/* A kernel that mostly waits loses nothing by the other's greed. */
static void rules_hold_for_all_pairs(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++)
            for (int64_t issue = 1; issue <= 3; issue++) {
                struct config c = config_of("icmt", issue);
                c.pmiq_block = issue - 1; /* memory instructions of the kernels wait apart */
                watch(&c, kernels[i], kernels[k]);
                assert_true(issue > 1 || !seen.several);
            }
}

/* SP of one kernel and MEM of the other in one cycle: more than one instruction per scheduler. */
static void several_issue_in_a_cycle(void **unused)
{
    (void)unused;
    uint64_t ipc[4] = {0};
    for (int64_t issue = 1; issue <= 3; issue++) {
        struct config c = config_of("icmt", issue);
        c.sp_interval = c.mem_interval = 1;
        c.sp_latency = c.mem_shared_latency = 2;
        c.sm_branch_latency = 1;
        ipc[issue] = watch(&c, "adds", "shared");
        assert_int_equal(seen.several > 100, issue > 1);
        assert_int_equal(seen.with_memory > 100, issue > 1);
        assert_int_equal(seen.both_kernels > 100, issue > 1);
    }
    assert_true(ipc[1] <= 1000);
    assert_true(ipc[2] > 1000 && ipc[3] > 1000);
}

/* Every cycle of every warp is in one class, and IPC = warps / CPI, whoever computes; the unit that
 * counts them says so, too (its audit), of issues of several warps in one cycle. */
static void cycles_are_counted(void **unused)
{
    (void)unused;
    static const char *const backends[] = {"c", "rtl", "lockstep"};
    uint64_t cycles[4] = {0};
    for (unsigned i = 0; i < 9; i++) {
        const int64_t issue = 1 + i % 3;
        struct config c = config_of("icmt", issue);
        strcpy(c.run_backend, backends[i / 3]);
        c.run_threads = 1 + i / 3;
        c.run_observe = i < 3;
        c.stall_count = 1;
        c.l1i_sets = 2;
        c.sp_interval = 1;
        struct bench b;
        struct one one = one_of("more"), other = one_of("mixed");
        pair_open(&b, &c, text, &one, &other);
        const uint64_t is = pair_run(&b, &one, &other);
        check(&b, &one);
        check(&b, &other);
        cycles[issue] = cycles[issue] ? cycles[issue] : is;
        assert_int_equal(is, cycles[issue]);
        for (unsigned k = 0; k < 2; k++) {
            const struct sm_counters *s = &pair_stats(&b, k ? "mixed" : "more")->sums.sm;
            uint64_t resident = 0;
            for (unsigned j = 0; j < NUM_CPI_CLASSES; j++)
                resident += s->cpi.cycles[j];
            assert_int_equal(resident, s->warp_cycles);
            assert_int_equal(s->cpi.cycles[CPI_issued], s->warp_instructions);
        }
        const struct period_stats *p = &b.gpu->stats.periods[0];
        const uint64_t granted = p->sums.sm.outcomes[OUTCOME_granted];
        assert_true(issue == 1 ? granted == p->sums.sm.warp_instructions
                               : granted < p->sums.sm.warp_instructions);
        assert_int_equal(p->sums.sm.found.stall_issued, p->sums.sm.warp_instructions);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_it_runs_as_under_gto), cmocka_unit_test(kernels_share_evenly),
        cmocka_unit_test(rules_hold_for_all_pairs),   cmocka_unit_test(several_issue_in_a_cycle),
        cmocka_unit_test(cycles_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
