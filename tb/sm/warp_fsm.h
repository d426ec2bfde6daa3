/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/warp_fsm.h: the warp state machine of fsm/warp.def: enum, names, checked transitions, edge
 * counts. */
#ifndef HEDDLE_TB_SM_WARP_FSM_H
#define HEDDLE_TB_SM_WARP_FSM_H

#include <stdint.h>

enum warp_state {
#define STATE(name, meaning) WARP_##name,
#define EDGE(from, to, meaning)
#include "fsm/warp.def"
#undef STATE
#undef EDGE
    NUM_WARP_STATES
};

enum warp_edge {
#define STATE(name, meaning)
#define EDGE(from, to, meaning) WARP_##from##_##to,
#include "fsm/warp.def"
#undef STATE
#undef EDGE
    NUM_WARP_EDGES
};

/* How often each edge was taken. */
struct warp_fsm {
    uint64_t taken[NUM_WARP_EDGES];
};

const char *warp_state_name(enum warp_state);    /* "BARRIER" */
const char *warp_state_meaning(enum warp_state); /* the text of fsm/warp.def */
const char *warp_edge_name(enum warp_edge);      /* "RUN->BARRIER" */

/* The edge between two states, or NUM_WARP_EDGES: there is none. */
enum warp_edge warp_fsm_edge(enum warp_state from, enum warp_state to);

/* Moves *state to `to` and counts the edge. A transition that fsm/warp.def does not list is a
 * defect of the machine: it is named on stderr and the program aborts, in every build. */
void warp_fsm_move(struct warp_fsm *, uint8_t *state, enum warp_state to);

#endif
