/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/cycles.c: see cycles.h. */
#include "cosim/cycles.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int cycles_parse(const char *spec, size_t *length, struct cycles *c)
{
    const char *colon = strrchr(spec, ':');
    int end = 0;
    *c = (struct cycles){0, UINT64_MAX};
    *length = colon ? (size_t)(colon - spec) : strlen(spec);
    if (!colon)
        return 0;
    const int numbers = sscanf(colon, ":%" SCNu64 "-%" SCNu64 "%n", &c->first, &c->last, &end);
    return numbers == 2 && !colon[end] && c->first <= c->last ? 0 : -1;
}
