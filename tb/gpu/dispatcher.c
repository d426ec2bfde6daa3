/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/dispatcher.c: see dispatcher.h. */
#include "tb/gpu/dispatcher.h"

#include <string.h>

void dispatcher_start(struct dispatcher *d, struct sm *const *sms, unsigned num_sms,
                      const uint32_t grid[3], uint32_t blocks_per_sm)
{
    d->sms = sms;
    d->num_sms = num_sms;
    d->last_sm = num_sms - 1;
    d->blocks_per_sm = blocks_per_sm;
    memcpy(d->grid, grid, sizeof d->grid);
    d->next = 0;
    d->blocks = (uint64_t)grid[0] * grid[1] * grid[2];
}

int dispatcher_step(struct dispatcher *d, uint64_t cycle)
{
    if (dispatcher_empty(d))
        return -1;
    for (unsigned i = 1; i <= d->num_sms; i++) {
        unsigned sm = (d->last_sm + i) % d->num_sms;
        if (sm_resident(d->sms[sm]) >= d->blocks_per_sm)
            continue;
        uint64_t rows = d->next / d->grid[0];
        uint32_t ctaid[3] = {(uint32_t)(d->next % d->grid[0]), (uint32_t)(rows % d->grid[1]),
                             (uint32_t)(rows / d->grid[1])};
        sm_place(d->sms[sm], ctaid, d->next, cycle);
        d->next++;
        d->last_sm = sm;
        return (int)sm;
    }
    return -1;
}

int dispatcher_ready(const struct dispatcher *d)
{
    if (!dispatcher_empty(d))
        for (unsigned i = 0; i < d->num_sms; i++)
            if (sm_resident(d->sms[i]) < d->blocks_per_sm)
                return 1;
    return 0;
}
