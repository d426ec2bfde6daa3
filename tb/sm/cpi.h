/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/cpi.h: counts for each warp slot of a scheduler how many cycles it spent in each class of
 * tb/sm/cpi.def.
 *
 * A slot is in one state for as long as nothing happens to its warp: a class and, if the warp's next
 * instruction is in the buffer, a pipeline. In the cycles in which that pipeline takes nothing it
 * counts as a structural hazard of that pipeline, in all others as its class. Those cycles are the
 * same for all slots, so each pipeline's are counted once, and a slot is looked at only when its
 * state may have changed: the clock, less what it was when the state began. Issuing is no state, or each
 * instruction would end one and begin another: that cycle is taken from the class in which the warp
 * would be, had it not been granted. */
#ifndef HEDDLE_TB_SM_CPI_H
#define HEDDLE_TB_SM_CPI_H

#include <stdint.h>

enum cpi_class {
#define CPI_CLASS(name, meaning) CPI_##name,
#include "tb/sm/cpi.def"
#undef CPI_CLASS
    NUM_CPI_CLASSES
};

#define CPI_PIPELINES 3  /* those of CPI_struct_sp and the two classes behind it */
#define CPI_FRACTION  20 /* bits behind the point of cpi_sums.mean */

/* Of ended warps. */
struct cpi_sums {
    uint64_t warps;                   /* that issued anything */
    uint64_t cycles[NUM_CPI_CLASSES]; /* summed over them */
    uint64_t mean[NUM_CPI_CLASSES]; /* sum of each warp's cycles per instruction, in 2^-CPI_FRACTION
                                     */
};

/* A state: numbers of its class and of its pipeline, each from 1 on; 0: none. */
#define CPI_CLASS_BITS    4
#define CPI_PIPELINE_BITS 2
#define CPI_NO_WARP       0
_Static_assert(NUM_CPI_CLASSES < 1 << CPI_CLASS_BITS, "a class and none");
_Static_assert(CPI_PIPELINES < 1 << CPI_PIPELINE_BITS, "a pipeline and none");

/* `pipeline`: 1 to CPI_PIPELINES, or 0: nothing refuses the warp. */
static inline unsigned cpi_state(enum cpi_class class, unsigned pipeline)
{
    return ((unsigned)class + 1) | pipeline << CPI_CLASS_BITS;
}

struct cpi_counters {
    uint64_t now;                             /* cycles counted so far */
    uint64_t refused[1 << CPI_PIPELINE_BITS]; /* in which the pipeline took nothing; of none: 0 */
    uint8_t states[64];                       /* of each slot */
    /* By number of class. That of a slot's state lacks what the clock was when it began. */
    uint64_t counts[64][1 << CPI_CLASS_BITS];
    uint64_t ended[NUM_CPI_CLASSES]; /* of warps that have ended, summed over them */
};

/* A state begins (`times` is -1) or ends (1): what the clock says goes to its class and, of cycles in
 * which its pipeline took nothing, to the structural one. */
static inline void cpi_add_clock(const struct cpi_counters *c, unsigned state, uint64_t *counts,
                                 uint64_t times)
{
    const unsigned class = state % (1 << CPI_CLASS_BITS), pipeline = state >> CPI_CLASS_BITS;
    counts[class] += times * (c->now - c->refused[pipeline]);
    counts[CPI_struct_sp + pipeline] += times * c->refused[pipeline];
}

/* From the next cycle on the slot is in this state. */
static inline void cpi_enter(struct cpi_counters *c, unsigned slot, unsigned state)
{
    if (state == c->states[slot])
        return;
    cpi_add_clock(c, c->states[slot], c->counts[slot], 1);
    c->states[slot] = (uint8_t)state;
    cpi_add_clock(c, state, c->counts[slot], -UINT64_C(1));
}

/* In the next cycle, which is counted as one alone, the slot's warp issues; its pipeline takes an instruction then. */
static inline void cpi_issue(struct cpi_counters *c, unsigned slot)
{
    c->counts[slot][c->states[slot] % (1 << CPI_CLASS_BITS)]--;
    c->counts[slot][CPI_issued + 1]++;
}

/* Counts `cycles` cycles in which the slots stay as they are. `refused`: those of them in which each
 * pipeline takes nothing. */
static inline void cpi_count(struct cpi_counters *c, const uint64_t refused[CPI_PIPELINES],
                             uint64_t cycles)
{
    c->now += cycles;
    for (unsigned i = 0; i < CPI_PIPELINES; i++)
        c->refused[i + 1] += refused[i];
}

/* The slot's warp has ended: adds its counts to the sums and clears them. */
void cpi_end(struct cpi_counters *, unsigned slot, struct cpi_sums *);

/* The cycles of all warps, ended or not. */
void cpi_totals(const struct cpi_counters *, uint64_t cycles[NUM_CPI_CLASSES]);

const char *cpi_name(enum cpi_class); /* "struct_mem" */
const char *cpi_meaning(enum cpi_class);

#endif
