/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/repair.h: PTX that clang 14 gets wrong. */
#ifndef HEDDLE_TB_OCL_REPAIR_H
#define HEDDLE_TB_OCL_REPAIR_H

#include <stddef.h>

/* Makes rotations of 64 bits right. Frees `ptx`; returns the new one, of *bytes; NULL: no memory.
 */
char *repair_rotations(char *ptx, size_t *bytes);

/* A kernel that is called gets a function with its body, which is what the calls are of (repair_call.c). */
char *repair_kernel_calls(char *ptx, size_t *bytes);

/* In the LLVM assembly of an object: C99's `inline` functions keep their bodies. */
void repair_inline(char *assembly);

#endif
