/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/expression.c: PTX ISA, "Constant Expressions": operators and precedence of C; the
 * types are .s64, .u64 and .f64. A literal is .u64 if it says U or .s64 cannot hold it; an op
 * has .u64 where one of its operands has. Both sides of && || ?: are evaluated. %3 is a
 * name, 7 % 3 a remainder. 0f... stands alone,
 * perhaps with a sign. */
#include "tb/ptx/parse/expression.h"

#include <string.h>

#define MAX_DEPTH 64 /* of brackets, signs and conditions within each other */

struct value {
    enum operand_kind kind;
    int is_unsigned; /* an integer's type is .u64 */
    uint64_t bits;
};

struct reader {
    struct lexer *lexer;
    const char *what; /* is expected */
    uint32_t depth;
};

enum operation {
    OR_ELSE, /* || */
    AND_ALSO,
    OR,
    XOR,
    AND,
    EQUAL,
    UNEQUAL,
    LESS,
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL,
    LEFT,
    RIGHT,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    NONE
};

/* Longer marks first, so that << is no <. */
static const struct {
    const char mark[3];
    uint8_t precedence, op;
} operators[] = {
    {"||", 1, OR_ELSE},  {"&&", 2, AND_ALSO},   {"==", 6, EQUAL},
    {"!=", 6, UNEQUAL},  {"<=", 7, LESS_EQUAL}, {">=", 7, GREATER_EQUAL},
    {"<<", 8, LEFT},     {">>", 8, RIGHT},      {"|", 3, OR},
    {"^", 4, XOR},       {"&", 5, AND},         {"<", 7, LESS},
    {">", 7, GREATER},   {"+", 9, ADD},         {"-", 9, SUBTRACT},
    {"*", 10, MULTIPLY}, {"/", 10, DIVIDE},     {"%", 10, REMAINDER},
};
#define TERM 10 /* what is above a sum */

static struct value parse_condition(struct reader *);

static double real(struct value v)
{
    double value;
    memcpy(&value, &v.bits, sizeof value);
    return value;
}

static struct value real_value(double value)
{
    struct value v = {.kind = OPERAND_F64};
    memcpy(&v.bits, &value, sizeof value);
    return v;
}

static struct value integer(uint64_t bits, int is_unsigned)
{
    return (struct value){OPERAND_INT, is_unsigned, bits};
}

/* The mark at the current token, of which two are one token behind the other. */
static int at_mark(const struct lexer *x, const char *mark)
{
    const struct token *t = &x->token, *next = &x->next;
    return t->kind == mark[0] && (!mark[1] || (next->kind == mark[1] && next->start == t->end));
}

/* The operator at the current token, or NONE. */
static enum operation find_operator(const struct lexer *x, uint8_t *precedence)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (at_mark(x, operators[i].mark)) {
            *precedence = operators[i].precedence;
            return (enum operation)operators[i].op;
        }
    return NONE;
}

static struct value parse_literal(struct reader *r)
{
    const struct token *t = &r->lexer->token;
    struct value v = {.bits = t->value};
    if (t->kind == TOKEN_INT) {
        v.kind = OPERAND_INT;
        v.is_unsigned = t->is_unsigned || t->value > INT64_MAX;
    } else if (t->kind == TOKEN_F32) {
        v.kind = OPERAND_F32;
    } else if (t->kind == TOKEN_F64) {
        v.kind = OPERAND_F64;
    } else if (t->kind == TOKEN_WORD && !strcmp(t->text, "WARP_SZ")) {
        v = integer(WARP_LANES, 0);
    } else {
        lexer_fail(r->lexer, r->what);
    }
    lexer_advance(r->lexer);
    return v;
}

static void need_integer(struct reader *r, struct value v, uint32_t line, const char *op)
{
    if (v.kind != OPERAND_INT)
        ptx_fail(r->lexer->context, line, "'%s' of a floating-point number; expected an integer",
                 op);
}

static struct value negate(struct value v)
{
    switch (v.kind) {
    case OPERAND_F32: v.bits ^= UINT64_C(1) << 31; break;
    case OPERAND_F64: v.bits ^= UINT64_C(1) << 63; break;
    default: v.bits = -v.bits;
    }
    return v;
}

