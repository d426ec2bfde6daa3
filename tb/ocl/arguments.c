/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/arguments.c: an argument is a line of the PTX,
 *     //heddle.arg KERNEL INDEX ADDRESS ACCESS QUALIFIERS BASE TYPE NAME
 * with tabs between the words. BASE is the type behind its typedef. The PTX may come from anywhere:
 * a line that is wrong is no line. */
#include "tb/ocl/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/ocl/assembly.h"
#include "tb/ocl/attributes.h"

static const char mark[] = "//heddle.arg";

/* The size that a kernel of the PTX requires. Returns 0: none. */
static int required_size(const struct assembly *assembly, const char *name, unsigned n[3])
{
    size_t i = 0;
    while (i < assembly->num_kernels &&
           (strncmp(name, assembly->kernels[i].name.text, assembly->kernels[i].name.length) ||
            name[assembly->kernels[i].name.length] != '('))
        i++;
    if (i == assembly->num_kernels)
        return 0;
    const struct piece size =
        assembly_list(assembly, &assembly->kernels[i], "reqd_work_group_size");
    return size.text && sscanf(size.text, "i32 %u, i32 %u, i32 %u", &n[0], &n[1], &n[2]) == 3;
}

/* Writes the PTX, and the sizes that kernels require before their bodies. */
static void print_ptx(FILE *out, const char *ptx, const struct assembly *assembly)
{
    static const char entry[] = ".entry ";
    for (const char *at = ptx; (at = strstr(at, entry));) {
        unsigned n[3];
        at += strlen(entry);
        const char *body = required_size(assembly, at, n) ? strstr(at, "\n{") : NULL;
        if (!body)
            continue;
        fwrite(ptx, 1, (size_t)(body - ptx), out);
        fprintf(out, "\n.reqntid %u, %u, %u", n[0], n[1], n[2]);
        ptx = at = body;
    }
    fputs(ptx, out);
}

/* Writes the lines of one kernel's arguments. */
static void print_arguments(FILE *out, const struct assembly *assembly,
                            const struct assembly_kernel *kernel)
{
    static const char *const metadata[] = {"kernel_arg_addr_space", "kernel_arg_access_qual",
                                           "kernel_arg_type_qual",  "kernel_arg_base_type",
                                           "kernel_arg_type",       "kernel_arg_name"};
    enum { COLUMNS = sizeof metadata / sizeof metadata[0] };
    struct piece lists[COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        lists[c] = assembly_list(assembly, kernel, metadata[c]);
    for (unsigned i = 0; lists[0].length; i++) {
        fprintf(out, "%s\t%.*s\t%u", mark, (int)kernel->name.length, kernel->name.text, i);
        for (int c = 0; c < COLUMNS; c++) {
            const struct piece word = assembly_take(&lists[c]);
            fprintf(out, "\t%.*s", (int)word.length, word.text);
        }
        fputc('\n', out);
    }
}

char *arguments_insert(char *ptx, size_t *bytes, const char *text)
{
    struct assembly assembly;
    char *result = NULL;
    FILE *out = assembly_open(&assembly, text) == 0 ? open_memstream(&result, bytes) : NULL;
    if (out) {
        print_ptx(out, ptx, &assembly);
        for (size_t i = 0; i < assembly.num_kernels; i++) {
            attributes_print(out, &assembly, &assembly.kernels[i]);
            print_arguments(out, &assembly, &assembly.kernels[i]);
        }
        if (fclose(out) != 0) {
            free(result);
            result = NULL;
        }
    }
    assembly_close(&assembly);
    free(ptx);
    return result;
}

/* Takes a word up to a tab or the end of the line out of a text; malloc'ed. */
static char *take_word(const char **text)
{
    const size_t length = strcspn(*text, "\t\n");
    char *word = strndup(*text, length);
    *text += length + ((*text)[length] == '\t');
    return word;
}

/* The place of a word in a list, or -1. */
static int find(const char *word, const char *const *list, int count)
{
    for (int i = 0; word && i < count; i++)
        if (strcmp(word, list[i]) == 0)
            return i;
    return -1;
}

static cl_mem_object_type image_type(const char *base)
{
    static const char *const names[] = {"image1d_t", "image1d_buffer_t", "image1d_array_t",
                                        "image2d_t", "image2d_array_t",  "image3d_t"};
    static const cl_mem_object_type types[] = {
        CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
        CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};
    const int i = find(base, names, sizeof names / sizeof names[0]);
    return i < 0 ? 0 : types[i];
}

static cl_kernel_arg_type_qualifier qualifiers_of(const char *words)
{
    return (strstr(words, "const") ? CL_KERNEL_ARG_TYPE_CONST : 0) |
           (strstr(words, "restrict") ? CL_KERNEL_ARG_TYPE_RESTRICT : 0) |
           (strstr(words, "volatile") ? CL_KERNEL_ARG_TYPE_VOLATILE : 0);
}

/* Reads the words behind the index. Returns 0, or -1: they are wrong, or no memory. */
static int read_argument(const char *text, struct argument *a)
{
    static const char *const spaces[] = {"0", "1", "2", "3"};
    static const cl_kernel_arg_address_qualifier addresses[] = {
        CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_CONSTANT,
        CL_KERNEL_ARG_ADDRESS_LOCAL};
    static const char *const access_names[] = {"none", "read_only", "write_only", "read_write"};
    static const cl_kernel_arg_access_qualifier accesses[] = {
        CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
        CL_KERNEL_ARG_ACCESS_READ_WRITE};
    enum { ADDRESS, ACCESS, QUALIFIERS, BASE, TYPE, NAME, WORDS };
    char *words[WORDS];
    for (int i = 0; i < WORDS; i++)
        words[i] = take_word(&text);
    const int space = find(words[ADDRESS], spaces, 4),
              access = find(words[ACCESS], access_names, 4);
    const int valid =
        space >= 0 && access >= 0 && words[QUALIFIERS] && words[BASE] && words[TYPE] && words[NAME];
    if (valid && !a->type)
        *a = (struct argument)
        {
            image_type(words[BASE]), strcmp(words[BASE], "sampler_t") == 0, addresses[space],
                accesses[access], qualifiers_of(words[QUALIFIERS]), strdup(words[TYPE]),
                strdup(words[NAME])
        };
    for (int i = 0; i < WORDS; i++)
        free(words[i]);
    return valid && a->type && a->name ? 0 : -1;
}

struct argument *arguments_of(const char *ptx, const char *kernel, cl_uint count)
{
    struct argument *arguments = calloc(count + 1, sizeof *arguments);
    cl_uint known = 0;
    int failed = !arguments;
    for (const char *at = ptx; !failed && (at = strstr(at, mark));) {
        at += strlen(mark);
        unsigned index;
        int read = 0;
        const size_t length = strlen(kernel);
        if (*at != '\t' || strncmp(at + 1, kernel, length) != 0 || at[1 + length] != '\t' ||
            sscanf(at + 1 + length, "\t%u\t%n", &index, &read) != 1 || !read || index != known ||
            index >= count)
            continue;
        failed = read_argument(at + 1 + length + read, &arguments[known]) < 0;
        known++;
    }
    if (!failed && known == count)
        return arguments;
    arguments_free(arguments, count);
    return NULL;
}

void arguments_free(struct argument *arguments, cl_uint count)
{
    for (cl_uint i = 0; arguments && i < count; i++) {
        free(arguments[i].type);
        free(arguments[i].name);
    }
    free(arguments);
}
