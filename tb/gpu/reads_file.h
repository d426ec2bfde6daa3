/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/reads_file.h: the file of `heddle locality`. */
#ifndef HEDDLE_TB_GPU_READS_FILE_H
#define HEDDLE_TB_GPU_READS_FILE_H

#include "tb/gpu/reads_row.h"

/* Returns 0, or -1 with the reason on `err`. */
int reads_file(const char *path, const struct reads_row *, size_t count, uint32_t unit, FILE *err);

#endif
