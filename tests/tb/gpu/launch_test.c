/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/launch_test.c: whole kernels through tb/gpu/launch.c: right results, and
 * every way to fail. */
#include "tests/tb/gpu/bench.h"

static char program[16384]; /* launch_test.ptx */

static void vecadd_params(struct bench *b, uint32_t n, uint64_t *out)
{
    uint64_t x = bench_buffer(b, n), y = bench_buffer(b, n);
    *out = bench_buffer(b, n);
    for (uint32_t i = 0; i < n; i++) {
        bench_words(b, x)[i] = i * 3;
        bench_words(b, y)[i] = i ^ 0x5555;
    }
    bench_param(b, x);
    bench_param(b, y);
    bench_param(b, *out);
    bench_param(b, n);
}

/* Runs the three kernels and checks every word; returns the machine's clock after them. */
static uint64_t run_all(struct bench *b)
{
    const uint32_t n = 5000;
    uint64_t sum, words = bench_buffer(b, 128 * 40), many = bench_buffer(b, 96 * 33);
    vecadd_params(b, n, &sum);
    bench_time(b, "vecadd", (n + 127) / 128, 128);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(bench_words(b, sum)[i], i * 3 + (i ^ 0x5555));
    for (uint32_t i = 0; i < 128 * 40; i++)
        bench_words(b, words)[i] = i;
    bench_param(b, words);
    bench_time(b, "reverse", 40, 128);
    for (uint32_t i = 0; i < 128 * 40; i++)
        assert_int_equal(bench_words(b, words)[i], i / 128 * 128 + 127 - i % 128);
    bench_param(b, many);
    bench_time(b, "diverge", 33, 96);
    for (uint32_t i = 0; i < 96 * 33; i++)
        assert_int_equal(bench_words(b, many)[i], i % 37 * (i % 37 + 1) / 2);
    return gpu_cycle(b->gpu);
}

static void results(void **state)
{
    (void)state;
    const struct config c = test_config();
    struct bench b;
    bench_open(&b, &c, program, NULL);
    run_all(&b);
    bench_param(&b, bench_buffer(&b, 1));
    uint64_t counter = *(uint64_t *)b.params;
    bench_time(&b, "count", 50, 100);
    assert_int_equal(bench_words(&b, counter)[0], 5000);
    assert_false(gpu_failed(b.gpu));
    bench_close(&b);
}

/* Local memory: eight words per thread, so eight lines per warp each way; a warp's loads find
 * nothing, as stores allocate no line. */
static void local_memory(void **state)
{
    (void)state;
    const struct config c = test_config();
    struct bench b;
    bench_open(&b, &c, program, NULL);
    uint64_t words = bench_buffer(&b, 64);
    bench_param(&b, words);
    bench_time(&b, "local", 1, 64);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(bench_words(&b, words)[i], 28 + 8 * i);
    const struct l1_counters *l1d = &bench_stats(&b)->sums.l1d;
    assert_int_equal(l1d->stores, 2 * 8 + 2);
    assert_int_equal(l1d->accesses, 2 * 8);
    assert_int_equal(l1d->misses, 2 * 8);
    bench_close(&b);
}

/* Blocks of a grid of three dimensions, each exactly once. */
static void grid_of_three_dimensions(void **state)
{
    (void)state;
    const struct config c = test_config();
    struct bench b;
    bench_open(&b, &c, program, NULL);
    uint64_t words = bench_buffer(&b, 5 * 3 * 2);
    memset(bench_words(&b, words), 0xff, 5 * 3 * 2 * 4);
    bench_param(&b, words);
    const struct gpu_launch launch = {.kernel = ptx_kernel(b.module, "where"),
                                      .params = b.params,
                                      .grid = {5, 3, 2},
                                      .block = {1, 1, 1},
                                      .work_dim = 3};
    assert_int_equal(gpu_launch(b.gpu, &launch, &b.result), GPU_OK);
    for (uint32_t i = 0; i < 5 * 3 * 2; i++)
        assert_int_equal(bench_words(&b, words)[i], i % 5 + 256 * (i / 5 % 3) + 65536 * (i / 15));
    assert_int_equal(bench_stats(&b)->sums.sm.blocks, 30);
    bench_close(&b);
}

/* Policy tl: when the warps of one fetch group have ended, the turn must pass to the next. */
static void fetch_groups_take_turns(void **state)
{
    (void)state;
    struct config c = test_config();
    struct bench b;
    const uint32_t warps = NUM_SCHEDULERS * (TL_GROUP < NUM_WARPS ? TL_GROUP + 1 : TL_GROUP);
    strcpy(c.run_sched, "tl");
    bench_open(&b, &c, program, NULL);
    uint64_t words = bench_buffer(&b, warps * 32);
    bench_param(&b, words);
    bench_time(&b, "diverge", 1, warps * 32);
    for (uint32_t i = 0; i < warps * 32; i++)
        assert_int_equal(bench_words(&b, words)[i], i % 37 * (i % 37 + 1) / 2);
    bench_close(&b);
}

