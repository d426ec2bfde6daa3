/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/spill_test.c: a kernel within a limit on its registers computes what it computed
 * without one, and keeps the limit by a count that is made here by other means. Planted faults in
 * the spill code are noticed. */
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

static const struct spill_program large = {
    .words = 100, .longs = 40, .statements = 120, .state = 0x5eed1234};

/* What a program is run on. */
struct bench {
    struct program program;
    const struct ptx_kernel *kernel;
    uint64_t params[2];
    uint32_t out_bytes;
    uint8_t *expected; /* what the kernel writes without a limit */
};

static int try_run(struct bench *b, const struct ptx_kernel *k, struct exec_fault *fault)
{
    const struct exec_launch launch = {.kernel = k,
                                       .gmem = b->program.gmem,
                                       .params = (const uint8_t *)b->params,
                                       .grid = {1, 1, 1},
                                       .block = {PROGRAM_THREADS - 5, 1, 1},
                                       .work_dim = 1,
                                       .shared_bytes = k->shared_bytes};
    uint64_t instructions;
    memset(gmem_host(b->program.gmem, b->params[1], b->out_bytes), 0, b->out_bytes);
    return exec_run(&launch, 0, NULL, NULL, NULL, fault, &instructions);
}

static const uint8_t *run(struct bench *b, const struct ptx_kernel *k)
{
    struct exec_fault fault;
    if (try_run(b, k, &fault))
        fail_msg("%s", fault.message);
    return gmem_host(b->program.gmem, b->params[1], b->out_bytes);
}

static struct bench bench_open(char *(*write)(struct spill_program), struct spill_program program)
{
    char *text = write(program);
    struct bench b = {.program = program_open(text, exec_builds() - 1)};
    free(text);
    b.kernel = ptx_kernel(b.program.module, "k");
    b.out_bytes = PROGRAM_THREADS * spill_program_bytes(&program);
    b.params[0] = gmem_alloc(b.program.gmem, IN_BYTES, NULL);
    b.params[1] = gmem_alloc(b.program.gmem, b.out_bytes, NULL);
    uint8_t *in = gmem_host(b.program.gmem, b.params[0], IN_BYTES);
    for (uint32_t i = 0; i < IN_BYTES; i++)
        in[i] = (uint8_t)(i * 167 + (i >> 3));
    b.expected = malloc(b.out_bytes);
    assert_non_null(b.expected);
    memcpy(b.expected, run(&b, b.kernel), b.out_bytes);
    return b;
}

static void bench_close(struct bench *b)
{
    free(b->expected);
    program_close(&b->program);
}

static void check_limit(struct bench *b, uint32_t registers)
{
    const struct ptx_kernel *l = program_limited(b->kernel, registers);
    const uint32_t pressure = live_pressure(l);
    assert_true(pressure <= registers);
    assert_int_equal(l->regs_per_thread, pressure);
    assert_null(live_places_wrong(l));
    assert_memory_equal(run(b, l), b->expected, b->out_bytes);
}

static void a_large_kernel(void **unused)
{
    (void)unused;
    struct bench b = bench_open(spill_program, large);
    const struct ptx_kernel *k = b.kernel;
    assert_true(k->regs_per_thread >= 180);
    check_limit(&b, 255);
    assert_ptr_equal(program_limited(k, 255), program_limited(k, k->regs_per_thread));
    assert_int_equal(program_limited(k, 255)->num_uops, k->num_uops);
    for (uint32_t registers = 63; registers; registers = registers == 63   ? 32
                                                         : registers == 32 ? 20
                                                                           : 0) {
        check_limit(&b, registers);
        const struct ptx_kernel *l = program_limited(k, registers);
        assert_ptr_not_equal(l, k);
        assert_ptr_equal(program_limited(k, registers), l); /* made once */
        assert_true(l->spills.values > 50 && l->spills.loads > 50 && l->spills.stores > 50);
        assert_true(l->local_bytes > k->local_bytes);
        assert_int_equal(l->num_loops, k->num_loops);
    }
    bench_close(&b);
}

