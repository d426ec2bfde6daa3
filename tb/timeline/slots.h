/* SPDX-License-Identifier: Apache-2.0 */
/* tb/timeline/slots.h: what the warps of an SM do, cycle by cycle, as slices of a timeline.
 *
 * It looks on (tb/sm/observer.h) and hears (sm_listen), and steers nothing. Each slot of a warp has a track. On it lie a slice for
 * the block that the warp is of, and in this one slices for the class of tb/sm/cpi.def that the warp is in: a slice for each run of
 * cycles in one class. They are those that the statistics count: a cycle belongs to the class in which account.c counts it. */
#ifndef HEDDLE_TB_TIMELINE_SLOTS_H
#define HEDDLE_TB_TIMELINE_SLOTS_H

#include "cosim/cycles.h"
#include "tb/sm/sm.h"
#include "tb/timeline/json.h"

#define TIMELINE_BUCKET 100 /* cycles of a value of a counter */

struct slots;

/* Begins to look at an SM, whose number is `sm`, beside whoever looks already, and names its tracks. Both must stay. NULL: no
 * memory. */
struct slots *slots_new(struct json *, struct sm *, unsigned sm, const struct cycles *window);

/* Ends what is open. What comes later is not seen. */
void slots_end(struct slots *);
void slots_free(struct slots *);

/* Processes of the trace: kernels of the GPU, and the SM. 0 is none in Perfetto, and numbers of threads are best told apart in all
 * processes: those of slots begin behind the kernels'. */
#define TIMELINE_GPU 1
static inline unsigned slots_process(unsigned sm)
{
    return TIMELINE_GPU + 1 + sm;
}
#define TIMELINE_SLOTS 100

/* The cycle at which `out` was full, or 0. */
uint64_t slots_full(const struct slots *);

#endif
