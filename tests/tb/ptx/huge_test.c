/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/huge_test.c: texts of many small parts, chosen so that a way of handling them that
 * looks at every part for every part would take minutes or gigabytes. They are read, or refused
 * (as a whole, or from some kernel on), in no time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

#define PARTS        30000
#define MOST_SECONDS 5.0 /* of processor time; one in a usual build, where it is alone */

/* head, then PARTS times each of the two parts with its number for %u, then tail. */
struct huge {
    const char *head, *part[2], *tail;
    const char *message; /* NULL: accepted */
};

#define KERNEL HEADER ".entry k(){.reg .pred %p<2>; .reg .b32 %r<60000>;\n"
#define RET_8  "ret;ret;ret;ret;ret;ret;ret;ret;"
#define RET_64 RET_8 RET_8 RET_8 RET_8 RET_8 RET_8 RET_8 RET_8

#define CALL_8  "call f;call f;call f;call f;call f;call f;call f;call f;"
#define CALL_64 CALL_8 CALL_8 CALL_8 CALL_8 CALL_8 CALL_8 CALL_8 CALL_8

#define TOO_LARGE ": the text takes more than 536870912 bytes of memory"
#define TOO_COMPLEX                                                                                \
    ": this kernel and those above are too complex; expected at most 67108864 steps of analysis"

static const struct huge texts[] = {
    {HEADER, {".entry k%u(){}\n", ""}, "", NULL},
    {HEADER, {".entry k%u(){" RET_64 "}\n", ""}, "", TOO_LARGE},
    {HEADER ".func f(){}\n", {".entry k%u(){" CALL_64 "}\n", ""}, "", TOO_LARGE},
    {HEADER ".global .u32 g;\n", {".global .u64 v%u=g;\n", ""}, "", NULL},
    {KERNEL, {"mov.u32 %%r1,%u;\n", ""}, "ret;}", NULL},
    {HEADER, {".shared .b8 s%u[4];\n", ".entry k%u(){}\n"}, "", TOO_COMPLEX},
    /* branches over each other, or all to one label: long ways up the dominator tree */
    {KERNEL, {"@%%p1 bra L%u;\n", "L%u: @%%p1 ret;\n"}, "ret;}", TOO_COMPLEX},
    {KERNEL, {"@%%p1 bra E; // %u\n", ""}, "E: ret;}", TOO_COMPLEX},
    /* one loop with many ends; many loops inside each other */
    {KERNEL "H:", {"add.s32 %%r1,%%r1,%u; @%%p1 bra H;\n", ""}, "ret;}", TOO_COMPLEX},
    {KERNEL, {"L%u: add.s32 %%r1,%%r1,1;\n", "@%%p1 bra L%u;\n"}, "ret;}", TOO_COMPLEX},
    /* many registers that live long */
    {KERNEL, {"mov.u32 %%r%u,1;\n", "st.global.u32 [0],%%r%u;\n"}, "ret;}", TOO_COMPLEX},
};

static char *write_out(const struct huge *h, size_t *length)
{
    char *text;
    FILE *f = open_memstream(&text, length);
    assert_non_null(f);
    fputs(h->head, f);
    for (int i = 0; i < 2; i++)
        for (unsigned n = 0; *h->part[i] && n < PARTS; n++)
            fprintf(f, h->part[i], n);
    fputs(h->tail, f);
    fclose(f);
    return text;
}

static void check_message(const char *said, const char *expected)
{
    if (!expected || !strstr(said, expected))
        fail_msg("expected '%s': %s", expected ? expected : "nothing", said);
}

static const char *first_refusal(const struct ptx_module *m)
{
    for (uint32_t i = 0; i < m->num_kernels; i++)
        if (m->kernels[i].refused)
            return m->kernels[i].refused;
    return NULL;
}

static void take_no_time(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t length;
        char *text = write_out(&texts[i], &length);
        struct ptx_error error;
        uint64_t next = 4096;
        clock_t start = clock();
        struct ptx_module *m = ptx_parse("x", text, length, &error);
        const char *said = m ? first_refusal(m) : error.message;
        if (said || texts[i].message)
            check_message(said ? said : "accepted", texts[i].message);
        if (m)
            assert_int_equal(ptx_place(m, place_upwards, &next), 0);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (seconds > MOST_SECONDS)
            fail_msg("text %zu, %zu bytes, takes %.1f s", i, length, seconds);
        print_message("text %zu, %zu bytes: %.2f s\n", i, length, seconds);
        ptx_free(m);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(take_no_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
