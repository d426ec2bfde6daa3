/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/pmiq_test.c: the memory issue queue in the machine (thesis 8.5.2): a kernel that uses shared memory goes on while another
 * one lacks MSHRs, one that hits in L1D does where only misses are kept back; each kernel's accesses keep their order; one kernel alone
 * computes the same. */
#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/pair.h"

#define START                                                                                      \
    "(.param .u64 out, .param .u64 turns)\n{\n"                                                    \
    ".reg .b32 %r<12>;\n.reg .b64 %rd<8>;\n.reg .pred %p<2>;\n.shared .align 4 .b8 buf[256];\n"    \
    "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [turns];\n"                                     \
    "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\n"                        \
    "mad.lo.s32 %r3, %r0, %r1, %r2;\nmov.u32 %r4, 0;\ncvt.u32.u64 %r5, %rd1;\n"                    \
    "mul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd0, %rd2;\n"                                      \
    "mov.u32 %r6, %nctaid.x;\nmul.lo.u32 %r6, %r6, %r1;\nmul.wide.u32 %rd4, %r6, 4;\n"             \
    "add.s64 %rd4, %rd0, %rd4;\n" /* rd4: behind what it stores */
#define LOOP(accesses)                                                                             \
    "AGAIN:\n" accesses "add.s32 %r4, %r4, %r5;\nadd.s32 %r5, %r5, -1;\n"                          \
    "setp.ne.s32 %p0, %r5, 0;\n@%p0 bra AGAIN;\nst.global.u32 [%rd3], %r4;\nret;\n}\n"

/* In each turn `shares` goes through shared memory, `misses` loads a line per lane, `hits` the same line as all others, and `constants`
 * a word of constant memory. */
static const char text[] =
    PTX_HEADER ".const .align 4 .b8 zeros[1024];\n"
               ".visible .entry shares" START
               "shl.b32 %r7, %r2, 2;\nmov.u32 %r8, buf;\nadd.u32 %r7, %r7, %r8;\n" LOOP(
                   "st.shared.u32 [%r7], %r4;\nld.shared.u32 %r4, [%r7];\n") //
    ".visible .entry misses" START "mul.wide.u32 %rd5, %r3, 128;\nadd.s64 %rd4, %rd4, %rd5;\n" LOOP(
        "ld.global.u32 %r9, [%rd4];\nadd.s32 %r4, %r4, %r9;\n") //
    ".visible .entry hits" START
    "and.b32 %r7, %r2, 31;\nmul.wide.u32 %rd5, %r7, 4;\nadd.s64 %rd4, %rd4, %rd5;\n" LOOP(
        "ld.global.u32 %r9, [%rd4];\nadd.s32 %r4, %r4, %r9;\n") //
    ".visible .entry constants" START
    "mov.u64 %rd6, zeros;\n" LOOP("ld.const.u32 %r9, [%rd6];\nadd.s32 %r4, %r4, %r9;\n");

/* Enough blocks of `misses` that it outlasts the others. */
#define MANY (12 * NUM_SMS)
static const struct one misses = {.kernel = "misses",
                                  .blocks = MANY,
                                  .turns = 3,
                                  .more = (uint64_t)MANY * THREADS * 128},
                        shares = {.kernel = "shares", .blocks = 2, .turns = 60},
                        hits = {.kernel = "hits", .blocks = 2, .turns = 60, .more = 128},
                        constants = {.kernel = "constants", .blocks = 2, .turns = 60};

static struct config queues(int block)
{
    struct config c = pair_config("kmu");
    c.pmiq_block = block;
    c.kmu_blocks_0 = c.kmu_blocks_1 = 1;
    c.l1d_sets = 64; /* lines stay; what lacks are MSHRs, for long */
    c.l1d_mshrs = 2;
    c.xbar_latency = 50;
    return c;
}

static uint64_t took(const struct one *o)
{
    return o->result.end_cycle - o->result.start_cycle;
}

/* How long the second takes beside the first. */
static uint64_t beside(const struct config *c, struct one first, struct one second)
{
    struct bench b;
    pair_open(&b, c, text, &first, &second);
    pair_run(&b, &first, &second);
    pair_check(&b, &first);
    pair_check(&b, &second);
    bench_close(&b);
    return took(&second);
}

