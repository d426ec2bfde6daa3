/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/builtin.c: functions that CUDA's driver has and its compilers only declare. A module
 * that names one and has no body for it is given this one, as if it stood at the declaration. */
#include <string.h>

#include "tb/ptx/parse/parse.h"

/* What vprintf writes down and the driver prints when the kernel has ended: tb/ocl/printf.c and
 * devlib/printf.cl have the layout. */
static const char printf_buffer[] = ".global .align 8 .b8 heddle_printf[8+(1<<20)];";

/* A record of three words: its head, the number of the work-item, and `value`. */
#define RECORD(kind, bytes, count, value)                                                          \
    "atom.global.add.u64 %at, [heddle_printf], 3; setp.gt.u64 %p, %at, (1<<17)-3;"                 \
    "@%p bra FULL_" #value "; shl.b64 %at, %at, 3; mov.u64 %w0, heddle_printf;"                    \
    "add.u64 %at, %at, %w0; cvt.u64.u32 %w0, " kind "; cvt.u64.u32 %w1, " bytes ";"                \
    "cvt.u64.u32 %w2, " count "; shl.b64 %w0, %w0, 32; shl.b64 %w1, %w1, 40;"                      \
    "shl.b64 %w2, %w2, 48; or.b64 %w0, %w0, %w1; or.b64 %w0, %w0, %w2; or.b64 %w0, %w0, 3;"        \
    "st.global.u64 [%at+8], %w0; st.global.u64 [%at+16], %id;"                                     \
    "st.global.u64 [%at+24], %" #value "; FULL_" #value ": "

/* %id = (%id * size + global id) of one axis. */
#define AXIS(axis, offset)                                                                         \
    "mov.u32 %t0, %nctaid." axis "; mov.u32 %t1, %ntid." axis "; mul.wide.u32 %w0, %t0, %t1;"      \
    "mul.lo.u64 %id, %id, %w0; mov.u32 %t0, %ctaid." axis "; mov.u32 %t2, %tid." axis ";"          \
    "mad.lo.u32 %t0, %t0, %t1, %t2; mov.u32 %t1, " offset "; add.u32 %t0, %t0, %t1;"               \
    "cvt.u64.u32 %w0, %t0; add.u64 %id, %id, %w0;"

/* Goes to `label` where the letter %w0 = 1 << (letter - 64) is one of these. */
#define LETTERS(mask, label)                                                                       \
    "and.b64 %w1, %w0, " mask "; setp.ne.u64 %p, %w1, 0; @%p bra " label ";"
#define CHARACTER(test, label) "setp." test "; @%p bra " label ";"

/* The format says which arguments there are: each is as wide as C passes it, and aligned to that. A
 * conversion with * is printed as it is written. */
