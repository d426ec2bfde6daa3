/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/cpi.c: see cpi.h. */
#include "tb/sm/cpi.h"

static const char *const names[] = {
#define CPI_CLASS(name, meaning) #name,
#include "tb/sm/cpi.def"
#undef CPI_CLASS
};

const char *cpi_name(enum cpi_class class)
{
    return names[class];
}

/* The slots whose count of a class, one of those after `issued`, has bit k. */
static uint64_t plane(const struct cpi_counters *c, unsigned class, unsigned k)
{
    const unsigned sliced = class - CPI_issued - 1;
    return c->planes[k][sliced / 2][sliced % 2];
}

static uint64_t take(struct cpi_counters *c, unsigned class, unsigned slot)
{
    const unsigned sliced = class - CPI_issued - 1;
    uint64_t count = 0;
    for (unsigned k = 0; k < CPI_PLANES; k++) {
        count |= (plane(c, class, k) >> slot & 1) << k;
        c->planes[k][sliced / 2][sliced % 2] &= ~(UINT64_C(1) << slot);
    }
    return count;
}

void cpi_end(struct cpi_counters *c, unsigned slot, struct cpi_sums *sums)
{
    uint64_t counts[NUM_CPI_CLASSES];
    cpi_flush(c);
    for (unsigned i = CPI_issued + 1; i < NUM_CPI_CLASSES; i++)
        counts[i] = take(c, i, slot);
    counts[CPI_issued] = c->issued[slot];
    c->issued[slot] = 0;
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

void cpi_totals(struct cpi_counters *c, uint64_t cycles[NUM_CPI_CLASSES])
{
    cpi_flush(c);
    memcpy(cycles, c->ended, sizeof c->ended);
    for (unsigned slot = 0; slot < 64; slot++)
        cycles[CPI_issued] += c->issued[slot];
    for (unsigned i = CPI_issued + 1; i < NUM_CPI_CLASSES; i++)
        for (unsigned k = 0; k < CPI_PLANES; k++)
            cycles[i] += (uint64_t)__builtin_popcountll(plane(c, i, k)) << k;
}
