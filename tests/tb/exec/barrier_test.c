/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/barrier_test.c: tests tb/exec/barrier.c: barriers by number and by count,
 * arrivals that do not wait, reductions, and what can go wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/barriers.h"
#include "tests/tb/exec/support.h"

static void kernels_that_need_barriers(void **state)
{
    char text[sizeof PTX_HEAD + sizeof barrier_kernels] = PTX_HEAD;
    (void)state;
    struct program p = program_open(strcat(text, barrier_kernels), exec_builds() - 1);
    uint64_t out = gmem_alloc(p.gmem, 4 * BARRIER_THREADS, NULL);
    uint32_t *words = gmem_host(p.gmem, out, 4 * BARRIER_THREADS);
    for (int k = 0; k < BARRIER_KERNELS; k++) {
        struct exec_fault fault;
        struct run run = {barrier_names[k], {3, 1, 1}, {BARRIER_THREADS, 1, 1}, &out, 0};
        memset(words, 0x55, 4 * BARRIER_THREADS);
        if (program_run(&p, &run, &fault, NULL) != 0)
            fail_msg("%s", fault.message);
        for (uint32_t t = 0; t < BARRIER_THREADS; t++)
            if (words[t] != barrier_expected(k, t))
                fail_msg("%s: thread %u wrote %u, expected %u", barrier_names[k], t, words[t],
                         barrier_expected(k, t));
    }
    program_close(&p);
}

/* Bodies of 96 threads that fail, with the end of their message. */
static const struct {
    const char *body, *message;
} bad[] = {
    {"bar.sync 16;", "): barrier 16; expected 0 to 15"},
    {"bar.sync %r1;", "lane 1 block (0,0,0) thread (1,0,0): barrier 1; lane 0 has 0"},
    {"bar.sync 1, 48;", "): a barrier of 48 threads; expected a multiple of 32"},
    {"bar.sync 1, 0;", "): a barrier of 0 threads; expected a multiple of 32"},
    {"bar.arrive 1, 33;", "): a barrier of 33 threads; expected a multiple of 32"},
    {"bar.sync 1, %r1;", "): a barrier of threads: 1; lane 0 has 0"},
    {"@%p1 bar.sync 1; @!%p1 bar.sync 1, 96;",
     "): barrier 1 is for 96 threads here and for 0 elsewhere (0: all)"},
    {"@%p1 bar.sync 1; @!%p1 bar.sync 2;",
     "): barrier 1 is not met: 1 of 3 warps have come, and no warp runs"},
    {"bar.sync 3, 128;", "): barrier 3 is not met: 3 of 4 warps have come, and no warp runs"},
    {"@%p1 exit; bar.sync 3, 96;",
     "): barrier 3 is not met: 2 of 3 warps have come, and no warp runs"},
};

static void bad_barriers(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1024];
        struct exec_fault fault;
        snprintf(text, sizeof text,
                 PTX_HEAD
                 ".entry k()\n{\n.reg .pred %%p1; .reg .b32 %%r1;\nmov.u32 %%r1, %%tid.x;\n"
                 "setp.lt.u32 %%p1, %%r1, 32;\n%s\nret;\n}\n",
                 bad[i].body);
        struct program p = program_open(text, 0);
        struct run run = {"k", {1, 1, 1}, {96, 1, 1}, "", 0};
        if (program_run(&p, &run, &fault, NULL) == 0)
            fail_msg("'%s' ends well", bad[i].body);
        const size_t length = strlen(fault.message), end = strlen(bad[i].message);
        if (length < end || strcmp(fault.message + length - end, bad[i].message))
            fail_msg("'%s': %s\nexpected %s", bad[i].body, fault.message, bad[i].message);
        program_close(&p);
    }
}

