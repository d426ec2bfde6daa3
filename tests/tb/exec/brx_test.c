/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/brx_test.c: tests indirect branches: divergent ones against C functions run one
 * thread at a time, in a loop, in functions that are inlined or called, and with few registers; where
 * lanes meet again; and indices without a target. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

enum { THREADS = 256 };

/* One step of a little machine: what to do with x is in its low bits. A target is named twice, the
 * list before it is used and its labels before they are declared. */
#define STEP                                                                                       \
    "TABLE: .branchtargets ADD, HALVE, FLIP, ADD, SQUARE;\n"                                       \
    " rem.u32 %i, %x, 5;\n and.b32 %q, %x, 64;\n setp.ne.u32 %p, %q, 0;\n"                         \
    " @%p brx.idx %i, TABLE;\n add.u32 %x, %x, 64;\n bra DONE;\n"                                  \
    "ADD:\n mad.lo.u32 %x, %x, 3, 7;\n bra DONE;\n"                                                \
    "HALVE:\n shr.u32 %x, %x, 1;\n"                                                                \
    "FLIP:\n xor.b32 %x, %x, 0x2a5;\n bra DONE;\n"                                                 \
    "SQUARE:\n mul.lo.u32 %x, %x, %x;\n"                                                           \
    "DONE:\n"

static uint32_t step(uint32_t x)
{
    if (!(x & 64))
        return x + 64;
    switch (x % 5) {
    case 0:
    case 3: return 3 * x + 7;
    case 1: return x / 2 ^ 0x2a5;
    case 2: return x ^ 0x2a5;
    default: return x * x;
    }
}

static uint32_t steps(uint32_t x, int count)
{
    while (count--)
        x = step(x);
    return x;
}

static uint32_t twelve_steps(uint32_t x)
{
    return steps(x, 12);
}

static uint32_t two_steps(uint32_t x)
{
    return steps(x, 2) ^ 1;
}

static uint32_t some_steps(uint32_t x)
{
    return steps(x, (int)(x % 4) + 1);
}

/* From a table of jumps back: a loop with several ways round, and one out. */
static uint32_t rounds(uint32_t x)
{
    for (uint32_t n = 0;; n++)
        switch (n > 9 ? 3 : (x + n) % 4) {
        case 0: x += 5; break;
        case 1: x ^= n << 3; break;
        case 2: x = x * 7 + 1; break;
        default: return x + n;
        }
}

#define BEFORE                                                                                     \
    ".entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %x, %y, %i, %q, %n; .reg .b64 %d<4>;" \
    " .reg .pred %p;\nmov.u32 %i, %tid.x; mul.wide.u32 %d1, %i, 4; ld.param.u64 %d2, [in];\n"      \
    "add.u64 %d2, %d2, %d1; ld.param.u64 %d3, [out]; add.u64 %d3, %d3, %d1;\n"                     \
    "ld.global.u32 %x, [%d2];\n"
#define AFTER "st.global.u32 [%d3], %x; ret;\n}\n"
#define FUNCTION(statements)                                                                       \
    ".func (.reg .b32 %x) step(.reg .b32 %a)\n{\n.reg .b32 %i, %q; .reg .pred %p;\n"               \
    "mov.u32 %x, %a;\n" statements "ret;\n}\n"

static const struct sample {
    const char *name, *text;
    uint32_t (*plain)(uint32_t);
} samples[] = {
    {"in a loop",
     PTX_HEAD BEFORE "mov.u32 %n, 12;\nAGAIN:\n" STEP
                     "sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0; @%p bra AGAIN;\n" AFTER,
     twelve_steps},
    {"in a function that is inlined twice",
     PTX_HEAD FUNCTION(STEP) BEFORE "call (%x), step, (%x); call (%y), step, (%x);\n"
                                    "xor.b32 %x, %y, 1;\n" AFTER,
     two_steps},
    {"in a function that recurses",
     PTX_HEAD
     ".func (.reg .b32 %x) more(.reg .b32 %a, .reg .b32 %n)\n{\n"
     ".reg .b32 %i, %q; .reg .pred %p;\nmov.u32 %x, %a;\n" STEP
     "sub.u32 %n, %n, 1; setp.ne.s32 %p, %n, 0; @%p call (%x), more, (%x, %n); ret;\n}\n" BEFORE
     "rem.u32 %n, %x, 4; add.u32 %n, %n, 1; call (%x), more, (%x, %n);\n" AFTER,
     some_steps},
    {"that closes a loop",
     PTX_HEAD BEFORE
     "mov.u32 %n, 0; bra GO;\nA: add.u32 %x, %x, 5; bra.uni NEXT;\n"
     "B: shl.b32 %i, %n, 3; xor.b32 %x, %x, %i; bra.uni NEXT;\nC: mad.lo.u32 %x, %x, 7, 1;\n"
     "NEXT: add.u32 %n, %n, 1;\nGO: add.u32 %i, %x, %n; and.b32 %i, %i, 3;\n"
     "setp.gt.u32 %p, %n, 9; selp.b32 %i, 3, %i, %p; brx.idx.uni %i, T;\n"
     "T: .branchtargets A, B, C, OUT;\nOUT: add.u32 %x, %x, %n;\n" AFTER,
     rounds},
};

