/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/shadow.h: the C reference of a unit with state of its own, which an observer steps in
 * every cycle beside the machine's, and what it steers, as late as <stem>.delay says. */
#ifndef HEDDLE_TB_OBSERVE_SHADOW_H
#define HEDDLE_TB_OBSERVE_SHADOW_H

#include "tb/observe/observer.h"
#include "tb/observe/verdict.h"
#include "tb/units/policies.h"
#include "tb/units/socket.h"

struct shadow {
    const struct observer *observer;
    const struct unit *unit;
    const struct plug *plug; /* the machine's */
    void *in, *out, *state, *before;
    void *memory;          /* the observer's */
    unsigned places;       /* schedulers that it steers */
    struct controls *late; /* ring of what it steered, this cycle's and `delay` before it */
    uint64_t delay, cycles;
};

/* Returns 0, or -1: no memory, or nobody observes the unit, which is written to the verdict.
 * shadow_close is due in either case. */
int shadow_open(struct shadow *, const struct planned *, const struct plug *, unsigned places,
                struct verdict *);
void shadow_close(struct shadow *);

/* The one of the unit of that name among so many, or NULL. */
const struct shadow *shadow_find(const struct shadow *, unsigned count, const char *stem);

/* The outputs of this cycle, from its inputs. */
void shadow_comb(struct shadow *, uint64_t cycle);

/* Steers what is due in this cycle; `state` or outputs are those that its observer steers by. */
void shadow_steer(struct shadow *, struct controls *);

/* For so many cycles it has steered as in the last one. */
void shadow_rest(struct shadow *, uint64_t cycles);

/* The edge. Returns whether a register has moved, or what is steered late may yet. */
int shadow_tick(struct shadow *);

/* Compares with the machine's unit. Each returns 0, or 1: the verdict names the field. */
int shadow_inputs_differ(const struct shadow *, struct verdict *, uint64_t cycle);
int shadow_registers_differ(const struct shadow *, struct verdict *, uint64_t cycle);

/* Compares what steers with what should. Returns 0, or 1: the verdict names the control. */
int controls_differ(const struct controls *should, const struct controls *found, struct verdict *,
                    uint64_t cycle);

#endif
