/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/numbers.h: lists of numbers of blocks or sets. */
#ifndef HEDDLE_TB_LOCALITY_NUMBERS_H
#define HEDDLE_TB_LOCALITY_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

void numbers_sort(uint32_t *, size_t count); /* ascending */

#endif