/* (.s64) and (.u64), which stand behind their bracket. */
static int accept_cast(struct lexer *x, int *is_unsigned)
{
    *is_unsigned = lexer_accept_text(x, TOKEN_DOT, ".u64");
    if (!*is_unsigned && !lexer_accept_text(x, TOKEN_DOT, ".s64"))
        return 0;
    lexer_expect(x, ')', "after a cast");
    return 1;
}

static struct value parse_unary(struct reader *r)
{
    struct lexer *x = r->lexer;
    const uint32_t line = x->token.line;
    struct value v;
    int is_unsigned;
    if (++r->depth > MAX_DEPTH)
        ptx_fail(x->context, line, "an expression nests too deeply; expected at most %d levels",
                 MAX_DEPTH);
    if (lexer_accept(x, '-')) {
        v = negate(parse_unary(r));
    } else if (lexer_accept(x, '+')) {
        v = parse_unary(r);
    } else if (lexer_accept(x, '!')) {
        v = parse_unary(r);
        need_integer(r, v, line, "!");
        v = integer(!v.bits, 0);
    } else if (lexer_accept(x, '~')) {
        v = parse_unary(r);
        need_integer(r, v, line, "~");
        v = integer(~v.bits, 1);
    } else if (!lexer_accept(x, '(')) {
        v = parse_literal(r);
    } else if (accept_cast(x, &is_unsigned)) {
        v = parse_unary(r);
        need_integer(r, v, line, "a cast");
        v.is_unsigned = is_unsigned;
    } else {
        v = parse_condition(r);
        lexer_expect(x, ')', "after an expression");
    }
    r->depth--;
    return v;
}

static struct value compute_real(struct reader *r, enum operation op, double a, double b,
                                 uint32_t line)
{
    switch (op) {
    case ADD: return real_value(a + b);
    case SUBTRACT: return real_value(a - b);
    case MULTIPLY: return real_value(a * b);
    case DIVIDE: return real_value(a / b);
    case EQUAL: return integer(a == b, 0);
    case UNEQUAL: return integer(a != b, 0);
    case LESS: return integer(a < b, 0);
    case LESS_EQUAL: return integer(a <= b, 0);
    case GREATER: return integer(a > b, 0);
    case GREATER_EQUAL: return integer(a >= b, 0);
    default:
        ptx_fail(r->lexer->context, line,
                 "an operator of integers between floating-point numbers; expected + - * / or a "
                 "comparison");
    }
}

/* The one division that overflows, -2^63 / -1, gives -2^63, as the sum and the product wrap. */
static uint64_t divide(uint64_t a, uint64_t b, int is_unsigned)
{
    if (is_unsigned)
        return a / b;
    return b == UINT64_MAX ? -a : (uint64_t)((int64_t)a / (int64_t)b);
}

/* Amounts of 64 and more shift everything out, as shl and shr do. */
static uint64_t shift(enum operation op, struct value a, uint64_t amount)
{
    const uint64_t sign = !a.is_unsigned && a.bits >> 63 ? UINT64_MAX : 0;
    if (op == LEFT)
        return amount < 64 ? a.bits << amount : 0;
    if (amount == 0)
        return a.bits;
    return amount < 64 ? a.bits >> amount | (sign << (63 - amount) << 1) : sign;
}

static int is_less(struct value a, struct value b, int is_unsigned)
{
    return is_unsigned ? a.bits < b.bits : (int64_t)a.bits < (int64_t)b.bits;
}

static struct value compute_integer(struct reader *r, enum operation op, struct value a,
                                    struct value b, uint32_t line)
{
    const int u = a.is_unsigned || b.is_unsigned;
    if ((op == DIVIDE || op == REMAINDER) && !b.bits)
        ptx_fail(r->lexer->context, line, "a division by zero");
    switch (op) {
    case OR_ELSE: return integer(a.bits || b.bits, 0);
    case AND_ALSO: return integer(a.bits && b.bits, 0);
    case OR: return integer(a.bits | b.bits, 1);
    case XOR: return integer(a.bits ^ b.bits, 1);
    case AND: return integer(a.bits & b.bits, 1);
    case EQUAL: return integer(a.bits == b.bits, 0);
    case UNEQUAL: return integer(a.bits != b.bits, 0);
    case LESS: return integer((uint64_t)is_less(a, b, u), 0);
    case LESS_EQUAL: return integer(!is_less(b, a, u), 0);
    case GREATER: return integer((uint64_t)is_less(b, a, u), 0);
    case GREATER_EQUAL: return integer(!is_less(a, b, u), 0);
    case LEFT:
    case RIGHT: return integer(shift(op, a, b.bits), a.is_unsigned);
    case ADD: return integer(a.bits + b.bits, u);
    case SUBTRACT: return integer(a.bits - b.bits, u);
    case MULTIPLY: return integer(a.bits * b.bits, u);
    case DIVIDE: return integer(divide(a.bits, b.bits, u), u);
    default: return integer(a.bits % b.bits, 0); /* of .u64 operands, as the ISA has it */
    }
}

