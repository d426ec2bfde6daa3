/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/locality/kernels_test.c: kernels as compilers write them, and others: how many of their loads
 * are known, why the others are not, and that blocks read what is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/locality/footprint.h"
#include "tb/locality/sharing.h"
#include "tb/locality/text.h"
#include "tests/tb/exec/support.h"
#include "tests/tb/locality/support.h"

/* Parameters: a and b, middles of a buffer; n is 100, m 7. %d0 is a, %r0 n, %r1 m, %r2 the thread's
 * number in the grid. */
static void make_text(char text[8192], const char *body)
{
    snprintf(text, 8192,
             PTX_HEAD ".entry k(.param .u64 a, .param .u64 b, .param .u32 n, .param .u32 m)\n{\n"
                      ".reg .pred %%p<9>; .reg .b32 %%r<30>; .reg .b64 %%d<20>; .reg .f32 %%f<9>;\n"
                      "ld.param.u64 %%d0, [a]; ld.param.u32 %%r0, [n]; ld.param.u32 %%r1, [m];\n"
                      "mov.u32 %%r2, %%ctaid.x; mov.u32 %%r3, %%ntid.x; mov.u32 %%r4, %%tid.x;\n"
                      "mad.lo.s32 %%r2, %%r2, %%r3, %%r4;\n%s\nret;\n}\n",
             body);
}

#define LOAD(index)                                                                                \
    "mul.wide.s32 %d1, " index ", 4; add.s64 %d1, %d0, %d1; ld.global.u32 %r20, [%d1];\n"