static const char vprintf_body[] =
    ".func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a) {"
    ".reg .pred %p; .reg .b32 %c, %n, %kind, %size, %bad, %t<3>;"
    ".reg .b64 %s, %arg, %id, %at, %value, %format, %w<3>;"
    "ld.param.b64 %format, [f]; ld.param.b64 %arg, [a]; mov.u64 %s, %format; mov.u32 %n, 0;"
    "mov.u64 %id, 0;" AXIS("z", "%envreg3") AXIS("y", "%envreg2")
        AXIS("x", "%envreg1") "TEXT: ld.u8 %c, [%s]; add.u64 %s, %s, 1;" CHARACTER(
            "eq.u32 %p, %c, 0", "END") CHARACTER("ne.u32 %p, %c, 37", "TEXT") /* % */
    "mov.u32 %size, 4; mov.u32 %bad, 0; ld.u8 %c, [%s];" CHARACTER(
        "ne.u32 %p, %c, 37",
        "SPEC") "add.u64 %s, %s, 1; bra TEXT;"
                "SPEC: ld.u8 %c, [%s]; add.u64 %s, %s, 1;" CHARACTER("eq.u32 %p, %c, 0", "END")
                    CHARACTER("eq.u32 %p, %c, 42", "STAR")
                        CHARACTER("lt.u32 %p, %c, 58", "SPEC") /* flags, width, precision */
    "sub.u32 %t0, %c, 64; mov.u64 %w0, 1; shl.b64 %w0, %w0, %t0;" LETTERS("(1<<40)|(1<<12)",
                                                                          "SPEC") /* h L */
    LETTERS("(1<<44)|(1<<42)|(1<<58)|(1<<52)", "WIDE")                            /* l j z t */
    "mov.u32 %kind, 2;" LETTERS("(1<<36)|(1<<41)|(1<<35)", "ARGUMENT")            /* d i c */
    "mov.u32 %kind, 3;" LETTERS("(1<<53)|(1<<47)|(1<<56)|(1<<24)", "ARGUMENT")    /* u o x X */
    "mov.u32 %size, 8; mov.u32 %kind, 4;" LETTERS("(7<<37)|(7<<5)|(1<<33)|(1<<1)",
                                                  "ARGUMENT") /* e f g a */
    "mov.u32 %kind, 1;" LETTERS(
        "(1<<51)|(1<<48)",
        "ARGUMENT") "bra TEXT;" /* s p */
                    "WIDE: mov.u32 %size, 8; bra SPEC;"
                    "STAR: mov.u32 %bad, 1; add.u64 %arg, %arg, 7; and.b64 %arg, %arg, -4; bra "
                    "SPEC;"
                    "ARGUMENT: setp.eq.u32 %p, %size, 8; @%p bra LONG;"
                    "add.u64 %arg, %arg, 3; and.b64 %arg, %arg, -4; ld.s32 %value, [%arg];"
                    "add.u64 %arg, %arg, 4; setp.eq.u32 %p, %kind, 3; @%p and.b64 %value, %value, "
                    "0xffffffff;"
                    "bra GIVE;"
                    "LONG: add.u64 %arg, %arg, 7; and.b64 %arg, %arg, -8; ld.u64 %value, [%arg];"
                    "add.u64 %arg, %arg, 8;"
                    "GIVE: setp.ne.u32 %p, %bad, 0; @%p bra TEXT; add.u32 %n, %n, 1;" RECORD(
                        "%kind", "%size", "1",
                        value) "bra TEXT;"
                               "END: " RECORD("0", "8", "%n",
                                              format) "st.param.b32 [r], %n; ret; }";

static const char assertfail_body[] =
    ".func __assertfail(.param .b64 message, .param .b64 file, .param .b32 line,"
    " .param .b64 function, .param .b64 size) { .reg .b64 %m, %f, %n; .reg .b32 %l;"
    "ld.param.b64 %m, [message]; ld.param.b64 %f, [file]; ld.param.b32 %l, [line];"
    "ld.param.b64 %n, [function]; assertfail %m, %f, %l, %n; }";

static const struct {
    const char *name, *variable, *declaration, *body;
} builtins[] = {{"vprintf", "heddle_printf", printf_buffer, vprintf_body},
                {"__assertfail", NULL, NULL, assertfail_body}};

/* The text's lines are all that of the declaration. */
static void parse_text(struct parser *p, const char *text, uint32_t line)
{
    lexer_open(&p->lexer, p->context, text, strlen(text));
    p->lexer.line = p->lexer.token.line = p->lexer.next.line = line;
    while (p->lexer.token.kind != TOKEN_END)
        parse_top(p);
}

void parse_builtins(struct parser *p)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        const struct symbol *y = symbols_find(&p->symbols, p->module_scope, builtins[i].name);
        if (!y || y->kind != SYMBOL_FUNCTION || !y->named_by || y->body->end)
            continue;
        p->entangled = 1;
        const char *variable = builtins[i].variable;
        if (variable && !symbols_find(&p->symbols, p->module_scope, variable))
            parse_text(p, builtins[i].declaration, y->line);
        parse_text(p, builtins[i].body, y->line);
    }
}
