/* SPDX-License-Identifier: Apache-2.0 */
/* tests/install/layout.c: where the fields of a unit lie. Compiled once with the unit's header in the tree and once with the one that is
 * installed (UNIT_HEADER): both must print the same, or the installed reference reads other fields than its callers write. */
#include <stddef.h>
#include <stdio.h>

#include UNIT_HEADER

#define PASTE2(a, b)  a##_##b
#define PASTE(a, b)   PASTE2(a, b)
#define SHOW(part, f) printf("%s.%s %zu\n", #part, #f, offsetof(struct PASTE(UNIT_STEM, part), f));
#define SIZE(part)    printf("%s %zu\n", #part, sizeof(struct PASTE(UNIT_STEM, part)));

#define CONTRACT_DEF                        UNIT_DEF
#define IN(name, width, count, meaning)     SHOW(in, name)
#define OUT(name, width, count, meaning)    SHOW(out, name)
#define STATE(name, width, count, meaning)  SHOW(state, name)
#define MEMORY(name, width, depth, meaning) SHOW(state, name)
#define NAME(field, id, value, meaning)                                                            \
    printf("%s_%s %d\n", #field, #id, PASTE(UNIT_STEM, field##_##id));

int main(void)
{
#include "cmodel/contract_lines.h"
    SIZE(in)
    SIZE(out)
    /* What has no registers has no size, or that of the member which standard C wants. */
    printf("state %zu\n", sizeof(struct PASTE(UNIT_STEM, state)) / sizeof(long));
    return 0;
}