static const struct {
    const char *what, *body;
    uint32_t known, loads;
} kernels[] = {
    {"one element a thread, but not beyond n",
     "setp.ge.s32 %p1, %r2, %r0; @%p1 bra END;\n" LOAD("%r2") "END:", 1, 1},
    {"where one condition holds and not the other",
     "setp.lt.s32 %p1, %r2, %r0; setp.lt.s32 %p2, %r2, 5; and.pred %p3, %p1, !%p2; @!%p3 bra "
     "END;\n" LOAD("%r2") "END:",
     1, 1},
    {"where one condition of two holds",
     "setp.lt.s32 %p1, %r2, %r0; setp.lt.s32 %p2, %r2, 5; xor.pred %p3, !%p1, %p2;\n"
     "mov.pred %p4, !%p3; not.pred %p5, !%p4; @%p5 bra END;\n" LOAD("%r2") "END:",
     1, 1},
    {"one of three elements by an index",
     "and.b32 %r5, %r2, 3; brx.idx %r5, T;\nT: .branchtargets A, B, A, END;\n"
     "A: mov.u32 %r6, 1000; bra M;\nB: add.s32 %r6, %r2, 7;\nM: " LOAD("%r6") "END:",
     1, 1},
    {"what is dropped stands in no register",
     "mov.u64 %d2, 5; mov.b64 {_, %r6}, %d2; mov.u32 %r7, %tid.x;\n" LOAD("%r7"), 1, 1},
    {"a carry stands in no other register",
     "add.cc.u32 %r6, %r2, %r2; addc.u32 %r8, %r6, %r2; mov.u32 %r7, %tid.x;\n" LOAD("%r7"), 1, 1},
    {"a loop over n elements",
     "mov.u32 %r5, 0;\nL:" LOAD("%r5") "add.s32 %r5, %r5, 1;\n"
                                       "setp.lt.s32 %p1, %r5, %r0; @%p1 bra L;",
     1, 1},
    {"a loop that tests first, and may have no trip",
     "mov.u32 %r5, %r2;\nL: setp.ge.s32 %p1, %r5, 60; @%p1 bra END;\n" LOAD(
         "%r5") "add.s32 %r5, %r5, 3; bra L;\nEND:",
     1, 1},
    {"down to zero, compared with it",
     "mov.u32 %r5, %r1;\nL:" LOAD(
         "%r5") "add.s32 %r5, %r5, -1; setp.ne.s32 %p1, %r5, 0; @%p1 bra L;",
     1, 1},
    {"a pointer that is bumped, and a counter",
     "mul.wide.s32 %d2, %r2, 8; add.s64 %d2, %d0, %d2; mov.u32 %r5, 0;\nL: ld.global.u32 %r6, "
     "[%d2];\n"
     "add.s64 %d2, %d2, 12; add.s32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r1; @%p1 bra L;",
     1, 1},
    {"a pointer that is bumped, up to another one",
     "mul.wide.s32 %d2, %r2, 4; add.s64 %d2, %d0, %d2; add.s64 %d3, %d2, 160;\n"
     "L: ld.global.u32 %r6, [%d2]; add.s64 %d2, %d2, 16; setp.ne.s64 %p1, %d2, %d3; @%p1 bra L;",
     1, 1},
    {"a pointer bumped by an inner loop goes on in the outer one",
     "mov.u64 %d2, %d0; mov.u32 %r5, 0;\nO: mov.u32 %r6, 0;\n"
     "I: ld.global.u32 %r7, [%d2]; add.s64 %d2, %d2, 4; add.s32 %r6, %r6, 1;\n"
     "setp.lt.s32 %p1, %r6, 5; @%p1 bra I;\n"
     "add.s64 %d2, %d2, 32; add.s32 %r5, %r5, 1; setp.lt.s32 %p2, %r5, %r1; @%p2 bra O;",
     1, 1},
    {"an inner loop whose bound is the outer counter",
     "mov.u32 %r5, 0;\nO: mov.u32 %r6, 0;\nI: mad.lo.s32 %r7, %r5, 16, %r6;\n" LOAD(
         "%r7") "add.s32 %r6, %r6, 1; setp.le.s32 %p1, %r6, %r5; @%p1 bra I;\n"
                "add.s32 %r5, %r5, 1; setp.lt.s32 %p2, %r5, %r1; @%p2 bra O;",
     1, 1},
    {"steps of the whole grid",
     "mov.u32 %r5, %nctaid.x; mul.lo.s32 %r5, %r5, %r3; cvt.u64.u32 %d5, %r5; cvt.u64.u32 %d4, "
     "%r2;\n"
     "L: and.b64 %d6, %d4, 4294967295; shl.b64 %d6, %d6, 2; add.s64 %d6, %d0, %d6;\n"
     "ld.global.u32 %r6, [%d6]; add.s64 %d4, %d4, %d5; cvt.u32.u64 %r7, %d4;\n"
     "setp.lt.u32 %p1, %r7, 400; @%p1 bra L;",
     1, 1},
    {"two exits, the second by another bound",
     "mov.u32 %r5, %r4;\nL: setp.ge.s32 %p1, %r5, 50; @%p1 bra END;\n"
     "setp.eq.s32 %p2, %r5, %r0; @%p2 bra END;\n" LOAD("%r5") "add.s32 %r5, %r5, 4; bra L;\nEND:",
     0, 1}, /* a multiple of 4 or not: when that exit is taken is no sum */
    {"two exits, the second never taken by some threads",
     "mov.u32 %r5, 3;\nL: setp.ge.s32 %p1, %r5, 9; @%p1 bra END;\n"
     "mad.lo.s32 %r6, %r4, 16, %r5;\n" LOAD(
         "%r6") "setp.eq.s32 %p2, %r5, %r4; @%p2 bra END;\nadd.s32 %r5, %r5, 1; bra L;\nEND:"
                "mad.lo.s32 %r6, %r4, 16, %r5;\n" LOAD("%r6"),
     2, 2},
    {"two exits, the first never taken, as a parameter says",
     "mov.u32 %r5, 0;\nL: setp.eq.s32 %p1, %r0, 5; @%p1 bra END;\n"
     "mad.lo.s32 %r6, %r4, 16, %r5;\n" LOAD(
         "%r6") "add.s32 %r5, %r5, 1; setp.lt.s32 %p2, %r5, 4; @%p2 bra L;\nEND:",
     1, 1},
    {"two exits, neither of which is taken: nobody comes to it",
     "setp.eq.s32 %p3, %r0, 100; @%p3 bra END;\nmov.u32 %r5, 0;\n"
     "L: setp.eq.s32 %p1, %r0, 5; @%p1 bra END;\n" LOAD(
         "%r4") "add.s32 %r5, %r5, 1; setp.ne.s32 %p2, %r0, 6; @%p2 bra L;\nEND:",
     0, 0},
    {"an exit that not every trip passes",
     "mov.u32 %r5, 0;\nL: mad.lo.s32 %r6, %r4, 16, %r5;\n" LOAD(
         "%r6") "setp.lt.s32 %p1, %r5, 4; @%p1 bra ON;\nsetp.gt.s32 %p2, %r4, 20; @%p2 bra END;\n"
                "ON: add.s32 %r5, %r5, 1; setp.lt.s32 %p3, %r5, 12; @%p3 bra L;\nEND:",
     0, 1},
    {"a counter that is cut to 32 bits in each trip, and wraps",
     "mov.u32 %r5, 0; mov.u64 %d2, 4294967290;\nL: and.b64 %d3, %d2, 4294967295;\n"
     "add.s64 %d2, %d3, 1;\nshr.u64 %d4, %d2, 28; and.b64 %d4, %d4, 63;\n"
     "shl.b64 %d4, %d4, 2; add.s64 %d4, %d0, %d4; ld.global.u32 %r6, [%d4];\n"
     "add.s32 %r5, %r5, 1; setp.lt.s32 %p1, %r5, 12; @%p1 bra L;",
     0, 1},
    {"a value that the trip before has left",
     "mov.u32 %r5, 0; mov.u32 %r6, 40;\nL:" LOAD(
         "%r6") "mad.lo.s32 %r6, %r5, 3, 1;\n"
                "add.s32 %r5, %r5, 1; setp.lt.s32 %p1, %r5, %r1; @%p1 bra L;",
     1, 1},
    {"quotient and remainder of the thread",
     "div.u32 %r5, %r2, 24; rem.u32 %r6, %r2, 24;\n"
     "mad.lo.s32 %r5, %r6, 50, %r5;\n" LOAD("%r5"),
     1, 1},
    {"clamped at both ends",
     "add.s32 %r5, %r2, -9; max.s32 %r5, %r5, 0; min.s32 %r5, %r5, 55;\n" LOAD("%r5"), 1, 1},
    {"on one side of a branch or the other",
     "and.b32 %r5, %r2, 1; setp.eq.s32 %p1, %r5, 0; @%p1 bra EVEN;\nadd.s32 %r6, %r2, 200; bra "
     "BOTH;\n"
     "EVEN: mul.lo.s32 %r6, %r2, 2;\nBOTH:" LOAD("%r6"),
     1, 1},
    {"or",
     "setp.lt.s32 %p1, %r4, 3; @%p1 bra DO; setp.gt.s32 %p2, %r4, 20; @%p2 bra DO; bra END;\n"
     "DO:" LOAD("%r2") "END:" LOAD("%r4"),
     2, 2},
    {"lanes that have returned", "setp.gt.s32 %p1, %r2, 40; @%p1 ret;\n" LOAD("%r2"), 1, 1},
    {"where what is loaded says",
     LOAD("%r2") "setp.gt.s32 %p1, %r20, 0; @%p1 bra END;\n" LOAD("%r4") "END:" LOAD("%r1"), 2, 3},
    {"through what is loaded", LOAD("%r2") "and.b32 %r20, %r20, 63;\n" LOAD("%r20"), 1, 2},
    {"as often as what is loaded says",
     LOAD("%r4") "and.b32 %r6, %r20, 3; mov.u32 %r5, 0;\nL:" LOAD(
         "%r5") "add.s32 %r5, %r5, 1; setp.le.s32 %p1, %r5, %r6; @%p1 bra L;\n" LOAD("%r4"),
     2, 3},
    {"doubled in each trip",
     "mov.u32 %r5, 1;\nL:" LOAD("%r5") "shl.b32 %r5, %r5, 1;\n"
                                       "setp.lt.s32 %p1, %r5, %r0; @%p1 bra L;",
     0, 1},
    {"by floating-point arithmetic",
     "cvt.rn.f32.u32 %f1, %r4; mul.f32 %f1, %f1, 0f3F000000;\n"
     "cvt.rzi.s32.f32 %r5, %f1;\n" LOAD("%r5"),
     0, 1},
    {"by a neighbour's register", "shfl.sync.bfly.b32 %r5, %r2, 1, 31, -1;\n" LOAD("%r5"), 0, 1},
    {"a function that is called twice, once with what is not known", NULL, 0, 2},
};

