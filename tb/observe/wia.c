/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/wia.c: what the arbiter is to be shown (rtl/wia/README.md). */
#include "cmodel/wia/wia.h"

#include <string.h>

#include "tb/observe/observer.h"

/* run.sched in the numbers of the arbiter's input. */
static uint64_t number_of(const char *sched)
{
    static const struct {
        const char *sched;
        uint64_t number;
    } policies[] = {{"lrr", 0},       {"gto", 1},    {"oldest", 2},   {"youngest", 3},
                    {"tl", 4},        {"gtls", 5},   {"gto-taws", 1}, {"gtls-taws", 5},
                    {"tl-active", 0}, {"swl", 1},    {"poise", 1},    {"random-restart", 1},
                    {"pcal", 1},      {"ccws", 1},   {"daws", 1},     {"daws-profiled", 1},
                    {"rlws", 1},      {"rlws-ms", 1}};
    for (unsigned i = 0; i < sizeof policies / sizeof policies[0]; i++)
        if (!strcmp(policies[i].sched, sched))
            return policies[i].number;
    return UINT64_MAX;
}

static void expect(const struct config *c, const struct registers *r, const struct controls *so_far,
                   void *input)
{
    struct wia_in *in = input;
    memset(in, 0, sizeof *in);
    in->policy = so_far->policy == NO_CHOICE ? number_of(c->run_sched) : so_far->policy;
    in->ready_sp = r->ready[0];
    in->ready_sfu = r->ready[1];
    in->ready_gmem = r->ready[2];
    in->ready_stcmem = r->ready[3];
    in->load = r->load;
    in->allow_class = so_far->allow_class & 15;
    for (unsigned w = 0; w < NUM_WARPS; w++) {
        const uint64_t bit = UINT64_C(1) << w;
        in->allow |= so_far->allow & bit;
        in->allow_load |= so_far->allow_load & bit;
        if (!(r->running & bit) || (r->blocked_by_load & bit) || !(so_far->allow & bit))
            in->long_wait |= bit;
    }
    if (r->begins < NUM_WARPS) {
        in->alloc = 1;
        in->alloc_warp = r->begins;
    }
}

static void steer(const void *output, const void *state, struct controls *c)
{
    const struct wia_out *out = output;
    (void)state;
    if (out->grant_valid)
        c->grant = UINT64_C(1) << out->grant;
}

const struct observer wia_observer = {.stem = "wia", .expect = expect, .steer = steer};
