/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/contract_test.c: the C type of a field follows from its line, not from what its
 * names come to; and cmodel/bits.h against bits that are moved one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/contract.h"
#include "cosim/stimulus.h"

#define ONE           1
#define MANY          65
#define CONTRACT_UNIT shapes
#define CONTRACT_DEF  "tests/cmodel/shapes.def"
#include "cmodel/contract_structs.h"

#define IS_WORD(field)                                                                             \
    _Static_assert(_Generic(&((struct shapes_in *)0)->field, uint64_t * : 1, default : 0), #field)
#define IS_ARRAY(field, length)                                                                    \
    _Static_assert(                                                                                \
        _Generic(&((struct shapes_in *)0)->field, uint64_t(*)[length] : 1, default : 0), #field)

IS_WORD(flag);
IS_WORD(mask);
IS_WORD(one);
IS_ARRAY(flags, 2);
IS_ARRAY(single, 1);
IS_ARRAY(numbers, MANY);
IS_ARRAY(number, 1);
IS_ARRAY(narrow, MANY);

static int plain_bit(const uint64_t *words, unsigned at)
{
    return (int)(words[at / 64] >> at % 64 & 1);
}

static void bits_go_where_they_belong(void **unused)
{
    (void)unused;
    struct stimulus s = {.random = 1};
    for (int n = 0; n < 100000; n++) {
        const unsigned width = 1 + (unsigned)stimulus_below(&s, 64),
                       at = (unsigned)stimulus_below(&s, 192 - width + 1);
        const uint64_t value = stimulus_bits(&s);
        uint64_t words[3] = {stimulus_bits(&s), stimulus_bits(&s), stimulus_bits(&s)};
        uint64_t before[3];
        memcpy(before, words, sizeof before);
        bits_set(words, at, width, value);
        for (unsigned b = 0; b < 192; b++)
            assert_int_equal(bit_get(words, b), b >= at && b < at + width
                                                    ? plain_bit(&value, b - at)
                                                    : plain_bit(before, b));
        assert_true(bits_get(words, at, width) == (width == 64 ? value : value % (1ull << width)));
    }
}

static void any_bit_counts(void **unused)
{
    (void)unused;
    for (unsigned count = 1; count <= 192; count++)
        for (unsigned bit = 0; bit < 192; bit++) {
            uint64_t words[3] = {0};
            bit_set(words, bit, 1);
            assert_int_equal(bits_any(words, count), bit < count);
            bit_set(words, bit, 0);
            assert_false(bits_any(words, 192));
        }
}

/* Elements of every width, packed, are bit by bit what they are apart; and back. */
static void packing_and_unpacking(void **unused)
{
    (void)unused;
    struct stimulus s = {.random = 2};
    for (unsigned per = 1; per <= 64; per++)
        for (unsigned bits = 1; bits <= 200; bits++) {
            uint64_t words[200], again[200], packed[4] = {~0ull, ~0ull, ~0ull, ~0ull};
            const unsigned length = (bits + per - 1) / per;
            for (unsigned w = 0; w < length; w++) {
                words[w] = stimulus_bits(&s) >> (64 - per);
                if (bits - w * per < per)
                    words[w] &= ~0ull >> (64 - (bits - w * per));
            }
            bits_pack(packed, words, per, bits);
            for (unsigned b = 0; b < (bits + 63) / 64 * 64; b++)
                assert_int_equal(bit_get(packed, b),
                                 b < bits ? plain_bit(&words[b / per], b % per) : 0);
            bits_unpack(again, packed, per, bits);
            assert_memory_equal(words, again, length * sizeof *words);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_go_where_they_belong),
        cmocka_unit_test(any_bit_counts),
        cmocka_unit_test(packing_and_unpacking),
    };
    return cmocka_run_group_tests_name("cmodel/contract", tests, NULL, NULL);
}
