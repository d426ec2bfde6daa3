/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/cpi.h: counts for each warp slot of a scheduler how many cycles it spent in each class of
 * tb/sm/cpi.def.
 *
 * A slot is in one state for as long as nothing happens to its warp: a class and, if the warp's next
 * instruction is in the buffer, a pipeline. In the cycles in which that pipeline takes nothing it
 * counts as a structural hazard of that pipeline, in all others as its class. A slot is looked at only when its
 * state may have changed: what it has spent in one is the clock, and the cycles in which the pipeline took nothing, less what both
 * were when the state began. Issuing is no state, or each instruction would end one and begin another: those cycles are counted
 * apart, and taken from not_selected, in which the warp would be, had it not been granted. */
#ifndef HEDDLE_TB_SM_CPI_H
#define HEDDLE_TB_SM_CPI_H

#include <stdint.h>

enum cpi_class {
#define CPI_CLASS(name, meaning) CPI_##name,
#include "tb/sm/cpi.def"
#undef CPI_CLASS
    NUM_CPI_CLASSES
};

/* Numbers of pipelines, in the order of CPI_struct_sp and the two classes behind it; 0: none. */
enum { CPI_SP = 1, CPI_SFU, CPI_MEM, CPI_PIPELINES = CPI_MEM };
#define CPI_FRACTION 20 /* bits behind the point of cpi_sums.mean */

/* Of ended warps. */
struct cpi_sums {
    uint64_t warps;                   /* that issued anything */
    uint64_t cycles[NUM_CPI_CLASSES]; /* summed over them */
    uint64_t mean[NUM_CPI_CLASSES]; /* sum of each warp's cycles per instruction, in 2^-CPI_FRACTION
                                     */
};

#define CPI_SLOTS         64
#define CPI_PLACE_BITS    4 /* of a class's count in a slot's row */
#define CPI_PLACES        (1u << CPI_PLACE_BITS)
#define CPI_PIPELINE_BITS 2

/* A state: the place of its class, and its pipeline or 0. Classes between which warps that run go back and forth lie in the row's
 * second half, which is a line of the host's cache. In the first place is what is counted of no warp. */
#define CPI_NO_WARP  0
#define CPI_PLACE(c) ((unsigned)(c) + CPI_PLACES / 2 - CPI_control)
_Static_assert(CPI_issued + CPI_PLACES / 2 > CPI_control, "none has the place of no warp");
_Static_assert(NUM_CPI_CLASSES - CPI_control <= CPI_PLACES / 2, "the second half holds them");
_Static_assert(CPI_PIPELINES < 1 << CPI_PIPELINE_BITS, "a pipeline and none");

/* `pipeline`: CPI_SP and those behind it, or 0: nothing refuses the warp. */
static inline unsigned cpi_state(enum cpi_class class, unsigned pipeline)
{
    return CPI_PLACE(class) | pipeline << CPI_PLACE_BITS;
}
/* The parts of a warp's state. */
static inline enum cpi_class cpi_class_of(unsigned state)
{
    return (enum cpi_class)(state % CPI_PLACES - CPI_PLACE(0));
}
static inline unsigned cpi_pipeline_of(unsigned state)
{
    return state >> CPI_PLACE_BITS;
}

struct cpi_counters {
    /* Of each pipeline: in how many cycles it takes nothing, up to `free`, from which on it does. Of none: 0. */
    uint64_t busy[1 << CPI_PIPELINE_BITS], free[1 << CPI_PIPELINE_BITS];
    uint8_t states[CPI_SLOTS];       /* of each slot */
    uint64_t issued[CPI_SLOTS];      /* cycles in which its warp has issued */
    uint64_t ended[NUM_CPI_CLASSES]; /* of warps that have ended, summed over them */
    /* By CPI_PLACE. That of a slot's state lacks what the clock was when it began. */
    _Alignas(64) uint64_t counts[CPI_SLOTS][CPI_PLACES];
};

/* Begins anew; the clock goes on, and pipelines are busy as long as they were. */
void cpi_reset(struct cpi_counters *);

/* The pipeline takes nothing in the cycles from `from`, in which it was free, to `until` - 1. */
static inline void cpi_take(struct cpi_counters *c, unsigned pipeline, uint64_t from,
                            uint64_t until)
{
    c->busy[pipeline] += until - from;
    c->free[pipeline] = until;
}

/* A state begins in this cycle (`times` is -1), or has ended before it (1): what the clock says goes to its class and, of cycles in
 * which its pipeline took nothing, to the structural one. */
static inline void cpi_add_clock(const struct cpi_counters *c, unsigned state, uint64_t now,
                                 uint64_t *counts, uint64_t times)
{
    const unsigned pipeline = cpi_pipeline_of(state);
    const uint64_t free = c->free[pipeline],
                   refused = c->busy[pipeline] - (free > now ? free - now : 0);
    counts[state % CPI_PLACES] += times * (now - refused);
    counts[CPI_PLACE(CPI_struct_sp) - CPI_SP + pipeline] += times * refused; /* of none: nothing */
}

/* From this cycle on the slot is in this state. */
static inline void cpi_enter(struct cpi_counters *c, unsigned slot, unsigned state, uint64_t now)
{
    if (state == c->states[slot])
        return;
    cpi_add_clock(c, c->states[slot], now, c->counts[slot], 1);
    c->states[slot] = (uint8_t)state;
    cpi_add_clock(c, state, now, c->counts[slot], -UINT64_C(1));
}

/* The slot's warp issues, in a cycle in which it would else not be selected. */
static inline void cpi_issue(struct cpi_counters *c, unsigned slot)
{
    c->issued[slot]++;
}

/* The slot's warp has ended: adds its counts, of the cycles before this one, to the sums and clears them. */
void cpi_end(struct cpi_counters *, unsigned slot, uint64_t now, struct cpi_sums *);

/* The cycles of all warps, ended or not, before this one. */
void cpi_totals(const struct cpi_counters *, uint64_t now, uint64_t cycles[NUM_CPI_CLASSES]);

const char *cpi_name(enum cpi_class); /* "struct_mem" */
const char *cpi_meaning(enum cpi_class);

#endif
