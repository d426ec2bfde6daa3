/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/operand.c: %r1, %tid.x, 4, 0f3F800000, buf+4, {a, b}, [%rd1+8], %p1|%p2, !%p1,
 * -%r1, %r1.b0, _. */
#include <string.h>

#include "tb/ptx/parse/expression.h"
#include "tb/ptx/parse/parse.h"

/* Shared and local memory and registers of the module: each kernel that names them has its own. */
static void use_outer(struct parser *p, struct body *b, struct symbol *y)
{
    b->outer = ptx_grow(p->context, b->outer, b->num_outer, sizeof(struct symbol *));
    b->outer[b->num_outer++] = y;
    p->num_shared += y->kind == SYMBOL_REGISTER;
}

void parse_use_register(struct parser *p, struct body *b, struct symbol *y)
{
    const int is_outer = y->scope == p->module_scope;
    if (is_outer && y->named_by != b->number)
        use_outer(p, b, y);
    if (!y->named_by) {
        struct symbol ***last = is_outer ? &p->last_register : &b->last_register;
        **last = y;
        *last = &y->next_register;
    }
    y->named_by = b->number;
}

static void use_variable(struct parser *p, struct body *b, struct symbol *y)
{
    if (y->named_by == b->number)
        return;
    y->named_by = b->number;
    if ((y->space == SPACE_SHARED || y->space == SPACE_LOCAL) && y->scope == p->module_scope)
        use_outer(p, b, y);
}

/* The elements of a vector register are registers of their own: v.x, v.y and so on. */
static void make_elements(struct parser *p, struct symbol *y)
{
    static const char *const components[] = {".x", ".y", ".z", ".w"};
    y->elements = ptx_scratch(p->context, y->width, sizeof *y->elements);
    for (uint32_t i = 0; i < y->width; i++) {
        char *name = ptx_scratch(p->context, strlen(y->name) + 3, 1);
        y->elements[i] = (struct symbol){.name = strcat(strcpy(name, y->name), components[i]),
                                         .scope = y->scope,
                                         .kind = SYMBOL_REGISTER,
                                         .line = y->line,
                                         .type = y->type,
                                         .width = 1};
    }
}

static void parse_register_operand(struct parser *p, struct body *b, struct symbol *y,
                                   struct operand *o)
{
    parse_use_register(p, b, y);
    *o = (struct operand){.kind = OPERAND_REGISTER, .name = y->name, .symbol = y};
}

/* v.x or v.r, or all of v. */
static void parse_vector_register(struct parser *p, struct body *b, struct symbol *y,
                                  struct operand *o)
{
    static const char components[] = "xyzwrgba";
    struct lexer *x = &p->lexer;
    const char *which = x->token.kind == TOKEN_DOT && strlen(x->token.text) == 2
                            ? strchr(components, x->token.text[1])
                            : NULL;
    if (!y->elements)
        make_elements(p, y);
    if (which && (which - components) % 4 < (ptrdiff_t)y->width) {
        lexer_advance(x);
        parse_register_operand(p, b, &y->elements[(which - components) % 4], o);
        return;
    }
    o->kind = OPERAND_VECTOR;
    o->symbol = y;
    o->count = (uint8_t)y->width;
    o->elements = ptx_scratch(p->context, y->width, sizeof *o->elements);
    for (uint32_t i = 0; i < y->width; i++)
        parse_register_operand(p, b, &y->elements[i], &o->elements[i]);
}

static void parse_word(struct parser *p, struct body *b, const struct scope *scope,
                       struct operand *o)
{
    struct lexer *x = &p->lexer;
    const char *name = lexer_word(x, "an operand");
    o->name = name;
    if (!strcmp(name, "_")) {
        o->kind = OPERAND_SINK;
        return;
    }
    struct symbol *y = symbols_find(&p->symbols, scope, name);
    if (!y) {
        o->kind = OPERAND_NAME;
        parse_special(p, name, o);
    } else if (y->kind == SYMBOL_REGISTER && y->width > 1) {
        parse_vector_register(p, b, y, o);
    } else if (y->kind == SYMBOL_REGISTER) {
        parse_register_operand(p, b, y, o);
    } else if (y->kind == SYMBOL_VARIABLE || y->kind == SYMBOL_PARAM) {
        o->kind = OPERAND_SYMBOL;
        o->symbol = y;
        o->offset = expression_offset(x);
        use_variable(p, b, y);
    } else if (y->kind == SYMBOL_FUNCTION) {
        y->named_by = b->number;
        o->kind = OPERAND_FUNCTION;
        o->symbol = y;
    } else {
        o->kind = OPERAND_NAME;
    }
}

/* Is the current token a name, and not the constant that looks like one? */
static int is_name(const struct lexer *x)
{
    return x->token.kind == TOKEN_WORD && strcmp(x->token.text, "WARP_SZ") != 0;
}

