/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/daws_table/daws_table.c: see daws_table.h. The table has no element for loop 0. */
#include "cmodel/daws_table/daws_table.h"

#include <string.h>

#include "cmodel/loop_footprint.h"

_Static_assert(LOOP_BITS >= 2 && LOAD_BITS >= 2, "every table has an index");

void daws_table_reset(struct daws_table_state *s)
{
    memset(s, 0, sizeof *s);
}

static uint64_t lines_of(const struct daws_table_state *s, uint64_t loop, uint64_t active)
{
    return loop ? loop_footprint(active, s->diverged[loop - 1], s->converged[loop - 1]) : 0;
}

void daws_table_comb(const struct daws_table_state *s, const struct daws_table_in *in,
                     struct daws_table_out *out)
{
    for (unsigned n = 0; n < NUM_SCHEDULERS; n++) {
        const uint64_t asked = loop_asked(in->loop_begin[n], in->loop_last[n], in->inner[n]);
        out->footprint[n] = lines_of(s, asked, in->active[n]);
        out->closest[n] = lines_of(s, in->next_loop[n], in->active[n]);
    }
}

void daws_table_tick(struct daws_table_state *s, const struct daws_table_in *in,
                     const struct daws_table_out *out)
{
    (void)out;
    if (in->start) {
        daws_table_reset(s);
    } else if (in->write && in->write_loop) {
        s->diverged[in->write_loop - 1] = in->write_diverged;
        s->converged[in->write_loop - 1] = in->write_converged;
    }
}
