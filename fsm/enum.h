/* SPDX-License-Identifier: Apache-2.0 */
/* fsm/enum.h: the numbers of one state machine. Includer says FSM_DEF ("fsm/warp.def") and
 * FSM_PREFIX (WARP), and gets WARP_FREE and so on, NUM_WARP_STATES and NUM_WARP_EDGES. Both words
 * are undefined again. */
#define FSM_PASTE2(a, b, c) a##b##c
#define FSM_PASTE(a, b, c)  FSM_PASTE2(a, b, c)

enum {
#define STATE(name, meaning) FSM_PASTE(FSM_PREFIX, _, name),
#define EDGE(from, to, meaning)
#include FSM_DEF
#undef STATE
#undef EDGE
    FSM_PASTE(NUM_, FSM_PREFIX, _STATES)
};

enum {
#define STATE(name, meaning)
#define EDGE(from, to, meaning) +1
    FSM_PASTE(NUM_, FSM_PREFIX, _EDGES) = 0
#include FSM_DEF
#undef STATE
#undef EDGE
};

#undef FSM_PASTE
#undef FSM_PASTE2
#undef FSM_PREFIX
#undef FSM_DEF
