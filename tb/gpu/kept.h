/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/kept.h: statistics that outlive the machine's process. A program may end by a signal, crash or leave with _exit, and in
 * none of these may its process still be asked to write JSON: its heap may be broken, its own handlers are its own. So what each
 * kernel did is put into a file as it ends, as the structs that it is, and whoever started the program writes the statistics
 * from there, marked incomplete. Both are of one build.
 *
 * A kernel to which launches are folded is put again, in turns at two places, so that one of them is whole at any time. */
#ifndef HEDDLE_TB_GPU_KEPT_H
#define HEDDLE_TB_GPU_KEPT_H

#include "tb/gpu/stats.h"

struct kept;

/* The machine's side. The file exists; one process at a time has it, and begins anew what an earlier one has left. NULL: another
 * process has it, or the reason is on `err`. */
struct kept *kept_open(const char *path, const struct config *, FILE *err);

/* Puts what is number `index` among the kernels or periods of the statistics. A process that was forked from the machine's puts
 * nothing. What cannot be written is said once. */
void kept_kernel(struct kept *, size_t index, const struct kernel_stats *);
void kept_period(struct kept *, size_t index, const struct period_stats *);

/* `whole`: the statistics have been written. NULL is allowed. */
void kept_close(struct kept *, int whole);

/* The other side, when the machine's process has ended: writes the statistics, made by what the notes say, to `path`, incomplete for
 * the reason `why`, unless they are written, or no machine was opened. Returns how many launches they are of; -1: nothing was to be done; -2: the
 * reason is on `err`. */
int64_t kept_recover(int fd, const char *path, const char *why, const struct notes *, FILE *err);

#endif
