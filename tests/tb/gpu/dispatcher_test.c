/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/dispatcher_test.c: the unit dispatch in the machine. Units that lie are caught by
 * what the machine knows itself, with block and SM, whichever backend decides; the waits of bcs
 * cost what PAVER says (6.3); failed kernels leave a dispatcher that works. */
#include "cmodel/dispatch/dispatch.h"
#include "tests/tb/gpu/bench.h"

#include <stdlib.h>

#include "cosim/contract.h"

static char program[] =
    PTX_HEADER ".visible .entry k(.param .u64 n, .param .u64 spread)\n"
               "{\n"
               ".reg .u64 %n, %i, %s;\n"
               ".reg .u32 %b;\n"
               ".reg .pred %p;\n"
               "ld.param.u64 %n, [n];\n"
               "ld.param.u64 %s, [spread];\n"
               "mov.u32 %b, %ctaid.x;\n" /* spread * a fraction that looks random */
               "mul.lo.u32 %b, %b, 0x9e3779b1;\n"
               "shr.u32 %b, %b, 16;\n"
               "cvt.u64.u32 %i, %b;\n"
               "mul.lo.u64 %s, %s, %i;\n"
               "shr.u64 %s, %s, 16;\n"
               "add.u64 %n, %n, %s;\n"
               "mov.u64 %i, 0;\n"
               "LOOP:\n"
               "add.u64 %i, %i, 1;\n"
               "setp.lt.u64 %p, %i, %n;\n"
               "@%p bra LOOP;\n"
               "ret;\n"
               "}\n";

/* Blocks run `rounds` each, and up to `spread` more. */
static void params(struct bench *b, uint64_t rounds, uint64_t spread)
{
    bench_param(b, rounds);
    bench_param(b, spread);
}

/* What a lying unit says instead of the truth, from its `lie_from`-th placement on. */
static void (*lie)(struct dispatch_out *);
static unsigned placements, lie_from;

static void lying_comb(const void *state, const void *in, void *output)
{
    struct dispatch_out *out = output;
    dispatch_comb(state, in, out);
    placements += (unsigned)out->place_valid;
    if (placements > lie_from || (lie_from == 0 && out->done))
        lie(out);
}

static void block_again(struct dispatch_out *out)
{
    if (out->place_valid)
        out->place_block = 1;
}

static void block_beyond(struct dispatch_out *out)
{
    if (out->place_valid)
        out->place_block += 1000;
}

static void one_sm(struct dispatch_out *out)
{
    if (out->place_valid)
        out->place_sm = 1;
}

static void skips_a_block(struct dispatch_out *out)
{
    out->place_block += (uint64_t)(out->place_valid && out->place_block > 2);
}

static void over_too_soon(struct dispatch_out *out)
{
    out->done = 1;
}

/* Runs 12 blocks on a machine whose dispatcher lies; returns what is reported. */
static char *report_of(void (*the_lie)(struct dispatch_out *), unsigned from)
{
    struct config c = test_config();
    struct unit lying = *unit_find("dispatch");
    struct bench b;
    char *text = NULL;
    size_t size;
    c.sm_max_blocks = 2;
    lie = the_lie;
    lie_from = from;
    placements = 0;
    lying.comb = lying_comb;
    bench_open(&b, &c, program, NULL);
    struct plug *plug = &b.gpu->dispatcher.rack.plugs[0];
    unit_close(plug->unit);
    plug->unit = unit_open(&lying, BACKEND_C, "gpu");
    params(&b, 10, 0);
    assert_int_equal(bench_run(&b, "k", NUM_SMS + 12, 32), GPU_MISMATCH);
    assert_non_null(strstr(b.result.message, "unit dispatch was found to be wrong"));
    assert_true(gpu_failed(b.gpu));
    FILE *to = open_memstream(&text, &size);
    unit_report(b.gpu->mismatch, "test", to);
    fclose(to);
    params(&b, 10, 0); /* the machine has stopped for good */
    assert_int_equal(bench_run(&b, "k", 1, 32), GPU_MISMATCH);
    bench_close(&b);
    return text;
}

