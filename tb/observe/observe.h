/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/observe.h: checks the glue between the machine and its units, which lockstep cannot see:
 * there both sides of a unit are shown the same. Whatever a unit is shown, and whatever its
 * outputs should do, is worked out a second time, from the machine's own registers, by code that
 * shares nothing with tb/units; so are the events. The first difference stops the machine. Nothing that
 * observes changes what happens; it takes several times as long (run.observe). */
#ifndef HEDDLE_TB_OBSERVE_OBSERVE_H
#define HEDDLE_TB_OBSERVE_OBSERVE_H

#include "tb/gpu/dispatcher.h"
#include "tb/gpu/regulator.h"
#include "tb/ptx/ptx.h"
#include "tb/sm/sm.h"
#include "tb/units/policies.h"

struct observe;

/* Looks on from now on. All must stay but the plans. NULL with the reason on `err`: no
 * memory, or a unit that has no observer. */
struct observe *observe_new(const struct config *config, const struct plan *plans,
                            struct sm *const *sms, struct dispatcher *, struct regulator *,
                            const struct memory *, FILE *err);
void observe_free(struct observe *);

/* The kernel of this number below NUM_KERNELS has been readied, beside others or alone, whose blocks are dispatched from `cycle` on; SMs
 * that were at rest start a cycle later. The occupancy must stay until it has ended; `groups`: those that its blocks are in, or NULL. Returns
 * 0, or -1: no memory. */
int observe_starts(struct observe *, unsigned kernel, const struct occupancy *,
                   const uint32_t grid[3], const struct block_groups *groups, uint64_t cycle);

/* It has ended. */
void observe_ends(struct observe *, unsigned kernel);

/* A window has ended with the cycle before `until`. Returns 0, or 1: something is wrong. */
int observe_window(struct observe *, uint64_t until);

/* All kernels were given up. */
void observe_stopped(struct observe *);

/* What was found to be wrong on an SM, or elsewhere (NULL). */
const char *observe_verdict(const struct observe *, const struct sm *);

/* Turns of schedulers so far in which the oldest warp that was ready was not the first by number.
 * Without any of them a run would be the same if warps went by number. */
uint64_t observe_aged(const struct observe *);

#endif
