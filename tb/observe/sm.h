/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/sm.h: one SM, observed: its schedulers, its blocks, L1D, and what it tells of them. */
#ifndef HEDDLE_TB_OBSERVE_SM_H
#define HEDDLE_TB_OBSERVE_SM_H

#include "tb/observe/events.h"
#include "tb/observe/l1d.h"
#include "tb/observe/program.h"
#include "tb/observe/scheduler.h"
#include "tb/observe/traffic.h"
#include "tb/observe/units.h"
#include "tb/sm/observer.h"

struct sm_observed {
    struct sm *sm;
    struct sm_observer observer; /* the SM's */
    struct scheduler_observer schedulers[NUM_SCHEDULERS];
    struct units_observer units;
    struct events_observer events;
    struct l1d_observer l1d;
    struct traffic_observer traffic;
    struct verdict verdict;
    uint8_t states[NUM_SCHEDULERS][NUM_WARPS]; /* of the slots, when it looked last */
    /* The load/store unit: one queue, or where kernels have queues apart that of each. */
    struct queue_observed {
        uint8_t *pollute; /* ring: for each instruction, the oldest first: may it pollute? */
        uint32_t first, count;
        int open;           /* the oldest has gone to its cache */
        uint32_t next_line; /* that it accesses next */
    } queues[NUM_KERNELS];
    uint32_t room;      /* of such a ring */
    unsigned to_memory; /* instructions that have joined one in this cycle */
    uint64_t served; /* the number of the queue that is to be served in this cycle; another: none */
    int final;       /* an access has accessed its last line */
    const struct place *places[NUM_KERNELS];  /* of the instructions of each kernel */
    uint64_t ended[NUM_KERNELS];              /* its blocks, since the observer was made */
    int turns;                                /* schedulers have begun their turns in this cycle */
    uint8_t began[NUM_SCHEDULERS][NUM_WARPS]; /* states as the cycle began */
    /* Of each slot, as its scheduler's turn has ended: instructions on their way to the buffer; its line is awaited; it has come. */
    struct {
        uint8_t fetched[NUM_WARPS];
        uint64_t awaited, came;
    } fetch[NUM_SCHEDULERS];
    /* Instructions issued since the GPU's units have had them counted: when they began (steered.rose). */
    uint64_t counted, rose;
    size_t at; /* gpu_steered */
};

/* Returns 0, or -1: no memory, or a unit that nobody observes, which the verdict names. */
int sm_observed_open(struct sm_observed *, const struct config *, const struct plan *plans,
                     struct sm *, unsigned index, const struct gpu_observed *);
void sm_observed_close(struct sm_observed *);

/* Instructions that were issued while they were counted last, all windows that are over together. */
uint64_t sm_observed_counted(const struct sm_observed *, const struct gpu_observed *);

/* The kernel of this number has been launched on it, beside others or alone, to start in this cycle; its instructions' places must stay. */
void sm_observed_starts(struct sm_observed *, unsigned kernel, int alone, const struct place *,
                        uint64_t cycle);

#endif
