/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/common/zipf_test.c: how often ranks are drawn, against Zipf's law itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tb/workloads/common/zipf.h"

/* Rank r of n must come up in draws / (r + 1) / H of all draws, H the sum of 1 / (r + 1). Within
 * five standard deviations, which are below the square root of the expectation. */
static void ranks_follow_the_law(void **state)
{
    enum { COUNT = 60, DRAWS = 400000 };
    struct zipf zipf = zipf_make(COUNT);
    struct random random = {11};
    unsigned seen[COUNT] = {0};
    double harmonic = 0;
    (void)state;
    for (unsigned i = 0; i < DRAWS; i++) {
        uint32_t rank = zipf_rank(&zipf, &random);
        assert_in_range(rank, 0, COUNT - 1);
        seen[rank]++;
    }
    for (unsigned i = 1; i <= COUNT; i++)
        harmonic += 1.0 / i;
    for (unsigned i = 0; i < COUNT; i++) {
        double expected = DRAWS / (i + 1.0) / harmonic, off = seen[i] - expected;
        assert_true(off * off < 25 * expected);
    }
    zipf_free(&zipf);
    assert_null(zipf.sum);
}

static void one_rank_is_always_drawn(void **state)
{
    struct zipf zipf = zipf_make(1);
    struct random random = {1};
    (void)state;
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(zipf_rank(&zipf, &random), 0);
    zipf_free(&zipf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_follow_the_law),
        cmocka_unit_test(one_rank_is_always_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