/* The call of a function is a copy of it: one of its loads is known, but not in all copies. */
static const char called[] =
    PTX_HEAD ".func (.reg .b32 %o) get(.reg .b64 %a, .reg .b32 %i)\n{\n.reg .b64 %d<2>;\n"
             "mul.wide.s32 %d1, %i, 4; add.s64 %d1, %a, %d1; ld.global.u32 %o, [%d1]; ret;\n}\n"
             ".entry k(.param .u64 a)\n{\n.reg .b32 %r<9>; .reg .b64 %d<9>;\n"
             "ld.param.u64 %d0, [a]; mov.u32 %r1, %tid.x;\ncall (%r2), get, (%d0, %r1);\n"
             "and.b32 %r2, %r2, 63;\ncall (%r3), get, (%d0, %r2);\nret;\n}\n";

static void loads_are_known(void **state)
{
    const uint32_t grid[3] = {3, 1, 1}, block[3] = {40, 1, 1}, numbers[] = {100, 7};
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char text[8192];
        if (kernels[i].body)
            make_text(text, kernels[i].body);
        const struct compared c =
            compare_reads(kernels[i].body ? text : called, grid, block, numbers);
        if (c.known != kernels[i].known || c.loads != kernels[i].loads || *c.wrong)
            print_message("%s: %u of %u known, expected %u of %u; %s\n", kernels[i].what, c.known,
                          c.loads, kernels[i].known, kernels[i].loads, c.wrong);
        wrong += c.known != kernels[i].known || c.loads != kernels[i].loads || *c.wrong;
        assert_true(kernels[i].known == 0 || c.bytes > 0);
    }
    assert_int_equal(wrong, 0);
}

