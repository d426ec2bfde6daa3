/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/elements_test.c: arrays as text, of which each is known; and what is listed, read back, is the array again. */
#include "cosim/elements.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void known_texts(void **unused)
{
    static const struct {
        uint64_t words[3];
        unsigned count, width;
        const char *text;
    } cases[] = {
        {{0}, 24, 1, "-"},
        {{0x1}, 24, 1, "0"},
        {{0xffffff}, 24, 1, "0-23"},
        {{0x3}, 24, 1, "0 1"},
        {{0x7}, 24, 1, "0-2"},
        {{0x823f}, 16, 1, "0-5 9 15"},
        {{UINT64_C(1) << 63}, 64, 1, "63"},
        {{UINT64_MAX}, 64, 1, "0-63"},
        {{0x5, 0x1}, 65, 1, "0x10000000000000005"},
        {{0, 0, 0xabc}, 140, 1, "0xabc00000000000000000000000000000000"},
        {{0x000c03}, 4, 6, "0:3 1:48"},
        {{0xc003}, 3, 6, "0:3 2:12"},
        {{0x0a00000000ff}, 6, 8, "0:0xff 5:0xa"},
        {{UINT64_C(0x3) << 62, 0x1}, 33, 2, "31:3 32:1"},
        {{UINT64_C(0x1) << 63, 0x2}, 22, 3, "21:5"},
    };
    char text[ELEMENTS_SIZE];
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        elements_print(text, cases[i].words, cases[i].count, cases[i].width);
        assert_string_equal(text, cases[i].text);
    }
}

/* Sets the elements that a text names. */
static void read_back(const char *text, unsigned width, uint8_t *bits)
{
    char *end;
    while (*text && strcmp(text, "-")) {
        const unsigned long first = strtoul(text, &end, 10);
        unsigned long last = first, value = 1;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        else if (*end == ':')
            value = strtoul(end + 1, &end, 0);
        for (unsigned long e = first; e <= last; e++)
            for (unsigned b = 0; b < width; b++)
                bits[e * width + b] = value >> b & 1;
        assert_true(*end == ' ' || !*end);
        text = end + (*end == ' ');
    }
}

static void lists_are_the_array(void **unused)
{
    char text[ELEMENTS_SIZE];
    (void)unused;
    srand(1);
    for (int round = 0; round < 2000; round++) {
        const unsigned width = (unsigned)rand() % 32 + 1,
                       count = (unsigned)rand() % ELEMENTS_LISTED + 1, dense = (unsigned)rand() % 4;
        uint64_t words[ELEMENTS_LISTED * 32 / 64 + 1] = {0};
        uint8_t bits[ELEMENTS_LISTED * 32] = {0};
        for (unsigned b = 0; b < width * count; b++)
            if ((unsigned)rand() % 4 < dense)
                words[b / 64] |= UINT64_C(1) << b % 64;
        elements_print(text, words, count, width);
        read_back(text, width, bits);
        for (unsigned b = 0; b < width * count; b++)
            assert_int_equal(bits[b], words[b / 64] >> b % 64 & 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_texts),
                                       cmocka_unit_test(lists_are_the_array)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