static void finished_warps_count_at_the_barrier(void **state)
{
    (void)state;
    const struct config c = test_config();
    struct bench b;
    bench_open(&b, &c, program, NULL);
    uint64_t words = bench_buffer(&b, 128);
    bench_param(&b, words);
    bench_time(&b, "partial", 1, 128);
    for (uint32_t i = 0; i < 128; i++)
        assert_int_equal(bench_words(&b, words)[i], i < 64 ? 0 : i);
    bench_close(&b);
}

static uint64_t probed;
static void probe(void *ctx, uint64_t cycle)
{
    (void)ctx;
    assert_int_equal(cycle, probed++); /* every cycle, none left out */
}

/* What must hold between counters, on kernels of all kinds. */
static void identities(void **state)
{
    (void)state;
    const struct config c = test_config();
    struct bench b;
    bench_open(&b, &c, program, NULL);
    run_all(&b);
    for (unsigned k = 0; k < 3; k++) {
        const struct stats_sums *s = &b.gpu->stats.kernels[k].sums;
        uint64_t outcomes = 0;
        for (unsigned i = 0; i < NUM_OUTCOMES; i++)
            outcomes += s->sm.outcomes[i];
        assert_int_equal(outcomes, s->cycles * NUM_SMS * NUM_SCHEDULERS);
        assert_int_equal(s->sm.outcomes[OUTCOME_granted], s->sm.warp_instructions);
        assert_int_equal(s->l1d.hits + s->l1d.misses, s->l1d.accesses);
        assert_int_equal(s->l1d.hits_intra_warp + s->l1d.hits_inter_warp, s->l1d.hits);
        const struct memory_counters *m = &s->memory;
        assert_int_equal(m->xbar.reads, s->l1d.misses - s->l1d.mshr_merged);
        assert_int_equal(m->xbar.writes, s->l1d.stores);
        assert_int_equal(m->l2.accesses, m->xbar.reads + m->xbar.writes + m->xbar.atomics);
        assert_int_equal(m->l2.hits + m->l2.misses, m->l2.accesses);
        assert_int_equal(m->l2.reads, m->xbar.reads);
        assert_int_equal(m->l2.writebacks, m->dram.writes);
    }
    const struct stats_sums *v = &b.gpu->stats.kernels[0].sums;
    assert_int_equal(v->sm.blocks, 40);
    assert_int_equal(v->l1d.accesses, 2 * ((5000 + 31) / 32)); /* each warp: one line per array */
    assert_int_equal(v->l1d.stores, (5000 + 31) / 32);
    /* Lines that are written whole are not fetched, and all fit into L2. */
    assert_int_equal(v->memory.dram.reads, v->l1d.accesses);
    assert_int_equal(v->memory.dram.bytes, v->l1d.accesses * 128);
    assert_int_equal(v->memory.dram.writes, 0);
    assert_int_equal(v->memory.l2.misses, v->l1d.accesses + v->l1d.stores);
    /* A header each; of what is written all sectors, and the last line has eight words. */
    assert_int_equal(v->memory.xbar.request_flits, v->l1d.accesses + 156 * 5 + 2);
    assert_int_equal(v->memory.xbar.reply_flits, v->l1d.accesses * 5);
    uint64_t warps = 40 * 4,
             full = 5000 / 32; /* 156 full warps, one of 8 lanes, three without any */
    assert_int_equal(v->sm.warp_instructions, warps * 12 + (full + 1) * 8);
    assert_int_equal(v->sm.thread_instructions, warps * 32 * 11 + 5000 * 8 + warps * 32);
    bench_close(&b);
}

static void out_of_bounds_is_a_fault(void **state)
{
    (void)state;
    const struct config c = test_config();
    struct bench b;
    bench_open(&b, &c, program, NULL);
    uint64_t out;
    vecadd_params(&b, 1000, &out);
    uint64_t n = 100000;
    memcpy(b.params + 24, &n, sizeof n); /* more than there is */
    assert_int_equal(bench_run(&b, "vecadd", 1000, 128), GPU_FAULT);
    assert_non_null(strstr(b.result.message, "vecadd"));
    assert_non_null(strstr(b.result.message, "ld.global.u32"));
    assert_true(gpu_failed(b.gpu));
    run_all(&b); /* the machine is as good as new */
    bench_close(&b);
}

static void stores_are_seen_at_once(void **state)
{
    (void)state;
    const struct config c = test_config();
    struct bench b;
    bench_open(&b, &c, program, NULL);
    const uint64_t words = bench_buffer(&b, 96 * 40);
    bench_param(&b, words);
    bench_time(&b, "again", 40, 96);
    for (uint32_t i = 0; i < 96 * 40; i++)
        assert_int_equal(bench_words(&b, words)[i], 2 * i + 12);
    bench_close(&b);
}

