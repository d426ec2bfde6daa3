/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/profile/activity_test.c: how many lanes are active. Every instruction is kept, and counted again for each count by what its
 * name says. Warps are of two kernels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tb/profile/activity.h"
#include "tests/tb/mem/random.h"

#define INSTRUCTIONS 20000

static uint64_t actives[INSTRUCTIONS];
static unsigned kernel_of[INSTRUCTIONS];

static const char *const names[] = {
#define COUNTER(name, meaning) #name,
#include "tb/profile/activity.def"
};

static int lanes_of(uint64_t active)
{
    int lanes = 0;
    for (int lane = 0; lane < 64; lane++)
        lanes += active >> lane & 1;
    return lanes;
}

/* Instructions of a kernel with no more lanes than the name says, and with more than the name before it. */
static uint64_t plain(unsigned kernel, int count)
{
    const int most = atoi(names[count] + 3), least = count ? atoi(names[count - 1] + 3) + 1 : 0;
    uint64_t instructions = 0;
    for (int i = 0; i < INSTRUCTIONS; i++)
        instructions +=
            kernel_of[i] == kernel && lanes_of(actives[i]) >= least && lanes_of(actives[i]) <= most;
    return instructions;
}

/* A random number of lanes: any as often. */
static uint64_t some_lanes(uint64_t number)
{
    uint64_t active = 0;
    for (uint64_t left = number % 33; left > 0;) {
        const uint64_t lane = UINT64_C(1) << below(32);
        left -= !(active & lane);
        active |= lane;
    }
    return active;
}

static void as_restated(void **unused)
{
    (void)unused;
    struct activity a;
    unsigned slots[NUM_SLOTS] = {0};
    activity_open(&a);
    assert_true(a.listener.hears == (HEARS(warp_start) | HEARS(issue)));
    for (uint64_t i = 0; i < INSTRUCTIONS; i++) {
        const unsigned warp = below(NUM_SLOTS), other = below(NUM_SLOTS);
        slots[other] = below(NUM_KERNELS);
        const struct event start = {.kind = EVENT_warp_start,
                                    .of.warp_start = {.warp = other, .kernel = slots[other]}};
        a.listener.hear(a.listener.context, &start);
        actives[i] = some_lanes(i);
        kernel_of[i] = slots[warp];
        const struct event e = {.kind = EVENT_issue,
                                .of.issue = {.warp = warp, .active = actives[i]}};
        a.listener.hear(a.listener.context, &e);
    }
    for (unsigned k = 0; k < NUM_KERNELS; k++) {
        struct activity_counts sums = {0}, again = {0};
        activity_take(&a, k, &sums);
        activity_take(&a, k, &again);
        for (int i = 0; i < NUM_ACTIVITY_COUNTS; i++) {
            assert_int_equal(sums.instructions[i], plain(k, i));
            assert_true(sums.instructions[i] > 800);
            assert_int_equal(again.instructions[i], 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_restated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
