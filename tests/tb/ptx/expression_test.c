/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/expression_test.c: constant expressions: the ISA's operators, precedence and types. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

/* The bits of the constant that the kernel's first instruction has. */
static uint64_t evaluate(const char *instruction, const char *text, size_t bytes)
{
    char statement[8192];
    uint64_t bits = 0;
    snprintf(statement, sizeof statement, instruction, text);
    struct ptx_module *m = body_parse(statement);
    const struct ptx_kernel *k = &m->kernels[0];
    assert_true(k->uops[0].src[0] & UOP_CONST);
    memcpy(&bits, k->constants + (k->uops[0].src[0] & ~UOP_CONST), bytes);
    ptx_free(m);
    return bits;
}

static void integers(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        uint64_t bits;
    } table[] = {
        {"(4*8)+1", 33},
        {"4*(8+1)", 36},
        {"2+3*4-1", 13},
        {"100/7/2", 7},
        {"-7/2", (uint64_t)-3},
        {"(.u64)-7/2", (UINT64_MAX - 6) / 2},
        {"-7/2U", (UINT64_MAX - 6) / 2},
        {"0x8000000000000000/2", 0x4000000000000000}, /* .s64 cannot hold it */
        {"0x7fffffffffffffff+1 < 0", 1},
        {"0x8000000000000000 < 0", 0},
        {"-7 % 3", (UINT64_MAX - 6) % 3}, /* operands are .u64 */
        {"-8>>1", (uint64_t)-4},
        {"-8U>>1", (UINT64_MAX - 7) / 2},
        {"~7>>1", (UINT64_MAX - 7) / 2}, /* ~ gives .u64 */
        {"(.s64)~7>>1", (uint64_t)-4},
        {"1<<63", 1ull << 63},
        {"1<<64", 0},
        {"-1>>64", UINT64_MAX},
        {"-1U>>64", 0},
        {"1<<2+1", 8},
        {"1|2^3&6", 1 | (2 ^ (3 & 6))},
        {"1||0&&0", 1},
        {"3==3", 1},
        {"3!=3==0", 1},
        {"1<2<2", 1},
        {"2<=2", 1},
        {"2>=3", 0},
        {"2>-1", 1},
        {"2>-1U", 0},
        {"!5", 0},
        {"!!5", 1},
        {"- -5", 5},
        {"-+-5", 5},
        {"0?1:0?2:3", 3},
        {"1?2:0?3:4", 2},
        {"0 ? 1U : -1 ", UINT64_MAX},
        {"(1 ? -1 : 1U) < 0", 0},
        {"WARP_SZ*2-1", 63},
        {"(1.5 < 2.0) + (1.0 == 1.0)", 2},
        {"0x7fffffffffffffff*2", UINT64_MAX - 1},
        {"(-0x7fffffffffffffff-1)/-1", 1ull << 63},
        {"18446744073709551615", UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const uint64_t bits = evaluate("mov.u64 %%d1, %s;", table[i].text, 8);
        if (bits != table[i].bits)
            fail_msg("%s gives %llx", table[i].text, (unsigned long long)bits);
    }
}

static void reals(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        double value;
    } table[] = {{"1.5+2.0*3.0", 7.5},   {"(1.0-4.0)/2.0", -1.5},
                 {"1 ? 2.5 : 3.5", 2.5}, {"2.0 < 1.0 ? 2.5 : 3.5", 3.5},
                 {"-(1.0)", -1.0},       {"0d4000000000000000*0.5", 1.0}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const uint64_t bits = evaluate("mov.f64 %%e1, %s;", table[i].text, 8);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (value != table[i].value)
            fail_msg("%s gives %g", table[i].text, value);
    }
    assert_int_equal(evaluate("mov.f32 %%f1, %s;", "1.0/4.0", 4), 0x3e800000);
}

/* What is wider than its type is cut off. */
static void constants_are_truncated(void **unused)
{
    (void)unused;
    assert_int_equal(evaluate("mov.u32 %%r1, %s;", "0x123456789", 4), 0x23456789);
    assert_int_equal(evaluate("mov.s32 %%r1, %s;", "-2147483649", 4), 0x7fffffff);
    assert_int_equal(evaluate("mov.u16 %%h1, %s;", "65537", 4), 1);
    assert_int_equal(evaluate("mov.u16 %%h1, %s;", "-32769", 4), 0x7fff);
    static const char text[] = ".version 6.0 .target sm_70 .address_size 64\n"
                               ".global .u8 v[3] = {256+7, -129, (1<<9)|5};\n"
                               ".global .u32 w[4*2];\n.global .u64 p = v + 2*1;\n"
                               ".global .align 4 .u32 q = WARP_SZ;\n.entry k() { ret; }\n";
    struct ptx_error error;
    struct ptx_module *m = ptx_parse("x", text, strlen(text), &error);
    if (!m)
        fail_msg("%s", error.message);
    uint64_t next = 4096;
    assert_int_equal(ptx_place(m, place_upwards, &next), 0);
    assert_memory_equal(m->vars[0].init, "\7\x7f\5", 3);
    assert_int_equal(m->vars[1].size, 32);
    assert_int_equal(*(const uint64_t *)m->vars[2].init, m->vars[0].address + 2);
    assert_int_equal(*(const uint32_t *)m->vars[3].init, 32);
    ptx_free(m);
}

