/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/check.c: see check.h. Compiled once for every unit; UNIT_STEM says which. It is also the
 * whole list of units that the program knows. */
#include "cosim/check.h"

#include "cmodel/contract.h"

extern const struct unit CONTRACT_PASTE(UNIT_STEM, unit);
stimulus_fn CONTRACT_PASTE(UNIT_STEM, stimulus) __attribute__((weak)); /* expand wants none */

const struct unit *const checked_unit = &CONTRACT_PASTE(UNIT_STEM, unit);
stimulus_fn *const checked_stimulus = CONTRACT_PASTE(UNIT_STEM, stimulus);

const struct unit *const units[] = {&CONTRACT_PASTE(UNIT_STEM, unit)};
const unsigned num_units = 1;
