/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/common/text_test.c: records stay where they were put while the text grows, and
 * pieces compare as their bytes do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "tb/workloads/common/text.h"

static void records_keep_their_bytes(void **state)
{
    enum { RECORDS = 1000 };
    struct text text = {0};
    (void)state;
    for (uint32_t i = 0; i < RECORDS; i++) {
        text_print(&text, "%u", i);
        if (i % 3 == 0)
            text_print(&text, "%s", "");
        else
            text_print(&text, "%.*s|", (int)(i % 7), "abcdefg");
        text_end_record(&text);
    }
    assert_int_equal(text.records, RECORDS);
    assert_int_equal(text.start[0], 0);
    assert_int_equal(text.start[RECORDS], text.size);
    for (uint32_t i = 0; i < RECORDS; i++) {
        char expected[32];
        int size = i % 3 == 0 ? sprintf(expected, "%u", i)
                              : sprintf(expected, "%u%.*s|", i, (int)(i % 7), "abcdefg");
        assert_int_equal(text.start[i + 1] - text.start[i], size);
        assert_memory_equal(text.bytes + text.start[i], expected, size);
    }
    text_free(&text);
    assert_null(text.bytes);
}

static void records_may_be_empty(void **state)
{
    struct text text = {0};
    (void)state;
    text_end_record(&text);
    text_print(&text, "x");
    text_end_record(&text);
    text_end_record(&text);
    const uint32_t expected[] = {0, 0, 1, 1};
    assert_int_equal(text.records, 3);
    assert_memory_equal(text.start, expected, sizeof expected);
    text_free(&text);
}

static void pages_have_different_addresses(void **state)
{
    enum { PAGES = 200 };
    struct text text = {0};
    (void)state;
    for (uint32_t i = 0; i < PAGES; i++) {
        text_page(&text, i);
        text_end_record(&text);
    }
    assert_memory_equal(text.bytes, "http://www.host0.org/page/0.htmlhttp://www.host1.org/", 53);
    for (uint32_t i = 0; i < PAGES; i++)
        for (uint32_t j = 0; j < PAGES; j++) {
            int order = text_compare(text.bytes, text.start[i], text.start[i + 1] - text.start[i],
                                     text.start[j], text.start[j + 1] - text.start[j]);
            assert_int_equal(order == 0, i == j);
        }
    text_free(&text);
}

static void pieces_compare_by_bytes_then_size(void **state)
{
    static const struct {
        uint32_t a, a_size, b, b_size;
        int order;
    } cases[] = {
        {0, 3, 3, 3, 0}, {0, 2, 0, 3, -1}, {0, 3, 0, 2, 1}, {0, 3, 6, 3, -1}, {6, 1, 0, 3, -1},
        {0, 0, 3, 0, 0}, {0, 0, 3, 1, -1}, {9, 1, 0, 1, 1}, /* 0x80 comes after 'a' */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int order =
            text_compare("abcabcabd\x80", cases[i].a, cases[i].a_size, cases[i].b, cases[i].b_size);
        assert_int_equal((order > 0) - (order < 0), cases[i].order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_keep_their_bytes),
        cmocka_unit_test(records_may_be_empty),
        cmocka_unit_test(pages_have_different_addresses),
        cmocka_unit_test(pieces_compare_by_bytes_then_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
