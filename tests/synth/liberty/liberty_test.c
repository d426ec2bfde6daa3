/* SPDX-License-Identifier: Apache-2.0 */
/* tests/synth/liberty/liberty_test.c: the reader of Liberty files. Its functions against random expressions whose value is
 * known from how they were made, its messages one by one, and which cells it takes for what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "synth/liberty/library.h"

#define SMALL "tests/synth/liberty/small.lib"

static void numbers_are_in_si_units(void **state)
{
    (void)state;
    struct library l;
    assert_int_equal(library_read(&l, SMALL, stderr), 0);
    assert_string_equal(l.name, "by nobody");
    assert_float_equal(l.time, 10e-12, 1e-18);
    assert_float_equal(l.leakage, 1e-6, 1e-12);
    assert_float_equal(l.voltage, 0.7, 1e-9);
    const struct library_cell *nand2 = library_cell(&l, "ND");
    assert_float_equal(nand2->area, 2.5, 1e-9);
    assert_true(nand2->pins[1].capacitance > 1.249e-15 && nand2->pins[1].capacitance < 1.251e-15);
    assert_string_equal(liberty_value(nand2->group, "colour"), "sky \"blue\"");
    library_free(&l);
}

/* Values over several lines, and where they stand. */
static void tables_are_lists_of_rows(void **state)
{
    (void)state;
    struct library l;
    assert_int_equal(library_read(&l, SMALL, stderr), 0);
    const struct library_pin *z = &library_cell(&l, "ND")->pins[2];
    const struct liberty_group *rise =
        liberty_first(liberty_first(z->group, "timing"), "cell_rise");
    const struct liberty_attribute *values = liberty_attribute(rise, "values");
    assert_string_equal(rise->names[0], "square");
    assert_int_equal(values->count, 2);
    assert_string_equal(values->values[1], "3.0, 4.0");
    assert_int_equal(atoi(strchr(values->values[0], ',') + 1), 2);
    assert_int_equal(values->line, 15);
    library_free(&l);
}

static void every_cell_has_its_kind(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum cell_kind kind;
    } expected[] = {{"ND", CELL_LOGIC},          {"ND_SMALL_BUT_BARRED", CELL_LOGIC},
                    {"AND", CELL_LOGIC},         {"BF", CELL_LOGIC},
                    {"TB", CELL_OTHER},          {"PAD", CELL_OTHER},
                    {"FD", CELL_FLIP_FLOP},      {"FALLING", CELL_FLIP_FLOP},
                    {"CLEARED", CELL_FLIP_FLOP}, {"LT", CELL_LATCH},
                    {"RAM", CELL_OTHER},         {"TABLE", CELL_OTHER},
                    {"FILL", CELL_OTHER}};
    struct library l;
    assert_int_equal(library_read(&l, SMALL, stderr), 0);
    assert_int_equal(l.num_cells, sizeof expected / sizeof expected[0]);
    for (unsigned i = 0; i < l.num_cells; i++) {
        const struct library_cell *c = library_cell(&l, expected[i].name);
        assert_non_null(c);
        if (c->kind != expected[i].kind)
            fail_msg("%s is %d, not %d", c->name, c->kind, expected[i].kind);
    }
    library_free(&l);
}

static void the_smallest_of_each_kind(void **state)
{
    (void)state;
    struct library l;
    assert_int_equal(library_read(&l, SMALL, stderr), 0);
    assert_string_equal(library_nand2(&l)->name, "ND");
    assert_string_equal(library_buffer(&l)->name, "BF");
    assert_string_equal(library_flip_flop(&l)->name, "FD");
    const struct library_cell *fd = library_flip_flop(&l);
    assert_true(library_is_state(fd, &fd->pins[2]));
    assert_false(library_is_state(fd, &fd->pins[3]));
    library_free(&l);
}

