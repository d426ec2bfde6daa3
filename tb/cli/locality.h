/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/locality.h: the pictures of `heddle locality`. */
#ifndef HEDDLE_TB_CLI_LOCALITY_H
#define HEDDLE_TB_CLI_LOCALITY_H

#include "tb/cli/statistics.h"

/* Draws which blocks of each kernel share memory into a file (PAVER, figure 5). Returns 0, or -1 with
 * the reason on stderr. */
int locality_picture(struct statistics *, const char *path);

#endif
