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
    {"ld.param.u64 %d0, [a]", {0, 0, 0}},
    {"ld.global.u32 %r1, [%d0]", {1, 0, 0}},
    {"mov.u32 %r2, 0", {0, 1, 0}},
    {"atom.global.add.u32 %r3, [%d0], 1", {2, 2, 0}},
    {"st.global.u32 [%d0], %r3", {0, 0, 0}},
    {"@%p1 bra INNER", {0, 0, 2}},
    {"red.global.add.u32 [%d0], 2", {3, 3, 0}},
    {"@%p2 bra SECOND", {0, 0, 3}},
    {"@%p3 bra OUTER", {0, 0, 1}},
    {"ld.const.u32 %r5, [table]", {0, 0, 0}},
    {"ld.global.u32 %r6, [%d0+4]", {4, 4, 0}},
    {"@%p4 bra ALONE", {0, 0, 4}},
    {"ld.shared.u32 %r7, [buf]", {0, 0, 0}},
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
        struct landmark is = {0, 0, 0}; /* what is not listed */
        for (size_t e = 0; e < sizeof expected / sizeof *expected; e++)
            if (i == find_text(k, expected[e].text, 0))
                is = expected[e].is;
        if (memcmp(&marks[i], &is, sizeof is))
            fail_msg("'%s': load %u, loop_begin %u, loop_end %u", k->text[i], marks[i].load,
                     marks[i].loop_begin, marks[i].loop_end);
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
        struct landmark at[4];
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
        struct ptx_loop loops[2];
        memcpy(loops, cases[i].loops, sizeof loops);
        const struct ptx_kernel k = {.uops = uops, .num_uops = 4, .loops = loops, .num_loops = 2};
        struct landmark *marks = landmarks_of(&k);
        assert_memory_equal(marks, cases[i].at, sizeof cases[i].at);
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
