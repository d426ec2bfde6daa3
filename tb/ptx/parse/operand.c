/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/operand.c: %r1, %tid.x, 4, 0f3F800000, buf+4, {a, b}, [%rd1+8], %p1|%p2, !%p1,
 * -%r1, %r1.b0, _. */
#include <string.h>

#include "tb/ptx/parse/literal.h"
#include "tb/ptx/parse/parse.h"

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

/* Masks that a lane compares with: constants that differ by lane. In the order of enum lanemask. */
static const char *const lanemasks[NUM_LANEMASKS] = {"%lanemask_eq", "%lanemask_le", "%lanemask_lt",
                                                     "%lanemask_ge", "%lanemask_gt"};

/* Registers of the ISA that the machine does not have: a kernel that names one is refused. A name
 * stands for all that begin with it. */
static const char *const unsupported_specials[] = {
    "%clock",  "%envreg",          "%globaltimer",       "%gridid", "%nsmid", "%pm",
    "%smid",   "%total_smem_size", "%dynamic_smem_size", "%tid",    "%ntid",  "%ctaid",
    "%nctaid", "%cluster",         "%is_explicit"};

/* A word that is no declared name: a special register, or a label that may follow. */
static void parse_undeclared(struct parser *p, const char *name, struct operand *o)
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
    for (uint32_t i = 0; i < sizeof lanemasks / sizeof *lanemasks; i++)
        if (!strcmp(name, lanemasks[i])) {
            o->kind = OPERAND_LANEMASK;
            o->special = i;
            return;
        }
    for (size_t i = 0; i < sizeof unsupported_specials / sizeof *unsupported_specials; i++)
        if (!strncmp(name, unsupported_specials[i], strlen(unsupported_specials[i]))) {
            o->kind = OPERAND_UNSUPPORTED;
            if (*component) {
                char *both = ptx_scratch(p->context, strlen(name) + strlen(component) + 1, 1);
                o->name = strcat(strcpy(both, name), component);
                lexer_advance(&p->lexer);
            }
            return;
        }
    o->kind = OPERAND_NAME;
}

void parse_use_register(struct body *b, struct symbol *y)
{
    if (y->named_by)
        return;
    y->named_by = b->number;
    *b->last_register = y;
    b->last_register = &y->next_register;
}

/* Shared memory of the module belongs to every kernel that names it. */
static void use_variable(struct parser *p, struct body *b, struct symbol *y)
{
    if (y->named_by == b->number)
        return;
    y->named_by = b->number;
    if (y->space != SPACE_SHARED || y->scope != p->module_scope)
        return;
    b->shared = ptx_grow(p->context, b->shared, b->num_shared, sizeof(struct symbol *));
    b->shared[b->num_shared++] = y;
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
        parse_undeclared(p, name, o);
    } else if (y->kind == SYMBOL_REGISTER) {
        o->kind = OPERAND_REGISTER;
        o->symbol = y;
        parse_use_register(b, y);
    } else if (y->kind == SYMBOL_VARIABLE || y->kind == SYMBOL_PARAM) {
        o->kind = OPERAND_SYMBOL;
        o->symbol = y;
        o->offset = parse_offset(x);
        use_variable(p, b, y);
    } else if (y->kind == SYMBOL_FUNCTION) {
        o->kind = OPERAND_FUNCTION;
        o->symbol = y;
    } else {
        o->kind = OPERAND_NAME;
    }
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
        if (x->token.kind == TOKEN_WORD)
            parse_word(p, b, scope, element);
        else
            literal_parse(x, element, "an operand");
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
    if (x->token.kind == TOKEN_WORD) {
        o->count = 1;
        o->elements = ptx_scratch(p->context, MAX_ADDRESS, sizeof *o->elements);
        parse_word(p, b, scope, o->elements);
        o->offset = parse_offset(x);
        while (o->count < MAX_ADDRESS && lexer_accept(x, ','))
            parse_coordinate(p, b, scope, &o->elements[o->count++]);
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

void parse_operand(struct parser *p, struct body *b, const struct scope *scope, struct operand *o)
{
    struct lexer *x = &p->lexer;
    if (lexer_accept(x, '{')) {
        o->kind = OPERAND_VECTOR;
        parse_elements(p, b, scope, o, '}', MAX_VECTOR);
    } else if (lexer_accept(x, '(')) {
        o->kind = OPERAND_LIST;
        if (!lexer_accept(x, ')'))
            parse_elements(p, b, scope, o, ')', MAX_ARGUMENTS);
    } else if (lexer_accept(x, '[')) {
        parse_address(p, b, scope, o);
    } else if (lexer_accept(x, '!')) {
        parse_word(p, b, scope, o);
        o->negated = 1;
    } else if (x->token.kind == '-' && x->next.kind == TOKEN_WORD) {
        lexer_advance(x);
        parse_part(p, b, scope, o);
        o->minus = 1;
    } else if (x->token.kind == TOKEN_WORD) {
        parse_part(p, b, scope, o);
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
