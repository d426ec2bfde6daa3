/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/timing_test.c: micro-benchmarks whose cycles follow exactly from the configuration.
 * A block placed in cycle 0 starts its first warp in cycle 0; the warp fetches from cycle 1 on, and
 * its first instruction issues in cycle 1 + sm.fetch_latency. A kernel ends with the cycle in which
 * its last result is written, or in which its last store has come to L2: the count of its cycles is
 * one more than the number of that cycle. */
#include <stdlib.h>

#include "tests/tb/gpu/bench.h"
#include "tests/tb/mem/expected.h"

static char text[65536];

static void append(const char *line, unsigned times)
{
    for (; times; times--)
        strcat(text, line);
}

/* A kernel of one pointer parameter, in %rd1 (with_pointer), and `times` copies of `line`. */
static void kernel(int with_pointer, const char *before, const char *line, unsigned times)
{
    strcpy(text, PTX_HEADER);
    append(".const .align 4 .b8 table[256];\n", 1);
    append(".visible .entry k(.param .u64 p)\n{\n.shared .align 4 .b8 buf[256];\n", 1);
    append(".reg .pred %p<4>;\n.reg .b32 %r<40>;\n.reg .f32 %f<40>;\n.reg .b64 %rd<40>;\n", 1);
    append(with_pointer ? "ld.param.u64 %rd1, [p];\n" : "", 1);
    append(before, 1);
    append(line, times);
    append("ret;\n}\n", 1);
}

static struct gpu *stepped;
static unsigned most_resident;
static void count_resident(void *ctx, uint64_t cycle)
{
    (void)ctx, (void)cycle;
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (sm_resident(stepped->sms[i]) > most_resident)
            most_resident = sm_resident(stepped->sms[i]);
}

static struct stats_sums sums;
static uint64_t buffer_address;

/* Cycles of `text` on a fresh machine, whose parameter is a buffer of `words` filled by `fill`. */
static uint64_t cycles(const struct config *c, uint32_t blocks, uint32_t threads, size_t words,
                       void (*fill)(uint32_t *word, uint64_t address))
{
    struct bench b;
    bench_open(&b, c, text, NULL);
    const uint64_t buffer = buffer_address = bench_buffer(&b, words);
    if (fill)
        fill(bench_words(&b, buffer), buffer);
    bench_param(&b, buffer);
    stepped = b.gpu;
    most_resident = 0;
    b.gpu->probe = count_resident;
    uint64_t result = bench_time(&b, "k", blocks, threads);
    sums = bench_stats(&b)->sums;
    bench_close(&b);
    return result;
}

/* The cycle of the first issue. */
static uint64_t first(const struct config *c)
{
    return 1 + (uint64_t)c->sm_fetch_latency;
}

/* When the pointer, loaded by the first instruction, is there. */
static uint64_t pointer_there(const struct config *c)
{
    return first(c) + (uint64_t)c->sp_latency; /* parameters are constants of the kernel */
}

static void dependent_chain(void **state)
{
    (void)state;
    struct config c = test_config();
    for (unsigned latency = 1; latency <= 40; latency += 13) {
        c.sp_latency = latency;
        c.sp_interval = 1;
        kernel(0, "", "add.s32 %r1, %r1, %r1;\n", 20);
        uint64_t each = latency;
        if (2 * latency <
            (uint64_t)c.sm_fetch_latency) /* two buffer entries cannot feed it faster */
            each = (uint64_t)c.sm_fetch_latency / 2;
        uint64_t end_of_chain = first(&c) + 19 * each + latency, end_of_ret = first(&c) + 20 * each;
        assert_int_equal(cycles(&c, 1, 32, 1, NULL),
                         (latency == 1 ? end_of_ret : end_of_chain) + 1);
    }
}

static void independent_instructions_issue_at_the_interval(void **state)
{
    (void)state;
    struct config c = test_config();
    kernel(0, "",
           "add.s32 %r1, %r2, %r3;\nadd.s32 %r4, %r2, %r3;\nadd.s32 %r5, %r2, %r3;\nadd.s32 %r6, "
           "%r2, %r3;\n"
           "add.s32 %r7, %r2, %r3;\nadd.s32 %r8, %r2, %r3;\nadd.s32 %r9, %r2, %r3;\nadd.s32 %r10, "
           "%r2, %r3;\n"
           "add.s32 %r11, %r2, %r3;\nadd.s32 %r12, %r2, %r3;\nadd.s32 %r13, %r2, %r3;\nadd.s32 "
           "%r14, %r2, %r3;\n",
           5);
    uint64_t one = first(&c) + 59 * 2 + 22 + 1;
    assert_int_equal(cycles(&c, 1, 32, 1, NULL), one);
    if (NUM_SCHEDULERS >= 2) /* each scheduler has its own pipeline */
        assert_int_equal(cycles(&c, 1, 64, 1, NULL), one);
    /* Two warps of one scheduler share it: twice the instructions, returns among them, at the same
     * interval. */
    assert_int_equal(cycles(&c, 1, 32 * (NUM_SCHEDULERS + 1), 1, NULL) > one + 59 * 2, 1);
    assert_int_equal(cycles(&c, 1, 32 * (NUM_SCHEDULERS + 1), 1, NULL) <= one + 61 * 2 + 2, 1);
}

