/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/claims/table_test.c: tables that claims speak of: what of a file is read, that every error has its file and line, and what
 * `heddle claims` says of rows, of a table that is not there, and of claims that want what rows have not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tb/cli/claims/table.h"
#include "tests/tb/cli/claims/claims_support.h"

/* What a row has in a column; NULL: nothing. */
static const char *field(const struct table *t, int row, const char *column)
{
    for (int i = 0; i < t->rows[row].num_settings; i++)
        if (!strcmp(t->rows[row].settings[i].key, column))
            return t->rows[row].settings[i].value;
    return NULL;
}

static void rows(void **unused)
{
    (void)unused;
    struct table t;
    write_file("a.csv", "first,x_1,l2.ways\r\nspmv,1.5,\r\n\"a, \"\"b\"\"\",,2\n\"\",-3e2,\"16\"");
    assert_int_equal(table_load(&t, ".", "a", stderr), 0);
    assert_int_equal(t.found, 1);
    assert_int_equal(t.count, 3);
    assert_string_equal(field(&t, 0, "first"), "spmv");
    assert_string_equal(field(&t, 0, "x_1"), "1.5");
    assert_null(field(&t, 0, "l2.ways"));
    assert_string_equal(field(&t, 1, "first"), "a, \"b\"");
    assert_null(field(&t, 1, "x_1"));
    assert_string_equal(field(&t, 1, "l2.ways"), "2");
    assert_null(field(&t, 2, "first"));
    assert_string_equal(field(&t, 2, "x_1"), "-3e2");
    assert_string_equal(field(&t, 2, "l2.ways"), "16");
    for (int i = 0; i < 3; i++)
        assert_string_equal(t.rows[i].group, "a");
    assert_string_equal(t.rows[2].text, "./a.csv:4");
    table_drop(&t);
    /* no rows, and no file */
    write_file("a.csv", "x\n");
    assert_int_equal(table_load(&t, ".", "a", stderr), 0);
    assert_true(t.found && !t.count);
    table_drop(&t);
    assert_int_equal(table_load(&t, ".", "b", stderr), 0);
    assert_true(!t.found && !t.count);
    table_drop(&t);
    /* one column: an empty line is a row without it */
    write_file("a.csv", "x\n1\n\n2\n");
    assert_int_equal(table_load(&t, ".", "a", stderr), 0);
    assert_int_equal(t.count, 3);
    assert_null(field(&t, 1, "x"));
    assert_string_equal(field(&t, 2, "x"), "2");
    table_drop(&t);
}

/* Reads a file of these bytes, which is wrong. */
static void refused(const char *text, size_t size, const char *says)
{
    char *said;
    size_t length;
    struct table t;
    FILE *f = fopen("a.csv", "w"), *err = open_memstream(&said, &length);
    assert_true(f && err);
    assert_int_equal(fwrite(text, 1, size, f), size);
    fclose(f);
    assert_int_equal(table_load(&t, ".", "a", err), -1);
    table_drop(&t);
    fclose(err);
    if (!strstr(said, says) || strchr(said, '\n') != said + length - 1)
        fail_msg("'%s' instead of '%s'", said, says);
    free(said);
}

