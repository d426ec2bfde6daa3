/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/repetition.h: which loads of a loop access the same line on a trip, as a compiler predicts
 * it (DAWS 4.2.2, 5.1): loads with the same base register whose displacements lie within a line. */
#ifndef HEDDLE_TB_PROFILE_REPETITION_H
#define HEDDLE_TB_PROFILE_REPETITION_H

#include <stdint.h>

#include "tb/ptx/ptx.h"
#include "tb/sm/landmarks.h"

/* For each instruction of the kernel that is a load with a number: its repetition id, which is the
 * number of the first load that it repeats, or its own. Two loads have the same one if
 *   - they have the same innermost loop; loads outside loops are repeated by none;
 *   - they load from the same state space, by the same register or both by none;
 *   - no instruction between them, in the order of the program, writes that register;
 *   - all displacements of the group differ by less than `line` bytes.
 * Of several groups that a load could join it joins the first. Atomics have 0: they bypass L1D. To be
 * freed; NULL: no memory. */
uint32_t *repetitions_of(const struct ptx_kernel *, const struct landmark *, int64_t line);

#endif
