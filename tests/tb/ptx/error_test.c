/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/error_test.c: bad text and what is said about it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/ptx/context.h"
#include "tests/tb/ptx/ptx_support.h"

struct bad {
    const char *text, *message; /* behind "k.ptx:LINE: " */
    uint32_t line;
};

static void check(const char *text, const struct bad *b, uint32_t line)
{
    struct ptx_error error;
    char expected[PTX_MESSAGE_SIZE];
    struct ptx_module *m = ptx_parse("k.ptx", text, strlen(text), &error);
    if (m)
        fail_msg("accepted: %s", b->text);
    snprintf(expected, sizeof expected, "k.ptx:%u: %s", line, b->message);
    assert_string_equal(error.message, expected);
    assert_int_equal(error.line, line);
}

static const struct bad modules[] = {
    {"", "the text ends here; expected .version, the first directive of PTX", 1},
    {"\n\nhello", "found 'hello'; expected .version, the first directive of PTX", 3},
    {".version x", "found 'x'; expected a version such as 6.0", 1},
    {"\n.version 3.9", "there has been no PTX 3.9; expected a version such as 6.0", 2},
    {".version 6.0\n.target sm_20,\n sm_71",
     "there is no target 'sm_71'; expected one such as sm_70", 3},
    {".version 6.0\n.entry", "found '.entry'; expected .target", 2},
    {".version 6.0\n.target sm_70\n.address_size 32",
     "found '32'; expected 64: the machine has no addresses of other sizes", 3},
    {HEADER "foo", "found 'foo'; expected a directive such as .entry or .global", 4},
    {HEADER ".text .u64 t;",
     "directive '.text' is not supported here; expected .entry, .func, .global, .const, .shared, "
     ".local, .reg, .tex, .file or .section",
     4},
    {HEADER ".visible .file 1", "found '.file'; expected .entry, .func or a variable", 4},
    {HEADER ".func f(", "the text ends here; expected .param or .reg", 4},
    {HEADER ".entry k(.param .b8 p[])", "found ']'; expected an array size", 4},
    {HEADER ".func f(.param .b8 p[], .param .b32 n);",
     "found '.param'; expected no parameter behind one without a size", 4},
    {HEADER ".func (.param .b8 p[]) f();", "found ']'; expected an array size", 4},
    {HEADER ".func 4", "found '4'; expected a function's name", 4},
    {HEADER ".func f(.param .u32 x) ret;", "found 'ret'; expected '{' of the function's body", 4},
    {HEADER "\n.func f() { {",
     "the text ends here; expected an instruction, a label, a directive or '}'", 5},
    {HEADER ".func f() { }\n.func f() { }", "'f' is already declared at line 4", 5},
    {HEADER ".func f() { }\n.entry f() { }", "'f' is already declared at line 4", 5},
    {HEADER ".entry f() { }\n.func f();", "'f' is already declared at line 4", 5},
    {HEADER ".shared .texref t;", "found '.texref'; expected a type such as .b32", 4},
    {HEADER ".global .texref t = 1;", "found '1'; expected '{' before the properties", 4},
    {HEADER ".global .texref t = {5};", "found '5'; expected a property such as addr_mode_0", 4},
    {HEADER ".global .samplerref t = {filter_mode = cubic};",
     "property 'filter_mode = cubic' is not supported", 4},
    {HEADER ".global .samplerref t = {colour = 1};", "property 'colour = 1' is not supported", 4},
    {HEADER ".global .samplerref t = {addr_mode_3 = wrap};",
     "property 'addr_mode_3 = wrap' is not supported", 4},
    {HEADER ".global .samplerref t = {addr_mode_0 = wrap,\naddr_mode_1 = mirror};",
     "address modes 'wrap' and 'mirror'; expected one for all dimensions", 5},
    {HEADER ".global .samplerref t = {filter_mode = nearest;",
     "found ';'; expected '}' after the properties", 4},
    {HEADER ".global .v2 .pred t;", "found '.pred'; expected a type such as .b32", 4},
    {HEADER ".global .v4 .f32 t = {{1.0, 1.0}};", "found '{'; expected a number", 4},
    {HEADER ".global .pred t;", "found '.pred'; expected a type such as .b32", 4},
    {HEADER ".global .align 3 .b8 t;", "alignment 3; expected a power of two", 4},
    {HEADER ".global .align 8192 .b8 t;", "8192 is too large; expected an alignment up to 4096", 4},
    {HEADER ".global .b8 t[268435457];",
     "268435457 is too large; expected an array size up to 268435456", 4},
    {HEADER ".global .b64 t[268435456];", "'t' takes more than 268435456 bytes", 4},
    {HEADER ".global .b8 t[65536][65536];", "'t' takes more than 268435456 bytes", 4},
    {HEADER ".global .b8 a[200000000];\n.global .b8 b[200000000];",
     "the variables take more than 268435456 bytes", 5},
    {HEADER ".global .b8 t[];", "'t' has no size; expected a number, values, or .extern .shared",
     4},
    {HEADER ".global .b8 t[0];", "'t' has no bytes; expected an array size of at least 1", 4},
    {HEADER ".extern .global .b8 t[4];\n.entry k() { .reg .b8 r; ld.global.b8 r, [t]; }",
     "'t' is .extern; expected its definition: modules are not linked", 5},
    {HEADER ".extern .shared .b8 t[4];\n.entry k() { .reg .b32 r; mov.b32 r, t; }",
     "'t' is .extern; expected its definition: modules are not linked", 5},
    {HEADER ".global .b32 s; .extern .const .b32 t;\n.global .b64 u = t;",
     "'t' cannot be an initial value; expected a number, or a .global or .const variable declared "
     "above",
     5},
    {HEADER ".extern .global .b8 t[4];\n.shared .b8 t[4];", "'t' is already declared at line 4", 5},
    {HEADER ".global .b8 t[] = {};", "'t' has no bytes; expected an array size of at least 1", 4},
    {HEADER ".global .b8 t[] = 5;",
     "'t' has no size; expected a number, values, or .extern .shared", 4},
    {HEADER ".global .b8 t[][2] = {{1, 2}, {3, 4, 5}};", "too many values; expected at most 2", 4},
    {HEADER ".global .b8 t[] = {1, 2",
     "the text ends here; expected '}' after the values of an array", 4},
    {HEADER ".global .attribute(.managed .b8 t;", "found ';'; expected ')' of the .attribute", 4},
    {HEADER ".global .b8 t;\n.global .b8 u[2] = {0xff(t), 0xff0(t)};",
     "found '0xff0'; expected a mask of one byte, such as 0xff00, before '('", 5},
    {HEADER ".global .b8 t;\n.global .b16 u = 0xff(t);",
     "a byte of the address of 't' in a .b16; expected .u8 or .b8", 5},
    {HEADER ".global .b8 t;\n.global .b8 u = t;",
     "the address of 't' in a .b8; expected .u64 or .b64", 5},
    {HEADER ".func f;\n.alias f, g;", "'g' cannot have an alias; expected a function defined above",
     5},
    {HEADER ".func f;\n.func g;\n.alias f, g;",
     "'g' cannot have an alias; expected a function defined above", 6},
    {HEADER ".func g { ret; }\n.alias f, g;",
     "'f' cannot be an alias; expected a function that is declared and not defined", 5},
    {HEADER ".func g { ret; } .func f { ret; }\n.alias f, g;",
     "'f' cannot be an alias; expected a function that is declared and not defined", 5},
    {HEADER ".global .u32 t = {1};", "found '{'; expected a number", 4},
    {HEADER ".global .u32 t[2] = 1;", "found '1'; expected '{' before the values of an array", 4},
    {HEADER ".global .u32 t[2] = {1, 2,\n 3};", "too many values; expected at most 2", 5},
    {HEADER ".global .f32 t = 1;",
     "a number of the wrong kind for .f32; expected 0f and 8 hexadecimal digits", 4},
    {HEADER ".global .u64 t = t;",
     "'t' cannot be an initial value; expected a number, or a .global or .const variable "
     "declared above",
     4},
    {HEADER ".global .u32 a;\n.global .u32 t = a;",
     "the address of 'a' in a .u32; expected .u64 or .b64", 5},
    {HEADER ".shared .u32 s = 4;", "found '='; expected ';' after the variable", 4},
    {HEADER ".global .u32 t;\n.const .u32 t;", "'t' is already declared at line 4", 5},
    {HEADER ".entry k() { }\n.entry k() { }", "'k' is already declared at line 4", 5},
    {HEADER ".entry 7()", "found '7'; expected a kernel's name", 4},
    {HEADER ".entry k(.reg .u32 x) {}", "found '.reg'; expected .param", 4},
    {HEADER ".entry k(.param .u32 x", "the text ends here; expected ')' after the parameters", 4},
    {HEADER ".entry k(.param .u32 x, .param .u32 x) {}", "'x' is already declared at line 4", 4},
    {HEADER ".entry k(.param .u32 .ptr .global x) {}", "a pointer of type .u32; expected .u64", 4},
    {HEADER ".entry k(.param .b8 x[65537]) {}",
     "parameter 'x' takes 65537 bytes; expected at most 65536", 4},
    {HEADER ".entry k(.param .b8 x[65536],\n.param .b8 y) {}",
     "the parameters take more than 65536 bytes", 5},
    {HEADER ".entry k() .maxntid 1,2,3,4 {}", "found '4'; expected at most three numbers", 4},
    {HEADER ".entry k() .reqntid 0 {}", "0; expected a thread count of at least 1", 4},
    {HEADER ".entry k() .maxnblocks 2 {}",
     "directive '.maxnblocks' of an .entry is not supported; expected .maxntid, "
     ".reqntid, .minnctapersm, .maxnreg or '{'",
     4},
    {HEADER ".entry k() ret;", "found 'ret'; expected '{' of the kernel's body", 4},
    {HEADER ".entry k() { ret;",
     "the text ends here; expected an instruction, a label, a directive or '}'", 4},
    {HEADER ".entry k() { .shared .b8 x[16777217]; .reg .b64 %d;\n mov.u64 %d, x; }",
     "shared memory of kernel 'k' exceeds 16777216 bytes", 4},
    {HEADER ".pragma 4;", "found '4'; expected a string", 4},
};

