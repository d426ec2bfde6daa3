/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/cd3_stimulus.c: random but plausible instructions of a warp. Phases differ in how many registers are used, how
 * often results are needed, and by which pipe's instructions. What was written long ago stays in the table where only a few registers are
 * used for a while, or where many instructions write nothing; in some phases all registers wait equally long, or until their writers' numbers come
 * again. Kernels begin with counts that will soon pass a bit. */
#include <string.h>

#include "cmodel/cd3/cd3.h"
#include "cosim/stimulus.h"

void cd3_stimulus(struct stimulus *, void *input);

#define ONES(bits) (~UINT64_C(0) >> (64 - (bits)))

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left;              /* cycles until the next phase */
    uint64_t lowest, registers; /* those that are used */
    uint64_t kind;              /* PLAIN or one that repeats the same */
    uint64_t pipe,
        step;      /* CHAIN: all issue there, each needs what the one so many before it wrote */
    uint64_t at;   /* the next register of a chain */
    uint64_t rest; /* AGED: instructions between the last that writes and the first that needs */
    uint64_t rests, reads, writes, starts, others; /* once in so many cycles */
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

enum kind { PLAIN, CHAIN, QUIET, AGED, WILD, NUM_KINDS };

static uint64_t often(struct stimulus *s)
{
    static const uint64_t once_in[] = {1, 2, 5, 20, 100};
    return once_in[stimulus_below(s, 5)];
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    const uint64_t bits = 1 + stimulus_below(s, CD3_REGISTER_BITS);
    p->kind = stimulus_below(s, NUM_KINDS);
    if (p->kind == AGED && stimulus_once_in(s, 2)) /* they are long */
        p->kind = CHAIN;
    p->left = 1 + stimulus_below(s, 4 * CD3_REGISTERS + 100);
    if (p->kind == QUIET) /* until the number of what was written comes again, and longer */
        p->left = stimulus_below(s, UINT64_C(3) << CD3_NUMBER_BITS);
    p->rest = stimulus_once_in(s, 2) ? stimulus_below(s, UINT64_C(1) << (CD3_NUMBER_BITS - 1))
                                     : (UINT64_C(1) << CD3_NUMBER_BITS) - CD3_REGISTERS +
                                           stimulus_below(s, 2 * CD3_BINS);
    if (p->kind == AGED)
        p->left = CD3_REGISTERS + p->rest + CD3_REGISTERS - 1;
    p->registers = stimulus_once_in(s, 3) ? CD3_REGISTERS : UINT64_C(1) << bits;
    p->lowest = stimulus_below(s, CD3_REGISTERS);
    p->pipe = stimulus_below(s, 4);
    p->step = 1 + stimulus_below(s, CD3_REGISTERS < CD3_BINS + 2 ? CD3_REGISTERS : CD3_BINS + 2);
    p->rests = stimulus_once_in(s, 2) ? 1000 : often(s) + 1;
    p->reads = often(s);
    p->writes = often(s);
    p->starts = stimulus_once_in(s, 2) ? 20 : 2000;
    p->others = stimulus_once_in(s, 4) ? 20 : 2000;
}

static uint64_t some_register(struct stimulus *s, const struct phase *p)
{
    return (p->lowest + stimulus_below(s, p->registers)) % CD3_REGISTERS;
}

/* So many that the next ones pass a bit of a count; or any. */
static uint64_t beginning(struct stimulus *s)
{
    const uint64_t bit = UINT64_C(1) << stimulus_below(s, CD3_COUNT_BITS + 1);
    switch (stimulus_below(s, 4)) {
    case 0: return 0;
    case 1: return stimulus_bits(s) & ONES(CD3_COUNT_BITS);
    default: return (bit - 1 - stimulus_below(s, 3)) & ONES(CD3_COUNT_BITS);
    }
}

/* Any registers; what there is not is drawn, too. */
static void draw(struct stimulus *s, const struct phase *p, struct cd3_in *in)
{
    in->pipe = stimulus_once_in(s, 3) ? p->pipe : stimulus_below(s, 4);
    for (unsigned i = 0; i < CD3_READS; i++) {
        in->reads[i] = some_register(s, p);
        in->reading |= (uint64_t)stimulus_once_in(s, p->reads) << i;
    }
    in->write = some_register(s, p);
    in->writing = (uint64_t)stimulus_once_in(s, p->writes);
}

/* Each writes the next register, and reads the one `step` before it. */
static void chain(struct stimulus *s, struct phase *p, struct cd3_in *in)
{
    in->pipe = p->pipe;
    in->reading = UINT64_C(1) << stimulus_below(s, CD3_READS);
    for (unsigned i = 0; i < CD3_READS; i++)
        in->reads[i] = (p->at - p->step) % CD3_REGISTERS;
    in->write = p->at;
    in->writing = 1;
    if (in->issue)
        p->at = (p->at + 1) % CD3_REGISTERS;
}

/* The instruction names the register as operand `port`. */
static void name(struct cd3_in *in, uint64_t port, uint64_t reg)
{
    if (port == CD3_READS) {
        in->write = reg;
        in->writing = 1;
    } else {
        in->reads[port] = reg;
        in->reading |= UINT64_C(1) << port;
    }
}

/* All registers are written, one after the other; nothing names them for a while; each is needed, by any operand, often together with the
 * one that was written after it. */
static void age(struct stimulus *s, const struct phase *p, struct cd3_in *in)
{
    const uint64_t port = stimulus_below(s, CD3_READS + 1);
    in->start = in->fresh = 0;
    in->issue = 1;
    in->pipe = stimulus_below(s, 4);
    if (p->left >= p->rest + CD3_REGISTERS)
        name(in, CD3_READS, p->left % CD3_REGISTERS);
    else if (p->left < CD3_REGISTERS) {
        name(in, port, (p->left + p->rest) % CD3_REGISTERS);
        if (stimulus_once_in(s, 2))
            name(in, (port + 1 + stimulus_below(s, CD3_READS)) % (CD3_READS + 1),
                 (p->left + p->rest - 1) % CD3_REGISTERS);
    }
}

void cd3_stimulus(struct stimulus *s, void *input)
{
    struct cd3_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    if (p->left-- == 0)
        new_phase(s, p);
    memset(in, 0, sizeof *in);
    in->start = (uint64_t)stimulus_once_in(s, p->starts);
    in->first = beginning(s);
    in->fresh = (uint64_t)stimulus_once_in(s, p->others);
    in->issue = !stimulus_once_in(s, p->rests);
    if (p->kind == AGED)
        age(s, p, in);
    else if (p->kind == CHAIN)
        chain(s, p, in);
    else
        draw(s, p, in);
    if (p->kind == QUIET && !stimulus_once_in(s, 50)) {
        in->reading = in->writing = 0;
        in->start = in->fresh = 0;
    }
    if (p->kind == WILD && stimulus_once_in(s, 4)) {
        in->issue = stimulus_below(s, 2);
        in->fresh = stimulus_below(s, 2);
        in->start = (uint64_t)stimulus_once_in(s, 8);
    }
}
