/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/assembly.c: a kernel is a line
 *     define dso_local spir_kernel void @name(...) ... !kernel_arg_type !8 !reqd_work_group_size
 * !10 { and its metadata are other lines: !8 = !{!"float*", !"int"} and !10 = !{i32 4, i32 2, i32
 * 1}. */
#include "tb/ocl/assembly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The list with room for one more behind its `count` elements, which it has in powers of two; NULL: no memory. */
static void *grown(void *list, size_t count, size_t size)
{
    return count & (count - 1) ? list : realloc(list, (count ? 2 * count : 1) * size);
}

/* define ... spir_kernel ... @name( */
static int add_kernel(struct assembly *a, struct piece line)
{
    static const char kernel[] = "spir_kernel ";
    const char *at = memchr(line.text, '@', line.length);
    if (!at || !memmem(line.text, (size_t)(at - line.text), kernel, strlen(kernel)))
        return 0;
    void *kernels = grown(a->kernels, a->num_kernels, sizeof *a->kernels);
    if (!kernels)
        return -1;
    a->kernels = kernels;
    a->kernels[a->num_kernels++] = (struct assembly_kernel){{at + 1, strcspn(at + 1, "(\n")}, line};
    return 0;
}

/* !7 = !{. A number is below that of lines, so far below `most`. */
static int add_list(struct assembly *a, struct piece line, size_t most)
{
    static const char mark[] = " = !{";
    char *end;
    const unsigned long number = strtoul(line.text + 1, &end, 10);
    if (end == line.text + 1 || strncmp(end, mark, strlen(mark)) || number >= most)
        return 0;
    while (a->num_lists <= number) {
        void *lists = grown(a->lists, a->num_lists, sizeof *a->lists);
        if (!lists)
            return -1;
        a->lists = lists;
        a->lists[a->num_lists++] = NULL;
    }
    if (!a->lists[number])
        a->lists[number] = end + strlen(mark);
    return 0;
}

int assembly_open(struct assembly *a, const char *text)
{
    static const char definition[] = "define ";
    const size_t bytes = strlen(text);
    int result = 0;
    *a = (struct assembly){0};
    for (const char *at = text; *at && result == 0;) {
        const struct piece line = {at, (size_t)(strchrnul(at, '\n') - at)};
        if (*at == '!')
            result = add_list(a, line, bytes);
        else if (!strncmp(at, definition, strlen(definition)))
            result = add_kernel(a, line);
        at += line.length + (at[line.length] == '\n');
    }
    if (result)
        assembly_close(a);
    return result;
}

void assembly_close(struct assembly *a)
{
    free(a->kernels);
    free(a->lists);
    *a = (struct assembly){0};
}

struct piece assembly_list(const struct assembly *a, const struct assembly_kernel *kernel,
                           const char *metadata)
{
    const struct piece none = {NULL, 0}, line = kernel->line;
    char text[64];
    char *end;
    const int length = snprintf(text, sizeof text, " !%s !", metadata);
    const char *at = memmem(line.text, line.length, text, (size_t)length);
    if (!at)
        return none;
    const unsigned long number =
        strtoul(at + length, &end, 10); /* sscanf would look at all that follows */
    if (end == at + length || number >= a->num_lists || !a->lists[number])
        return none;
    return (struct piece){a->lists[number], strcspn(a->lists[number], "}\n")};
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
