/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/assembly.c: a kernel is a line
 *     define dso_local spir_kernel void @name(...) ... !kernel_arg_type !8 !reqd_work_group_size
 * !10 { and its metadata are other lines: !8 = !{!"float*", !"int"} and !10 = !{i32 4, i32 2, i32
 * 1}. */
#include "tb/ocl/assembly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int assembly_next_kernel(const char *assembly, struct piece *line, struct piece *name)
{
    static const char definition[] = "\ndefine ", kernel[] = "spir_kernel ";
    const char *from = line->text ? line->text + line->length : assembly;
    while ((from = strstr(from, definition))) {
        from += strlen(definition);
        *line = (struct piece){from, (size_t)(strchrnul(from, '\n') - from)};
        const char *at = memchr(from, '@', line->length);
        if (!at || !memmem(from, (size_t)(at - from), kernel, strlen(kernel)))
            continue;
        *name = (struct piece){at + 1, strcspn(at + 1, "(\n")};
        return 1;
    }
    return 0;
}

struct piece assembly_list(const char *assembly, struct piece line, const char *metadata)
{
    const struct piece none = {NULL, 0};
    char text[64];
    char *end;
    const int length = snprintf(text, sizeof text, " !%s !", metadata);
    const char *at = memmem(line.text, line.length, text, (size_t)length);
    if (!at)
        return none;
    const unsigned long number =
        strtoul(at + length, &end, 10); /* sscanf would look at all that follows */
    if (end == at + length)
        return none;
    snprintf(text, sizeof text, "\n!%lu = !{", number);
    at = strstr(assembly, text);
    if (!at)
        return none;
    at += strlen(text);
    return (struct piece){at, strcspn(at, "}\n")};
}

struct piece assembly_take(struct piece *list)
{
    struct piece element = *list;
    const int is_string = list->length > 1 && memcmp(list->text, "!\"", 2) == 0;
    const char *const end = list->text + list->length;
    if (is_string) {
        element.text += 2;
        const char *quote = memchr(element.text, '"', (size_t)(end - element.text));
        element.length = (size_t)((quote ? quote : end) - element.text);
    } else if (element.length) {
        const char *comma = memchr(element.text, ',', element.length);
        const char *blank = memchr(element.text, ' ', element.length); /* behind the type */
        element.length = (size_t)((comma ? comma : end) - element.text);
        if (blank && blank < element.text + element.length) {
            element.length -= (size_t)(blank + 1 - element.text);
            element.text = blank + 1;
        }
    }
    const char *next = element.text + element.length + is_string;
    next += next < end && *next == ',' ? 1 : 0;
    next += next < end && *next == ' ' ? 1 : 0;
    *list = (struct piece){next, next < end ? (size_t)(end - next) : 0};
    return element;
}
