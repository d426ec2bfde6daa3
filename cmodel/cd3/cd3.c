/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/cd3/cd3.c: see cd3.h. */
#include "cmodel/cd3/cd3.h"

#include <string.h>

#define ONES(bits) (~UINT64_C(0) >> (64 - (bits)))
#define HALF       (UINT64_C(1) << (CD3_NUMBER_BITS - 1)) /* from here on distances are not told apart */
#define LAST       (CD3_BINS - 1)                         /* the distance that means: or more */

/* All registers have had their turn before a number comes again, and what is half of all numbers away is LAST or more. */
_Static_assert(CD3_REGISTER_BITS < CD3_NUMBER_BITS,
               "numbers for twice as many instructions as registers");
_Static_assert(CD3_DISTANCE_BITS < CD3_NUMBER_BITS,
               "numbers for twice as many instructions as distances");

/* How many instructions ago the register was written; HALF: so many or more. */
static uint64_t age(const struct cd3_state *s, uint64_t reg)
{
    const uint64_t ago = (s->now - s->writer[reg]) & ONES(CD3_NUMBER_BITS);
    return bit_get(s->far, (unsigned)reg) || ago > HALF ? HALF : ago;
}

/* Operand i of the instruction: what it reads, and behind it what it writes. Returns 0: there is none. */
static int operand(const struct cd3_in *in, unsigned i, uint64_t *reg)
{
    *reg = i < CD3_READS ? in->reads[i] : in->write;
    return i < CD3_READS ? in->reading >> i & 1 : in->writing != 0;
}

/* Which pipe's counts those of this one are. */
static unsigned class_of(uint64_t pipe)
{
    return pipe == cd3_pipe_stcmem ? cd3_pipe_gmem : (unsigned)pipe;
}

/* A count that is added to: number of the pipe's, and whether it is. */
static void add(const struct cd3_state *s, const struct cd3_in *in, uint64_t pipe, uint64_t bin,
                struct cd3_out *out)
{
    const unsigned class = class_of(pipe);
    const uint64_t count = in->start ? in->first : s->count[class * CD3_BINS + bin];
    if (count == ONES(CD3_COUNT_BITS))
        out->wraps[class] |= UINT64_C(1) << bin;
}

void cd3_reset(struct cd3_state *s)
{
    memset(s, 0, sizeof *s);
}

void cd3_comb(const struct cd3_state *s, const struct cd3_in *in, struct cd3_out *out)
{
    uint64_t last = 0;
    memset(out, 0, sizeof *out);
    if (!in->issue)
        return;
    for (unsigned i = 0; i <= CD3_READS && !in->start; i++) {
        uint64_t reg;
        if (!operand(in, i, &reg) || !bit_get(s->live, (unsigned)reg))
            continue;
        const uint64_t memory = s->writer_pipe[reg] >> 1, so_far = out->waits_for >> 1;
        if (out->waits && (memory != so_far ? so_far : age(s, reg) >= last))
            continue;
        last = age(s, reg);
        out->waits = 1;
        out->waits_for = s->writer_pipe[reg];
    }
    out->distance = last > LAST ? LAST : last;
    add(s, in, in->pipe, 0, out);
    if (out->waits)
        add(s, in, out->waits_for, out->distance, out);
}

static void count(struct cd3_state *s, uint64_t pipe, uint64_t bin)
{
    uint64_t *c = &s->count[class_of(pipe) * CD3_BINS + bin];
    *c = (*c + 1) & ONES(CD3_COUNT_BITS);
}

static void issue(struct cd3_state *s, const struct cd3_in *in, const struct cd3_out *out)
{
    const unsigned turn = (unsigned)s->now % CD3_REGISTERS;
    uint64_t reg;
    count(s, in->pipe, 0);
    if (out->waits)
        count(s, out->waits_for, out->distance);
    if (bit_get(s->live, turn) && age(s, turn) == HALF)
        bit_set(s->far, turn, 1);
    for (unsigned i = 0; i <= CD3_READS; i++)
        if (operand(in, i, &reg))
            bit_set(s->live, (unsigned)reg, 0);
    if (in->writing) {
        s->writer[in->write] = s->now;
        s->writer_pipe[in->write] = in->pipe;
        bit_set(s->live, (unsigned)in->write, 1);
        bit_set(s->far, (unsigned)in->write, 0);
    }
    s->now = (s->now + 1) & ONES(CD3_NUMBER_BITS);
}

void cd3_tick(struct cd3_state *s, const struct cd3_in *in, const struct cd3_out *out)
{
    if (in->start) {
        memset(s->live, 0, sizeof s->live);
        for (uint64_t *c = s->count; c != s->count + CD3_PIPES * CD3_BINS; c++)
            *c = in->first;
    }
    if (in->issue)
        issue(s, in, out);
    if (in->fresh)
        memset(s->live, 0, sizeof s->live);
}
