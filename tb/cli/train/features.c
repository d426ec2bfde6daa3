/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/train/features.c: the feature vector X (Poise, table II), by the definitions of the engine,
 * with the limits of its registers (rtl/poise/README.md). */
#include "tb/cli/train/train.h"

#include <math.h>

#define MOST_GAP     (65535.0 / 256) /* the register gap: 16 bits, 8 of them behind the point */
#define MOST_LATENCY (65535.0 / 16)  /* latency_base, latency_lone: 16 bits, 4 behind the point */

/* By accesses; without any the engine takes 0. */
static double per_access(double count, const struct place *p)
{
    return p->accesses > 0 ? count / p->accesses : 0;
}

static double square(double x)
{
    return x * x;
}

void features_of(const struct place *whole, const struct place *lone, double x[NUM_FEATURES])
{
    const double gap = whole->loads > 0 ? whole->instructions / whole->loads : MOST_GAP,
                 base = per_access(whole->waited, whole), alone = per_access(lone->waited, lone);
    x[0] = per_access(whole->hits, whole);
    x[1] = per_access(lone->hits, lone);
    x[2] = per_access(whole->own_hits, whole);
    x[3] = per_access(lone->own_hits, lone);
    x[4] = square(x[3] - x[2]);
    x[5] = fmin(gap, MOST_GAP) * x[4];
    x[6] = square(fmin(alone, MOST_LATENCY) - fmin(base, MOST_LATENCY)) / 1e4;
    x[7] = 1;
}
