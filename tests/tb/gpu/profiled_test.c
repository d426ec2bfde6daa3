/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/profiled_test.c: Profiled DAWS (DAWS 5.1, 7.1): a run makes a profile with little input, another
 * one with more is throttled by it, from its first trip on. On a small machine in lockstep, and
 * observed. And what happens if the profile is not this program's. */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmodel/daws_table/daws_table.h"
#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/bench.h"

#define SMALL (NUM_SMS * NUM_SCHEDULERS * NUM_WARPS <= 64)
#define WORDS 32 /* that a thread has: a line */

/* Thread t adds up the first `words` words of line t, two in each trip, which are repeated; the loop behind
 * it reads one word of all threads, which is not their own to keep. */
static const char text[] = PTX_HEADER
    ".entry walk(.param .u64 base, .param .u64 words, .param .u64 out)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %d<6>;\n"
    "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n"
    "mad.lo.u32 %r0, %r0, %r1, %r2; ld.param.u64 %d0, [base]; ld.param.u64 %d1, [words];\n"
    "cvt.u32.u64 %r4, %d1; mul.wide.u32 %d2, %r0, 128; add.u64 %d3, %d0, %d2;\n"
    "mov.u32 %r5, 0; mov.u32 %r7, 0;\n"
    "AGAIN: ld.global.u32 %r6, [%d3]; ld.global.u32 %r8, [%d3+4]; add.u32 %r7, %r7, %r6;\n"
    "add.u32 %r7, %r7, %r8; add.u64 %d3, %d3, 8; add.u32 %r5, %r5, 2;\n"
    "setp.lt.u32 %p0, %r5, %r4; @%p0 bra AGAIN;\n"
    "ld.param.u64 %d4, [out]; mul.wide.u32 %d2, %r0, 4; add.u64 %d4, %d4, %d2;\n"
    "st.global.u32 [%d4], %r7; ret;\n}\n";
/* The same name, another program. */
static const char other[] = PTX_HEADER
    ".entry walk(.param .u64 base, .param .u64 words, .param .u64 out)\n{\n"
    ".reg .b32 %r<12>; .reg .b64 %d<6>;\n"
    "ld.param.u64 %d0, [base]; ld.global.u32 %r6, [%d0]; st.global.u32 [%d0+4], %r6; ret;\n}\n";
static const char unknown[] = PTX_HEADER
    ".entry stroll(.param .u64 base, .param .u64 words, .param .u64 out)\n{\n"
    ".reg .b32 %r<12>; .reg .b64 %d<6>;\n"
    "ld.param.u64 %d0, [base]; ld.global.u32 %r6, [%d0]; st.global.u32 [%d0+4], %r6; ret;\n}\n";

static char path[] = "/tmp/heddle-profiled-XXXXXX";

/* What is seen of SM 0. */
static struct watch {
    struct gpu *gpu;
    uint64_t denied; /* warps whose loads were held back, summed over the cycles */
    struct daws_table_state table;
} watch;

static void look(void *context, uint64_t cycle)
{
    const struct sm *sm = watch.gpu->sms[0];
    (void)context;
    (void)cycle;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        watch.denied += (uint64_t)__builtin_popcountll(sm->schedulers[i].view.running &
                                                       ~sm->controls[i].allow_load);
    for (unsigned i = 0; i < sm->rack.count; i++)
        if (!strcmp(sm->rack.plugs[i].socket->stem, "daws_table"))
            watch.table = *(const struct daws_table_state *)plug_state(&sm->rack.plugs[i]);
}

/* An L1D with lines for four warps of an SM. */
static struct config config_of(const char *policy)
{
    struct config c = test_config();
    strcpy(c.run_sched, policy);
    if (strstr(policy, "profiled"))
        strcpy(c.daws_table_profile, path);
    c.l1d_ways = 8;
    c.l1d_line = 128;
    c.l1d_sets = 4 * 32 / c.l1d_ways;
    return c;
}

/* Runs `blocks` of 128 threads, and checks their sums. Returns cycles. */
static uint64_t walk(struct bench *b, uint32_t blocks, uint64_t words)
{
    const uint64_t base = bench_buffer(b, (size_t)blocks * 128 * WORDS),
                   out = bench_buffer(b, (size_t)blocks * 128);
    for (uint32_t i = 0; i < blocks * 128 * WORDS; i++)
        *bench_words(b, base + 4 * i) = i * 2654435761u >> 8;
    bench_param(b, base);
    bench_param(b, words);
    bench_param(b, out);
    const uint64_t cycles = bench_time(b, "walk", blocks, 128);
    for (uint32_t t = 0; t < blocks * 128; t++) {
        uint32_t sum = 0;
        for (uint32_t w = 0; w < words; w++)
            sum += (t * WORDS + w) * 2654435761u >> 8;
        assert_int_equal(*bench_words(b, out + 4 * t), sum);
    }
    return cycles;
}

