/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/entry.c: one .entry or .func: parameters, performance directives, body. */
#include <stdio.h>
#include <string.h>

#include "tb/ptx/parse/parse.h"

static void parse_three(struct lexer *x, uint32_t n[3], const char *what)
{
    n[0] = n[1] = n[2] = 1;
    uint32_t i = 0;
    do {
        if (i == 3)
            lexer_fail(x, "at most three numbers");
        n[i] = (uint32_t)lexer_integer(x, INT32_MAX, what);
        if (n[i++] == 0)
            ptx_fail(x->context, x->token.line, "0; expected %s of at least 1", what);
    } while (lexer_accept(x, ','));
}

/* Thread blocks that are placed together: a kernel that needs them is refused. One block is no cluster,
 * and how many there may be at most does not matter. */
static int parse_cluster(struct parser *p, struct body *b)
{
    struct lexer *x = &p->lexer;
    const char *directive = x->token.text;
    const uint32_t line = x->token.line;
    uint32_t blocks[3] = {2, 1, 1};
    if (lexer_accept_text(x, TOKEN_DOT, ".maxclusterrank")) {
        lexer_integer(x, INT32_MAX, "a number of blocks");
        return 1;
    }
    if (lexer_accept_text(x, TOKEN_DOT, ".reqnctapercluster"))
        parse_three(x, blocks, "a block count");
    else if (!lexer_accept_text(x, TOKEN_DOT, ".explicitcluster") &&
             !lexer_accept_text(x, TOKEN_DOT, ".blocksareclusters"))
        return 0;
    if ((uint64_t)blocks[0] * blocks[1] == 1 && blocks[2] == 1)
        return 1;
    struct ptx_error *error = ptx_scratch(p->context, 1, sizeof *error);
    error->line = line;
    snprintf(error->message, sizeof error->message,
             "%.200s:%u: directive '%s' needs clusters of thread blocks, which the machine has not",
             p->context->name, line, directive);
    b->failed = error;
    return 1;
}

static void parse_performance(struct parser *p, struct body *b, struct ptx_kernel *k)
{
    struct lexer *x = &p->lexer;
    while (x->token.kind == TOKEN_DOT) {
        if (lexer_accept_text(x, TOKEN_DOT, ".maxntid"))
            parse_three(x, k->maxntid, "a thread count");
        else if (lexer_accept_text(x, TOKEN_DOT, ".reqntid"))
            parse_three(x, k->reqntid, "a thread count");
        else if (lexer_accept_text(x, TOKEN_DOT, ".maxnreg"))
            k->maxnreg = (uint32_t)lexer_integer(x, INT32_MAX, "a number of registers");
        else if (lexer_accept_text(x, TOKEN_DOT, ".minnctapersm") ||
                 lexer_accept_text(x, TOKEN_DOT, ".maxnctapersm"))
            lexer_integer(x, INT32_MAX, "a number");
        else if (!strcmp(x->token.text, ".pragma"))
            parse_pragma(p);
        else if (!parse_cluster(p, b))
            ptx_fail(p->context, x->token.line,
                     "directive '%.60s' of an .entry is not supported; expected .maxntid, "
                     ".reqntid, .minnctapersm, .maxnreg or '{'",
                     x->token.text);
    }
}

/* What is wrong in a body leaves out the kernels that reach it, not its module; but a text that ends
 * in it, or that there is no memory for, is no module. */
static void fail_body(struct parser *p, struct body *b, const struct lexer *start)
{
    struct ptx_context *c = p->context;
    struct ptx_error *error = ptx_scratch(c, 1, sizeof *error);
    *error = *c->error;
    p->lexer = *start;
    b->end = error->line ? lexer_skip_block(&p->lexer) : 0;
    if (!b->end) {
        *c->error = *error;
        longjmp(*c->failed, 1);
    }
    b->failed = error;
    b->insns = NULL;
}

/* What bodies have said so far that others see. */
static uint64_t traces(const struct parser *p)
{
    return (uint64_t)p->num_vars + p->num_taken + p->num_shared;
}

static void parse_statements(struct parser *p, struct body *b)
{
    struct lexer *x = &p->lexer;
    p->source = NULL;
    p->num_read++;
    lexer_advance(x);
    parse_block(p, b, b->scope);
    b->end = x->token.line;
    lexer_advance(x);
}

/* From '{' to '}'. Apart from its callers for the sake of setjmp. */
static void read_body(struct parser *p, struct body *b)
{
    struct ptx_context *c = p->context;
    const struct lexer start = p->lexer;
    const uint64_t before = traces(p);
    jmp_buf *const outer = c->failed, here;
    c->failed = &here;
    const int failed = setjmp(here);
    if (!failed)
        parse_statements(p, b);
    c->failed = outer;
    p->entangled |= traces(p) != before;
    if (failed)
        fail_body(p, b, &start);
}

