/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/model.h: a netlist as the model of its unit (struct unit_model), so that whatever runs the unit's Verilog runs the
 * netlist: what is measured is in lockstep with the reference. Ports are found by their names, registers as the contract names
 * them. A MEMORY is an array behind the ports that were cut out for it. */
#ifndef HEDDLE_SYNTH_NETLIST_MODEL_H
#define HEDDLE_SYNTH_NETLIST_MODEL_H

#include "cosim/contract.h"
#include "synth/netlist/energy.h"
#include "synth/netlist/switching.h"

/* What an instance measures, from the cycle after a reset on, which does not count itself: there is none before it. */
struct measured {
    struct energy *energy;
    struct switching switching;
};

extern const struct unit_model netlist_model;

/* Instances opened from now on are of this netlist. Returns 0, or -1: it is not one of the unit, and `err` has been told why. */
int netlist_model_use(const struct netlist *, const struct unit *, FILE *err);

/* Of an instance. */
const struct measured *netlist_model_measured(const void *model);

#endif
