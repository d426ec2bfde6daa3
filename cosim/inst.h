/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/inst.h: what unit.c, report.c and trace.c share about an instance. */
#ifndef HEDDLE_COSIM_INST_H
#define HEDDLE_COSIM_INST_H

#include "cosim/contract.h"
#include "cosim/unit.h"

enum unit_side { SIDE_REF, SIDE_RTL, NUM_SIDES };

/* One remembered cycle: the unit's structs, outputs and the state before the edge. */
struct unit_cycle {
    uint64_t cycle;
    void *in, *out[NUM_SIDES], *state[NUM_SIDES];
};

/* A state machine of an instance: where each side was last, and how often each edge was taken. */
struct watched {
    const struct fsm *fsm;
    const struct field *field;
    uint64_t now[NUM_SIDES];
    uint64_t *taken;
};

struct unit_inst {
    const struct unit *unit;
    enum unit_backend backend;
    char *place;
    void *memory; /* holds every struct below */
    void *state;  /* the reference's; in backend rtl where unit_state puts the model's */
    void *model;  /* the Verilated model; NULL: backend c */
    uint64_t now; /* the cycle stepped last */
    uint64_t cycles, mismatches;
    struct watched *watched; /* one for each FSM line */
    uint64_t failed;         /* the cycle that stopped it */
    char complaint[160];     /* what is wrong, unless a difference says it */
    uint64_t remembered;     /* cycles ever put into history */
    struct unit_cycle history[UNIT_HISTORY];
    unsigned *signals; /* waveform handles, see trace.c; NULL: not traced */
};

/* The struct of a remembered cycle that a field lives in, on one side. */
static inline const void *cycle_fields(const struct unit_cycle *c, const struct field *f,
                                       enum unit_side side)
{
    return f->kind == FIELD_IN ? c->in : f->kind == FIELD_OUT ? c->out[side] : c->state[side];
}

/* Does the instance run this side? */
static inline int inst_has(const struct unit_inst *i, enum unit_side side)
{
    return i->backend == BACKEND_LOCKSTEP || (side == SIDE_RTL) == (i->backend == BACKEND_RTL);
}

/* Remembers a cycle in which the bench did not step the unit: outputs and state as they are, no
 * edge. */
void inst_peek(struct unit_inst *, uint64_t cycle, const void *in);

/* edges.c. inst_watch: has one side moved along an edge, or not at all, since the last call?
 * Returns 0, or 1: `complaint` says which way it went. */
int inst_watch_open(struct unit_inst *);
void inst_watch_close(struct unit_inst *);
int inst_watch(struct unit_inst *, enum unit_side, const void *state);

#endif
