/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/huge_test.c: texts of many small parts, chosen so that a way of handling them that
 * looks at every part for every part would take minutes or gigabytes. They are read, or refused
 * (as a whole, or from some kernel on), in time that grows as they do: each is read at an eighth
 * of its size too, and the two times are compared, so that the test is the same on any machine. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

#define PARTS   30000
#define SMALLER 8   /* how many times */
#define GROWTH  24  /* of the time, at most, where the parts grow SMALLER times; a square: 64 */
#define UNSEEN  0.2 /* seconds that may be pages and caches; PARTS squared is 9e8 steps */
#define TRIES   3   /* of the smaller text; the shortest time counts */

/* head, then each of the two parts, many times, with its number for %u, then tail. */
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

static char *write_out(const struct huge *h, unsigned parts, size_t *length)
{
    char *text;
    FILE *f = open_memstream(&text, length);
    assert_non_null(f);
    fputs(h->head, f);
    for (int i = 0; i < 2; i++)
        for (unsigned n = 0; *h->part[i] && n < parts; n++)
            fprintf(f, h->part[i], n);
    fputs(h->tail, f);
    fclose(f);
    return text;
}

static const char *first_refusal(const struct ptx_module *m)
{
    for (uint32_t i = 0; i < m->num_kernels; i++)
        if (m->kernels[i].refused)
            return m->kernels[i].refused;
    return NULL;
}

/* Seconds of processor time to read h with so many parts, and to free it. message: what must be said of PARTS; NULL: nothing is, of any number. */
static double seconds_of(const struct huge *h, unsigned parts, const char *message)
{
    size_t length;
    char *text = write_out(h, parts, &length);
    struct ptx_error error;
    uint64_t next = 4096;
    clock_t start = clock();
    struct ptx_module *m = ptx_parse("x", text, length, &error);
    const char *said = m ? first_refusal(m) : error.message;
    if (said && !message)
        fail_msg("%u parts: %s", parts, said);
    if (parts == PARTS && message && !(said && strstr(said, message)))
        fail_msg("expected '%s': %s", message, said ? said : "accepted");
    if (m)
        assert_int_equal(ptx_place(m, place_upwards, &next), 0);
    ptx_free(m);
    free(text);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void take_time_as_they_grow(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double small = INFINITY;
        for (int n = 0; n < TRIES; n++)
            small = fmin(small, seconds_of(&texts[i], PARTS / SMALLER, texts[i].message));
        double large = seconds_of(&texts[i], PARTS, texts[i].message);
        print_message("text %zu: %.3f s, %u times as many parts %.3f s\n", i, small, SMALLER,
                      large);
        if (large > GROWTH * small + UNSEEN)
            fail_msg("text %zu takes %.1f times as long", i, large / small);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(take_time_as_they_grow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
