/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/barrier.h: a warp comes to a barrier; when it goes on is in exec.h. */
#ifndef HEDDLE_TB_EXEC_BARRIER_H
#define HEDDLE_TB_EXEC_BARRIER_H

#include "tb/exec/exec.h"

/* Executes bar for the lanes in `mask`, not 0. Returns EXEC_BARRIER, or EXEC_FAULT. */
enum exec_status exec_barrier_arrive(struct exec_warp *, const struct uop *, uint32_t mask);

#endif
