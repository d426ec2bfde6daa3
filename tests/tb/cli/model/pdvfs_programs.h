/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/pdvfs_programs.h: launches made up, for tests of `heddle model pdvfs`: time by (5.3), energy by (5.7). */
#ifndef HEDDLE_TESTS_TB_CLI_MODEL_PDVFS_PROGRAMS_H
#define HEDDLE_TESTS_TB_CLI_MODEL_PDVFS_PROGRAMS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/cmodel/analytic/numbers.h"
#include "tests/tb/cli/model/pdvfs_support.h"

#define SLOTS 15

/* (5.7), watts; b6 is of the voltage over the highest, 0.7 to 1. Of an instruction without any event it would be less than 0 at the lowest clock. */
static const double b[7] = {-1.5, 2e-8, 5e-9, 9e-9, 3e-9, 0, 1.7};

static inline double hertz(unsigned clock)
{
    return MHZ * 1e6 * (clock + 3) / 6;
}

static inline double seconds(const struct clock_launch *l, unsigned clock)
{
    return l->cycles[clock] / (MHZ * 1e6);
}

/* Misses of L1D or of L2. */
static inline double misses(const struct clock_launch *l, int l2, unsigned clock)
{
    return l2 ? l->l2[clock] : l->l1d[clock];
}

/* Energy as (5.7) has it. */
static inline void set_energy(struct clock_launch *l, int l2)
{
    for (unsigned c = 0; c < CLOCKS; c++) {
        const double s = seconds(l, c), volts = .7 + .1 * c;
        const double watts =
            b[0] +
            (b[1] * l->l1d_accesses + b[2] * l->l2_accesses + b[3] * misses(l, l2, c) +
             b[4] * (l->sp + l->sfu) + b[5] * l->instructions) /
                s +
            b[6] * volts;
        l->nanojoules[c] = 1e9 * watts * s;
    }
}

/* With so many misses per instruction, of L1D twice as many as of L2; time by (5.3), but for noise. */
static inline struct clock_launch made_up(const char *name, double instructions, double mpi,
                                          double c1, double c2, double noise)
{
    struct clock_launch l = {name,
                             floor(instructions),
                             floor(instructions * between(.5, 1)),
                             floor(instructions * between(.1, .4)),
                             floor(instructions * between(.3, .9)),
                             floor(instructions * between(0, .1)),
                             floor(instructions * .01),
                             {0},
                             {0},
                             {0},
                             {0}};
    for (unsigned c = 0; c < CLOCKS; c++) {
        l.l1d[c] = 2 * mpi * l.instructions * (1 + noise / 5 * uniform());
        l.l2[c] = mpi * l.instructions * (1 + noise / 5 * uniform());
        const double spi = (c1 * mpi + c2 / hertz(c)) * (1 + noise * (uniform() - .5));
        l.cycles[c] = spi * l.instructions * MHZ * 1e6;
    }
    return l;
}

#endif
