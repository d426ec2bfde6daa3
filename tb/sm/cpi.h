/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/cpi.h: counts for each warp slot of a scheduler how many cycles it spent in each class of
 * tb/sm/cpi.def.
 *
 * A class is only counted when its slots change: then most of them do, so the counters of all slots
 * are kept bit-sliced: plane k of a class holds bit k of each slot's count, one slot a bit. Adding
 * a mask of slots is a ripple-carry over the planes: two steps on average, for all slots at once.
 * Only one slot issues in a cycle, so `issued` has plain counters. */
#ifndef HEDDLE_TB_SM_CPI_H
#define HEDDLE_TB_SM_CPI_H

#include <stdint.h>

enum cpi_class {
#define CPI_CLASS(name, meaning) CPI_##name,
#include "tb/sm/cpi.def"
#undef CPI_CLASS
    NUM_CPI_CLASSES
};

#define CPI_PLANES   48
#define CPI_FRACTION 20 /* bits behind the point of cpi_sums.mean */

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

struct cpi_counters {
    uint64_t now;                    /* cycles counted so far */
    uint64_t since[NUM_CPI_CLASSES]; /* from when on a class has held the slots in `last` */
    struct cpi_masks last;
    uint64_t issued[64];
    uint64_t planes[NUM_CPI_CLASSES][CPI_PLANES];
};

/* Brings a class's planes up to date. */
static inline void cpi_flush(struct cpi_counters *c, unsigned class)
{
    const uint64_t slots = c->last.slots[class];
    for (uint64_t left = slots ? c->now - c->since[class] : 0; left; left &= left - 1) {
        uint64_t carry = slots;
        for (uint64_t *plane = &c->planes[class][__builtin_ctzll(left)]; carry; plane++) {
            const uint64_t both = *plane & carry;
            *plane ^= carry;
            carry = both;
        }
    }
    c->since[class] = c->now;
}

/* Counts `cycles` cycles in which the slots were in these classes; of CPI_issued at most one. */
static inline void cpi_count(struct cpi_counters *c, const struct cpi_masks *m, uint64_t cycles)
{
    if (m->slots[CPI_issued])
        c->issued[__builtin_ctzll(m->slots[CPI_issued])] += cycles;
    for (unsigned i = CPI_issued + 1; i < NUM_CPI_CLASSES; i++)
        if (c->last.slots[i] != m->slots[i]) {
            cpi_flush(c, i);
            c->last.slots[i] = m->slots[i];
        }
    c->now += cycles;
}

/* The slot's warp has ended: adds its counts to the sums and clears them. */
void cpi_end(struct cpi_counters *, unsigned slot, struct cpi_sums *);

const char *cpi_name(enum cpi_class); /* "struct_mem" */

#endif
