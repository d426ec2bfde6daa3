/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/lexer_test.c: tokens, numbers and lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/ptx/parse/lexer.h"

/* Prints each token of the text on a line: kind, line, text or value. Free the result. Errors end
 * it. */
static char *tokens(const char *text)
{
    struct ptx_error error = {0};
    jmp_buf failed;
    struct ptx_context c = {.name = "t", .error = &error, .failed = &failed};
    char *out;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    if (setjmp(failed) == 0) {
        struct lexer x;
        for (lexer_open(&x, &c, text, strlen(text)); x.token.kind != TOKEN_END; lexer_advance(&x))
            switch (x.token.kind) {
            case TOKEN_WORD: fprintf(f, "%u word %s\n", x.token.line, x.token.text); break;
            case TOKEN_DOT: fprintf(f, "%u dot %s\n", x.token.line, x.token.text); break;
            case TOKEN_STRING: fprintf(f, "%u string %s\n", x.token.line, x.token.text); break;
            case TOKEN_INT:
                fprintf(f, "%u int %llu\n", x.token.line, (unsigned long long)x.token.value);
                break;
            case TOKEN_F32:
                fprintf(f, "%u f32 %08llx\n", x.token.line, (unsigned long long)x.token.value);
                break;
            case TOKEN_F64:
                fprintf(f, "%u f64 %016llx\n", x.token.line, (unsigned long long)x.token.value);
                break;
            default: fprintf(f, "%u %c\n", x.token.line, x.token.kind);
            }
    } else {
        fprintf(f, "%s\n", error.message);
    }
    fclose(f);
    arena_free(&c.scratch);
    return out;
}

static void expect(const char *text, const char *expected)
{
    char *got = tokens(text);
    assert_string_equal(got, expected);
    free(got);
}

static void words_and_marks(void **unused)
{
    (void)unused;
    expect("@!%p1 ld.shared::cta.u32\t%r<12>;",
           "1 @\n1 !\n1 word %p1\n1 word ld\n1 dot .shared::cta\n1 dot .u32\n"
           "1 word %r\n1 <\n1 int 12\n1 >\n1 ;\n");
    expect("$L__BB0_2: k2_$_buf _ a%b",
           "1 word $L__BB0_2\n1 :\n1 word k2_$_buf\n1 word _\n1 word a\n1 word %b\n");
    expect("%tid.x [%rd1+-4]", "1 word %tid\n1 dot .x\n1 [\n1 word %rd1\n1 +\n1 -\n1 int 4\n1 ]\n");
    expect("tex.2d.v4", "1 word tex\n1 dot .2d\n1 dot .v4\n");
    expect("", "");
}

static void lines_and_comments(void **unused)
{
    (void)unused;
    expect("a // b\nc /* d\n e */ f\r\n\n g /**/ h /***/ i //",
           "1 word a\n2 word c\n3 word f\n5 word g\n5 word h\n5 word i\n");
    expect("a\n/* b\n",
           "t:1: a comment that begins on or below this line does not end; expected '*/'\n");
    expect("/*/", "t:1: a comment that begins on or below this line does not end; expected '*/'\n");
    expect("a\n/", "1 word a\n2 /\n");
}

/* What a preprocessor leaves behind does not count, but stands in a line of its own. */
static void markers(void **unused)
{
    (void)unused;
    expect("# 1 \"a.ptx\" {\n  #line 7\na\n\t# 3 \"b\"\nb # 5\n#line\n#define c",
           "3 word a\n5 word b\n5 #\n5 int 5\n6 #\n6 word line\n7 #\n7 word define\n7 word c\n");
    expect("#9", "");
    expect("#line 9", "");
}

static void numbers(void **unused)
{
    (void)unused;
    expect("0 7 42U 0x1f 0XFFu 0b101 017 0U",
           "1 int 0\n1 int 7\n1 int 42\n1 int 31\n1 int 255\n1 int 5\n1 int 15\n1 int 0\n");
    expect("18446744073709551615", "1 int 18446744073709551615\n");
    expect("0f3F800000 0F00000000", "1 f32 3f800000\n1 f32 00000000\n");
    expect("0d3FF0000000000000 1.5 1e3 7.0",
           "1 f64 3ff0000000000000\n1 f64 3ff8000000000000\n1 f64 408f400000000000\n"
           "1 f64 401c000000000000\n");
    expect("2.5e-1-3", "1 f64 3fd0000000000000\n1 -\n1 int 3\n");
}

static void bad_numbers(void **unused)
{
    (void)unused;
    static const char *const bad[][2] = {
        {"18446744073709551616", "too large; expected at most 64 bits"},
        {"0x1ffffffffffffffff", "too large; expected at most 64 bits"},
        {"0f3F80000", "expected 0f and 8 hexadecimal digits"},
        {"0f3F8000000", "expected 0f and 8 hexadecimal digits"},
        {"0d3FF", "expected 0d and 16 hexadecimal digits"},
        {"0x", "expected digits"},
        {"0b2", "expected digits"},
        {"08", "expected an integer"},
        {"12ab", "expected an integer"},
        {"1.5.2", "expected a decimal number such as 1.5 or 1e-3"},
        {"1.5x", "expected a decimal number such as 1.5 or 1e-3"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[64], expected[160];
        snprintf(text, sizeof text, "\n\n%s;", bad[i][0]);
        snprintf(expected, sizeof expected, "t:3: number '%s': %s\n", bad[i][0], bad[i][1]);
        expect(text, expected);
    }
    expect("1.00000000000000000000000000000000000000000000000000000000000000000",
           "t:1: number '1.00000000000000000000000000000000000000': too long; expected at most 63 "
           "characters\n");
}

static void strings(void **unused)
{
    (void)unused;
    expect("\"nounroll\" \"a\\\"b\" \"\"", "1 string nounroll\n1 string a\\\"b\n1 string \n");
    expect("\"a\n\"", "t:1: a string does not end; expected '\"' on the same line\n");
    expect("\"a\\", "t:1: a string does not end; expected '\"' on the same line\n");
}

static void characters_that_are_no_ptx(void **unused)
{
    (void)unused;
    expect("a\n \x01", "t:2: character 0x01; expected PTX text\n");
    expect("\xc3", "t:1: character 0xc3; expected PTX text\n");
    expect("a . b", "t:1: a dot stands alone; expected a directive, type or modifier after it\n");
    char *text = calloc(1, MAX_WORD_BYTES + 2);
    memset(text, 'a', MAX_WORD_BYTES + 1);
    expect(text, "t:1: a word of 4097 characters; expected at most 4096\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_marks),
        cmocka_unit_test(markers),
        cmocka_unit_test(lines_and_comments),
        cmocka_unit_test(numbers),
        cmocka_unit_test(bad_numbers),
        cmocka_unit_test(strings),
        cmocka_unit_test(characters_that_are_no_ptx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
