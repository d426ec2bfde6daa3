/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/param.c: parameters of kernels, of functions and of calls. */
#include <string.h>

#include "tb/ptx/parse/parse.h"
#include "tb/ptx/type.h"

static uint64_t align_up(uint64_t value, uint32_t align)
{
    return (value + align - 1) / align * align;
}

static const struct {
    const char *space;
    enum ptx_param_kind kind;
} pointers[] = {
    {".global", PARAM_GLOBAL_PTR}, {".const", PARAM_CONST_PTR}, {".shared", PARAM_SHARED_PTR}};

/* A handle: a texture's is a pointer to its descriptor, a sampler's may be a number. Returns 0: it
 * is none. */
static int parse_handle(struct parser *p, enum ptx_param_kind *kind)
{
    const enum ptx_opaque opaque = parse_opaque(p);
    *kind = opaque == OPAQUE_TEXREF || opaque == OPAQUE_SURFREF ? PARAM_GLOBAL_PTR : PARAM_VALUE;
    return opaque != OPAQUE_NONE;
}

/* .ptr .global .align 4: any part may be missing but the first. */
static enum ptx_param_kind parse_pointer(struct parser *p)
{
    enum ptx_param_kind kind;
    int is_handle = parse_handle(p, &kind);
    for (size_t i = 0; !is_handle && i < sizeof pointers / sizeof *pointers; i++)
        if (lexer_accept_text(&p->lexer, TOKEN_DOT, pointers[i].space)) {
            kind = pointers[i].kind;
            break;
        }
    if (lexer_accept_text(&p->lexer, TOKEN_DOT, ".align"))
        parse_alignment(p);
    return kind;
}

/* What follows .param: `.u64 .ptr .global .align 4 name`, `.align 8 .b8 name[32]`, `.f32 name`. `open`: NULL, or whether it
 * is name[], which takes what the call passes. */
static const char *parse_param(struct parser *p, struct ptx_param *param, enum ptx_type *type_ret,
                               uint8_t *open)
{
    struct lexer *x = &p->lexer;
    param->align = lexer_accept_text(x, TOKEN_DOT, ".align") ? parse_alignment(p) : 1;
    uint32_t line = x->token.line, width = parse_width(p);
    int is_handle = parse_handle(p, &param->kind);
    const int whole = width == 1 && !is_handle && parse_whole(p);
    enum ptx_type type = *type_ret = is_handle || whole ? T_B64 : parse_type(p, 0);
    width = whole ? 2 : width;
    if (param->align < width * type_bytes(type))
        param->align = width * type_bytes(type);
    if (lexer_accept_text(x, TOKEN_DOT, ".ptr")) {
        if (type_bytes(type) != 8)
            ptx_fail(p->context, line, "a pointer of type %s; expected .u64", type_name(type));
        param->kind = parse_pointer(p);
    }
    const char *name = lexer_word(x, "a parameter's name");
    uint64_t size = width * type_bytes(type);
    if (lexer_accept(x, '[')) {
        const int is_open = open && lexer_accept(x, ']');
        size *= is_open ? 0 : parse_dimension(p);
        p->has_open |= is_open;
        if (open)
            *open = (uint8_t)is_open;
    }
    if (size > MAX_PARAM_BYTES)
        ptx_fail(p->context, line, "parameter '%.60s' takes %llu bytes; expected at most %u", name,
                 (unsigned long long)size, MAX_PARAM_BYTES);
    param->size = (uint32_t)size;
    return name;
}

/* Parameters of a prototype have the name "_", all of them. */
static struct symbol *declare(struct parser *p, const struct scope *scope, const char *name,
                              enum symbol_kind kind, uint32_t line)
{
    if (strcmp(name, "_") != 0)
        return symbols_declare(&p->symbols, scope, name, kind, line);
    struct symbol *y = ptx_scratch(p->context, 1, sizeof *y);
    *y = (struct symbol){.name = name, .scope = scope, .kind = kind, .line = line};
    return y;
}

