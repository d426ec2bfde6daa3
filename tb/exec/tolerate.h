/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/tolerate.h: what is wrong in a kernel and no fault: accesses of global and constant memory outside the buffers,
 * barriers that a part of a warp reaches. See struct exec_tolerated. */
#ifndef HEDDLE_TB_EXEC_TOLERATE_H
#define HEDDLE_TB_EXEC_TOLERATE_H

#include "tb/exec/exec.h"

#define EXEC_MOST_BYTES 32 /* of a lane's access */

/* Whether a lane's access, which no buffer holds, passes. If so, it is counted, and found[] is what it reads: the bytes
 * that a buffer holds, and zeros. What it writes there is lost. */
int exec_tolerate_access(const struct exec_warp *, int lane, const struct exec_access *,
                         uint8_t found[EXEC_MOST_BYTES]);

/* The key of the configuration that would let it pass, and its value. */
const char *exec_tolerate_key(const struct exec_warp *, int lane, const struct exec_access *);

/* Counts a warp whose lanes `mask` come to a barrier, not all that it has left. */
void exec_tolerate_barrier(const struct exec_warp *, uint32_t mask);

/* Adds what others have done. */
void exec_tolerate_add(struct exec_tolerated *, const struct exec_tolerated *);

#endif
