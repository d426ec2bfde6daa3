/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/kmu.c: what the kernel management unit is to be shown (rtl/kmu/README.md) where one kernel runs: it is number 0, may use
 * every SM, and its quota is what fits. (Machines that are observed run one kernel at a time.) */
#include "cmodel/kmu/kmu.h"

#include <string.h>

#include "tb/observe/observer.h"

static void expect(const struct config *c, const struct gpu_seen *seen, void *input)
{
    struct kmu_in *in = input;
    (void)c;
    memset(in, 0, sizeof *in);
    in->start = (uint64_t)seen->starts;
    in->blocks[0] = seen->blocks;
    in->quota[0] = seen->room;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        bit_set(in->may_use, i, 1);
        bit_set(in->may_use, NUM_SMS + i, 1);
        bit_set(in->room, i, seen->held[i] < seen->room);
        if (seen->untold[i]) {
            seen->untold[i]--;
            bit_set(in->ended, i, 1);
        }
    }
}

static void steer(const struct gpu_seen *seen, const void *output, struct gpu_controls *c)
{
    const struct kmu_out *out = output;
    (void)seen;
    if (!out->place_valid)
        return;
    c->place_kernel = 0;
    c->place_sm = out->place_sm;
    c->place_block = out->place_block;
}

const struct observer kmu_observer = {.stem = "kmu", .expect_gpu = expect, .steer_gpu = steer};
