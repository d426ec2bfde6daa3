/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/format_test.c: formats of OpenCL's printf, right and wrong ones, against texts
 * written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/ocl/format.h"

static struct text text_at(const void *context, uint64_t address)
{
    (void)context;
    return address == 7 ? (struct text){"seven, unended", 5} : (struct text){NULL, 0};
}

static char *printed(const char *format, const struct value *values, size_t count)
{
    char *out;
    size_t bytes;
    FILE *stream = open_memstream(&out, &bytes);
    assert_non_null(stream);
    format_print(stream, (struct text){format, strlen(format) + 1}, values, count, text_at, NULL);
    assert_int_equal(fclose(stream), 0);
    return out;
}

static uint64_t bits(double x)
{
    uint64_t result;
    memcpy(&result, &x, sizeof result);
    return result;
}

static void formats_are_followed(void **state)
{
    (void)state;
    const uint64_t integer[] = {42}, negative[] = {(uint64_t)-1, (uint64_t)-2, 300, 70000},
                   real[] = {bits(2.5)}, reals[] = {bits(1), bits(-0.5), bits(1e10), bits(0)},
                   seven[] = {7}, nowhere[] = {8}, zero[] = {0}, wide[] = {0x123456789abcdef0};
    const struct value of_integer = {VALUE_SIGNED, 4, 1, integer},
                       of_negative = {VALUE_SIGNED, 4, 1, negative},
                       of_bytes = {VALUE_SIGNED, 1, 2, negative},
                       of_ints = {VALUE_SIGNED, 4, 4, negative},
                       of_real = {VALUE_FLOAT, 4, 1, real}, of_reals = {VALUE_FLOAT, 4, 4, reals},
                       of_seven = {VALUE_POINTER, 8, 1, seven},
                       of_nowhere = {VALUE_POINTER, 8, 1, nowhere},
                       of_zero = {VALUE_SIGNED, 4, 1, zero}, of_wide = {VALUE_UNSIGNED, 8, 1, wide};
    const struct {
        const char *format;
        const struct value *value;
        const char *expected;
    } cases[] = {
        {"", NULL, ""},
        {"plain\n", NULL, "plain\n"},
        {"100%%", NULL, "100%"},
        {"<%d>", &of_integer, "<42>"},
        {"<%5d|", &of_integer, "<   42|"},
        {"<%-5d|", &of_integer, "<42   |"},
        {"<%05d|", &of_integer, "<00042|"},
        {"<%+.4i|", &of_integer, "<+0042|"},
        {"<% d|", &of_integer, "< 42|"},
        {"%#x %%", &of_integer, "0x2a %"},
        {"%o", &of_integer, "52"},
        {"%X", &of_negative, "FFFFFFFF"},
        {"%d", &of_negative, "-1"},
        {"%u", &of_negative, "4294967295"},
        {"%hx", &of_negative, "ffff"},
        {"%hhu", &of_negative, "255"},
        {"%lx", &of_negative, "ffffffffffffffff"},
        {"%lx", &of_wide, "123456789abcdef0"},
        {"%x", &of_wide, "9abcdef0"},
        {"%c", &of_integer, "*"},
        {"<%3c|%-3c", &of_integer, "<  *|%-3c"},
        {"%f", &of_real, "2.500000"},
        {"%8.2e|", &of_real, "2.50e+00|"},
        {"%a", &of_real, "0x1.4p+1"},
        {"%G", &of_real, "2.5"},
        {"%f", &of_integer, "42.000000"},
        {"%d", &of_real, "2"},
        {"%s", &of_seven, "seven"},
        {"<%8s|", &of_seven, "<   seven|"},
        {"<%-8s|", &of_seven, "<seven   |"},
        {"%.2s", &of_seven, "se"},
        {"%s", &of_nowhere, "(null)"},
        {"%p", &of_seven, "0x7"},
        {"%v4hld", &of_ints, "-1,-2,300,70000"},
        {"%v4d", &of_ints, "-1,-2,300,70000"},
        {"%v2hhd", &of_bytes, "-1,-2"},
        {"%v2hhx", &of_bytes, "ff,fe"},
        {"%v2x", &of_bytes, "ff,fe"},
        {"%05.1v4hlf", &of_reals, "001.0,-00.5,10000000000.0,000.0"},
        {"%v3g", &of_reals, "1,-0.5,1e+10"},
        {"%v16d", &of_bytes, "-1,-2"}, /* no more elements than there are */
        /* wrong ones stay as they are */
        {"%", &of_integer, "%"},
        {"%d", NULL, "%d"},
        {"a%5.3q", &of_integer, "a%5.3q"},
        {"%n", &of_integer, "%n"},
        {"%v5d", &of_ints, "%v5d"},
        {"%v4s", &of_seven, "%v4s"},
        {"%v", &of_ints, "%v"},
        {"%*d", &of_integer, "%*d"},
        {"%-+ #0-+ #0d", &of_integer, "+42"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *out = printed(cases[i].format, cases[i].value, cases[i].value != NULL);
        assert_string_equal(out, cases[i].expected);
        free(out);
    }
    char *out = printed("%c", &of_zero, 1);
    assert_int_equal(out[0], 0);
    free(out);
}

/* Nothing without end, nothing past the end. */
static void hostile_formats_are_harmless(void **state)
{
    (void)state;
    const uint64_t one[] = {1}, huge[] = {bits(1e300)}, not [] = {bits(-0.0 / 0.0)};
    const struct value integer = {VALUE_SIGNED, 4, 1, one}, real = {VALUE_FLOAT, 8, 1, huge},
                       nan = {VALUE_FLOAT, 8, 1, not };
    char *out = printed("%999999999999d", &integer, 1);
    assert_int_equal(strlen(out), 4095);
    free(out);
    out = printed("%.99999999999f", &real, 1);
    assert_int_equal(strlen(out), 301 + 1 + 4095);
    free(out);
    out = printed("%d", &real, 1);
    assert_string_equal(out, "-1"); /* the most a long holds, as an int */
    free(out);
    free(printed("%d", &nan, 1));
    char *bytes;
    size_t size;
    FILE *stream = open_memstream(&bytes, &size);
    format_print(stream, (struct text){"%dxyz", 2}, &integer, 1, text_at, NULL);
    format_print(stream, (struct text){"%dxyz", 1}, &integer, 1, text_at, NULL);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(bytes, "1%");
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_followed),
        cmocka_unit_test(hostile_formats_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