void parse_put_off(struct parser *p, struct body *b)
{
    p->lexer = *b->unread;
    p->symbols.seen = b->seen;
    b->unread = NULL;
    read_body(p, b);
    p->symbols.seen = UINT32_MAX;
}

/* Returns 0: it does not end. */
static int put_off(struct parser *p, struct body *b)
{
    struct lexer *start = ptx_scratch(p->context, 1, sizeof *start);
    *start = p->lexer;
    b->unread = start;
    b->seen = p->symbols.count;
    b->end = lexer_skip_block(&p->lexer);
    return b->end != 0;
}

static void parse_body(struct parser *p, struct body *b, const struct scope *scope)
{
    if (p->lexer.token.kind != '{')
        lexer_fail(&p->lexer,
                   b->kernel ? "'{' of the kernel's body" : "'{' of the function's body");
    b->number = ++p->num_bodies;
    b->scope = scope;
    b->last = &b->insns;
    *p->last_body = b;
    p->last_body = &b->next;
    if (!p->puts_off || !put_off(p, b))
        read_body(p, b);
}

static struct body *make_body(struct parser *p, const char *name)
{
    struct body *b = ptx_scratch(p->context, 1, sizeof *b);
    b->name = name;
    b->last_register = &b->registers;
    b->last_var = &b->vars;
    return b;
}

void parse_entry(struct parser *p)
{
    struct lexer *x = &p->lexer;
    uint32_t line = x->token.line;
    const char *name = lexer_word(x, "a kernel's name");
    const struct scope *scope = symbols_scope(&p->symbols, p->module_scope, line);
    struct body *b = make_body(p, name);
    struct ptx_kernel *k = b->kernel = ptx_scratch(p->context, 1, sizeof *k);
    k->name = ptx_keep_text(p->context, name, strlen(name));
    parse_params(p, scope, k);
    parse_performance(p, b, k);
    if (lexer_accept(x, ';'))
        return; /* a declaration */
    symbols_declare(&p->symbols, p->module_scope, name, SYMBOL_FUNCTION, line)->body = b;
    p->num_kernels++;
    parse_body(p, b, scope);
    b->insns = b->failed ? NULL : b->insns;
    parse_keep_params(p, k);
}

/* A function may be declared any number of times, before and after it is defined. */
static struct symbol *declare_function(struct parser *p, const char *name, uint32_t line)
{
    struct symbol *y = symbols_find(&p->symbols, p->module_scope, name);
    return y && y->kind == SYMBOL_FUNCTION && !y->body->kernel
               ? y
               : symbols_declare(&p->symbols, p->module_scope, name, SYMBOL_FUNCTION, line);
}

void parse_take(struct parser *p, struct symbol *function)
{
    if (function->taken)
        return;
    if (function->alias_of) {
        parse_take(p, function->alias_of);
        function->taken = function->alias_of->taken;
        return;
    }
    p->taken = ptx_grow(p->context, p->taken, p->num_taken, sizeof(struct symbol *));
    p->taken[p->num_taken++] = function;
    function->taken = p->num_taken;
}

/* For a linker. */
static int accept_hint(struct lexer *x)
{
    return lexer_accept_text(x, TOKEN_DOT, ".noreturn") ||
           lexer_accept_text(x, TOKEN_DOT, ".unique");
}

/* A prototype of old compilers has no semicolon: it ends where the next directive begins. */
void parse_function(struct parser *p)
{
    struct lexer *x = &p->lexer;
    const struct scope *scope = symbols_scope(&p->symbols, p->module_scope, x->token.line);
    struct body *b = make_body(p, NULL);
    while (lexer_accept_text(x, TOKEN_DOT, ".noreturn"))
        ;
    parse_attributes(p);
    b->number = p->num_bodies + 1; /* names its formals */
    parse_formals(p, scope, b, &b->results);
    uint32_t line = x->token.line;
    b->name = lexer_word(x, "a function's name");
    struct symbol *y = declare_function(p, b->name, line);
    parse_formals(p, scope, b, &b->params);
    while (accept_hint(x))
        ;
    if (lexer_accept(x, ';') || x->token.kind == TOKEN_DOT || x->token.kind == TOKEN_END) {
        if (!y->body)
            y->body = b;
        return;
    }
    if (y->body && y->body->end)
        ptx_fail(p->context, line, "'%.100s' is already declared at line %u", b->name, y->line);
    y->line = line;
    y->body = b;
    parse_body(p, b, scope);
}