static void random_kernels(void **unused)
{
    (void)unused;
    uint32_t spilled = 0;
    for (uint32_t round = 1; round <= 150; round++) {
        struct bench b =
            bench_open(spill_program, (struct spill_program){.words = 4 + round % 29,
                                                             .longs = 1 + round % 13,
                                                             .statements = 5 + round % 60,
                                                             .state = round * 2654435761u});
        for (uint32_t registers = 14; registers < b.kernel->regs_per_thread; registers += 7) {
            check_limit(&b, registers);
            spilled += program_limited(b.kernel, registers)->spills.values;
        }
        bench_close(&b);
    }
    assert_true(spilled > 1000);
}

/* Constants and parameters take no registers; a value that may be read before it is written does. */
static void constants_are_not_spilled(void **unused)
{
    (void)unused;
    struct program p =
        program_with_body("ld.param.u64 %d1, [a]; mov.u32 %r1, 7; mov.u32 %r2, %tid.x;\n"
                          "ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [64]; \n"
                          "ld.global.v4.u32 {%r7, %r8, %r9, %r10}, [80]; \n"
                          "st.global.v4.u32 [64], {%r7, %r8, %r9, %r10};\n"
                          "st.global.v4.u32 [64], {%r3, %r4, %r5, %r6};\n"
                          "add.u32 %r2, %r2, %r1; st.global.u32 [%d1], %r2;");
    assert_int_equal(p.module->kernels[0].regs_per_thread, 9);
    assert_int_equal(program_limited(&p.module->kernels[0], 8)->spills.values, 1);
    program_close(&p);

    p = program_with_body(
        "bra M; L: mov.u32 %r1, 7; M: ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [64]; \n"
        "st.global.v4.u32 [64], {%r3, %r4, %r5, %r6}; st.global.u32 [64], %r1;\n"
        "setp.eq.u32 %p1, %tid.x, 0; @%p1 bra L;");
    assert_int_equal(program_limited(&p.module->kernels[0], 4)->spills.values, 1);
    program_close(&p);
}

/* A loop whose back edge stands above its head in the text; and one without an end. */
static void loops_in_any_order(void **unused)
{
    (void)unused;
    struct program p =
        program_with_body("ld.global.u64 %d1, [64]; ld.global.u32 %r1, [%d1]; mov.u32 %r3, 5;\n"
                          "bra HEAD;\nLATCH: sub.u32 %r3, %r3, 1; bra HEAD;\n"
                          "HEAD: ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%d1];\n"
                          "st.global.v4.u32 [%d1], {%r4, %r5, %r6, %r7};\n"
                          "setp.eq.u32 %p1, %r3, 0; @%p1 bra END; @!%p2 bra LATCH;\n"
                          "L: bra L; END: st.global.u32 [%d1], %r1;");
    const struct ptx_kernel *k = &p.module->kernels[0];
    assert_true(k->num_loops == 2 && k->loops[0].back < k->loops[0].head);
    assert_int_equal(program_limited(k, 6)->regs_per_thread, 6);
    assert_true(program_limited(k, 6)->spills.loads > 0);
    program_close(&p);
}

/* The line and the text of what cannot be done; what is added stands at the line of what it serves.
 */
static void lines(void **unused)
{
    (void)unused;
    struct ptx_error error;
    struct program p =
        program_with_body("mov.u32 %r1, %tid.x;\nmov.u64 %d1, 64; add.u64 %d1, %d1, 0;\n"
                          "ld.global.u32 %r2, [64];\n"
                          "st.global.v4.u32 [%d1], {%r1, %r1, %r2, %r1};\n"
                          "st.global.u32 [%d1], %r2;");
    const struct ptx_kernel *k = &p.module->kernels[0];
    assert_null(exec_limit(k, 3, &error));
    assert_int_equal(error.line, 10);
    assert_non_null(strstr(error.message, ":10: 'st.global.v4.u32 [%d1], {%r1, %r1, %r2, %r1}'"));
    assert_non_null(
        strstr(error.message, "alone needs 4 registers of a thread; expected at most 3"));
    program_close(&p);

    p = program_with_body("ld.global.u64 %d1, [64];\nld.global.v2.u64 {%d2, %d3}, [80];\n"
                          "st.global.v2.u64 [80], {%d2, %d3};\nst.global.u64 [64], %d1;");
    const struct ptx_kernel *l = program_limited(&p.module->kernels[0], 4);
    assert_int_equal(l->spills.values, 1);
    assert_string_equal(l->text[1], "st.local.b64 [0], %spill");
    assert_int_equal(l->uops[1].line, l->uops[0].line);
    assert_string_equal(l->text[4], "ld.local.b64 %spill, [0]");
    assert_int_equal(l->uops[4].line, l->uops[5].line);
    program_close(&p);
}

