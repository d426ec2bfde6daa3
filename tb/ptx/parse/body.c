/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/body.c: the statements of a kernel or function: declarations, labels, instructions,
 * nested blocks. */
#include <string.h>

#include "tb/ptx/opcode.h"
#include "tb/ptx/parse/parse.h"

/* `label`: it stands behind this one, or NULL. */
static void parse_directive(struct parser *p, struct body *b, const struct scope *scope,
                            struct symbol *label)
{
    struct lexer *x = &p->lexer;
    const char *name = x->token.text;
    uint32_t line = x->token.line;
    if (!strcmp(name, ".reg")) {
        parse_registers(p, scope);
    } else if (!strcmp(name, ".param") && b->kernel && p->version < 1.4) {
        p->num_shared++;
        parse_kernel_param(p, scope, b->kernel);
        lexer_expect(x, ';', "after .param");
    } else if (!strcmp(name, ".param")) {
        parse_call_param(p, scope, b);
    } else if (!strcmp(name, ".shared") || !strcmp(name, ".local") || !strcmp(name, ".global") ||
               !strcmp(name, ".const")) {
        parse_variable(p, scope, b, NULL);
    } else if (label && !strcmp(name, ".callprototype")) {
        parse_prototype(p, scope, label);
    } else if (label && !strcmp(name, ".calltargets")) {
        parse_targets(p, scope, label);
    } else if (!strcmp(name, ".pragma")) {
        parse_pragma(p);
    } else if (label && !strcmp(name, ".branchtargets")) {
        parse_branches(p, label);
    } else if (!strcmp(name, ".loc")) {
        parse_loc(p);
    } else if (!strcmp(name, ".file")) {
        parse_file(p);
    } else {
        ptx_fail(
            p->context, line,
            "directive '%.60s' is not supported here; expected .reg, .shared, .local, .pragma, "
            "a label or an instruction",
            name);
    }
}

/* A list as it is, and no longer: there are as many of these as of instructions. */
static void *fitted(struct parser *p, const void *list, uint32_t count, size_t size)
{
    return memcpy(ptx_scratch(p->context, count, size), list, count * size);
}

/* add.rn.f32: the mnemonic and its modifiers, and the whole as written. */
static void parse_opcode(struct parser *p, struct insn *n)
{
    struct lexer *x = &p->lexer;
    const char *start = x->token.start, *end = x->token.end, *modifiers[MAX_MODIFIERS];
    n->mnemonic = lexer_word(x, "an instruction");
    while (x->token.kind == TOKEN_DOT) {
        if (n->num_modifiers == MAX_MODIFIERS)
            lexer_fail(x, "at most 16 modifiers");
        const int is_const = !strcmp(x->token.text, ".const");
        modifiers[n->num_modifiers++] = x->token.text;
        end = x->token.end;
        lexer_advance(x);
        if (is_const && x->token.kind == '[' && x->next.kind == TOKEN_INT) /* a bank */
            while (!lexer_accept(x, ']') && x->token.kind != ';' && x->token.kind != TOKEN_END)
                lexer_advance(x);
    }
    n->modifiers = fitted(p, modifiers, n->num_modifiers, sizeof *modifiers);
    n->opcode = lexer_slice(x, start, end);
}

/* The operands of an instruction that the machine does not have may look like anything. */
static void skip_operands(struct lexer *x)
{
    uint32_t depth = 0;
    while (x->token.kind != TOKEN_END &&
           (depth || (x->token.kind != ';' && x->token.kind != '}'))) {
        depth += x->token.kind == '{';
        depth -= x->token.kind == '}';
        lexer_advance(x);
    }
}

static void parse_operands(struct parser *p, struct body *b, struct insn *n, int call)
{
    struct operand operands[MAX_OPERANDS];
    do {
        if (n->num_operands == MAX_OPERANDS)
            lexer_fail(&p->lexer, "at most 8 operands");
        operands[n->num_operands] = (struct operand){0};
        parse_operand(p, b, n->scope, &operands[n->num_operands++], call);
    } while (lexer_accept(&p->lexer, ','));
    for (uint32_t i = 0; i < n->num_operands && !call; i++)
        if (operands[i].kind == OPERAND_FUNCTION)
            parse_take(p, operands[i].symbol);
    n->operands = fitted(p, operands, n->num_operands, sizeof *operands);
}

static void parse_instruction(struct parser *p, struct body *b, const struct scope *scope)
{
    struct lexer *x = &p->lexer;
    struct insn *n = ptx_scratch(p->context, 1, sizeof *n);
    const char *start = x->token.start, *end = start;
    n->line = x->token.line;
    n->scope = scope;
    n->source = p->source;
    if (lexer_accept(x, '@')) {
        n->guard_not = (uint8_t)lexer_accept(x, '!');
        n->guard = parse_register(p, b, scope);
        n->line = x->token.line;
    }
    parse_opcode(p, n);
    const int call = !strcmp(n->mnemonic, "call");
    if (!opcode_known(n->mnemonic) && !call)
        skip_operands(x);
    else if (x->token.kind != ';')
        parse_operands(p, b, n, call);
    end = x->token.start;
    lexer_expect(x, ';', "after the instruction");
    n->text = lexer_slice(x, start, end);
    if (++b->num_insns > MAX_INSTRUCTIONS)
        ptx_fail(p->context, n->line, "too many instructions; expected at most %u",
                 MAX_INSTRUCTIONS);
    *b->last = n;
    b->last = &n->next;
}

/* Up to the '}' that ends the block, which stays the current token. */
void parse_block(struct parser *p, struct body *b, const struct scope *scope)
{
    struct lexer *x = &p->lexer;
    struct symbol *label = NULL;
    while (x->token.kind != '}') {
        uint32_t line = x->token.line;
        struct symbol *const before = label;
        label = NULL;
        if (lexer_accept(x, ';')) {
            continue;
        } else if (lexer_accept(x, '{')) {
            parse_block(p, b, symbols_scope(&p->symbols, scope, line));
            lexer_expect(x, '}', "of a block");
        } else if (x->token.kind == TOKEN_DOT) {
            parse_directive(p, b, scope, before);
        } else if (x->token.kind == TOKEN_WORD && x->next.kind == ':') {
            label = symbols_declare(&p->symbols, scope, x->token.text, SYMBOL_LABEL, line);
            label->target = b->num_insns;
            lexer_advance(x);
            lexer_advance(x);
        } else if (x->token.kind == TOKEN_WORD || x->token.kind == '@') {
            parse_instruction(p, b, scope);
        } else {
            lexer_fail(x, "an instruction, a label, a directive or '}'");
        }
    }
}
