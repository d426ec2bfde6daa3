/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/cd3.c: distances of dependent instructions (thesis 9.4.1). It watches a warp until that one ends, then the next one that
 * begins; of several that begin in the same cycle the first by number. It steers nothing. What it has counted stands in its log. */
#include "cmodel/cd3/cd3.h"

#include "tb/units/cd3_log.h"
#include "tb/units/socket.h"

#define NOBODY UINT64_MAX

struct memory {
    uint64_t watched, begins; /* a warp, or NOBODY */
    uint64_t pc;              /* of what the one that is watched issues in this cycle */
    struct cd3_in heard;      /* in this cycle */
};

static int used(const struct config *c)
{
    return c->cd3_count != 0;
}

static void open(struct plug *p, const struct config *c)
{
    struct memory *m = p->memory;
    (void)c;
    m->watched = m->begins = NOBODY;
}

static void hear(struct plug *p, const struct event *e)
{
    struct memory *m = p->memory;
    switch (e->kind) {
    case EVENT_kernel_start:
        m->heard.start = 1;
        m->watched = m->begins = NOBODY;
        break;
    case EVENT_warp_start:
        if (e->of.warp_start.warp < m->begins)
            m->begins = e->of.warp_start.warp;
        break;
    case EVENT_warp_end: m->heard.fresh |= e->of.warp_end.warp == m->watched; break;
    default:
        if (e->of.issue.warp != m->watched)
            break;
        m->heard.issue = 1;
        m->heard.pipe = e->of.issue.issue_class;
        m->pc = e->of.issue.pc;
    }
}

/* The registers, as far as there are ports. The unit knows one that is written: of more the first. The others are shown as ones that the
 * instruction needs, so that nobody waits for what they were before. */
static void show_operands(const struct operand_view *o, struct cd3_in *in)
{
    const unsigned num = o->num_reads + (o->num_writes ? o->num_writes - 1u : 0);
    for (unsigned i = 0; i < num && i < CD3_READS; i++) {
        const uint64_t reg = i < o->num_reads ? o->reads[i] : o->writes[i - o->num_reads + 1];
        in->reads[i] = reg % CD3_REGISTERS;
        in->reading |= UINT64_C(1) << i;
    }
    in->writing = o->num_writes > 0;
    in->write = in->writing ? o->writes[0] % CD3_REGISTERS : 0;
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    struct cd3_in *in = input;
    (void)controls;
    *in = m->heard;
    m->heard = (struct cd3_in){0};
    if (in->issue)
        show_operands(&view->sm->operands[m->pc], in);
    if (in->fresh)
        m->watched = NOBODY;
    if (m->watched == NOBODY)
        m->watched = m->begins;
    m->begins = NOBODY;
    return in->start || in->fresh || in->issue;
}

_Static_assert((int)ISSUE_SP == (int)cd3_pipe_sp && (int)ISSUE_SFU == (int)cd3_pipe_sfu &&
                   (int)ISSUE_GMEM == (int)cd3_pipe_gmem &&
                   (int)ISSUE_STCMEM == (int)cd3_pipe_stcmem,
               "the unit numbers pipelines as the machine does");

const struct socket cd3_socket = {.stem = "cd3",
                                  .scope = SCOPE_SM,
                                  .hears = HEARS(kernel_start) | HEARS(warp_start) |
                                           HEARS(warp_end) | HEARS(issue),
                                  .memory = sizeof(struct memory),
                                  .operands = 1,
                                  .used = used,
                                  .open = open,
                                  .hear = hear,
                                  .gather = gather,
                                  .log = &cd3_log};
