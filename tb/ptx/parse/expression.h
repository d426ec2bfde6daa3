/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/expression.h: constant expressions. */
#ifndef HEDDLE_TB_PTX_PARSE_EXPRESSION_H
#define HEDDLE_TB_PTX_PARSE_EXPRESSION_H

#include "tb/ptx/parse/ast.h"
#include "tb/ptx/parse/lexer.h"

/* Reads a constant expression, in most texts a number: OPERAND_INT (its 64 bits), OPERAND_F32 or
 * OPERAND_F64. Fails where there is none: "expected `what`". */
void expression_parse(struct lexer *, struct operand *, const char *what);

/* An integer up to `most`. */
uint64_t expression_integer(struct lexer *, uint64_t most, const char *what);

/* +4, -4, +-4, +4*8, any number of them: what follows a name. Their sum, 0 where there is none. */
int64_t expression_offset(struct lexer *);

#endif
