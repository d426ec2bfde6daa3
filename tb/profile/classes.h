/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/classes.h: the loops of a program as the profile of an earlier run classifies them: what
 * Profiled DAWS (DAWS 5.1) writes into its table when a kernel is launched.
 *
 * A load is diverged if it accesses more than two lines in most of its executions with more than two
 * lanes (DAWS 4.2.1; 5.2.2 counts these). Loads with the same repetition id count once, as diverged if one
 * of them is. A loop has locality if in more than half of the executions of its loads the warp had accessed
 * one of the lines before, there still or lost; else all its counts are 0. Loads that were never executed are
 * not counted. */
#ifndef HEDDLE_TB_PROFILE_CLASSES_H
#define HEDDLE_TB_PROFILE_CLASSES_H

#include <stddef.h>
#include <stdio.h>

#include "tb/config.h"
#include "tb/ptx/ptx.h"
#include "tb/units/view.h"

struct classes;

/* Reads the file that `heddle run --profile` has written. NULL with the reason on `err`: it cannot be read, is
 * no profile, is one of an older form, or of an L1D with other lines than `config` has. */
struct classes *classes_read(const char *path, const struct config *config, FILE *err);
void classes_free(struct classes *);

/* The loops of a kernel, until the next call. One that the profile does not have is told on `err`, once,
 * and has no loop with locality. NULL with the reason in `message`: the profile is of another program,
 * or there is no memory. */
const struct loop_classes *classes_of(struct classes *, const struct ptx_kernel *, FILE *err,
                                      char *message, size_t size);

#endif
