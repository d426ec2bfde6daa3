/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/unit.h: the C interface between the machine and a unit, whichever side computes it: the C
 * reference, the Verilated RTL, or both in lockstep. One cycle of one instance in lockstep:
 *   1. The bench fills `in`.
 *   2. The reference computes `out`.
 *   3. The Verilated model gets the same `in`; its outputs and registers are sampled.
 *   4. The cycle joins the last UNIT_HISTORY ones in the ring.
 *   5. Every OUT and STATE field is compared, and of a MEMORY all that its write port has let
 *      through; every 4096 cycles all that it holds. At the first difference the instance stops,
 *      and unit_step says so.
 *   6. Both sides tick. */
#ifndef HEDDLE_COSIM_UNIT_H
#define HEDDLE_COSIM_UNIT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum unit_backend { BACKEND_C, BACKEND_RTL, BACKEND_LOCKSTEP, NUM_BACKENDS };

#define UNIT_HISTORY 64 /* cycles a report can look back */
#define UNIT_AFTER   16 /* cycles for which an instance in a waveform goes on after a difference */

struct unit;      /* one kind of unit: its contract; see cosim/contract.h */
struct unit_inst; /* one instance in the machine */
struct wave;
struct fsm;

/* Finds a unit by its stem ("wia"), or NULL. */
const struct unit *unit_find(const char *stem);

/* Parses "c", "rtl" or "lockstep". Returns 0, or -1: another word. */
int unit_backend(const char *word, enum unit_backend *);

/* The value that a contract gives a name of a field: unit_value(u, "policy", "gto", &value).
 * Returns 0, or -1: none. */
int unit_value(const struct unit *, const char *field, const char *id, uint64_t *value);

/* Names of a field, one after the other: NULL when `index` is past the last. *meaning may be asked
 * for too. */
const char *unit_value_id(const struct unit *, const char *field, unsigned index,
                          const char **meaning);

/* Makes an instance in reset state. `place` ("sm 3 scheduler 1") names it in reports and is copied.
 * NULL: no memory. */
struct unit_inst *unit_open(const struct unit *, enum unit_backend, const char *place);
void unit_close(struct unit_inst *);

/* One clock cycle: computes *out from state and *in, then moves the state. `cycle` is the
 * machine's, for reports. `in` and `out` are the unit's structs (struct wia_in *, ...), every byte
 * of *in defined. Returns 0, or 1: lockstep found the first difference of this instance; *out is
 * then the reference's and the instance compares no more. An instance that is in a waveform says so UNIT_AFTER cycles later. */
int unit_step(struct unit_inst *, uint64_t cycle, const void *in, void *out);

/* How to step an instance of which nobody wants to know more than its outputs and its state: `comb` computes them, then `tick` moves
 * the state. */
struct unit_direct {
    void (*comb)(const void *state, const void *in, void *out);
    void (*tick)(void *state, const void *in, const void *out);
    void *state;
};
/* Returns 0, or -1: unit_step must be called, as the instance is not the C reference alone, is in a waveform, or has state machines
 * that are watched. unit_wakes is not to be asked of an instance that is stepped so. */
int unit_direct(const struct unit_inst *, struct unit_direct *);

/* Compares once more, and all there is: the registers as the last edge has left them, and every
 * word of every MEMORY. The bench asks at the end of what it wants to be sure of: a kernel, a run.
 * `cycle` is for reports. Returns as unit_step. */
int unit_settle(struct unit_inst *, uint64_t cycle);

/* Between two cycles: resets the registers on both sides. MEMORYs are filled as by unit_preset, which
 * see: hardware keeps what they hold, and a unit must not lean on it. */
void unit_reset(struct unit_inst *, uint64_t seed);

/* Fills the MEMORYs of an instance that is new, alike on both sides: with zeros for seed 0, as
 * unit_open does, else with noise, so that a unit is found out that reads what it has not written.
 * */
void unit_preset(struct unit_inst *, uint64_t seed);

