/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/number.c: 12, 0x1f, 0b11, 017, each with an optional U; 0f3F800000,
 * 0d3FF0000000000000; 1.5 and 1e3. */
#include "tb/ptx/parse/number.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static int digit_value(char ch)
{
    if (ch >= '0' && ch <= '9')
        return ch - '0';
    if (ch >= 'a' && ch <= 'f')
        return ch - 'a' + 10;
    if (ch >= 'A' && ch <= 'F')
        return ch - 'A' + 10;
    return 99;
}

static int is_letter(char ch)
{
    return digit_value(ch) < 10 || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
           ch == '_' || ch == '$';
}

static _Noreturn void fail(struct ptx_context *c, const struct token *t, const char *start,
                           const char *end, const char *what)
{
    const char *p = start;
    while (p < end && p - start < 40 && (is_letter(*p) || *p == '.'))
        p++;
    ptx_fail(c, t->line, "number '%.*s': %s", (int)(p - start), start, what);
}

/* Exactly `digits` hexadecimal digits: the bits of a float or a double. */
static const char *lex_bits(struct ptx_context *c, const char *start, const char *end,
                            struct token *t, int digits)
{
    const char *p = start + 2;
    while (p < end && digit_value(*p) < 16 && p - start - 2 < digits)
        t->value = t->value << 4 | (unsigned)digit_value(*p++);
    if (p - start - 2 != digits || (p < end && is_letter(*p)))
        fail(c, t, start, end,
             digits == 8 ? "expected 0f and 8 hexadecimal digits"
                         : "expected 0d and 16 hexadecimal digits");
    t->kind = digits == 8 ? TOKEN_F32 : TOKEN_F64;
    return p;
}

/* In the C locale, whatever locale the program that uses this library has chosen. */
static const char *lex_decimal(struct ptx_context *c, const char *start, const char *end,
                               struct token *t)
{
    char text[64];
    size_t length = 0;
    for (const char *p = start; p < end && (is_letter(*p) || *p == '.' ||
                                            ((*p == '+' || *p == '-') && (p[-1] | 32) == 'e'));
         p++) {
        if (length + 1 == sizeof text)
            fail(c, t, start, end, "too long; expected at most 63 characters");
        text[length++] = *p;
    }
    text[length] = '\0';
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        ptx_fail(c, 0, "out of memory");
    char *stop;
    double value = strtod_l(text, &stop, plain);
    freelocale(plain);
    if (*stop)
        fail(c, t, start, end, "expected a decimal number such as 1.5 or 1e-3");
    memcpy(&t->value, &value, sizeof value);
    t->kind = TOKEN_F64;
    return start + length;
}

static int is_decimal_float(const char *p, const char *end)
{
    while (p < end && digit_value(*p) < 10)
        p++;
    return p < end && (*p == '.' || *p == 'e' || *p == 'E');
}

const char *number_lex(struct ptx_context *c, const char *start, const char *end, struct token *t)
{
    char second = '\0';
    if (*start == '0' && end - start >= 2)
        second = start[1];
    if (second == 'f' || second == 'F')
        return lex_bits(c, start, end, t, 8);
    if (second == 'd' || second == 'D')
        return lex_bits(c, start, end, t, 16);
    if (second != 'x' && second != 'X' && is_decimal_float(start, end))
        return lex_decimal(c, start, end, t);

    int base = 10;
    const char *p = start;
    if (second == 'x' || second == 'X' || second == 'b' || second == 'B') {
        base = (second | 32) == 'x' ? 16 : 2;
        p += 2;
    } else if (second) {
        base = digit_value(second) < 10 ? 8 : 10;
    }
    const char *first = p;
    for (; p < end && digit_value(*p) < base; p++)
        if (__builtin_mul_overflow(t->value, (uint64_t)base, &t->value) ||
            __builtin_add_overflow(t->value, (uint64_t)digit_value(*p), &t->value))
            fail(c, t, start, end, "too large; expected at most 64 bits");
    if (p == first)
        fail(c, t, start, end, "expected digits");
    t->is_unsigned = p < end && (*p == 'U' || *p == 'u');
    p += t->is_unsigned;
    if (p < end && is_letter(*p))
        fail(c, t, start, end, "expected an integer");
    t->kind = TOKEN_INT;
    return p;
}
