/* SPDX-License-Identifier: Apache-2.0 */
/* fsm/machine.c: one list as data. Compiled once for every fsm/<name>.def, with FSM_NAME and
 * FSM_LIST saying which. */
#include "fsm/fsm.h"

#define FSM_DEF    FSM_LIST
#define FSM_PREFIX THIS
#include "fsm/enum.h"

#define STRING2(x)   #x
#define STRING(x)    STRING2(x)
#define PASTE2(a, b) a##b
#define PASTE(a, b)  PASTE2(a, b)

static const struct fsm_state states[] = {
#define STATE(name, meaning) {#name, meaning},
#define EDGE(from, to, meaning)
#include FSM_LIST
#undef STATE
#undef EDGE
};

static const struct fsm_edge edges[] = {
#define STATE(name, meaning)
#define EDGE(from, to, meaning) {THIS_##from, THIS_##to, #from "->" #to, meaning},
#include FSM_LIST
#undef STATE
#undef EDGE
};

_Static_assert(NUM_THIS_EDGES <= FSM_MOST_EDGES, "no more edges than there are counts for");

const struct fsm PASTE(FSM_NAME, _fsm) = {
    .name = STRING(FSM_NAME),
    .states = states,
    .edges = edges,
    .num_states = NUM_THIS_STATES,
    .num_edges = NUM_THIS_EDGES,
};
