/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/observer.h: what looks on while an SM works (tb/observe, tb/timeline). It is told when to look and
 * nothing else: what it sees are the registers of the stages (sm_state.h), as they are then. Each
 * returns 0, or 1: something is wrong, and the SM stops with SM_WRONG. */
#ifndef HEDDLE_TB_SM_OBSERVER_H
#define HEDDLE_TB_SM_OBSERVER_H

#include <stdint.h>

struct sm_observer {
    void *context;
    int (*cycle)(void *context, uint64_t cycle); /* a cycle begins that is stepped */
    int (*turn)(void *context, unsigned scheduler,
                uint64_t cycle); /* a scheduler's turn to issue, used
                                                                       or not: it begins */
    int (*turned)(void *context, unsigned scheduler, uint64_t cycle); /* and ends */
    int (*stepped)(void *context, uint64_t cycle);                    /* the cycle ends */
};

#endif
