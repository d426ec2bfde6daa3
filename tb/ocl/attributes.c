/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/attributes.c: hints are a line of the PTX,
 *     //heddle.attributes KERNEL HINT HINT
 * with a tab on both sides of KERNEL. LLVM assembly has a type as a value of it and whether it is signed:
 * !{<4 x i32> undef, i32 1} is int4. What is typed there with a typedef comes out as what it stands for. */
#include "tb/ocl/attributes.h"

#include <string.h>

static const char mark[] = "//heddle.attributes\t";

/* OpenCL's name of a type; NULL: there is none. */
static const char *name_of(const char *element, int is_signed)
{
    static const struct {
        const char *element, *names[2];
    } types[] = {{"i8", {"uchar", "char"}},       {"i16", {"ushort", "short"}},
                 {"i32", {"uint", "int"}},        {"i64", {"ulong", "long"}},
                 {"half", {"half", "half"}},      {"float", {"float", "float"}},
                 {"double", {"double", "double"}}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(element, types[i].element) == 0)
            return types[i].names[is_signed != 0];
    return NULL;
}

/* Returns whether there is a hint that can be told. */
static int vector_hint(struct piece value, char *text, size_t size)
{
    unsigned width = 1;
    char element[8], digits[16] = "";
    int is_signed;
    if (!value.text ||
        (sscanf(value.text, "<%u x %7[a-z0-9]> undef, i32 %d", &width, element, &is_signed) != 3 &&
         sscanf(value.text, "%7[a-z0-9] undef, i32 %d", element, &is_signed) != 2))
        return 0;
    if (width > 1)
        snprintf(digits, sizeof digits, "%u", width);
    const char *name = name_of(element, is_signed);
    return name && snprintf(text, size, "vec_type_hint(%s%s)", name, digits) < (int)size;
}

static int size_hint(struct piece value, char *text, size_t size)
{
    unsigned n[3];
    return value.text && sscanf(value.text, "i32 %u, i32 %u, i32 %u", &n[0], &n[1], &n[2]) == 3 &&
           snprintf(text, size, "work_group_size_hint(%u,%u,%u)", n[0], n[1], n[2]) < (int)size;
}

void attributes_print(FILE *out, const struct assembly *assembly,
                      const struct assembly_kernel *kernel)
{
    char vector[48], group[64];
    const int has_vector = vector_hint(assembly_list(assembly, kernel, "vec_type_hint"), vector,
                                       sizeof vector),
              has_group = size_hint(assembly_list(assembly, kernel, "work_group_size_hint"), group,
                                    sizeof group);
    if (has_vector || has_group)
        fprintf(out, "%s%.*s\t%s%s%s\n", mark, (int)kernel->name.length, kernel->name.text,
                has_vector ? vector : "", has_vector && has_group ? " " : "",
                has_group ? group : "");
}

struct piece attributes_of(const char *ptx, const char *kernel)
{
    const size_t length = strlen(kernel);
    for (const char *at = ptx; (at = strstr(at, mark));) {
        at += strlen(mark);
        if (strncmp(at, kernel, length) == 0 && at[length] == '\t')
            return (struct piece){at + length + 1, strcspn(at + length + 1, "\n")};
    }
    return (struct piece){NULL, 0};
}
