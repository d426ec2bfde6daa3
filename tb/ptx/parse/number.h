/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/number.h: PTX number literals. */
#ifndef HEDDLE_TB_PTX_PARSE_NUMBER_H
#define HEDDLE_TB_PTX_PARSE_NUMBER_H

#include "tb/ptx/parse/lexer.h"

/* Fills kind and value of the token that begins with the digit at `at`; returns where it ends. */
const char *number_lex(struct ptx_context *, const char *at, const char *end, struct token *);

#endif