static void modules_with_errors(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        check(modules[i].text, &modules[i], modules[i].line);
}

static const struct bad bodies[] = {
    {"call.uni (retval0), _Z3foof, (param0);",
     "call of function '_Z3foof', which has no body in this module (is it an OpenCL built-in that "
     "the device library lacks?)",
     0},
    {"{ .param .b32 p;\n call f, (p); }",
     "call of function 'f', which has no body in this module (is it an OpenCL built-in that the "
     "device library lacks?)",
     1},
    {"call %d1, (p), proto;",
     "'call' of '%d1' names no .callprototype or .calltargets of this function", 0},
    {"call;", "'call' names no function", 0},
    {"call.foo f;", "opcode 'call.foo' is not supported", 0},
    {"call k;", "call of kernel 'k'; expected a function", 0},
    {"tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1, %r2}];",
     "'t' is not declared; 'tex.2d.v4.f32.s32' expected a register or a constant", 0},
    {"tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %r2, %r3}];",
     "'tex.2d.v4.f32.s32' has a vector {...}; expected 2 coordinates", 0},
    {"tex.3d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %r2, %r3}];",
     "'tex.3d.v4.f32.s32' has a vector {...}; expected 4 coordinates", 0},
    {"tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, %r1];",
     "'tex.2d.v4.f32.s32' has operand '%r1' of type .b32; expected 2 coordinates", 0},
    {"tex.1d.v4.f32.s32 {%f1, %f2}, [%d1, {%r1}];",
     "'tex.1d.v4.f32.s32' has a vector {...}; expected a vector of 4 elements", 0},
    {"tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1];",
     "'tex.1d.v4.f32.s32' has an address [...]; expected [texture, coordinates]", 0},
    {"tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, %d1;",
     "'tex.1d.v4.f32.s32' has operand '%d1' of type .b64; expected [texture, coordinates]", 0},
    {"tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%r1, {%r1}];",
     "'tex.1d.v4.f32.s32' has operand '%r1' of type .b32; expected a register as wide as .u64", 0},
    {"tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [n, {%r1}];",
     "'tex.1d.v4.f32.s32' has operand 'n'; expected a parameter of 8 bytes", 0},
    {"tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, %d2, {%r1}, %r2];",
     "found ','; expected ']' after an address", 0},
    {"tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, [%d2]];", "found '['; expected an operand", 0},
    {"ld.global.u32 %r1, [%d1, {%r1}];",
     "'ld.global.u32' has an address [...]; expected one address", 0},
    {"\nfrobnicate;", "opcode 'frobnicate' is not supported", 1},
    {"mov.u32 %r1, %pm8;", "register '%pm8' is not declared", 0},
    {"mov.u32 %r1, %pm0_32;", "register '%pm0_32' is not declared", 0},
    {"mov.u32 %r1, %cluster_nctaid.x;",
     "special register '%cluster_nctaid.x' is not supported: there are no clusters of thread "
     "blocks",
     0},
    {"mov.u32 %r1, %nclusterid.y;",
     "special register '%nclusterid.y' is not supported: there are no clusters of thread blocks",
     0},
    {"mov.pred %p1, %is_explicit_cluster;",
     "special register '%is_explicit_cluster' is not supported: there are no clusters of thread "
     "blocks",
     0},
    {"mov.u32 %r1, %reserved_smem_offset_cap;",
     "special register '%reserved_smem_offset_cap' is not supported: it came with sm_80", 0},
    {"mov.u32 %r1, %aggr_smem_size;",
     "special register '%aggr_smem_size' is not supported: it came with sm_90", 0},
    {"mov.u32 %r1, %clock63;", "special register '%clock63' is not supported", 0},
    {"mov.u32 %r1, %tid.v;", "special register '%tid.v' is not supported", 0},
    {"mov.u32 %r1, %tid;",
     "'mov.u32' has a vector {...}; expected an untyped mov of 2 or 4 elements", 0},
    {"mov.v2.u32 {%r1, %r2}, %tid;",
     "'mov.v2.u32' has a vector {...}; expected a vector of 2 elements", 0},
    {"mov.v4.u32 {%r1, %r2}, %tid;",
     "'mov.v4.u32' has a vector {...}; expected a vector of 4 elements", 0},
    {"mov.v2.u32 {%r1, %r1}, {%r2, %r3};",
     "'mov.v2.u32' has operand '%r1' of type .b32; expected different destinations", 0},
    {"mov.v2.u32 {%r1, %d1}, {%r2, %r3};",
     "'mov.v2.u32' has operand '%d1' of type .b64; expected a register as wide as .u32", 0},
    {"add.u32 %r1, {%r2, %r3}|%p1, %r2;",
     "'add.u32' has a pair p|q; expected a register or a constant", 0},
    {".reg .b128 q; add.u64 q, %d1, %d2;",
     "'add.u64' has a vector {...}; expected a register to write", 0},
    {"mov.u32 %r1, %envreg32;", "special register '%envreg32' is not supported", 0},
    {"mov.u32 %r1, %envreg04;", "special register '%envreg04' is not supported", 0},
    {"mov.u64 %d1, %clock;", "'mov.u64' has operand '%clock'; expected an integer type of 32 bits",
     0},
    {"mov.u32 %r1, %clock64;",
     "'mov.u32' has operand '%clock64'; expected an integer type of 64 bits", 0},
    {"mov.f32 %f1, %smid;", "'mov.f32' has operand '%smid'; expected an integer type of 32 bits",
     0},
    {"mov.pred %p1, %gridid;",
     "'mov.pred' has operand '%gridid'; expected a mov of integers, which alone reads it", 0},
    {"mov.u16 %h1, %laneid;",
     "'mov.u16' has operand '%laneid'; expected a type of 32 bits: special registers are .u32", 0},
    {"add.u32 %r1, %clock, 1;",
     "'add.u32' has operand '%clock'; expected a mov of integers, which alone reads it", 0},
    {"cvt.u64.u32 %d1, %smid;",
     "'cvt.u64.u32' has operand '%smid'; expected a mov of integers, which alone reads it", 0},
    {"mov.u32 %r10, 1;", "register '%r10' is not declared", 0},
    {"mov.u32 %r01, 1;", "register '%r01' is not declared", 0},
    {"mov.u32 %x, 1;", "register '%x' is not declared", 0},
    {"mov.u32 %r1, nothing;",
     "'nothing' is not declared; 'mov.u32' expected a register or a constant", 0},
    {"mov.u32 nothing, %r1;", "'nothing' is not declared; 'mov.u32' expected a register to write",
     0},
    {"add.s32 %r1, %r2;", "'add.s32' has 2 operands; expected 3", 0},
    {"ret %r1;", "'ret' has 1 operand; expected 0", 0},
    {"setp.lt.and.s32 %p1, %r1, %r2;", "'setp.lt.and.s32' has 3 operands; expected 4", 0},
    {"setp.lt.s32 %p1, %r1, %r2, %p2;", "'setp.lt.s32' has 4 operands; expected 3", 0},
    {"add.s32 %d1, %r2, %r3;",
     "'add.s32' has operand '%d1' of type .b64; expected a register as wide as .s32", 0},
    {"add.s32 %r1, %h2, %r3;",
     "'add.s32' has operand '%h2' of type .b16; expected a register as wide as .s32", 0},
    {"add.s32 %r1, %p2, %r3;",
     "'add.s32' has operand '%p2' of type .pred; expected a register as wide as .s32", 0},
    {"add.s64 %d1, %tid.x, 1;",
     "'add.s64' has operand '%tid'; expected a type of 32 bits: special registers are .u32", 0},
    {"add.f64 %e1, %f1, %e2;",
     "'add.f64' has operand '%f1' of type .f32; expected a register as wide as .f64", 0},
    {"and.pred %p1, %r1, %p2;",
     "'and.pred' has operand '%r1' of type .b32; expected a register of type .pred", 0},
    {"mul.wide.s32 %r1, %r2, %r3;",
     "'mul.wide.s32' has operand '%r1' of type .b32; expected a register as wide as .s64", 0},
    {"shl.b64 %d1, %d2, %d3;",
     "'shl.b64' has operand '%d3' of type .b64; expected a register as wide as .u32", 0},
    {"clz.b64 %d1, %d2;",
     "'clz.b64' has operand '%d1' of type .b64; expected a register as wide as .u32", 0},
    {"selp.u32 %r1, %r2, %r3, %r4;",
     "'selp.u32' has operand '%r4' of type .b32; expected a register of type .pred", 0},
    {"add.u32 %r1, !%r2, %r3;", "'add.u32' has operand '!%r2' of type .b32; expected no '!' here",
     0},
    {"setp.eq.u32 %r1, %r2, %r3;",
     "'setp.eq.u32' has operand '%r1' of type .b32; expected a register of type .pred", 0},
    {"setp.eq.u32 %p1|%p1, %r2, %r3;",
     "'setp.eq.u32' has operand '%p1' of type .pred; expected different destinations", 0},
    {"ld.global.v2.u32 {%r1, %r1}, [%d1];",
     "'ld.global.v2.u32' has operand '%r1' of type .b32; expected different destinations", 0},
    {"mov.u32 %tid.x, 1;", "'mov.u32' has operand '%tid'; expected a register to write", 0},
    {"mov.u32 5, 1;", "'mov.u32' has an integer; expected a register to write", 0},
    {"mov.u32 %r1, [%d1];", "'mov.u32' has an address [...]; expected a register or a constant", 0},
    {"add.s32 %r1, {%r1, %r2}, 1;",
     "'add.s32' has a vector {...}; expected a register or a constant", 0},
    {"add.s32 %r1, %r1|%r2, 1;", "'add.s32' has a pair p|q; expected a register or a constant", 0},
    {"add.s32 %r1, _, 1;", "'add.s32' has operand '_'; expected a register or a constant", 0},
    {"add.f32 %f1, %f2, 1;",
     "a number of the wrong kind for .f32; expected 0f and 8 hexadecimal digits", 0},
    {"add.s32 %r1, %r2, 1.5;", "a number of the wrong kind for .s32; expected an integer", 0},
    {"add.f64 %e1, %e2, 0f3F800000;",
     "a number of the wrong kind for .f64; expected 0d and 16 hexadecimal digits", 0},
    {"ld.global.u32 %h1, [%d1];",
     "'ld.global.u32' has operand '%h1' of type .b16; expected a register at least as wide as .u32",
     0},
    {"ld.global.f32 %e1, [%d1];",
     "'ld.global.f32' has operand '%e1' of type .f64; expected a register as wide as .f32, or an "
     "untyped wider one",
     0},
    {"ld.global.f32 %h1, [%d1];",
     "'ld.global.f32' has operand '%h1' of type .b16; expected a register as wide as .f32, or an "
     "untyped wider one",
     0},
    {"st.global.v2.f32 [%d1], {%d1, 0f3F800000};",
     "'st.global.v2.f32' has a floating-point number; expected a register, as the vector's other "
     "elements are wider",
     0},
    {"cvt.f32.f16 %f1, %laneid;",
     "'cvt.f32.f16' has operand '%laneid'; expected a type of 32 bits: special registers are .u32",
     0},
    {"ld.global.u32 %p1, [%d1];",
     "'ld.global.u32' has operand '%p1' of type .pred; expected a register at least as wide as "
     ".u32",
     0},
    {"ld.global.v2.u32 %r1, [%d1];",
     "'ld.global.v2.u32' has operand '%r1' of type .b32; expected a vector of 2 elements", 0},
    {"ld.global.v4.u32 {%r1, %r2}, [%d1];",
     "'ld.global.v4.u32' has a vector {...}; expected a vector of 4 elements", 0},
    {"ld.global.u32 {%r1, %r2}, [%d1];",
     "'ld.global.u32' has a vector {...}; expected a single register", 0},
    {"ld.global.v2.u16 {%h1, %r2}, [%d1];",
     "'ld.global.v2.u16' has operand '%r2' of type .b32; expected registers of one width in a "
     "vector",
     0},
    {"ld.global.u32 %r1, %d1;",
     "'ld.global.u32' has operand '%d1' of type .b64; expected an address [...]", 0},
    {"ld.global.u32 %r1, [%h1];",
     "'ld.global.u32' has operand '%h1' of type .b16; expected an address register of 32 or 64 "
     "bits, a variable or a parameter",
     0},
    {"ld.global.u32 %r1, [%p1];",
     "'ld.global.u32' has operand '%p1' of type .pred; expected an address register of 32 or 64 "
     "bits, a variable or a parameter",
     0},
    {"ld.global.u32 %r1, [%tid.x];",
     "'ld.global.u32' has operand '%tid'; expected an address register of 32 or 64 bits, a "
     "variable or a parameter",
     0},
    {"ld.global.u32 %r1, [sh];",
     "'ld.global.u32' accesses 'sh', which lies in .shared memory; expected .global address", 0},
    {"ld.u32 %r1, [sh];",
     "'ld.u32' accesses 'sh', which lies in .shared memory; expected a generic address", 0},
    {"ld.shared.u32 %r1, [n];",
     "'ld.shared.u32' accesses 'n', which lies in .param memory; expected .shared address", 0},
    {"ld.param.u64 %d1, [n];",
     "'ld.param.u64' reads 8 bytes at offset 0 of parameter 'n' (4 bytes)", 0},
    {"ld.param.u32 %r1, [s+13];",
     "'ld.param.u32' reads 4 bytes at offset 13 of parameter 's' (16 bytes)", 0},
    {"ld.param.u32 %r1, [s+-1];",
     "'ld.param.u32' reads 4 bytes at offset -1 of parameter 's' (16 bytes)", 0},
    {"ld.param.v2.u64 {%d1, %d2}, [s+8];",
     "'ld.param.v2.u64' reads 16 bytes at offset 8 of parameter 's' (16 bytes)", 0},
    {"ld.param.u32 %r1, [36];",
     "'ld.param.u32' reads 4 bytes at offset 36 of the parameters (36 bytes)", 0},
    {"ld.param.u32 %r1, [9223372036854775807];",
     "'ld.param.u32' reads 4 bytes at offset 9223372036854775807 of the parameters (36 bytes)", 0},
    {"{ .param .b32 p; ld.param.u64 %d1, [p]; }",
     "'ld.param.u64' reads 8 bytes at offset 0 of parameter 'p' (4 bytes)", 0},
    {"{ .param .b8 p[6]; st.param.b32 [p+3], %r1; }",
     "'st.param.b32' writes 4 bytes at offset 3 of parameter 'p' (6 bytes)", 0},
    {"st.param.u32 [n], 1;", "'st.param.u32' writes a parameter of the kernel", 0},
    {"st.param.u32 [8], 1;", "'st.param.u32' writes a parameter of the kernel", 0},
    {"ld.local.u32 %r1, [p]; .param .b32 p;",
     "'p' is not declared; 'ld.local.u32' expected an address register of 32 or 64 bits, a "
     "variable or a parameter",
     0},
    {"{ .param .b32 p; ld.local.u32 %r1, [p]; }",
     "'ld.local.u32' accesses 'p', which lies in .param memory; expected .local address", 0},
    {"mov.u32 %r1, g;", "'mov.u32' has operand 'g'; expected a register of 64 bits for an address",
     0},
    {"mov.u16 %h1, sh;",
     "'mov.u16' has operand 'sh'; expected a register of 32 or 64 bits for an address", 0},
    {"mov.f32 %f1, sh;",
     "'mov.f32' has operand 'sh'; expected a register of 32 or 64 bits for an address", 0},
    {"mov.u64 %d1, {%r1, %r2};",
     "'mov.u64' has a vector {...}; expected an untyped mov of 2 or 4 elements", 0},
    {"mov.b64 %d1, {%r1, %r2, %r3};",
     "'mov.b64' has a vector {...}; expected an untyped mov of 2 or 4 elements", 0},
    {"mov.b64 %d1, {%r1, %d2};",
     "'mov.b64' has operand '%d2' of type .b64; expected a register as wide as .b32", 0},
    {"mov.b64 {%r1, %r2}, {%r3, %r4};",
     "'mov.b64' has a vector {...}; expected a register or a constant", 0},
    {"mov.b16 {%h1, %h2, %h3, %h4}, %h5;",
     "'mov.b16' has a vector {...}; expected an untyped mov of 2 or 4 elements", 0},
    {"cvt.u32.u64 %h1, %d1;",
     "'cvt.u32.u64' has operand '%h1' of type .b16; expected a register at least as wide as .u32",
     0},
    {"cvt.u32.u64 %r1, %r2;",
     "'cvt.u32.u64' has operand '%r2' of type .b32; expected a register at least as wide as .u64",
     0},
    {"cvt.rn.f32.s32 %e1, %r2;",
     "'cvt.rn.f32.s32' has operand '%e1' of type .f64; expected a register as wide as "
     ".f32, or an untyped wider one",
     0},
    {"bra nowhere;", "'nowhere' is not a label of this kernel", 0},
    {"bra %r1;", "'%r1' is not a label of this kernel", 0},
    {"bra 4;", "'bra' has an integer; expected a label", 0},
    {"{ L: ret; } bra L;", "'L' is not a label of this kernel", 0},
    {"L: ret;\nL: ret;", "'L' is already declared at line 16", 1},
    {"bar.sync %d1;",
     "'bar.sync' has operand '%d1' of type .b64; expected a register as wide as .u32", 0},
    {"bar.sync 0, 64, 1;", "'bar.sync' has 3 operands; expected 2", 0},
    {"bar.arrive 1;", "'bar.arrive' has 1 operand; expected 2", 0},
    {"bar.red.popc.u32 %r1, 1;", "'bar.red.popc.u32' has 2 operands; expected 4", 0},
    {"lop3.b32 %r1, %r2, %r3, %r4, 256;",
     "'lop3.b32' has an integer; expected a constant from 0 to 255", 0},
    {"lop3.b32 %r1, %r2, %r3, %r4, %r5;",
     "'lop3.b32' has operand '%r5' of type .b32; expected a constant from 0 to 255", 0},
    {"shfl.idx.b32 %r1|%r2, %r3, 1, 31;",
     "'shfl.idx.b32' has operand '%r2' of type .b32; expected a register of type .pred", 0},
    {"add.cc.u32 %r1|%p1, %r2, 1;", "'add.cc.u32' has a pair p|q; expected a register to write", 0},
    {"match.any.sync.b32 %r1|%p1, %r2, -1;",
     "'match.any.sync.b32' has a pair p|q; expected a register to write", 0},
    {"slct.f32.s32 %f1, %f2, %f3, %d1;",
     "'slct.f32.s32' has operand '%d1' of type .b64; expected a register as wide as .s32", 0},
    {"set.lt.u32.f64 %r1, %f1, %e1;",
     "'set.lt.u32.f64' has operand '%f1' of type .f32; expected a register as wide as .f64", 0},
    {"@%r1 ret;", "guard '%r1'; expected a predicate register", 0},
    {"@ret ret;", "guard 'ret'; expected a predicate register", 0},
    {"@4 ret;", "found '4'; expected an operand", 0},
    {"ret", "found '}'; expected an operand", 1},
    {"add.s32 %r1, %r2, ;", "found ';'; expected an operand", 0},
    {"add.s32 %r1, %r2 %r3;", "found '%r3'; expected ';' after the instruction", 0},
    {"add.s32 %r1, %r2, %r3, 1, 2, 3, 4, 5, 6;", "found '6'; expected at most 8 operands", 0},
    {"mov.b64 %d1, {1,2,3,4,5,6,7,8,9};", "found '9'; expected at most 8 elements", 0},
    {"ld.global.u32 %r1, [%d1+%r1];", "found '%r1'; expected an offset", 0},
    {"ld.global.u32 %r1, [1.5];", "found ']'; expected an address of integers", 0},
    {"ld.global.u32 %r1, [%d1;", "found ';'; expected ']' after an address", 0},
    {"add.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32.s32 %r1;",
     "found '.s32'; expected at most 16 modifiers", 0},
    {".reg .v2 %x;", "found '%x'; expected a type such as .b32", 0},
    {".reg .v2 .pred %x;", "found '.pred'; expected a type such as .b32", 0},
    {".reg .v4 .f64 %x;", "a vector of 32 bytes; expected at most 16", 0},
    {".reg .v2 .f32 %v; mov.f32 %f1, %v.z;", "found '.z'; expected ';' after the instruction", 0},
    {".reg .v2 .f32 %v; mov.f32 %f1, %v;",
     "'mov.f32' has a vector {...}; expected an untyped mov of 2 or 4 elements", 0},
    {".reg .v2 .f32 %v; add.f32 %f1, %v, 1.0;",
     "'add.f32' has a vector {...}; expected a register or a constant", 0},
    {".reg .v2 .u64 %v; ld.global.u32 %r1, [%v];",
     "'ld.global.u32' has a vector {...}; expected an address register of 32 or 64 bits, a "
     "variable or a parameter",
     0},
    {".reg .b32 %x<1000000001>;",
     "1000000001 is too large; expected a number of registers up to 1000000000", 0},
    {".reg .b32 %x<1000000000>; mov.u32 %x1000000000, 1;",
     "register '%x1000000000' is not declared", 0},
    {".reg .b128 q; mov.b128 q, {%r1, %r2, %d1, %r1};",
     "'mov.b128' has operand '%d1' of type .b64; expected a register as wide as .b32", 0},
    {".reg .b128 q; mov.b128 q, 1.0;",
     "'mov.b128' has a floating-point number; expected a vector of 2 elements", 0},
    {".reg .b128 q; mov.b64 %d1, q;",
     "'mov.b64' has operand 'q.x' of type .b64; expected a register as wide as .b32", 0},
    {"alloca.u64 %d1, %d2, 12;",
     "'alloca.u64' has alignment 12; expected a power of two up to 8388608", 0},
    {"alloca.u64 %d1, %d2, 16777216;",
     "'alloca.u64' has alignment 16777216; expected a power of two up to 8388608", 0},
    {"alloca.u64 %d1, %d2, %r1;", "'alloca.u64' has operand '%r1' of type .b32; expected a number",
     0},
    {"alloca.u64 %d1;", "'alloca.u64' has 1 operand; expected 3", 0},
    {".reg .b32 %r<4>;", "'%r' is already declared at line 12", 0},
    {"bra L;\nL: brx.idx %r1, L;",
     "'L' is not declared; 'brx.idx' expected the label of a .branchtargets", 1},
    {"brx.idx %r1, T;\nT: .branchtargets A;", "'A' is not a label of this kernel", 0},
    {"brx.idx %r1, T;\nT: .branchtargets T;", "'T' is not a label of this kernel", 0},
    {"brx.idx %r1, T;\nT: .branchtargets;", "found ';'; expected a label", 1},
    {"brx.idx %d1, T;\nT: .branchtargets L;\nL:",
     "'brx.idx' has operand '%d1' of type .b64; expected a register as wide as .u32", 0},
    {"bra T;\nT: .branchtargets L;\nL:", "'T' is not a label of this kernel", 0},
    {".branchtargets L;\nL:",
     "directive '.branchtargets' is not supported here; expected .reg, .shared, .local, .pragma, a "
     "label or "
     "an instruction",
     0},
    {".pragma nounroll;", "found 'nounroll'; expected a string", 0},
    {".pragma \"a\", ;", "found ';'; expected a string", 0},
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2}], %f3;",
     "'tex.2d.v4.f32.f32' has operand '%f3' of type .f32; expected a vector of offsets: there are "
     "no depth textures",
     0},
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2}], {1, 2}, %f3;",
     "'tex.2d.v4.f32.f32' has 4 operands; expected 3: there are no depth textures", 0},
    {"tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2, %f3, %f3}], %f3;",
     "'tex.cube.v4.f32.f32' has 3 operands; expected 2: there are no depth textures", 0},
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2}], {1};",
     "'tex.2d.v4.f32.f32' has a vector {...}; expected 2 coordinates", 0},
    {"tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2}];",
     "'tex.level.2d.v4.f32.f32' has 2 operands; expected 4", 0},
    {"tld4.r.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2, %f3, %f3}], {1, 1, 1, 1};",
     "'tld4.r.cube.v4.f32.f32' has 3 operands; expected 2: there are no depth textures", 0},
    {".maxntid 4;",
     "directive '.maxntid' is not supported here; expected .reg, .shared, .local, .pragma, a "
     "label or "
     "an instruction",
     0},
    {"]", "found ']'; expected an instruction, a label, a directive or '}'", 0},
};

