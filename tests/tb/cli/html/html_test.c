/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/html/html_test.c: the pieces of a page: what is escaped, how numbers are written, how wide the parts of a bar are;
 * and whether the judge of pages, markup.h, sees what is wrong with one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/html/html.h"
#include "tests/tb/cli/html/markup.h"

static char *written;
static size_t length;

static FILE *begin(void)
{
    return open_memstream(&written, &length);
}

static void expect(FILE *to, const char *text)
{
    fclose(to);
    assert_string_equal(written, text);
    free(written);
}

static void escapes(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *html;
    } rows[] = {
        {"", ""},
        {"a b", "a b"},
        {"<script>&\"'", "&lt;script&gt;&amp;&quot;&#39;"},
        {"tab\tand\nline", "tab\tand\nline"},
        {"\x01\x1b\x7f", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\xc2\x80", "\xef\xbf\xbd\xef\xbf\xbd"}, /* a control character */
        {"\xc3", "\xef\xbf\xbd"},                 /* cut off */
        {"\xc3<", "\xef\xbf\xbd&lt;"},            /* what follows is not eaten */
        {"\xe2\x82<", "\xef\xbf\xbd\xef\xbf\xbd&lt;"},
        {"\xc0\xbc", "\xef\xbf\xbd\xef\xbf\xbd"},                 /* '<', overlong */
        {"\xe0\x80\xbc", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* the same */
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* a surrogate */
        {"\xf4\x90\x80\x80",
         "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* beyond Unicode */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        FILE *to = begin();
        html_text(to, rows[i].text);
        expect(to, rows[i].html);
    }
}

/* Random bytes, among them those that mean something, between two tags: the judge must find nothing. */
static void any_bytes(void **unused)
{
    (void)unused;
    static const unsigned char telling[] = {'<',  '>',  '&',  '"',  '\'', 0x80, 0xbf, 0xc2,
                                            0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xff, 0xa0, 0x90};
    srand(1);
    for (int round = 0; round < 20000; round++) {
        char text[9] = "";
        for (int i = 0; i < 8; i++)
            text[i] = (char)(rand() % 2 ? telling[rand() % 16] : 1 + rand() % 255);
        FILE *to = begin();
        fputs("<!DOCTYPE html>\n<p title=\"", to);
        html_text(to, text);
        fputs("\">", to);
        html_text(to, text);
        fputs("</p>", to);
        fclose(to);
        const char *fault = markup_fault(written);
        if (fault)
            fail_msg("%s: %s", written, fault);
        free(written);
    }
}

static void numbers(void **unused)
{
    (void)unused;
    static const struct {
        double value;
        int digits;
        const char *text;
    } rows[] = {
        {0, 0, "0"},
        {7, 2, "7.00"},
        {999, 0, "999"},
        {1000, 0, "1,000"},
        {-1000, 0, "-1,000"},
        {-100, 0, "-100"},
        {123456, 1, "123,456.0"},
        {1234567.891, 3, "1,234,567.891"},
        {999999.9999, 2, "1,000,000.00"},
        {1e15, 0, "1e+15"},
        {-2.5e300, 2, "-2.5e+300"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        FILE *to = begin();
        html_number(to, rows[i].value, rows[i].digits);
        expect(to, rows[i].text);
    }
}

/* Parts lie side by side, and fill the bar; what is below 0 is nothing. */
static void bars(void **unused)
{
    (void)unused;
    const struct html_part parts[] = {
        {"a", "#111111", 1}, {"b", "#222222", 0}, {"c", "#333333", -5}, {"d", "#444444", 3}};
    FILE *to = begin();
    html_stack(to, "<bar>", parts, 4);
    fclose(to);
    assert_non_null(strstr(written, "aria-label=\"&lt;bar&gt;\""));
    assert_non_null(strstr(written, "<rect x=\"0.00\" width=\"250.00\" height=\"30\" "
                                    "fill=\"#111111\"><title>a: 25.00 %</title>"));
    assert_non_null(strstr(written, "<rect x=\"250.00\" width=\"750.00\" height=\"30\" "
                                    "fill=\"#444444\"><title>d: 75.00 %</title>"));
    assert_null(strstr(written, "#222222"));
    assert_null(strstr(written, "#333333"));
    free(written);
    to = begin();
    html_stack(to, "none", parts + 1, 2);
    expect(to, "");
}

static void judge(void **unused)
{
    (void)unused;
    static const struct {
        const char *rest, *fault; /* behind the first line */
    } rows[] = {
        {"<p>good &amp; <a href=\"#x\">b</a></p>", NULL},
        {"<p>", "open at the end"},
        {"<p></h1>", "'h1' ends where 'p' is open"},
        {"<script>alert(1)</script>", "no page has the tag 'script'"},
        {"<p onclick=\"x\"></p>", "no page has the attribute 'onclick'"},
        {"<a href=\"javascript:x\"></a>", "a link to"},
        {"<img src=\"http://x/\">", "a picture from"},
        {"<p style=\"background:url(x)\"></p>", "a style that fetches"},
        {"<p id=\"a\"></p><p id=\"a\"></p>", "id 'a' stands twice"},
        {"a & b", "is no entity"},
        {"a < b", "no page has the tag"},
        {"\x01", "a control character"},
        {"\xff", "begins no character"},
        {"\xc0\xbc", "is no character"},
        {"<p title=\"a<b\"></p>", "'<' in the value"},
        {"<p title=x></p>", "no value in quotes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char page[256];
        snprintf(page, sizeof page, "<!DOCTYPE html>\n%s", rows[i].rest);
        const char *fault = markup_fault(page);
        if (!rows[i].fault)
            assert_null(fault);
        else if (!fault || !strstr(fault, rows[i].fault))
            fail_msg("%s: %s; expected: %s", rows[i].rest, fault ? fault : "fine", rows[i].fault);
    }
    assert_non_null(markup_fault("<p></p>"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes), cmocka_unit_test(any_bytes), cmocka_unit_test(numbers),
        cmocka_unit_test(bars),    cmocka_unit_test(judge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
