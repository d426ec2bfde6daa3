/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/pack_test.c: a kernel whose registers share places computes what it computed when each had its own, and
 * none lies where another one is needed, by a count that is made here by other means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/live.h"
#include "tests/tb/exec/spill_program.h"
#include "tests/tb/exec/support.h"

#define IN_BYTES 256

static const struct ptx_kernel *packed(const struct ptx_kernel *k)
{
    return program_limited(k, UINT32_MAX);
}

static void check(const struct ptx_kernel *k)
{
    const struct ptx_kernel *run = packed(k);
    const char *wrong = live_places_wrong(run);
    wrong = wrong ? wrong : live_operands_wrong(run, k);
    if (wrong)
        fail_msg("%s", wrong);
    assert_true(run->reg_bytes <= k->reg_bytes + 64);
}

static int go_on(void *context, uint64_t ended, uint64_t instructions)
{
    (void)context, (void)ended, (void)instructions;
    return 0;
}

/* Returns 0, or -1: it fails, or does not end. */
static int run(const struct program *p, const struct ptx_kernel *k, const uint64_t params[2],
               uint32_t bytes)
{
    struct exec_fault fault;
    uint64_t instructions;
    const struct exec_launch launch = {.kernel = k,
                                       .gmem = p->gmem,
                                       .params = (const uint8_t *)params,
                                       .grid = {2, 1, 1},
                                       .block = {PROGRAM_THREADS - 5, 1, 1},
                                       .work_dim = 1,
                                       .shared_bytes = k->shared_bytes};
    memset(gmem_host(p->gmem, params[1], bytes), 0, bytes);
    const struct exec_meter meter = {
        .told = go_on, .most = 100000}; /* a wrong counter may never come to its end */
    return exec_run(&launch, 0, NULL, &meter, NULL, &fault, &instructions) == EXEC_ENDED ? 0 : -1;
}

/* Whether the second kernel writes what the first one does. */
static int same_results(const struct program *p, const struct ptx_kernel *a,
                        const struct ptx_kernel *b, const uint64_t params[2], uint32_t bytes)
{
    uint8_t *expected = malloc(bytes);
    assert_non_null(expected);
    assert_int_equal(run(p, a, params, bytes), 0);
    memcpy(expected, gmem_host(p->gmem, params[1], bytes), bytes);
    const int same = run(p, b, params, bytes) == 0 &&
                     !memcmp(expected, gmem_host(p->gmem, params[1], bytes), bytes);
    free(expected);
    return same;
}

static struct program random_program(uint32_t round, uint64_t params[2], uint32_t *bytes)
{
    const struct spill_program random = {.words = 4 + round % 29,
                                         .longs = 1 + round % 13,
                                         .statements = 5 + round % 60,
                                         .state = round * 2654435761u};
    char *text = spill_program(random);
    struct program p = program_open(text, exec_builds() - 1);
    free(text);
    *bytes = 2 * PROGRAM_THREADS * spill_program_bytes(&random);
    params[0] = gmem_alloc(p.gmem, IN_BYTES, NULL);
    params[1] = gmem_alloc(p.gmem, *bytes, NULL);
    uint8_t *in = gmem_host(p.gmem, params[0], IN_BYTES);
    for (uint32_t i = 0; i < IN_BYTES; i++)
        in[i] = (uint8_t)(i * 167 + (i >> 3));
    return p;
}

static void random_kernels_compute_the_same(void **unused)
{
    (void)unused;
    uint64_t before = 0, after = 0;
    for (uint32_t round = 1; round <= 100; round++) {
        uint64_t params[2];
        uint32_t bytes;
        struct program p = random_program(round, params, &bytes);
        const struct ptx_kernel *k = ptx_kernel(p.module, "k");
        check(k);
        assert_true(same_results(&p, k, packed(k), params, bytes));
        before += k->reg_bytes;
        after += packed(k)->reg_bytes;
        program_close(&p);
    }
    assert_true(after * 10 < before * 9);
}