/* A guard that no lane passes: no arrival. */
static void nobody_comes(void **state)
{
    struct stepped s;
    (void)state;
    step_open(&s, "@%p1 bar.sync 0; bar.arrive 2, 32; ret;", 32);
    assert_int_equal(step_once(&s), EXEC_NEXT);
    assert_int_equal(s.block.barriers[0].arrived, 0);
    assert_int_equal(step_once(&s), EXEC_BARRIER); /* which it does not wait for */
    assert_int_equal(s.block.barriers[2].arrived, 1);
    assert_true(exec_barrier_passed(&s.warp));
    exec_barrier_settle(&s.block, 1);
    assert_int_equal(s.block.barriers[2].arrived, 0);
    assert_int_equal(step_once(&s), EXEC_DONE);
    step_close(&s);
}

/* Bodies of 72 threads that end well; how many warps come to a barrier without all their lanes, and who is the first. */
static const struct {
    const char *body;
    unsigned warps;
    const char *first;
} parts[] = {
    {"bar.sync 0;", 0, ""}, /* the last warp has eight lanes from the start */
    {"@%p1 exit; bar.sync 0;", 0, ""},
    {"@%p1 exit; bar.arrive 2, 96; bar.red.popc.u32 %r2, 1, %p1;", 0, ""},
    {"@%p1 bar.sync 0;", 1,
     "kernel 'k' pc 2 (line 8: @%p1 bar.sync 0) lane 0 block (0,0,0) thread (0,0,0): "
     "20 of 32 lanes that have not returned"},
    {"@!%p1 bar.sync 0;", 1,
     "kernel 'k' pc 2 (line 8: @!%p1 bar.sync 0) lane 20 block (0,0,0) thread (20,0,0): "
     "12 of 32 lanes that have not returned"},
    /* two parts of the first warp, and the two others */
    {"@%p1 bar.arrive 1, 128; @!%p1 bar.arrive 1, 128; bar.sync 0;", 2,
     "kernel 'k' pc 2 (line 8: @%p1 bar.arrive 1, 128) lane 0 block (0,0,0) thread (0,0,0): "
     "20 of 32 lanes that have not returned"},
    {"@%p1 bra L; bar.sync 0; exit;\nL: bar.sync 0;", 1, /* the others have returned then */
     "kernel 'k' pc 3 (line 8: bar.sync 0) lane 20 block (0,0,0) thread (20,0,0): "
     "12 of 32 lanes that have not returned"},
    {"setp.eq.u32 %p1, %r1, 64;\n@%p1 bar.red.popc.u32 %r2, 0, %p1;", 1,
     "kernel 'k' pc 3 (line 9: @%p1 bar.red.popc.u32 %r2, 0, %p1) lane 0 block (0,0,0) thread "
     "(64,0,0): 1 of 8 lanes that have not returned"},
};

static void parts_of_warps_are_counted(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        char text[1024];
        struct exec_fault fault;
        struct exec_tolerated tolerated = {0};
        snprintf(text, sizeof text,
                 PTX_HEAD
                 ".entry k()\n{\n.reg .pred %%p1; .reg .b32 %%r<3>; mov.u32 %%r1, %%tid.x;\n"
                 "setp.lt.u32 %%p1, %%r1, 20;\n%s\nret;\n}\n",
                 parts[i].body);
        struct program p = program_open(text, 0);
        struct run run = {"k", {1, 1, 1}, {72, 1, 1}, "", 0};
        p.tolerated = &tolerated;
        if (program_run(&p, &run, &fault, NULL) != 0)
            fail_msg("'%s': %s", parts[i].body, fault.message);
        if (tolerated.counts.partial_barriers != parts[i].warps ||
            strcmp(tolerated.barrier, parts[i].first))
            fail_msg("'%s': %u, %s\nexpected %u, %s", parts[i].body,
                     (unsigned)tolerated.counts.partial_barriers, tolerated.barrier, parts[i].warps,
                     parts[i].first);
        assert_string_equal(tolerated.access, "");
        p.tolerated = NULL; /* nobody asks */
        assert_int_equal(program_run(&p, &run, &fault, NULL), 0);
        program_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_that_need_barriers),
        cmocka_unit_test(bad_barriers),
        cmocka_unit_test(nobody_comes),
        cmocka_unit_test(parts_of_warps_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
