/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/matrix_market.h: sparse matrices from files in the Matrix Market exchange
 * format (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, NISTIR 5935, 1996).
 *
 * Read are coordinate matrices, real, integer or pattern (every value 1), general, symmetric or
 * skew-symmetric (the mirrored half is added); values are rounded to 32-bit floats. Entries at the
 * same place are kept side by side in the file's order, so that a product sums them. Blank lines
 * and comment lines may stand anywhere after the banner. Every line must end with a line end: that,
 * and the entry count, is how a truncated file is known. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_MATRIX_MARKET_H
#define HEDDLE_TB_WORKLOADS_COMMON_MATRIX_MARKET_H

#include <stdio.h>

#include "tb/workloads/common/csr.h"

#define MATRIX_MARKET_LINE                                                                         \
    1024 /* most characters of a line, by the format; comments may be longer */

/* Reads a matrix. `name` stands in the message. Returns 0, or -1 with `message` (of `size` bytes)
 * saying "NAME:LINE: what is wrong; what was expected". */
int matrix_market_read(struct csr *matrix, FILE *in, const char *name, char *message, size_t size);

#endif
