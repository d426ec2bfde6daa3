/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/attributes.h: the hints that a kernel's source gives with __attribute__ (section 6.7.2), which PTX has no words for. */
#ifndef HEDDLE_TB_OCL_ATTRIBUTES_H
#define HEDDLE_TB_OCL_ATTRIBUTES_H

#include <stdio.h>

#include "tb/ocl/assembly.h"

/* Writes a line for the PTX, if the kernel has hints. */
void attributes_print(FILE *, const struct assembly *, const struct assembly_kernel *);

/* A kernel's hints, a part of the PTX; of no length: it has none. */
struct piece attributes_of(const char *ptx, const char *kernel);

#endif
