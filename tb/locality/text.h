/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/text.h: values, conditions and doubts as a reader wants them. */
#ifndef HEDDLE_TB_LOCALITY_TEXT_H
#define HEDDLE_TB_LOCALITY_TEXT_H

#include <stdio.h>

#include "tb/locality/condition.h"

/* "0x7f0040000000 + 16384 * block.y + 4 * x + 1024 * trip1" */
void text_value(FILE *, const struct value *);
void text_condition(FILE *, const struct condition *);
/* "what is loaded in line 41" */
void text_doubt(FILE *, const struct doubt *);

#endif
