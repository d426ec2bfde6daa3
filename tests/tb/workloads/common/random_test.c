/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/common/random_test.c: splitmix64 against its published outputs; ranges and
 * evenness. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tb/workloads/common/random.h"
#include <cmocka.h>

/* The outputs that other implementations print for these seeds. */
static void gives_the_published_numbers(void **state)
{
    static const struct {
        uint64_t seed, numbers[5];
    } vectors[] = {
        {1234567,
         {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u,
          16408922859458223821u}},
        {0,
         {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u, 0x06c45d188009454fu, 0xf88bb8a8724c81ecu,
          0x1b39896a51a8749bu}},
    };
    (void)state;
    for (size_t v = 0; v < sizeof vectors / sizeof vectors[0]; v++) {
        struct random random = {vectors[v].seed};
        for (size_t i = 0; i < 5; i++)
            assert_int_equal(random_bits(&random), vectors[v].numbers[i]);
    }
}

static void below_stays_below_and_is_even(void **state)
{
    enum { BOUND = 7, DRAWS = 70000 };
    struct random random = {1};
    unsigned seen[BOUND] = {0};
    (void)state;
    for (unsigned i = 0; i < DRAWS; i++) {
        uint64_t value = random_below(&random, BOUND);
        assert_true(value < BOUND);
        seen[value]++;
    }
    /* Five standard deviations of a binomial count: sqrt(70000 / 7 * 6 / 7) = 93. */
    for (unsigned i = 0; i < BOUND; i++)
        assert_in_range(seen[i], DRAWS / BOUND - 465, DRAWS / BOUND + 465);
}

/* All orders of three come up equally often. */
static void permutations_are_even(void **state)
{
    enum { ORDERS = 6, DRAWS = 60000 };
    struct random random = {5};
    unsigned seen[27] = {0};
    uint32_t values[4] = {[3] = 7}, many[1000], present[1000] = {0};
    (void)state;
    for (unsigned i = 0; i < DRAWS; i++) {
        random_permutation(&random, values, 3);
        assert_true(values[0] < 3 && values[1] < 3 && values[2] < 3);
        assert_true(values[0] != values[1] && values[1] != values[2] && values[2] != values[0]);
        seen[values[0] * 9 + values[1] * 3 + values[2]]++;
    }
    /* Five standard deviations of a binomial count: sqrt(60000 / 6 * 5 / 6) = 91. */
    for (unsigned i = 0; i < 27; i++)
        if (seen[i] > 0)
            assert_in_range(seen[i], DRAWS / ORDERS - 456, DRAWS / ORDERS + 456);
    random_permutation(&random, many, 1000);
    for (unsigned i = 0; i < 1000; i++)
        present[many[i]]++;
    for (unsigned i = 0; i < 1000; i++)
        assert_int_equal(present[i], 1);
    random_permutation(&random, values, 0);
    assert_int_equal(values[3], 7);
}

static void below_takes_extreme_bounds(void **state)
{
    struct random random = {1};
    unsigned lower = 0;
    (void)state;
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(random_below(&random, 1), 0);
    /* A quarter of all 64-bit numbers must be drawn again. Taking them modulo the bound would draw
     * the lower third half of the time. */
    for (unsigned i = 0; i < 10000; i++) {
        uint64_t value = random_below(&random, 3ull << 62);
        assert_true(value < 3ull << 62);
        lower += value < 1ull << 62;
    }
    assert_in_range(lower, 3333 - 236, 3333 + 236);
}

static void an_array_holds_the_same_floats(void **state)
{
    struct random one = {4}, many = {4};
    float values[9] = {[8] = 7};
    (void)state;
    random_floats(&many, values, 8);
    for (unsigned i = 0; i < 8; i++)
        assert_true(values[i] == random_float(&one));
    assert_true(values[8] == 7);
}

static void floats_stay_in_range_and_are_even(void **state)
{
    struct random random = {3};
    double unit_sum = 0, float_sum = 0;
    float lowest = 1, highest = -1;
    (void)state;
    for (unsigned i = 0; i < 100000; i++) {
        double unit = random_unit(&random);
        float number = random_float(&random);
        assert_true(unit >= 0 && unit < 1);
        assert_true(number >= -1 && number < 1);
        assert_true((float)(int32_t)(number * 0x1p23f) == number * 0x1p23f);
        unit_sum += unit;
        float_sum += number;
        lowest = number < lowest ? number : lowest;
        highest = number > highest ? number : highest;
    }
    /* Five standard deviations of the means. */
    assert_true(unit_sum / 100000 > 0.4954 && unit_sum / 100000 < 0.5046);
    assert_true(float_sum / 100000 > -0.0092 && float_sum / 100000 < 0.0092);
    assert_true(lowest < -0.999f && highest > 0.999f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_published_numbers),
        cmocka_unit_test(below_stays_below_and_is_even),
        cmocka_unit_test(permutations_are_even),
        cmocka_unit_test(below_takes_extreme_bounds),
        cmocka_unit_test(floats_stay_in_range_and_are_even),
        cmocka_unit_test(an_array_holds_the_same_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
