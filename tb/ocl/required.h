/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/required.h: required work group sizes, which clang leaves out of the PTX. */
#ifndef HEDDLE_TB_OCL_REQUIRED_H
#define HEDDLE_TB_OCL_REQUIRED_H

#include <stddef.h>

/* Whether a source may require work group sizes: it says so, or includes another that may. */
int required_possible(const char *source);

/* Takes the sizes from the program's LLVM assembly and writes them into its PTX as .reqntid, so
 * that the PTX says all there is to know of a kernel. Frees `ptx`; returns the new one, of *bytes;
 * NULL: no memory. */
char *required_insert(char *ptx, size_t *bytes, const char *assembly);

#endif
