/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/machine.h: the inside of the machine, for tb/gpu and for tests. */
#ifndef HEDDLE_TB_GPU_MACHINE_H
#define HEDDLE_TB_GPU_MACHINE_H

#include <signal.h>

#include "hw.h"
#include "tb/gpu/code.h"
#include "tb/gpu/dispatcher.h"
#include "tb/gpu/gpu.h"
#include "tb/gpu/grouped.h"
#include "tb/gpu/kept.h"
#include "tb/gpu/pool.h"
#include "tb/gpu/progress.h"
#include "tb/gpu/reads.h"
#include "tb/gpu/regulator.h"
#include "tb/gpu/stats.h"
#include "tb/gpu/trace.h"
#include "tb/gpu/wave.h"
#include "tb/mem/memory.h"
#include "tb/observe/observe.h"
#include "tb/profile/classes.h"
#include "tb/profile/profile.h"
#include "tb/sm/sm.h"
#include "tb/timeline/timeline.h"
#include "tb/units/poise_told.h"

/* From the moment at which a kernel begins while none runs until none runs any more. */
struct period {
    uint64_t start, fixed_start; /* the latter of the fixed clock (tb/clocks.h) */
    size_t first;                /* the statistics' kernels from this one on are its own */
    struct memory_counters memory_before;
    struct l2_served l2_before;
    /* Up to the last change of the SMs' clock: */
    uint64_t fixed;                   /* when that was */
    uint64_t at_clock[NUM_SM_CLOCKS]; /* as in stats_sums */
    uint64_t events[NUM_ENERGY_KEYS]; /* so far */
    uint64_t energy[NUM_ENERGY_KEYS]; /* spent on them, in femtojoules */
};

struct run;

struct gpu {
    struct config config;
    char *stats_path; /* as given to gpu_open, or NULL */
    struct gmem *gmem;
    struct memory *memory;
    struct sm *sms[NUM_SMS];
    struct dispatcher dispatcher;
    struct regulator regulator;
    struct pool *pool;
    struct code code;
    uint64_t cycle, launches;
    int several;                   /* the dispatching policy is for several kernels */
    struct run *runs[NUM_KERNELS]; /* the kernels that run (tb/gpu/run.h), or NULL */
    struct period period;          /* that has begun last */
    uint64_t length;               /* of the next window */
    struct progress progress;
    /* When set, every SM that holds a block is stepped in every cycle of the window, and this is
     * called at the end of each. */
    void (*probe)(void *ctx, uint64_t cycle);
    void *probe_ctx;
    uint64_t probe_first, probe_last; /* the window; everything after gpu_open */
    struct gpu_wave *wave;            /* whose probe it is, or NULL */
    struct trace *trace;              /* what records, or NULL */
    struct unit_inst *mismatch;       /* the instance that stopped the machine for good */
    int failed;
    volatile sig_atomic_t interrupted; /* by gpu_interrupt */
    char *warps; /* where each was when the last kernel was stopped; NULL: none has been */
    struct stats stats;
    struct kept
        *kept; /* statistics of kernels that have ended, for who outlives the machine; or NULL */
    struct profile *profile;   /* NULL: nobody asked for one */
    struct timeline *timeline; /* the same */
    struct reads *reads;       /* the same */
    struct classes *classes;   /* of loops, by an earlier profile; NULL: none is given */
    struct told *told;         /* pairs, by earlier statistics; NULL: none are given */
    struct grouped *grouped;   /* of blocks; NULL: the policy wants none */
    struct observe *observe;   /* NULL: nobody observes */
    const char *wrong;         /* what it has found, which stopped the machine for good, or NULL */
    uint64_t wrong_cycle;
};

/* Brings the statistics up to date and writes them, and the profile, where there is a file to write.
 * Returns 0 or -1. */
int gpu_write_stats(struct gpu *, FILE *err);

#endif
