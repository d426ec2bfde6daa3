/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/observer.h: what a unit of a scheduler, an SM or the GPU is to be shown, and what it is to steer,
 * restated.
 * tb/observe/<stem>.c defines `const struct observer <stem>_observer`; it is found by being there. It
 * shares nothing with the unit's socket (tb/units/<stem>.c): both follow the unit's page, each in
 * its own way, and what the one gets wrong the other shows. */
#ifndef HEDDLE_TB_OBSERVE_OBSERVER_H
#define HEDDLE_TB_OBSERVE_OBSERVER_H

#include <stddef.h>

#include "cmodel/bits.h"
#include "tb/config.h"
#include "tb/observe/registers.h"
#include "tb/units/controls.h"
#include "tb/units/view.h"

struct shadow;

/* What has happened in an SM in a cycle, by its registers before and after (sm.c), and the levels at
 * its end. */
struct sm_seen {
    const struct sm *sm;
    uint64_t cycle;
    int starts;                 /* a kernel has been launched since the cycle before */
    const struct event *events; /* all that is observed (events.h) */
    unsigned num_events;
    int final;                    /* a load has accessed its last line */
    void *memory;                 /* the observer's, for what it remembers; zero at first */
    const struct shadow *shadows; /* of the units in the plan */
    unsigned num_before, num_shadows;
    const struct place *places; /* of the kernel's instructions (program.h) */
    const uint64_t *action; /* what each scheduler's units have chosen to do, in its last turn */
};

/* The outputs of a unit before it, in this cycle, and the registers of any, as they were before its
 * edge; NULL: there is none of that name. */
const void *seen_out(const struct sm_seen *, const char *stem);
const void *seen_state(const struct sm_seen *, const char *stem);

/* A kernel, as the GPU's units see it. */
struct kernel_seen {
    const struct occupancy *occupancy; /* tb/gpu/occupancy.h; NULL: it does not run */
    uint64_t start;                    /* the cycle in which it starts */
    uint64_t blocks,
        room; /* its blocks, and those that fit an SM; as they were, when it has ended */
    uint64_t held
        [NUM_SMS]; /* on each SM, by what has been placed before this cycle, and by what had ended by the window before */
    uint64_t untold[NUM_SMS]; /* those that have ended, of which the dispatcher is to hear */
};

/* What the GPU's units see of a cycle. Units that know one kernel have it as number 0. */
struct gpu_seen {
    const struct sm *sm; /* any: the kernel's shape is that of all */
    uint64_t cycle;
    struct kernel_seen *kernels;       /* NUM_KERNELS */
    int starts;                        /* one of them starts in this cycle */
    const struct block_groups *groups; /* of the kernel, or NULL */
    const uint64_t *
        counted; /* of each SM: instructions issued while it counted last, as known in this window */
    const void *state;            /* the unit's registers, before the edge of this cycle */
    const void *out;              /* its outputs of the cycle before */
    void *memory;                 /* the observer's, for what it remembers; zero at first */
    const struct shadow *shadows; /* of the units in the plan */
    unsigned num_before, num_shadows;
};

/* As seen_out and seen_state. */
const void *gpu_seen_out(const struct gpu_seen *, const char *stem);
const void *gpu_seen_state(const struct gpu_seen *, const char *stem);

/* What a unit that sets the SMs' clock sees of a cycle of the fixed one: counts since the observers were made, as known at the end of the
 * last window. */
struct clock_seen {
    uint64_t cycle;
    uint64_t instructions, l1d_misses, l2_misses;
    const void *state; /* the unit's registers, before the edge of this cycle */
    void *memory;      /* the observer's, for what it remembers; zero at first */
};

struct observer {
    const char *stem;
    size_t memory; /* bytes that a unit of an SM or the GPU needs in what it has seen */
    /* Fills every field of `in`, a struct <stem>_in, but CLOCK's. For a unit of a scheduler `so_far`
     * is what the units before it steer in this cycle. All but one are NULL, by scope. */
    void (*expect)(const struct config *, const struct registers *, const struct controls *so_far,
                   void *in);
    void (*expect_sm)(const struct config *, const struct sm_seen *, void *in);
    void (*expect_gpu)(const struct config *, const struct gpu_seen *, void *in);
    void (*expect_clock)(const struct config *, const struct clock_seen *, void *in);
    /* Steers by `out`, a struct <stem>_out, or by `state`: a unit of a scheduler by those of this
     * cycle, one of an SM, for the cycle after, all its schedulers by outputs of this cycle or
     * registers after its edge. NULL: it steers nothing. */
    void (*steer)(const void *out, const void *state, struct controls *);
    /* A unit of a scheduler: the same by `in`, for what software has set once and for all. */
    void (*steer_set)(const void *in, struct controls *);
    /* One of the GPU: in this cycle; NULL: nothing. */
    void (*steer_gpu)(const struct gpu_seen *, const void *out, struct gpu_controls *);
    /* One of the SMs' clock: at how many sixths they should run by its registers, and for how many cycles of the fixed clock theirs
     * stands still when that changes. */
    void (*steer_clock)(const struct config *, const void *state, uint64_t *sixths,
                        uint64_t *stands);
    int steers_sms; /* one of the GPU that steers SMs, and does not only place blocks */
};

/* For `steer`: a slot whose bit is 0 issues no loads. */
static inline void observed_loads(struct controls c[NUM_SCHEDULERS], const uint64_t *allow_load)
{
    for (unsigned i = 0; i < NUM_SLOTS; i++)
        if (!bit_get(allow_load, i))
            c[i / NUM_WARPS].allow_load &= ~(UINT64_C(1) << i % NUM_WARPS);
}

/* By its stem, or NULL: there is none. */
const struct observer *observer_find(const char *stem);

#endif
