/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/cpi.h: counts for each warp slot of a scheduler how many cycles it spent in each class of
 * tb/sm/cpi.def.
 *
 * A slot is in one state for as long as nothing happens to its warp: a class and, if the warp's next
 * instruction is in the buffer, a pipeline. In the cycles in which that pipeline takes nothing it
 * counts as a structural hazard of that pipeline, in all others as its class. Those cycles are the
 * same for all slots, so each pipeline's are counted once, and a slot is looked at only when its
 * state changes: the clock, less what it was when the state began. The states of all slots are kept
 * as planes, bit k of each slot's state in plane k: a few operations find who has changed. */
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

/* Which slots are in which state, one bit each. */
struct cpi_masks {
    uint64_t slots[NUM_CPI_CLASSES]; /* each slot with a warp in one class */
    uint64_t wants[CPI_PIPELINES];   /* a slot in one pipeline, or none: nothing refuses it */
    uint64_t
        refused[CPI_PIPELINES]; /* cycles, of those that are counted, in which it takes nothing */
};

/* Numbers of classes and of pipelines from 1 on; 0: none. */
#define CPI_CLASS_BITS    4
#define CPI_PIPELINE_BITS 2
#define CPI_PLANES        (CPI_CLASS_BITS + CPI_PIPELINE_BITS)
_Static_assert(NUM_CPI_CLASSES < 1 << CPI_CLASS_BITS, "a class and none");
_Static_assert(CPI_PIPELINES < 1 << CPI_PIPELINE_BITS, "a pipeline and none");

struct cpi_counters {
    uint64_t now;                             /* cycles counted so far */
    uint64_t refused[1 << CPI_PIPELINE_BITS]; /* in which the pipeline took nothing; of none: 0 */
    uint64_t planes[CPI_PLANES];              /* states: classes, then pipelines */
    uint8_t states[64];                       /* the same, of each slot */
    /* By number of class. That of a slot's state lacks what the clock was when it began. */
    uint64_t counts[64][1 << CPI_CLASS_BITS];
    uint64_t ended[NUM_CPI_CLASSES]; /* of warps that have ended, summed over them */
};

/* These slots, at least those that differ, go to other states. */
void cpi_change(struct cpi_counters *, const uint64_t planes[CPI_PLANES], uint64_t slots);

/* Counts `cycles` cycles in which the slots stay in these states. */
static inline void cpi_count(struct cpi_counters *c, const struct cpi_masks *m, uint64_t cycles)
{
    uint64_t planes[CPI_PLANES] = {0}, differ = 0;
#pragma GCC unroll 16
    for (unsigned k = 0; k < CPI_CLASS_BITS; k++)
#pragma GCC unroll 16
        for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
            planes[k] |= (i + 1) >> k & 1 ? m->slots[i] : 0;
#pragma GCC unroll 16
    for (unsigned k = 0; k < CPI_PIPELINE_BITS; k++)
#pragma GCC unroll 16
        for (unsigned i = 0; i < CPI_PIPELINES; i++)
            planes[CPI_CLASS_BITS + k] |= (i + 1) >> k & 1 ? m->wants[i] : 0;
#pragma GCC unroll 16
    for (unsigned k = 0; k < CPI_PLANES; k++)
        differ |= planes[k] ^ c->planes[k];
    if (differ)
        cpi_change(c, planes, differ);
    c->now += cycles;
#pragma GCC unroll 16
    for (unsigned i = 0; i < CPI_PIPELINES; i++)
        c->refused[i + 1] += m->refused[i];
}

/* The slot's warp has ended: adds its counts to the sums and clears them. */
void cpi_end(struct cpi_counters *, unsigned slot, struct cpi_sums *);

/* The cycles of all warps, ended or not. */
void cpi_totals(const struct cpi_counters *, uint64_t cycles[NUM_CPI_CLASSES]);

const char *cpi_name(enum cpi_class); /* "struct_mem" */

#endif