static void check_kinds(struct reader *r, struct value a, struct value b, uint32_t line)
{
    if (a.kind == OPERAND_F32 || b.kind == OPERAND_F32)
        ptx_fail(r->lexer->context, line,
                 "0f and 8 hexadecimal digits in an expression; expected "
                 "a decimal number or 0d and 16 digits");
    if (a.kind != b.kind)
        ptx_fail(r->lexer->context, line,
                 "an integer and a floating-point number in one expression; expected one kind");
}

/* Operators of at least this precedence; all go from left to right. */
static struct value parse_binary(struct reader *r, uint8_t least)
{
    struct lexer *x = r->lexer;
    struct value a = parse_unary(r);
    uint8_t precedence;
    for (;;) {
        const enum operation op = find_operator(x, &precedence);
        const uint32_t line = x->token.line;
        if (op == NONE || precedence < least)
            return a;
        if (op == OR_ELSE || op == AND_ALSO || op == EQUAL || op == UNEQUAL || op == LESS_EQUAL ||
            op == GREATER_EQUAL || op == LEFT || op == RIGHT)
            lexer_advance(x);
        lexer_advance(x);
        const struct value b = parse_binary(r, (uint8_t)(precedence + 1));
        check_kinds(r, a, b, line);
        a = a.kind == OPERAND_INT ? compute_integer(r, op, a, b, line)
                                  : compute_real(r, op, real(a), real(b), line);
    }
}

static struct value parse_condition(struct reader *r)
{
    struct lexer *x = r->lexer;
    const struct value condition = parse_binary(r, 1);
    const uint32_t line = x->token.line;
    if (!lexer_accept(x, '?'))
        return condition;
    need_integer(r, condition, line, "?");
    if (++r->depth > MAX_DEPTH)
        ptx_fail(x->context, line, "an expression nests too deeply; expected at most %d levels",
                 MAX_DEPTH);
    const struct value a = parse_condition(r);
    lexer_expect(x, ':', "between two values");
    const struct value b = parse_condition(r);
    r->depth--;
    check_kinds(r, a, b, line);
    struct value v = condition.bits ? a : b;
    v.is_unsigned = a.is_unsigned || b.is_unsigned;
    return v;
}

void expression_parse(struct lexer *x, struct operand *o, const char *what)
{
    struct reader r = {x, what, 0};
    const struct value v = parse_condition(&r);
    *o = (struct operand){.kind = v.kind, .value = v.bits};
}

uint64_t expression_integer(struct lexer *x, uint64_t most, const char *what)
{
    struct reader r = {x, what, 0};
    const uint32_t line = x->token.line;
    const struct value v = parse_condition(&r);
    if (v.kind != OPERAND_INT)
        ptx_fail(x->context, line, "a floating-point number; expected %s", what);
    if (v.bits > most)
        ptx_fail(x->context, line, "%llu is too large; expected %s up to %llu",
                 (unsigned long long)v.bits, what, (unsigned long long)most);
    return v.bits;
}

int64_t expression_offset(struct lexer *x)
{
    struct reader r = {x, "an offset", 0};
    uint64_t offset = 0;
    while (x->token.kind == '+' || x->token.kind == '-') {
        const int negative = x->token.kind == '-';
        const uint32_t line = x->token.line;
        lexer_advance(x);
        const struct value v = parse_binary(&r, TERM);
        if (v.kind != OPERAND_INT)
            ptx_fail(x->context, line, "a floating-point number; expected an offset");
        offset += negative ? -v.bits : v.bits;
    }
    return (int64_t)offset;
}
