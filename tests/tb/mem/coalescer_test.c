/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/coalescer_test.c: tests tb/mem/coalescer.c: known patterns, and random ones against
 * counts byte by byte and word by word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/mem/coalescer.h"
#include "tests/tb/mem/random.h"

#define LINE 128

static struct line_list list;

static void fill(uint64_t address[32], uint64_t base, uint64_t stride)
{
    for (unsigned i = 0; i < 32; i++)
        address[i] = base + i * stride;
}

static void patterns(void **state)
{
    (void)state;
    uint64_t a[32];
    fill(a, 0x10000, 4); /* consecutive words: one line, all of it */
    coalesce_global(&list, a, 0xffffffff, 4, LINE);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.line[0], 0x10000);
    assert_int_equal(list.sectors[0], 0xf);
    fill(a, 0x10040, 4); /* shifted by half a line: two lines, in the order of lanes */
    coalesce_global(&list, a, 0xffffffff, 4, LINE);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.line[0], 0x10000);
    assert_int_equal(list.line[1], 0x10080);
    assert_int_equal(list.sectors[0], 0xc);
    assert_int_equal(list.sectors[1], 0x3);
    fill(a, 0x20000, 128); /* a line each */
    coalesce_global(&list, a, 0xffffffff, 4, LINE);
    assert_int_equal(list.count, 32);
    assert_int_equal(list.line[31], 0x20000 + 31 * 128);
    coalesce_global(&list, a, 0x80000001, 4, LINE); /* only the lanes of the mask */
    assert_int_equal(list.count, 2);
    fill(a, 0x30004, 0); /* one address for all */
    coalesce_global(&list, a, 0xffffffff, 4, LINE);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.sectors[0], 1);
    fill(a, 0x3007c, 0); /* eight bytes across the end of a line */
    coalesce_global(&list, a, 1, 8, LINE);
    assert_int_equal(list.count, 2);
    coalesce_global(&list, a, 0, 4, LINE);
    assert_int_equal(list.count, 0);
}

static void local_words_lie_side_by_side(void **state)
{
    (void)state;
    uint64_t offset[32];
    fill(offset, 8, 0); /* the same variable in each lane */
    coalesce_local(&list, 0x8000, offset, 0xffffffff, 4, LINE);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.line[0], 0x8000 + 2 * 128);
    assert_int_equal(list.sectors[0], 0xf);
    coalesce_local(&list, 0x8000, offset, 0xffffffff, 8, LINE); /* two words: two lines */
    assert_int_equal(list.count, 2);
    fill(offset, 0, 4); /* each lane another element of its array: a line each */
    coalesce_local(&list, 0x8000, offset, 0xffffffff, 4, LINE);
    assert_int_equal(list.count, 32);
    fill(offset, 1, 0); /* bytes of one word */
    coalesce_local(&list, 0x8000, offset, 0xffffffff, 1, LINE);
    assert_int_equal(list.count, 1);
    fill(offset, 2, 0); /* most that can be: 16 bytes over five words, in lanes apart */
    for (unsigned i = 0; i < 32; i++)
        offset[i] += i * 64;
    coalesce_local(&list, 0x8000, offset, 0xffffffff, 16, LINE);
    assert_int_equal(list.count, COALESCE_MAX_LINES);
}

/* Marks each byte that any lane touches in a small memory; the list must name exactly the marked
 * sectors, once. */