static void run_nothing(struct exec_warp *w, const struct uop *u, uint32_t mask,
                        struct exec_access *access)
{
    (void)w, (void)u, (void)mask, (void)access;
}

static int is_spill(const struct ptx_kernel *k, uint32_t i, enum uop_op op)
{
    return i < k->num_uops && k->uops[i].op == op && strstr(k->text[i], "%spill");
}

/* Whether the kernel with a fault gives itself away. */
static int differs(struct bench *b, const struct ptx_kernel *k)
{
    struct exec_fault fault;
    const void *out = gmem_host(b->program.gmem, b->params[1], b->out_bytes);
    return try_run(b, k, &fault) || memcmp(out, b->expected, b->out_bytes) != 0;
}

/* Each reload, left out. Some change nothing: a value that happens to be there already. */
static void a_dropped_reload_is_noticed(void **unused)
{
    (void)unused;
    struct bench b = bench_open(spill_dense_program, large);
    const struct ptx_kernel *k = program_limited(b.kernel, 32);
    uint32_t planted = 0, found = 0;
    for (uint32_t i = 0; i < k->num_uops; i++) {
        if (!is_spill(k, i, U_LD) || planted == 200)
            continue;
        uop_fn *const load = k->uops[i].run;
        k->uops[i].run = run_nothing;
        found += (uint32_t)differs(&b, k);
        planted++;
        k->uops[i].run = load;
    }
    assert_true(planted == 200 && found > planted * 8 / 10);
    assert_false(differs(&b, k));
    bench_close(&b);
}

static void swap(const struct ptx_kernel *k, uint32_t i, uint32_t j)
{
    const struct uop u = k->uops[i];
    k->uops[i] = k->uops[j];
    k->uops[j] = u;
}

/* Each store, before the instruction that makes the value. */
static void a_store_before_its_definition_is_noticed(void **unused)
{
    (void)unused;
    struct bench b = bench_open(spill_dense_program, large);
    const struct ptx_kernel *k = program_limited(b.kernel, 32);
    uint32_t planted = 0, found = 0;
    for (uint32_t i = 1; i < k->num_uops && planted < 200; i++) {
        if (!is_spill(k, i, U_ST) || is_spill(k, i - 1, U_ST) || k->uops[i - 1].op == U_BAR)
            continue;
        swap(k, i - 1, i);
        found += (uint32_t)differs(&b, k);
        planted++;
        swap(k, i - 1, i);
    }
    assert_true(planted > 100 && found > planted * 8 / 10);
    assert_false(differs(&b, k));
    bench_close(&b);
}

/* Each slot, given to the values of the one before it too. */
static void a_slot_reused_too_early_is_noticed(void **unused)
{
    (void)unused;
    struct bench b = bench_open(spill_dense_program, large);
    const struct ptx_kernel *k = program_limited(b.kernel, 32);
    uint32_t planted = 0, found = 0;
    for (int64_t slot = (int64_t)k->local_bytes - 4;
         slot - 4 >= (int64_t)b.kernel->local_bytes + 8 * large.longs; slot -= 4) {
        uint8_t *moved = calloc(k->num_uops, 1);
        assert_non_null(moved);
        for (uint32_t i = 0; i < k->num_uops; i++)
            if ((is_spill(k, i, U_LD) || is_spill(k, i, U_ST)) && k->uops[i].offset == slot) {
                k->uops[i].offset -= 4;
                moved[i] = 1;
            }
        found += (uint32_t)differs(&b, k);
        planted++;
        for (uint32_t i = 0; i < k->num_uops; i++)
            k->uops[i].offset += moved[i] ? 4 : 0;
        free(moved);
    }
    assert_true(planted > 20 && found == planted);
    assert_false(differs(&b, k));
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_kernel),
        cmocka_unit_test(random_kernels),
        cmocka_unit_test(constants_are_not_spilled),
        cmocka_unit_test(loops_in_any_order),
        cmocka_unit_test(lines),
        cmocka_unit_test(a_dropped_reload_is_noticed),
        cmocka_unit_test(a_store_before_its_definition_is_noticed),
        cmocka_unit_test(a_slot_reused_too_early_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
