/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/footprint.c: what all blocks read. Loads whose addresses depend on the same of a block's
 * coordinates make one part, with a set for each value of these. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/locality/reading.h"

#define MAX_SPANS (1u << 25) /* of all parts */

static uint32_t axes_of(const struct locality_load *l)
{
    uint64_t needs = l->address->needs | l->when->needs;
    for (const struct counted *c = l->around; c; c = c->outer)
        needs |= c->when->needs | c->last->needs;
    return (uint32_t)(needs & NEEDS_BLOCK);
}

static int fail(struct ptx_error *error, const char *kernel, const char *reason)
{
    error->line = 0;
    snprintf(error->message, sizeof error->message, "kernel %.200s: %s", kernel, reason);
    return -1;
}

uint32_t part_set(const struct part *p, const uint32_t grid[3], const uint32_t block[3])
{
    uint32_t set = 0;
    for (unsigned i = 3; i-- > 0;)
        if (p->axes >> i & 1)
            set = set * grid[i] + block[i];
    return set;
}

/* The coordinates of a set; 0 where it has none. */
static void place_set(struct place *place, const struct part *p, const uint32_t grid[3],
                      uint32_t set)
{
    for (unsigned i = 0; i < 3; i++) {
        place->axis[i] = p->axes >> i & 1 ? set % grid[i] : 0;
        set = p->axes >> i & 1 ? set / grid[i] : set;
    }
}

/* Reads one part's loads. Returns 0, -1: no memory; 1: one has turned out to take too long. */
static int read_part(struct reader *r, struct part *p, struct locality *found,
                     const struct locality_launch *launch, uint64_t *spans)
{
    uint64_t *steps = calloc(found->num_loads + 1, sizeof *steps);
    int status = steps ? 0 : -1;
    for (uint32_t set = 0; set < p->count && !status; set++) {
        r->into = &p->sets[set];
        place_set(&r->place, p, launch->grid, set);
        for (uint32_t i = 0; i < found->num_loads && !status; i++) {
            struct locality_load *l = &found->loads[i];
            if (l->doubt || axes_of(l) != p->axes)
                continue;
            r->steps = steps[i];
            reader_open(r, l, launch->block);
            reader_read(r);
            steps[i] = r->steps;
            static const struct doubt too_long = {.reason = REASON_LONG};
            status = r->failed ? -1 : 0;
            if (!status && r->steps > MAX_LOAD_STEPS) {
                l->doubt = &too_long;
                status = 1;
            }
        }
        spans_sort(r->into);
        *spans += r->into->count;
        if (*spans > MAX_SPANS)
            status = -1;
    }
    free(steps);
    return status;
}

static uint64_t count_sets(const uint32_t grid[3], uint32_t axes)
{
    uint64_t count = 1;
    for (unsigned i = 0; i < 3; i++)
        count *= axes >> i & 1 ? grid[i] : 1;
    return count;
}

/* Returns what read_part does. */
static int read_all(struct footprint *f, struct locality *found,
                    const struct locality_launch *launch)
{
    struct reader *r = calloc(1, sizeof *r);
    uint64_t spans = 0;
    int status = r ? 0 : -1;
    for (uint32_t axes = 0; axes <= NEEDS_BLOCK && !status; axes++) {
        int wanted = 0;
        for (uint32_t i = 0; i < found->num_loads; i++)
            wanted |= !found->loads[i].doubt && axes_of(&found->loads[i]) == axes;
        if (!wanted)
            continue;
        struct part *p = &f->parts[f->num_parts++];
        *p = (struct part){.axes = axes, .count = (uint32_t)count_sets(launch->grid, axes)};
        p->sets = calloc(p->count, sizeof *p->sets);
        r->unit = f->unit;
        status = p->sets ? read_part(r, p, found, launch, &spans) : -1;
    }
    free(r);
    return status;
}

int footprint_find(struct footprint *f, struct locality *found,
                   const struct locality_launch *launch, uint32_t unit, struct ptx_error *error)
{
    *f = (struct footprint){.unit = unit};
    memcpy(f->grid, launch->grid, sizeof f->grid);
    if (count_sets(launch->grid, NEEDS_BLOCK) > UINT32_MAX)
        return fail(error, launch->kernel->name, "it has more blocks than can be analysed");
    int status;
    while ((status = read_all(f, found, launch)) > 0)
        footprint_free(f);
    if (status < 0) {
        footprint_free(f);
        return fail(error, launch->kernel->name, "no memory for what its blocks read");
    }
    return 0;
}

void footprint_free(struct footprint *f)
{
    for (uint32_t p = 0; p < f->num_parts; p++) {
        for (uint32_t i = 0; f->parts[p].sets && i < f->parts[p].count; i++)
            free(f->parts[p].sets[i].span);
        free(f->parts[p].sets);
    }
    f->num_parts = 0;
}
