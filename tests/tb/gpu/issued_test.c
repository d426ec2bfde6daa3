/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/issued_test.c: the set of issued blocks against an array of flags: in order, in
 * pairs, in any order, again, beyond the grid, and far ahead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cosim/stimulus.h"
#include "tb/gpu/issued.h"

#define MOST 5000

/* Blocks in a random order that goes at most `reach` ahead; each also a second time, now or then.
 */
static void random_orders(void **unused)
{
    (void)unused;
    struct stimulus s = {.random = 4711};
    struct issued issued = {0};
    for (unsigned round = 0; round < 60; round++) {
        const uint64_t blocks = 1 + stimulus_below(&s, MOST),
                       reach = 1 + stimulus_below(&s, round % 2 ? MOST : 100);
        uint8_t flags[MOST + 1] = {0};
        uint64_t missing = 0;
        issued_start(&issued, blocks);
        while (missing < blocks) {
            const uint64_t ahead = stimulus_once_in(&s, 2) ? 0 : stimulus_below(&s, reach);
            const uint64_t block = missing + ahead;
            const enum issued_status expected = block >= blocks ? ISSUED_NO_BLOCK
                                                : flags[block]  ? ISSUED_AGAIN
                                                                : ISSUED_FIRST;
            assert_int_equal(issued_note(&issued, block), expected);
            flags[block < blocks ? block : MOST] = 1;
            while (missing < blocks && flags[missing])
                missing++;
            assert_int_equal(issued_missing(&issued), missing);
            if (missing)
                assert_int_equal(issued_note(&issued, stimulus_below(&s, missing)), ISSUED_AGAIN);
        }
    }
    issued_free(&issued);
}

/* A grid of 2^63 blocks costs no memory while it is issued in order; what is out of reach is said.
 */
static void giant_grids(void **unused)
{
    (void)unused;
    struct issued issued = {0};
    issued_start(&issued, UINT64_C(1) << 63);
    assert_int_equal(issued_missing(&issued), 0);
    for (uint64_t block = 0; block < 100000; block++)
        assert_int_equal(issued_note(&issued, block), ISSUED_FIRST);
    assert_int_equal(issued.places, 16);
    assert_int_equal(issued_note(&issued, UINT64_C(1) << 62), ISSUED_NO_MEMORY);
    assert_int_equal(issued_note(&issued, UINT64_C(1) << 63), ISSUED_NO_BLOCK);
    assert_int_equal(issued_note(&issued, UINT64_MAX), ISSUED_NO_BLOCK);
    assert_int_equal(issued_missing(&issued), 100000);
    issued_start(&issued, 1);
    assert_int_equal(issued_note(&issued, 0), ISSUED_FIRST);
    assert_int_equal(issued_missing(&issued), 1);
    issued_free(&issued);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_orders),
        cmocka_unit_test(giant_grids),
    };
    return cmocka_run_group_tests_name("tb/gpu/issued", tests, NULL, NULL);
}
