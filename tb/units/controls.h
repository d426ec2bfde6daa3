/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/controls.h: what units steer (controls.def), and the only thing of theirs that the
 * machine reads. At the start of a cycle every control is all ones: nothing is withheld, nothing is
 * chosen. */
#ifndef HEDDLE_TB_UNITS_CONTROLS_H
#define HEDDLE_TB_UNITS_CONTROLS_H

#include <stdint.h>

#include "cmodel/contract.h"

#define NO_CHOICE UINT64_MAX

/* Of an SM's blocks: pairs of contexts, and bits that number a scheduler's warp or say none. */
#define BLOCK_PAIRS      (SM_BLOCKS * (SM_BLOCKS - 1) / 2)
#define BLOCK_PAIR_WORDS ((BLOCK_PAIRS + 63) / 64)
#define HELD_BITS        CLOG2(NUM_WARPS + 1)
#define HELD_WORDS       ((SM_BLOCKS * HELD_BITS + 63) / 64)

/* Of one scheduler: read by the issue stage and the load/store unit. */
struct controls {
#define MASK(name, meaning)           uint64_t name;
#define CHOICE(name, meaning)         uint64_t name;
#define CHOICES(name, count, meaning) uint64_t name[count];
#define OF_SCHEDULER
#include "tb/units/controls.def"
};

/* Of the GPU: read by the dispatcher, which hands on what is for SMs. */
struct gpu_controls {
#define MASK(name, meaning)           uint64_t name;
#define CHOICE(name, meaning)         uint64_t name;
#define CHOICES(name, count, meaning) uint64_t name[count];
#define OF_GPU
#include "tb/units/controls.def"
};

/* Of the SMs' clock: read by tb/gpu/regulator.c. */
struct clock_controls {
#define MASK(name, meaning)           uint64_t name;
#define CHOICE(name, meaning)         uint64_t name;
#define CHOICES(name, count, meaning) uint64_t name[count];
#define OF_CLOCK
#include "tb/units/controls.def"
};

#endif
