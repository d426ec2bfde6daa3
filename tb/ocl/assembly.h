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

struct assembly_kernel {
    struct piece name, line; /* the line defines it */
};

/* An assembly that was looked through once. */
struct assembly {
    struct assembly_kernel *kernels; /* in order */
    size_t num_kernels;
    const char **lists; /* of metadata, by number, from behind the brace; NULL: it is no list */
    size_t num_lists;
};

/* The text must live as long. Returns 0, or -1: no memory. */
int assembly_open(struct assembly *, const char *text);
void assembly_close(struct assembly *);

/* The list that a kernel's metadata of this name refers to, without its braces. */
struct piece assembly_list(const struct assembly *, const struct assembly_kernel *,
                           const char *metadata);

/* Takes the first element out of a list: a string without its quotes, a number without its type.
 * Nothing where the list is empty. */
struct piece assembly_take(struct piece *list);

#endif
