/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/edges.c: do the state machines of an instance move only as fsm/<machine>.def says? Each
 * side is watched by itself, so that an error that Verilog and C have in common is seen too. */
#include <inttypes.h>
#include <stdlib.h>

#include "cosim/inst.h"

int inst_watch_open(struct unit_inst *i)
{
    const struct unit *u = i->unit;
    i->watched = calloc(u->num_fsms + 1u, sizeof *i->watched);
    if (!i->watched)
        return -1;
    for (unsigned n = 0; n < u->num_fsms; n++) {
        struct watched *w = &i->watched[n];
        w->fsm = u->fsms[n].fsm;
        w->field = unit_field(u, u->fsms[n].state);
        w->taken = calloc(w->fsm->num_edges, sizeof *w->taken);
        if (!w->taken)
            return -1;
    }
    return 0;
}

void inst_watch_close(struct unit_inst *i)
{
    for (unsigned n = 0; i->watched && n < i->unit->num_fsms; n++)
        free(i->watched[n].taken);
    free(i->watched);
}

void inst_watch_reset(struct unit_inst *i)
{
    for (unsigned n = 0; n < i->unit->num_fsms; n++)
        i->watched[n].now[SIDE_REF] = i->watched[n].now[SIDE_RTL] = 0;
}

int inst_watch(struct unit_inst *i, enum unit_side side, const void *state)
{
    const int counts = side == (i->backend == BACKEND_RTL ? SIDE_RTL : SIDE_REF);
    for (unsigned n = 0; n < i->unit->num_fsms; n++) {
        struct watched *w = &i->watched[n];
        const uint64_t from = w->now[side], to = field_get(w->field, state, 0);
        if (from == to)
            continue;
        const unsigned edge = fsm_edge(w->fsm, from, to);
        if (edge == w->fsm->num_edges) {
            snprintf(i->complaint, sizeof i->complaint,
                     "the %s moves %s from %s (%" PRIu64 ") to %s (%" PRIu64
                     "); fsm/%s.def has no such edge",
                     side == SIDE_RTL ? "RTL" : "reference", w->field->name,
                     fsm_state_name(w->fsm, from), from, fsm_state_name(w->fsm, to), to,
                     w->fsm->name);
            return 1;
        }
        w->now[side] = to;
        w->taken[edge] += (uint64_t)counts;
    }
    return 0;
}

const struct fsm *unit_fsm(const struct unit *u, unsigned index)
{
    return index < u->num_fsms ? u->fsms[index].fsm : NULL;
}

const char *unit_fsm_state(const struct unit *u, unsigned index)
{
    return u->fsms[index].state;
}

const uint64_t *unit_edges(const struct unit_inst *i, unsigned index)
{
    return i->watched[index].taken;
}
