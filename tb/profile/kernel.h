/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/kernel.h: a kernel of a profile: its loads as they stand in the program, and what has been counted of all its launches. */
#ifndef HEDDLE_TB_PROFILE_KERNEL_H
#define HEDDLE_TB_PROFILE_KERNEL_H

#include "tb/profile/activity.h"
#include "tb/profile/dependence.h"
#include "tb/profile/l2_profile.h"
#include "tb/profile/lost.h"
#include "tb/profile/sm_profile.h"
#include "tb/ptx/ptx.h"

/* One of the kernel's loads, as it stands in the program. */
struct site {
    uint32_t pc, line; /* line of the PTX text */
    uint32_t loop;     /* the innermost around it, from 1, or 0 */
    uint32_t number;   /* as events tell it: from 1; 0: a texture load */
    uint32_t repetition;
    char *text;
};

/* All launches of a kernel. */
struct profiled_kernel {
    char *name;
    uint64_t launches, beside; /* beside: those beside which another kernel ran */
    uint32_t num_pcs, num_loads;
    uint32_t program_loads, program_loops; /* as events number them: loads are also atomics */
    uint32_t *load_at;                     /* by pc */
    struct site *sites;                    /* by load */
    struct load_profile *sums;             /* by load */
    struct sharing_counts sharing;
    struct l2_counts l2; /* while no other ran */
    struct lost_counts lost;
    struct activity_counts activity;
    struct dependence_counts dependence;
};

/* With nothing counted. It copies what the program says, which may be gone before the profile is written; `line`: bytes of a line of
 * L1D. NULL: no memory. */
struct profiled_kernel *profiled_kernel_new(const struct ptx_kernel *, int64_t line);
void profiled_kernel_free(struct profiled_kernel *);

/* Is it this kernel? Programs may have several of one name. */
int profiled_kernel_is(const struct profiled_kernel *, const struct ptx_kernel *);

#endif