static void bodies_with_errors(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        char *text = body_text(bodies[i].text);
        check(text, &bodies[i], BODY_LINE + bodies[i].line);
        free(text);
    }
}

static void nesting_is_bounded(void **unused)
{
    (void)unused;
    char statements[256] = "";
    memset(statements, '{', 100);
    static const struct bad b = {"{{{...", "blocks nest too deeply; expected at most 64 levels", 0};
    char *text = body_text(statements);
    check(text, &b, BODY_LINE);
    free(text);
}

/* 65516 registers and their specials are 65535; one more is too many. */
static void registers_are_bounded(void **unused)
{
    (void)unused;
    enum { MOST = 65535 - NUM_SPECIALS };
    char *statements = calloc(MOST + 1, 40), *at = statements;
    at += sprintf(at, ".reg .b32 %%x<70000>;");
    for (int i = 0; i < MOST; i++)
        at += sprintf(at, "mov.u32 %%x%d, 1;", i);
    struct ptx_module *m = body_parse(statements);
    assert_int_equal(m->kernels[0].num_regs, 65535);
    ptx_free(m);
    strcpy(at, "mov.u32 %x69999, 1;");
    static const struct bad b = {"mov ...", "the kernel uses more than 65516 registers", 0};
    char *text = body_text(statements);
    check(text, &b, BODY_LINE);
    free(text);
    free(statements);
}

