/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/vta.c: what the victim tags are to be shown (rtl/vta/README.md). */
#include "cmodel/vta/vta.h"

#include <string.h>

#include "tb/mem/tags.h"
#include "tb/observe/observer.h"

static uint64_t number(const struct config *c, uint64_t address)
{
    return address / (uint64_t)c->l1d_line % (UINT64_C(1) << LINE_BITS);
}

static void expect(const struct config *c, const struct sm_seen *seen, void *input)
{
    struct vta_in *in = input;
    memset(in, 0, sizeof *in);
    in->start = (uint64_t)seen->starts;
    for (unsigned i = 0; i < seen->num_events; i++) {
        const struct event *e = &seen->events[i];
        if (e->kind == EVENT_warp_start)
            bit_set(in->fresh, (unsigned)e->of.warp_start.warp, 1);
        if (e->kind == EVENT_l1d_miss) {
            in->miss = e->of.l1d_miss.merged == 0;
            in->miss_line = number(c, e->of.l1d_miss.line);
            in->miss_warp = e->of.l1d_miss.warp;
        }
        if (e->kind == EVENT_l1d_evict) {
            in->evict = e->of.l1d_evict.owner != NOBODY;
            in->evict_line = number(c, e->of.l1d_evict.line);
            in->owner = in->evict ? e->of.l1d_evict.owner : 0;
        }
    }
}

const struct observer vta_observer = {.stem = "vta", .expect_sm = expect};
