/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/repair.h: what clang 14 gets wrong. */
#ifndef HEDDLE_TB_OCL_REPAIR_H
#define HEDDLE_TB_OCL_REPAIR_H

#include <stddef.h>

/* In the LLVM assembly of an object: C99's `inline` functions keep their bodies. */
void repair_inline(char *assembly);

/* In PTX: a kernel that is called gets a function with its body, which is what the calls are of. Frees `ptx`; returns the
 * new one, of *bytes; NULL: no memory. */
char *repair_kernel_calls(char *ptx, size_t *bytes);

/* Makes rotations of 64 bits right. Frees `ptx`; returns the new one, of *bytes; NULL: no memory.
 */
char *repair_rotations(char *ptx, size_t *bytes);

/* Takes the lines out that are a debugger's label alone. */
void repair_labels(char *ptx, size_t *bytes);

#endif
