/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/l2_profile.c: see l2_profile.h. */
#include "tb/profile/l2_profile.h"

static void missed(void *user, uint64_t line, enum l2_miss what)
{
    struct l2_profile *p = user;
    const uint32_t lines = p->seen.count;
    p->counts.misses++;
    if (what == L2_ON_ITS_WAY)
        p->counts.misses_merged++;
    else if (what == L2_SECTORS)
        p->counts.misses_sectors++;
    else if (address_number(&p->seen, line) == NO_NUMBER)
        p->no_memory = 1;
    else if (p->seen.count > lines)
        p->counts.misses_cold++;
    else
        p->counts.misses_replaced++;
}

static void served(void *user, unsigned space, uint64_t set, uint64_t line)
{
    struct l2_profile *p = user;
    stacks_touch(&p->stacks, space, set, line);
}

struct l2_listener l2_profile_listener(struct l2_profile *p)
{
    return (struct l2_listener){served, missed, p};
}

int l2_profile_take(struct l2_profile *p, struct l2_counts *sums)
{
    l2_counts_add(sums, &p->counts);
    p->counts = (struct l2_counts){0};
    return p->no_memory ? -1 : 0;
}

void l2_counts_add(struct l2_counts *to, const struct l2_counts *from)
{
#define COUNTER(name, meaning) to->name += from->name;
#include "tb/profile/l2_profile.def"
}
