/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/options.h: the build options of OpenCL, as arguments for clang. */
#ifndef HEDDLE_TB_OCL_OPTIONS_H
#define HEDDLE_TB_OCL_OPTIONS_H

#include <stdio.h>

/* Splits and checks an option string (NULL: none). Returns a NULL-terminated list, to be freed with
 * options_free, or NULL: no memory, or an option that is not OpenCL's, named on `log`. */
char **options_parse(const char *options, FILE *log);

/* The same for options of the linker. *is_library: -create-library was there. */
char **options_parse_link(const char *options, int *is_library, FILE *log);

void options_free(char **);

#endif
