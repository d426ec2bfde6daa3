/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/repair.c: clang 14 drops the mask of a rotation's amount (x << (n & 63) | x >> (-n & 63)),
 * as if the instructions that it then emits did mask:
 *     .reg .u32 %amt2;
 *     shl.b64 %lhs, %rd9, %r2;
 *     sub.u32 %amt2, 64, %r2;
 *     shr.b64 %rhs, %rd9, %amt2;
 * Shifts of PTX stop at 64 instead. The mask is put back. Only clang names a register %amt2.
 *
 * For debuggers, which have no use for it here, clang puts labels Ltmp0, Ltmp1, ... where it pleases, even into the middle of
 * a call, which it prints in pieces. Nothing names them. */
#include "tb/ocl/repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *repair_rotations(char *ptx, size_t *bytes)
{
    static const char mark[] = "\t.reg .u32 %amt2;\n";
    char *result = NULL;
    const char *from = ptx;
    FILE *out = open_memstream(&result, bytes);
    for (const char *at; out && (at = strstr(from, mark));) {
        char shift[4], source[32], amount[32];
        int read = 0;
        at += strlen(mark);
        fwrite(from, 1, (size_t)(at - from), out);
        from = at;
        if (sscanf(at, " %3[shlr].b64 %%lhs, %31[^,], %31[^;]; sub.u32 %%amt2, 64, %*[^;];%n",
                   shift, source, amount, &read) != 3 ||
            !read)
            continue;
        from += read;
        fprintf(out,
                "\t.reg .u32 %%amt;\n\tand.b32 \t%%amt, %s, 63;\n"
                "\t%s.b64 \t%%lhs, %s, %%amt;\n\tsub.u32 \t%%amt2, 64, %%amt;",
                amount, shift, source);
    }
    if (out) {
        fputs(from, out);
        if (fclose(out) != 0) {
            free(result);
            result = NULL;
        }
    }
    free(ptx);
    return result;
}

/* Is the line Ltmp, digits and a colon? */
static int is_debug_label(const char *line)
{
    static const char name[] = "Ltmp";
    if (strncmp(line, name, strlen(name)))
        return 0;
    const char *digits = line + strlen(name);
    const size_t count = strspn(digits, "0123456789");
    return count && digits[count] == ':' && digits[count + 1] == '\n';
}

void repair_labels(char *ptx, size_t *bytes)
{
    char *to = ptx;
    for (const char *line = ptx; *line;) {
        const char *end = strchr(line, '\n');
        const size_t length = end ? (size_t)(end + 1 - line) : strlen(line);
        if (!is_debug_label(line)) {
            memmove(to, line, length);
            to += length;
        }
        line += length;
    }
    *to = '\0';
    *bytes = (size_t)(to - ptx);
}
