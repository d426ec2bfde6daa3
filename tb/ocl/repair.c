/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/repair.c: clang 14 drops the mask of a rotation's amount (x << (n & 63) | x >> (-n & 63)),
 * as if the instructions that it then emits did mask:
 *     .reg .u32 %amt2;
 *     shl.b64 %lhs, %rd9, %r2;
 *     sub.u32 %amt2, 64, %r2;
 *     shr.b64 %rhs, %rd9, %amt2;
 * Shifts of PTX stop at 64 instead. The mask is put back. Only clang names a register %amt2. */
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
