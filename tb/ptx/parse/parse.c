/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/parse.c: module scope: header, variables, kernels, functions. Debug sections are
 * skipped. */
#include "tb/ptx/parse/parse.h"
#include "tb/ptx/parse/existed.h"

#include <string.h>

#include "tb/ptx/constants.h"

static const char *const linkages[] = {".visible", ".weak", ".extern", ".common"};

static const char *accept_linkage(struct lexer *x)
{
    for (size_t i = 0; i < sizeof linkages / sizeof *linkages; i++)
        if (lexer_accept_text(x, TOKEN_DOT, linkages[i]))
            return linkages[i];
    return NULL;
}

/* Steps over { ... } with everything nested in it. */
static void skip_braces(struct lexer *x)
{
    uint32_t depth = 0, line = x->token.line;
    do {
        if (x->token.kind == TOKEN_END)
            ptx_fail(x->context, line, "a block that begins here does not end; expected '}'");
        depth += x->token.kind == '{';
        depth -= x->token.kind == '}';
        lexer_advance(x);
    } while (depth);
}

/* Debug directives end with their line. */
static void skip_line(struct lexer *x)
{
    uint32_t line = x->token.line;
    while (x->token.kind != TOKEN_END && x->token.line == line)
        lexer_advance(x);
}

void parse_pragma(struct parser *p)
{
    struct lexer *x = &p->lexer;
    lexer_advance(x);
    do {
        if (x->token.kind != TOKEN_STRING)
            lexer_fail(x, "a string");
        lexer_advance(x);
    } while (lexer_accept(x, ','));
    lexer_expect(x, ';', "after .pragma");
}

/* .address_size is of PTX 2.3; the text of older compilers for 64-bit hosts is as if it said 64. That
 * of compilers for 32-bit hosts shows in its addresses (decode/address.c). */
static void parse_address_size(struct parser *p)
{
    struct lexer *x = &p->lexer;
    if (!lexer_accept_text(x, TOKEN_DOT, ".address_size"))
        return;
    p->address_size = 1;
    if (x->token.kind != TOKEN_INT || x->token.value != 64)
        lexer_fail(x, "64: the machine has no addresses of other sizes");
    lexer_advance(x);
}

/* Of memory that the host sees, too: all of it is. PTX ISA, ".attribute". */
void parse_attributes(struct parser *p)
{
    struct lexer *x = &p->lexer;
    while (lexer_accept_text(x, TOKEN_DOT, ".attribute")) {
        lexer_expect(x, '(', "after .attribute");
        for (uint32_t depth = 1; depth; lexer_advance(x)) {
            if (x->token.kind == TOKEN_END || x->token.kind == ';' || x->token.kind == '{')
                lexer_fail(x, "')' of the .attribute");
            depth += x->token.kind == '(';
            depth -= x->token.kind == ')';
        }
    }
}

static void parse_targets_of_text(struct parser *p)
{
    do {
        const uint32_t line = p->lexer.token.line;
        const char *name = lexer_word(&p->lexer, "a target such as sm_70");
        if (!target_existed(name))
            ptx_fail(p->context, line, "there is no target '%.60s'; expected one such as sm_70",
                     name);
    } while (lexer_accept(&p->lexer, ','));
}

/* .alias f, g; f has been declared, g defined: then f is what g is. */
static void parse_alias(struct parser *p)
{
    struct lexer *x = &p->lexer;
    const uint32_t line = x->token.line;
    const char *name = lexer_word(x, "a function's name");
    struct symbol *alias = symbols_find(&p->symbols, p->module_scope, name);
    lexer_expect(x, ',', "after the alias");
    const char *other = lexer_word(x, "a function's name");
    struct symbol *function = symbols_find(&p->symbols, p->module_scope, other);
    lexer_expect(x, ';', "after .alias");
    if (!function || function->kind != SYMBOL_FUNCTION || function->body->kernel ||
        !function->body->end)
        ptx_fail(p->context, line,
                 "'%.100s' cannot have an alias; expected a function defined above", other);
    if (!alias || alias->kind != SYMBOL_FUNCTION || alias->body->kernel || alias->body->end)
        ptx_fail(
            p->context, line,
            "'%.100s' cannot be an alias; expected a function that is declared and not defined",
            name);
    alias->body = function->body;
    alias->alias_of = function;
}

