/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/cpi.c: see cpi.h. */
#include "tb/sm/cpi.h"

#include <stddef.h>
#include <string.h>

static const char *const names[] = {
#define CPI_CLASS(name, meaning) #name,
#include "tb/sm/cpi.def"
#undef CPI_CLASS
};

static const char *const meanings[] = {
#define CPI_CLASS(name, meaning) meaning,
#include "tb/sm/cpi.def"
#undef CPI_CLASS
};

const char *cpi_name(enum cpi_class class)
{
    return names[class];
}

const char *cpi_meaning(enum cpi_class class)
{
    return meanings[class];
}

void cpi_reset(struct cpi_counters *c)
{
    static const uint8_t none[CPI_SLOTS];
    _Static_assert(CPI_NO_WARP == 0, "it is the state of all slots at first");
    if (!memcmp(c->states, none, sizeof none)) /* and all counts have been cleared: by cpi_end */
        memset(c->ended, 0, sizeof c->ended);
    else
        memset((char *)c + offsetof(struct cpi_counters, states), 0,
               sizeof *c - offsetof(struct cpi_counters, states));
}

/* The slot's cycles in each class. */
static void read_slot(const struct cpi_counters *c, unsigned slot, uint64_t now,
                      uint64_t cycles[NUM_CPI_CLASSES])
{
    uint64_t counts[CPI_PLACES];
    memcpy(counts, c->counts[slot], sizeof counts);
    cpi_add_clock(c, c->states[slot], now, counts, 1);
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
        cycles[i] = counts[CPI_PLACE(i)];
    cycles[CPI_issued] += c->issued[slot];
    cycles[CPI_not_selected] -= c->issued[slot];
}

void cpi_end(struct cpi_counters *c, unsigned slot, uint64_t now, struct cpi_sums *sums)
{
    uint64_t counts[NUM_CPI_CLASSES];
    read_slot(c, slot, now, counts);
    c->issued[slot] = 0;
    memset(c->counts[slot], 0, sizeof c->counts[slot]);
    cpi_add_clock(c, c->states[slot], now, c->counts[slot], -UINT64_C(1));
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

void cpi_totals(const struct cpi_counters *c, uint64_t now, uint64_t cycles[NUM_CPI_CLASSES])
{
    memcpy(cycles, c->ended, sizeof c->ended);
    for (unsigned slot = 0; slot < CPI_SLOTS; slot++) {
        uint64_t counts[NUM_CPI_CLASSES];
        read_slot(c, slot, now, counts);
        for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
            cycles[i] += counts[i];
    }
}
