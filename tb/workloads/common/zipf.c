/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/zipf.c: Zipf's law by inversion: a search in the sums of the weights. Only
 * additions and divisions of doubles, so that the ranks are the same on every host. */
#include "tb/workloads/common/zipf.h"

#include <stdlib.h>

#include "tb/workloads/common/fail.h"

struct zipf zipf_make(uint32_t count)
{
    struct zipf zipf = {.count = count, .sum = allocate(count, sizeof *zipf.sum)};
    double sum = 0;
    for (uint32_t rank = 0; rank < count; rank++) {
        sum += 1 / ((double)rank + 1);
        zipf.sum[rank] = sum;
    }
    return zipf;
}

void zipf_free(struct zipf *zipf)
{
    free(zipf->sum);
    *zipf = (struct zipf){0};
}

uint32_t zipf_rank(const struct zipf *zipf, struct random *random)
{
    /* The first rank whose sum lies above; a product that is rounded up to the last sum finds the
     * last rank. */
    double where = random_unit(random) * zipf->sum[zipf->count - 1];
    uint32_t low = 0, high = zipf->count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (zipf->sum[middle] > where)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
