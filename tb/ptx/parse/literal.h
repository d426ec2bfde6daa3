/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/literal.h: constants as bits of a given type. */
#ifndef HEDDLE_TB_PTX_PARSE_LITERAL_H
#define HEDDLE_TB_PTX_PARSE_LITERAL_H

#include "tb/ptx/context.h"
#include "tb/ptx/parse/ast.h"

/* The bits of a number in `type`, the rest zero; what an integer has more is cut off. Fails where
 * the number has the wrong kind. */
uint64_t literal_bits(struct ptx_context *, uint32_t line, const struct operand *, enum ptx_type);

#endif
