/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/parse.c: expressions, by recursive descent. See expr.h. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/claims/expr.h"

#define MAX_DEPTH 100 /* of brackets within brackets */
#define MAX_LIST  16  /* axes, conditions */

struct parser {
    const char *text;
    int at, depth;
    struct arena *memory;
    struct expr_error *error;
    int failed;
};

static const struct expr *parse_or(struct parser *p);

__attribute__((format(printf, 2, 3))) static void *fail(struct parser *p, const char *format, ...)
{
    va_list args;
    if (p->failed++)
        return NULL;
    va_start(args, format);
    vsnprintf(p->error->what, sizeof p->error->what, format, args);
    va_end(args);
    p->error->at = p->at;
    return NULL;
}

static void *unexpected(struct parser *p, const char *expected)
{
    const int length = (int)strcspn(p->text + p->at, " \t");
    return *(p->text + p->at) ? fail(p, "'%.*s'; expected %s", length > 30 ? 30 : length,
                                     p->text + p->at, expected)
                              : fail(p, "the end; expected %s", expected);
}

static char peek(struct parser *p)
{
    p->at += (int)strspn(p->text + p->at, " \t");
    return p->text[p->at];
}

static int word_char(char ch)
{
    return isalnum((unsigned char)ch) || ch == '_';
}

/* A symbol, or a word that ends there. */
static int take(struct parser *p, const char *token)
{
    const size_t length = strlen(token);
    peek(p);
    if (strncmp(p->text + p->at, token, length) ||
        (word_char(*token) && (word_char(p->text[p->at + (int)length]))))
        return 0;
    p->at += (int)length;
    return 1;
}

static int expect(struct parser *p, const char *token)
{
    char quoted[16];
    if (p->failed || take(p, token))
        return !p->failed;
    snprintf(quoted, sizeof quoted, "'%s'", token);
    unexpected(p, quoted);
    return 0;
}

static struct expr *node(struct parser *p, enum expr_kind kind, enum expr_op op, int at)
{
    struct expr *e = arena_alloc(p->memory, sizeof *e, _Alignof(struct expr));
    if (!e)
        no_memory();
    e->kind = kind;
    e->op = op;
    e->at = at;
    return e;
}

static const struct expr *binary(struct parser *p, enum expr_op op, int at, const struct expr *a,
                                 const struct expr *b)
{
    struct expr *e = node(p, EXPR_BINARY, op, at);
    e->a = a;
    e->b = b;
    return e;
}

/* A name: words joined by dots. NULL, and nothing is taken, where there is none. */
static const char *take_name(struct parser *p)
{
    const int begin = (peek(p), p->at);
    int end = begin;
    if (!isalpha((unsigned char)p->text[end]) && p->text[end] != '_')
        return NULL;
    while (word_char(p->text[end]) || (p->text[end] == '.' && word_char(p->text[end + 1])))
        end++;
    p->at = end;
    return arena_copy(p->memory, p->text + begin, (size_t)(end - begin));
}

/* axis, axis: or nothing, and then nothing is taken. */
static int take_axes(struct parser *p, struct expr *e)
{
    const int begin = p->at;
    const char *names[MAX_LIST];
    int count = 0;
    do
        if (count == MAX_LIST || !(names[count++] = take_name(p))) {
            p->at = begin;
            return 0;
        }
    while (take(p, ","));
    if (!take(p, ":")) {
        p->at = begin;
        return 0;
    }
    e->num_axes = count;
    e->axes = arena_copy(p->memory, names, (size_t)count * sizeof names[0]);
    return 1;
}

static const struct function {
    const char *name;
    enum expr_op op;
    int numbers; /* so many arguments; 0: over axes only */
    int folds;   /* over axes */
} functions[] = {
    {"abs", OP_ABS, 1, 0},     {"sqrt", OP_SQRT, 1, 0},   {"round", OP_ROUND, 1, 0},
    {"min", OP_MIN, 2, 1},     {"max", OP_MAX, 2, 1},     {"sum", OP_SUM, 0, 1},
    {"mean", OP_MEAN, 0, 1},   {"gmean", OP_GMEAN, 0, 1}, {"hmean", OP_HMEAN, 0, 1},
    {"count", OP_COUNT, 0, 1}, {"all", OP_ALL, 0, 1},     {"any", OP_ANY, 0, 1},
};

