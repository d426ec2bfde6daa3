/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/cpi.h: counts for each warp slot of a scheduler how many cycles it spent in each class of
 * tb/sm/cpi.def.
 *
 * Cycles are only counted when a slot changes its class. The counters are bit-sliced: plane k of a
 * class holds bit k of each slot's count, one slot a bit. Adding a mask of slots is a ripple-carry
 * over the planes, for all slots and, as the classes of a plane lie side by side, for several
 * classes at once. Few slots issue in a cycle, so `issued` has plain counters. */
#ifndef HEDDLE_TB_SM_CPI_H
#define HEDDLE_TB_SM_CPI_H

#include <stdint.h>
#include <string.h>

enum cpi_class {
#define CPI_CLASS(name, meaning) CPI_##name,
#include "tb/sm/cpi.def"
#undef CPI_CLASS
    NUM_CPI_CLASSES
};

#define CPI_PLANES   48
#define CPI_SLICED   (NUM_CPI_CLASSES - 1) /* classes counted bit-sliced: those after `issued` */
#define CPI_FRACTION 20                    /* bits behind the point of cpi_sums.mean */

/* Of ended warps. */
struct cpi_sums {
    uint64_t warps;                   /* that issued anything */
    uint64_t cycles[NUM_CPI_CLASSES]; /* summed over them */
    uint64_t mean[NUM_CPI_CLASSES]; /* sum of each warp's cycles per instruction, in 2^-CPI_FRACTION
                                     */
};

/* Which slots are in which class, one bit each. */
struct cpi_masks {
    uint64_t slots[NUM_CPI_CLASSES];
};

/* Two classes side by side, for which a register of the host has room. */
typedef uint64_t cpi_pair __attribute__((vector_size(16)));
#define CPI_PAIRS (CPI_SLICED / 2)
_Static_assert(CPI_SLICED % 2 == 0, "classes are counted in pairs");

/* `issued` apart, pair i holds the classes 2i + 1 and 2i + 2. */
struct cpi_counters {
    cpi_pair last[CPI_PAIRS];
    uint64_t held; /* cycles, not yet in the planes, in which the slots were in `last` */
    uint64_t issued[64];
    cpi_pair planes[CPI_PLANES][CPI_PAIRS];
    uint64_t ended[NUM_CPI_CLASSES]; /* of warps that have ended, summed over them */
};

/* Brings the planes up to date. */
static inline void cpi_flush(struct cpi_counters *c)
{
    for (uint64_t left = c->held; left; left &= left - 1) {
        cpi_pair carry[CPI_PAIRS], *plane = c->planes[__builtin_ctzll(left)], any;
#pragma GCC unroll 8
        for (unsigned i = 0; i < CPI_PAIRS; i++)
            carry[i] = c->last[i];
        do {
            any = (cpi_pair){0};
#pragma GCC unroll 8
            for (unsigned i = 0; i < CPI_PAIRS; i++) {
                const cpi_pair both = plane[i] & carry[i];
                plane[i] ^= carry[i];
                any |= carry[i] = both;
            }
            plane += CPI_PAIRS;
        } while (any[0] | any[1]);
    }
    c->held = 0;
}

/* Counts `cycles` cycles in which the slots were in these classes. */
static inline void cpi_count(struct cpi_counters *c, const struct cpi_masks *m, uint64_t cycles)
{
    cpi_pair differ = {0}, slots[CPI_PAIRS];
    for (uint64_t left = m->slots[CPI_issued]; left; left &= left - 1)
        c->issued[__builtin_ctzll(left)] += cycles;
    memcpy(slots, m->slots + CPI_issued + 1, sizeof slots);
#pragma GCC unroll 8
    for (unsigned i = 0; i < CPI_PAIRS; i++)
        differ |= c->last[i] ^ slots[i];
    if (differ[0] | differ[1]) {
        cpi_flush(c);
        memcpy(c->last, slots, sizeof slots);
    }
    c->held += cycles;
}

/* The slot's warp has ended: adds its counts to the sums and clears them. */
void cpi_end(struct cpi_counters *, unsigned slot, struct cpi_sums *);

/* The cycles of all warps, ended or not. */
void cpi_totals(struct cpi_counters *, uint64_t cycles[NUM_CPI_CLASSES]);

const char *cpi_name(enum cpi_class); /* "struct_mem" */

#endif
