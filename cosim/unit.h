/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/unit.h: how the bench talks to a unit, whoever decides: the C reference, the Verilated RTL,
 * or both in lockstep. The bench sees this and the unit's own header (struct wia_in, struct
 * wia_out), nothing of Verilator.
 *
 * Lockstep, one cycle of one instance:
 *   1. The bench fills `in`.                     4. Every OUT and STATE field is compared.
 *   2. The reference computes `out`.             5. Both tick.
 *   3. The Verilated model gets the same `in`,   6. The cycle joins the last UNIT_HISTORY ones in
 * the ring. its outputs and registers are sampled.    7. At the first difference the instance stops
 * and unit_step says so. */
#ifndef HEDDLE_COSIM_UNIT_H
#define HEDDLE_COSIM_UNIT_H

#include <stdint.h>
#include <stdio.h>

enum unit_backend { BACKEND_C, BACKEND_RTL, BACKEND_LOCKSTEP, NUM_BACKENDS };

#define UNIT_HISTORY 64 /* cycles a report can look back */

struct unit;      /* one kind of unit: its contract; see cosim/contract.h */
struct unit_inst; /* one instance in the machine */
struct wave;
struct fsm;

/* Finds a unit by its stem ("wia"), or NULL. */
const struct unit *unit_find(const char *stem);

/* Parses "c", "rtl" or "lockstep". Returns 0, or -1: another word. unit_backend_name is the
 * inverse. */
int unit_backend(const char *word, enum unit_backend *);
const char *unit_backend_name(enum unit_backend);

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
 * then the reference's and the instance compares no more. */
int unit_step(struct unit_inst *, uint64_t cycle, const void *in, void *out);

/* The unit's registers between two cycles, as its struct <unit>_state, taken from the side that
 * decides: the RTL's in backend rtl, else the reference's, which lockstep has found equal. Valid
 * until the next call with this instance. */
const void *unit_state(struct unit_inst *);

/* The state machines of a unit, one after the other (NULL: `index` is past the last), and how often
 * an instance has taken each edge. A move along no edge stops the instance as a difference does, in
 * every backend. */
const struct fsm *unit_fsm(const struct unit *, unsigned index);
const uint64_t *unit_edges(const struct unit_inst *, unsigned index);

/* The unit that an instance is of. */
const char *unit_stem(const struct unit_inst *);

/* Cycles compared and differences found so far by an instance. */
uint64_t unit_cycles(const struct unit_inst *);
uint64_t unit_mismatches(const struct unit_inst *);

/* The bench has found by itself that an instance was wrong in a cycle: it stops as after a
 * difference, and the report gives the reason. */
void unit_accuse(struct unit_inst *, uint64_t cycle, const char *reason);

/* Whether IDLE_STABLE holds: while it does, no cycle of the unit need be stepped. */
int unit_idle(const struct unit_inst *, const void *in, const void *out);

/* The cycle in which an instance was stopped. */
uint64_t unit_failed_cycle(const struct unit_inst *);

/* Prints what differs, with values by name where the contract has names: first the line of the
 * place, then a table of field, reference, RTL and meaning. `config` names the configuration. */
void unit_report(const struct unit_inst *, const char *config, FILE *);

/* Prints the last cycles, inputs, outputs and state of both sides; the failing one is marked with
 * "<--". */
void unit_history(const struct unit_inst *, FILE *);

/* Declares the instance's signals in a waveform, below the current scope: in.*, ref.*, rtl.*,
 * differ.*. From then on unit_step remembers each cycle, and unit_trace writes it. In a cycle
 * without a step (IDLE_STABLE) unit_trace looks at what the unit makes of `in`, without an edge.
 * Returns 0, or -1: no memory. */
int unit_trace_declare(struct unit_inst *, struct wave *);
void unit_trace(struct unit_inst *, struct wave *, uint64_t cycle, const void *in);

/* Puts the instance into the save file: each output and register of the reference beside the RTL's.
 */
void unit_trace_show(const struct unit_inst *, struct wave *);

#endif
