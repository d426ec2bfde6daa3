/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/grouped.h: the blocks of each launch in groups that share data, where the dispatching policy wants them (PAVER 3, 4). They are
 * found before the launch by tb/locality; a launch with the kernel, sizes and arguments of an earlier one has that one's. */
#ifndef HEDDLE_TB_GPU_GROUPED_H
#define HEDDLE_TB_GPU_GROUPED_H

#include "tb/config.h"
#include "tb/gpu/gpu.h"
#include "tb/locality/sharing.h"
#include "tb/units/view.h"

struct grouped;

/* Does the machine's policy want groups? */
int grouped_wanted(const struct config *);

/* NULL: no memory. */
struct grouped *grouped_new(const struct config *);
void grouped_free(struct grouped *);

/* What is known of a launch. */
struct grouped_launch {
    struct block_groups groups;
    struct sharing_counts counts; /* of all its blocks */
};

/* Groups of the first `blocks` blocks of a launch, of which `resident` fit an SM. *out stays until the next call; it is NULL where
 * there are none: too many blocks for paver_sm to name, or a kernel that cannot be analysed, of which a line on `err` says why. Returns
 * 0, or -1: no memory. */
int grouped_blocks(struct grouped *, const struct gpu_launch *, uint64_t blocks, uint32_t resident,
                   const struct grouped_launch **out, FILE *err);

/* Host seconds that finding them has taken, all launches together. */
double grouped_seconds(const struct grouped *);

#endif
