/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/rack.h: runs the units that are plugged in at one place of the machine: a scheduler, an
 * SM, the GPU. The only code that opens, asks, delays, counts or traces a unit there; it knows none
 * by name.
 *
 * A unit is not asked in cycles in which its contract promises that nothing comes of it
 * (cmodel/contract.h): QUIET holds; or IDLE_STABLE held when it was asked last, its inputs are the
 * same, and WAKES has not come. Results do not depend on which cycles are left out. */
#ifndef HEDDLE_TB_UNITS_RACK_H
#define HEDDLE_TB_UNITS_RACK_H

#include <stdint.h>

#include "cosim/unit.h"
#include "tb/units/policies.h"
#include "tb/units/socket.h"

struct rack {
    enum scope scope;
    unsigned count; /* units; 0: nothing need be called */
    struct plug *plugs;
    uint32_t hears; /* events that any of them hears */
    uint64_t
        wake; /* the next cycle in which rack_step has work, whatever it sees; UINT64_MAX: none */
    struct view view;
    struct unit_inst *wrong; /* set when rack_step fails */
    /* A scheduler must ask it whenever something has changed, in the very cycle, even if no warp is
     * ready: what its units see is shown in a waveform, or one steers late and it counts since when,
     * or one has registers and does not say that it is QUIET then. */
    int always;
    int alone;      /* its one unit's reference can be called directly */
    int logs;       /* a unit keeps a log: rack_note is to be called */
    uint32_t queue; /* as in struct socket, of the unit that has one */
};

/* Opens the units of a plan. `place` names it in reports ("sm 3 scheduler 1"); what the view points
 * to must stay. Returns 0, or -1: no memory; rack_close is due in either case. */
int rack_open(struct rack *, const struct plan *, enum scope, const struct config *,
              enum unit_backend, const struct view *, const char *place);
void rack_close(struct rack *);

/* Has all units hear an event. */
void rack_hear(struct rack *, const struct event *);

/* A cycle: asks the units, in order, and steers by `controls`, which socket.h's gather describes and
 * which come in as they are at the start of a cycle. Returns 0, or 1: a unit is wrong. */
int rack_step(struct rack *, uint64_t cycle, void *controls);

/* Logs (log.h): a kernel begins; a cycle in which rack_step was called is over; the kernel has ended, and `cycle` is the first
 * in which nothing of it is left. */
void rack_log_begin(struct rack *);
void rack_note(struct rack *, uint64_t cycle);
void rack_log_end(struct rack *, uint64_t cycle);

/* What each unit has logged; NULL: it keeps no log. `index` as in rack_unit. */
const struct log *rack_log(const struct rack *, unsigned index);

/* A kernel has ended: adds what the units have found in it. */
void rack_count(const struct rack *, struct found *);

/* The kernel has ended: compares all that lockstep has not looked at since (unit_settle). Returns as
 * rack_step. */
int rack_settle(struct rack *, uint64_t cycle);

/* The kernel has ended: compares what units of a scheduler have counted with what the machine has (socket.h). Returns as
 * rack_step. */
int rack_audit(struct rack *, uint64_t cycle, const struct warp_cycles *);

/* Whether nothing moves for as long as nothing changes that the units see, and rack.wake has not
 * come. */
int rack_still(const struct rack *);

/* How many cycles later than their contracts say the units steer, at most; 0: none is late. */
uint64_t rack_late(const struct rack *);

/* The machine has found by itself that what the rack's last unit that steers did in a cycle was
 * wrong; it is reported as after a lockstep difference. */
void rack_accuse(struct rack *, uint64_t cycle, const char *reason);

/* The units, one after the other; NULL: `index` is past the last. */
struct unit_inst *rack_unit(const struct rack *, unsigned index);

/* All units in a waveform, as cosim/unit.h describes. `asked`: the machine asked them in this cycle,
 * or left it out because nothing changes; else they saw nothing. */
int rack_trace_declare(struct rack *, struct wave *);
void rack_trace(const struct rack *, struct wave *, uint64_t cycle, int asked);
void rack_trace_show(const struct rack *, struct wave *);

#endif
