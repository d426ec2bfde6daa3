/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/numbers.c: see numbers.h. */
#include "tb/locality/numbers.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void numbers_sort(uint32_t *of, size_t count)
{
    qsort(of, count, sizeof *of, compare);
}
