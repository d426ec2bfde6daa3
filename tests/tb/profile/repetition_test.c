/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/profile/repetition_test.c: which loads get the same repetition id (DAWS 5.1), on small kernels whose
 * ids are written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tb/profile/repetition.h"
#include "tests/tb/ptx/ptx_support.h"

#define LOOP(body)  "L: " body " add.u32 %r8, %r8, 1; setp.lt.u32 %p8, %r8, 9;\n@%p8 bra L;\nret;\n"
#define LD(address) "ld.global.u32 %r1, [" address "];\n"
#define WORDS       "ld.param.u64 %d0, [a];\nmov.u32 %r8, 0;\n"

static const struct {
    const char *what, *text;
    int64_t line;
    uint32_t ids[8]; /* of the loads, in order of their numbers; ends before the next 0 */
} cases[] = {
    {"displacements within a line",
     WORDS LOOP(LD("%d0") LD("%d0+4") LD("%d0+124")),
     128,
     {1, 1, 1}},
    {"one line on", WORDS LOOP(LD("%d0") LD("%d0+128") LD("%d0+4")), 128, {1, 2, 1}},
    {"a shorter line", WORDS LOOP(LD("%d0") LD("%d0+4") LD("%d0+64")), 64, {1, 1, 3}},
    {"below the register", WORDS LOOP(LD("%d0+-4") LD("%d0+120") LD("%d0+124")), 128, {1, 1, 3}},
    {"a group grows no wider than a line",
     WORDS LOOP(LD("%d0+64") LD("%d0") LD("%d0+160") LD("%d0+127")),
     128,
     {1, 1, 3, 1}},
    {"the first of two groups", WORDS LOOP(LD("%d0") LD("%d0+200") LD("%d0+100")), 128, {1, 2, 1}},
    {"other registers",
     WORDS "add.u64 %d1, %d0, 8;\n" LOOP(LD("%d0") LD("%d1") LD("%d0+8")),
     128,
     {1, 2, 1}},
    {"written in between", WORDS LOOP(LD("%d0") "add.u64 %d0, %d0, 4;\n" LD("%d0")), 128, {1, 2}},
    {"written in between, perhaps",
     WORDS LOOP(LD("%d0") "@%p1 add.u64 %d0, %d0, 4;\n" LD("%d0")),
     128,
     {1, 2}},
    {"written behind both",
     WORDS LOOP(LD("%d0") LD("%d0+4") "add.u64 %d0, %d0, 4;\n"),
     128,
     {1, 1}},
    {"another one is written",
     WORDS "mov.u64 %d1, %d0;\n" LOOP(LD("%d0") "add.u64 %d1, %d1, 4;\n" LD("%d0+4")),
     128,
     {1, 1}},
    {"a load writes its own register",
     WORDS LOOP("ld.global.u64 %d0, [%d0];\n" LD("%d0+8") LD("%d0+16")),
     128,
     {1, 2, 2}},
    {"written on another path",
     WORDS LOOP(LD("%d0") "@%p1 bra OVER;\nadd.u64 %d0, %d0, 4;\nOVER: " LD("%d0")),
     128,
     {1, 2}},
    {"outside loops", WORDS LD("%d0") LD("%d0+4") "ret;\n", 128, {1, 2}},
    {"before a loop and in it", WORDS LD("%d0") LOOP(LD("%d0") LD("%d0+4")), 128, {1, 2, 2}},
    {"of an inner loop and of the outer one",
     WORDS LOOP(LD("%d0") "mov.u32 %r7, 0;\nI: " LD("%d0+4")
                    LD("%d0+8") "add.u32 %r7, %r7, 1;\n"
                                "setp.lt.u32 %p7, %r7, 3;\n@%p7 bra I;\n" LD("%d0+12")),
     128,
     {1, 2, 2, 1}},
    {"an inner loop writes the register",
     WORDS LOOP(LD("%d0") "mov.u32 %r7, 0;\nI: add.u64 %d0, %d0, 4;\nadd.u32 %r7, %r7, 1;\n"
                          "setp.lt.u32 %p7, %r7, 3;\n@%p7 bra I;\n" LD("%d0+12")),
     128,
     {1, 2}},
    {"an atomic is none",
     WORDS LOOP(LD("%d0") "atom.global.add.u32 %r2, [%d0], 1;\n" LD("%d0+4")),
     128,
     {1, UINT32_MAX, 1}},
    {"a store is none",
     WORDS LOOP(LD("%d0") "st.global.u32 [%d0], %r1;\n" LD("%d0+4")),
     128,
     {1, 1}},
    {"another state space",
     WORDS LOOP(LD("%d0") "ld.u32 %r2, [%d0+4];\n" LD("%d0+4")),
     128,
     {1, 2, 1}},
    {"far apart",
     WORDS LOOP(LD("%d0+-2147483648") LD("%d0+2147483647") LD("%d0+-2147483600")),
     128,
     {1, 2, 1}},
};

static void ids_of_small_kernels(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ptx_module *m = body_parse(cases[i].text);
        const struct ptx_kernel *k = ptx_kernel(m, "k");
        struct landmark *marks = landmarks_of(k);
        uint32_t *ids = repetitions_of(k, marks, cases[i].line), loads = 0;
        assert_non_null(ids);
        for (uint32_t pc = 0; pc < k->num_uops; pc++) {
            if (!marks[pc].load && ids[pc])
                fail_msg("%s: '%s' has an id", cases[i].what, k->text[pc]);
            if (!marks[pc].load)
                continue;
            const uint32_t id = cases[i].ids[loads++];
            if (ids[pc] != (id == UINT32_MAX ? 0 : id))
                fail_msg("%s: load %u, '%s', has id %u, expected %u", cases[i].what, loads,
                         k->text[pc], ids[pc], id);
        }
        assert_int_equal(cases[i].ids[loads], 0);
        free(ids);
        free(marks);
        ptx_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ids_of_small_kernels)};
    return cmocka_run_group_tests_name("tb/profile/repetition", tests, NULL, NULL);
}
