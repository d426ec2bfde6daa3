/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/late.h: controls that steer some cycles after the unit has set them: what a unit's
 * latency costs (<stem>.delay). A unit that is not asked steers as it did; so changes are kept, each
 * with the cycle from which it holds. At most one comes per cycle, and one older than the delay is
 * never needed again once a later one is due. */
#ifndef HEDDLE_TB_UNITS_LATE_H
#define HEDDLE_TB_UNITS_LATE_H

#include <stdint.h>

/* Controls are `count` structs of `words` words; mask[w]: word w is a MASK, else a CHOICE. */
struct late_shape {
    const uint8_t *mask;
    unsigned words, count;
};

struct late {
    const struct late_shape *shape;
    uint64_t delay;
    uint64_t *since;    /* ring: the cycle from which an entry's controls hold, `delay` later */
    uint64_t *controls; /* the same ring */
    uint64_t places, first, end;
};

/* Returns 0, or -1: no memory. */
int late_open(struct late *, const struct late_shape *, uint64_t delay);
void late_close(struct late *);

/* Where the controls of this cycle go: all ones, to be steered. Once per cycle, then late_apply. */
void *late_now(struct late *, uint64_t cycle);

/* Steers `controls` by those that are due. Returns the cycle in which the next ones are, or
 * UINT64_MAX. */
uint64_t late_apply(struct late *, uint64_t cycle, uint64_t *controls);

#endif
