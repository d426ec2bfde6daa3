/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/repair.h: PTX that clang 14 gets wrong. */
#ifndef HEDDLE_TB_OCL_REPAIR_H
#define HEDDLE_TB_OCL_REPAIR_H

#include <stddef.h>

/* Makes rotations of 64 bits right. Frees `ptx`; returns the new one, of *bytes; NULL: no memory.
 */
char *repair_rotations(char *ptx, size_t *bytes);

/* Takes the lines out that are a debugger's label alone. */
void repair_labels(char *ptx, size_t *bytes);

#endif
