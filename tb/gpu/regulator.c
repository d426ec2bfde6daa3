/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/regulator.c: see regulator.h. */
#include "tb/gpu/regulator.h"

#include <string.h>

int regulator_open(struct regulator *r, const struct config *c, const struct plan *plans,
                   enum unit_backend backend)
{
    memset(r, 0, sizeof *r);
    memset(&r->steered, 0xff, sizeof r->steered);
    return rack_open(&r->rack, &plans[SCOPE_CLOCK], SCOPE_CLOCK, c, backend,
                     &(struct view){.clock = &r->view}, "clock");
}

void regulator_close(struct regulator *r)
{
    rack_close(&r->rack);
}

uint64_t regulator_next(const struct regulator *r)
{
    return r->rack.wake > r->cycle ? r->rack.wake : r->cycle;
}

int regulator_run(struct regulator *r, uint64_t until)
{
    while (r->cycle < until) {
        const uint64_t next = regulator_next(r);
        if (r->cycle < next) {
            r->cycle = next < until ? next : until;
            continue;
        }
        memset(&r->steered, 0xff, sizeof r->steered);
        if (rack_step(&r->rack, r->cycle++, &r->steered))
            return -1;
        if (r->observer && (r->wrong = r->observer->asked(r->observer->context, r->cycle - 1)))
            return -1;
    }
    return 0;
}

/* What has been counted since the machine began to count. */
static struct clock_view counted(struct sm *const *sms, const struct memory *memory)
{
    const struct l2_served l2 = memory_l2_served(memory);
    struct clock_view sum = {.l2_accesses = l2.accesses, .l2_misses = l2.misses};
    for (unsigned i = 0; i < NUM_SMS; i++) {
        const struct sm_issues issues = sm_issues(sms[i]);
        const struct l1_counters *l1d = sm_l1d_counters(sms[i]);
        sum.instructions += issues.instructions;
        sum.arithmetic += issues.arithmetic;
        sum.l1d_accesses += l1d->accesses;
        sum.l1d_misses += l1d->misses;
    }
    return sum;
}

void regulator_listen(struct regulator *r, struct sm *const *sms, const struct memory *memory)
{
    const struct clock_view now = counted(sms, memory);
    if (!memcmp(&now, &r->counted, sizeof now))
        return;
    uint64_t *sum = (uint64_t *)&r->view; /* the struct holds counts and nothing else */
    for (size_t i = 0; i < sizeof now / sizeof *sum; i++)
        sum[i] += ((const uint64_t *)&now)[i] - ((const uint64_t *)&r->counted)[i];
    r->counted = now;
    r->rack.wake = 0;
}

void regulator_begin(struct regulator *r, const struct memory *memory)
{
    const struct l2_served l2 = memory_l2_served(memory);
    r->counted = (struct clock_view){.l2_accesses = l2.accesses, .l2_misses = l2.misses};
}