static void long_names_are_cut_in_messages(void **unused)
{
    (void)unused;
    char name[2000], statements[3100] = "bra ";
    struct ptx_error error;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    memset(statements + 4, 'l', 3000);
    strcpy(statements + 3004, ";");
    char *text = body_text(statements);
    assert_null(ptx_parse(name, text, strlen(text), &error));
    assert_true(strlen(error.message) < PTX_MESSAGE_SIZE);
    assert_non_null(strstr(error.message, "l' is not a label of this kernel"));
    assert_int_equal(error.line, BODY_LINE);
    free(text);
}

static void huge_text_is_refused(void **unused)
{
    (void)unused;
    struct ptx_error error;
    assert_null(ptx_parse("k.ptx", "x", 0, &error));
    char *text = malloc(MAX_TEXT_BYTES + 1);
    memset(text, ' ', MAX_TEXT_BYTES + 1);
    assert_null(ptx_parse("k.ptx", text, MAX_TEXT_BYTES + 1, &error));
    assert_string_equal(error.message,
                        "k.ptx: a text of 67108865 bytes; expected at most 67108864");
    assert_int_equal(error.line, 0);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_with_errors),
        cmocka_unit_test(bodies_with_errors),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(registers_are_bounded),
        cmocka_unit_test(long_names_are_cut_in_messages),
        cmocka_unit_test(huge_text_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
