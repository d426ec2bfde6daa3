/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/later_test.c: tests tb/exec/later.c: accesses of global memory that are put
 * off do at the end of a window what they would have done at once, with the operands that they had,
 * and until then nobody sees them; a fault among them names who and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"
#include "tests/tb/mem/random.h"

#define PLACES 64
#define BYTES  32768 /* of memory that kernels use */

/* A kernel whose accesses are put off: parameter a is memory. */
struct postponed {
    struct stepped s;
    struct exec_later later;
    uint32_t *words;
};

static void open_later(struct postponed *p, const char *body, uint32_t threads)
{
    step_open(&p->s, body, threads);
    assert_int_equal(exec_later_init(&p->later, PLACES), 0);
    p->s.block.later = &p->later;
    p->s.params[0] = gmem_alloc(p->s.program.gmem, BYTES, NULL);
    p->words = gmem_host(p->s.program.gmem, p->s.params[0], BYTES);
}

static void close_later(struct postponed *p)
{
    exec_later_free(&p->later);
    step_close(&p->s);
}

static void steps(struct postponed *p, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (step_once(&p->s) != EXEC_NEXT)
            fail_msg("instruction %u: %s", i, p->s.fault.message);
}

/* Nobody sees a store before its time; then it stores what its register held when it was issued. */
static void stores_keep_their_operands(void **state)
{
    (void)state;
    struct postponed p = {0};
    open_later(&p,
               "ld.param.u64 %d1, [a];\nmov.u32 %r1, 5;\nmov.u64 %d2, 77;\n"
               "st.global.u32 [%d1], %r1;\nst.global.v2.u64 [%d1+16], {%d2, 99};\n"
               "st.global.u8 [%d1+8], %r1;\nst.global.u32 [%d1+12], 6;\n"
               "mov.u32 %r1, 50;\nmov.u64 %d2, 770;\nmov.u64 %d1, 0;\n"
               "ret;\n",
               1);
    steps(&p, 10);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(p.words[i], 0);
    assert_int_equal(p.later.count, 4);
    exec_later_perform(&p.later);
    assert_int_equal(p.words[0], 5);
    assert_int_equal(p.words[2], 5);
    assert_int_equal(p.words[3], 6);
    assert_int_equal(p.words[4], 77);
    assert_int_equal(p.words[6], 99);
    assert_int_equal(p.later.count, 0);
    assert_int_equal(p.s.warp.pc, 10); /* the warp is where it was */
    close_later(&p);
}

/* A load of what this SM has stored, or changed by an atomic, is put off behind it; one of another
 * line is not, and one before the store reads what was there. */
static void loads_follow_stores(void **state)
{
    (void)state;
    struct postponed p = {0};
    open_later(&p,
               "ld.param.u64 %d1, [a];\nmov.u32 %r1, 5;\n"
               "ld.global.u32 %r2, [%d1];\n"               /* 2: what was there */
               "st.global.u32 [%d1], %r1;\n"               /* 3 */
               "ld.global.u32 %r3, [%d1];\n"               /* 4: 5 */
               "atom.global.add.u32 %r4, [%d1], 2;\n"      /* 5: 5, leaves 7 */
               "ld.global.u32 %r5, [%d1];\n"               /* 6: 7 */
               "ld.global.u32 %r6, [%d1+256];\n"           /* 7: another line */
               "atom.global.cas.b32 %r7, [%d1], 7, %r1;\n" /* 8: 7, leaves 5 */
               "mov.u32 %r1, 1000;\n"
               "ld.global.u32 %r8, [%d1+8192];\n" /* 10: another line that looks like the first */
               "ret;\n",
               1);
    p.words[0] = 3;
    p.words[64] = 64;
    p.words[2048] = 2048;
    steps(&p, 11);
    assert_int_equal(written(&p.s, 2)[0], 3);
    assert_int_equal(written(&p.s, 7)[0], 64);
    assert_int_equal(p.words[0], 3);
    exec_later_perform(&p.later);
    assert_int_equal(written(&p.s, 2)[0], 3);
    assert_int_equal(written(&p.s, 4)[0], 5);
    assert_int_equal(written(&p.s, 5)[0], 5);
    assert_int_equal(written(&p.s, 6)[0], 7);
    assert_int_equal(written(&p.s, 8)[0], 7);
    assert_int_equal(written(&p.s, 10)[0], 2048);
    assert_int_equal(p.words[0], 5);
    close_later(&p);
}

