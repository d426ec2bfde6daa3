/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/reuse.c: see reuse.h. */
#include "tb/profile/reuse.h"

#include <stdlib.h>
#include <string.h>

#include "tb/profile/address_map.h"

#define LEAST 64 /* lines, and a quarter of the times */

static void add(struct reuse *r, uint32_t time, uint32_t amount)
{
    for (; time <= r->times; time += time & -time)
        r->tree[time] += amount;
}

/* Marks at this time and before. */
static uint32_t marks_until(const struct reuse *r, uint32_t time)
{
    uint32_t sum = 0;
    for (; time; time -= time & -time)
        sum += r->tree[time];
    return sum;
}

/* Makes room for twice as many lines. Returns 0 or -1. */
static int more_lines(struct reuse *r)
{
    const uint32_t places = r->places ? 2 * r->places : LEAST;
    uint32_t *times = realloc(r->time_of, places * sizeof *times);
    if (times)
        r->time_of = times;
    uint64_t *accesses = times ? realloc(r->access_of, places * sizeof *accesses) : NULL;
    if (!accesses)
        return -1;
    r->access_of = accesses;
    r->places = places;
    return 0;
}

/* Moves the marks to the first times, in order, of four for each line. Returns 0 or -1. */
static int compact(struct reuse *r)
{
    const uint32_t times = 4 * (r->lines > LEAST ? r->lines : LEAST);
    uint32_t *line_at = malloc((times + 1u) * sizeof *line_at);
    uint32_t *tree = calloc(times + 1u, sizeof *tree);
    if (!line_at || !tree) {
        free(line_at);
        free(tree);
        return -1;
    }
    uint32_t next = 0;
    for (uint32_t t = 1; t <= r->now; t++)
        if (r->line_at[t] != NO_NUMBER) {
            line_at[++next] = r->line_at[t];
            r->time_of[r->line_at[t]] = next;
        }
    free(r->tree);
    free(r->line_at);
    r->tree = tree;
    r->line_at = line_at;
    r->times = times;
    r->now = next;
    for (uint32_t t = 1; t <= next; t++)
        add(r, t, 1);
    return 0;
}

int reuse_touch(struct reuse *r, uint32_t line, struct distance *distance)
{
    const int known = line < r->lines;
    if (!known && r->lines == r->places && more_lines(r))
        return -1;
    if (r->now == r->times && compact(r))
        return -1;
    if (known) {
        const uint32_t last = r->time_of[line];
        distance->lines = r->lines - marks_until(r, last);
        distance->accesses = r->accesses - r->access_of[line] - 1;
        add(r, last, (uint32_t)-1);
        r->line_at[last] = NO_NUMBER;
    } else
        r->lines++;
    r->now++;
    add(r, r->now, 1);
    r->line_at[r->now] = line;
    r->time_of[line] = r->now;
    r->access_of[line] = r->accesses++;
    return known;
}

void reuse_clear(struct reuse *r)
{
    free(r->tree);
    free(r->line_at);
    free(r->time_of);
    free(r->access_of);
    *r = (struct reuse){0};
}