/* The same where no other runs; and the instructions that it issues. */
static uint64_t alone(const struct config *c, unsigned number, struct one o, uint64_t *instructions)
{
    struct bench b;
    unsigned ended;
    bench_open(&b, c, text, NULL);
    pair_prepare(&b, &o);
    assert_int_equal(pair_begin(&b, number, &o), GPU_OK);
    assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
    assert_int_equal(ended, number);
    pair_check(&b, &o);
    *instructions = bench_stats(&b)->sums.sm.warp_instructions;
    bench_close(&b);
    return took(&o);
}

/* The thesis's example: beside a kernel that lacks MSHRs another one runs as if it were alone, where in one queue it takes ten times as
 * long. */
static void the_other_goes_on(void **unused)
{
    (void)unused;
    const struct one *const others[] = {&shares, &constants};
    for (unsigned i = 0; i < 2; i++) {
        uint64_t instructions;
        const struct config plain = queues(0), path = queues(1);
        const uint64_t apart = beside(&path, misses, *others[i]);
        assert_true(4 * apart < 5 * alone(&path, 1, *others[i], &instructions));
        assert_true(10 * apart < beside(&plain, misses, *others[i]));
    }
}

/* L1D: under `path` one that hits waits with the others, under `cause` it does not. */
static void hits_pass(void **unused)
{
    (void)unused;
    const struct config path = queues(1), cause = queues(2);
    assert_true(2 * beside(&cause, misses, hits) < beside(&path, misses, hits));
}

/* What an SM has told of each kernel: the cycle in which its last instruction that began to access L1D had issued. */
static struct watch {
    uint64_t kernel_of[NUM_SLOTS], issued[NUM_KERNELS], accesses[NUM_KERNELS];
    int other_first; /* one that issued later went before one of the other kernel */
} watch;

static void hear(void *context, const struct event *e)
{
    (void)context;
    if (e->kind == EVENT_enqueue) {
        watch.kernel_of[e->of.enqueue.warp] = e->of.enqueue.kernel;
        return;
    }
    const uint64_t k = watch.kernel_of[e->of.access.warp];
    if (watch.accesses[k])
        assert_true(e->of.access.issued > watch.issued[k]);
    watch.issued[k] = e->of.access.issued;
    watch.accesses[k]++;
    watch.other_first |= e->of.access.issued < watch.issued[!k];
}

static void order_is_kept(void **unused)
{
    (void)unused;
    for (int block = 0; block <= 2; block++) {
        const struct config c = queues(block);
        struct bench b;
        struct one first = misses, second = hits;
        struct listener guest = {.hears = HEARS(enqueue) | HEARS(access), .hear = hear};
        memset(&watch, 0, sizeof watch);
        pair_open(&b, &c, text, &first, &second);
        sm_listen(b.gpu->sms[0], &guest);
        pair_run(&b, &first, &second);
        assert_true(watch.accesses[0] > 60 && watch.accesses[1] > 60);
        assert_int_equal(watch.other_first, block != 0);
        bench_close(&b);
    }
}

static void alone_it_computes_the_same(void **unused)
{
    (void)unused;
    const struct one *const kernels[] = {&shares, &misses, &hits, &constants};
    for (unsigned i = 0; i < 4; i++) {
        uint64_t instructions = 0, cycles = 0;
        for (int block = 0; block <= 2; block++)
            for (unsigned number = 0; number < NUM_KERNELS; number++) {
                const struct config c = queues(block);
                uint64_t issued;
                const uint64_t is = alone(&c, number, *kernels[i], &issued);
                instructions = instructions ? instructions : issued;
                assert_int_equal(issued, instructions);
                if (!block)
                    continue;
                cycles = cycles ? cycles : is;
                assert_int_equal(is, cycles); /* whichever queue it is, and nobody else stalls */
            }
    }
}

static void the_same_whoever_computes(void **unused)
{
    (void)unused;
    static const char *const backends[] = {"c", "rtl", "lockstep"};
    for (int block = 1; block <= 2; block++) {
        uint64_t cycles = 0;
        for (unsigned i = 0; i < 6; i++) {
            struct config c = queues(block);
            snprintf(c.run_backend, sizeof c.run_backend, "%s", backends[i % 3]);
            c.run_threads = 1 + i % 2;
            const uint64_t is = beside(&c, misses, i < 3 ? hits : shares);
            cycles = i % 3 ? cycles : is;
            assert_int_equal(is, cycles);
        }
    }
}

