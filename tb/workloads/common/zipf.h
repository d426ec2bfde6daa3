/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/zipf.h: ranks by Zipf's law, by which words, links and page views are
 * distributed: rank r is drawn in proportion to 1 / (r + 1). The same on every host: sums and
 * quotients of doubles only. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_ZIPF_H
#define HEDDLE_TB_WORKLOADS_COMMON_ZIPF_H

#include <stdint.h>

#include "tb/workloads/common/random.h"

struct zipf {
    uint32_t ranks;
    double *up_to; /* weight of ranks 0 .. i */
};

/* Ranks 0 .. ranks - 1, ranks > 0. No memory ends the program. */
struct zipf zipf_make(uint32_t ranks);
void zipf_free(struct zipf *);

uint32_t zipf_draw(const struct zipf *, struct random *);

#endif
