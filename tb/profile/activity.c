/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/activity.c: see activity.h. */
#include "tb/profile/activity.h"

static void hear(void *context, const struct event *e)
{
    struct activity *l = context;
    if (e->kind == EVENT_warp_start) {
        l->kernel_of[e->of.warp_start.warp] = (uint8_t)e->of.warp_start.kernel;
        return;
    }
    const int active = __builtin_popcountll(e->of.issue.active);
    l->counts[l->kernel_of[e->of.issue.warp]].instructions[active ? (active - 1) / 4 : 0]++;
}

void activity_open(struct activity *l)
{
    *l = (struct activity){
        .listener = {.hears = HEARS(warp_start) | HEARS(issue), .hear = hear, .context = l}};
}

void activity_take(struct activity *l, unsigned number, struct activity_counts *sums)
{
    activity_counts_add(sums, &l->counts[number]);
    l->counts[number] = (struct activity_counts){0};
}

void activity_counts_add(struct activity_counts *to, const struct activity_counts *from)
{
    for (int i = 0; i < NUM_ACTIVITY_COUNTS; i++)
        to->instructions[i] += from->instructions[i];
}
