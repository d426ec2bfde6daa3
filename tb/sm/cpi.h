/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/cpi.h: counts for each warp slot of a scheduler how many cycles it spent in each class of
 * tb/sm/cpi.def.
 *
 * While nothing moves only the number of cycles is counted. When warps move, most of them do, so
 * the counters of all slots are kept bit-sliced: plane k of a class holds bit k of each slot's
 * count, one slot a bit. Adding a mask of slots is a ripple-carry over the planes: two steps on
 * average, for all slots at once. */
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
    struct cpi_masks last;
    uint64_t cycles; /* with these masks, not yet in the planes */
    uint64_t planes[NUM_CPI_CLASSES][CPI_PLANES];
};

/* Brings the planes up to date. */
static inline void cpi_flush(struct cpi_counters *c)
{
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
        for (uint64_t left = c->last.slots[i] ? c->cycles : 0; left; left &= left - 1) {
            uint64_t carry = c->last.slots[i];
            for (unsigned k = (unsigned)__builtin_ctzll(left); carry; k++) {
                const uint64_t both = c->planes[i][k] & carry;
                c->planes[i][k] ^= carry;
                carry = both;
            }
        }
    c->cycles = 0;
}

/* Counts `cycles` cycles in which the slots were in these classes. */
static inline void cpi_count(struct cpi_counters *c, const struct cpi_masks *m, uint64_t cycles)
{
    uint64_t moved = 0;
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
        moved |= c->last.slots[i] ^ m->slots[i];
    if (moved) {
        cpi_flush(c);
        c->last = *m;
    }
    c->cycles += cycles;
}

/* The slot's warp has ended: adds its counts to the sums and clears them. */
void cpi_end(struct cpi_counters *, unsigned slot, struct cpi_sums *);

const char *cpi_name(enum cpi_class); /* "struct_mem" */

#endif