static void wrong(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *says;
    } files[] = {
        {"", "./a.csv: cannot be read: it is empty"},
        {"\n", "./a.csv:1: error: '': expected the name of a column"},
        {"a,\n1,2\n", "./a.csv:1: error: '': expected the name of a column"},
        {"a,2b\n", "./a.csv:1: error: '2b': expected the name"},
        {"a,b c\n", "./a.csv:1: error: 'b c': expected the name"},
        {"a,b..c\n", "./a.csv:1: error: 'b..c': expected the name"},
        {"a,b.\n", "./a.csv:1: error: 'b.': expected the name"},
        {"a,.b\n", "./a.csv:1: error: '.b': expected the name"},
        {"\xef\xbb\xbf"
         "a\n",
         "./a.csv:1: error: '???a': expected the name"},
        {"a,b,a\n", "./a.csv:1: error: two columns 'a'"},
        {"a,point\n", "./a.csv:1: error: a column 'point': the word means something else"},
        {"workload\n", "./a.csv:1: error: a column 'workload'"},
        {"a,b\n1\n", "./a.csv:2: error: 1 fields; expected 2, one per column"},
        {"a,b\n1,2\n1,2,3\n", "./a.csv:3: error: 3 fields; expected 2"},
        {"a,b\n1,2\n\n3,4\n", "./a.csv:3: error: 1 fields; expected 2"},
        {"a\n\"1\n", "./a.csv:2: error: no quotation mark at the end of a field"},
        {"a\n\"1", "./a.csv:2: error: no quotation mark at the end of a field"},
        {"a\n\"", "./a.csv:2: error: no quotation mark at the end of a field"},
        {"a\n\"1\"2\n", "./a.csv:2: error: expected a comma or the end of the line"},
        {"a\n1\"2\n", "./a.csv:2: error: a quotation mark within a field"},
        {"a\n1\r2\n", "./a.csv:2: error: expected a comma or the end of the line"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        refused(files[i].text, strlen(files[i].text), files[i].says);
    refused("a\n1\0002\n", 6, "./a.csv: a byte of value 0; expected text");
    char columns[1024] = "a0";
    for (int i = 1; i <= TABLE_COLUMNS; i++)
        sprintf(columns + strlen(columns), ",a%d", i);
    refused(columns, strlen(columns), "./a.csv:1: error: more than 64 columns");
    *strrchr(columns, ',') = 0; /* as many as may be */
    write_file("a.csv", columns);
    struct table t;
    assert_int_equal(table_load(&t, ".", "a", stderr), 0);
    table_drop(&t);
    assert_int_equal(mkdir("c.csv", 0777), 0);
    assert_int_equal(table_load(&t, ".", "c", stderr), -1);
    table_drop(&t);
}

static void too_large(void **unused)
{
    (void)unused;
    char *text = malloc(TABLE_BYTES + 1);
    assert_non_null(text);
    memset(text, '1', TABLE_BYTES);
    memcpy(text, "a\n", 2);
    refused(text, TABLE_BYTES, "./a.csv: cannot be read: it is too large");
    memset(text, '\n', 2 * (MAX_POINTS + 1) + 2);
    text[0] = 'a';
    for (int i = 0; i <= MAX_POINTS; i++)
        text[2 * i + 2] = '1';
    refused(text, 2 * (MAX_POINTS + 1) + 2, ":100002: error: more than 100000 rows");
    free(text);
}

static void names(void **unused)
{
    (void)unused;
    static const char *const good[] = {"camp", "mix-2", "A_b"}, *const bad[] = {"",     "a.b",
                                                                                "../a", "a/b",
                                                                                "a b",  "\xff"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(table_is_name(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(table_is_name(bad[i]));
}

/* In percent: of two pairs the first is predicted 10 % too high in its best division, which is chosen; of the other the second best is. */
#define ROWS                                                                                       \
    "first,second,blocks,says,is\n"                                                                \
    "a,b,1,1.1,1.0\na,b,2,1.65,1.5\na,c,1,1.2,1.6\na,c,2,1.3,1.4\na,c,3,1.0,1.2\n"
#define CLAIM(lines) PAPER "[A-P1]\n" TEXTS "tables = t\nrule = exact\n" lines

static void claim(const char *text, int status, const char *says)
{
    write_file("a.ini", text);
    expect("--no-run a.ini", status, says);
}

static void judged(void **unused)
{
    (void)unused;
    assert_int_equal(mkdir("o", 0777), 0);
    /* none is there */
    claim(CLAIM("paper.x = 5\nours.x = count(point: is)\npaper.y = 4\nours.y = 2 + 2\n"), 0,
          "here          -  not run (o/t.csv: not there)\n");
    assert_non_null(strstr(said, "here          4  met (exact)"));
    claim(PAPER "[A-P1]\nwhere = a\nquantity = b\ncheck = SM\ntables = t\npaper.x = 1\nours.x = 1\n"
                "rule = exact\nreason = of $(count(point: is)) rows, $(1 + 1)\n",
          0, "\n    of ? rows, 2\n");
    write_file("o/t.csv", ROWS);
    expect("--no-run a.ini", 0, "\n    of 5 rows, 2\n");
    claim(CLAIM("paper.x = 5\nours.x = count(point: is){t}\n"), 0, "here          5  met (exact)");
    claim(CLAIM("paper.x = 2\nours.x = count(first, second: 1)\n"), 0, "here          2  met");
    /* what is chosen, and what would have been best: (1.5 + 1.4) / 2, (1.5 + 1.6) / 2 */
    claim(CLAIM("paper.x = 1.45\nours.x = mean(first, second: where_max(point: says: is))\n"
                "paper.y = 1.55\nours.y = mean(first, second: max(point: is))\n"),
          0, "here       1.45  met (exact)");
    assert_non_null(strstr(said, "here       1.55  met (exact)"));
    claim(
        CLAIM("paper.x = 50\nours.x = 100 * mean(first, second: where_max(point: says: is) >= "
              "max(point: is))\npaper.y = 2\nours.y = where_max(point: says: blocks){second=c}\n"),
        0, "here         50  met (exact)");
    assert_non_null(strstr(said, "here          2  met (exact)"));
    /* another figure in the file, another verdict */
    write_file("o/t.csv", "first,second,blocks,says,is\na,b,1,1.1,1.0\n");
    expect("--no-run a.ini", 2, "a.ini:14:41: no run with second=c here");
    claim(CLAIM("paper.x = 5\nours.x = count(point: is)\n"), 0, "here          1  not met (exact)");
    /* with --size it is that of the folder of the size */
    expect("--no-run --size=small a.ini", 0, "not run (o/small/t.csv: not there)");
}

/* A claim may speak of runs and of tables. */
static void runs_beside(void **unused)
{
    (void)unused;
    assert_int_equal(mkdir("o", 0777), 0);
    write_file("o/t.csv", ROWS);
    ledger("runs = all\ntables = t\npaper.x = 9\nours.x = count(point: cycles){all} + "
           "count(point: is){t}\nrule = exact\n");
    expect("a.ini", 0, "here          9  met (exact)");
}

static void errors(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {CLAIM("paper.x = 5\nours.x = sum(point: was)\n"), "a.ini:12:21: 'was': no such statistic"},
        {CLAIM("paper.x = 5\nours.x = sum(point: cycles)\n"),
         "a.ini:12:21: 'cycles': no such statistic of o/t.csv:2"},
        {CLAIM("paper.x = 5\nours.x = is\n"), "a.ini:12:10: is has several values here"},
        {CLAIM("paper.x = 5\nours.x = sum(point: second)\n"),
         "a.ini:12:21: 'second': no such statistic"},
        {CLAIM("paper.x = 5\nours.x = sum(kernel: cycles){first=a, second=b, blocks=1}\n"),
         "a.ini:12:10: nothing to go over"},
        {CLAIM("paper.x = 5\nours.x = sum(member: is){second=b, blocks=1}\n"),
         "a.ini:12:10: '' has no members"},
        {CLAIM("paper.x = 5\nours.x = sum(point: is){u}\n"), "no run with the name u here"},
        {CLAIM("paper.x = 5\nours.x = 5\nrobust = x\n"),
         "a.ini:13:10: a claim with tables, which are of one machine"},
        {PAPER "[A-P1]\n" TEXTS "tables = t, ../u\npaper = 5\nopen = it\n",
         "a.ini:9:10: expected names of tables: letters, digits, - and _"},
        {PAPER "[A-P1]\n" TEXTS "tables = a, b, c, d, e, f, g, h, i\npaper = 5\nopen = it\n",
         "a.ini:9:10: too many tables"},
    };
    assert_int_equal(mkdir("o", 0777), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file("o/t.csv", ROWS);
        claim(cases[i].text, 2, cases[i].says);
    }
    write_file("o/t.csv", "a,a\n");
    claim(CLAIM("paper.x = 5\nours.x = 5\n"), 2, "o/t.csv:1: error: two columns 'a'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(rows),   IN_FOLDER(wrong),       IN_FOLDER(too_large), cmocka_unit_test(names),
        IN_FOLDER(judged), IN_FOLDER(runs_beside), IN_FOLDER(errors),
    };
    return cmocka_run_group_tests_name("tb/cli/claims/table", tests, NULL, NULL);
}
