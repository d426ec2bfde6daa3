/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/expand.c: from a row's text to its instructions. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/op/op.h"

static const struct op_space spaces[] = {
    {".global", "%a0", SPACE_GLOBAL, "ruwa"},
    {"", "%a0", SPACE_GLOBAL, "ruwa"},
    {".shared", "%a1", SPACE_SHARED, "rwa"},
    {".shared", "%c1", SPACE_SHARED, "rwa"},
    {".shared::cta", "%a1", SPACE_SHARED, "rwa"},
    {"", "%a2", SPACE_SHARED, "rwa"},
    {".local", "%a3", SPACE_LOCAL, "rw"},
    {".local", "%c3", SPACE_LOCAL, "rw"},
    {"", "%a4", SPACE_LOCAL, "rw"},
    {".const", "%a5", SPACE_CONST, "r"},
    {".param", "in", SPACE_PARAM, "r"},
    {".param::entry", "in", SPACE_PARAM, "r"},
    {".param::func", "in", SPACE_PARAM, "r"},
};

/* Writes `text` with the `length` characters at `at` replaced. */
static void replace(char *out, size_t room, const char *text, const char *at, size_t length,
                    const char *with)
{
    int n = snprintf(out, room, "%.*s%s%s", (int)(at - text), text, with, at + length);
    if (n < 0 || (size_t)n >= room)
        fail_msg("row too long: %s", text);
}

int op_has(const struct op *op, const char *modifier)
{
    size_t length = strlen(modifier);
    for (const char *at = op->opcode; (at = strstr(at, modifier)); at++)
        if (at[length] == '.' || at[length] == '\0')
            return 1;
    return 0;
}

/* The letter of the registers that hold a type. */
static char letter_of(struct op_type type)
{
    if (type.kind == 'p')
        return 'p';
    if (type.kind == 'f' && type.bits > 16)
        return type.bits == 32 ? 'f' : 'g';
    return type.bits == 8 ? 'b' : type.bits == 16 ? 'h' : type.bits == 32 ? 'r' : 'd';
}

/* The letters of all registers that may hold the type: floats in untyped ones where they are wider.
 */
static const char *holders(struct op_type type)
{
    if (type.kind == 'f')
        return type.bits == 16 ? "hrd" : type.bits == 32 ? "frd" : "gd";
    return type.bits == 8 ? "bhrd" : type.bits == 16 ? "hrd" : type.bits == 32 ? "rd" : "d";
}

/* ".s32" at `modifier`. */
static int parse_type(const char *modifier, size_t length, struct op_type *type)
{
    if (length == 5 && !strncmp(modifier, ".pred", 5)) {
        *type = (struct op_type){'p', 1};
        return 1;
    }
    if (length == 6 && !strncmp(modifier, ".f16x2", 6)) {
        *type = (struct op_type){'x', 32};
        return 1;
    }
    unsigned bits = (unsigned)atoi(modifier + 2);
    if (length < 3 || length > 4 || !strchr("busf", modifier[1]) ||
        (bits != 8 && bits != 16 && bits != 32 && bits != 64))
        return 0;
    *type = (struct op_type){modifier[1], bits};
    return 1;
}

static void parse_modifier(struct op *op, const char *at, size_t length, int *num_types)
{
    struct op_type type;
    if (parse_type(at, length, &type)) {
        op->from = type;
        if ((*num_types)++ == 0)
            op->type = type;
    } else if (at[1] == 'r' && (length == 3 || (length == 4 && at[3] == 'i')) &&
               strchr("nzmp", at[2])) {
        op->round = at[2];
        op->integral = length == 4;
    } else if (length == 3 && at[1] == 'v') {
        op->vec = (unsigned)(at[2] - '0');
    }
}

