/* SPDX-License-Identifier: Apache-2.0 */
/* tb/clocks.h: the machine's two clocks. SMs, dispatcher and units count cycles of their own clock, which runs at some sixths of the
 * fixed one: that of crossbar and L2, gpu.clock_mhz. Everything outside tb/mem speaks of cycles of the SMs.
 *
 * An accumulator of sixths, to which each fixed cycle adds, gives an SM its cycle where it overflows; so the SM's cycle n begins in
 * fixed cycle n * 6 / sixths, rounded up. */
#ifndef HEDDLE_TB_CLOCKS_H
#define HEDDLE_TB_CLOCKS_H

#include <stdint.h>

#define CLOCK_SIXTHS 6

struct clocks {
    uint64_t sixths; /* of the fixed clock, at which the SMs run, 1 to CLOCK_SIXTHS */
    uint64_t cycle;  /* since this cycle of theirs */
    uint64_t fixed;  /* which began in this one of the fixed clock */
};

/* The fixed cycle in which a cycle of the SMs begins; of one before clocks->cycle that is no longer known: clocks->fixed. */
static inline uint64_t clocks_fixed(const struct clocks *k, uint64_t cycle)
{
    if (cycle <= k->cycle)
        return k->fixed;
    const uint64_t since = cycle - k->cycle;
    return k->fixed +
           (k->sixths == CLOCK_SIXTHS ? since : (since * CLOCK_SIXTHS + k->sixths - 1) / k->sixths);
}

/* The first cycle of the SMs that does not begin before a fixed one. UINT64_MAX is a cycle that does not come. */
static inline uint64_t clocks_from(const struct clocks *k, uint64_t fixed)
{
    if (fixed <= k->fixed)
        return k->cycle;
    if (fixed == UINT64_MAX)
        return UINT64_MAX;
    const uint64_t since = fixed - k->fixed;
    return k->cycle +
           (k->sixths == CLOCK_SIXTHS ? since : (since - 1) * k->sixths / CLOCK_SIXTHS + 1);
}

/* The last one that does not begin after it. */
static inline uint64_t clocks_by(const struct clocks *k, uint64_t fixed)
{
    if (fixed <= k->fixed)
        return k->cycle;
    return fixed == UINT64_MAX ? fixed : k->cycle + (fixed - k->fixed) * k->sixths / CLOCK_SIXTHS;
}

#endif