static void look(void *context, uint64_t cycle)
{
    (void)context;
    (void)cycle;
}

/* Nothing depends on the cycles that an SM leaves out: while it is looked at it leaves out none, nor does an observer, who works out what
 * the unit is to be shown of both kernels (tb/observe/pmiq.c). */
static void no_cycle_matters(void **unused)
{
    (void)unused;
    const struct one *const others[] = {&misses, &shares, &hits, &constants};
    for (unsigned i = 0; i < 8; i++) {
        uint64_t cycles[3];
        for (unsigned how = 0; how < 3; how++) {
            struct config c = queues(1 + (int)i % 2);
            struct bench b;
            struct one first = misses, second = *others[i / 2];
            const int apart = i < 6; /* address spaces; but zeros stand in the machine's */
            first.blocks = second.blocks = 8;
            second.space = (uint32_t)apart;
            second.memory = apart ? gmem_new() : NULL;
            if (i / 2 % 2) { /* what lacks is room in the miss queue */
                c.l1d_mshrs = 16;
                c.l1d_miss_queue = 1;
            }
            c.l1d_interval = 1 + i % 2 * 3;
            c.run_observe = how == 2;
            pair_open(&b, &c, text, &first, &second);
            if (how == 1)
                b.gpu->probe = look;
            pair_run(&b, &first, &second);
            pair_check(&b, &first);
            pair_check(&b, &second);
            cycles[how] = took(&second);
            bench_close(&b);
            if (apart)
                gmem_free_all(second.memory);
        }
        assert_int_equal(cycles[1], cycles[0]);
        assert_int_equal(cycles[2], cycles[0]);
    }
}

/* An SM in which a line has come, in the cycle of the probe or before. */
static struct {
    struct sm *sm;
    int came;
    unsigned waited; /* heads that had no way, and may try again */
} comes;

static void hear_line(void *context, const struct event *e)
{
    (void)context;
    (void)e;
    comes.came = 1;
}

static void look_at_heads(void *context, uint64_t cycle)
{
    (void)context;
    for (unsigned i = 0; i < NUM_KERNELS && comes.came; i++) {
        const struct lsu_queue *q = &comes.sm->lsu.queues[i];
        if (!q->stalled || q->failed == cycle)
            continue;
        assert_int_equal(comes.sm->view.heads[i].stalled, 0);
        comes.waited += q->cause == L1_FAIL_no_way;
    }
    comes.came = 0;
}

/* Whichever line comes, no head is shown to stall: also where none of its set has. */
static void any_line_ends_a_stall(void **unused)
{
    (void)unused;
    struct config c = queues(1);
    struct bench b;
    struct one first = misses, second = misses;
    struct listener guest = {.hears = HEARS(l1d_return), .hear = hear_line};
    c.l1d_sets = 4;
    c.l1d_mshrs = 16;
    first.blocks = second.blocks = 8;
    pair_open(&b, &c, text, &first, &second);
    comes.sm = b.gpu->sms[0];
    sm_listen(comes.sm, &guest);
    b.gpu->probe = look_at_heads;
    pair_run(&b, &first, &second);
    assert_true(comes.waited > 100);
    bench_close(&b);
}

/* A unit that says nonsense, and how. */
static struct {
    struct gpu *gpu;
    int begins; /* the wrong instruction begins; else there is always room */
} nonsense;

static void talk_nonsense(void *context, uint64_t cycle)
{
    (void)context;
    (void)cycle;
    for (unsigned i = 0; i < NUM_SMS; i++)
        for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
            struct controls *c = &nonsense.gpu->sms[i]->controls[k];
            if (!nonsense.begins)
                nonsense.gpu->sms[i]->schedulers[k].crowded = 0;
            else if (c->begin != NO_CHOICE)
                c->begin = (c->begin + 1) % (PMIQ_DEPTH + 2);
        }
}