static void parse_header(struct parser *p)
{
    struct lexer *x = &p->lexer;
    if (!lexer_accept_text(x, TOKEN_DOT, ".version"))
        lexer_fail(x, ".version, the first directive of PTX");
    if (x->token.kind != TOKEN_F64)
        lexer_fail(x, "a version such as 6.0");
    memcpy(&p->version, &x->token.value, sizeof p->version);
    if (!version_existed(p->version))
        ptx_fail(p->context, x->token.line,
                 "there has been no PTX %.4g; expected a version such as 6.0", p->version);
    lexer_advance(x);
    if (!lexer_accept_text(x, TOKEN_DOT, ".target"))
        lexer_fail(x, ".target");
    parse_targets_of_text(p);
    parse_address_size(p);
}

void parse_top(struct parser *p)
{
    struct lexer *x = &p->lexer;
    if (lexer_accept(x, ';'))
        return;
    if (x->token.kind == '@' && x->next.kind == '@') { /* @@DWARF of PTX 1.x */
        skip_line(x);
        return;
    }
    const char *linkage = accept_linkage(x);
    if (x->token.kind != TOKEN_DOT)
        lexer_fail(x, "a directive such as .entry or .global");
    const char *directive = x->token.text;
    if (!strcmp(directive, ".entry")) {
        lexer_advance(x);
        parse_entry(p);
    } else if (!strcmp(directive, ".func")) {
        lexer_advance(x);
        parse_function(p);
    } else if (!strcmp(directive, ".global") || !strcmp(directive, ".const") ||
               !strcmp(directive, ".shared") || !strcmp(directive, ".local") ||
               !strcmp(directive, ".tex")) {
        parse_variable(p, p->module_scope, NULL, linkage);
    } else if (linkage) {
        lexer_fail(x, ".entry, .func or a variable");
    } else if (!strcmp(directive, ".reg")) {
        parse_registers(p, p->module_scope);
    } else if (!strcmp(directive, ".section")) {
        while (x->token.kind != '{')
            if (x->token.kind == TOKEN_END)
                lexer_fail(x, "'{' of the .section");
            else
                lexer_advance(x);
        skip_braces(x);
    } else if (!strcmp(directive, ".file")) {
        parse_file(p);
    } else if (!strcmp(directive, ".loc")) {
        parse_loc(p);
    } else if (!strcmp(directive, ".pragma")) {
        parse_pragma(p);
    } else if (lexer_accept_text(x, TOKEN_DOT, ".target")) { /* more of them: PTX ISA, ".target" */
        parse_targets_of_text(p);
    } else if (lexer_accept_text(x, TOKEN_DOT, ".alias")) {
        parse_alias(p);
    } else {
        ptx_fail(p->context, x->token.line,
                 "directive '%.60s' is not supported here; expected .entry, .func, .global, "
                 ".const, .shared, .local, .reg, .tex, .file or .section",
                 directive);
    }
}

void parse_module(struct parser *p, const char *text, size_t length)
{
    p->last_var = &p->vars;
    p->last_kernel_var = &p->kernel_vars;
    p->last_register = &p->registers;
    p->last_body = &p->bodies;
    symbols_open(&p->symbols, p->context);
    p->module_scope = symbols_scope(&p->symbols, NULL, 0);
    lexer_open(&p->lexer, p->context, text, length);
    p->constant_buckets = ptx_scratch(p->context, CONSTANT_BUCKETS, sizeof *p->constant_buckets);
    parse_header(p);
    while (p->lexer.token.kind != TOKEN_END)
        parse_top(p);
    parse_builtins(p);
    parse_name_sources(p);
}