static void random_against_bytes(void **state)
{
    (void)state;
    static const unsigned sizes[] = {1, 2, 4, 8, 16}, lines[] = {32, 64, 128, 256};
    for (unsigned run = 0; run < 5000; run++) {
        uint8_t touched[8192] = {0};
        uint64_t a[32];
        uint32_t mask = below(UINT32_MAX);
        unsigned bytes = sizes[below(5)], line = lines[below(4)], sectors = 0, marked = 0;
        for (unsigned i = 0; i < 32; i++) {
            a[i] = below(below(2) ? 8192 - 16 : 256);
            for (unsigned b = 0; b < bytes; b++)
                touched[a[i] + b] |= mask >> i & 1;
        }
        coalesce_global(&list, a, mask, bytes, line);
        for (unsigned i = 0; i < list.count; i++) {
            assert_int_equal(list.line[i] % line, 0);
            for (unsigned j = 0; j < i; j++)
                assert_int_not_equal(list.line[i], list.line[j]);
            for (unsigned s = 0; s < 8; s++)
                if (list.sectors[i] >> s & 1) {
                    sectors++;
                    assert_non_null(memchr(&touched[list.line[i] + 32 * s], 1, 32));
                }
        }
        for (unsigned s = 0; s < 8192; s += 32)
            marked += memchr(&touched[s], 1, 32) != NULL;
        assert_int_equal(sectors, marked);
    }
}

/* Passes by counting: each pass, every bank hands out one word, to all lanes that want it or, when
 * they modify it, to one. */
static unsigned passes(const uint64_t a[32], uint32_t mask, unsigned bytes, unsigned banks,
                       int modify)
{
    static uint8_t wanted[8192][32]; /* [word][lane] */
    unsigned most = 1;
    memset(wanted, 0, sizeof wanted);
    for (unsigned i = 0; i < 32; i++)
        for (unsigned b = 0; b < bytes; b++)
            wanted[(a[i] + b) / 4][i] |= mask >> i & 1;
    for (unsigned bank = 0; bank < banks; bank++) {
        unsigned here = 0;
        for (unsigned word = bank; word < 8192; word += banks) {
            unsigned lanes = 0;
            for (unsigned i = 0; i < 32; i++)
                lanes += wanted[word][i];
            here += modify ? lanes : lanes > 0;
        }
        most = here > most ? here : most;
    }
    return most;
}

static void random_bank_conflicts(void **state)
{
    (void)state;
    static const unsigned sizes[] = {1, 2, 4, 8, 16};
    unsigned reached[33] = {0};
    for (unsigned run = 0; run < 4000; run++) {
        uint64_t a[32];
        const uint32_t mask = below(3) ? 0xffffffff : below(UINT32_MAX);
        const unsigned bytes = sizes[below(5)], banks = 1u << below(7), kind = below(4);
        const uint64_t base = below(256) * bytes, stride = below(40) * bytes;
        for (unsigned i = 0; i < 32; i++)
            a[i] = kind == 0   ? base + i * stride
                   : kind == 1 ? base + i * bytes
                   : kind == 2 ? below(1000) * bytes
                               : base + below(3) * bytes;
        for (int modify = 0; modify < 2; modify++) {
            const unsigned expected = passes(a, mask, bytes, banks, modify);
            assert_int_equal(coalesce_banks(a, mask, bytes, banks, modify), expected);
            reached[expected < 32 ? expected : 32]++;
        }
    }
    for (unsigned i = 1; i <= 32; i++)
        assert_true(reached[i] > 0);
}

/* 32 lanes, words `stride` apart, 32 banks: as many lanes meet in a bank as the stride has factors
 * of two. */
static void strides_conflict(void **state)
{
    (void)state;
    uint64_t a[32];
    for (unsigned stride = 1; stride <= 64; stride++) {
        fill(a, 0x100, 4 * stride);
        const unsigned factor = stride & -stride;
        assert_int_equal(coalesce_banks(a, 0xffffffff, 4, 32, 0), factor < 32 ? factor : 32);
    }
    fill(a, 0x100, 0); /* one word for all */
    assert_int_equal(coalesce_banks(a, 0xffffffff, 4, 32, 0), 1);
    assert_int_equal(coalesce_banks(a, 0xffffffff, 4, 32, 1), 32);
    fill(a, 0x100, 8); /* two words a lane */
    assert_int_equal(coalesce_banks(a, 0xffffffff, 8, 32, 0), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),
        cmocka_unit_test(local_words_lie_side_by_side),
        cmocka_unit_test(random_against_bytes),
        cmocka_unit_test(random_bank_conflicts),
        cmocka_unit_test(strides_conflict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
