/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/view.h: what a unit can see of the machine: levels, which hold until something changes
 * them. The SM and the dispatcher keep them; sockets only read. One bit per warp slot of a
 * scheduler. What happens in a single cycle is an event (tb/events.def). */
#ifndef HEDDLE_TB_UNITS_VIEW_H
#define HEDDLE_TB_UNITS_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include "cmodel/analytic/partition.h"
#include "hw.h"

#define ALL_WARPS (~UINT64_C(0) >> (64 - NUM_WARPS))
#define NUM_SLOTS (NUM_SCHEDULERS * NUM_WARPS) /* warps of an SM */

#define NUM_KERNELS 2 /* that may run at once */

_Static_assert(NUM_WARPS >= 1 && NUM_WARPS <= 64, "a warp mask is one word");

/* Where an instruction issues to: SP (with control), SFU, and MEM for global memory or for shared,
 * texture and constant memory. In the order of allow_class. */
enum issue_class { ISSUE_SP, ISSUE_SFU, ISSUE_GMEM, ISSUE_STCMEM, NUM_ISSUE_CLASSES };
#define NUM_PIPELINES 3 /* SP, SFU, MEM: the most that a scheduler issues in a cycle */

struct scheduler_view {
    uint64_t occupied;        /* has a tenant: a warp, begun or not */
    uint64_t running;         /* begun, not ended, not at a barrier */
    uint64_t at_barrier;      /* waits at a barrier */
    uint64_t done;            /* has ended, its block has not */
    uint64_t buffered;        /* an instruction is in the instruction buffer */
    uint64_t jumping;         /* waits for a branch target */
    uint64_t clear;           /* next instruction meets no pending register */
    uint64_t split;           /* its lanes have diverged: some wait for others */
    uint64_t load;            /* next instruction: a load or atomic of global memory */
    uint64_t blocked_by_load; /* next instruction needs what such a one brings */
    uint64_t next_class[NUM_ISSUE_CLASSES]; /* next instruction issues to */
    uint32_t next_load[NUM_WARPS]; /* number of that load in the kernel (tb/events.def), or 0 */
    uint64_t kernel_1;             /* has a tenant, which is of kernel 1 */
    const uint8_t *contexts; /* thread-block context of each slot, or that of its last tenant */
    /* What its units chose to do (`action` of controls.def) in the last cycle in which it was looked at; NO_CHOICE: nothing. */
    uint64_t action;
    /* A bit for each class whose pipeline takes an instruction: for units of the SM in the next cycle, for those of the scheduler in this one. */
    uint64_t takes;
    /* Only for units of the scheduler, and only of the cycle in which it is asked: */
    uint64_t ready[NUM_ISSUE_CLASSES]; /* can issue now, by class: its pipeline is free */
    uint64_t alloc, alloc_warp;        /* a warp begins in this cycle, and its slot */
};

/* What a profile says of the loads of a loop (tb/profile/classes.h): repetition ids with a diverged
 * load, and those without; 0 and 0: the loop has no locality. */
struct loop_class {
    uint64_t diverged, converged;
};

/* Of each loop of a kernel, the first by number first. */
struct loop_classes {
    const struct loop_class *loops;
    uint32_t count;
};

/* A pair (N, p) that the inference engine is given; N is 0: none. */
struct told_pair {
    uint64_t n, p;
};

/* Of each epoch of a launch on an SM, the first first; all that are later have the last (poise_told.h). */
struct told_pairs {
    const struct told_pair *pairs;
    size_t count;
};

/* Blocks of a kernel in groups, each of which is to run on one SM, in this order. */
struct block_groups {
    const uint32_t *blocks; /* linear numbers, group after group */
    const uint32_t
        *first; /* group i: blocks[first[i]] up to, not including, blocks[first[i + 1]] */
    uint32_t count;
};

/* What memory replies in a cycle, where a unit asks it for these (tb/gpu/list.h). */
struct list_reply {
    uint64_t valid, sm;         /* whether it does, and for which SM it was asked */
    uint64_t next, tail, block; /* a group's first and last position in `blocks`; or a block */
};

/* Where a memory instruction goes. */
enum memory_path { PATH_L1D, PATH_CONSTANT, PATH_SHARED };

/* The next of a kernel's memory instructions, where they wait apart from those of the other kernel (socket.h). Zero: there is none. */
struct head_view {
    uint64_t begun;   /* the load/store unit has begun it */
    uint64_t path;    /* enum memory_path */
    uint64_t stalled; /* its last access has failed, and the next would */
    uint64_t hit;     /* it loads a line next that L1D has */
};

/* Registers that an instruction reads and writes, as the kernel numbers those that it declares, from 0; special registers are
 * left out. */
struct operand_view {
    uint8_t num_reads, num_writes;
    uint16_t reads[16], writes[4];
};

struct sm_view {
    uint64_t number; /* of the SM, from 0 */
    const struct scheduler_view *schedulers[NUM_SCHEDULERS];
    uint64_t blocks; /* resident thread blocks, one bit per context */
    uint64_t with_waiting,
        with_done; /* of these, when the cycle begins: with warps at a barrier, with warps that have ended */
    uint64_t warps; /* of the kernel that runs: the most that a scheduler holds at a time */
    const struct loop_classes *classes; /* of the kernel that runs; NULL: no profile is read */
    const struct told_pairs *told;      /* of the launch that runs; NULL: no statistics are read */
    const struct operand_view *
        operands; /* by instruction of the kernel that runs; NULL: no unit asks for them (socket.h) */
    struct head_view heads[NUM_KERNELS];
    uint64_t
        takes_access; /* the load/store unit takes an access in the next cycle; with heads alone */
};

/* A kernel, as the units of the GPU see it. */
struct kernel_view {
    uint64_t start;                    /* it starts in this cycle */
    uint64_t first, blocks;            /* its first block and how many */
    uint64_t limit;                    /* blocks of it that fit an SM where no other runs */
    uint64_t stop;                     /* it is given up in this cycle */
    uint64_t warps;                    /* the most that a scheduler holds at a time */
    uint64_t runs;                     /* it has started, and has not ended */
    struct partition_kernel block;     /* what a block of it needs */
    const struct block_groups *groups; /* NULL: its blocks have none */
    uint64_t free[(NUM_SMS + 63) /
                  64]; /* SMs that have room for one more of its blocks, as far as is known */
};

struct gpu_view {
    struct kernel_view kernels[NUM_KERNELS]; /* the first where no more than one runs */
    struct list_reply reply;                 /* of this cycle */
    const uint64_t *available; /* what an SM has of each resource, so many; for `block` above */
    unsigned resources;
    uint64_t late; /* cycles after which what an SM does is known here, at most */
    /* Of each SM: instructions issued while it counted last (`count` of controls.def), as known at the
     * end of the last window. */
    uint64_t counted[NUM_SMS];
};

/* What all SMs and L2 have done since the machine was opened, as known at the end of the last window. */
struct clock_view {
    uint64_t
        instructions; /* warp instructions issued; of these those of the SP and SFU pipelines: */
    uint64_t arithmetic;
    uint64_t l1d_accesses, l1d_misses; /* of loads */
    uint64_t l2_accesses, l2_misses;
};

/* What a unit sees: the part of its own scope and those around it; NULL: there is none. */
struct view {
    const struct scheduler_view *scheduler;
    const struct sm_view *sm;
    const struct gpu_view *gpu;
    const struct clock_view *clock; /* of scope CLOCK only */
};

#endif
