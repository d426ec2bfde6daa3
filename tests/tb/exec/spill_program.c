/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/spill_program.c: see the header. Registers: %r and %d hold values, %p conditions,
 * %c the counters of loops, %x and %a what a statement needs for itself. */
#include "tests/tb/exec/spill_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

#define MAX_LOOPS 32

struct writer {
    struct spill_program program;
    FILE *out;
    uint32_t labels, loops, depth;
};

static uint32_t draw(struct writer *w, uint32_t below)
{
    uint32_t *s = &w->program.state;
    *s ^= *s << 13;
    *s ^= *s >> 17;
    *s ^= *s << 5;
    return *s % below;
}

static uint32_t word(struct writer *w)
{
    return draw(w, w->program.words);
}

static uint32_t longer(struct writer *w)
{
    return draw(w, w->program.longs);
}

static const char *guard(struct writer *w)
{
    static const char *const guards[] = {"", "", "@%p1 ", "@!%p2 ", "@%p0 "};
    return guards[draw(w, 5)];
}

/* Statements that every lane may execute alone. */
static void write_plain(struct writer *w)
{
    FILE *f = w->out;
    const char *g = guard(w);
    switch (draw(w, 13)) {
    case 0: fprintf(f, "%sadd.u32 %%r%u, %%r%u, %%r%u;\n", g, word(w), word(w), word(w)); break;
    case 1:
        fprintf(f, "%smad.lo.u32 %%r%u, %%r%u, %%r%u, %%r%u;\n", g, word(w), word(w), word(w),
                word(w));
        break;
    case 2:
        fprintf(f, "%smad.wide.u32 %%d%u, %%r%u, %%r%u, %%d%u;\n", g, longer(w), word(w), word(w),
                longer(w));
        break;
    case 3:
        fprintf(f, "%sxor.b64 %%d%u, %%d%u, %%d%u;\n", g, longer(w), longer(w), longer(w));
        break;
    case 4: fprintf(f, "%scvt.u32.u64 %%r%u, %%d%u;\n", g, word(w), longer(w)); break;
    case 5: {
        const uint32_t low = word(w);
        fprintf(f, "%smov.b64 {%%r%u, %%r%u}, %%d%u;\n", g, low, (low + 1) % w->program.words,
                longer(w));
        break;
    }
    case 6: fprintf(f, "%smov.b64 %%d%u, {%%r%u, %%r%u};\n", g, longer(w), word(w), word(w)); break;
    case 7:
        fprintf(f, "%sselp.b32 %%r%u, %%r%u, %%r%u, %%p1;\n", g, word(w), word(w), word(w));
        break;
    case 8:
        fprintf(f, "%ssetp.lt.s32 %%p%u|%%p3, %%r%u, %%r%u;\n", g, draw(w, 3), word(w), word(w));
        break;
    case 9: { /* a load from a place that a value chooses; its vector needs four registers */
        const uint32_t first = word(w) % (w->program.words - 3);
        fprintf(
            f,
            "and.b32 %%x0, %%r%u, 15;\nmul.wide.u32 %%a0, %%x0, 16;\nadd.u64 %%a0, %%a0, %%in;\n"
            "%sld.global.v4.u32 {%%r%u, %%r%u, %%r%u, %%r%u}, [%%a0];\n",
            word(w), g, first, first + 1, first + 2, first + 3);
        break;
    }
    case 10:
        fprintf(f, "%sld.global.u64 %%d%u, [%%in+%u];\n", g, longer(w), 8 * draw(w, 32));
        break;
    case 11:
        fprintf(
            f,
            "{ .param .b32 a; .param .b64 b; .param .b64 c; st.param.b32 [a], %%r%u; st.param.b64 "
            "[b], %%d%u;\ncall (c), mix, (a, b); ld.param.b64 %%d%u, [c]; }\n",
            word(w), longer(w), longer(w));
        break;
    default: fprintf(f, "%smov.u32 %%r%u, %u;\n", g, word(w), draw(w, 100000)); break;
    }
}

/* Statements that all lanes must execute together. */
static void write_together(struct writer *w)
{
    FILE *f = w->out;
    if (draw(w, 2))
        fprintf(f, "shfl.sync.bfly.b32 %%r%u|%%p3, %%r%u, %u, 31, -1;\n", word(w), word(w),
                1 + draw(w, 30));
    else
        fprintf(f,
                "st.shared.u32 [%%own], %%r%u;\nbar.sync 0;\nld.shared.u32 %%r%u, [%%other];\n"
                "bar.red.popc.u32 %%r%u, 0, %%p1;\n",
                word(w), word(w), word(w));
}

static void write_statement(struct writer *w, uint32_t together);

static void write_branch(struct writer *w)
{
    const uint32_t label = w->labels++, many = 1 + draw(w, 4);
    fprintf(w->out, "setp.gt.u32 %%p0, %%r%u, %%r%u;\n@%%p0 bra E%u;\n", word(w), word(w), label);
    for (uint32_t i = 0; i < many; i++)
        write_statement(w, 0);
    if (draw(w, 2)) {
        fprintf(w->out, "bra.uni F%u;\nE%u:\n", label, label);
        write_plain(w);
        fprintf(w->out, "F%u:\n", label);
    } else {
        fprintf(w->out, "E%u:\n", label);
    }
}