static void move(struct ptx_kernel *k, uint32_t number, uint32_t to)
{
    const uint32_t from = k->registers[number].offset;
    for (uint32_t i = 0; i < k->num_uops; i++) {
        struct uop *u = &k->uops[i];
        int named = 0;
        for (uint32_t r = 0; r < u->num_reads; r++)
            named |= u->reads[r] == number;
        for (uint32_t w = 0; w < u->num_writes; w++)
            named |= u->writes[w] == number;
        u->guard = named && u->guard == from ? to : u->guard;
        for (int j = 0; j < 4 && named; j++) {
            u->dst[j] = u->dst[j] == from ? to : u->dst[j];
            u->src[j] = u->src[j] == from ? to : u->src[j];
            u->vsrc[j] = u->vsrc[j] == from ? to : u->vsrc[j];
        }
    }
    k->registers[number].offset = to;
}

/* Each register in turn, where another one of its width lies: what computes something else by that was refused by the check of
 * places. */
static void a_register_in_a_wrong_place_is_noticed(void **unused)
{
    (void)unused;
    uint32_t planted = 0, refused = 0, differ = 0;
    for (uint32_t round = 7; round < 12; round++) {
        uint64_t params[2];
        uint32_t bytes;
        struct program p = random_program(round, params, &bytes);
        const struct ptx_kernel *k = ptx_kernel(p.module, "k");
        struct ptx_kernel *run = (struct ptx_kernel *)packed(k);
        const size_t bytes_of_uops = run->num_uops * sizeof *run->uops;
        struct uop *const uops = malloc(bytes_of_uops);
        assert_non_null(uops);
        memcpy(uops, run->uops, bytes_of_uops);
        for (uint32_t n = NUM_SPECIALS + 1; n < run->num_regs; n++) {
            const uint32_t from = run->registers[n].offset, to = run->registers[n - 1].offset;
            if (run->registers[n].bytes != run->registers[n - 1].bytes || from == to)
                continue;
            move(run, n, to);
            const int wrong = live_places_wrong(run) != NULL;
            const int same = same_results(&p, k, run, params, bytes);
            assert_true(same || wrong);
            planted++;
            refused += (uint32_t)wrong;
            differ += (uint32_t)!same;
            memcpy(run->uops, uops, bytes_of_uops);
            run->registers[n].offset = from;
        }
        free(uops);
        program_close(&p);
    }
    assert_true(planted > 100 && refused > planted * 8 / 10 && differ > planted / 2);
}

/* The places of 32-bit registers that a kernel has. */
static uint32_t words_of(const char *body)
{
    struct program p = program_with_body(body);
    const struct ptx_kernel *k = &p.module->kernels[0];
    check(k);
    const uint32_t specials = ptx_special_offset(packed(k), NUM_SPECIALS),
                   bytes = packed(k)->reg_bytes - specials - 8 * WARP_LANES;
    program_close(&p);
    return bytes / (4 * WARP_LANES);
}

