/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/kmu/alone_test.c: "the GPU allocates the CTAs to each core, just as in the
 * single-kernel case" (thesis 8.3.1): with one kernel alone the kernel management unit is `dispatch`
 * under lrr, in every cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/dispatch/dispatch.h"
#include "cmodel/kmu/kmu.h"
#include "cosim/stimulus.h"

void dispatch_stimulus(struct stimulus *, void *);

/* With kernel 1 idle for ever it is dispatch under lrr. There the limit says how many blocks fit an SM; here
 * the machine does: room. */
static void one_kernel_is_dispatch(void **unused)
{
    (void)unused;
    long placed = 0, over = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct kmu_state s;
        struct dispatch_state ds;
        struct stimulus stimulus = {.random = seed * 99991, .state = &ds};
        kmu_reset(&s);
        dispatch_reset(&ds);
        for (stimulus.cycle = 0; stimulus.cycle < 10000; stimulus.cycle++) {
            struct dispatch_in din;
            struct dispatch_out dout;
            struct kmu_in in = {0};
            struct kmu_out out;
            memset(&din, 0, sizeof din);
            dispatch_stimulus(&stimulus, &din);
            din.policy = dispatch_policy_lrr;
            if (din.limit > SM_BLOCKS)
                din.limit = SM_BLOCKS; /* an SM has no more contexts */
            in.start = din.start;
            in.stop = din.stop;
            in.first[0] = din.first;
            in.blocks[0] = din.blocks;
            in.quota[0] = din.limit;
            for (unsigned sm = 0; sm < NUM_SMS; sm++) {
                const int ended = bit_get(din.ended, sm);
                const long stay = (long)ds.resident[sm] - (ds.resident[sm] && ended);
                bit_set(in.may_use, sm, bit_get(din.allow, sm));
                bit_set(in.ended, sm, ended);
                bit_set(in.room, sm, stay < (long)din.limit);
            }
            dispatch_comb(&ds, &din, &dout);
            kmu_comb(&s, &in, &out);
            assert_int_equal(out.place_valid, dout.place_valid);
            assert_int_equal(out.place_kernel, 0);
            assert_int_equal(out.place_sm, dout.place_sm);
            assert_int_equal(out.place_block, dout.place_block);
            assert_int_equal(out.done, dout.done);
            placed += (long)out.place_valid;
            over += (long)out.done;
            dispatch_tick(&ds, &din, &dout);
            kmu_tick(&s, &in, &out);
        }
    }
    assert_true(placed > 10000 && over > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_kernel_is_dispatch),
    };
    return cmocka_run_group_tests_name("cmodel/kmu alone", tests, NULL, NULL);
}
