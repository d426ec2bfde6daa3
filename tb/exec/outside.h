/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/outside.h: accesses of global and constant memory outside the buffers that are no faults: see
 * struct exec_outside. */
#ifndef HEDDLE_TB_EXEC_OUTSIDE_H
#define HEDDLE_TB_EXEC_OUTSIDE_H

#include "tb/exec/exec.h"

#define EXEC_MOST_BYTES 32 /* of a lane's access */

/* Whether a lane's access, which no buffer holds, passes. If so, it is counted, and found[] is what it reads: the bytes
 * that a buffer holds, and zeros. What it writes there is lost. */
int exec_outside_passes(const struct exec_warp *, int lane, const struct exec_access *,
                        uint8_t found[EXEC_MOST_BYTES]);

/* The key of the configuration that would let it pass, and its value. */
const char *exec_outside_key(const struct exec_warp *, int lane, const struct exec_access *);

/* Adds what others have let pass. */
void exec_outside_add(struct exec_outside *, const struct exec_outside *);

#endif
