/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/activity.c: see activity.h. */
#include "tb/profile/activity.h"

static void hear(void *context, const struct event *e)
{
    struct activity *l = context;
    const int active = __builtin_popcountll(e->of.issue.active);
    l->counts.instructions[active ? (active - 1) / 4 : 0]++;
}

void activity_open(struct activity *l)
{
    *l = (struct activity){.listener = {.hears = HEARS(issue), .hear = hear, .context = l}};
}

void activity_take(struct activity *l, struct activity_counts *sums)
{
    activity_counts_add(sums, &l->counts);
    l->counts = (struct activity_counts){0};
}

void activity_counts_add(struct activity_counts *to, const struct activity_counts *from)
{
    for (int i = 0; i < NUM_ACTIVITY_COUNTS; i++)
        to->instructions[i] += from->instructions[i];
}
