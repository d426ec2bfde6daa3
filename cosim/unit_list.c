/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/unit_list.c: the list of all units. See contract.h. */
#include "cosim/contract.h"

#define UNIT(stem) extern const struct unit stem##_unit;
#include "units.def"
#undef UNIT

const struct unit *const units[] = {
#define UNIT(stem) &stem##_unit,
#include "units.def"
#undef UNIT
};
const unsigned num_units = sizeof units / sizeof units[0];
