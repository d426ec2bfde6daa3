/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/indirect.c: what an indirect call says of the functions that it may call, and an indirect
 * branch of its targets. */
#include "tb/ptx/parse/parse.h"

/* .callprototype (.param .b32 _) _ (.param .b64 _); */
void parse_prototype(struct parser *p, const struct scope *scope, struct symbol *label)
{
    struct lexer *x = &p->lexer;
    const struct scope *own = symbols_scope(&p->symbols, scope, x->token.line);
    struct body *b = label->body = ptx_scratch(p->context, 1, sizeof *b);
    label->kind = SYMBOL_PROTOTYPE;
    b->name = label->name;
    b->last_register = &b->registers;
    lexer_advance(x);
    parse_formals(p, own, b, &b->results);
    lexer_word(x, "'_' for the function's name");
    parse_formals(p, own, b, &b->params);
    while (x->token.kind == TOKEN_DOT) /* .noreturn, .abi_preserve ... */
        lexer_advance(x);
    lexer_expect(x, ';', "after a prototype");
}

/* .calltargets f, g; */
void parse_targets(struct parser *p, const struct scope *scope, struct symbol *label)
{
    struct lexer *x = &p->lexer;
    label->kind = SYMBOL_TARGETS;
    lexer_advance(x);
    do {
        const uint32_t line = x->token.line;
        const char *name = lexer_word(x, "a function's name");
        struct symbol *y = symbols_find(&p->symbols, scope, name);
        if (!y || y->kind != SYMBOL_FUNCTION)
            ptx_fail(p->context, line, "'%.100s' is not a function", name);
        parse_take(p, y);
        label->first = label->first ? label->first : y;
    } while (lexer_accept(x, ','));
    lexer_expect(x, ';', "after the functions");
}

/* .branchtargets A, B; */
void parse_branches(struct parser *p, struct symbol *label)
{
    struct lexer *x = &p->lexer;
    label->kind = SYMBOL_BRANCHES;
    lexer_advance(x);
    do {
        label->labels = ptx_grow(p->context, label->labels, label->num_labels, sizeof(char *));
        label->labels[label->num_labels++] = lexer_word(x, "a label");
    } while (lexer_accept(x, ','));
    lexer_expect(x, ';', "after the labels");
}
