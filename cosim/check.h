/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/check.h: the unit that a program of build/<config>/check/<unit>/ is about. Such a program
 * holds one unit and what its stimulus leans on, so that a half-made unit breaks no other's. */
#ifndef HEDDLE_COSIM_CHECK_H
#define HEDDLE_COSIM_CHECK_H

#include "cosim/contract.h"
#include "cosim/stimulus.h"

extern const struct unit *const checked_unit;
extern stimulus_fn *const checked_stimulus;

#endif
