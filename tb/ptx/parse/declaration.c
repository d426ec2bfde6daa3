/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/declaration.c: registers and variables. */
#include <string.h>

#include "tb/ptx/parse/expression.h"
#include "tb/ptx/parse/parse.h"
#include "tb/ptx/type.h"

#define MAX_DIMENSIONS 8

uint32_t parse_alignment(struct parser *p)
{
    struct lexer *x = &p->lexer;
    uint32_t line = x->token.line;
    uint64_t align = lexer_integer(x, 4096, "an alignment");
    if (!align || (align & (align - 1)))
        ptx_fail(p->context, line, "alignment %u; expected a power of two", (unsigned)align);
    return (uint32_t)align;
}

/* Behind '[': the number and ']'. */
uint64_t parse_dimension(struct parser *p)
{
    uint64_t n = expression_integer(&p->lexer, MAX_VARIABLE_BYTES, "an array size");
    lexer_expect(&p->lexer, ']', "after the array size");
    return n;
}

/* .b128: two .b64, see decode/wide.c. */
int parse_whole(struct parser *p)
{
    return lexer_accept_text(&p->lexer, TOKEN_DOT, ".b128");
}

/* .v2 or .v4 before a type. */
uint32_t parse_width(struct parser *p)
{
    return lexer_accept_text(&p->lexer, TOKEN_DOT, ".v2")   ? 2
           : lexer_accept_text(&p->lexer, TOKEN_DOT, ".v4") ? 4
                                                            : 1;
}

/* A type that memory or a register can have. */
enum ptx_type parse_type(struct parser *p, int predicate)
{
    struct lexer *x = &p->lexer;
    int type = x->token.kind == TOKEN_DOT ? type_find(x->token.text) : -1;
    if (predicate && lexer_accept_text(x, TOKEN_DOT, ".f16x2"))
        return T_B32;
    if (type < 0 || (type == T_PRED && !predicate))
        lexer_fail(x, predicate ? "a register type such as .b32" : "a type such as .b32");
    lexer_advance(x);
    return (enum ptx_type)type;
}

/* .reg .b32 %r<12>, %x; .reg .v4 .f32 v; */
void parse_registers(struct parser *p, const struct scope *scope)
{
    struct lexer *x = &p->lexer;
    lexer_advance(x);
    uint32_t width = parse_width(p);
    const int whole = width == 1 && parse_whole(p);
    const enum ptx_type type = whole ? T_B64 : parse_type(p, width == 1);
    width = whole ? 2 : width;
    if (width * type_bytes(type) > 16)
        ptx_fail(p->context, x->token.line, "a vector of %u bytes; expected at most 16",
                 width * type_bytes(type));
    do {
        uint32_t line = x->token.line;
        const char *name = lexer_word(x, "a register's name");
        struct symbol *y;
        if (lexer_accept(x, '<')) {
            y = symbols_declare(&p->symbols, scope, name, SYMBOL_RANGE, line);
            y->count = (uint32_t)lexer_integer(x, MAX_RANGE, "a number of registers");
            lexer_expect(x, '>', "after the number of registers");
        } else {
            y = symbols_declare(&p->symbols, scope, name, SYMBOL_REGISTER, line);
        }
        y->type = type;
        y->width = width;
        y->whole = (uint8_t)whole;
    } while (lexer_accept(x, ','));
    lexer_expect(x, ';', "after .reg");
}

static const struct {
    const char *name;
    enum ptx_space space;
} spaces[] = {{".global", SPACE_GLOBAL},
              {".const", SPACE_CONST},
              {".shared", SPACE_SHARED},
              {".local", SPACE_LOCAL},
              {".tex", SPACE_GLOBAL}};

static void append(struct symbol ***last, struct symbol *y)
{
    **last = y;
    *last = &y->next_var;
}

/* What stands before the names of variables. */
struct declaration {
    enum ptx_space space;
    enum ptx_type type;
    uint32_t width;         /* 2 or 4: of vectors */
    int whole;              /* it is .b128, a vector that has one value */
    enum ptx_opaque opaque; /* then there is no type */
    uint32_t align;
    int external;
};

/* A .global or .const variable: memory of the whole module. */
static void add_module_var(struct parser *p, const struct scope *scope, struct symbol *y,
                           const struct declaration *d, const uint64_t *dims, uint32_t num_dims)
{
    p->var_bytes += y->size;
    if (p->var_bytes > MAX_VARIABLE_BYTES)
        ptx_fail(p->context, y->line, "the variables take more than %u bytes", MAX_VARIABLE_BYTES);
    struct var_node *node = ptx_scratch(p->context, 1, sizeof *node);
    struct ptx_var *var = &node->var;
    var->name = ptx_keep_text(p->context, y->name, strlen(y->name));
    var->space = y->space;
    var->size = y->size;
    var->align = y->align;
    var->opaque = (uint8_t)d->opaque;
    var->init = ptx_keep(p->context, y->size, 1);
    y->index = p->num_vars;
    if (lexer_accept(&p->lexer, '=')) {
        if (d->opaque)
            parse_opaque_value(p, var);
        else
            parse_initialiser(p, scope, var, y->type, dims, num_dims);
    }
    p->num_vars++;
    *p->last_var = node;
    p->last_var = &node->next;
}