static void like_c(void **state)
{
    (void)state;
    for (unsigned n = 0; n < sizeof samples / sizeof *samples; n++)
        for (uint32_t registers = 0; registers <= 5; registers += 5) {
            struct program p = program_open(samples[n].text, 0);
            struct exec_fault fault;
            uint64_t params[2] = {gmem_alloc(p.gmem, 4 * THREADS, NULL),
                                  gmem_alloc(p.gmem, 4 * THREADS, NULL)};
            uint32_t *in = gmem_host(p.gmem, params[0], 4 * THREADS);
            const uint32_t *out = gmem_host(p.gmem, params[1], 4 * THREADS);
            for (uint32_t i = 0; i < THREADS; i++)
                in[i] = i < THREADS / 2 ? i : i * 0x9e3779b9;
            const struct run run = {"k", {1, 1, 1}, {THREADS, 1, 1}, params, 0};
            p.registers = registers;
            if (program_run(&p, &run, &fault, NULL) != 0)
                fail_msg("%s: %s", samples[n].name, fault.message);
            for (uint32_t i = 0; i < THREADS; i++)
                if (out[i] != samples[n].plain(in[i]))
                    fail_msg("%s: of %u: %u; expected %u", samples[n].name, in[i], out[i],
                             samples[n].plain(in[i]));
            program_close(&p);
        }
}

/* Each path goes once, with its lanes, and behind it all go on together. The guard leaves lane 31
 * out, which goes first, then lane 0 with its like. */
static void paths_meet(void **state)
{
    static const char body[] =
        "mov.u32 %r1, %laneid;\n setp.lt.u32 %p1, %r1, 31;\n rem.u32 %r2, %r1, 3;\n"
        "T: .branchtargets A, B, C;\n @%p1 brx.idx %r2, T;\n add.u32 %r3, %r3, 1;\n bra M;\n"
        "A: add.u32 %r3, %r3, 2;\n bra M;\nB: add.u32 %r3, %r3, 3;\n bra M;\n"
        "C: add.u32 %r3, %r3, 4;\nM: add.u32 %r4, %r3, 0;\n ret;";
    static const uint32_t order[] = {4, 6, 8, 10},
                          masks[] = {1u << 31, 0x49249249, 0x12492492, 0x24924924};
    struct stepped s;
    enum exec_status status;
    uint32_t seen = 0;
    (void)state;
    step_open(&s, body, 32);
    assert_int_equal(s.kernel->uops[3].op, U_BRX);
    assert_int_equal(s.kernel->uops[3].reconverge, 11);
    do {
        if (seen < 4 && s.warp.pc == order[seen]) {
            assert_int_equal(s.warp.active, masks[seen]);
            seen++;
        }
        if (s.warp.pc == 11) {
            assert_int_equal(s.warp.active, ~0u);
            assert_int_equal(seen, 4);
        }
        status = step_once(&s);
    } while (status == EXEC_NEXT || status == EXEC_BRANCH);
    assert_int_equal(status, EXEC_DONE);
    for (uint32_t lane = 0; lane < 32; lane++)
        assert_int_equal(written(&s, 11)[lane], lane == 31 ? 1 : lane % 3 + 2);
    step_close(&s);
}

static void no_target(void **state)
{
    static const char body[] = "mov.u32 %r1, %laneid;\n setp.lt.u32 %p1, %r1, 5;\n"
                               "T: .branchtargets A, A, A, A;\n @%p1 brx.idx %r1, T;\nA: ret;";
    struct stepped s;
    (void)state;
    step_open(&s, body, 4); /* lanes 0 to 3 have targets */
    for (int i = 0; i < 3; i++)
        assert_true(step_once(&s) <= EXEC_BRANCH);
    assert_int_equal(step_once(&s), EXEC_DONE);
    step_close(&s);
    step_open(&s, body, 32); /* lane 4 has none; those behind it do not branch */
    for (int i = 0; i < 2; i++)
        assert_int_equal(step_once(&s), EXEC_NEXT);
    assert_int_equal(step_once(&s), EXEC_FAULT);
    assert_non_null(strstr(s.fault.message, "index 4 of an indirect branch of 4 targets"));
    assert_non_null(strstr(s.fault.message, "@%p1 brx.idx %r1, T"));
    step_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_c),
        cmocka_unit_test(paths_meet),
        cmocka_unit_test(no_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