/* Lanes leave it after different rounds. */
static void write_loop(struct writer *w)
{
    const uint32_t loop = w->loops++, many = 1 + draw(w, 4);
    fprintf(w->out, "and.b32 %%c%u, %%r%u, 3;\nL%u:\n", loop, word(w), loop);
    for (uint32_t i = 0; i < many; i++)
        write_statement(w, 0);
    fprintf(w->out, "setp.ne.u32 %%p0, %%c%u, 0;\nsub.u32 %%c%u, %%c%u, 1;\n@%%p0 bra L%u;\n", loop,
            loop, loop, loop);
}

static void write_statement(struct writer *w, uint32_t together)
{
    const uint32_t kind = draw(w, 8);
    w->depth++;
    if (kind == 0 && w->depth < 4)
        write_branch(w);
    else if (kind == 1 && w->depth < 4 && w->loops < MAX_LOOPS)
        write_loop(w);
    else if (kind == 2 && together)
        write_together(w);
    else
        write_plain(w);
    w->depth--;
}

uint32_t spill_program_bytes(const struct spill_program *p)
{
    return 8 * (p->words + p->longs);
}

static void write_head(struct writer *w)
{
    fprintf(
        w->out,
        PTX_HEAD
        ".func (.param .b64 r) mix(.param .b32 a, .param .b64 b)\n{\n.reg .b32 %%r<3>; .reg .b64 "
        "%%d<3>; .reg .pred %%p;\n"
        "ld.param.b32 %%r1, [a]; ld.param.b64 %%d1, [b]; setp.eq.u32 %%p, %%r1, 5;\n"
        "mul.wide.u32 %%d2, %%r1, 77; @!%%p add.u64 %%d1, %%d1, %%d2; st.param.b64 [r], %%d1; "
        "ret;\n}\n"
        ".entry k(.param .u64 in, .param .u64 out)\n{\n.shared .u32 shared[%u];\n.reg .pred "
        "%%p<4>; .reg .b32 %%r<%u>, %%c<%u>, %%x<2>, %%own, %%other; .reg .b64 %%d<%u>, %%a<2>, "
        "%%in, %%to;\n"
        "ld.param.u64 %%in, [in];\nmov.u32 %%x0, %%tid.x;\nshl.b32 %%own, %%x0, 2;\n"
        "mov.u32 %%x1, shared;\nadd.u32 %%own, %%own, %%x1;\nxor.b32 %%other, %%own, 68;\n",
        PROGRAM_THREADS, w->program.words, MAX_LOOPS, w->program.longs);
    for (uint32_t i = 0; i < w->program.words; i++)
        fprintf(w->out, "mad.lo.u32 %%r%u, %%x0, %u, %u;\n", i, draw(w, 1000), draw(w, 1000));
    for (uint32_t i = 0; i < w->program.longs; i++)
        fprintf(w->out, "ld.global.u64 %%d%u, [%%in+%u];\n", i, 8 * (i % 32));
}

static void write_tail(struct writer *w)
{
    const uint32_t words = w->program.words;
    fprintf(w->out,
            "ld.param.u64 %%to, [out];\nmov.u32 %%x0, %%tid.x;\nmul.wide.u32 %%a0, %%x0, %u;\n"
            "add.u64 %%to, %%to, %%a0;\n",
            spill_program_bytes(&w->program));
    for (uint32_t i = 0; i < words; i++)
        fprintf(w->out, "st.global.u32 [%%to+%u], %%r%u;\n", 8 * i, i);
    for (uint32_t i = 0; i < w->program.longs; i++)
        fprintf(w->out, "st.global.u64 [%%to+%u], %%d%u;\n", 8 * (words + i), i);
    fprintf(w->out, "ret;\n}\n");
}

char *spill_program(struct spill_program program)
{
    char *text;
    size_t size;
    struct writer w = {.program = program, .out = open_memstream(&text, &size)};
    assert_non_null(w.out);
    write_head(&w);
    for (uint32_t i = 0; i < 3; i++)
        fprintf(w.out, "setp.gt.u32 %%p%u, %%r%u, %u;\n", i, word(&w), draw(&w, 30000));
    for (uint32_t i = 0; i < program.statements; i++)
        write_statement(&w, 1);
    write_tail(&w);
    fclose(w.out);
    return text;
}

char *spill_dense_program(struct spill_program program)
{
    char *text;
    size_t size;
    struct writer w = {.program = program, .out = open_memstream(&text, &size)};
    assert_non_null(w.out);
    write_head(&w);
    fprintf(w.out, "and.b32 %%c0, %%x0, 1;\nL:\n");
    for (uint32_t i = 0; i < program.words; i++)
        fprintf(w.out, "mad.lo.u32 %%r%u, %%r%u, 5, %%r%u;\n", i, i, (i * 7 + 3) % program.words);
    for (uint32_t i = 0; i < program.longs; i++)
        fprintf(w.out, "mad.wide.u32 %%d%u, %%r%u, %u, %%d%u;\n", i, i, 2 * i + 3, i);
    fprintf(w.out, "setp.eq.u32 %%p1, %%c0, 1;\nsub.u32 %%c0, %%c0, 1;\n@%%p1 bra L;\n");
    write_tail(&w);
    fclose(w.out);
    return text;
}