static void lies_are_found(void **unused)
{
    (void)unused;
    static const struct {
        void (*lie)(struct dispatch_out *);
        unsigned from;
        const char *says;
    } cases[] = {
        {block_again, 2, "block 1, issued to sm 2, had been issued before"},
        {block_beyond, 1, "block 1001, issued to sm 1, is not in the grid"},
        {one_sm, 1, "block 3 is issued to sm 1, which has no room for it"},
        {skips_a_block, 1, "is not in the grid"},
        {over_too_soon, 3, "the kernel is reported as finished, but block 4 was never issued"},
        {over_too_soon, NUM_SMS + 11,
         "the kernel is reported as finished, but a block runs on sm 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (NUM_SMS < 4)
            continue; /* the texts name SMs */
        char *text = report_of(cases[i].lie, cases[i].from);
        assert_non_null(strstr(text, "WRONG     dispatch  gpu  config test  cycle "));
        if (!strstr(text, cases[i].says))
            fail_msg("expected '%s' in: %s", cases[i].says, text);
        free(text);
    }
}

/* Cycles of so many blocks with so many contexts on each SM. */
static uint64_t cycles(const char *policy, int64_t contexts, uint32_t blocks, uint64_t rounds,
                       uint64_t spread)
{
    struct config c = test_config();
    struct bench b;
    strcpy(c.run_dispatch, policy);
    c.sm_max_blocks = contexts;
    bench_open(&b, &c, program, NULL);
    params(&b, rounds, spread);
    const uint64_t time = bench_time(&b, "k", blocks, 32);
    bench_close(&b);
    return time;
}

/* Blocks that are all alike and wait for latencies only: time goes with the rounds in which the
 * contexts are filled. With n contexts lrr fills n of them, bcs one less where n is odd. */
static void bcs_loses_an_odd_context(void **unused)
{
    (void)unused;
    for (int64_t contexts = 2; contexts <= 5 && contexts <= NUM_WARPS; contexts++) {
        const uint32_t blocks = (uint32_t)(NUM_SMS * contexts * (contexts - 1) * 4);
        const double lrr = (double)cycles("lrr", contexts, blocks, 100, 0),
                     bcs = (double)cycles("bcs", contexts, blocks, 100, 0);
        const double expected = contexts % 2 ? (double)contexts / (double)(contexts - 1) : 1.0;
        assert_float_equal(bcs / lrr, expected, 0.1 * expected);
    }
    assert_int_equal(cycles("bcs", 1, NUM_SMS * 3, 100, 0), cycles("lrr", 1, NUM_SMS * 3, 100, 0));
}

/* Blocks of different lengths end one by one. Where two contexts must be free before a pair comes,
 * one waits empty half of the time: of n contexts n - 1/2 work, odd or even. PAVER measures +22 %
 * for 3 contexts, +7, +9 and +6 % for 6, and +5 % for 8; this gives 20, 9.1 and 6.7 %. */
static void bcs_loses_half_a_context(void **unused)
{
    (void)unused;
    for (int64_t contexts = 3; contexts <= 8 && contexts <= NUM_WARPS; contexts++) {
        const uint32_t blocks = (uint32_t)(NUM_SMS * contexts * 20);
        const double lrr = (double)cycles("lrr", contexts, blocks, 100, 200),
                     bcs = (double)cycles("bcs", contexts, blocks, 100, 200);
        const double lost = 0.5 / ((double)contexts - 0.5);
        assert_float_equal(bcs / lrr, 1 + lost, 0.3 * lost);
    }
}

/* "Every SM is assigned to execute 2 thread blocks instead of 3" (STO): what is resident while no
 * block has ended. */
static struct gpu *watched;
static unsigned most;
static void look(void *ctx, uint64_t cycle)
{
    (void)ctx, (void)cycle;
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (sm_resident(watched->sms[i]) > most && !sm_counters(watched->sms[i]).blocks)
            most = sm_resident(watched->sms[i]);
}

static void two_run_where_three_could(void **unused)
{
    (void)unused;
    static const struct {
        const char *policy;
        int64_t contexts;
        unsigned most;
    } cases[] = {{"lrr", 3, 3}, {"bcs", 3, 2}, {"lrr", 4, 4}, {"bcs", 4, 4}, {"bcs", 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct config c = test_config();
        struct bench b;
        strcpy(c.run_dispatch, cases[i].policy);
        c.sm_max_blocks = cases[i].contexts;
        bench_open(&b, &c, program, NULL);
        watched = b.gpu;
        most = 0;
        b.gpu->probe = look;
        params(&b, 500, 0);
        bench_time(&b, "k", NUM_SMS * 10, 32);
        assert_int_equal(most, cases[i].most);
        bench_close(&b);
    }
}

/* A kernel that was stopped in the middle leaves nothing behind: the next one runs as on a new
 * machine. */
static void a_stopped_kernel_leaves_nothing(void **unused)
{
    (void)unused;
    static const char *const backends[] = {"c", "rtl", "lockstep"};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned n = 0; n < 40; n += 7) { /* stopped sooner or later */
            struct config c = test_config();
            struct bench b;
            c.run_max_cycles = 400 + n;
            strcpy(c.run_backend, backends[i]);
            strcpy(c.run_dispatch, n % 2 ? "bcs" : "lrr");
            bench_open(&b, &c, program, NULL);
            params(&b, 1, 0);
            const uint64_t alone = bench_time(&b, "k", 2 * NUM_SMS, 32);
            params(&b, 1000000, 0);
            assert_int_equal(bench_run(&b, "k", 20 * NUM_SMS, 32), GPU_LIMIT);
            assert_int_equal(b.gpu->dispatcher.kernels[0].done, 1);
            params(&b, 1, 0);
            assert_int_equal(bench_time(&b, "k", 2 * NUM_SMS, 32), alone);
            bench_close(&b);
        }
}

static void grids_that_the_dispatcher_cannot_count(void **unused)
{
    (void)unused;
    const struct config c = test_config();
    struct bench b;
    char limit[32];
    bench_open(&b, &c, program, NULL);
    const uint64_t rounds[2] = {1, 0};
    struct gpu_launch l = {.kernel = ptx_kernel(b.module, "k"),
                           .params = (const uint8_t *)rounds,
                           .grid = {1, 1, 1},
                           .block = {32, 1, 1},
                           .work_dim = 3};
    l.grid[BLOCK_BITS <= 32 ? 1 : 2] = 2; /* in all 2^BLOCK_BITS */
    l.grid[0] = UINT32_C(1) << (BLOCK_BITS - 1 < 31 ? BLOCK_BITS - 1 : 31);
    if (BLOCK_BITS > 32)
        l.grid[1] = UINT32_C(1) << (BLOCK_BITS - 32);
    snprintf(limit, sizeof limit, "less than 2^%d blocks", BLOCK_BITS);
    assert_int_equal(gpu_launch(b.gpu, &l, &b.result), GPU_NO_FIT);
    assert_non_null(strstr(b.result.message, limit));
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lies_are_found),
        cmocka_unit_test(bcs_loses_an_odd_context),
        cmocka_unit_test(bcs_loses_half_a_context),
        cmocka_unit_test(two_run_where_three_could),
        cmocka_unit_test(a_stopped_kernel_leaves_nothing),
        cmocka_unit_test(grids_that_the_dispatcher_cannot_count),
    };
    return cmocka_run_group_tests_name("tb/gpu/dispatcher", tests, NULL, NULL);
}