static void write_after_write_waits(void **state)
{
    (void)state;
    const struct config c = test_config();
    kernel(0, "", "add.s32 %r1, %r2, %r3;\n", 10);
    assert_int_equal(cycles(&c, 1, 32, 1, NULL), first(&c) + 10 * 22 + 1);
}

static void sfu_is_shared(void **state)
{
    (void)state;
    const struct config c = test_config();
    kernel(0, "",
           "sin.approx.f32 %f1, %f10;\nsin.approx.f32 %f2, %f10;\nsin.approx.f32 %f3, "
           "%f10;\nsin.approx.f32 %f4, %f10;\n"
           "sin.approx.f32 %f5, %f10;\n",
           1);
    assert_int_equal(cycles(&c, 1, 32, 1, NULL), first(&c) + 4 * 8 + 38 + 1);
    assert_int_equal(cycles(&c, 1, 64, 1, NULL), first(&c) + 9 * 8 + 38 + 1);
}

/* What the arbiters of SM 0 grant: a line of "cycle:scheduler.slot" for each. */
static char grants[4096];
static void write_grants(void *ctx, uint64_t cycle)
{
    const struct gpu *g = ctx;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        struct sm_context x;
        sm_context(g->sms[0], i, cycle, &x);
        if (x.grant != NO_CHOICE)
            sprintf(grants + strlen(grants), "%u:%u.%u ", (unsigned)cycle, i, (unsigned)x.grant);
    }
}

static void watch_grants(const struct config *c, uint32_t threads, const char *expected)
{
    struct bench b;
    grants[0] = '\0';
    bench_open(&b, c, text, NULL);
    b.gpu->probe = write_grants;
    b.gpu->probe_ctx = b.gpu;
    bench_param(&b, bench_buffer(&b, 1));
    bench_time(&b, "k", 1, threads);
    assert_string_equal(grants, expected);
    bench_close(&b);
}

/* Two schedulers want the SFU all the time: they take turns. */
static void schedulers_take_turns(void **state)
{
    (void)state;
    const struct config c = test_config();
    kernel(0, "", "sin.approx.f32 %f1, %f10;\nsin.approx.f32 %f2, %f10;\n", 1);
    if (NUM_SCHEDULERS == 2)
        watch_grants(&c, 64, "6:0.0 14:1.0 22:0.0 23:0.0 30:1.0 31:1.0 ");
}

/* Fetch goes round: two warps of a scheduler get an instruction each before one gets its second. */
static void fetch_goes_round(void **state)
{
    (void)state;
    struct config c = test_config();
    c.sp_interval = 1;
    kernel(0, "", "add.s32 %r1, %r2, %r3;\nadd.s32 %r4, %r2, %r3;\n", 1);
    /* Warp 0 starts in cycle 1, warp 1 in cycle 2; fetched in 2 (0), 3 (1), 4 (0), 5 (1), 6 (0), 7
     * (1). */
    if (NUM_SCHEDULERS == 1)
        watch_grants(&c, 64, "6:0.0 7:0.1 8:0.0 9:0.1 10:0.0 11:0.1 ");
    if (NUM_SCHEDULERS == 2)
        watch_grants(
            &c, 128,
            "6:0.0 6:1.0 7:0.1 7:1.1 8:0.0 8:1.0 9:0.1 9:1.1 10:0.0 10:1.0 11:0.1 11:1.1 ");
}

static void branches(void **state)
{
    (void)state;
    const struct config c = test_config();
    strcpy(text, PTX_HEADER ".visible .entry k(.param .u64 p)\n{\n");
    for (unsigned i = 0; i < 15; i++)
        sprintf(text + strlen(text), "bra.uni L%u;\nL%u:\n", i, i);
    append("ret;\n}\n", 1);
    assert_int_equal(cycles(&c, 1, 32, 1, NULL),
                     first(&c) + 15 * (uint64_t)(c.sm_branch_latency + c.sm_fetch_latency) + 1);
}

