/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/zipf.h: ranks by Zipf's law: rank r of n is drawn with a probability in
 * proportion to 1 / (r + 1). */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_ZIPF_H
#define HEDDLE_TB_WORKLOADS_COMMON_ZIPF_H

#include "tb/workloads/common/random.h"

struct zipf {
    uint32_t count;
    double *sum; /* sum[r]: of the weights of ranks 0 .. r */
};

/* count > 0. No memory ends the program. */
struct zipf zipf_make(uint32_t count);
void zipf_free(struct zipf *zipf);

/* A rank in 0 .. count - 1. */
uint32_t zipf_rank(const struct zipf *zipf, struct random *random);

#endif
