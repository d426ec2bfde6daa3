/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/energy.h: the energy of a kernel: events that were counted times what [energy] says that
 * each costs, those of SMs at the voltage of their clock (energy.mv_6 and so on). The arithmetic is
 * in whole femtojoules, so it is exact but for the last one of each voltage; 64 bits hold 18
 * kilojoules, a minute of a large GPU.
 *
 * A unit's own energy, and that of what is not modelled (clock tree, memory controllers, fans), is
 * not part of it. Compare runs of one machine with it; do not take it for watts at the plug. */
#ifndef HEDDLE_TB_GPU_ENERGY_H
#define HEDDLE_TB_GPU_ENERGY_H

#include "tb/config.h"

/* Where it is spent: in SMs but for L1D; in the crossbar; in L1D, L2 and DRAM, which are the memory
 * of DAWS section 7.5; and without any event. */
#define ENERGY_PARTS(PART) PART(core) PART(network) PART(memory) PART(leakage)

enum energy_part {
#define PART(name) ENERGY_##name,
    ENERGY_PARTS(PART)
#undef PART
        NUM_ENERGY_PARTS
};

enum energy_key {
#define ENERGY(part, key, volts, events, meaning) ENERGY_KEY_##key,
#include "tb/gpu/energy.def"
    NUM_ENERGY_KEYS
};

/* In femtojoules. */
struct energy {
    uint64_t keys[NUM_ENERGY_KEYS], parts[NUM_ENERGY_PARTS], total;
};

struct stats_sums;

/* How often each key has been paid for. */
void energy_events(const struct stats_sums *, uint64_t events[NUM_ENERGY_KEYS]);

/* Adds what these events cost while sm.clock is `sixths`, 3 to 6, in femtojoules. */
void energy_spend(const uint64_t events[NUM_ENERGY_KEYS], const struct config *, unsigned sixths,
                  uint64_t spent[NUM_ENERGY_KEYS]);

struct energy energy_of(const uint64_t spent[NUM_ENERGY_KEYS]);

/* "dram_read", "memory". */
const char *energy_key_name(enum energy_key);
const char *energy_part_name(enum energy_part);

#endif
