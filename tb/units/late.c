/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/late.c: see late.h. */
#include "tb/units/late.h"

#include <stdlib.h>
#include <string.h>

#include "tb/units/controls.h"

static unsigned words(const struct late *l)
{
    return l->shape->words * l->shape->count;
}

static uint64_t *entry(const struct late *l, uint64_t number)
{
    return &l->controls[number % l->places * words(l)];
}

int late_open(struct late *l, const struct late_shape *shape, uint64_t delay)
{
    *l = (struct late){.shape = shape, .delay = delay, .places = delay + 2};
    if (!delay)
        return 0;
    l->since = calloc(l->places, sizeof *l->since);
    l->controls = malloc(l->places * words(l) * sizeof *l->controls);
    if (!l->since || !l->controls)
        return -1;
    memset(l->controls, 0xff, words(l) * sizeof *l->controls); /* since cycle 0: as nobody steers */
    l->end = 1;
    return 0;
}

void late_close(struct late *l)
{
    free(l->since);
    free(l->controls);
}

void *late_now(struct late *l, uint64_t cycle)
{
    l->since[l->end % l->places] = cycle;
    return memset(entry(l, l->end), 0xff, words(l) * sizeof *l->controls);
}

uint64_t late_apply(struct late *l, uint64_t cycle, uint64_t *controls)
{
    if (memcmp(entry(l, l->end), entry(l, l->end - 1), words(l) * sizeof *controls))
        l->end++;
    /* What late_now has begun is of this cycle: it ends the search. */
    while (l->since[(l->first + 1) % l->places] + l->delay <= cycle)
        l->first++;
    const uint64_t *due = entry(l, l->first);
    for (unsigned i = 0; i < words(l); i++)
        if (l->shape->mask[i % l->shape->words])
            controls[i] &= due[i];
        else if (due[i] != NO_CHOICE)
            controls[i] = due[i];
    return l->first + 1 < l->end ? l->since[(l->first + 1) % l->places] + l->delay : UINT64_MAX;
}