static void nonsense_is_a_fault(void **unused)
{
    (void)unused;
    for (int begins = 0; begins < 2; begins++) {
        const struct config c = queues(1);
        struct bench b;
        struct one o = misses;
        unsigned ended;
        bench_open(&b, &c, text, NULL);
        pair_prepare(&b, &o);
        nonsense.gpu = b.gpu;
        nonsense.begins = begins;
        b.gpu->probe = talk_nonsense;
        assert_int_equal(pair_begin(&b, 1, &o), GPU_OK);
        assert_int_equal(gpu_advance(b.gpu, &ended), GPU_FAULT);
        assert_non_null(strstr(o.result.message, begins ? "is not the next" : "there is no room"));
        b.gpu->probe = NULL;
        bench_close(&b);
    }
}

/* IPC = warps / CPI, as on the machine with one queue; and who is refused by a full queue has a class. */
static void cycles_are_counted(void **unused)
{
    (void)unused;
    struct config c = queues(1);
    c.kmu_blocks_0 = 3; /* more warps than its queue holds */
    struct bench b;
    struct one first = misses, second = shares;
    pair_open(&b, &c, text, &first, &second);
    pair_run(&b, &first, &second);
    uint64_t refused[2];
    for (unsigned k = 0; k < 2; k++) {
        const struct sm_counters *sm = &pair_stats(&b, k ? "shares" : "misses")->sums.sm;
        uint64_t resident = 0;
        for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
            resident += sm->cpi.cycles[i];
        assert_int_equal(resident, sm->warp_cycles);
        assert_int_equal(sm->cpi.cycles[CPI_issued], sm->warp_instructions);
        refused[k] = 1000 * sm->cpi.cycles[CPI_struct_mem] / resident;
    }
    assert_true(refused[0] > 3 * refused[1]); /* by its own queue */
    bench_close(&b);
}

/* What waits when kernels are given up is gone when others begin. */
static void given_up(void **unused)
{
    (void)unused;
    const struct config c = queues(1);
    struct bench b;
    struct one first = misses, second = hits;
    first.turns = second.turns = 10000;
    pair_open(&b, &c, text, &first, &second);
    assert_int_equal(pair_begin(&b, 0, &first), GPU_OK);
    assert_int_equal(pair_begin(&b, 1, &second), GPU_OK);
    struct one third = shares;
    unsigned ended;
    b.gpu->config.run_max_cycles = 2000;
    assert_int_equal(gpu_advance(b.gpu, &ended), GPU_LIMIT);
    b.gpu->config.run_max_cycles = 0;
    struct one fourth = misses;
    pair_prepare(&b, &third);
    pair_prepare(&b, &fourth);
    pair_run(&b, &third, &fourth);
    pair_check(&b, &third);
    pair_check(&b, &fourth);
    bench_close(&b);
}

static int is_refused(const struct config *c, const char *why)
{
    struct plan plans[NUM_SCOPES];
    char text_of[1000] = "";
    FILE *err = fmemopen(text_of, sizeof text_of, "w");
    const int refused = plan_machine(plans, c, err) != 0;
    fclose(err);
    return refused && strstr(text_of, why);
}

static void what_it_cannot_do(void **unused)
{
    (void)unused;
    struct config c = queues(1);
    c.pmiq_delay = 1;
    assert_true(is_refused(&c, "cannot do so later"));
    c = queues(1);
    c.stall_count = 1;
    assert_true(is_refused(&c, "stall"));
    c = queues(1);
    strcpy(c.run_dispatch, "lrr");
    strcpy(c.run_sched, "rlws");
    assert_true(is_refused(&c, "rlws_state"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_goes_on),
        cmocka_unit_test(hits_pass),
        cmocka_unit_test(order_is_kept),
        cmocka_unit_test(alone_it_computes_the_same),
        cmocka_unit_test(the_same_whoever_computes),
        cmocka_unit_test(no_cycle_matters),
        cmocka_unit_test(any_line_ends_a_stall),
        cmocka_unit_test(nonsense_is_a_fault),
        cmocka_unit_test(cycles_are_counted),
        cmocka_unit_test(given_up),
        cmocka_unit_test(what_it_cannot_do),
    };
    return cmocka_run_group_tests_name("tb/gpu/pmiq", tests, NULL, NULL);
}
