/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/warps.h: the warps of an SM: who has which slot, through which trips of loops it goes,
 * and when it touched a line last. A load's trip is that of its issue; when it comes to L1D the warp
 * may be elsewhere, so what is known at the issue waits in a queue, as the load does. Kernels that run
 * at once have a queue each: their loads may overtake one another. */
#ifndef HEDDLE_TB_PROFILE_WARPS_H
#define HEDDLE_TB_PROFILE_WARPS_H

#include <stdint.h>

#include "tb/events.h"
#include "tb/profile/address_map.h"
#include "tb/ptx/ptx.h"
#include "tb/units/view.h"

/* A warp, as long as it has its slot. Warps and blocks of an SM have numbers of their own, whatever
 * the kernel. */
struct tenant {
    uint64_t life;              /* from 1; 0: nobody */
    uint64_t block;             /* from 0 */
    unsigned kernel;            /* below NUM_KERNELS */
    uint64_t last_pc;           /* issued */
    struct address_map touched; /* lines */
    uint64_t *touched_at;       /* by number in `touched`: the cycle of issue of the last touch */
    uint32_t places;            /* of touched_at */
};

/* Cycles in which trips of a loop began, of one warp: what was issued before the last one was in an
 * earlier trip, or outside. */
struct trips {
    uint64_t this_one, last_one;
};

/* A load between issue and access. */
struct issued {
    uint64_t cycle, warp;
    int in_loop;
    struct trips trips; /* of its innermost loop */
};

/* The warps of a kernel. */
struct kernel_warps {
    const struct ptx_kernel *kernel;
    uint64_t launch;       /* from 1: which of all that have begun */
    struct trips *trips;   /* by warp, loop */
    struct issued *issued; /* a ring: its queue in the load/store unit */
    uint32_t first, count;
};

struct warps {
    struct tenant tenants[NUM_SLOTS];
    uint64_t lives, launches; /* so far */
    struct kernel_warps kernels[NUM_KERNELS];
    uint32_t places; /* of each ring */
};

/* At most `queue` instructions of a kernel can wait in the load/store unit. Returns 0, or -1: no memory. */
int warps_init(struct warps *, uint32_t queue);
void warps_free(struct warps *);

/* A kernel begins, as the one of this number: none of its warps has a slot. Returns 0, or -1: no memory. */
int warps_begin(struct warps *, unsigned number, const struct ptx_kernel *);

/* Nobody has a slot, and nothing waits. */
void warps_forget(struct warps *);

/* Events. */
void warps_start(struct warps *, const struct event *);
void warps_issue(struct warps *, const struct event *, int is_load);

/* A load accesses: what was known when it issued. NULL: it never did. */
const struct issued *warps_access(struct warps *, const struct event *);

/* A load of a warp, issued in `cycle`, touches a line; *before is the cycle of issue of the warp's
 * last touch. Returns 1; 0: it is the first, and *before is 0; or -1: no memory. */
int warps_touch(struct warps *, uint64_t warp, uint64_t cycle, uint64_t line, uint64_t *before);

#endif