/* "and" and "or" by turns, forty of each: one that is worked out again for each part of each part takes
 * 2^80 steps, and the analysis refuses kernels of more than some millions. */
static void conditions_of_alternating_parts(void **state)
{
    const uint32_t grid[3] = {3, 1, 1}, block[3] = {40, 1, 1}, numbers[] = {100, 7};
    char text[8192], body[7000];
    FILE *f = fmemopen(body, sizeof body, "w");
    (void)state;
    assert_non_null(f);
    fputs("setp.lt.s32 %p1, %r2, %r0;\n", f);
    for (int i = 0; i < 40; i++)
        fprintf(f,
                "setp.ge.s32 %%p2, %%r2, %d; and.pred %%p1, %%p2, %%p1;\n"
                "setp.eq.s32 %%p2, %%r2, %d; or.pred %%p1, %%p2, %%p1;\n",
                i, i / 2);
    fputs("@!%p1 bra END;\n" LOAD("%r2") "END:", f);
    fclose(f);
    make_text(text, body);
    const struct compared c = compare_reads(text, grid, block, numbers);
    assert_string_equal(c.wrong, "");
    assert_int_equal(c.known, 1);
    assert_true(c.bytes > 0);
}

static void sizes_of_grids(void **state)
{
    static const uint32_t grids[][3] = {{1, 1, 1}, {5, 1, 1}, {2, 3, 1}, {1, 4, 1}, {2, 2, 3}};
    static const uint32_t blocks[][3] = {{1, 1, 1}, {33, 1, 1}, {4, 5, 1}, {1, 1, 6}, {3, 2, 2}};
    static const char body[] =
        "mov.u32 %r5, %ctaid.y; mov.u32 %r6, %ctaid.z; mov.u32 %r7, %tid.y; mov.u32 %r8, %tid.z;\n"
        "mad.lo.s32 %r9, %r5, 17, %r7; mad.lo.s32 %r9, %r9, 64, %r2; mad.lo.s32 %r9, %r6, 700, "
        "%r9;\n"
        "mad.lo.s32 %r9, %r8, 90, %r9;\n" LOAD("%r9");
    const uint32_t numbers[] = {1, 1};
    char text[8192];
    (void)state;
    make_text(text, body);
    for (int g = 0; g < 5; g++)
        for (int b = 0; b < 5; b++) {
            const struct compared c = compare_reads(text, grids[g], blocks[b], numbers);
            assert_string_equal(c.wrong, "");
            assert_int_equal(c.known, 1);
        }
}

