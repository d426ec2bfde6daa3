/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/common/options_test.c: defaults by size, explicit values, and the end of the
 * program on wrong ones (in a child process). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/options.h"

enum { ROWS, SOURCE, TOLERANCE, FILE_NAME, NUM_PLAIN };
static const struct option_entry plain[NUM_PLAIN] = {
    [ROWS] = NUMBER_OPTION("rows", 1, 1000, 10, 20, 30, "rows"),
    [SOURCE] = CHOICE_OPTION("source", 0, 99, "the best", "source"),
    [TOLERANCE] = REAL_OPTION("tolerance", "none", "tolerance"),
    [FILE_NAME] = TEXT_OPTION("file", "FILE", "none", "file"),
};
static const struct option_entry sized[] = {
    NUMBER_OPTION("size", 1, 4096, 100, 256, 512, "rows and columns")};

#define MOST_WORDS 12

static void parse(struct options *options, const char *line, const struct option_entry *table,
                  unsigned count)
{
    static char copy[256]; /* the values point into it */
    char *argv[MOST_WORDS + 1] = {"program"};
    int argc = 1;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word != NULL && argc < MOST_WORDS;
         word = strtok(NULL, " "))
        argv[argc++] = word;
    parse_command_line(options, argc, argv, "Tests.", table, count);
}

static void defaults_follow_the_size(void **state)
{
    static const struct {
        const char *line;
        int64_t rows;
    } cases[] = {
        {"", 20},
        {"--size=small", 10},
        {"--size=medium", 20},
        {"--size=large", 30},
        {"--rows=7 --size=large", 7},
        {"--size=large --rows=1000", 1000},
        {"--size=small --size=large", 30},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct options options;
        parse(&options, cases[i].line, plain, NUM_PLAIN);
        assert_int_equal(options.own[ROWS].number, cases[i].rows);
        assert_int_equal(options.seed.number, 1);
        assert_int_equal(options.repeat.number, 1);
        assert_null(options.device_type.text);
        assert_false(options.own[SOURCE].given);
        assert_false(options.own[FILE_NAME].given);
        assert_true(options.own[TOLERANCE].real == 0);
    }
}

static void takes_every_kind_of_value(void **state)
{
    struct options options;
    (void)state;
    parse(&options,
          "--source=0 --tolerance=1e-6 --file=a.mtx --seed=9223372036854775807 --repeat 5 "
          "--device-type=any",
          plain, NUM_PLAIN);
    assert_true(options.own[SOURCE].given);
    assert_int_equal(options.own[SOURCE].number, 0);
    assert_true(options.own[TOLERANCE].real == 1e-6);
    assert_true(options.own[FILE_NAME].given);
    assert_string_equal(options.own[FILE_NAME].text, "a.mtx");
    assert_int_equal(options.seed.number, INT64_MAX);
    assert_int_equal(options.repeat.number, 5);
    assert_string_equal(options.device_type.text, "any");
}

static void size_may_be_a_number_itself(void **state)
{
    static const struct {
        const char *line;
        int64_t size;
    } cases[] = {
        {"", 256}, {"--size=small", 100}, {"--size=300", 300}, {"--size=300 --size=large", 300}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct options options;
        parse(&options, cases[i].line, sized, 1);
        assert_int_equal(options.own[0].number, cases[i].size);
    }
}

/* Runs the parser in a child; returns its exit status, and what it printed. */
static int status_of(const char *line, const struct option_entry *table, unsigned count, char *text,
                     size_t size)
{
    int ends[2], status;
    size_t used = 0;
    ssize_t got;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct options options;
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        parse(&options, line, table, count);
        _exit(77); /* it was accepted */
    }
    close(ends[1]);
    while (used + 1 < size && (got = read(ends[0], text + used, size - 1 - used)) > 0)
        used += (size_t)got;
    text[used] = '\0';
    close(ends[0]);
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void wrong_options_are_usage_errors(void **state)
{
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"--rows=0", "--rows=0: expected a whole number in 1..1000"},
        {"--rows=1001", "--rows=1001: expected a whole number in 1..1000"},
        {"--rows=", "--rows=: expected a whole number"},
        {"--rows=7x", "--rows=7x: expected"},
        {"--rows=7.5", "--rows=7.5: expected"},
        {"--rows=99999999999999999999", "--rows=99999999999999999999: expected"},
        {"--repeat=0", "--repeat=0: expected a whole number in 1..1000000"},
        {"--seed=9223372036854775808", "--seed=9223372036854775808: expected"},
        {"--seed=-1", "--seed=-1: expected a whole number in 0.."},
        {"--tolerance=-1", "--tolerance=-1: expected a number that is not negative"},
        {"--tolerance=nan", "--tolerance=nan: expected"},
        {"--tolerance=x", "--tolerance=x: expected"},
        {"--size=huge", "--size=huge: expected small, medium or large"},
        {"--size=5", "--size=5: expected small, medium or large"},
        {"word", "\"word\": expected options only"},
        {"--unknown=1", "unrecognized option '--unknown=1'"},
        {"--rows", "option '--rows' requires an argument"},
    };
    char text[2048];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(status_of(cases[i].line, plain, NUM_PLAIN, text, sizeof text), EXIT_USAGE);
        assert_non_null(strstr(text, cases[i].message));
    }
    assert_int_equal(status_of("--size=4097", sized, 1, text, sizeof text), EXIT_USAGE);
    assert_non_null(strstr(text, "--size=4097: expected a whole number in 1..4096"));
    assert_int_equal(status_of("--size=big", sized, 1, text, sizeof text), EXIT_USAGE);
    assert_non_null(
        strstr(text, "--size=big: expected small, medium, large or a whole number in 1..4096"));
}

/* --help names every option, with its range and its defaults. */
static void help_tells_everything(void **state)
{
    static const char *const parts[] = {
        "Tests.",     "--rows=N",           "10, 20, 30",  "1..1000",     "--source=N",
        "the best",   "--tolerance=X",      "--file=FILE", "--size=SIZE", "--seed=N",
        "--repeat=N", "--device-type=TYPE", "Exit status"};
    char text[4096];
    (void)state;
    assert_int_equal(status_of("--help", plain, NUM_PLAIN, text, sizeof text), 0);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_non_null(strstr(text, parts[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_follow_the_size),
        cmocka_unit_test(takes_every_kind_of_value),
        cmocka_unit_test(size_may_be_a_number_itself),
        cmocka_unit_test(wrong_options_are_usage_errors),
        cmocka_unit_test(help_tells_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