static void libraries_of_debian(void **state)
{
    (void)state;
    static const char *const paths[] = {"/usr/share/qflow/tech/osu018/osu018_stdcells.lib",
                                        "/usr/share/qflow/tech/osu035/osu035_stdcells.lib",
                                        "/usr/share/qflow/tech/osu050/osu05_stdcells.lib"};
    for (unsigned i = 0; i < 3; i++) {
        struct library l;
        assert_int_equal(library_read(&l, paths[i], stderr), 0);
        assert_string_equal(library_nand2(&l)->name, "NAND2X1");
        assert_string_equal(library_buffer(&l)->name, "BUFX2");
        assert_string_equal(library_flip_flop(&l)->name, "DFFPOSX1");
        assert_int_equal(library_cell(&l, "DFFSR")->kind, CELL_FLIP_FLOP);
        assert_int_equal(library_cell(&l, "LATCH")->kind, CELL_LATCH);
        assert_int_equal(library_cell(&l, "TBUFX1")->kind, CELL_OTHER);
        library_free(&l);
    }
}

/* What a text is refused with. */
static void expect_refused(const char *text, const char *message)
{
    char path[] = "/tmp/heddle_liberty_XXXXXX", *said = NULL;
    size_t length = 0;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *f = fdopen(file, "w");
    fputs(text, f);
    fclose(f);
    FILE *err = open_memstream(&said, &length);
    struct library l;
    const int failed = library_read(&l, path, err);
    library_free(&l);
    fclose(err);
    remove(path);
    if (!failed || strncmp(said, path, strlen(path)) || strcmp(said + strlen(path), message))
        fail_msg("%s\nis %s: %s, not %s", text, failed ? "refused" : "taken", said, message);
    free(said);
}

#define UNITS "library(l) { capacitive_load_unit(1,pf);\n"
#define CELL  UNITS "cell(c) { area : 1; pin(a) { direction : input; }\n"

static void what_is_wrong_and_where(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", ": cannot be read: it is empty\n"},
        {" ", ":1: error: the file ends; expected library(NAME) {\n"},
        {"\n\ncell(a) { }\n", ":3: error: the group cell; expected library(NAME)\n"},
        {"a : b;\n", ":1: error: 'a'; expected library(NAME) {\n"},
        {"library() {}", ":1: error: the group library; expected library(NAME)\n"},
        {"library(l) {} }",
         ":1: error: unexpected '}'; expected the end of the file behind the library\n"},
        {"library(l) {}", ":1: error: the library has no capacitive_load_unit\n"},
        {"library(l) {\ncapacitive_load_unit(1,pg); }",
         ":2: error: expected a unit such as 1p, behind it its letter, not '1pg'\n"},
        {"library(l) {\ncapacitive_load_unit(-1,pf); }",
         ":2: error: expected a unit such as 1p, behind it its letter, not '-1pf'\n"},
        {UNITS "time_unit : ns; }",
         ":2: error: expected a unit such as 1p, behind it its letter, not 'ns'\n"},
        {UNITS "cell(a) {", ":2: error: the group cell(a) that begins here does not end\n"},
        {UNITS "/* cell(a) {\n\n", ":2: error: the comment that begins here does not end\n"},
        {UNITS "x : \"cell(a) {\n\n", ":2: error: the string that begins here does not end\n"},
        {UNITS "x (\"a\", \n", ":3: error: the file ends; expected ')'\n"},
        {UNITS "x (a {", ":2: error: unexpected '{'; expected a value or ')'\n"},
        {UNITS "x y : 1;", ":2: error: unexpected 'y'; expected ':' or '(' behind a name\n"},
        {UNITS "x : ;", ":2: error: unexpected ';'; expected a value\n"},
        {UNITS "\x01", ":2: error: unexpected byte 0x01; expected an attribute, a group or '}'\n"},
        {UNITS "cell() {} }", ":2: error: a cell has one name\n"},
        {UNITS "cell(a) {}\ncell(a) {} }", ":3: error: a second cell 'a'\n"},
        {UNITS "/* a\n\n*/ x(\"1, \\\n 2\", 3); y : \"a\nb\"; }}",
         ":6: error: unexpected '}'; expected the end of the file behind the library\n"},
        {UNITS "cell(a) {\narea : big; } }", ":3: error: expected a number from 0 on, not 'big'\n"},
        {UNITS "cell(a) {\narea : -1; } }", ":3: error: expected a number from 0 on, not '-1'\n"},
        {UNITS "cell(a) {\narea : nan; } }", ":3: error: expected a number from 0 on, not 'nan'\n"},
        {UNITS "cell(a) {\narea : 1 um; } }",
         ":3: error: expected a number from 0 on, not '1 um'\n"},
        {CELL "pin(z) { direction : output; function : \"!(a b)\"; } } }",
         ":3: error: \"!(a b)\", at character 5: no pin has this name\n"},
        {CELL "pin(z) { direction : output; function : \"(a\"; } } }",
         ":3: error: \"(a\", at character 3: expected ')'\n"},
        {CELL "pin(z) { direction : output; function : \"a +\"; } } }",
         ":3: error: \"a +\", at character 4: expected the name of a pin, 0, 1 or '('\n"},
        {CELL "pin(z) { direction : output; function : \"a ) a\"; } } }",
         ":3: error: \"a ) a\", at character 3: expected an operator or the end\n"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        expect_refused(wrong[i].text, wrong[i].message);
}

/* Groups within groups without an end, and brackets. */
static void depth_has_a_limit(void **state)
{
    (void)state;
    char text[4096] = "library(l) {\n";
    for (int i = 0; i < 100; i++)
        strcat(text, "g() {\n");
    expect_refused(text, ":33: error: more than 32 groups within groups\n");
    strcpy(text, CELL "pin(z) { direction : output; function : \"");
    for (int i = 0; i < 40; i++)
        strcat(text, "(");
    strcat(text, "\"; } } }");
    expect_refused(text,
                   ":3: error: \"((((((((((((((((((((((((((((((((((((((((\", at character 33: "
                   "too many brackets\n");
}

/* A random expression of four pins, written in one of the ways that mean the same, and its value beside it. */
static uint64_t random_state = 1;
static unsigned draw(unsigned below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % below;
}

static const uint64_t pins[4] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};