/* Elements, separated by commas, up to `close`. */
static void parse_elements(struct parser *p, struct body *b, const struct scope *scope,
                           struct operand *o, int close, uint32_t most)
{
    struct lexer *x = &p->lexer;
    do {
        if (o->count == most)
            lexer_fail(x, close == ')' ? "at most 255 arguments" : "at most 8 elements");
        o->elements = ptx_grow(p->context, o->elements, o->count, sizeof *o->elements);
        struct operand *element = &o->elements[o->count++];
        if (is_name(x))
            parse_word(p, b, scope, element);
        else
            expression_parse(x, element, "an operand");
    } while (lexer_accept(x, ','));
    lexer_expect(x, close, close == ')' ? "after the arguments" : "after a vector");
}

/* A sampler, or coordinates. */
static void parse_coordinate(struct parser *p, struct body *b, const struct scope *scope,
                             struct operand *o)
{
    if (!lexer_accept(&p->lexer, '{')) {
        parse_word(p, b, scope, o);
        return;
    }
    o->kind = OPERAND_VECTOR;
    parse_elements(p, b, scope, o, '}', MAX_VECTOR);
}

static void parse_address(struct parser *p, struct body *b, const struct scope *scope,
                          struct operand *o)
{
    struct lexer *x = &p->lexer;
    o->kind = OPERAND_ADDRESS;
    if (is_name(x)) {
        o->count = 1;
        o->elements = ptx_scratch(p->context, MAX_ADDRESS, sizeof *o->elements);
        parse_word(p, b, scope, o->elements);
        o->offset = expression_offset(x);
        while (o->count < MAX_ADDRESS && lexer_accept(x, ','))
            parse_coordinate(p, b, scope, &o->elements[o->count++]);
    } else {
        expression_parse(x, o, "an address");
        if (o->kind != OPERAND_INT)
            lexer_fail(x, "an address of integers");
        o->kind = OPERAND_ADDRESS;
        o->offset = (int64_t)o->value;
    }
    lexer_expect(x, ']', "after an address");
}

/* A register, of which video instructions choose a part: %r1.b0, %r1.h32. */
static void parse_part(struct parser *p, struct body *b, const struct scope *scope,
                       struct operand *o)
{
    const struct token *t = &p->lexer.token;
    parse_word(p, b, scope, o);
    if (o->kind == OPERAND_REGISTER && t->kind == TOKEN_DOT && strchr("bh", t->text[1]) &&
        t->text[2] >= '0' && t->text[2] <= '9') {
        o->selector = t->text;
        lexer_advance(&p->lexer);
    }
}

/* p|q, where p has been parsed; or {...}|p. */
static void parse_second(struct parser *p, struct body *b, const struct scope *scope,
                         struct operand *o)
{
    if (!lexer_accept(&p->lexer, '|'))
        return;
    struct operand *pair = ptx_scratch(p->context, 2, sizeof *pair);
    pair[0] = *o;
    parse_word(p, b, scope, &pair[1]);
    *o = (struct operand){.kind = OPERAND_PAIR, .count = 2, .elements = pair};
}

void parse_operand(struct parser *p, struct body *b, const struct scope *scope, struct operand *o,
                   int call)
{
    struct lexer *x = &p->lexer;
    if (lexer_accept(x, '{')) {
        o->kind = OPERAND_VECTOR;
        parse_elements(p, b, scope, o, '}', MAX_VECTOR);
        parse_second(p, b, scope, o);
    } else if (call && lexer_accept(x, '(')) {
        o->kind = OPERAND_LIST;
        if (!lexer_accept(x, ')'))
            parse_elements(p, b, scope, o, ')', MAX_ARGUMENTS);
    } else if (lexer_accept(x, '[')) {
        parse_address(p, b, scope, o);
    } else if (x->token.kind == '!' && x->next.kind == TOKEN_WORD) {
        lexer_advance(x);
        parse_word(p, b, scope, o);
        o->negated = 1;
    } else if (x->token.kind == '-' && x->next.kind == TOKEN_WORD &&
               strcmp(x->next.text, "WARP_SZ")) {
        lexer_advance(x);
        parse_part(p, b, scope, o);
        o->minus = 1;
    } else if (is_name(x)) {
        parse_part(p, b, scope, o);
        parse_second(p, b, scope, o);
    } else {
        expression_parse(x, o, "an operand");
    }
}

const struct symbol *parse_register(struct parser *p, struct body *b, const struct scope *scope)
{
    struct operand o = {0};
    uint32_t line = p->lexer.token.line;
    parse_word(p, b, scope, &o);
    if (o.kind != OPERAND_REGISTER || o.symbol->type != T_PRED)
        ptx_fail(p->context, line, "guard '%.100s'; expected a predicate register", o.name);
    return o.symbol;
}
