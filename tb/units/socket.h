/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/socket.h: how a unit is plugged into the machine: what it is connected to, and nothing
 * of how it is run (rack.h). tb/units/<stem>.c defines `const struct socket <stem>_socket`; it is
 * found by being there. It knows the unit's structs, the view, events and controls, and other
 * units' outputs; it knows no part of the machine. */
#ifndef HEDDLE_TB_UNITS_SOCKET_H
#define HEDDLE_TB_UNITS_SOCKET_H

#include <stddef.h>

#include "cmodel/bits.h"
#include "tb/config.h"
#include "tb/events.h"
#include "tb/units/controls.h"
#include "tb/units/log.h"
#include "tb/units/view.h"

/* What units have found in a kernel. */
struct found {
#define FOUND(name, meaning) uint64_t name;
#include "tb/sm/sm.def"
};

/* How many instances there are, and when they act in a cycle:
 *
 * SCHEDULER: one per scheduler, asked in its turn to issue. Its outputs steer in the same cycle,
 *            and so through the units behind it in the policy. If it is QUIET (cmodel/contract.h)
 *            in cycles in which no warp is ready and none begins, it is not asked in them. Whether it
 *            is must depend on nothing but its policy, and is found out for the one that the plan
 *            names: a unit that is not QUIET under another one must not be given that as a CHOICE.
 * SM:        one per SM, asked at the end of a cycle, when all has happened. Its outputs steer from
 *            the next cycle on: what it applies from registers as they are after the edge
 *            (plug_state) is what hardware would show then; what it applies from outputs goes
 *            through a register on its way.
 * GPU:       one, asked before the SMs. Its outputs steer in the same cycle, in the SMs, too.
 * CLOCK:     one, whose cycles are those of the fixed clock (tb/clocks.h). It hears nothing, is told of a window in the next one, and
 *            steers the SMs' clock from the end of the window on. */
enum scope { SCOPE_SCHEDULER, SCOPE_SM, SCOPE_GPU, SCOPE_CLOCK, NUM_SCOPES };

/* Cycles of a scheduler's warps in each class of tb/sm/cpi.def, as the machine counts them. */
struct warp_cycles {
#define CPI_CLASS(name, meaning) uint64_t name;
#include "tb/sm/cpi.def"
#undef CPI_CLASS
};

/* One instance in the machine. A socket reads all and writes `memory`. */
struct plug {
    const struct socket *socket;
    struct rack *rack;
    struct unit_inst *unit;
    const void *in;       /* struct <stem>_in of the last cycle in which it was asked */
    const void *out;      /* struct <stem>_out of the same */
    uint64_t policy;      /* the value of its input `policy` that the policy names; else 0 */
    void *memory;         /* socket.memory bytes, zero at first: what wires need to remember */
    struct plug_run *run; /* the rack's */
};

/* The units of a scope, in the order in which they are asked (policies.h). */
struct plan;

struct socket {
    const char *stem;
    enum scope scope;
    uint32_t hears; /* events: HEARS(l1d_evict) | ... */
    size_t memory;
    /* May it be of a machine on which several kernels run at once? It need not know whose a warp is. */
    int several;
    int acts; /* SCHEDULER: it chooses `action`, and is asked where no warp is ready, too */
    int last; /* it is asked behind all others of its rack: it looks on, and sees what they steer */
    int operands; /* SM: it looks at `operands` of the view */
    /* SM: memory instructions of each kernel wait in a queue of its own, which holds so many besides the one that has begun, and
     * `serve` says which goes on; 0: all wait in one queue, in order. */
    uint32_t queue;

    /* Do its own keys switch the unit on? NULL: yes, where a policy names it. A unit that is
     * switched on and that no policy names is asked before those that it does, unless it is `last`. */
    int (*used)(const struct config *);

    /* Why it cannot work as these plans, one of each scope, have it, or NULL: it can. May be NULL: with any. */
    const char *(*objects)(const struct plan *);

    /* Called once, when all units of the rack are there; may be NULL. */
    void (*open)(struct plug *, const struct config *);

    /* Something has happened that it hears. */
    void (*hear)(struct plug *, const struct event *);

    /* Fills every field of `in`, a struct <stem>_in, but CLOCK's. `controls` are those of the units
     * before it: struct controls, struct controls[NUM_SCHEDULERS], struct gpu_controls or struct clock_controls, by scope.
     * Events that it has heard are shown now and forgotten. Returns 1 if it shows something that
     * holds for this cycle only: then it is asked in the next one, too; else 0. */
    int (*gather)(struct plug *, const struct view *, const void *controls, void *in);

    /* A kernel has ended: adds what the unit has found in it. NULL: it finds nothing. */
    void (*count)(const struct plug *, struct found *);

    /* A kernel has ended. Compares what the unit has counted with what the machine has. Returns 0, or 1: they differ, and
     * `why` says in what. SCHEDULER; NULL: there is nothing to compare. */
    int (*audit)(const struct plug *, const struct warp_cycles *, char *why, size_t size);

    /* How it keeps rows of what the unit does in a kernel; NULL: it keeps none. Of scope SM only. */
    const struct log_kind *log;

    /* Steers: ANDs or sets controls by the unit's outputs and registers. Must depend on these alone:
     * it is called in cycles in which the unit was not asked, too. NULL: it steers nothing. */
    void (*apply)(const struct plug *, void *controls);
};

/* For `apply`: only warps of `allow_load`, a bit for each slot of the SM, may issue loads. */
static inline void withhold_loads(struct controls c[NUM_SCHEDULERS], const uint64_t *allow_load)
{
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        c[i].allow_load &= bits_get(allow_load, i * NUM_WARPS, NUM_WARPS);
}

/* For `objects`: does the plan of this scope give the unit of this stem this policy (0 where it has none)? How many cycles late does it
 * have it steer? */
int plan_has(const struct plan *plans, enum scope, const char *stem, uint64_t policy);
uint64_t plan_delay(const struct plan *plans, enum scope, const char *stem);

/* Every socket, in alphabetical order. */
extern const struct socket *const sockets[];
extern const unsigned num_sockets;

/* A socket by its stem, or NULL. */
const struct socket *socket_find(const char *stem);

/* The registers of a unit after its last step: struct <stem>_state. */
const void *plug_state(const struct plug *);

/* Another unit of the same rack, or NULL: it is not present. */
const struct plug *plug_find(const struct plug *, const char *stem);

#endif