/* Analyses a kernel that is launched as two blocks of 64 threads. What it returns goes before `p` is closed. */
static struct locality *find(struct program *p, struct locality_launch *launch, const char *body)
{
    static const uint8_t params[64];
    char text[8192];
    struct ptx_error error;
    make_text(text, body);
    *p = program_open(text, 0);
    *launch = (struct locality_launch){.kernel = &p->module->kernels[0],
                                       .params = params,
                                       .grid = {2, 1, 1},
                                       .block = {64, 1, 1},
                                       .work_dim = 1};
    struct locality *found = locality_find(launch, &error);
    assert_non_null(found);
    return found;
}

/* The doubt of a kernel's last load, in words. */
static void doubt_of(const char *body, char words[128])
{
    char *stream;
    size_t size;
    struct program p;
    struct locality_launch launch;
    struct locality *found = find(&p, &launch, body);
    FILE *f = open_memstream(&stream, &size);
    const struct locality_load *last = &found->loads[found->num_loads - 1];
    if (last->doubt)
        text_doubt(f, last->doubt);
    else
        text_value(f, last->address);
    fclose(f);
    snprintf(words, 128, "%s", stream);
    free(stream);
    locality_free(found);
    program_close(&p);
}

static void doubts_have_a_line(void **state)
{
    char words[128];
    (void)state;
    doubt_of(LOAD("%r2") "\nadd.s32 %r20, %r20, 1;\n" LOAD("%r20"), words);
    assert_string_equal(words, "what is loaded in line 10");
    doubt_of("\n\nmul.f32 %f1, %f2, %f3;\ncvt.rzi.s32.f32 %r5, %f1;\n" LOAD("%r5"), words);
    assert_string_equal(words, "floating-point arithmetic in line 12");
    doubt_of("mov.u32 %r5, 1;\n\nL: shl.b32 %r5, %r5, 1;\n" LOAD(
                 "%r5") "setp.lt.s32 %p1, %r5, %r0; @%p1 bra L;",
             words);
    assert_string_equal(words, "a register that a loop changes by no constant step in line 12");
    doubt_of(LOAD("%r2") "\n{ .reg .u64 %to; P: .callprototype _ ();\ncall %to, P; }", words);
    assert_string_equal(words, "a call of a function that is not inlined in line 13");
    doubt_of(LOAD("%r2"), words);
    assert_string_equal(words, "4 * x + 256 * block.x");
}

/* Eight bytes from four below the end of the address space on: nothing runs like this, but text can say so. */
static void addresses_go_on_at_zero(void **state)
{
    static const struct {
        uint32_t unit;
        uint64_t first, behind;                   /* what is read below the end */
    } cases[] = {{1, UINT64_MAX - 3, UINT64_MAX}, /* but for the last byte */
                 {4, UINT64_MAX / 4, UINT64_MAX / 4 + 1},
                 {128, UINT64_MAX / 128, UINT64_MAX / 128 + 1}};
    struct program p;
    struct locality_launch launch;
    struct ptx_error error;
    (void)state;
    struct locality *found = find(&p, &launch, "mov.u64 %d2, -4; ld.global.u64 %d3, [%d2];");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct footprint f;
        struct sharing graph;
        assert_int_equal(footprint_find(&f, found, &launch, cases[i].unit, &error), 0);
        const struct spans *set = &f.parts[0].sets[0];
        assert_int_equal(set->count, 2);
        assert_int_equal(set->span[0].first, 0);
        assert_int_equal(set->span[0].behind, cases[i].unit == 1 ? 4 : 1);
        assert_int_equal(set->span[1].first, cases[i].first);
        assert_int_equal(set->span[1].behind, cases[i].behind);
        assert_int_equal(sharing_find(&graph, &f, &error), 0);
        assert_int_equal(graph.counts.pairs, 2);
        sharing_free(&graph);
        footprint_free(&f);
    }
    locality_free(found);
    program_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_are_known), cmocka_unit_test(conditions_of_alternating_parts),
        cmocka_unit_test(sizes_of_grids), cmocka_unit_test(doubts_have_a_line),
        cmocka_unit_test(addresses_go_on_at_zero)};
    return cmocka_run_group_tests_name("locality of kernels", tests, NULL, NULL);
}
