/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/compile.h: OpenCL C to PTX with clang. Touches no shared state: builds run side by side.
 */
#ifndef HEDDLE_TB_OCL_COMPILE_H
#define HEDDLE_TB_OCL_COMPILE_H

#include <stddef.h>
#include <stdio.h>

/* Whether clang is on PATH. */
int compiler_available(void);

/* Compiles `source` with `options` (options_parse). Returns the PTX, malloc'ed and of *bytes, or
 * NULL; errors and warnings go to `log`, with the source called program.cl. */
char *compile(const char *source, char *const *options, size_t *bytes, FILE *log);

#endif