/* After the window loads happen at once again. */
static void windows_end(void **state)
{
    (void)state;
    struct postponed p = {0};
    open_later(&p,
               "ld.param.u64 %d1, [a];\nst.global.u32 [%d1], 5;\nld.global.u32 %r3, [%d1];\nret;\n",
               1);
    steps(&p, 2);
    exec_later_perform(&p.later);
    steps(&p, 1);
    assert_int_equal(written(&p.s, 2)[0], 5);
    assert_int_equal(p.later.count, 0);
    close_later(&p);
}

/* The first bad access stops the rest; its message names instruction, lane, block and thread, also
 * when the warp has gone on, and even when its place has been given to another block. */
static void faults_name_who_and_where(void **state)
{
    (void)state;
    struct postponed p = {0};
    open_later(&p,
               "ld.param.u64 %d1, [a];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\n"
               "add.s64 %d3, %d1, %d2;\nst.global.u32 [%d3], %r1;\n"
               "st.global.u32 [%d3+32608], %r1;\n" /* lanes from 8 on are outside */
               "st.global.u32 [%d3+4], 9;\nmov.u32 %r1, 0;\nret;\n",
               64);
    exec_warp_start(&p.s.warp, &p.s.block, 1, &p.s.fault); /* threads 32 to 63 */
    p.s.block.ctaid[0] = 3;
    steps(&p, 8);
    assert_false(p.s.fault.raised);
    struct exec_block other = {.launch = &p.s.launch, .later = &p.later, .ctaid = {77, 0, 0}};
    exec_warp_start(&p.s.warp, &other, 0, &p.s.fault);
    exec_later_perform(&p.later);
    assert_true(p.s.fault.raised);
    assert_non_null(strstr(p.s.fault.message, "pc 5 "));
    assert_non_null(strstr(p.s.fault.message, "st.global.u32 [%d3+32608]"));
    assert_non_null(strstr(p.s.fault.message, "lane 8 block (3,0,0) thread (40,0,0)"));
    assert_int_equal(p.words[63], 63); /* the store before */
    assert_int_equal(p.words[33], 33); /* none behind */
    assert_int_equal(p.later.count, 0);
    assert_int_equal(p.s.warp.pc, 0);
    close_later(&p);
}

#define STRETCHES 12 /* between which results are used */

static void append(char *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsprintf(text + strlen(text), format, arguments);
    va_end(arguments);
}

/* Addresses that collide: the same for all, lane after lane, and far apart in lines that look
 * alike. */
static const char *some_place(void)
{
    static char text[64];
    static const char *const bases[] = {"%d1", "%d2", "%d2", "%d3"};
    static const unsigned offsets[] = {0, 4, 128, 8192, 8320};
    sprintf(text, "[%s+%u]", bases[below(4)], offsets[below(5)]);
    return text;
}

/* One random instruction; `target` is the number of a register that nothing has written since the
 * last stretch. Returns whether it was used. */
static int some_instruction(char *text, unsigned target)
{
    const char *place = some_place();
    const unsigned a = 1 + below(2), guard = below(4);
    if (guard == 0)
        append(text, "@%%p1 ");
    switch (below(8)) {
    case 0: append(text, "st.global.u32 %s, %%r%u;\n", place, a); return 0;
    case 1: append(text, "st.global.u8 %s, %%r%u;\n", place, a); return 0;
    case 2: append(text, "red.global.add.u32 %s, %%r%u;\n", place, a); return 0;
    case 3: append(text, "add.u32 %%r%u, %%r%u, 7;\n", a, 3 - a); return 0;
    case 4: append(text, "atom.global.exch.b32 %%r%u, %s, %%r%u;\n", target, place, a); return 1;
    case 5:
        append(text, "atom.global.cas.b32 %%r%u, %s, %%r%u, %%r%u;\n", target, place, a, 3 - a);
        return 1;
    default: append(text, "ld.global.u32 %%r%u, %s;\n", target, place); return 1;
    }
}

