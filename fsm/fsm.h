/* SPDX-License-Identifier: Apache-2.0 */
/* fsm/fsm.h: a state machine as data. Every list fsm/<name>.def becomes a `const struct fsm
 * <name>_fsm` (fsm/machine.c) and, where a file needs numbers, an enum (fsm/enum.h): names in
 * reports and waveforms, the drawing, the check that only listed transitions happen, and the count
 * of each come from it. Staying in a state is always legal and is no edge. */
#ifndef HEDDLE_FSM_FSM_H
#define HEDDLE_FSM_FSM_H

#include <stdint.h>
#include <stdio.h>

struct fsm_state {
    const char *name, *meaning;
};

struct fsm_edge {
    unsigned from, to;
    const char *name, *meaning; /* "RUN->BARRIER" */
};

#define FSM_MOST_EDGES 64

struct fsm {
    const char *name;
    const struct fsm_state *states; /* the first one is the state after reset */
    const struct fsm_edge *edges;
    unsigned num_states, num_edges; /* at most FSM_MOST_EDGES */
};

/* All of them, in alphabetical order. */
extern const struct fsm *const fsms[];
extern const unsigned num_fsms;

/* One by its name, or NULL. */
const struct fsm *fsm_find(const char *name);

/* The name of a state; "?" for a number that is none. */
const char *fsm_state_name(const struct fsm *, uint64_t state);

/* The number of the edge between two states, or num_edges: there is none. */
unsigned fsm_edge(const struct fsm *, uint64_t from, uint64_t to);

/* Moves *state to `to` and counts the edge in taken[num_edges]. A transition that is not listed is
 * a defect of the program: `what` ("a warp") and both states are named on stderr and the program
 * aborts, in every build. */
void fsm_move(const struct fsm *, uint64_t *taken, uint8_t *state, unsigned to, const char *what);

/* Writes the machine for graphviz: states and edges with their meanings. */
void fsm_draw(const struct fsm *, FILE *);

#endif