static void places_by_hand(void **unused)
{
    (void)unused;
    assert_int_equal(words_of("ret;"), 0);
    /* one after the other: but the two of an instruction lie apart */
    assert_int_equal(words_of("mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1;"
                              "add.u32 %r4, %r3, 1; st.global.u32 [64], %r4;"),
                     2);
    /* a loaded value has its own place, as has one that is read before it is written */
    assert_int_equal(words_of("ld.global.u32 %r1, [64]; add.u32 %r2, %r1, 1;"
                              "ld.global.u32 %r3, [64]; add.u32 %r4, %r3, 1;"),
                     3);
    assert_int_equal(words_of("add.u32 %r2, %r1, 1; mov.u32 %r3, 1; add.u32 %r4, %r3, 1;"), 3);
    /* a guarded write keeps the value alive from the start */
    assert_int_equal(words_of("@%p1 mov.u32 %r1, 1; add.u32 %r2, %r1, 1; mov.u32 %r3, 1;"), 2);
    /* what lives through a loop keeps its place there */
    assert_int_equal(words_of("mov.u32 %r1, %tid.x; mov.u32 %r2, 0; L: add.u32 %r2, %r2, %r1;"
                              "mov.u32 %r3, 1; add.u32 %r4, %r3, 1; setp.lt.u32 %p1, %r2, 9;"
                              "@%p1 bra L; st.global.u32 [64], %r2;"),
                     4);
    /* what is dropped lies apart from all */
    assert_int_equal(words_of("ld.global.v2.u32 {_, %r1}, [64]; mov.u64 %d1, 64;"
                              "add.u64 %d2, %d1, 1; st.global.u32 [%d2], %r1;"),
                     5);
    /* widths do not share */
    assert_int_equal(words_of("mov.u32 %r1, %tid.x; cvt.u64.u32 %d1, %r1; add.u64 %d2, %d1, 1;"
                              "cvt.u32.u64 %r2, %d2; st.global.u32 [64], %r2;"),
                     5);
}

static void only_specials_that_are_read_have_a_place(void **unused)
{
    (void)unused;
    struct program p = program_with_body("mov.u32 %r1, %ctaid.y; mov.u32 %r2, %laneid;");
    const struct ptx_kernel *k = &p.module->kernels[0];
    assert_int_equal(packed(k)->specials, 1u << SR_CTAID_Y | 1u << SR_LANEID);
    assert_int_equal(packed(k)->uops[0].src[0], 0);
    assert_int_equal(packed(k)->uops[1].src[0], 128);
    assert_int_equal(k->specials, (1u << NUM_SPECIALS) - 1);
    program_close(&p);
}

/* Routines keep in registers what their callers do not see. */
static void kernels_that_call_stay_as_they_are(void **unused)
{
    (void)unused;
    struct program p =
        program_open(PTX_HEAD ".func (.reg .u32 r) f(.reg .u32 n)\n{\n.reg .pred p; .reg .u32 m;\n"
                              "setp.eq.u32 p, n, 0; mov.u32 r, 1; @p ret; sub.u32 m, n, 1;\n"
                              "call (r), f, (m); mul.lo.u32 r, r, n;\n}\n"
                              ".entry k(.param .u64 a)\n{\n.reg .u32 x; call (x), f, (5);\n}\n",
                     exec_builds() - 1);
    const struct ptx_kernel *k = &p.module->kernels[0];
    assert_true(k->num_routines > 0);
    assert_ptr_equal(packed(k), k);
    program_close(&p);
}

/* So many predicates live for so long that the analysis gives up: then all have their own places. */
static void what_is_too_large_runs_as_it_is(void **unused)
{
    (void)unused;
    enum { COUNT = 9000 };
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    fprintf(out, PTX_HEAD ".entry k(.param .u64 a)\n{\n.reg .pred %%p<%d>; .reg .b32 %%r<2>;\n",
            COUNT);
    for (int i = 0; i < COUNT; i++)
        fprintf(out, "setp.eq.u32 %%p%d, %%tid.x, %d;\n", i, i);
    for (int i = 0; i < COUNT; i++)
        fprintf(out, "@%%p%d add.u32 %%r1, %%r1, 1;\n", i);
    fprintf(out, "}\n");
    fclose(out);
    struct program p = program_open(text, exec_builds() - 1);
    free(text);
    const struct ptx_kernel *k = &p.module->kernels[0];
    assert_ptr_equal(packed(k), k);
    program_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_kernels_compute_the_same),
        cmocka_unit_test(a_register_in_a_wrong_place_is_noticed),
        cmocka_unit_test(places_by_hand),
        cmocka_unit_test(only_specials_that_are_read_have_a_place),
        cmocka_unit_test(kernels_that_call_stay_as_they_are),
        cmocka_unit_test(what_is_too_large_runs_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
