/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/clocks_test.c: the two clocks of tb/clocks.h against an accumulator that is stepped through every cycle of the fixed one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/clocks.h"

#define FIXED 4000 /* cycles of the fixed clock */
#define FIRST 1000 /* and the first of both that is looked at */

/* When each cycle of the SMs begins, as hardware has it: each fixed cycle adds to an accumulator, and where that has six, an SM begins a
 * cycle. The first one begins at once. Returns how many there are. */
static unsigned stepped(unsigned sixths, uint64_t begins[FIXED])
{
    unsigned accumulator = CLOCK_SIXTHS, cycles = 0;
    for (uint64_t now = 0; now < FIXED; now++, accumulator += sixths)
        if (accumulator >= CLOCK_SIXTHS) {
            accumulator -= CLOCK_SIXTHS;
            begins[cycles++] = now;
        }
    return cycles;
}

static void cycles_begin_where_an_accumulator_overflows(void **state)
{
    (void)state;
    static uint64_t begins[FIXED];
    for (unsigned sixths = 1; sixths <= CLOCK_SIXTHS; sixths++) {
        const struct clocks k = {sixths, FIRST, 7 * FIRST};
        const unsigned cycles = stepped(sixths, begins);
        assert_in_range(cycles, FIXED * sixths / CLOCK_SIXTHS, FIXED * sixths / CLOCK_SIXTHS + 1);
        for (unsigned i = 0; i < cycles; i++)
            assert_int_equal(clocks_fixed(&k, FIRST + i), 7 * FIRST + begins[i]);
        for (uint64_t now = 0, by = 0; by + 1 < cycles; now++) {
            while (by + 1 < cycles && begins[by + 1] <= now)
                by++;
            const uint64_t from = begins[by] == now ? by : by + 1;
            assert_int_equal(clocks_by(&k, 7 * FIRST + now), FIRST + by);
            assert_int_equal(clocks_from(&k, 7 * FIRST + now), FIRST + from);
        }
    }
}

/* What lay before a change of the clock is no longer known, and what never comes does so in neither. */
static void ends_of_what_is_known(void **state)
{
    (void)state;
    for (unsigned sixths = 3; sixths <= CLOCK_SIXTHS; sixths++) {
        const struct clocks k = {sixths, 500, 900};
        assert_int_equal(clocks_fixed(&k, 500), 900);
        assert_int_equal(clocks_fixed(&k, 3), 900);
        assert_int_equal(clocks_from(&k, 900), 500);
        assert_int_equal(clocks_from(&k, 0), 500);
        assert_int_equal(clocks_by(&k, 899), 500);
        assert_true(clocks_from(&k, UINT64_MAX) == UINT64_MAX);
        assert_true(clocks_by(&k, UINT64_MAX) == UINT64_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_begin_where_an_accumulator_overflows),
        cmocka_unit_test(ends_of_what_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
