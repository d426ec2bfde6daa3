/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse_declaration.c: registers, parameters and variables. */
#include <string.h>

#include "tb/ptx/parse.h"
#include "tb/ptx/type.h"

#define MAX_DIMENSIONS 8

static uint64_t align_up(uint64_t value, uint32_t align)
{
    return (value + align - 1) / align * align;
}

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
    uint64_t n = lexer_integer(&p->lexer, MAX_VARIABLE_BYTES, "an array size");
    lexer_expect(&p->lexer, ']', "after the array size");
    return n;
}

/* .v2 or .v4 before a type. */
static uint32_t parse_width(struct parser *p)
{
    return lexer_accept_text(&p->lexer, TOKEN_DOT, ".v2")   ? 2
           : lexer_accept_text(&p->lexer, TOKEN_DOT, ".v4") ? 4
                                                            : 1;
}

/* A type that memory or a register can have. */
static enum ptx_type parse_type(struct parser *p, int predicate)
{
    struct lexer *x = &p->lexer;
    int type = x->token.kind == TOKEN_DOT ? type_find(x->token.text) : -1;
    if (type < 0 || (type == T_PRED && !predicate))
        lexer_fail(x, predicate ? "a register type such as .b32" : "a type such as .b32");
    lexer_advance(x);
    return (enum ptx_type)type;
}

/* .reg .b32 %r<12>, %x; */
void parse_registers(struct parser *p, const struct scope *scope)
{
    struct lexer *x = &p->lexer;
    lexer_advance(x);
    enum ptx_type type = parse_type(p, 1);
    do {
        uint32_t line = x->token.line;
        const char *name = lexer_word(x, "a register's name");
        struct symbol *y;
        if (lexer_accept(x, '<')) {
            y = symbols_declare(&p->symbols, scope, name, SYMBOL_RANGE, line);
            y->count = (uint32_t)lexer_integer(x, MAX_SYMBOLS, "a number of registers");
            lexer_expect(x, '>', "after the number of registers");
        } else {
            y = symbols_declare(&p->symbols, scope, name, SYMBOL_REGISTER, line);
        }
        y->type = type;
    } while (lexer_accept(x, ','));
    lexer_expect(x, ';', "after .reg");
}

static const struct {
    const char *space;
    enum ptx_param_kind kind;
} pointers[] = {
    {".global", PARAM_GLOBAL_PTR}, {".const", PARAM_CONST_PTR}, {".shared", PARAM_SHARED_PTR}};

/* .ptr .global .align 4: any part may be missing but the first. */
static enum ptx_param_kind parse_pointer(struct parser *p)
{
    enum ptx_param_kind kind = PARAM_VALUE;
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++)
        if (lexer_accept_text(&p->lexer, TOKEN_DOT, pointers[i].space)) {
            kind = pointers[i].kind;
            break;
        }
    if (lexer_accept_text(&p->lexer, TOKEN_DOT, ".align"))
        parse_alignment(p);
    return kind;
}

/* What follows .param: `.u64 .ptr .global .align 4 name`, `.align 8 .b8 name[32]`, `.f32 name`. */
static const char *parse_param(struct parser *p, struct ptx_param *param, enum ptx_type *type_ret)
{
    struct lexer *x = &p->lexer;
    param->align = lexer_accept_text(x, TOKEN_DOT, ".align") ? parse_alignment(p) : 1;
    uint32_t line = x->token.line, width = parse_width(p);
    enum ptx_type type = *type_ret = parse_type(p, 0);
    if (param->align < width * type_bytes(type))
        param->align = width * type_bytes(type);
    if (lexer_accept_text(x, TOKEN_DOT, ".ptr")) {
        if (type_bytes(type) != 8)
            ptx_fail(p->context, line, "a pointer of type %s; expected .u64", type_name(type));
        param->kind = parse_pointer(p);
    }
    const char *name = lexer_word(x, "a parameter's name");
    uint64_t size = width * type_bytes(type);
    if (lexer_accept(x,
                     '[')) /* of an open size: what a function of any number of arguments takes */
        size *= lexer_accept(x, ']') ? 0 : parse_dimension(p);
    if (size > MAX_PARAM_BYTES)
        ptx_fail(p->context, line, "parameter '%.60s' takes %llu bytes; expected at most %u", name,
                 (unsigned long long)size, MAX_PARAM_BYTES);
    param->size = (uint32_t)size;
    return name;
}

static void append(struct symbol ***last, struct symbol *y)
{
    **last = y;
    *last = &y->next_var;
}

/* A variable in .param space: of a function, or of a call. */
static struct symbol *declare_param(struct parser *p, const struct scope *scope)
{
    struct ptx_param param = {0};
    enum ptx_type type;
    uint32_t line = p->lexer.token.line;
    const char *name = parse_param(p, &param, &type);
    struct symbol *y = symbols_declare(&p->symbols, scope, name, SYMBOL_VARIABLE, line);
    y->space = SPACE_PARAM;
    y->type = type;
    y->size = param.size;
    y->align = param.align;
    return y;
}

void parse_call_param(struct parser *p, const struct scope *scope, struct body *b)
{
    lexer_advance(&p->lexer);
    append(&b->last_var, declare_param(p, scope));
    lexer_expect(&p->lexer, ';', "after .param");
}

/* .reg .b32 x: a register that the caller sets or reads. */
static struct symbol *declare_formal_register(struct parser *p, const struct scope *scope,
                                              struct body *b)
{
    uint32_t line = p->lexer.token.line;
    enum ptx_type type = parse_type(p, 1);
    const char *name = lexer_word(&p->lexer, "a register's name");
    struct symbol *y = symbols_declare(&p->symbols, scope, name, SYMBOL_REGISTER, line);
    y->type = type;
    parse_use_register(b, y);
    return y;
}

