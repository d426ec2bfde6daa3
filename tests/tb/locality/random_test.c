/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/locality/random_test.c: random kernels: what the analysis says that their blocks read is what
 * they read, whatever of it is known. Their registers are computed from ids and parameters; loops and
 * branches on them lie in each other; some loops step a pointer, some have two exits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/locality/support.h"

#define KERNELS   2000
#define REGISTERS 8 /* %r0 to %r7: numbers that addresses are made of */
#define DEPTH     3

struct maker {
    char text[1 << 16];
    size_t length;
    uint64_t random;
    unsigned labels, depth;
    unsigned loop; /* label of the loop that is made, plus 1; 0: none */
};

static uint32_t draw(struct maker *m, uint32_t below)
{
    m->random = m->random * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)((m->random >> 33) % below);
}

__attribute__((format(printf, 2, 3))) static void put(struct maker *m, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    m->length += (size_t)vsnprintf(m->text + m->length, sizeof m->text - m->length, format, values);
    va_end(values);
    assert_true(m->length < sizeof m->text);
}

static void put_number(struct maker *m)
{
    if (draw(m, 3))
        put(m, "%%r%u", draw(m, REGISTERS));
    else
        put(m, "%d", (int)draw(m, 40) - 8);
}

static void put_operation(struct maker *m)
{
    static const char *const twos[] = {"add.s32", "sub.s32", "mul.lo.s32",   "and.b32",
                                       "or.b32",  "xor.b32", "min.s32",      "max.u32",
                                       "min.u32", "max.s32", "mul24.lo.u32", "add.u32"};
    static const char *const shifts[] = {"shl.b32", "shr.u32", "shr.s32", "div.u32",
                                         "rem.u32", "div.s32", "rem.s32"};
    const unsigned to = draw(m, REGISTERS), from = draw(m, REGISTERS);
    switch (draw(m, 8)) {
    case 0:
    case 1:
    case 2:
        put(m, "%s %%r%u, %%r%u, ", twos[draw(m, sizeof twos / sizeof *twos)], to, from);
        put_number(m);
        put(m, ";\n");
        break;
    case 3:
        put(m, "%s %%r%u, %%r%u, %u;\n", shifts[draw(m, sizeof shifts / sizeof *shifts)], to, from,
            1 + draw(m, 9));
        break;
    case 4:
        put(m, "mad.lo.s32 %%r%u, %%r%u, %u, ", to, from, draw(m, 20));
        put_number(m);
        put(m, ";\n");
        break;
    case 5: /* to 64 bits, and back */
        put(m, "cvt.%s64.%s32 %%d1, %%r%u;\nadd.s64 %%d1, %%d1, %d;\ncvt.u32.u64 %%r%u, %%d1;\n",
            draw(m, 2) ? "u" : "s", draw(m, 2) ? "u" : "s", from, (int)draw(m, 9) - 4, to);
        break;
    case 6:
        put(m, "setp.%s %%p2, %%r%u, ", draw(m, 2) ? "lt.s32" : "eq.s32", from);
        put_number(m);
        put(m, ";\nselp.b32 %%r%u, %%r%u, %%r%u, %%p2;\n", to, draw(m, REGISTERS),
            draw(m, REGISTERS));
        break;
    default:
        put(m, "bfe.u32 %%r%u, %%r%u, %u, %u;\nnot.b32 %%r%u, %%r%u;\n", to, from, draw(m, 8),
            1 + draw(m, 8), draw(m, REGISTERS), to);
        break;
    }
}

/* Indices stay within the buffer. What is loaded becomes a number only now and then. */
static void put_load(struct maker *m)
{
    put(m, "and.b32 %%r20, %%r%u, 4095;\nmul.wide.u32 %%d2, %%r20, 4;\nadd.s64 %%d2, %%d0, %%d2;\n",
        draw(m, REGISTERS));
    if (draw(m, 4) == 0)
        put(m, "setp.ne.s32 %%p3, %%r%u, 3;\n@%%p3 ", draw(m, REGISTERS));
    if (draw(m, 3) == 0)
        put(m, "ld.global.v2.u16 {%%h0, %%h1}, [%%d2+%u];\n", 4 * draw(m, 4));
    else
        put(m, "ld.global.u32 %%r%u, [%%d2];\n", draw(m, 12) ? 21 : draw(m, REGISTERS));
}

static void put_body(struct maker *m);

static void put_compare(struct maker *m, unsigned predicate)
{
    static const char *const kinds[] = {"lt.s32", "ge.s32", "lt.u32", "gt.u32", "eq.s32", "ne.s32"};
    put(m, "setp.%s %%p%u, %%r%u, ", kinds[draw(m, 6)], predicate, draw(m, REGISTERS));
    put_number(m);
    put(m, ";\n");
}

static void put_branch(struct maker *m)
{
    const unsigned label = m->labels++, has_other = draw(m, 2);
    put_compare(m, 4);
    put(m, "@%s%%p4 bra ELSE%u;\n", draw(m, 2) ? "!" : "", label);
    put_body(m);
    if (m->loop && draw(m, 6) == 0) { /* an exit that not every trip passes */
        put_compare(m, 5);
        put(m, "@%%p5 bra DONE%u;\n", m->loop - 1);
    }
    if (has_other)
        put(m, "bra END%u;\n", label);
    put(m, "ELSE%u:\n", label);
    if (has_other) {
        put_body(m);
        put(m, "END%u:\n", label);
    }
}

