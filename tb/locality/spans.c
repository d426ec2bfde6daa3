/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/spans.c: sets of memory. */
#include <stdlib.h>

#include "tb/locality/footprint.h"

static int compare(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

void spans_sort(struct spans *r)
{
    uint32_t kept = 0;
    int sorted = 1;
    for (uint32_t i = 1; i < r->count; i++)
        sorted &= r->span[i - 1].first <= r->span[i].first;
    if (!sorted)
        qsort(r->span, r->count, sizeof *r->span, compare);
    for (uint32_t i = 0; i < r->count; i++) {
        struct span *last = kept ? &r->span[kept - 1] : NULL;
        if (last && r->span[i].first <= last->behind)
            last->behind = r->span[i].behind > last->behind ? r->span[i].behind : last->behind;
        else
            r->span[kept++] = r->span[i];
    }
    r->count = kept;
}

int spans_add(struct spans *r, uint64_t first, uint64_t behind)
{
    struct span *last = r->count ? &r->span[r->count - 1] : NULL;
    if (last && first <= last->behind && behind >= last->first) {
        last->first = first < last->first ? first : last->first;
        last->behind = behind > last->behind ? behind : last->behind;
        return 0;
    }
    if (r->count == r->room) {
        spans_sort(r); /* most of what threads read is alike */
        if (r->count >= r->room / 2) {
            const uint32_t room = r->room ? 2 * r->room : 16;
            struct span *larger = realloc(r->span, room * sizeof *larger);
            if (!larger)
                return -1;
            r->span = larger;
            r->room = room;
        }
    }
    r->span[r->count++] = (struct span){first, behind};
    return 0;
}
