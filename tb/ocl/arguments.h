/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/arguments.h: what a program's source says of its kernels and PTX has no words for. It is
 * written into the PTX, so that the PTX says all there is to know of a program. */
#ifndef HEDDLE_TB_OCL_ARGUMENTS_H
#define HEDDLE_TB_OCL_ARGUMENTS_H

#include <stddef.h>

#include "tb/ocl/calls.h"

struct argument {
    cl_mem_object_type image; /* of an image, else 0 */
    int is_sampler;
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_type_qualifier qualifiers;
    char *type, *name;
};

/* Takes required work group sizes (as .reqntid), arguments and attributes (as comments at the end) from LLVM
 * assembly into the PTX. Frees `ptx`; returns the new one, of *bytes; NULL: no memory. */
char *arguments_insert(char *ptx, size_t *bytes, const char *assembly);

/* The arguments of a kernel of the PTX, malloc'ed; NULL: they are not described, or not all. */
struct argument *arguments_of(const char *ptx, const char *kernel, cl_uint count);

void arguments_free(struct argument *, cl_uint count);

#endif
