/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/units/poise_start_test.c: the starts of random-restart: all pairs are as likely, each argument counts, and the first ones are
 * what they have been: published results depend on them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tb/units/poise_start.h"

#define MOST 64

/* A pair's place in the order (1, 1), (2, 1), (2, 2), (3, 1). */
static unsigned place(struct told_pair pair)
{
    return (unsigned)(pair.n * (pair.n - 1) / 2 + pair.p - 1);
}

static void pairs_are_equally_likely(void **unused)
{
    (void)unused;
    static unsigned counts[MOST * (MOST + 1) / 2];
    static const unsigned sizes[] = {1, 2, 3, 5, 24, 48, 64};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const unsigned w = sizes[i], pairs = w * (w + 1) / 2, each = 200;
        double chi = 0;
        for (unsigned k = 0; k < pairs; k++)
            counts[k] = 0;
        for (unsigned k = 0; k < pairs * each; k++) {
            const struct told_pair pair =
                poise_start(k % 20, k / 20 % 15, k / 300 % 7, k / 2100, w);
            assert_true(pair.p >= 1 && pair.p <= pair.n && pair.n <= w);
            counts[place(pair)]++;
        }
        for (unsigned k = 0; k < pairs; k++)
            chi += ((double)counts[k] - each) * ((double)counts[k] - each) / each;
        print_message("W = %u: chi-squared of %u pairs %.1f\n", w, pairs, chi);
        /* `pairs` - 1 degrees of freedom: five standard deviations above the mean, and a little more where there are few. */
        assert_true(chi < pairs + 5 * sqrt(2.0 * pairs) + 10);
    }
}

static void each_argument_counts(void **unused)
{
    (void)unused;
    unsigned differ[4] = {0};
    for (uint64_t i = 1; i <= 1000; i++) {
        const uint64_t arguments[][4] = {
            {i + 1, i, i, i}, {i, i + 1, i, i}, {i, i, i + 1, i}, {i, i, i, i + 1}};
        const struct told_pair pair = poise_start(i, i, i, i, 24),
                               again = poise_start(i, i, i, i, 24);
        assert_int_equal(place(pair), place(again));
        for (unsigned a = 0; a < 4; a++) {
            const uint64_t *v = arguments[a];
            differ[a] += place(poise_start(v[0], v[1], v[2], v[3], 24)) != place(pair);
        }
    }
    for (unsigned a = 0; a < 4; a++)
        assert_true(differ[a] > 980); /* of 1000; one in 300 is the same by chance */
}

static void they_stay_what_they_are(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t seed, sm, launch, epoch, most;
        struct told_pair pair;
    } known[] = {
        {0, 0, 0, 0, 24, {12, 11}},
        {1, 0, 0, 0, 24, {21, 5}},
        {1, 14, 3, 7, 24, {23, 23}},
        {20, 31, 100, 12, 6, {4, 2}},
    };
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        const struct told_pair pair =
            poise_start(known[i].seed, known[i].sm, known[i].launch, known[i].epoch, known[i].most);
        if (pair.n != known[i].pair.n || pair.p != known[i].pair.p)
            fail_msg("%u: (%u, %u)", i, (unsigned)pair.n, (unsigned)pair.p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_equally_likely),
        cmocka_unit_test(each_argument_counts),
        cmocka_unit_test(they_stay_what_they_are),
    };
    return cmocka_run_group_tests_name("tb/units/poise_start", tests, NULL, NULL);
}
