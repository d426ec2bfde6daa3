/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/paver_steal.c: what PAVER's task stealer is to be shown (rtl/paver_steal/README.md). */
#include "cmodel/paver_steal/paver_steal.h"

#include <string.h>

#include "cmodel/paver_sm/paver_sm.h"
#include "tb/observe/observer.h"

static void expect(const struct config *c, const struct gpu_seen *seen, void *input)
{
    const struct paver_sm_out *queues = gpu_seen_out(seen, "paver_sm");
    struct paver_steal_in *in = input;
    memset(in, 0, sizeof *in);
    in->steal = c->paver_steal_steal != 0;
    memcpy(in->recipients, queues->recipients, sizeof in->recipients);
    in->busy = queues->busy;
    in->waiting = queues->waiting;
}

const struct observer paver_steal_observer = {.stem = "paver_steal", .expect_gpu = expect};
