/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/zipf.c: draws from Zipf's law by bisection of the cumulated weights. */
#include "tb/workloads/common/zipf.h"

#include <stdlib.h>

#include "tb/workloads/common/fail.h"

struct zipf zipf_make(uint32_t ranks)
{
    struct zipf zipf = {ranks, allocate(ranks, sizeof *zipf.up_to)};
    double sum = 0;
    for (uint32_t rank = 0; rank < ranks; rank++)
        zipf.up_to[rank] = sum += 1.0 / (rank + 1.0);
    return zipf;
}

void zipf_free(struct zipf *zipf)
{
    free(zipf->up_to);
    *zipf = (struct zipf){0};
}

uint32_t zipf_draw(const struct zipf *zipf, struct random *random)
{
    double where = random_unit(random) * zipf->up_to[zipf->ranks - 1];
    uint32_t low = 0, high = zipf->ranks - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (where < zipf->up_to[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
