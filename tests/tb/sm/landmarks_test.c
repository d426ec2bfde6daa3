/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/landmarks_test.c: the numbers of loads and the ends of loops, on a kernel with its
 * numbers written out, and on loops that share an instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/sm/landmarks.h"
#include "tests/tb/ptx/ptx_support.h"

/* What the program below has, by the text of the instruction. */
static const struct {
    const char *text;
    struct landmark is;
} expected[] = {
    {"ld.param.u64 %d0, [a]", {0}},
    {"ld.global.u32 %r1, [%d0]", {.load = 1, .loop_begin = 0, .loop_end = 0}},
    {"mov.u32 %r2, 0", {.load = 0, .loop_begin = 1, .loop_end = 0}},
    {"atom.global.add.u32 %r3, [%d0], 1", {.load = 2, .loop_begin = 2, .loop_end = 0}},
    {"st.global.u32 [%d0], %r3", {0}},
    {"@%p1 bra INNER", {.load = 0, .loop_begin = 0, .loop_end = 2}},
    {"red.global.add.u32 [%d0], 2", {.load = 3, .loop_begin = 3, .loop_end = 0}},
    {"@%p2 bra SECOND", {.load = 0, .loop_begin = 0, .loop_end = 3}},
    {"@%p3 bra OUTER", {.load = 0, .loop_begin = 0, .loop_end = 1}},
    {"ld.const.u32 %r5, [table]", {0}},
    {"ld.global.u32 %r6, [%d0+4]", {.load = 4, .loop_begin = 4, .loop_end = 0}},
    {"@%p4 bra ALONE", {.load = 0, .loop_begin = 0, .loop_end = 4}},
    {"ld.shared.u32 %r7, [buf]", {0}},
};

static const char text[] =
    ".version 6.0\n.target sm_70\n.address_size 64\n.const .align 4 .b8 table[16];\n"
    ".entry k(.param .u64 a)\n{\n.shared .align 4 .b8 buf[16];\n"
    ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %d<3>;\n"
    "ld.param.u64 %d0, [a];\n"
    "ld.global.u32 %r1, [%d0];\n"
    "OUTER: mov.u32 %r2, 0;\n"
    "INNER: atom.global.add.u32 %r3, [%d0], 1;\n"
    "st.global.u32 [%d0], %r3;\n"
    "setp.lt.u32 %p1, %r3, 5;\n"
    "@%p1 bra INNER;\n"
    "SECOND: red.global.add.u32 [%d0], 2;\n"
    "setp.lt.u32 %p2, %r3, 7;\n"
    "@%p2 bra SECOND;\n"
    "setp.lt.u32 %p3, %r3, 9;\n"
    "@%p3 bra OUTER;\n"
    "ld.const.u32 %r5, [table];\n"
    "ALONE: ld.global.u32 %r6, [%d0+4];\n"
    "setp.lt.u32 %p4, %r6, 9;\n"
    "@%p4 bra ALONE;\n"
    "ld.shared.u32 %r7, [buf];\n"
    "ret;\n}\n";

/* From which instruction to which its loops go; who is inside comes behind. */
static const struct {
    const char *first, *last;
} loops[] = {
    {"mov.u32 %r2, 0", "@%p3 bra OUTER"},
    {"atom.global.add.u32 %r3, [%d0], 1", "@%p1 bra INNER"},
    {"red.global.add.u32 [%d0], 2", "@%p2 bra SECOND"},
    {"ld.global.u32 %r6, [%d0+4]", "@%p4 bra ALONE"},
};

static uint32_t around(const struct ptx_kernel *k, uint32_t i)
{
    uint32_t loop = 0;
    for (uint32_t l = 0; l < sizeof loops / sizeof *loops; l++)
        if (find_text(k, loops[l].first, 0) <= i && i <= find_text(k, loops[l].last, 0))
            loop = l + 1;
    return loop;
}

static uint32_t behind(const struct ptx_kernel *k, uint32_t i)
{
    for (uint32_t l = 0; l < sizeof loops / sizeof *loops; l++)
        if (find_text(k, loops[l].first, 0) >= i)
            return l + 1;
    return 0;
}

static void of_a_program(void **unused)
{
    (void)unused;
    struct ptx_error error;
    struct ptx_module *m = ptx_parse("text", text, strlen(text), &error);
    if (!m)
        fail_msg("%s", error.message);
    const struct ptx_kernel *k = ptx_kernel(m, "k");
    struct landmark *marks = landmarks_of(k);
    assert_non_null(marks);
    for (uint32_t i = 0; i < k->num_uops; i++) {
        struct landmark is = {0}; /* what is not listed */
        for (size_t e = 0; e < sizeof expected / sizeof *expected; e++)
            if (i == find_text(k, expected[e].text, 0))
                is = expected[e].is;
        is.loop = around(k, i);
        is.next_loop = behind(k, i);
        is.loop_last = is.loop_begin == 1 ? 3 : is.loop_begin;
        if (memcmp(&marks[i], &is, sizeof is))
            fail_msg(
                "'%s': load %u, loop_begin %u, loop_end %u, loop_last %u, loop %u, next_loop %u",
                k->text[i], marks[i].load, marks[i].loop_begin, marks[i].loop_end,
                marks[i].loop_last, marks[i].loop, marks[i].next_loop);
    }
    free(marks);
    ptx_free(m);
}

/* The inner loop's, in whichever order the loops come. */
static void of_loops_that_share(void **unused)
{
    (void)unused;
    static const struct {
        struct ptx_loop loops[2];
        struct {
            uint32_t load, loop_begin, loop_end;
        } at[4];
    } cases[] = {
        {{{0, 3, 1, 0}, {0, 2, 2, 0}}, {{0, 2, 0}, {0, 0, 0}, {0, 0, 2}, {0, 0, 1}}},
        {{{0, 2, 2, 0}, {0, 3, 1, 0}}, {{0, 1, 0}, {0, 0, 0}, {0, 0, 1}, {0, 0, 2}}},
        {{{0, 3, 1, 0}, {1, 3, 2, 0}}, {{0, 1, 0}, {0, 2, 0}, {0, 0, 0}, {0, 0, 2}}},
        {{{1, 3, 2, 0}, {0, 3, 1, 0}}, {{0, 2, 0}, {0, 1, 0}, {0, 0, 0}, {0, 0, 1}}},
        {{{2, 2, 2, 0}, {0, 3, 1, 0}}, {{0, 2, 0}, {0, 0, 0}, {0, 1, 1}, {0, 0, 2}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct uop uops[4] = {
            {.klass = CLASS_SP}, {.klass = CLASS_SP}, {.klass = CLASS_SP}, {.klass = CLASS_SP}};
        struct ptx_loop both[2];
        uint32_t loop_of[4] = {0};
        memcpy(both, cases[i].loops, sizeof both);
        const struct ptx_kernel k = {
            .uops = uops, .num_uops = 4, .loops = both, .num_loops = 2, .loop_of = loop_of};
        struct landmark *marks = landmarks_of(&k);
        for (unsigned u = 0; u < 4; u++) {
            assert_int_equal(marks[u].load, cases[i].at[u].load);
            assert_int_equal(marks[u].loop_begin, cases[i].at[u].loop_begin);
            assert_int_equal(marks[u].loop_end, cases[i].at[u].loop_end);
        }
        free(marks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_program),
        cmocka_unit_test(of_loops_that_share),
    };
    return cmocka_run_group_tests_name("tb/sm/landmarks", tests, NULL, NULL);
}
