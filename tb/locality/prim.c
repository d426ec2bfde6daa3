/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/prim.c: see prim.h. Candidates wait in a heap; one that has been taken meanwhile, or that
 * waits there with a heavier edge as well, is passed over when its turn comes. */
#include "tb/locality/prim.h"

#include <stdlib.h>

#include "tb/locality/numbers.h"

struct candidate {
    uint64_t weight;
    uint32_t block;
};

struct heap {
    struct candidate *of;
    uint64_t count, room;
};

/* Whether a goes before b. */
static int before(const struct candidate *a, const struct candidate *b)
{
    return a->weight != b->weight ? a->weight > b->weight : a->block < b->block;
}

static int push(struct heap *h, struct candidate c)
{
    if (h->count == h->room) {
        const uint64_t room = h->room ? 2 * h->room : 256;
        struct candidate *larger = realloc(h->of, room * sizeof *larger);
        if (!larger)
            return -1;
        h->of = larger;
        h->room = room;
    }
    uint64_t at = h->count++;
    for (; at > 0 && before(&c, &h->of[(at - 1) / 2]); at = (at - 1) / 2)
        h->of[at] = h->of[(at - 1) / 2];
    h->of[at] = c;
    return 0;
}

static struct candidate pop(struct heap *h)
{
    const struct candidate top = h->of[0], moved = h->of[--h->count];
    uint64_t at = 0;
    for (;;) {
        uint64_t child = 2 * at + 1;
        if (child + 1 < h->count && before(&h->of[child + 1], &h->of[child]))
            child++;
        if (child >= h->count || !before(&h->of[child], &moved))
            break;
        h->of[at] = h->of[child];
        at = child;
    }
    h->of[at] = moved;
    return top;
}

enum { OUTSIDE, WAITS, TAKEN };

static int order(const struct sharing *s, uint32_t *blocks, uint32_t count, struct heap *h,
                 uint8_t *state, const uint32_t *sorted)
{
    uint32_t lowest = 0, taken = 0, next = blocks[0];
    for (uint32_t i = 0; i < count; i++)
        state[blocks[i]] = WAITS;
    for (;;) {
        state[next] = TAKEN;
        blocks[taken++] = next;
        if (taken == count)
            return 0;
        for (uint64_t e = s->first[next]; e < s->first[next + 1]; e++)
            if (state[s->to[e]] == WAITS &&
                push(h, (struct candidate){.weight = s->weight[e], .block = s->to[e]}))
                return -1;
        do
            next = h->count ? pop(h).block : UINT32_MAX;
        while (next != UINT32_MAX && state[next] == TAKEN);
        while (next == UINT32_MAX)
            next = state[sorted[lowest]] == WAITS ? sorted[lowest] : (lowest++, UINT32_MAX);
    }
}

int prim_order(const struct sharing *s, uint32_t *blocks, uint32_t count)
{
    struct heap h = {0};
    uint8_t *state = calloc(s->num_blocks + 1u, 1);
    uint32_t *sorted = malloc((count + 1u) * sizeof *sorted);
    int status = state && sorted ? 0 : -1;
    for (uint32_t i = 0; i < count && !status; i++)
        sorted[i] = blocks[i];
    if (!status)
        numbers_sort(sorted, count);
    if (!status && count)
        status = order(s, blocks, count, &h, state, sorted);
    free(h.of);
    free(state);
    free(sorted);
    return status;
}