/* A variable in .param space: of a function, or of a call. */
static struct symbol *declare_param(struct parser *p, const struct scope *scope, int may_be_open)
{
    struct ptx_param param = {0};
    enum ptx_type type;
    uint8_t open = 0;
    uint32_t line = p->lexer.token.line;
    const char *name = parse_param(p, &param, &type, may_be_open ? &open : NULL);
    struct symbol *y = declare(p, scope, name, SYMBOL_VARIABLE, line);
    y->space = SPACE_PARAM;
    y->type = type;
    y->size = param.size;
    y->align = param.align;
    y->open = open;
    return y;
}

void parse_call_param(struct parser *p, const struct scope *scope, struct body *b)
{
    lexer_advance(&p->lexer);
    struct symbol *y = declare_param(p, scope, 0);
    *b->last_var = y;
    b->last_var = &y->next_var;
    lexer_expect(&p->lexer, ';', "after .param");
}

/* .reg .b32 x: a register that the caller sets or reads. */
static struct symbol *declare_formal_register(struct parser *p, const struct scope *scope,
                                              struct body *b)
{
    uint32_t line = p->lexer.token.line;
    enum ptx_type type = parse_type(p, 1);
    const char *name = lexer_word(&p->lexer, "a register's name");
    struct symbol *y = declare(p, scope, name, SYMBOL_REGISTER, line);
    y->type = type;
    parse_use_register(p, b, y);
    return y;
}

void parse_formals(struct parser *p, const struct scope *scope, struct body *b, struct formals *f)
{
    struct lexer *x = &p->lexer;
    if (!lexer_accept(x, '(') || lexer_accept(x, ')'))
        return;
    do {
        if (f->count && f->symbols[f->count - 1]->open)
            lexer_fail(x, "no parameter behind one without a size");
        if (f->count == MAX_ARGUMENTS)
            lexer_fail(x, "at most 255 parameters");
        f->symbols = ptx_grow(p->context, f->symbols, f->count, sizeof(struct symbol *));
        if (lexer_accept_text(x, TOKEN_DOT, ".reg"))
            f->symbols[f->count++] = declare_formal_register(p, scope, b);
        else if (lexer_accept_text(x, TOKEN_DOT, ".param"))
            (f->symbols[f->count++] = declare_param(p, scope, f == &b->params))->formal = 1;
        else
            lexer_fail(x, ".param or .reg");
    } while (lexer_accept(x, ','));
    lexer_expect(x, ')', "after the parameters");
}

void parse_kernel_param(struct parser *p, const struct scope *scope, struct ptx_kernel *k)
{
    struct lexer *x = &p->lexer;
    uint32_t line = x->token.line;
    if (!lexer_accept_text(x, TOKEN_DOT, ".param"))
        lexer_fail(x, ".param");
    k->params = ptx_grow(p->context, k->params, k->num_params, sizeof *k->params);
    struct ptx_param *param = &k->params[k->num_params];
    enum ptx_type type;
    const char *name = parse_param(p, param, &type, NULL);
    param->name = ptx_keep_text(p->context, name, strlen(name));
    param->offset = (uint32_t)align_up(k->param_bytes, param->align);
    const uint64_t end = (uint64_t)param->offset + param->size;
    if (end > MAX_PARAM_BYTES)
        ptx_fail(p->context, line, "the parameters take more than %u bytes", MAX_PARAM_BYTES);
    k->param_bytes = (uint32_t)end;
    symbols_declare(&p->symbols, scope, name, SYMBOL_PARAM, line)->param = k->num_params++;
}

void parse_params(struct parser *p, const struct scope *scope, struct ptx_kernel *k)
{
    struct lexer *x = &p->lexer;
    if (!lexer_accept(x, '(') || lexer_accept(x, ')'))
        return;
    do
        parse_kernel_param(p, scope, k);
    while (lexer_accept(x, ','));
    lexer_expect(x, ')', "after the parameters");
}

void parse_keep_params(struct parser *p, struct ptx_kernel *k)
{
    const struct ptx_param *params = k->params;
    k->params = ptx_keep(p->context, k->num_params, sizeof *params);
    if (params)
        memcpy(k->params, params, k->num_params * sizeof *params);
}