/* Registers 8 to 15 are targets, 1 and 2 operands, 3 sums up what was loaded. Notes the first
 * instruction behind each stretch. */
static void random_program(char *text, uint32_t ends[STRETCHES])
{
    uint32_t count = 9;
    strcpy(text, "ld.param.u64 %d1, [a];\nmov.u32 %r4, %tid.x;\nmul.wide.u32 %d2, %r4, 4;\n"
                 "add.s64 %d2, %d1, %d2;\nmul.wide.u32 %d3, %r4, 132;\nadd.s64 %d3, %d1, %d3;\n"
                 "and.b32 %r5, %r4, 3;\nsetp.ne.u32 %p1, %r5, 1;\nmov.u32 %r2, 12345;\n");
    for (unsigned i = 0; i < STRETCHES; i++) {
        unsigned target = 8;
        for (unsigned n = below(12); n > 0 && target < 16; n--, count++)
            target += (unsigned)some_instruction(text, target);
        ends[i] = count;
        for (unsigned r = 8; r < 16; r++, count++)
            append(text, "mad.lo.u32 %%r3, %%r3, 31, %%r%u;\n", r);
    }
    append(text, "ret;\n");
}

/* Two warps take turns, instruction by instruction. With `later`, accesses are put off until a
 * stretch ends. Leaves memory and sums. */
static void run_two(const char *text, const uint32_t ends[STRETCHES], int later, uint8_t *memory,
                    uint32_t sums[64])
{
    struct postponed p = {0};
    struct exec_access access;
    unsigned stretch = 0;
    open_later(&p, text, 64);
    struct exec_warp second = {.regs = aligned_alloc(64, exec_warp_bytes(p.s.kernel))};
    assert_non_null(second.regs);
    p.s.block.later = later ? &p.later : NULL;
    for (unsigned i = 0; i < BYTES / 4; i++)
        p.words[i] = i * 2654435761u;
    exec_warp_start(&second, &p.s.block, 1, &p.s.fault);
    for (uint32_t pc = 0; pc + 1 < p.s.kernel->num_uops; pc++) {
        if (stretch < STRETCHES && pc == ends[stretch]) {
            exec_later_perform(&p.later);
            stretch++;
        }
        assert_int_equal(p.s.warp.pc, pc);
        assert_int_equal(exec_step(&p.s.warp, &access), EXEC_NEXT);
        assert_int_equal(exec_step(&second, &access), EXEC_NEXT);
    }
    memcpy(memory, p.words, BYTES);
    const uint32_t sum = p.s.kernel->uops[p.s.kernel->num_uops - 2].dst[0];
    memcpy(sums, p.s.warp.regs + sum, 32 * sizeof *sums);
    memcpy(sums + 32, second.regs + sum, 32 * sizeof *sums);
    free(second.regs);
    close_later(&p);
}

static void random_programs(void **state)
{
    (void)state;
    static uint8_t memory[2][BYTES];
    static char text[8192];
    uint32_t ends[STRETCHES], sums[2][64];
    for (unsigned run = 0; run < 300; run++) {
        random_program(text, ends);
        for (int later = 0; later < 2; later++)
            run_two(text, ends, later, memory[later], sums[later]);
        assert_memory_equal(memory[0], memory[1], BYTES);
        assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_keep_their_operands),
        cmocka_unit_test(loads_follow_stores),
        cmocka_unit_test(windows_end),
        cmocka_unit_test(faults_name_who_and_where),
        cmocka_unit_test(random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
