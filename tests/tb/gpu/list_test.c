/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/list_test.c: what memory holds of groups of blocks: replies in the cycle that latency says, for the SM that asked, as often
 * as it asked; requests for what is not there, and a second one of an SM, are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cosim/stimulus.h"
#include "tb/gpu/list.h"

static const uint32_t blocks[] = {4, 2, 0, 5, 1, 3}, first[] = {0, 1, 4, 6};
static const struct block_groups groups = {blocks, first, 3};

static void groups_and_blocks(void **unused)
{
    (void)unused;
    struct list l = {.latency = 7};
    list_start(&l, &groups);
    assert_int_equal(list_due(&l), UINT64_MAX);
    assert_int_equal(list_ask(&l, 1, 1, 1, 10), LIST_ASKED);
    assert_int_equal(list_ask(&l, 0, 0, 3, 12), LIST_ASKED);
    assert_int_equal(list_due(&l), 17);
    assert_int_equal(list_reply(&l, 16).valid, 0);
    const struct list_reply group = list_reply(&l, 17);
    assert_int_equal(group.valid, 1);
    assert_int_equal(group.sm, 1);
    assert_int_equal(group.next, 1);
    assert_int_equal(group.tail, 3);
    assert_int_equal(list_reply(&l, 18).valid, 0);
    assert_int_equal(list_due(&l), 19);
    const struct list_reply block = list_reply(&l, 19);
    assert_int_equal(block.valid, 1);
    assert_int_equal(block.sm, 0);
    assert_int_equal(block.block, 5);
    assert_int_equal(list_due(&l), UINT64_MAX);
}

static void what_is_not_there(void **unused)
{
    (void)unused;
    struct list l = {.latency = 1};
    list_start(&l, NULL);
    assert_int_equal(list_ask(&l, 0, 1, 0, 0), LIST_NOTHING);
    list_start(&l, &groups);
    assert_int_equal(list_ask(&l, NUM_SMS, 1, 0, 0), LIST_NOTHING);
    assert_int_equal(list_ask(&l, 0, 1, 3, 0), LIST_NOTHING);
    assert_int_equal(list_ask(&l, 0, 0, 6, 0), LIST_NOTHING);
    assert_int_equal(list_ask(&l, 0, 0, 5, 0), LIST_ASKED);
    assert_int_equal(list_ask(&l, 0, 1, 0, 0), LIST_TWICE);
    assert_int_equal(list_ask(&l, 1, 1, 0, 0), LIST_ASKED);
    list_start(&l, &groups); /* forgets both */
    assert_int_equal(list_due(&l), UINT64_MAX);
    assert_int_equal(list_ask(&l, 0, 1, 0, 0), LIST_ASKED);
}

/* Many, in any order, as many at a time as there are SMs. */
static void all_at_a_time(void **unused)
{
    (void)unused;
    struct stimulus s = {.random = 4711};
    struct list l = {.latency = 5};
    uint64_t due[NUM_SMS] = {0}, at[NUM_SMS] = {0}, replies = 0;
    list_start(&l, &groups);
    for (uint64_t cycle = 1; cycle < 5000; cycle++) {
        const struct list_reply r = list_reply(&l, cycle);
        for (unsigned i = 0; i < NUM_SMS; i++)
            if (due[i] == cycle) {
                assert_int_equal(r.valid, 1);
                assert_int_equal(r.sm, i);
                assert_int_equal(r.block, blocks[at[i]]);
                due[i] = 0;
                replies++;
            }
        const unsigned sm = (unsigned)stimulus_below(&s, NUM_SMS);
        const uint64_t position = stimulus_below(&s, 6);
        assert_int_equal(list_ask(&l, sm, 0, position, cycle), due[sm] ? LIST_TWICE : LIST_ASKED);
        if (!due[sm]) {
            due[sm] = cycle + 5;
            at[sm] = position;
        }
    }
    assert_true(replies > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_and_blocks),
        cmocka_unit_test(what_is_not_there),
        cmocka_unit_test(all_at_a_time),
    };
    return cmocka_run_group_tests_name("tb/gpu/list", tests, NULL, NULL);
}
