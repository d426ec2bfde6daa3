/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/stats.h: the statistics file: JSON, the same bytes for the same run, but for
 * `backend`, `lockstep` and `host`. */
#ifndef HEDDLE_TB_GPU_STATS_H
#define HEDDLE_TB_GPU_STATS_H

#include <stdint.h>
#include <stdio.h>

#include "tb/clocks.h"
#include "tb/gpu/energy.h"
#include "tb/gpu/gpu.h"
#include "tb/gpu/logs.h"
#include "tb/gpu/occupancy.h"
#include "tb/locality/sharing.h"
#include "tb/mem/l1.h"
#include "tb/mem/memory.h"
#include "tb/notes.h"
#include "tb/sm/sm.h"
#include "tb/units/rack.h"

/* Clocks at which SMs run: sm.clock, the least first. */
#define NUM_SM_CLOCKS  4
#define LEAST_SM_CLOCK (CLOCK_SIXTHS + 1 - NUM_SM_CLOCKS)

struct stats_sums {
    uint64_t cycles;                  /* of gpu.clock_mhz */
    uint64_t sm_cycles;               /* of the SMs' clock, in which all is counted that they do */
    uint64_t at_clock[NUM_SM_CLOCKS]; /* of `cycles` those in which the SMs ran at each */
    uint64_t energy[NUM_ENERGY_KEYS]; /* in femtojoules */
    uint64_t
        tail_cycles; /* of the SMs' cycles those in which a kernel's last block has been handed out: of each kernel, added up */
    uint64_t untimed_instructions; /* executed without time; all others are counted by the SMs */
    struct sm_counters sm;
    struct l1_counters l1d, l1c, l1i;
    struct space_counters l1d_spaces[MEMORY_SPACES];
    struct memory_counters memory;
    struct sharing_counts sharing;          /* of launches whose blocks were grouped */
    struct exec_tolerated_counts tolerated; /* accesses outside the buffers */
};

struct kernel_stats {
    char *name;
    enum gpu_status status;
    uint32_t grid[3], block[3];
    uint64_t launches; /* that `sums` are of: 1, unless they are folded */
    unsigned number;   /* of the kernel among those that run at once */
    int shares; /* others ran beside it: `sums` are of its own warps alone, and those of the machine stand in a period */
    uint64_t start; /* cycle, of the first launch */
    struct stats_sums sums;
    struct occupancy occupancy;
    struct logs logs;
    char *log; /* the same as text, where it has been read back (tb/gpu/kept.h); or NULL */
};

/* What the machine did from the first of some kernels on, which ran beside each other, to the last. */
struct period_stats {
    size_t first, count; /* which of the kernels */
    struct stats_sums sums;
};

/* What the instances of a unit did together. */
struct stats_unit {
    const char *stem;
    uint64_t cycles, mismatches;
    const struct unit *unit;
    uint64_t edges[UNIT_MOST_FSMS][FSM_MOST_EDGES]; /* by state machine: how often each was taken */
};

struct stats {
    struct kernel_stats *kernels;
    size_t num_kernels, places;
    size_t num_launches;
    size_t last;                  /* the kernel that the last launch was added to */
    const char *incomplete;       /* why more is missing, or NULL */
    int fold;                     /* run.fold: launches that are alike are one kernel */
    struct period_stats *periods; /* of kernels that share the machine */
    size_t num_periods;
    struct stats_sums totals;
    uint64_t warp_edges[NUM_WARP_EDGES];
    struct stats_unit units[NUM_SCOPES * MAX_PLUGS]; /* those that the machine has, by stem */
    unsigned num_units;
    const struct notes *made_by; /* says `host`; NULL: nobody does */
    double wall_seconds;
    double grouping_seconds; /* grouped_seconds */
    uint64_t aged;           /* observe_aged */
};

/* Adds those of a rack; stats_forget_units starts again. */
void stats_add_rack(struct stats *, const struct rack *);
void stats_forget_units(struct stats *);

/* Adds one SM's counts of all kernels since it was at rest to their sums; and those of one kernel's own warps. */
void stats_add_sm(struct stats_sums *, const struct sm *);
void stats_add_own(struct stats_sums *, const struct sm *, unsigned kernel);

/* Adds what the memory counted between two moments. */
void stats_add_memory(struct stats_sums *, const struct memory_counters *now,
                      const struct memory_counters *before);

/* The structs of sums hold counts and nothing else, so two are added word by word. */
void stats_add_words(void *to, const void *from, size_t size);

/* Room for one more kernel. Returns 0, or -1: no memory. */
int stats_reserve(struct stats *);

/* Adds a launch, as a kernel, whose name is copied, and, unless it shares the machine, its sums to the totals; the logs become the
 * statistics' own, and are emptied. With `fold` one that ran alone is added to an earlier kernel of the same name, grid, block, end and
 * occupancy; logs are dropped, so that memory does not grow with the launches. Returns 0, or -1: no memory. */
int stats_add_kernel(struct stats *, const struct kernel_stats *, struct logs *);

/* Adds what the machine did for the kernels from number `first` on; their tails and what was wrong and has passed, which they have themselves, are added up. Returns 0, or -1: no memory. */
int stats_add_period(struct stats *, size_t first, const struct stats_sums *);

/* Writes the file; one that is incomplete without what is counted over all kernels: edges, lockstep and,
 * of `host`, all but the notes. Returns 0, or -1 with the reason on `err`. */
int stats_write(const struct stats *, const struct config *, const char *path, FILE *err);

void stats_free(struct stats *);

#endif