/* The stores are performed at the end of a window, when slots of blocks that have ended since may
 * hold others. */
static void a_late_fault_names_its_block(void **state)
{
    (void)state;
    const struct config c = test_config();
    struct bench b;
    bench_open(&b, &c, program, NULL);
    bench_param(&b, 16);
    assert_int_equal(bench_run(&b, "astray", 1000, 32), GPU_FAULT);
    assert_non_null(strstr(b.result.message, "pc 1 "));
    assert_non_null(strstr(b.result.message, "st.global.u32 [%rd1], 1"));
    assert_non_null(strstr(b.result.message, "lane 0 block (0,0,0) thread (0,0,0)"));
    bench_close(&b);
}

static void no_fit(void **state)
{
    (void)state;
    const struct config c = test_config();
    struct bench b;
    bench_open(&b, &c, program, NULL);
    uint64_t words = bench_buffer(&b, 128), before = gpu_cycle(b.gpu);
    bench_param(&b, words);
    assert_int_equal(bench_run(&b, "reverse", 1, 32 * (NUM_SCHEDULERS * NUM_WARPS + 1)),
                     GPU_NO_FIT);
    assert_non_null(strstr(b.result.message, "does not fit"));
    assert_int_equal(gpu_cycle(b.gpu), before);
    assert_int_equal(b.gpu->stats.num_kernels, 0);
    bench_close(&b);
}

static void spinning_ends_at_the_limit(void **state)
{
    (void)state;
    struct config c = test_config();
    struct bench b;
    c.run_max_cycles = 12345;
    bench_open(&b, &c, program, NULL);
    uint64_t flag = bench_buffer(&b, 1);
    bench_param(&b, flag);
    assert_int_equal(bench_run(&b, "spin", 3, 64), GPU_LIMIT);
    assert_int_equal(bench_cycles(&b), 12345);
    assert_non_null(strstr(b.result.message, "12345"));
    bench_words(&b, flag)[0] = 1;
    bench_param(&b, flag);
    bench_time(&b, "spin", 3, 64);
    bench_close(&b);
}

/* The instructions of a kernel without timing, and the status. */
static enum gpu_status untimed(struct bench *b, int64_t most, uint64_t *instructions)
{
    uint64_t out;
    b->gpu->config.run_max_untimed_instructions = most;
    vecadd_params(b, 1000, &out);
    const enum gpu_status status = bench_run(b, "vecadd", 8, 128);
    const struct stats *s = &b->gpu->stats;
    *instructions = s->kernels[s->num_kernels - 1].sums.untimed_instructions;
    return status;
}

static void without_timing_there_is_a_limit(void **state)
{
    (void)state;
    struct config c = test_config();
    struct bench b;
    uint64_t all, of_some;
    c.run_timing = 0;
    bench_open(&b, &c, program, NULL);
    assert_int_equal(untimed(&b, 0, &all), GPU_OK);
    const int64_t enough = (int64_t)all;
    assert_int_equal(untimed(&b, enough, &of_some), GPU_OK);
    assert_true(of_some == all);
    for (int64_t most = 1; most < enough; most += enough / 7) {
        assert_int_equal(untimed(&b, most, &of_some), GPU_LIMIT);
        assert_int_equal(of_some, most);
    }
    assert_int_equal(untimed(&b, enough - 1, &of_some), GPU_LIMIT);
    uint64_t flag = bench_buffer(&b, 1);
    b.gpu->config.run_max_untimed_instructions = 123456;
    bench_param(&b, flag);
    assert_int_equal(bench_run(&b, "spin", 3, 64), GPU_LIMIT);
    assert_non_null(strstr(b.result.message, "run.max_untimed_instructions = 123456 "));
    bench_close(&b);
}

/* A memory slower than the machine's patience. */
static void silence_is_a_deadlock(void **state)
{
    (void)state;
    struct config c = test_config();
    struct bench b[2];
    c.dram_latency = 100000;
    c.run_deadlock_cycles = 1000;
    for (unsigned i = 0; i < 2; i++) { /* with and without jumps */
        bench_open(&b[i], &c, program, NULL);
        if (i) {
            b[i].gpu->probe = probe;
            b[i].gpu->probe_ctx = b[i].gpu;
            probed = 0;
        }
        uint64_t out;
        vecadd_params(&b[i], 1000, &out);
        assert_int_equal(bench_run(&b[i], "vecadd", 8, 128), GPU_DEADLOCK);
        assert_non_null(strstr(b[i].result.message, "stuck"));
        assert_non_null(strstr(b[i].result.message, "'add.s32 %r7, %r5, %r6"));
        assert_non_null(strstr(b[i].result.message, "a load from memory"));
    }
    assert_int_equal(bench_cycles(&b[0]), bench_cycles(&b[1]));
    assert_string_equal(b[0].result.message, b[1].result.message);
    bench_close(&b[0]);
    bench_close(&b[1]);
}

