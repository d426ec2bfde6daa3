/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/policies.h: policies by name (policies.def), and from them and the configuration which
 * units a machine has. */
#ifndef HEDDLE_TB_UNITS_POLICIES_H
#define HEDDLE_TB_UNITS_POLICIES_H

#include <stdint.h>
#include <stdio.h>

#include "tb/config.h"
#include "tb/units/socket.h"

struct unit;

enum policy_kind { POLICY_SCHED, POLICY_DISPATCH, NUM_POLICY_KINDS }; /* run.sched, run.dispatch */

struct policy {
    const char *name, *units, *source, *meaning;
};

/* The policies of a kind, one after the other; NULL: `index` is past the last. */
const struct policy *policy_at(enum policy_kind, unsigned index);

/* The key of a file without which the policy cannot be chosen, as a PATH line of one of its units says:
 * "daws_table.profile"; NULL: there is none. */
const char *policy_needs(const struct policy *);

/* Whether a unit of the policy takes an action in every cycle (struct socket), so that units of every SM are asked in every cycle in which
 * it has warps. In lockstep such a policy takes many times as long as others. */
int policy_acts(const struct policy *);

/* Do run.sched and run.dispatch name policies, and are the files there that these need? Returns 0, or -1 with the reason on `err`. */
int policies_check(const struct config *, FILE *err);

#define MAX_PLUGS 16

/* The units of one scope, in the order in which they are asked. */
struct plan {
    struct planned {
        const struct socket *socket;
        const struct unit *unit;
        uint64_t policy; /* see struct plug */
        uint64_t delay;  /* cycles that its outputs steer late: <stem>.delay */
    } units[MAX_PLUGS];
    unsigned count;
};

/* Adds to plans[NUM_SCOPES] the units of a list such as "active wia=lrr". Returns 0, or -1 with the reason
 * on `err`. */
int plan_units(struct plan *plans, const char *units, const struct config *, FILE *err);

/* Does a unit of the GPU hand out blocks of several kernels at once? */
int plan_several(const struct plan *gpu);

/* Fills plans[NUM_SCOPES]. Returns 0, or -1 with the reason on `err`. */
int plan_machine(struct plan *plans, const struct config *, FILE *err);

#endif