static void put(char **at, const char *text)
{
    *at = stpcpy(*at, text);
}

/* `loosest`: 0: an operand, 1: exclusive or, 2: and, 3: or may stand there without brackets. */
static uint64_t write_expression(char **at, unsigned depth, unsigned loosest)
{
    static const char *const ands[] = {" ", "&", " * ", "*"}, *const ors[] = {"+", " | "};
    const unsigned what = depth ? draw(6) : 5;
    uint64_t value;
    if (what < 3) { /* xor, and, or */
        const int brackets = what + 1 > loosest || !draw(3);
        if (brackets)
            put(at, "(");
        value = write_expression(at, depth - 1, what + 1);
        put(at, what == 0 ? " ^ " : what == 1 ? ands[draw(4)] : ors[draw(2)]);
        const uint64_t right = write_expression(at, depth - 1, what);
        value = what == 0 ? value ^ right : what == 1 ? value & right : value | right;
        if (brackets)
            put(at, ")");
        return value;
    }
    if (what < 5) { /* not, before or behind an operand */
        const int before = what == 3;
        if (before)
            put(at, "!");
        value = ~write_expression(at, depth - 1, 0);
        if (!before)
            put(at, "'");
        return value;
    }
    const unsigned pin = draw(5);
    if (pin == 4) {
        const unsigned one = draw(2);
        put(at, one ? "1" : "0");
        return one ? UINT64_MAX : 0;
    }
    put(at, (const char[]){"abcd"[pin], 0});
    return pins[pin];
}

static int resolve(const void *user, const char *name, size_t length)
{
    (void)user;
    return length == 1 && *name >= 'a' && *name <= 'd' ? *name - 'a' : -1;
}

static void random_functions_have_their_values(void **state)
{
    (void)state;
    unsigned taken = 0;
    for (unsigned i = 0; i < 200000; i++) {
        char text[8192], *at = text, why[200];
        struct function f;
        const uint64_t value = write_expression(&at, 1 + draw(6), 3);
        if (function_parse(&f, text, resolve, NULL, why, sizeof why)) {
            assert_non_null(strstr(why, "too ")); /* long, deep, many brackets */
            continue;
        }
        taken++;
        if ((function_value(&f, pins) ^ value) & 0xffff)
            fail_msg("%s is 0x%04llx, not 0x%04llx", text,
                     (unsigned long long)(function_value(&f, pins) & 0xffff),
                     (unsigned long long)(value & 0xffff));
    }
    assert_true(taken > 190000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_in_si_units),
        cmocka_unit_test(tables_are_lists_of_rows),
        cmocka_unit_test(every_cell_has_its_kind),
        cmocka_unit_test(the_smallest_of_each_kind),
        cmocka_unit_test(libraries_of_debian),
        cmocka_unit_test(what_is_wrong_and_where),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(random_functions_have_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
