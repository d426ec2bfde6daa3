/* SPDX-License-Identifier: Apache-2.0 */
/* synth/liberty/function.c: see function.h. */
#include "synth/liberty/function.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MAX_BRACKETS 32

struct parser {
    struct function *f;
    const char *text, *at;
    function_resolve *resolve;
    const void *user;
    char *why;
    size_t size;
    unsigned brackets, depth; /* depth: values that are there at this point */
};

static int parse_or(struct parser *p);

static int fail(struct parser *p, const char *what)
{
    snprintf(p->why, p->size, "\"%.100s\", at character %zu: %s", p->text,
             (size_t)(p->at - p->text) + 1, what);
    return -1;
}

static int step(struct parser *p, enum function_op op, int input)
{
    struct function *f = p->f;
    if (f->count == FUNCTION_OPS)
        return fail(p, "too long");
    if (op <= FUNCTION_1 && ++p->depth > FUNCTION_DEPTH)
        return fail(p, "too deep");
    p->depth -= op >= FUNCTION_AND;
    f->steps[f->count++] = (struct function_step){(uint8_t)op, (uint8_t)input};
    return 0;
}

static char peek(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
    return *p->at;
}

static int name_char(char ch)
{
    return isalnum((unsigned char)ch) || ch == '_' || ch == '[' || ch == ']' || ch == '.';
}

/* A name, a constant or brackets. */
static int parse_operand(struct parser *p)
{
    const char first = peek(p);
    if (first == '(') {
        if (++p->brackets > MAX_BRACKETS)
            return fail(p, "too many brackets");
        p->at++;
        if (parse_or(p))
            return -1;
        if (peek(p) != ')')
            return fail(p, "expected ')'");
        p->at++;
        p->brackets--;
        return 0;
    }
    size_t length = 0;
    while (name_char(p->at[length]))
        length++;
    if (!length)
        return fail(p, "expected the name of a pin, 0, 1 or '('");
    if (length == 1 && (first == '0' || first == '1')) {
        p->at++;
        return step(p, first == '0' ? FUNCTION_0 : FUNCTION_1, 0);
    }
    const int input = p->resolve(p->user, p->at, length);
    if (input < 0)
        return fail(p, "no pin has this name");
    p->at += length;
    return step(p, FUNCTION_INPUT, input);
}

static int parse_not(struct parser *p)
{
    unsigned inverted = 0;
    while (peek(p) == '!') {
        p->at++;
        inverted ^= 1;
    }
    if (parse_operand(p))
        return -1;
    while (peek(p) == '\'') {
        p->at++;
        inverted ^= 1;
    }
    return inverted ? step(p, FUNCTION_NOT, 0) : 0;
}

static int parse_xor(struct parser *p)
{
    if (parse_not(p))
        return -1;
    while (peek(p) == '^') {
        p->at++;
        if (parse_not(p) || step(p, FUNCTION_XOR, 0))
            return -1;
    }
    return 0;
}

/* Nothing between two operands means and. */
static int parse_and(struct parser *p)
{
    if (parse_xor(p))
        return -1;
    for (;;) {
        const char ch = peek(p);
        if (ch == '&' || ch == '*')
            p->at++;
        else if (ch != '(' && ch != '!' && !name_char(ch))
            return 0;
        if (parse_xor(p) || step(p, FUNCTION_AND, 0))
            return -1;
    }
}

static int parse_or(struct parser *p)
{
    if (parse_and(p))
        return -1;
    while (peek(p) == '+' || *p->at == '|') {
        p->at++;
        if (parse_and(p) || step(p, FUNCTION_OR, 0))
            return -1;
    }
    return 0;
}

int function_parse(struct function *f, const char *text, function_resolve *resolve,
                   const void *user, char *why, size_t size)
{
    struct parser p = {.f = f,
                       .text = text,
                       .at = text,
                       .resolve = resolve,
                       .user = user,
                       .why = why,
                       .size = size};
    f->count = 0;
    if (parse_or(&p))
        return -1;
    return peek(&p) ? fail(&p, "expected an operator or the end") : 0;
}

uint64_t function_value(const struct function *f, const uint64_t *inputs)
{
    uint64_t values[FUNCTION_DEPTH + 1];
    unsigned top = 0; /* the last value is values[top] */
    values[0] = 0;
    for (unsigned i = 0; i < f->count; i++)
        switch ((enum function_op)f->steps[i].op) {
        case FUNCTION_INPUT: values[++top] = inputs[f->steps[i].input]; break;
        case FUNCTION_0: values[++top] = 0; break;
        case FUNCTION_1: values[++top] = UINT64_MAX; break;
        case FUNCTION_NOT: values[top] = ~values[top]; break;
        case FUNCTION_AND: top--, values[top] &= values[top + 1]; break;
        case FUNCTION_OR: top--, values[top] |= values[top + 1]; break;
        case FUNCTION_XOR: top--, values[top] ^= values[top + 1]; break;
        }
    return values[top];
}