/* A profile of few blocks and short rows. */
static int make_profile(void **unused)
{
    struct config c = config_of("gto");
    struct bench b;
    (void)unused;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    bench_open(&b, &c, text, NULL);
    assert_int_equal(gpu_profile(b.gpu, path), 0);
    walk(&b, NUM_SMS, 16);
    bench_close(&b);
    return 0;
}

static int remove_profile(void **unused)
{
    (void)unused;
    return unlink(path);
}

static uint64_t walk_under(const char *policy, const char *backend, int observe, uint64_t *hits)
{
    struct config c = config_of(policy);
    struct bench b;
    strcpy(c.run_backend, backend);
    c.run_observe = observe;
    bench_open(&b, &c, text, NULL);
    watch = (struct watch){.gpu = b.gpu};
    b.gpu->probe = look;
    const uint64_t cycles =
        walk(&b, (SMALL ? 3 : 1) * NUM_SMS * NUM_SCHEDULERS * NUM_WARPS / 4, WORDS);
    *hits = bench_stats(&b)->sums.l1d.hits;
    bench_close(&b);
    return cycles;
}

static void an_earlier_run_throttles(void **unused)
{
    uint64_t gto_hits, hits, again;
    (void)unused;
    const uint64_t gto = walk_under("gto", "c", 0, &gto_hits);
    assert_int_equal(watch.denied, 0);
    const uint64_t cycles = walk_under("daws-profiled", SMALL ? "lockstep" : "c", SMALL, &hits);
    print_message("daws-profiled: %.2f of gto's cycles, %" PRIu64 " hits instead of %" PRIu64 "\n",
                  (double)cycles / (double)gto, hits, gto_hits);
    /* two loads, one repetition id, diverged; no other loop */
    assert_int_equal(watch.table.diverged[0], 1);
    assert_int_equal(watch.table.converged[0], 0);
    for (unsigned l = 1; l < (1 << LOOP_BITS) - 1; l++)
        assert_int_equal(watch.table.diverged[l] + watch.table.converged[l], 0);
    assert_true(watch.denied > cycles);
    assert_true(hits > gto_hits + 100);
    assert_true(cycles < gto);
    if (SMALL) {
        assert_int_equal(walk_under("daws-profiled", "c", 0, &again), cycles);
        assert_int_equal(again, hits);
        assert_int_equal(walk_under("daws-profiled", "rtl", 0, &again), cycles);
    }
}

static void other_programs_fail(void **unused)
{
    struct config c = config_of("daws-profiled");
    struct bench b;
    (void)unused;
    bench_open(&b, &c, other, NULL);
    const uint64_t base = bench_buffer(&b, 64);
    for (int i = 0; i < 3; i++)
        bench_param(&b, base);
    assert_int_equal(bench_run(&b, "walk", 1, 32), GPU_FAULT);
    assert_non_null(strstr(b.result.message, "kernel walk has 0 loops and 1 loads, in "));
    assert_non_null(strstr(b.result.message, "it has 1 and 2; expected a profile of this program"));
    gpu_close(b.gpu);
    ptx_free(b.module);
}

/* It runs as if no loop had locality. */
static void unknown_kernels_run(void **unused)
{
    struct config c = config_of("daws-profiled");
    struct bench b;
    (void)unused;
    bench_open(&b, &c, unknown, NULL);
    const uint64_t base = bench_buffer(&b, 64);
    for (int i = 0; i < 3; i++)
        bench_param(&b, base);
    *bench_words(&b, base) = 99;
    bench_time(&b, "stroll", 1, 32);
    assert_int_equal(*bench_words(&b, base + 4), 99);
    bench_close(&b);
}

static void files_are_needed(void **unused)
{
    static const struct {
        const char *path, *said;
    } cases[] = {
        {"", "[run] sched = daws-profiled: expected a file: --set daws_table.profile=FILE"},
        {"/nowhere/p.json", "/nowhere/p.json: cannot be read: No such file"},
        {"tests/tb/gpu/profiled_test.c", "no profile; expected what `heddle run --profile` writes"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct config c = config_of("daws-profiled");
        char *said;
        size_t size;
        FILE *err = open_memstream(&said, &size);
        strcpy(c.daws_table_profile, cases[i].path);
        assert_null(gpu_open(&c, NULL, NULL, err));
        fclose(err);
        if (!strstr(said, cases[i].said))
            fail_msg("'%s'", said);
        free(said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_earlier_run_throttles),
        cmocka_unit_test(other_programs_fail),
        cmocka_unit_test(unknown_kernels_run),
        cmocka_unit_test(files_are_needed),
    };
    return cmocka_run_group_tests_name("tb/gpu/profiled", tests, make_profile, remove_profile);
}