static void offsets(void **unused)
{
    (void)unused;
    struct ptx_module *m =
        body_parse("ld.global.u32 %r1, [%d1+4*8]; ld.global.u32 %r1, [%d1-(2+2)+16/2];"
                   "ld.shared.u32 %r1, [sh+(1<<2)]; ld.global.u32 %r1, [(4*8)+1];"
                   "mov.u64 %d1, sh+2*6; mov.b64 %d1, {(1+1), WARP_SZ};");
    const struct uop *u = m->kernels[0].uops;
    static const int64_t expected[] = {32, 4, 4, 33};
    for (int i = 0; i < 4; i++)
        assert_int_equal(u[i].offset, expected[i]);
    assert_int_equal(m->kernels[0].constants[u[4].src[0] & ~UOP_CONST], 12);
    assert_int_equal(m->kernels[0].constants[u[5].src[0] & ~UOP_CONST], 2);
    assert_int_equal(m->kernels[0].constants[u[5].src[1] & ~UOP_CONST], 32);
    ptx_free(m);
}

/* An expression of the C grammar, written and computed side by side. What its value is follows from
 * the ISA's table; the text has brackets only where the grammar wants them. */
struct made {
    uint64_t bits;
    int is_unsigned;
};
static uint32_t state = 12345;
static char text[4096];
static size_t length;

static void write_text(const char *word)
{
    length += (size_t)snprintf(text + length, sizeof text - length, "%s", word);
    length = length < sizeof text ? length : sizeof text - 1;
}

static struct made make(int level, int depth);

static struct made make_unary(int depth)
{
    static const char *const signs[] = {"- ", "~", "!", "(.u64)", "(.s64)"};
    const uint32_t choice = depth <= 0 ? 9 : random_next(&state) % 10;
    struct made m;
    if (choice == 5) {
        write_text("(");
        m = make(0, depth - 1);
        write_text(")");
        return m;
    }
    if (choice < 5) {
        write_text(signs[choice]);
        m = make_unary(depth - 1);
        return choice == 0   ? (struct made){0 - m.bits, m.is_unsigned}
               : choice == 1 ? (struct made){UINT64_MAX - m.bits, 1}
               : choice == 2 ? (struct made){m.bits == 0, 0}
                             : (struct made){m.bits, choice == 3};
    }
    char word[32];
    m.bits = random_next(&state) % 3 ? random_next(&state) % 70
                                     : (uint64_t)random_next(&state) << 32 | 7;
    m.is_unsigned = random_next(&state) % 4 == 0;
    sprintf(word, "%llu%s", (unsigned long long)m.bits, m.is_unsigned ? "U" : "");
    write_text(word);
    m.is_unsigned |= m.bits >> 63 != 0;
    return m;
}

static struct made apply(const char *mark, struct made a, struct made b)
{
    const int u = a.is_unsigned || b.is_unsigned;
    const __int128 x = u ? (__int128)a.bits : (__int128)(int64_t)a.bits,
                   y = u ? (__int128)b.bits : (__int128)(int64_t)b.bits;
    const __int128 own = a.is_unsigned ? (__int128)a.bits : (__int128)(int64_t)a.bits;
    switch (mark[0] | mark[1] << 8) {
    case '*': return (struct made){a.bits * b.bits, u};
    case '/': return (struct made){(uint64_t)(x / y), u};
    case '%': return (struct made){a.bits % b.bits, 0};
    case '+': return (struct made){(uint64_t)(x + y), u};
    case '-': return (struct made){(uint64_t)(x - y), u};
    case '<' | '<' << 8:
        return (struct made){b.bits > 63 ? 0 : a.bits * ((uint64_t)1 << b.bits), a.is_unsigned};
    case '>' | '>' << 8:
        return (struct made){(uint64_t)(own >> (b.bits > 63 ? 64 : b.bits)), a.is_unsigned};
    case '<': return (struct made){x < y, 0};
    case '>': return (struct made){x > y, 0};
    case '<' | '=' << 8: return (struct made){x <= y, 0};
    case '>' | '=' << 8: return (struct made){x >= y, 0};
    case '=' | '=' << 8: return (struct made){x == y, 0};
    case '!' | '=' << 8: return (struct made){x != y, 0};
    case '&': return (struct made){a.bits & b.bits, 1};
    case '^': return (struct made){a.bits ^ b.bits, 1};
    case '|': return (struct made){a.bits | b.bits, 1};
    case '&' | '&' << 8: return (struct made){a.bits && b.bits, 0};
    default: return (struct made){a.bits || b.bits, 0};
    }
}

