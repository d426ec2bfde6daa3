/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/required.c: in LLVM assembly, a kernel with __attribute__((reqd_work_group_size(4, 2, 1)))
 * is a line
 *     define ... void @name(...) ... !reqd_work_group_size !10 {
 * and its size another: !10 = !{i32 4, i32 2, i32 1}. */
#include "tb/ocl/required.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char attribute[] = "reqd_work_group_size";

int required_possible(const char *source)
{
    return strstr(source, attribute) || strstr(source, "include");
}

/* Reads the size behind `metadata`, a number of the assembly. Returns 0, or -1: it is not there. */
static int find_size(const char *assembly, unsigned metadata, unsigned size[3])
{
    char line[32];
    snprintf(line, sizeof line, "\n!%u = !{", metadata);
    const char *at = strstr(assembly, line);
    return at && sscanf(at + strlen(line), "i32 %u, i32 %u, i32 %u", &size[0], &size[1],
                        &size[2]) == 3
               ? 0
               : -1;
}

/* Where in the PTX the body of kernel `name` begins, or NULL. */
static const char *find_body(const char *ptx, const char *name, size_t length)
{
    static const char entry[] = ".entry ";
    for (const char *at = ptx; (at = strstr(at, entry));) {
        at += strlen(entry);
        if (strncmp(at, name, length) == 0 && at[length] == '(')
            return strstr(at, "\n{");
    }
    return NULL;
}

/* Writes one size into the PTX. */
static char *insert_size(char *ptx, size_t *bytes, const char *body, const unsigned size[3])
{
    char *result;
    const int length = asprintf(&result, "%.*s\n.reqntid %u, %u, %u%s", (int)(body - ptx), ptx,
                                size[0], size[1], size[2], body);
    free(ptx);
    if (length < 0)
        return NULL;
    *bytes = (size_t)length;
    return result;
}

char *required_insert(char *ptx, size_t *bytes, const char *assembly)
{
    static const char definition[] = "\ndefine ";
    for (const char *line = assembly; ptx && (line = strstr(line, definition));) {
        line += strlen(definition);
        const char *end = strchrnul(line, '\n');
        const char *name = memchr(line, '@', (size_t)(end - line));
        const char *tag = memmem(line, (size_t)(end - line), attribute, strlen(attribute));
        unsigned metadata, size[3];
        if (!name++ || !tag || sscanf(tag + strlen(attribute), " !%u", &metadata) != 1 ||
            find_size(assembly, metadata, size) < 0)
            continue;
        const char *body = find_body(ptx, name, strcspn(name, "("));
        if (body)
            ptx = insert_size(ptx, bytes, body, size);
    }
    return ptx;
}