/* Two ways by an index from 0 to 3, and perhaps a third one, out of the loop around it. */
static void put_indexed_branch(struct maker *m)
{
    const unsigned label = m->labels++, guarded = draw(m, 2);
    put(m, "and.b32 %%r22, %%r%u, 3;\n", draw(m, REGISTERS));
    if (guarded)
        put_compare(m, 4);
    put(m, "%sbrx.idx %%r22, TABLE%u;\nTABLE%u: .branchtargets ONE%u, TWO%u, ONE%u, ",
        guarded ? "@%p4 " : "", label, label, label, label, label);
    if (m->loop && draw(m, 4) == 0)
        put(m, "DONE%u;\n", m->loop - 1);
    else
        put(m, "END%u;\n", label);
    if (guarded)
        put_operation(m);
    put(m, "ONE%u:\n", label);
    put_body(m);
    put(m, "bra END%u;\nTWO%u:\n", label, label);
    put_body(m);
    put(m, "END%u:\n", label);
}

/* The counter of a loop at depth d is %r(10 + d), its bound %r(14 + d), its pointer %d(4 + d). */
static void put_loop(struct maker *m)
{
    const unsigned label = m->labels++, c = 10 + m->depth, n = 14 + m->depth, d = 4 + m->depth,
                   tests_first = draw(m, 2), step = 1 + draw(m, 3), around = m->loop;
    m->loop = label + 1;
    put(m, "mov.u32 %%r%u, %u;\n", c, draw(m, 3));
    if (draw(m, 2))
        put(m, "and.b32 %%r%u, %%r%u, 7;\n", n, draw(m, REGISTERS));
    else
        put(m, "mov.u32 %%r%u, %u;\n", n, draw(m, 8));
    put(m,
        "and.b32 %%r20, %%r%u, 255;\nmul.wide.u32 %%d%u, %%r20, 8;\nadd.s64 %%d%u, %%d0, %%d%u;\n",
        draw(m, REGISTERS), d, d, d);
    put(m, "LOOP%u:\n", label);
    if (tests_first)
        put(m, "setp.ge.s32 %%p1, %%r%u, %%r%u;\n@%%p1 bra DONE%u;\n", c, n, label);
    if (draw(m, 2))
        put(m, "ld.global.u32 %%r21, [%%d%u];\nadd.s64 %%d%u, %%d%u, %d;\n", d, d, d,
            4 * ((int)draw(m, 7) - 3));
    put(m, "add.s32 %%r%u, %%r%u, %%r%u;\n", draw(m, REGISTERS), draw(m, REGISTERS), c);
    put_body(m);
    if (draw(m, 4) == 0) {
        put_compare(m, 5);
        put(m, "@%%p5 bra DONE%u;\n", label);
    }
    put(m, "add.s32 %%r%u, %%r%u, %u;\n", c, c, step);
    if (tests_first)
        put(m, "bra LOOP%u;\n", label);
    else
        put(m, "setp.lt.s32 %%p1, %%r%u, %%r%u;\n@%%p1 bra LOOP%u;\n", c, n, label);
    put(m, "DONE%u:\n", label);
    m->loop = around;
}

static void put_body(struct maker *m)
{
    m->depth++;
    for (unsigned i = 1 + draw(m, 4); i > 0; i--) {
        const unsigned kind = draw(m, m->depth < DEPTH ? 9 : 6);
        if (kind < 4)
            put_operation(m);
        else if (kind < 6)
            put_load(m);
        else if (kind == 6)
            put_branch(m);
        else if (kind == 7)
            put_indexed_branch(m);
        else
            put_loop(m);
    }
    m->depth--;
}

static void make(struct maker *m, uint64_t seed)
{
    m->length = m->labels = m->depth = m->loop = 0;
    m->random = seed * 2654435761u + 1;
    put(m, ".version 6.0\n.target sm_70\n.address_size 64\n"
           ".entry k(.param .u64 a, .param .u32 n)\n{\n.reg .pred %%p<8>;\n.reg .b16 %%h<2>;\n"
           ".reg .b32 %%r<24>;\n.reg .b64 %%d<8>;\nld.param.u64 %%d0, [a];\n"
           "ld.param.u32 %%r0, [n];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, %%ctaid.x;\n"
           "mov.u32 %%r3, %%tid.y;\nmov.u32 %%r4, %%ctaid.y;\nmov.u32 %%r5, %%ntid.x;\n"
           "mad.lo.s32 %%r6, %%r2, %%r5, %%r1;\nmov.u32 %%r7, %%laneid;\n");
    put_body(m);
    put_body(m);
    put(m, "ret;\n}\n");
}

static void blocks_read_what_is_found(void **state)
{
    static struct maker m;
    uint64_t known = 0, loads = 0, bytes = 0;
    (void)state;
    for (uint64_t seed = 0; seed < KERNELS; seed++) {
        make(&m, seed);
        const uint32_t grid[3] = {1 + draw(&m, 3), 1 + draw(&m, 2), 1},
                       block[3] = {1 + draw(&m, 40), 1 + draw(&m, 2), 1};
        const uint32_t number = draw(&m, 100);
        const struct compared c = compare_reads(m.text, grid, block, &number);
        if (*c.wrong)
            fail_msg("seed %u: %s\n%s", (unsigned)seed, c.wrong, m.text);
        known += c.known;
        loads += c.loads;
        bytes += c.bytes;
    }
    print_message("%u kernels: %u of %u loads known, %u bytes\n", KERNELS, (unsigned)known,
                  (unsigned)loads, (unsigned)bytes);
    assert_true(known * 10 > loads * 5 && bytes > 100000); /* or nothing has been compared */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_read_what_is_found)};
    return cmocka_run_group_tests_name("locality of random kernels", tests, NULL, NULL);
}
