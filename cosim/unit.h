/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/unit.h: how the bench talks to a unit, whoever decides: the C reference, the Verilated RTL, or both in
 * lockstep. The bench sees this and the unit's own header (struct wia_in, struct wia_out), nothing of Verilator. */
#ifndef HEDDLE_COSIM_UNIT_H
#define HEDDLE_COSIM_UNIT_H

#include <stdint.h>
#include <stdio.h>

enum unit_backend { BACKEND_C, BACKEND_RTL, BACKEND_LOCKSTEP };

struct unit;      /* one kind of unit: its contract; see cosim/units.h */
struct unit_inst; /* one instance in the machine */

/* Finds a unit by its stem ("wia"), or NULL. */
const struct unit *unit_find(const char *stem);

/* Makes an instance in reset state. `place` ("sm 3 scheduler 1") names it in reports and is copied. NULL: no memory. */
struct unit_inst *unit_open(const struct unit *, enum unit_backend, const char *place);
void unit_close(struct unit_inst *);

/* One clock cycle: computes *out from state and *in, then moves the state. `cycle` is the machine's, for reports.
 * `in` and `out` are the unit's structs (struct wia_in *, ...), every byte of *in defined. Returns 0, or 1: lockstep
 * found the first difference of this instance; *out is then the reference's and the instance compares no more. */
int unit_step(struct unit_inst *, uint64_t cycle, const void *in, void *out);

/* Cycles compared and differences found so far by an instance. */
uint64_t unit_cycles(const struct unit_inst *);
uint64_t unit_mismatches(const struct unit_inst *);

/* Prints the mismatch report of an instance that found one: fields that differ, with values by name where the contract
 * has names, and the last cycles' history. `config` and `replay` stand in the report. */
void unit_report(const struct unit_inst *, const char *config, FILE *);

#endif
