/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/poise/link.h: the arithmetic of poise.h: products and quotients a bit per cycle, and the link
 * functions that are made of them (Poise V-D): ln N and ln p are sums of weights times the features
 * of table II; e to that is 2^k (1 + f - 11/32 f (1 - f)); and that is scaled from 24 warps to W. */
#ifndef HEDDLE_CMODEL_POISE_LINK_H
#define HEDDLE_CMODEL_POISE_LINK_H

#include "cmodel/poise/poise.h"

#define LINK_LAST_TICK 33 /* of a step; 0 takes the operands */

/* A bit of high.low = low * factor, or of low = high.low / divisor. */
void link_multiply(struct poise_state *, int64_t factor);
void link_divide(struct poise_state *, uint64_t divisor);

/* A cycle of PREDICT, and on to the next step after the last. After the last step low is the
 * pair's N or p, 18 bits behind the point, where the exponent is from 10 to 18. */
void link_tick(struct poise_state *, const struct poise_in *);

#endif
