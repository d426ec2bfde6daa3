/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/cpi.c: see cpi.h. */
#include "tb/sm/cpi.h"

#include <string.h>

static const char *const names[] = {
#define CPI_CLASS(name, meaning) #name,
#include "tb/sm/cpi.def"
#undef CPI_CLASS
};

const char *cpi_name(enum cpi_class class)
{
    return names[class];
}

/* The bits of a slot in all planes. */
static inline unsigned state_of(const uint64_t planes[CPI_PLANES], unsigned slot)
{
    unsigned state = 0;
#pragma GCC unroll 8
    for (unsigned k = CPI_PLANES; k-- > 0;)
        state = 2 * state + (unsigned)(planes[k] >> slot & 1);
    return state;
}

/* A state begins (`times` is -1) or ends (1): what the clock says goes to its class and, of cycles in
 * which its pipeline took nothing, to the structural one. */
static inline void add_clock(const struct cpi_counters *c, unsigned state, uint64_t *counts,
                             uint64_t times)
{
    const unsigned class = state % (1 << CPI_CLASS_BITS), pipeline = state >> CPI_CLASS_BITS;
    counts[class] += times * (c->now - c->refused[pipeline]);
    counts[CPI_struct_sp + pipeline] += times * c->refused[pipeline];
}

void cpi_change(struct cpi_counters *c, const uint64_t planes[CPI_PLANES], uint64_t slots)
{
    for (uint64_t left = slots; left; left &= left - 1) {
        const unsigned slot = (unsigned)__builtin_ctzll(left);
        add_clock(c, c->states[slot], c->counts[slot], 1);
        c->states[slot] = (uint8_t)state_of(planes, slot);
        add_clock(c, c->states[slot], c->counts[slot], -UINT64_C(1));
    }
    memcpy(c->planes, planes, sizeof c->planes);
}

/* The slot's cycles in each class. */
static void read_slot(const struct cpi_counters *c, unsigned slot, uint64_t cycles[NUM_CPI_CLASSES])
{
    uint64_t counts[1 << CPI_CLASS_BITS];
    memcpy(counts, c->counts[slot], sizeof counts);
    add_clock(c, c->states[slot], counts, 1);
    memcpy(cycles, counts + 1, NUM_CPI_CLASSES * sizeof *cycles);
}

void cpi_end(struct cpi_counters *c, unsigned slot, struct cpi_sums *sums)
{
    uint64_t counts[NUM_CPI_CLASSES];
    read_slot(c, slot, counts);
    memset(c->counts[slot], 0, sizeof c->counts[slot]);
    add_clock(c, c->states[slot], c->counts[slot], -UINT64_C(1));
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++) {
        sums->cycles[i] += counts[i];
        c->ended[i] += counts[i];
    }
    const uint64_t instructions = counts[CPI_issued];
    if (!instructions)
        return;
    sums->warps++;
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
        sums->mean[i] += (counts[i] << CPI_FRACTION) / instructions;
}

void cpi_totals(const struct cpi_counters *c, uint64_t cycles[NUM_CPI_CLASSES])
{
    memcpy(cycles, c->ended, sizeof c->ended);
    for (unsigned slot = 0; slot < 64; slot++) {
        uint64_t counts[NUM_CPI_CLASSES];
        read_slot(c, slot, counts);
        for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
            cycles[i] += counts[i];
    }
}
