/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse_operand.c: %r1, %tid.x, 4, 0f3F800000, buf+4, {a, b}, [%rd1+8], %p1|%p2, !%p1, _. */
#include <string.h>

#include "tb/ptx/literal.h"
#include "tb/ptx/parse.h"

static const struct {
    const char *name, *component; /* "" where it has none */
    enum ptx_special number;
} specials[] = {
    {"%tid", ".x", SR_TID_X},       {"%tid", ".y", SR_TID_Y},       {"%tid", ".z", SR_TID_Z},
    {"%ntid", ".x", SR_NTID_X},     {"%ntid", ".y", SR_NTID_Y},     {"%ntid", ".z", SR_NTID_Z},
    {"%ctaid", ".x", SR_CTAID_X},   {"%ctaid", ".y", SR_CTAID_Y},   {"%ctaid", ".z", SR_CTAID_Z},
    {"%nctaid", ".x", SR_NCTAID_X}, {"%nctaid", ".y", SR_NCTAID_Y}, {"%nctaid", ".z", SR_NCTAID_Z},
    {"%envreg0", "", SR_ENVREG0},   {"%envreg1", "", SR_ENVREG1},   {"%envreg2", "", SR_ENVREG2},
    {"%envreg3", "", SR_ENVREG3},   {"%laneid", "", SR_LANEID},     {"%warpid", "", SR_WARPID},
    {"%nwarpid", "", SR_NWARPID},
};

/* Registers of the ISA that the machine does not have; the names are needed for a clear message
 * only. A name stands for all that begin with it. */
static const char *const unsupported_specials[] = {
    "%clock",      "%envreg", "%globaltimer", "%gridid",          "%lanemask_",
    "%nsmid",      "%pm",     "%smid",        "%total_smem_size", "%dynamic_smem_size",
    "%tid",        "%ntid",   "%ctaid",       "%nctaid",          "%cluster",
    "%is_explicit"};

/* A word that is no declared name: a special register, or a label that may follow. */
static void parse_undeclared(struct parser *p, const char *name, uint32_t line, struct operand *o)
{
    const char *component = p->lexer.token.kind == TOKEN_DOT ? p->lexer.token.text : "";
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        if (!strcmp(name, specials[i].name) && !strcmp(component, specials[i].component)) {
            o->kind = OPERAND_SPECIAL;
            o->special = specials[i].number;
            if (*component)
                lexer_advance(&p->lexer);
            return;
        }
    for (size_t i = 0; i < sizeof unsupported_specials / sizeof *unsupported_specials; i++)
        if (!strncmp(name, unsupported_specials[i], strlen(unsupported_specials[i])))
            ptx_fail(p->context, line, "special register '%.60s%.60s' is not supported", name,
                     component);
    if (name[0] == '%')
        ptx_fail(p->context, line, "register '%.100s' is not declared", name);
    o->kind = OPERAND_NAME;
}

static void use_register(struct parser *p, struct body *b, struct symbol *y, uint32_t line)
{
    if (y->number)
        return;
    y->number = NUM_SPECIALS + b->num_registers++;
    if (y->number >= MAX_REGISTERS)
        ptx_fail(p->context, line, "the kernel uses more than %u registers",
                 MAX_REGISTERS - NUM_SPECIALS);
    *b->last_register = y;
    b->last_register = &y->next_register;
}

/* +4, -4, +-4, any number of times. */
static int64_t parse_offset(struct lexer *x)
{
    uint64_t offset = 0;
    while (x->token.kind == '+' || x->token.kind == '-') {
        int negative = x->token.kind == '-';
        lexer_advance(x);
        negative ^= lexer_accept(x, '-');
        uint64_t value = lexer_integer(x, (uint64_t)INT64_MAX, "an offset");
        offset += negative ? -value : value;
    }
    return (int64_t)offset;
}

static void parse_word(struct parser *p, struct body *b, const struct scope *scope,
                       struct operand *o)
{
    struct lexer *x = &p->lexer;
    uint32_t line = x->token.line;
    const char *name = lexer_word(x, "an operand");
    o->name = name;
    if (!strcmp(name, "_")) {
        o->kind = OPERAND_SINK;
        return;
    }
    if (!strcmp(name, "WARP_SZ")) {
        o->kind = OPERAND_INT;
        o->value = WARP_LANES;
        return;
    }
    struct symbol *y = symbols_find(&p->symbols, scope, name);
    if (!y) {
        parse_undeclared(p, name, line, o);
    } else if (y->kind == SYMBOL_REGISTER) {
        o->kind = OPERAND_REGISTER;
        o->symbol = y;
        use_register(p, b, y, line);
    } else if (y->kind == SYMBOL_VARIABLE || y->kind == SYMBOL_PARAM) {
        o->kind = OPERAND_SYMBOL;
        o->symbol = y;
        o->offset = parse_offset(x);
        y->used_by = b->number;
    } else {
        o->kind = OPERAND_NAME;
    }
}

static void parse_vector(struct parser *p, struct body *b, const struct scope *scope,
                         struct operand *o)
{
    struct lexer *x = &p->lexer;
    o->kind = OPERAND_VECTOR;
    o->elements = ptx_scratch(p->context, MAX_VECTOR, sizeof *o->elements);
    do {
        if (o->count == MAX_VECTOR)
            lexer_fail(x, "at most 8 elements");
        struct operand *element = &o->elements[o->count++];
        if (x->token.kind == TOKEN_WORD)
            parse_word(p, b, scope, element);
        else
            literal_parse(x, element, "an operand");
    } while (lexer_accept(x, ','));
    lexer_expect(x, '}', "after a vector");
}

static void parse_address(struct parser *p, struct body *b, const struct scope *scope,
                          struct operand *o)
{
    struct lexer *x = &p->lexer;
    o->kind = OPERAND_ADDRESS;
    if (x->token.kind == TOKEN_WORD) {
        o->count = 1;
        o->elements = ptx_scratch(p->context, 1, sizeof *o->elements);
        parse_word(p, b, scope, o->elements);
        o->offset = parse_offset(x);
    } else {
        literal_parse(x, o, "an address");
        if (o->kind != OPERAND_INT)
            lexer_fail(x, "an address of integers");
        o->kind = OPERAND_ADDRESS;
        o->negated = 0;
        o->offset = (int64_t)(o->value + (uint64_t)parse_offset(x));
    }
    lexer_expect(x, ']', "after an address");
}

void parse_operand(struct parser *p, struct body *b, const struct scope *scope, struct operand *o)
{
    struct lexer *x = &p->lexer;
    if (lexer_accept(x, '{')) {
        parse_vector(p, b, scope, o);
    } else if (lexer_accept(x, '[')) {
        parse_address(p, b, scope, o);
    } else if (lexer_accept(x, '!')) {
        parse_word(p, b, scope, o);
        o->negated = 1;
    } else if (x->token.kind == TOKEN_WORD) {
        parse_word(p, b, scope, o);
        if (lexer_accept(x, '|')) {
            struct operand *pair = ptx_scratch(p->context, 2, sizeof *pair);
            pair[0] = *o;
            parse_word(p, b, scope, &pair[1]);
            *o = (struct operand){.kind = OPERAND_PAIR, .count = 2, .elements = pair};
        }
    } else {
        literal_parse(x, o, "an operand");
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
