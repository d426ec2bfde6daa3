/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/bank_test.c: tests tb/mem/bank.h against the restatement of expected.h, and for what
 * it is there for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/mem/bank.h"
#include "tests/tb/mem/expected.h"
#include "tests/tb/mem/random.h"
#include "tests/tb/test_config.h"

static struct config config_of(int64_t banks, int64_t interleave, int hashed)
{
    struct config c = test_config();
    c.l2_banks = banks;
    c.l2_interleave = interleave;
    strcpy(c.l2_bank_index, hashed ? "hashed" : "linear");
    return c;
}

/* Any number of banks, addresses of any size. */
static void places_equal_the_restatement(void **state)
{
    (void)state;
    for (int hashed = 0; hashed < 2; hashed++)
        for (int64_t banks = 1; banks <= 256; banks++) {
            const struct config c = config_of(banks, 128 << below(4), hashed);
            const uint64_t interleave = (uint64_t)c.l2_interleave;
            struct bank_map m;
            bank_map_init(&m, &c);
            for (unsigned i = 0; i < 500; i++) {
                const uint64_t address =
                                   ((uint64_t)below(1u << 31) << 33 | below(1u << 31)) >> below(64),
                               chunk = address / interleave;
                const struct bank_place place = bank_place(&m, address);
                assert_int_equal(place.bank, expected_bank(&c, chunk));
                assert_int_equal(place.address,
                                 chunk / (uint64_t)banks * interleave + address % interleave);
            }
        }
}

/* Each bank has one chunk of a group. */
static void groups_are_permutations(void **state)
{
    (void)state;
    for (int64_t banks = 1; banks <= 64; banks++) {
        const struct config c = config_of(banks, 256, 1);
        struct bank_map m;
        bank_map_init(&m, &c);
        for (uint64_t group = 0; group < 300; group++) {
            uint64_t seen = 0;
            for (uint64_t turn = 0; turn < (uint64_t)banks; turn++)
                seen |= UINT64_C(1) << bank_place(&m, (group * (uint64_t)banks + turn) * 256).bank;
            assert_int_equal(seen, banks == 64 ? UINT64_MAX : (UINT64_C(1) << banks) - 1);
        }
    }
}

/* How many of 4096 rows lie in the bank that has most of them, relative to an even share. */
static double unevenness(const struct config *c, uint64_t stride)
{
    uint64_t most = 0, of_bank[256] = {0};
    struct bank_map m;
    bank_map_init(&m, c);
    for (uint64_t i = 0; i < 4096; i++) {
        uint64_t *n = &of_bank[bank_place(&m, i * stride).bank];
        most = ++*n > most ? *n : most;
    }
    return (double)most * (double)c->l2_banks / 4096;
}

/* Rows of a power of two of bytes use all banks alike. At the stride of a group its hash alone
 * decides, and some banks stand for two values of it. */
static void strides_meet_all_banks(void **state)
{
    (void)state;
    static const int64_t banks[] = {2, 6, 8, 12, 16, 24, 32, 48};
    for (unsigned i = 0; i < sizeof banks / sizeof *banks; i++) {
        const struct config hashed = config_of(banks[i], 256, 1),
                            linear = config_of(banks[i], 256, 0);
        for (uint64_t stride = 512; stride <= 1 << 20; stride *= 2)
            assert_true(unevenness(&hashed, stride) < 1.12);
        assert_true(unevenness(&linear, 1 << 16) >= 2);
        assert_true(unevenness(&hashed, (uint64_t)banks[i] * 256) < 1.6);
        assert_int_equal(unevenness(&linear, (uint64_t)banks[i] * 256), banks[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_equal_the_restatement),
        cmocka_unit_test(groups_are_permutations),
        cmocka_unit_test(strides_meet_all_banks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
