/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/assembly.h: what LLVM assembly says of kernels and clang leaves out of the PTX. Texts are
 * parts of the assembly, not terminated. */
#ifndef HEDDLE_TB_OCL_ASSEMBLY_H
#define HEDDLE_TB_OCL_ASSEMBLY_H

#include <stddef.h>

struct piece {
    const char *text; /* NULL: there is none */
    size_t length;
};

/* Steps to the next kernel: its name and the line that defines it. *line is zeroed before the
 * first. Returns 0 behind the last. */
int assembly_next_kernel(const char *assembly, struct piece *line, struct piece *name);

/* The list that a kernel's metadata of this name refers to, without its braces. */
struct piece assembly_list(const char *assembly, struct piece line, const char *metadata);

/* Takes the first element out of a list: a string without its quotes, a number without its type.
 * Nothing where the list is empty. */
struct piece assembly_take(struct piece *list);

#endif
