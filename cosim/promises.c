/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/promises.c: see promises.h. */
#include "cosim/promises.h"

#include <stdio.h>
#include <string.h>

#include "cosim/unit.h"

/* The first field of a kind that differs, or NULL. */
static const char *moved(const struct unit *u, enum field_kind kind, const void *a, const void *b)
{
    if (!memcmp(a, b, u->size[kind]))
        return NULL;
    for (unsigned f = 0; f < u->num_fields; f++)
        if (u->fields[f].kind == kind && !field_equal(&u->fields[f], a, b))
            return u->fields[f].name;
    return NULL;
}

/* The first OUT that is not 0, or NULL. */
static const char *shows(const struct unit *u, const void *out)
{
    for (unsigned f = 0; f < u->num_fields; f++)
        for (unsigned e = 0; u->fields[f].kind == FIELD_OUT && e < u->fields[f].count; e++)
            if (field_get(&u->fields[f], out, e))
                return u->fields[f].name;
    return NULL;
}

/* What moves in the next cycle if only the CLOCK does, or NULL. The state rests until then. */
static const char *moves_next(const struct unit *u, const void *state, const void *in,
                              const void *out, uint64_t clock, void *scratch)
{
    uint8_t *next_in = scratch, *next_out = next_in + u->size[FIELD_IN],
            *next_state = next_out + u->size[FIELD_OUT];
    memcpy(next_in, in, u->size[FIELD_IN]);
    memcpy(next_state, state, u->state_size);
    memset(next_out, 0, u->size[FIELD_OUT]);
    unit_set_clock(u, next_in, clock + 1);
    u->comb(next_state, next_in, next_out);
    u->tick(next_state, next_in, next_out);
    const char *name = moved(u, FIELD_OUT, out, next_out);
    if (!name)
        name = moved(u, FIELD_STATE, state, next_state);
    for (unsigned m = 0; m < u->num_memories && !name; m++)
        if (!field_equal(&u->memories[m], state, next_state))
            name = u->memories[m].name;
    return name;
}

int promise_broken(const struct unit *u, const void *before, const void *in, const void *out,
                   const char *written, const void *after, void *scratch, char *reason, size_t size)
{
    const int quiet = u->quiet(in), idle = u->idle(in, out);
    const char *name = NULL;
    if (quiet && (name = shows(u, out)))
        snprintf(reason, size, "QUIET holds, but OUT %s is not 0", name);
    else if ((quiet || idle) && (name = moved(u, FIELD_STATE, before, after)))
        snprintf(reason, size, "%s holds, but STATE %s moves", quiet ? "QUIET" : "IDLE_STABLE",
                 name);
    else if ((quiet || idle) && (name = written))
        snprintf(reason, size, "%s holds, but MEMORY %s is written",
                 quiet ? "QUIET" : "IDLE_STABLE", name);
    else if (idle && u->clock) {
        const uint64_t now = field_get(u->clock, in, 0);
        if (unit_wakes_after(u, now, u->wakes(after, in)) > now + 1 &&
            (name = moves_next(u, after, in, out, now, scratch)))
            snprintf(reason, size, "WAKES names no cycle so early, but %s moves in the next", name);
    }
    return name != NULL;
}
