/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/lexer.h: PTX text to tokens, two of them in view. */
#ifndef HEDDLE_TB_PTX_PARSE_LEXER_H
#define HEDDLE_TB_PTX_PARSE_LEXER_H

#include <stddef.h>
#include <stdint.h>

#include "tb/ptx/context.h"

/* A punctuation mark is its own character. */
enum token_kind {
    TOKEN_END = 256,
    TOKEN_WORD,  /* identifier, opcode or register: add, %r1, $L__BB0_2 */
    TOKEN_DOT,   /* directive, type or modifier, with its dot: .u32, .shared::cta */
    TOKEN_INT,   /* value */
    TOKEN_F32,   /* value: the bits of a float, written 0f3F800000 */
    TOKEN_F64,   /* value: the bits of a double, written 0d... or in decimal */
    TOKEN_STRING /* text without its quotes */
};

struct token {
    int kind;
    uint32_t line;
    const char *text; /* of WORD, DOT, STRING; lives until ptx_parse returns */
    uint64_t value;
    int is_unsigned;         /* of an INT: it ends with U */
    const char *start, *end; /* in the source */
};

struct lexer {
    struct ptx_context *context;
    const char *at, *end;
    uint32_t line;
    struct token token, next; /* the current one and the one behind it */
};

void lexer_open(struct lexer *, struct ptx_context *, const char *text, size_t length);

/* Makes the next token the current one. */
void lexer_advance(struct lexer *);

/* If the current token is this mark (or this DOT or WORD), steps over it and says so. */
int lexer_accept(struct lexer *, int mark);
int lexer_accept_text(struct lexer *, int kind, const char *text);

/* Steps over it, or fails: "expected ',' ..., found ...". `where` ends the message and may be "".
 */
void lexer_expect(struct lexer *, int mark, const char *where);

/* Steps over a WORD and returns its text; or fails: "expected `what`, found ...". */
const char *lexer_word(struct lexer *, const char *what);

/* Steps over a non-negative integer up to `most` and returns it, or fails likewise. */
uint64_t lexer_integer(struct lexer *, uint64_t most, const char *what);

/* Fails: "expected `what`, found `the current token`". */
_Noreturn void lexer_fail(struct lexer *, const char *what);

/* From '{', the current token, to behind its '}', looking at nothing but braces, comments and
 * strings. Returns the line of the '}', or 0: there is none, and nothing has changed. */
uint32_t lexer_skip_block(struct lexer *);

/* The source from one token's start to another's end, single-spaced and without comments. */
char *lexer_slice(struct lexer *, const char *start, const char *end);

#endif
