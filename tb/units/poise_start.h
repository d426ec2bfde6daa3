/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/poise_start.h: where the search of random-restart begins (Poise VII-J): at a pair drawn anew for each epoch of each SM. */
#ifndef HEDDLE_TB_UNITS_POISE_START_H
#define HEDDLE_TB_UNITS_POISE_START_H

#include <stdint.h>

#include "tb/units/view.h"

/* The start of an epoch, by its number in the launch, of a launch, by its number among those that are timed; all from 0. Each of the
 * W (W + 1) / 2 pairs with 1 <= p <= N <= W is as likely; W is `most`, at least 1. The arguments alone decide. */
struct told_pair poise_start(uint64_t seed, uint64_t sm, uint64_t launch, uint64_t epoch,
                             uint64_t most);

#endif