void parse_formals(struct parser *p, const struct scope *scope, struct body *b, struct formals *f)
{
    struct lexer *x = &p->lexer;
    if (!lexer_accept(x, '(') || lexer_accept(x, ')'))
        return;
    do {
        if (f->count == MAX_ARGUMENTS)
            lexer_fail(x, "at most 255 parameters");
        f->symbols = ptx_grow(p->context, f->symbols, f->count, sizeof(struct symbol *));
        if (lexer_accept_text(x, TOKEN_DOT, ".reg"))
            f->symbols[f->count++] = declare_formal_register(p, scope, b);
        else if (lexer_accept_text(x, TOKEN_DOT, ".param"))
            f->symbols[f->count++] = declare_param(p, scope);
        else
            lexer_fail(x, ".param or .reg");
    } while (lexer_accept(x, ','));
    lexer_expect(x, ')', "after the parameters");
}

void parse_params(struct parser *p, const struct scope *scope, struct ptx_kernel *k)
{
    struct lexer *x = &p->lexer;
    if (!lexer_accept(x, '(') || lexer_accept(x, ')'))
        return;
    struct ptx_param *params = NULL;
    uint64_t end = 0;
    do {
        params = ptx_grow(p->context, params, k->num_params, sizeof *params);
        uint32_t line = x->token.line;
        if (!lexer_accept_text(x, TOKEN_DOT, ".param"))
            lexer_fail(x, ".param");
        struct ptx_param *param = &params[k->num_params];
        enum ptx_type type;
        const char *name = parse_param(p, param, &type);
        param->name = ptx_keep_text(p->context, name, strlen(name));
        param->offset = (uint32_t)align_up(end, param->align);
        end = (uint64_t)param->offset + param->size;
        if (end > MAX_PARAM_BYTES)
            ptx_fail(p->context, line, "the parameters take more than %u bytes", MAX_PARAM_BYTES);
        symbols_declare(&p->symbols, scope, name, SYMBOL_PARAM, line)->param = k->num_params++;
    } while (lexer_accept(x, ','));
    k->params = ptx_keep(p->context, k->num_params, sizeof *params);
    memcpy(k->params, params, k->num_params * sizeof *params);
    k->param_bytes = (uint32_t)end;
    lexer_expect(x, ')', "after the parameters");
}

static const struct {
    const char *name;
    enum ptx_space space;
} spaces[] = {{".global", SPACE_GLOBAL},
              {".const", SPACE_CONST},
              {".shared", SPACE_SHARED},
              {".local", SPACE_LOCAL}};

/* A .global or .const variable: memory of the whole module. */
static void add_module_var(struct parser *p, const struct scope *scope, struct symbol *y,
                           const uint64_t *dims, uint32_t num_dims)
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
    var->init = ptx_keep(p->context, y->size, 1);
    y->index = p->num_vars;
    if (lexer_accept(&p->lexer, '='))
        parse_initialiser(p, scope, var, y->type, dims, num_dims);
    p->num_vars++;
    *p->last_var = node;
    p->last_var = &node->next;
}

/* `name[4][2] = {...}`. */
static void parse_declarator(struct parser *p, const struct scope *scope, struct body *body,
                             const struct symbol *like, int external)
{
    struct lexer *x = &p->lexer;
    uint32_t line = x->token.line;
    const char *name = lexer_word(x, "a variable's name");
    uint64_t dims[MAX_DIMENSIONS], size = type_bytes(like->type);
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
    if (external && like->space != SPACE_SHARED)
        ptx_fail(p->context, line,
                 "'%.60s' is .extern; expected its definition: modules are not linked", name);
    if (open && !external)
        ptx_fail(p->context, line, "'%.60s' has no size; expected a number, or .extern .shared",
                 name);
    if (!open && external)
        ptx_fail(p->context, line, "'%.60s' is .extern .shared; expected an array of open size, []",
                 name);
    if (!open && !size)
        ptx_fail(p->context, line, "'%.60s' has no bytes; expected an array size of at least 1",
                 name);
    struct symbol *y = symbols_declare(&p->symbols, scope, name, SYMBOL_VARIABLE, line);
    y->type = like->type;
    y->space = like->space;
    y->align = like->align > type_bytes(like->type) ? like->align : type_bytes(like->type);
    y->size = external ? 0 : size;
    y->dynamic = (uint8_t)external;
    if (y->space == SPACE_GLOBAL || y->space == SPACE_CONST)
        add_module_var(p, scope, y, dims, num_dims);
    else if (body)
        append(&body->last_var, y);
    else
        append(&p->last_shared_var, y);
}

/* .shared .align 4 .b8 a[16], b[4]; */
void parse_variable(struct parser *p, const struct scope *scope, struct body *body,
                    const char *linkage)
{
    struct lexer *x = &p->lexer;
    struct symbol like = {.align = 1};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (!strcmp(x->token.text, spaces[i].name))
            like.space = spaces[i].space;
    lexer_advance(x);
    if (lexer_accept_text(x, TOKEN_DOT, ".align"))
        like.align = parse_alignment(p);
    like.type = parse_type(p, 0);
    do
        parse_declarator(p, scope, body, &like, linkage && !strcmp(linkage, ".extern"));
    while (lexer_accept(x, ','));
    lexer_expect(x, ';', "after the variable");
}
