/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/loop_footprint.h: the lines of L1D that a warp needs for one trip through a loop
 * (DAWS 5.1.1): a repetition id with a diverged load brings a line for each active lane, another one
 * two lines, and each brings one if a single lane is active. */
#ifndef HEDDLE_CMODEL_LOOP_FOOTPRINT_H
#define HEDDLE_CMODEL_LOOP_FOOTPRINT_H

#include <stdint.h>

#define MOST_LINES 255 /* stands for more */

static inline uint64_t loop_footprint(uint64_t active, uint64_t diverged, uint64_t converged)
{
    const uint64_t lines =
        active <= 1 ? active * (diverged + converged) : active * diverged + 2 * converged;
    return lines > MOST_LINES ? MOST_LINES : lines;
}

/* Which loop a footprint is of when a loop begins (5.1.3): the one that the warp's prediction is of,
 * `inner`, if that is inside, up to `last`; else the one that begins. */
static inline uint64_t loop_asked(uint64_t begin, uint64_t last, uint64_t inner)
{
    return begin && inner > begin && inner <= last ? inner : begin;
}

#endif
