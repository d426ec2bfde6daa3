/* SPDX-License-Identifier: Apache-2.0 */
/* tb/timeline/timeline.h: `heddle run --timeline`: the warps of one SM over time, and the kernels of the machine, as a file that
 * Perfetto and chrome://tracing show. It is written while the machine runs and appears when it is complete. */
#ifndef HEDDLE_TB_TIMELINE_TIMELINE_H
#define HEDDLE_TB_TIMELINE_TIMELINE_H

#include <stdio.h>

#include "tb/config.h"
#include "tb/notes.h"
#include "tb/sm/sm.h"

#define TIMELINE_MB                                                                                \
    256 /* of a file, unless another limit is asked for; viewers take long for more */

/* What is asked for. */
struct timeline_choice {
    const char *spec; /* FILE[:FROM-TO]: cycles, both included */
    unsigned sm;
    uint64_t mb; /* the file's limit, in 10^6 bytes */
};

struct timeline;

/* Could it be made, on this machine? Returns 0, or -1 with the reason on `err`: the text is malformed, the file cannot be written,
 * there is no such SM, the machine has no time. */
int timeline_check(const struct timeline_choice *, const struct config *, FILE *err);

/* Begins to look at the SMs, which must stay. NULL with the reason on `err`. */
struct timeline *timeline_open(const struct timeline_choice *, const struct config *,
                               struct sm *const *sms, FILE *err);

/* A launch has ended, which ran as the kernel of this number from `start` to before `end`. */
void timeline_launch(struct timeline *, unsigned number, const struct exec_launch *, uint64_t start,
                     uint64_t end);

/* Writes the file, with what `made_by` says of the version and commit, and frees; NULL is allowed for either. Returns 0, or -1 with
 * the reason on `err`. No file is left, which is said and no error, where no cycle of the window came. */
int timeline_close(struct timeline *, const struct notes *made_by, FILE *err);

/* Frees without a file. NULL is allowed. */
void timeline_free(struct timeline *);

#endif