/* The unit's registers and MEMORYs between two cycles, as its struct <unit>_state, taken from the
 * side that decides: the RTL's in backend rtl, else the reference's, which lockstep has found
 * equal. Valid until the next call with this instance. */
const void *unit_state(struct unit_inst *);

#define UNIT_MOST_FSMS 4

/* The state machines of a unit, one after the other (NULL: `index` is past the last), the STATE that
 * each moves, and how often an instance has taken each edge. A move along no edge stops the instance
 * as a difference does, in every backend. */
const struct fsm *unit_fsm(const struct unit *, unsigned index);
const char *unit_fsm_state(const struct unit *, unsigned index);
const uint64_t *unit_edges(const struct unit_inst *, unsigned index);

/* The unit that an instance is of, its stem, and the place that it was opened with. */
const struct unit *unit_of(const struct unit_inst *);
const char *unit_stem(const struct unit_inst *);
const char *unit_place(const struct unit_inst *);

/* Bytes of the unit's struct <unit>_in and <unit>_out. */
size_t unit_in_size(const struct unit *);
size_t unit_out_size(const struct unit *);

/* Cycles compared and differences found so far by an instance. */
uint64_t unit_cycles(const struct unit_inst *);
uint64_t unit_mismatches(const struct unit_inst *);

/* The bench has found by itself that an instance was wrong in a cycle: it stops as after a
 * difference, and the report gives the reason. */
void unit_accuse(struct unit_inst *, uint64_t cycle, const char *reason);

/* Which cycles need no step: what the contract promises (cmodel/contract.h).
 *
 * unit_quiet: QUIET holds for these inputs: the cycle may be left out, every OUT is 0. False
 * without a QUIET line.
 * unit_idle: IDLE_STABLE holds for a cycle that was stepped with these inputs and outputs: the
 * following cycles may be left out while the inputs stay as they are, up to but without unit_wakes;
 * the outputs stay as they are too. Always true for a unit without STATE, always false for one with
 * STATE but without an IDLE_STABLE line.
 * unit_wakes: the first cycle after the one stepped last that must be stepped although the inputs
 * stay as they are; UINT64_MAX: none.
 * unit_set_clock: sets the input that CLOCK names. It does not count as a change of the inputs.
 * Without a CLOCK line nothing happens. */
int unit_quiet(const struct unit_inst *, const void *in);
int unit_idle(const struct unit_inst *, const void *in, const void *out);
uint64_t unit_wakes(struct unit_inst *, const void *in);
void unit_set_clock(const struct unit *, void *in, uint64_t cycle);

/* The same for a bench that asks in every cycle: what there is of it. */
struct unit_promises {
    int (*quiet)(const void *in); /* NULL: there is no QUIET line */
    int (*idle)(const void *in, const void *out);
    int clock, wakes; /* is there a line of this kind? */
    int clocked;      /* has the unit STATE or MEMORY? */
};
struct unit_promises unit_promises(const struct unit *);

/* The cycle in which an instance was stopped. */
uint64_t unit_failed_cycle(const struct unit_inst *);

/* Prints what differs, with values by name where the contract has names: first the line of the
 * place, then a table of field, reference, RTL and meaning. `config` names the configuration. */
void unit_report(const struct unit_inst *, const char *config, FILE *);

/* Prints the last cycles: of the first inputs, outputs and state of both sides, of the others what has changed; the failing one is marked
 * with "<--". */
void unit_history(const struct unit_inst *, FILE *);

/* Declares the instance's signals in a waveform, below the current scope: in.*, ref.*, rtl.*,
 * differ.*. From then on unit_step remembers each cycle, and unit_trace writes it. In a cycle
 * without a step (IDLE_STABLE) unit_trace looks at what the unit makes of `in`, without an edge.
 * Returns 0, or -1: no memory. */
int unit_trace_declare(struct unit_inst *, struct wave *);
void unit_trace(struct unit_inst *, struct wave *, uint64_t cycle, const void *in);

/* Puts the instance into the save file: each output and register of the reference beside the
 * RTL's. */
void unit_trace_show(const struct unit_inst *, struct wave *);

#endif
