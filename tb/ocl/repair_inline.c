/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/repair_inline.c: C99 has the body of an `inline` function for inlining alone, and clang drops it where it does not inline.
 * In an object it stays: such a function is one with that of another object, as C++ has it, and gives way to one that is not
 * inline. */
#include <string.h>

#include "tb/ocl/repair.h"

void repair_inline(char *assembly)
{
    static const char dropped[] = "\ndefine available_externally ",
                      kept[] = "\ndefine linkonce_odr         ";
    _Static_assert(sizeof kept == sizeof dropped, "one takes the place of the other");
    for (char *at = assembly; (at = strstr(at, dropped));)
        memcpy(at, kept, strlen(kept));
}
