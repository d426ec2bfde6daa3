/* SPDX-License-Identifier: Apache-2.0 */
/* fsm/fsm.c: see fsm.h. */
#include "fsm/fsm.h"

#include <stdlib.h>
#include <string.h>

#define FSM(name) extern const struct fsm name##_fsm;
#include "fsms.def"
#undef FSM

const struct fsm *const fsms[] = {
#define FSM(name) &name##_fsm,
#include "fsms.def"
#undef FSM
};
const unsigned num_fsms = sizeof fsms / sizeof fsms[0];

const struct fsm *fsm_find(const char *name)
{
    for (unsigned i = 0; i < num_fsms; i++)
        if (!strcmp(fsms[i]->name, name))
            return fsms[i];
    return NULL;
}

const char *fsm_state_name(const struct fsm *m, uint64_t state)
{
    return state < m->num_states ? m->states[state].name : "?";
}

unsigned fsm_edge(const struct fsm *m, uint64_t from, uint64_t to)
{
    unsigned edge = 0;
    while (edge < m->num_edges && (m->edges[edge].from != from || m->edges[edge].to != to))
        edge++;
    return edge;
}

void fsm_move(const struct fsm *m, uint64_t *taken, uint8_t *state, unsigned to, const char *what)
{
    const unsigned edge = fsm_edge(m, *state, to);
    if (edge == m->num_edges) {
        fprintf(stderr, "heddle: %s moves from %s to %s; fsm/%s.def has no such edge\n", what,
                fsm_state_name(m, *state), fsm_state_name(m, to), m->name);
        abort();
    }
    taken[edge]++;
    *state = (uint8_t)to;
}

#define CLEAR "   "

/* A meaning in lines of some 24 characters, so that boxes and arrows stay narrow; `end` stands between two. */
static void draw_text(const char *text, const char *end, FILE *to)
{
    size_t column = 0;
    for (const char *c = text; *c; c++, column++)
        if (*c == ' ' && column + strcspn(c + 1, " ") > 24) {
            fputs(end, to);
            column = 0;
        } else {
            if (*c == '"' || *c == '\\')
                fputc('\\', to);
            fputc(*c, to);
        }
}

void fsm_draw(const struct fsm *m, FILE *to)
{
    fprintf(to,
            "digraph %s {\n  label=\"%s\"; labelloc=t; fontname=\"sans\";\n"
            "  node [shape=box, style=rounded, fontname=\"sans\", fontsize=11];\n"
            "  edge [fontname=\"sans\", fontsize=10];\n"
            "  reset [shape=point]; reset -> %s;\n",
            m->name, m->name, m->states[0].name);
    for (unsigned i = 0; i < m->num_states; i++) {
        fprintf(to, "  %s [label=\"%s (%u)\\n", m->states[i].name, m->states[i].name, i);
        draw_text(m->states[i].meaning, "\\n", to);
        fputs("\"];\n", to);
    }
    for (unsigned i = 0; i < m->num_edges; i++) {
        fprintf(to, "  %s -> %s [label=\"" CLEAR, m->states[m->edges[i].from].name,
                m->states[m->edges[i].to].name);
        draw_text(m->edges[i].meaning, CLEAR "\\l" CLEAR, to); /* clear of arrows on both sides */
        fputs(CLEAR "\\l\"];\n", to);
    }
    fputs("}\n", to);
}
