/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/inst.h: what unit.c, report.c and trace.c share about an instance. */
#ifndef HEDDLE_COSIM_INST_H
#define HEDDLE_COSIM_INST_H

#include "cosim/contract.h"
#include "cosim/unit.h"

enum unit_side { SIDE_REF, SIDE_RTL, NUM_SIDES };

/* One remembered cycle: the unit's structs, outputs and the registers before the edge, and for each
 * MEMORY the word that changes at the edge. */
struct unit_cycle {
    uint64_t cycle;
    void *in, *out[NUM_SIDES], *state[NUM_SIDES];
    struct memory_write *writes[NUM_SIDES];
};

/* A state machine of an instance: where each side was last, and how often each edge was taken. */
struct watched {
    const struct fsm *fsm;
    const struct field *field;
    uint64_t now[NUM_SIDES];
    uint64_t *taken;
};

/* Which bits of a MEMORY rose and fell, in whichever word. */
struct memory_moved {
    uint64_t rose, fell;
};

struct unit_inst {
    const struct unit *unit;
    enum unit_backend backend;
    char *place;
    void *memory;  /* holds every struct below */
    void *state;   /* the reference's; in backend rtl where unit_state puts the model's */
    void *model;   /* the Verilated model; NULL: backend c */
    void *shadow;  /* of MEMORYs, as in struct <unit>_state: memories.c */
    void *stopped; /* the reference's MEMORYs when a difference stopped the instance */
    struct memory_moved *moved; /* one for each MEMORY */
    uint64_t now;               /* the cycle stepped last */
    uint64_t cycles, mismatches;
    struct watched *watched; /* one for each FSM line */
    uint64_t failed;         /* the cycle that stopped it */
    char complaint[160];     /* what is wrong, unless a difference says it */
    uint64_t remembered;     /* cycles ever put into history */
    struct unit_cycle history[UNIT_HISTORY];
    unsigned *signals; /* waveform handles, see trace.c; NULL: not traced */
    struct memory_signals *memory_signals;
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

/* Remembers a cycle of which no MEMORY's writes are known: in which the bench did not step the unit, so that outputs and state are as they
 * were, or which comes after a difference. */
const struct unit_cycle *inst_peek(struct unit_inst *, uint64_t cycle, const void *in);

/* The remembered cycle that stopped the instance, if it is still remembered; else the last one. */
const struct unit_cycle *inst_failed(const struct unit_inst *);

/* The name of the first field or MEMORY in which the sides differ, or NULL. */
const char *inst_difference(const struct unit_inst *);

/* memories.c. Around each edge: _before takes the writes of the RTL, _after finds those of the
 * reference and moves the shadow. _read takes the shadow anew from the side that decides, the RTL
 * if there is one; _equal compares it with the reference; _stop keeps the reference's for the
 * report. */
void inst_memories_before(struct unit_inst *, struct unit_cycle *);
void inst_memories_after(struct unit_inst *, struct unit_cycle *);
void inst_memories_read(struct unit_inst *);
int inst_memories_equal(const struct unit_inst *);
void inst_memories_stop(struct unit_inst *);

/* edges.c. inst_watch: has one side moved along an edge, or not at all, since the last call?
 * Returns 0, or 1: `complaint` says which way it went. */
int inst_watch_open(struct unit_inst *);
void inst_watch_close(struct unit_inst *);
void inst_watch_reset(struct unit_inst *); /* both sides are in the first state again */
int inst_watch(struct unit_inst *, enum unit_side, const void *state);

#endif
