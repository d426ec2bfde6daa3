/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/repair_call.c: OpenCL C lets a kernel call a kernel as if it were a function; PTX does not let an .entry be called, and
 * clang 14 does it nevertheless:
 *     .entry a(
 *         .param .u64 .ptr .global .align 4 a_param_0,
 *         .param .u8 a_param_1
 *     )
 *     { ... }
 *     ... call.uni a, (param0, param1);
 * What is called here is made: behind the kernel, or in the place of its declaration, stands a function of the same body with the
 * parameters that clang gives functions:
 *     .func a$function(
 *         .param .b64 a_param_0,
 *         .param .b32 a_param_1
 *     )
 * So the PTX is PTX for others, too, and its readers need not know of this. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/ocl/assembly.h"
#include "tb/ocl/repair.h"

static const char entry[] = "\n.entry ", call[] = "call.uni \n\t", suffix[] = "$function";

struct kernel {
    struct piece name;
    int called;
};

struct kernels {
    struct kernel *list;
    size_t count;
    int any_called;
};

static struct piece name_at(const char *text)
{
    return (struct piece){text, strcspn(text, "(,\n ")};
}

/* The kernel of the name that stands here, or NULL. */
static struct kernel *find(const struct kernels *all, const char *text)
{
    const struct piece name = name_at(text);
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].name.length == name.length &&
            memcmp(all->list[i].name.text, name.text, name.length) == 0)
            return &all->list[i];
    return NULL;
}

/* Returns 0, or -1: no memory. */
static int find_all(const char *ptx, struct kernels *all)
{
    for (const char *at = ptx; (at = strstr(at, entry));) {
        at += strlen(entry);
        if (find(all, at))
            continue; /* was declared */
        struct kernel *list = realloc(all->list, (all->count + 1) * sizeof *list);
        if (!list)
            return -1;
        all->list = list;
        list[all->count++] = (struct kernel){.name = name_at(at)};
    }
    for (const char *at = ptx; (at = strstr(at, call));) {
        at += strlen(call);
        struct kernel *kernel = find(all, at);
        if (kernel)
            kernel->called = all->any_called = 1;
    }
    return 0;
}

/* Prints what lies between, with calls of functions instead of kernels. */
static void print_calls(FILE *out, const char *from, const char *end, const struct kernels *all)
{
    for (const char *at; (at = memmem(from, (size_t)(end - from), call, strlen(call)));) {
        at += strlen(call);
        const struct kernel *kernel = find(all, at);
        at += kernel ? kernel->name.length : 0;
        fwrite(from, 1, (size_t)(at - from), out);
        fputs(kernel ? suffix : "", out);
        from = at;
    }
    fwrite(from, 1, (size_t)(end - from), out);
}

/* Prints a line of a kernel's parameter as that of a function: without what it points to, and of at least 32 bits. */
static void print_param(FILE *out, const char *line, size_t length)
{
    static const char begin[] = "\t.param .", block[] = "\t.param .align ";
    char type[8];
    if (strncmp(line, begin, strlen(begin)) != 0 || strncmp(line, block, strlen(block)) == 0 ||
        sscanf(line + strlen(begin), "%7[a-z0-9]", type) != 1) {
        fwrite(line, 1, length, out);
        return;
    }
    const char *name = memrchr(line, ' ', length);
    fprintf(out, "\t.param .b%d%.*s", strstr(type, "64") ? 64 : 32, (int)(line + length - name),
            name);
}

/* Prints the function that a kernel's text, from behind ".entry ", makes. */
static void print_function(FILE *out, const char *text, const char *end, const struct kernels *all)
{
    const struct piece name = name_at(text);
    fprintf(out, ".func %.*s%s", (int)name.length, text, suffix);
    const char *at = text + name.length;
    while (at < end && *at != ')') { /* it is the first of its line */
        const char *next = memchr(at, '\n', (size_t)(end - at));
        next = next ? next + 1 : end;
        print_param(out, at, (size_t)(next - at));
        at = next;
    }
    print_calls(out, at, end, all);
}

static void print(FILE *out, const char *ptx, const struct kernels *all)
{
    const char *from = ptx;
    for (const char *at; (at = strstr(from, entry));) {
        const char *text = at + strlen(entry);
        const int is_declared = text[name_at(text).length] == '\n';
        const char *const last = is_declared ? "\n;\n" : "\n}\n";
        const char *end = strstr(text, last);
        end = end ? end + strlen(last) : strchr(text, 0);
        const int called = find(all, text)->called;
        print_calls(out, from, called && is_declared ? at + 1 : end, all);
        if (called)
            print_function(out, text, end, all);
        from = end;
    }
    print_calls(out, from, strchr(from, 0), all);
}

char *repair_kernel_calls(char *ptx, size_t *bytes)
{
    struct kernels all = {NULL, 0, 0};
    char *result = NULL;
    FILE *out = NULL;
    if (find_all(ptx, &all) == 0) {
        if (!all.any_called) {
            free(all.list);
            return ptx;
        }
        out = open_memstream(&result, bytes);
    }
    if (out) {
        print(out, ptx, &all);
        if (fclose(out) != 0) {
            free(result);
            result = NULL;
        }
    }
    free(all.list);
    free(ptx);
    return result;
}
