/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/compile.h: OpenCL C to PTX with clang, in one step or by way of objects. Touches no shared
 * state: builds run side by side. */
#ifndef HEDDLE_TB_OCL_COMPILE_H
#define HEDDLE_TB_OCL_COMPILE_H

#include <stddef.h>
#include <stdio.h>

/* Something that a translation reads beside its source. */
struct input {
    char *name; /* of a header, as it is included; NULL: an object, to be linked */
    char *bytes;
    size_t size;
};

enum result { RESULT_PTX, RESULT_OBJECT };

/* Whether clang is on PATH. */
int compiler_available(void);

/* Translates `source` (empty where objects are linked) with `options` (options_parse). Returns PTX
 * or an object, malloc'ed and of *bytes, or NULL; errors and warnings go to `log`, with the source
 * called program.cl. */
char *compile(const char *source, const struct input *inputs, size_t num_inputs,
              char *const *options, enum result, size_t *bytes, FILE *log);

#endif