static struct made make(int level, int depth)
{
    static const char *const marks[][5] = {{"||"},
                                           {"&&"},
                                           {"|"},
                                           {"^"},
                                           {"&"},
                                           {"==", "!="},
                                           {"<", ">", "<=", ">="},
                                           {"<<", ">>"},
                                           {"+", "-"},
                                           {"*", "/", "%"}};
    if (level > 10)
        return make_unary(depth);
    struct made a = make(level + 1, depth);
    while (level && depth > 0 && random_next(&state) % 4 == 0) {
        const size_t start = length;
        uint32_t count = 0;
        while (marks[level - 1][count])
            count++;
        const char *mark = marks[level - 1][random_next(&state) % count];
        write_text(" ");
        write_text(mark);
        write_text(" ");
        const struct made b = make(level + 1, depth - 1);
        if (!b.bits && (*mark == '/' || *mark == '%'))
            length = start;
        else
            a = apply(mark, a, b);
    }
    if (level || depth <= 0 || random_next(&state) % 4)
        return a;
    write_text(" ? ");
    const struct made b = make(0, depth - 1);
    write_text(" : ");
    const struct made c = make(0, depth - 1);
    return (struct made){a.bits ? b.bits : c.bits, b.is_unsigned || c.is_unsigned};
}

static void random_expressions(void **unused)
{
    (void)unused;
    uint32_t tried = 0, by_mark[128] = {0};
    while (tried < 20000) {
        length = 0;
        const struct made m = make(0, 3);
        if (length + 1 == sizeof text)
            continue;
        text[length] = '\0';
        const uint64_t bits = evaluate("mov.u64 %%d1, %s;", text, 8);
        if (bits != m.bits)
            fail_msg("%s\ngives %llx, expected %llx", text, (unsigned long long)bits,
                     (unsigned long long)m.bits);
        for (size_t i = 0; i < length; i++)
            by_mark[(unsigned char)text[i] % 128]++;
        tried++;
    }
    for (const char *mark = "|&^=!<>+-*/%?:~(U"; *mark; mark++)
        assert_true(by_mark[(unsigned char)*mark] > 1000);
}

static void bad_expressions(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
    } table[] = {
        {"mov.u32 %r1, 4/(2-2);", "a division by zero"},
        {"mov.u32 %r1, 4 % 0;", "a division by zero"},
        {"mov.u32 %r1, 4*;", "found ';'; expected an operand"},
        {"mov.u32 %r1, (4;", "found ';'; expected ')' after an expression"},
        {"mov.u32 %r1, (.u64 4;", "found '4'; expected ')' after a cast"},
        {"mov.u32 %r1, 1 ? 2;", "found ';'; expected ':' between two values"},
        {"mov.u32 %r1, 4*%r2;", "found '%r2'; expected an operand"},
        {"mov.f64 %e1, 1.0+1;",
         "an integer and a floating-point number in one expression; expected one kind"},
        {"mov.f64 %e1, 1.0 % 2.0;", "an operator of integers between floating-point numbers; "
                                    "expected + - * / or a comparison"},
        {"mov.f64 %e1, ~1.0;", "'~' of a floating-point number; expected an integer"},
        {"mov.f64 %e1, 1.0 ? 1.0 : 2.0;", "'?' of a floating-point number; expected an integer"},
        {"mov.f32 %f1, 0f3F800000+0f3F800000;",
         "0f and 8 hexadecimal digits in an expression; expected a decimal number or 0d and 16 "
         "digits"},
        {"ld.global.u32 %r1, [%d1+1.5];", "a floating-point number; expected an offset"},
        {".local .u8 a[1.5];", "a floating-point number; expected an array size"},
        {".local .u8 a[1-2];",
         "18446744073709551615 is too large; expected an array size up to 268435456"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char *text = body_text(table[i].text), expected[256];
        struct ptx_error error;
        if (ptx_parse("k.ptx", text, strlen(text), &error))
            fail_msg("accepted: %s", table[i].text);
        snprintf(expected, sizeof expected, "k.ptx:%d: %s", BODY_LINE, table[i].message);
        assert_string_equal(error.message, expected);
        free(text);
    }
    static const char *const deep[] = {"(", "-", "~", "1?", "1?1:", "(.u64)"};
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        char statement[4096] = "mov.u64 %d1, ";
        for (int n = 0; n < 100; n++)
            strcat(statement, deep[i]);
        char *text = body_text(strcat(statement, "1;"));
        struct ptx_error error;
        assert_null(ptx_parse("k.ptx", text, strlen(text), &error));
        assert_non_null(strstr(error.message, "an expression nests too deeply"));
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(reals),
        cmocka_unit_test(constants_are_truncated),
        cmocka_unit_test(offsets),
        cmocka_unit_test(random_expressions),
        cmocka_unit_test(bad_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
