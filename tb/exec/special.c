/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/special.c: special registers that are read when the instruction is executed: the clock of
 * the SM, and what is the same for a block or a launch. */
#include "tb/exec/op.h"

/* The SM where there is none: of a warp that a test steps. */
static const uint64_t standing;
static const struct exec_sm nowhere = {
    .clock = &standing, .clocks = &exec_one_clock, .count = 1, .mhz = 1000};

const struct clocks exec_one_clock = {.sixths = CLOCK_SIXTHS};

/* Nanoseconds, without overflow. */
static uint64_t nanoseconds(const struct exec_sm *sm, uint64_t cycle)
{
    const uint64_t cycles = clocks_fixed(sm->clocks, cycle), mhz = sm->mhz;
    return cycles / mhz * 1000 + cycles % mhz * 1000 / mhz;
}

static uint64_t read_value(const struct exec_warp *w, enum uop_special which)
{
    const struct exec_launch *launch = w->block->launch;
    const struct exec_sm *sm = w->block->sm ? w->block->sm : &nowhere;
    const uint64_t cycle = *sm->clock;
    switch (which) {
    case VALUE_CLOCK:
    case VALUE_CLOCK64: return cycle;
    case VALUE_CLOCK_HI: return cycle >> 32;
    case VALUE_GLOBALTIMER:
    case VALUE_GLOBALTIMER_LO: return nanoseconds(sm, cycle);
    case VALUE_GLOBALTIMER_HI: return nanoseconds(sm, cycle) >> 32;
    case VALUE_SMID: return sm->number;
    case VALUE_NSMID: return sm->count;
    case VALUE_GRIDID: return launch->number;
    case VALUE_TOTAL_SMEM_SIZE: return launch->shared_bytes;
    default: return launch->shared_bytes - launch->kernel->shared_bytes;
    }
}

#define SPECIAL(T, cut)                                                                            \
    static void SPECIAL_##T(OP_ARGUMENTS)                                                          \
    {                                                                                              \
        const cut value = (cut)read_value(w, u->mod);                                              \
        slot_##T *const d = exec_target(w, u->dst[0]);                                             \
        FOR_ACTIVE(mask, i)                                                                        \
        {                                                                                          \
            d[i] = value;                                                                          \
        }                                                                                          \
    }
SPECIAL(B16, uint16_t)
SPECIAL(B32, uint32_t)
SPECIAL(B64, uint64_t)

static const struct exec_form special_forms[] = {{U_SPECIAL, T_B16, ANY, ANY, 0, SPECIAL_B16},
                                                 {U_SPECIAL, T_B32, ANY, ANY, 0, SPECIAL_B32},
                                                 {U_SPECIAL, T_B64, ANY, ANY, 0, SPECIAL_B64}};
EXPORT_FORMS(exec_special, special_forms)
