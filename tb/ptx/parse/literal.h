/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/literal.h: signed number literals and their bits in a given type. */
#ifndef HEDDLE_TB_PTX_PARSE_LITERAL_H
#define HEDDLE_TB_PTX_PARSE_LITERAL_H

#include "tb/ptx/parse/ast.h"
#include "tb/ptx/parse/lexer.h"

/* Reads a number with an optional sign: OPERAND_INT, OPERAND_F32 or OPERAND_F64. A negative integer
 * is `negated`. Fails where there is none: "expected `what`". */
void literal_parse(struct lexer *, struct operand *, const char *what);

/* Its bits in `type`, the rest zero. Fails where the number does not fit or has the wrong kind. */
uint64_t literal_bits(struct ptx_context *, uint32_t line, const struct operand *, enum ptx_type);

#endif
