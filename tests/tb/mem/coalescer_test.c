/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/coalescer_test.c: tests tb/mem/coalescer.c: known patterns, and random ones against
 * a byte-by-byte count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/mem/coalescer.h"

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

static uint64_t seed = 7;
static uint32_t below(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),
        cmocka_unit_test(local_words_lie_side_by_side),
        cmocka_unit_test(random_against_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
