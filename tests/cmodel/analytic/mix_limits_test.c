/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/mix_limits_test.c: what mix.h refuses, and why; and what of 9.7 and 9.8 can be held against itself. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/analytic/mix.h"
#include "tests/cmodel/analytic/numbers.h"

static const struct mix_options chosen = {0};

static enum mix_error tried(const struct mix_profile *p)
{
    struct mix_solution s;
    const struct mix_profile *const both[2] = {p, p};
    const enum mix_error error = mix_alone(p, 8, &chosen, &s);
    assert_int_equal(mix_pair(both, (const double[]){8, 8}, &chosen, &s), error);
    assert_true(strlen(mix_reason(error)) > 5);
    return error;
}

static void bad_input(void **unused)
{
    (void)unused;
    struct mix_profile good = {.warps_per_block = 1}, p;
    struct mix_solution s;
    good.pipe[0] = (struct mix_pipe_profile){.share = 1, .interval = 1, .latency = 9};
    good.pipe[0].hist[1] = 1;
    assert_int_equal(tried(&good), MIX_OK);
#define TRY(member, value, error)                                                                  \
    p = good;                                                                                      \
    p.member = value;                                                                              \
    assert_int_equal(tried(&p), error)
    TRY(pipe[0].share, NAN, MIX_NOT_FINITE);
    TRY(pipe[0].share, .9, MIX_BAD_SHARES);
    TRY(pipe[1].share, -.1, MIX_BAD_SHARES);
    TRY(pipe[0].interval, 0, MIX_BAD_PIPE);
    TRY(pipe[0].interval, -1, MIX_BAD_PIPE);
    TRY(pipe[0].interval, 2e6, MIX_BAD_PIPE);
    TRY(pipe[0].interval, HUGE_VAL, MIX_NOT_FINITE);
    TRY(pipe[0].latency, NAN, MIX_NOT_FINITE);
    TRY(pipe[0].latency, 0, MIX_BAD_PIPE);
    TRY(pipe[0].latency, 2e6, MIX_BAD_PIPE);
    TRY(pipe[0].hist[2], NAN, MIX_NOT_FINITE);
    TRY(pipe[0].hist[2], -.1, MIX_BAD_HISTOGRAM);
    TRY(pipe[0].hist[1], .5, MIX_BAD_HISTOGRAM);
    TRY(control, 1, MIX_BAD_CONTROL);
    TRY(control, -.1, MIX_BAD_CONTROL);
    TRY(control, NAN, MIX_NOT_FINITE);
    TRY(warps_per_block, 0, MIX_BAD_WARPS);
    TRY(warps_per_block, NAN, MIX_NOT_FINITE);
    TRY(pipe[1].hist[0], NAN, MIX_OK); /* a pipe that is not used */
    assert_int_equal(mix_alone(&good, 0, &chosen, &s), MIX_BAD_WARPS);
    assert_int_equal(mix_alone(&good, 20000, &chosen, &s), MIX_BAD_WARPS);
    assert_int_equal(mix_alone(&good, NAN, &chosen, &s), MIX_NOT_FINITE);
    assert_int_equal(mix_alone(&good, 4, &(struct mix_options){.dispatch = NAN}, &s),
                     MIX_NOT_FINITE);
    assert_int_equal(mix_alone(&good, 4, &(struct mix_options){.dispatch = -1}, &s),
                     MIX_BAD_DISPATCH);
    const struct mix_profile *const both[2] = {&good, &good};
    const unsigned blocks[1][2] = {{1, 0}};
    struct mix_best best;
    assert_int_equal(mix_best(both, blocks, 1, MIX_UTILISATION, NULL, &chosen, &best),
                     MIX_BAD_WARPS);
    const unsigned third[3][2] = {{1, 1}, {2, 1}, {1, 10001}};
    assert_int_equal(mix_best(both, third, 3, MIX_UTILISATION, NULL, &chosen, &best),
                     MIX_BAD_WARPS);
    assert_int_equal(best.which, 2);
    assert_int_equal(mix_best(both, blocks, 0, MIX_UTILISATION, NULL, &chosen, &best),
                     MIX_NO_PARTITION);
    assert_int_equal(mix_best(both, blocks, 1, MIX_RATIO, NULL, &chosen, &best), MIX_BAD_SOLO);
    assert_int_equal(mix_best(both, blocks, 1, MIX_RATIO, (const double[]){1, 0}, &chosen, &best),
                     MIX_BAD_SOLO);
    assert_string_equal(mix_reason((enum mix_error)99), "no such error");
    for (unsigned i = 0; i < NUM_MIX_ERRORS; i++)
        assert_non_null(mix_reason((enum mix_error)i));
}

/* What the text of 9.7 and 9.8 gives in figures agrees with itself. */
static void figures_of_9_8(void **unused)
{
    (void)unused;
    assert_int_equal(18 * 17 / 2, 153);
    assert_int_equal(153 - 6, 147);
    assert_int_equal(147 - 95 - 21, 31); /* between 5 % and 10 % of the best */
    assert_true(fabs(39.15 / 42.12 - .93) < .001);
    assert_true(fabs((1 + .4615) / (1 + .5099) - .968) <
                .001); /* (2,5) beside (2,4): within 5 % as a ratio, too */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_input),
        cmocka_unit_test(figures_of_9_8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