/* How many values stand between the braces that come: the outermost size of an array that leaves it out. */
static uint64_t count_values(const struct parser *p)
{
    struct lexer ahead = p->lexer;
    uint64_t values = 0;
    uint32_t depth = 0;
    int between = 1; /* a value may begin */
    lexer_advance(&ahead);
    do {
        const int kind = ahead.token.kind;
        if (depth == 1 && between && kind != '}' && kind != ',') {
            values++;
            between = 0;
        }
        depth += kind == '{' || kind == '(';
        depth -= kind == '}' || kind == ')';
        between |= depth == 1 && kind == ',';
        lexer_advance(&ahead);
    } while (depth && ahead.token.kind != TOKEN_END);
    return values;
}

/* A variable of another module may be declared any number of times, before and after this one
 * defines it. */
static struct symbol *declare_variable(struct parser *p, const struct scope *scope,
                                       const struct declaration *d, int elsewhere, const char *name,
                                       uint32_t line)
{
    struct symbol *y = symbols_find(&p->symbols, scope, name);
    const int known = y && y->scope == scope && y->kind == SYMBOL_VARIABLE &&
                      y->space == d->space && (y->undefined || elsewhere);
    if (!known) {
        y = symbols_declare(&p->symbols, scope, name, SYMBOL_VARIABLE, line);
        y->undefined = 1;
    }
    if (!elsewhere) {
        y->undefined = 0;
        y->line = line;
    }
    y->type = d->type;
    y->space = d->space;
    return y;
}

/* `name[4][2] = {...}`. */
static void parse_declarator(struct parser *p, const struct scope *scope, struct body *body,
                             const struct declaration *d)
{
    struct lexer *x = &p->lexer;
    uint32_t line = x->token.line;
    const char *name = lexer_word(x, "a variable's name");
    uint64_t dims[MAX_DIMENSIONS + 1],
        size = d->opaque ? opaque_bytes(d->opaque) : type_bytes(d->type);
    uint32_t num_dims = 0;
    int open = 0; /* name[] */
    while (lexer_accept(x, '[')) {
        if (num_dims == MAX_DIMENSIONS)
            lexer_fail(x, "at most 8 dimensions");
        if (!num_dims && lexer_accept(x, ']')) {
            open = 1;
            dims[num_dims++] = 0;
            continue;
        }
        dims[num_dims] = parse_dimension(p);
        size *= dims[num_dims++];
        if (size > MAX_VARIABLE_BYTES)
            ptx_fail(p->context, line, "'%.60s' takes more than %u bytes", name,
                     MAX_VARIABLE_BYTES);
    }
    size *= d->width;
    if (d->width > 1 && !d->whole)
        dims[num_dims++] = d->width;
    const int elsewhere = d->external && !(open && d->space == SPACE_SHARED);
    if (open && !d->external && x->token.kind == '=' && x->next.kind == '{') {
        dims[0] = count_values(p);
        if (dims[0] > MAX_VARIABLE_BYTES / (size ? size : 1))
            ptx_fail(p->context, line, "'%.60s' takes more than %u bytes", name,
                     MAX_VARIABLE_BYTES);
        size *= dims[0];
        open = 0;
    }
    if (open && !d->external)
        ptx_fail(p->context, line,
                 "'%.60s' has no size; expected a number, values, or .extern .shared", name);
    if (!open && !size)
        ptx_fail(p->context, line, "'%.60s' has no bytes; expected an array size of at least 1",
                 name);
    struct symbol *y = declare_variable(p, scope, d, elsewhere, name, line);
    if (elsewhere)
        return;
    y->align =
        d->align > d->width * type_bytes(d->type) ? d->align : d->width * type_bytes(d->type);
    y->size = d->external ? 0 : size;
    y->dynamic = (uint8_t)d->external;
    if (y->space == SPACE_GLOBAL || y->space == SPACE_CONST)
        add_module_var(p, scope, y, d, dims, num_dims);
    else if (body)
        append(&body->last_var, y);
    else
        append(&p->last_kernel_var, y);
}

/* What a variable of .tex is, whatever type of 32 or 64 bits stands there: PTX ISA, "Texture State
 * Space (deprecated)". */
static enum ptx_opaque parse_tex(struct parser *p)
{
    parse_type(p, 0);
    return OPAQUE_TEXREF;
}

/* .const[2]: a bank of old PTX, which is constant memory as the others. */
static void skip_bank(struct lexer *x)
{
    if (!lexer_accept(x, '['))
        return;
    lexer_integer(x, 10, "a bank of constant memory");
    lexer_expect(x, ']', "after the bank");
}

/* .shared .align 4 .b8 a[16], b[4]; */
void parse_variable(struct parser *p, const struct scope *scope, struct body *body,
                    const char *linkage)
{
    struct lexer *x = &p->lexer;
    struct declaration d = {.align = 1, .external = linkage && !strcmp(linkage, ".extern")};
    const int is_tex = !strcmp(x->token.text, ".tex");
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (!strcmp(x->token.text, spaces[i].name))
            d.space = spaces[i].space;
    lexer_advance(x);
    if (d.space == SPACE_CONST)
        skip_bank(x);
    parse_attributes(p);
    if (lexer_accept_text(x, TOKEN_DOT, ".align"))
        d.align = parse_alignment(p);
    parse_attributes(p);
    d.width = parse_width(p);
    d.opaque = is_tex ? parse_tex(p) : d.space == SPACE_GLOBAL ? parse_opaque(p) : OPAQUE_NONE;
    d.whole = d.width == 1 && !d.opaque && parse_whole(p);
    d.width = d.whole ? 2 : d.width;
    d.type = d.opaque || d.whole ? T_B64 : parse_type(p, 0);
    do
        parse_declarator(p, scope, body, &d);
    while (lexer_accept(x, ','));
    lexer_expect(x, ';', "after the variable");
}