/* A path that ends with a barrier: the warp goes on at the other path, a jump that it waits for. */
static void barrier_at_the_end_of_a_path(void **state)
{
    (void)state;
    const struct config c = test_config();
    strcpy(text,
           PTX_HEADER ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<2>;\n");
    append("mov.u32 %r1, %laneid;\nsetp.lt.u32 %p1, %r1, 16;\n@%p1 bra OTHER;\nbar.sync 0;\n", 1);
    append("JOIN:\nret;\nOTHER:\nbra.uni JOIN;\n}\n", 1);
    const uint64_t jump = (uint64_t)(c.sm_branch_latency + c.sm_fetch_latency);
    /* mov, setp and the branch wait for each other; then barrier, branch and return. */
    assert_int_equal(cycles(&c, 1, 32, 1, NULL), first(&c) + 2 * 22 + 3 * jump + 1);
}

static void shared_and_constant_memory(void **state)
{
    (void)state;
    const struct config c = test_config();
    kernel(0, "mov.u32 %r1, buf;\n", "ld.shared.u32 %r2, [%r1];\n",
           9); /* write after write: one at a time */
    assert_int_equal(cycles(&c, 1, 32, 1, NULL), first(&c) + 22 + 9 * 27 + 1);
    kernel(0, "", "ld.const.u32 %r2, [table];\n", 9);
    /* The first brings the line; its row must be opened. */
    assert_int_equal(cycles(&c, 1, 32, 1, NULL), from_dram(&c, first(&c), 13, 64) + 8 * 25 + 1);
    assert_int_equal(sums.l1c.misses, 1);
    assert_int_equal(sums.l1c.hits, 8);
}

/* Each word pair holds the address of the next link, one line on; the last points to itself. */
static void chain_of_lines(uint32_t *word, uint64_t address)
{
    for (uint64_t i = 0; i < 8; i++) {
        uint64_t next = address + (i < 7 ? i + 1 : i) * 128;
        memcpy(word + i * 32, &next, sizeof next);
    }
}

static void pointer_chase(void **state)
{
    (void)state;
    const struct config c = test_config();
    kernel(1, "", "ld.global.u64 %rd1, [%rd1];\n", 20);
    const uint64_t result = cycles(&c, 1, 32, 8 * 32, chain_of_lines);
    struct open_rows rows = {0};
    uint64_t end = pointer_there(&c);
    /* Eight lines miss, twelve more accesses of the last hit. */
    for (uint64_t i = 0; i < 8; i++)
        end = from_dram(&c, end, row_ticks(&rows, &c, buffer_address + i * 128), 128);
    assert_int_equal(result, end + 12 * 30 + 1);
    assert_int_equal(sums.l1d.misses, 8);
    assert_int_equal(sums.l1d.hits_intra_warp, 12);
}

/* Policy tl: while all warps of a fetch group wait for memory, the next group works. */
static void fetch_groups_hide_loads(void **state)
{
    (void)state;
    struct config c = test_config();
    strcpy(c.run_sched, "tl");
    c.l1d_mshrs = 1024;
    c.xbar_buffer = 1024;
    kernel(1, "", "atom.global.add.u32 %r1, [%rd1], 1;\n", 20);
    const uint32_t group = 32 * NUM_SCHEDULERS * TL_GROUP;
    uint64_t one = cycles(&c, 1, group, 1, NULL);
    if (2 * TL_GROUP <= NUM_WARPS)
        assert_true(cycles(&c, 1, 2 * group, 1, NULL) < one + one / 4);
}

/* A second warp asks for the line while it is on its way, a third one finds it there. */
static void misses_merge(void **state)
{
    (void)state;
    const struct config c = test_config();
    kernel(1, "", "ld.global.u32 %r1, [%rd1];\n", 1);
    cycles(&c, 1, 96, 32, NULL);
    assert_int_equal(sums.l1d.misses, 3);
    assert_int_equal(sums.l1d.mshr_merged, 2);
    assert_int_equal(sums.memory.xbar.reads, 1);
    kernel(1, "", "ld.global.u32 %r1, [%rd1];\nadd.s32 %r1, %r1, %r1;\n", 2);
    cycles(&c, 1, 96, 32, NULL);
    assert_int_equal(sums.l1d.hits_intra_warp, 1); /* the first warp brought it */
    assert_int_equal(sums.l1d.hits_inter_warp, 2);
}

/* A load whose lanes touch 32 lines keeps the load/store unit for 32 cycles. */
static void uncoalesced_load(void **state)
{
    (void)state;
    const struct config c = test_config();
    const char *address =
        "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 128;\nadd.s64 %rd3, %rd1, %rd2;\n";
    uint64_t end[3];
    for (unsigned i = 0; i < 3; i++) {
        kernel(1, address, "ld.global.u32 %r2, [%rd3];\nadd.s32 %r2, %r2, %r2;\n", i + 1);
        end[i] = cycles(&c, 1, 32, 32 * 32, NULL);
        assert_int_equal(sums.l1d.misses, 32);
        assert_int_equal(sums.l1d.hits, i * 32);
    }
    /* When all lines are there, a load takes as long as its last line, then the sum. */
    assert_int_equal(end[1] - end[0], 31 + 30 + 22);
    assert_int_equal(end[2] - end[1], 31 + 30 + 22);
}

/* Four bytes per thread from all SMs at once: the memory's rate is the limit, and is reached. */
static void bandwidth(void **state)
{
    (void)state;
    struct config c = test_config();
    c.dram_bytes_per_cycle = 1;
    kernel(1,
           "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.s32 %r4, "
           "%r2, %r3, %r1;\n"
           "mul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n",
           "ld.global.u32 %r5, [%rd3];\n", 1);
    const uint64_t bytes = 640 * 32 * 4, result = cycles(&c, 640, 32, 640 * 32, NULL);
    const uint64_t busy = bytes / 2; /* two channels, a byte a cycle each */
    assert_int_equal(sums.memory.dram.bytes, bytes);
    assert_true(result >= pointer_there(&c) + busy);
    /* Address computation, the way to the first line and back from the last, opening a row. */
    assert_true(result <= pointer_there(&c) + busy + from_dram(&c, 0, 11 + 13, 128) + 100);
}

static void atomics_take_a_round_trip(void **state)
{
    (void)state;
    const struct config c = test_config();
    kernel(1, "", "atom.global.add.u32 %r1, [%rd1], 1;\n", 5);
    const uint64_t result = cycles(&c, 1, 32, 1, NULL);
    struct open_rows rows = {0};
    uint64_t end = pointer_there(&c);
    /* The first fetches the line; one sector travels both ways. */
    end = answered(&c, fetched(&c, at_l2(&c, end, 32), row_ticks(&rows, &c, buffer_address)), 32);
    for (unsigned i = 1; i < 5; i++)
        end = answered(&c, at_l2(&c, end, 32), 32);
    assert_int_equal(result, end + 1);
    assert_int_equal(sums.memory.xbar.atomics, 5);
    assert_int_equal(sums.l1d.accesses, 0);
}

/* A store is over when it has been sent: it delays nothing but the load/store unit. The kernel ends
 * when it has come to L2. */
static void stores_do_not_wait(void **state)
{
    (void)state;
    const struct config c = test_config();
    kernel(1, "", "st.global.u32 [%rd1], %r2;\n", 5);
    assert_int_equal(cycles(&c, 1, 32, 1, NULL), at_l2(&c, pointer_there(&c) + 4 * 2, 32) + 1);
    assert_int_equal(sums.l1d.stores, 5);
    assert_int_equal(sums.memory.l2.accesses, 5);
    assert_int_equal(sums.memory.dram.writes, 0);
}

/* Blocks leave the dispatcher one a cycle, and as many live on an SM as it has room for. */
static void dispatch(void **state)
{
    (void)state;
    struct config c = test_config();
    kernel(0, "", "", 0);
    assert_int_equal(cycles(&c, NUM_SMS, 32, 1, NULL), NUM_SMS - 1 + first(&c) + 1);
    assert_int_equal(most_resident, 1);
    c.sm_max_blocks = 3;
    kernel(0, "", "add.s32 %r1, %r1, %r1;\n", 50);
    cycles(&c, NUM_SMS * 8, 32, 1, NULL);
    assert_int_equal(most_resident, 3);
    c.sm_max_blocks = 1;
    const uint64_t alone = cycles(&c, 1, 32, 1, NULL), window = 20; /* xbar.latency */
    /* The last waits for the first to end; the dispatcher learns of that at the end of a window. */
    assert_int_equal(cycles(&c, NUM_SMS + 1, 32, 1, NULL),
                     rounded_up(alone, window) * window + alone);
    assert_int_equal(most_resident, 1);
    assert_int_equal(sums.sm.warp_cycles, (NUM_SMS + 1) * alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependent_chain),
        cmocka_unit_test(independent_instructions_issue_at_the_interval),
        cmocka_unit_test(write_after_write_waits),
        cmocka_unit_test(sfu_is_shared),
        cmocka_unit_test(schedulers_take_turns),
        cmocka_unit_test(fetch_goes_round),
        cmocka_unit_test(branches),
        cmocka_unit_test(barrier_at_the_end_of_a_path),
        cmocka_unit_test(fetch_groups_hide_loads),
        cmocka_unit_test(shared_and_constant_memory),
        cmocka_unit_test(pointer_chase),
        cmocka_unit_test(misses_merge),
        cmocka_unit_test(uncoalesced_load),
        cmocka_unit_test(bandwidth),
        cmocka_unit_test(atomics_take_a_round_trip),
        cmocka_unit_test(stores_do_not_wait),
        cmocka_unit_test(dispatch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
