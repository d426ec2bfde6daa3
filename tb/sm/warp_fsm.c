/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/warp_fsm.c: see warp_fsm.h. */
#include "tb/sm/warp_fsm.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name, *meaning;
} states[NUM_WARP_STATES] = {
#define STATE(name, meaning) [WARP_##name] = {#name, meaning},
#define EDGE(from, to, meaning)
#include "fsm/warp.def"
#undef STATE
#undef EDGE
};

static const char *const edges[NUM_WARP_EDGES] = {
#define STATE(name, meaning)
#define EDGE(from, to, meaning) [WARP_##from##_##to] = #from "->" #to,
#include "fsm/warp.def"
#undef STATE
#undef EDGE
};

const char *warp_state_name(enum warp_state state)
{
    return states[state].name;
}

const char *warp_state_meaning(enum warp_state state)
{
    return states[state].meaning;
}

const char *warp_edge_name(enum warp_edge edge)
{
    return edges[edge];
}

enum warp_edge warp_fsm_edge(enum warp_state from, enum warp_state to)
{
    switch (from * NUM_WARP_STATES + to) {
#define STATE(name, meaning)
#define EDGE(from, to, meaning)                                                                    \
    case WARP_##from *NUM_WARP_STATES + WARP_##to:                                                 \
        return WARP_##from##_##to;
#include "fsm/warp.def"
#undef STATE
#undef EDGE
    default: return NUM_WARP_EDGES;
    }
}

void warp_fsm_move(struct warp_fsm *fsm, uint8_t *state, enum warp_state to)
{
    enum warp_edge edge = warp_fsm_edge((enum warp_state) * state, to);
    if (edge == NUM_WARP_EDGES) {
        fprintf(stderr, "heddle: a warp moves from %s to %s; fsm/warp.def has no such edge\n",
                *state < NUM_WARP_STATES ? states[*state].name : "?", states[to].name);
        abort();
    }
    fsm->taken[edge]++;
    *state = (uint8_t)to;
}