/* After "name(". */
static const struct expr *parse_call(struct parser *p, const char *name, int at)
{
    const int least = !strcmp(name, "where_min"), where = least || !strcmp(name, "where_max"),
              alone = !strcmp(name, "alone");
    const struct function *f = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0] && !f; i++)
        if (!strcmp(functions[i].name, name))
            f = &functions[i];
    if (!f && !where && !alone) {
        p->at = at;
        return fail(p,
                    "'%s': unknown function; expected sum, mean, gmean, hmean, min, max, count, "
                    "all, any, where_min, where_max, alone, abs, sqrt or round",
                    name);
    }
    if (alone) {
        struct expr *e = node(p, EXPR_ALONE, OP_SUM, at);
        e->a = parse_or(p);
        expect(p, ")");
        return e;
    }
    struct expr *e = node(p, where ? EXPR_WHERE : EXPR_FOLD,
                          where ? least ? OP_MIN : OP_MAX
                          : f   ? f->op
                                : OP_SUM,
                          at);
    if (take_axes(p, e)) {
        if (!where && !f->folds)
            return fail(p, "%s over an axis; expected %s(number)", name, name);
        e->a = parse_or(p);
        if (where && expect(p, ":"))
            e->b = parse_or(p);
        expect(p, ")");
        return e;
    }
    if (where || !f->numbers)
        return fail(p, "no axis; expected %s(axis, ...: expression%s)", name,
                    where ? ": expression" : "");
    e->a = parse_or(p);
    if (f->numbers == 2 && expect(p, ","))
        e->b = parse_or(p);
    e->kind = f->numbers == 2 ? EXPR_BINARY : EXPR_UNARY;
    expect(p, ")");
    return e;
}

/* A word within {...}: anything up to its end, or what stands in quotes. */
static const char *take_value(struct parser *p)
{
    const int quoted = peek(p) == '"';
    const char *begin = p->text + p->at + quoted;
    size_t length = strcspn(begin, quoted ? "\"" : ",=}{\" \t");
    if (quoted ? begin[length] != '"' : !length)
        return unexpected(p, quoted ? "another quotation mark" : "a name of runs or axis=value");
    p->at += (int)length + 2 * quoted;
    return arena_copy(p->memory, begin, length);
}

/* After '{'. */
static const struct expr *parse_filter(struct parser *p, const struct expr *of)
{
    struct expr_filter filters[MAX_LIST];
    struct expr *e = node(p, EXPR_FILTER, OP_ADD, of ? of->at : p->at);
    int count = 0;
    do {
        if (count == MAX_LIST)
            return fail(p, "more than %d conditions", MAX_LIST);
        struct expr_filter *f = &filters[count++];
        *f = (struct expr_filter){.at = (peek(p), p->at)};
        f->value = take_value(p);
        if (!p->failed && take(p, "=")) {
            f->axis = f->value;
            f->value = take_value(p);
        }
        if (p->failed)
            return NULL;
    } while (take(p, ","));
    expect(p, "}");
    e->a = of;
    e->num_filters = count;
    e->filters = arena_copy(p->memory, filters, (size_t)count * sizeof filters[0]);
    return e;
}

