/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/initialiser.c: = 5, = {1, 0f3F800000}, = {{1, 2}, {3}}, = {table, generic(table)+8},
 * = {0xff(table), 0xff00(table)}.
 */
#include <string.h>

#include "tb/ptx/parse/expression.h"
#include "tb/ptx/parse/literal.h"
#include "tb/ptx/parse/parse.h"
#include "tb/ptx/type.h"

struct initialiser {
    struct parser *parser;
    const struct scope *scope;
    struct ptx_var *var;
    enum ptx_type type;
    const uint64_t *dims;
    uint32_t num_dims;
};

/* Addresses have eight bytes, and 0xff00(name) is one of them, the second. */
static void check_room(struct initialiser *i, const char *name, uint32_t byte, uint32_t line)
{
    if (byte ? type_bytes(i->type) != 1 : type_bytes(i->type) != 8 || type_is_float(i->type))
        ptx_fail(i->parser->context, line, "%s address of '%.60s' in a %s; expected %s",
                 byte ? "a byte of the" : "the", name, type_name(i->type),
                 byte ? ".u8 or .b8" : ".u64 or .b64");
}

/* What mov makes of a function's name. */
static void parse_function_address(struct initialiser *i, struct symbol *y, uint64_t at,
                                   uint32_t byte, uint32_t line)
{
    struct parser *p = i->parser;
    check_room(i, y->name, byte, line);
    parse_take(p, y);
    uint64_t address = ptx_function_address(y->taken);
    address >>= byte ? 8 * (byte - 1) : 0;
    memcpy(i->var->init + at, &address, byte ? 1 : sizeof address);
}

/* The address of a variable that is declared above, and an offset. A global's generic address is
 * its address. */
static void parse_address(struct initialiser *i, uint64_t at, uint32_t byte)
{
    struct parser *p = i->parser;
    struct lexer *x = &p->lexer;
    uint32_t line = x->token.line;
    int generic = lexer_accept_text(x, TOKEN_WORD, "generic");
    if (generic)
        lexer_expect(x, '(', "after generic");
    const char *name = lexer_word(x, "a variable's name");
    struct symbol *y = symbols_find(&p->symbols, i->scope, name);
    if (y && y->kind == SYMBOL_FUNCTION && !generic) {
        parse_function_address(i, y, at, byte, line);
        return;
    }
    if (!y || y->kind != SYMBOL_VARIABLE || (y->space != SPACE_GLOBAL && y->space != SPACE_CONST) ||
        y->undefined || y->index == p->num_vars)
        ptx_fail(p->context, line,
                 "'%.60s' cannot be an initial value; expected a number, or a .global or .const "
                 "variable "
                 "declared above",
                 name);
    check_room(i, name, byte, line);
    if (generic)
        lexer_expect(x, ')', "after the variable's name");
    const uint64_t addend = (uint64_t)expression_offset(x);
    reloc_add(p->context, &p->relocs,
              &(struct reloc){.where = i->var->init + at,
                              .copies = 1,
                              .byte = byte,
                              .var = y->index,
                              .holder = p->num_vars,
                              .addend = addend});
}

/* 0xff00(name): which byte of the address, from 1. */
static uint32_t parse_mask(struct parser *p)
{
    struct lexer *x = &p->lexer;
    for (uint32_t n = 0; n < 8; n++)
        if (x->token.value == UINT64_C(0xff) << 8 * n) {
            lexer_advance(x);
            return n + 1;
        }
    lexer_fail(x, "a mask of one byte, such as 0xff00, before '('");
}

static void parse_scalar(struct initialiser *i, uint64_t at)
{
    struct parser *p = i->parser;
    if (p->lexer.token.kind == TOKEN_WORD && strcmp(p->lexer.token.text, "WARP_SZ") != 0) {
        parse_address(i, at, 0);
        return;
    }
    if (p->lexer.token.kind == TOKEN_INT && p->lexer.next.kind == '(') {
        const uint32_t byte = parse_mask(p);
        lexer_expect(&p->lexer, '(', "after the mask");
        parse_address(i, at, byte);
        lexer_expect(&p->lexer, ')', "after the masked address");
        return;
    }
    struct operand o;
    uint32_t line = p->lexer.token.line;
    expression_parse(&p->lexer, &o, "a number");
    uint64_t bits = literal_bits(p->context, line, &o, i->type);
    memcpy(i->var->init + at, &bits, type_bytes(i->type));
}

/* The elements [at, at + size) of dimension `level` and those inside it. */
static void parse_level(struct initialiser *i, uint32_t level, uint64_t at, uint64_t size)
{
    struct lexer *x = &i->parser->lexer;
    if (level == i->num_dims) {
        parse_scalar(i, at);
        return;
    }
    lexer_expect(x, '{', "before the values of an array");
    uint64_t inner = size / i->dims[level];
    for (uint64_t n = 0; x->token.kind != '}'; n++) {
        if (n == i->dims[level])
            ptx_fail(i->parser->context, x->token.line, "too many values; expected at most %llu",
                     (unsigned long long)n);
        parse_level(i, level + 1, at + n * inner, inner);
        if (!lexer_accept(x, ','))
            break;
    }
    lexer_expect(x, '}', "after the values of an array");
}

void parse_initialiser(struct parser *p, const struct scope *scope, struct ptx_var *var,
                       enum ptx_type type, const uint64_t *dims, uint32_t num_dims)
{
    struct initialiser i = {p, scope, var, type, dims, num_dims};
    parse_level(&i, 0, 0, var->size);
}