/* A kernel may wait for almost so long, again and again: loads of which each gives the next one's address. */
static void what_issues_is_not_stuck(void **state)
{
    (void)state;
    static const char chain[] = PTX_HEADER
        ".entry chain(.param .u64 p)\n{\n.reg .b64 %d<2>; .reg .b32 %r<2>; .reg .pred %p<2>;\n"
        "ld.param.u64 %d0, [p]; mov.u32 %r0, 0;\n"
        "ROUND: ld.global.u64 %d0, [%d0]; atom.global.add.u32 %r1, [%d0+8], 1; add.u32 %r0, %r0, "
        "1;\n"
        "setp.lt.u32 %p0, %r0, 20; @%p0 bra ROUND;\nret;\n}\n";
    for (int64_t wait = 0; wait < 60; wait++) { /* the deadline falls anywhere in a window */
        struct config c = test_config();
        struct bench b;
        c.dram_latency = 2000;
        c.run_deadlock_cycles = 2500 + wait;
        bench_open(&b, &c, chain, NULL);
        const uint64_t buffer = bench_buffer(&b, 64);
        memcpy(bench_words(&b, buffer), &buffer, sizeof buffer);
        bench_param(&b, buffer);
        assert_int_equal(bench_run(&b, "chain", 1, 32), GPU_OK);
        assert_true(bench_cycles(&b) > (uint64_t)c.run_deadlock_cycles);
        bench_close(&b);
    }
}

/* Every cycle, what a waveform shows must agree with itself, and go through all states of a warp.
 */
static const struct ptx_kernel *shown;
static unsigned seen[NUM_WARP_STATES];
static void look(void *ctx, uint64_t cycle)
{
    const struct gpu *g = ctx;
    struct sm_context x;
    for (unsigned i = 0; i < NUM_SMS * NUM_SCHEDULERS; i++) {
        sm_context(g->sms[i / NUM_SCHEDULERS], i % NUM_SCHEDULERS, cycle, &x);
        assert_string_equal(x.kernels[0], "reverse");
        if (x.grant != NO_CHOICE)
            assert_true(x.ready >> x.grant & 1);
        for (unsigned w = 0; w < NUM_WARPS; w++) {
            seen[x.warps[w].state]++;
            assert_int_equal(x.running >> w & 1, x.warps[w].state == WARP_RUN);
            if (x.warps[w].state == WARP_RUN || x.warps[w].state == WARP_BARRIER) {
                assert_int_equal(x.warps[w].active, 0xffffffff);
                assert_string_equal(x.warps[w].text, shown->text[x.warps[w].pc]);
            } else {
                assert_null(x.warps[w].text);
            }
        }
    }
}

static void context_shows_the_machine(void **state)
{
    (void)state;
    const struct config c = test_config();
    struct bench b;
    struct sm_context x;
    bench_open(&b, &c, program, NULL);
    sm_context(b.gpu->sms[0], 0, 0, &x);
    assert_null(x.kernels[0]);
    shown = ptx_kernel(b.module, "reverse");
    b.gpu->probe = look;
    b.gpu->probe_ctx = b.gpu;
    bench_param(&b, bench_buffer(&b, 128 * 20));
    bench_time(&b, "reverse", 20, 128);
    /* START may begin and end in one cycle. */
    assert_true(seen[WARP_FREE] && seen[WARP_RUN] && seen[WARP_BARRIER] && seen[WARP_DONE]);
    bench_close(&b);
}

int main(void)
{
    FILE *file = fopen("tests/tb/gpu/launch_test.ptx", "r");
    if (!file || fread(program, 1, sizeof program - 1, file) == 0)
        return perror("tests/tb/gpu/launch_test.ptx"), 1;
    fclose(file);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results),
        cmocka_unit_test(grid_of_three_dimensions),
        cmocka_unit_test(fetch_groups_take_turns),
        cmocka_unit_test(local_memory),
        cmocka_unit_test(finished_warps_count_at_the_barrier),
        cmocka_unit_test(identities),
        cmocka_unit_test(out_of_bounds_is_a_fault),
        cmocka_unit_test(stores_are_seen_at_once),
        cmocka_unit_test(a_late_fault_names_its_block),
        cmocka_unit_test(no_fit),
        cmocka_unit_test(spinning_ends_at_the_limit),
        cmocka_unit_test(without_timing_there_is_a_limit),
        cmocka_unit_test(silence_is_a_deadlock),
        cmocka_unit_test(what_issues_is_not_stuck),
        cmocka_unit_test(context_shows_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
