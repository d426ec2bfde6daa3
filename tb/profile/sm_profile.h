/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/sm_profile.h: what the loads of one SM do, from its events alone.
 *
 * Who brought a line splits the hits, as DAWS (section 4.1) and Poise (figure 4) do; who touched it
 * last splits the reuses. A warp's own last touch of a line gives the trip of the loop (DAWS figure
 * 4). Reuse distances are those of the SM (reuse.h), kinds of misses come from a shadow (shadow.h).
 *
 * Kernels that run at once share L1D, and so what is known of its lines; each has its own counts. */
#ifndef HEDDLE_TB_PROFILE_SM_PROFILE_H
#define HEDDLE_TB_PROFILE_SM_PROFILE_H

#include <stdint.h>

#include "tb/config.h"
#include "tb/events.h"
#include "tb/profile/sharing.h"
#include "tb/ptx/ptx.h"

#define MOST_LANES       32
#define MOST_SHAPE_LINES 32 /* more lines count as these */
#define DISTANCE_BUCKETS 33 /* 0, 1, 2-3, 4-7, ... */
#define NO_LOAD_NUMBER   UINT32_MAX

/* A kernel with the numbers of its loads. */
struct kernel_loads {
    const struct ptx_kernel *kernel;
    uint32_t num_loads;
    const uint32_t *load_at; /* by pc: number of the load there, or NO_LOAD_NUMBER */
};

struct load_profile {
#define COUNTER(name, meaning) uint64_t name;
#include "tb/profile/profile.def"
    uint64_t shapes[MOST_LANES + 1][MOST_SHAPE_LINES + 1]; /* executions, by lanes and lines */
    uint64_t distances[DISTANCE_BUCKETS];                  /* reuses, by lines touched meanwhile */
};

/* Adds all counts. */
void load_profile_add(struct load_profile *sum, const struct load_profile *term);

struct sm_profile;

/* NULL: no memory. */
struct sm_profile *sm_profile_new(const struct config *);
void sm_profile_free(struct sm_profile *);

/* What is to hear the events of the SM. */
struct listener *sm_profile_listener(struct sm_profile *);

/* A kernel begins, as the one of this number below NUM_KERNELS: if no other runs, and unless l1d.keep, nothing is known
 * of any line. `loads` must stay until sm_profile_end. Returns 0, or -1: no memory. */
int sm_profile_begin(struct sm_profile *, unsigned number, const struct kernel_loads *);

/* It has ended: adds what its loads did to `sums`, one for each. Returns 0, or -1: there was no
 * memory to follow all of it. */
int sm_profile_end(struct sm_profile *, unsigned number, struct load_profile *sums);

/* Which lines its warps and blocks have shared, until the next kernel of its number begins. */
const struct sharing *sm_profile_sharing(const struct sm_profile *, unsigned number);

#endif