static const struct expr *parse_number(struct parser *p)
{
    const char *begin = p->text + p->at;
    size_t length = strspn(begin, "0123456789");
    if (begin[length] == '.' && isdigit((unsigned char)begin[length + 1]))
        length += 1 + strspn(begin + length + 1, "0123456789");
    if (length && (begin[length] == 'e' || begin[length] == 'E')) {
        const size_t sign = begin[length + 1] == '-' || begin[length + 1] == '+';
        if (isdigit((unsigned char)begin[length + 1 + sign]))
            length += 1 + sign + strspn(begin + length + 1 + sign, "0123456789");
    }
    if (!length || length > 40 || word_char(begin[length]) || begin[length] == '.')
        return unexpected(p, "a number, a name or '('");
    char digits[41];
    struct expr *e = node(p, EXPR_NUMBER, OP_ADD, p->at);
    memcpy(digits, begin, length);
    digits[length] = 0;
    e->number = strtod(digits, NULL);
    p->at += (int)length;
    return e;
}

static const struct expr *parse_primary(struct parser *p)
{
    const int at = (peek(p), p->at);
    const struct expr *e;
    if (take(p, "(")) {
        e = parse_or(p);
        expect(p, ")");
    } else {
        const char *name = take_name(p);
        if (name && take(p, "("))
            e = parse_call(p, name, at);
        else if (name) {
            struct expr *named = node(p, EXPR_NAME, OP_ADD, at);
            named->name = name;
            e = named;
        } else
            e = parse_number(p);
    }
    while (!p->failed && take(p, "{"))
        e = parse_filter(p, e);
    return e;
}

static const struct expr *parse_unary(struct parser *p)
{
    const int at = (peek(p), p->at), negative = take(p, "-");
    if (p->depth == MAX_DEPTH)
        return fail(p, "brackets more than %d deep", MAX_DEPTH);
    p->depth++;
    const struct expr *e = negative ? parse_unary(p) : parse_primary(p);
    if (!p->failed && negative) {
        struct expr *minus = node(p, EXPR_UNARY, OP_NEG, at);
        minus->a = e;
        e = minus;
    } else if (!p->failed && take(p, "^"))
        e = binary(p, OP_POW, at, e, parse_unary(p));
    p->depth--;
    return e;
}

static const struct {
    const char *token;
    enum expr_op op;
    int level;
} operators[] = {
    {"*", OP_MUL, 0}, {"/", OP_DIV, 0}, {"+", OP_ADD, 1},   {"-", OP_SUB, 1},
    {"<=", OP_LE, 2}, {">=", OP_GE, 2}, {"==", OP_EQ, 2},   {"!=", OP_NE, 2},
    {"<", OP_LT, 2},  {">", OP_GT, 2},  {"and", OP_AND, 4}, {"or", OP_OR, 5},
};

/* Operators of this level bind more tightly than those of the next; comparisons do not chain. */
static const struct expr *parse_level(struct parser *p, int level)
{
    const int at = (peek(p), p->at);
    if (level < 0)
        return parse_unary(p);
    if (level == 3) {
        if (p->depth == MAX_DEPTH || !take(p, "not"))
            return p->depth == MAX_DEPTH ? fail(p, "brackets more than %d deep", MAX_DEPTH)
                                         : parse_level(p, 2);
        struct expr *e = node(p, EXPR_UNARY, OP_NOT, at);
        p->depth++;
        e->a = parse_level(p, 3);
        p->depth--;
        return e;
    }
    const struct expr *e = parse_level(p, level - 1);
    for (size_t i = 0; i < sizeof operators / sizeof operators[0] && !p->failed; i++)
        if (operators[i].level == level && take(p, operators[i].token)) {
            e = binary(p, operators[i].op, at, e, parse_level(p, level - 1));
            i = level == 2 ? sizeof operators / sizeof operators[0] - 1 : (size_t)-1;
        }
    return e;
}

static const struct expr *parse_or(struct parser *p)
{
    return p->failed ? NULL : parse_level(p, 5);
}

const struct expr *expr_parse(const char *text, struct arena *memory, struct expr_error *e)
{
    struct parser p = {.text = text, .memory = memory, .error = e};
    *e = (struct expr_error){0};
    const struct expr *root = parse_or(&p);
    if (!p.failed && peek(&p))
        unexpected(&p, "an operator or the end");
    return p.failed ? NULL : root;
}
