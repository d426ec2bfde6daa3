/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/cd3.c: what the unit that measures distances of dependent instructions is to be shown (rtl/cd3/README.md). */
#include "cmodel/cd3/cd3.h"

#include <string.h>

#include "tb/observe/observer.h"

struct memory {
    unsigned warp; /* the one that is watched, from 1; 0: none */
};

/* The number of a declared register in the table, or -1: it is special. */
static int entry_of(unsigned reg)
{
    return reg < NUM_SPECIALS ? -1 : (int)((reg - NUM_SPECIALS) & (CD3_REGISTERS - 1));
}

/* One more register that is needed, if there is a port for it. */
static unsigned need(struct cd3_in *in, unsigned port, unsigned reg)
{
    if (port == CD3_READS || entry_of(reg) < 0)
        return port;
    in->reads[port] = (uint64_t)entry_of(reg);
    in->reading += UINT64_C(1) << port;
    return port + 1;
}

static void expect_operands(const struct uop *u, struct cd3_in *in)
{
    unsigned port = 0;
    for (unsigned i = 0; i < u->num_reads; i++)
        port = need(in, port, u->reads[i]);
    for (unsigned i = 0; i < u->num_writes; i++) {
        if (entry_of(u->writes[i]) >= 0 && !in->writing) {
            in->writing = 1;
            in->write = (uint64_t)entry_of(u->writes[i]);
        } else
            port = need(in, port, u->writes[i]);
    }
}

static void expect(const struct config *c, const struct sm_seen *seen, void *input)
{
    struct memory *m = seen->memory;
    struct cd3_in *in = input;
    unsigned next = 0;
    (void)c;
    memset(in, 0, sizeof *in);
    in->start = seen->starts != 0;
    if (seen->starts)
        m->warp = 0;
    for (const struct event *e = seen->events; e != seen->events + seen->num_events; e++) {
        if (e->kind == EVENT_issue && m->warp && e->of.issue.warp + 1 == m->warp) {
            const struct uop *u = &seen->sm->kernels[0].launch->kernel->uops[e->of.issue.pc];
            in->issue = 1;
            in->pipe = u->klass == CLASS_GMEM     ? 2
                       : u->klass == CLASS_STCMEM ? 3
                                                  : u->klass == CLASS_SFU;
            expect_operands(u, in);
        }
        if (e->kind == EVENT_warp_end && m->warp && e->of.warp_end.warp + 1 == m->warp)
            in->fresh = 1;
        if (e->kind == EVENT_warp_start && (!next || e->of.warp_start.warp + 1 < next))
            next = (unsigned)e->of.warp_start.warp + 1;
    }
    if (!m->warp || in->fresh)
        m->warp = next;
}

const struct observer cd3_observer = {
    .stem = "cd3", .memory = sizeof(struct memory), .expect_sm = expect};
