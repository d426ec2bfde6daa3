/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse_entry.c: one .entry: parameters, performance directives, body; decoded as soon as it
 * is read. */
#include <string.h>

#include "tb/ptx/decode.h"
#include "tb/ptx/parse.h"

static void parse_three(struct lexer *x, uint32_t n[3], const char *what)
{
    n[0] = n[1] = n[2] = 1;
    uint32_t i = 0;
    do {
        if (i == 3)
            lexer_fail(x, "at most three numbers");
        n[i] = (uint32_t)lexer_integer(x, INT32_MAX, what);
        if (n[i++] == 0)
            ptx_fail(x->context, x->token.line, "0 threads; expected %s of at least 1", what);
    } while (lexer_accept(x, ','));
}

static void parse_performance(struct parser *p, struct ptx_kernel *k)
{
    struct lexer *x = &p->lexer;
    while (x->token.kind == TOKEN_DOT) {
        if (lexer_accept_text(x, TOKEN_DOT, ".maxntid"))
            parse_three(x, k->maxntid, "a thread count");
        else if (lexer_accept_text(x, TOKEN_DOT, ".reqntid"))
            parse_three(x, k->reqntid, "a thread count");
        else if (lexer_accept_text(x, TOKEN_DOT, ".minnctapersm") ||
                 lexer_accept_text(x, TOKEN_DOT, ".maxnctapersm") ||
                 lexer_accept_text(x, TOKEN_DOT, ".maxnreg"))
            lexer_integer(x, INT32_MAX, "a number");
        else
            ptx_fail(p->context, x->token.line,
                     "directive '%.60s' of an .entry is not supported; expected .maxntid, "
                     ".reqntid, .minnctapersm, .maxnreg or '{'",
                     x->token.text);
    }
}

void parse_entry(struct parser *p)
{
    struct lexer *x = &p->lexer;
    uint32_t line = x->token.line;
    const char *name = lexer_word(x, "a kernel's name");
    const struct scope *scope = symbols_scope(&p->symbols, p->module_scope, line);
    struct kernel_node *node = ptx_scratch(p->context, 1, sizeof *node);
    struct ptx_kernel *k = &node->kernel;
    k->name = ptx_keep_text(p->context, name, strlen(name));
    parse_params(p, scope, k);
    parse_performance(p, k);
    if (lexer_accept(x, ';'))
        return; /* a declaration */
    symbols_declare(&p->symbols, p->module_scope, name, SYMBOL_FUNCTION, line);
    lexer_expect(x, '{', "of the kernel's body");
    struct body body = {.kernel = k, .number = ++p->num_kernels};
    body.last = &body.insns;
    body.last_register = &body.registers;
    body.last_var = &body.vars;
    parse_block(p, &body, scope);
    decode_kernel(p, &body, x->token.line);
    lexer_expect(x, '}', "of the kernel's body");
    *p->last_kernel = node;
    p->last_kernel = &node->next;
}