/* Fills op from op->text. */
static void parse(struct op *op)
{
    size_t length = strcspn(op->text, " ");
    int num_types = 0;
    snprintf(op->opcode, sizeof op->opcode, "%.*s", (int)length, op->text);
    op->round = 'n';
    op->vec = 1;
    for (const char *at = strchr(op->opcode, '.'); at; at = strchr(at + 1, '.'))
        parse_modifier(op, at, 1 + strcspn(at + 1, "."), &num_types);
    op->ftz = op_has(op, ".ftz");
    op->sat = op_has(op, ".sat");
}

struct expansion {
    void (*each)(void *, const struct op *);
    void *context;
    const struct op_space *space;
    unsigned offset;
};

static void expand(struct expansion x, const char *text);

static void expand_alternatives(struct expansion x, const char *text, const char *open)
{
    const char *close = strchr(open, '>');
    if (!close)
        fail_msg("'%s': '<' without '>'", text);
    for (const char *at = open + 1; at <= close; at += strcspn(at, "|>") + 1) {
        char one[192], chosen[64];
        snprintf(chosen, sizeof chosen, "%.*s", (int)strcspn(at, "|>"), at);
        replace(one, sizeof one, text, open, (size_t)(close - open) + 1, chosen);
        expand(x, one);
    }
}

static void expand_spaces(struct expansion x, const char *text, const char *at)
{
    for (unsigned i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        char one[192], both[192];
        if (!strchr(spaces[i].uses, at[1]))
            continue;
        replace(one, sizeof one, text, at, 2, spaces[i].modifier);
        const char *address = strchr(one, '$');
        if (!address)
            fail_msg("'%s': '@' without '$'", text);
        x.space = &spaces[i];
        x.offset = (unsigned)strtoul(address + 1, NULL, 10);
        replace(both, sizeof both, one, address, 1, spaces[i].address);
        expand(x, both);
    }
}

/* Gives the registers that are written like the one at `at` their letters. */
static void expand_registers(struct expansion x, const char *text, const char *at)
{
    const char how = strchr("*~W:", at[1]) ? at[1] : '\0';
    struct op op = {0};
    snprintf(op.text, sizeof op.text, "%s", text);
    parse(&op);
    const struct op_type wide = {op.type.kind, 2 * op.type.bits};
    const char own[2] = {letter_of(how == 'W' ? wide : how == ':' ? op.from : op.type), '\0'};
    const char *letters = how == '*' ? holders(op.type) : how == '~' ? holders(op.from) : own;
    for (; *letters; letters++) {
        char one[192];
        size_t n = 0;
        for (const char *from = text; *from && n + 2 < sizeof one; from++) {
            const int here = *from == '%' && (how ? from[1] == how : isdigit(from[1]));
            one[n++] = *from;
            if (here) {
                one[n++] = *letters;
                from += how != '\0';
            }
        }
        one[n] = '\0';
        expand(x, one);
    }
}

static void expand(struct expansion x, const char *text)
{
    const char *at = strchr(text, '<');
    if (at) {
        expand_alternatives(x, text, at);
        return;
    }
    at = strchr(text, '@');
    if (at) {
        expand_spaces(x, text, at);
        return;
    }
    for (at = strchr(text, '%'); at; at = strchr(at + 1, '%'))
        if (strchr("*~W:", at[1]) || isdigit(at[1])) {
            expand_registers(x, text, at);
            return;
        }
    struct op op = {.space = x.space, .offset = x.offset};
    snprintf(op.text, sizeof op.text, "%s", text);
    parse(&op);
    x.each(x.context, &op);
}

void op_expand(const char *text, void (*each)(void *, const struct op *), void *context)
{
    expand((struct expansion){each, context, NULL, 0}, text);
}

__int128 op_integer(struct op_type type, uint64_t bits)
{
    const __int128 modulus = (__int128)1 << type.bits;
    __int128 x = bits % modulus;
    return type.kind == 's' && x >= modulus / 2 ? x - modulus : x;
}

__int128 op_saturated(struct op_type type, __int128 x)
{
    const __int128 modulus = (__int128)1 << type.bits;
    __int128 least = type.kind == 's' ? -modulus / 2 : 0, most = least + modulus - 1;
    return x < least ? least : x > most ? most : x;
}
