/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/sweep/sweep_test.c: what becomes of points: broken ones, ones of another build,
 * files that tasks leave; and the same as comma-separated values. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/tb/cli/sweep/sweep_support.h"
#include "tests/tb/shell.h"

#define DB "p.sqlite"

static void broken_points(void **unused)
{
    (void)unused;
    static char output[MAX_OUTPUT];
    write_file("p.ini", "[a]\nworkload = vecadd\nsize = small\n"
                        "args = \"\", --nonsense, --seed=2\n"
                        "[b]\nworkload = hotspot\nsize = small\nrun.max_cycles = 1500\n");
    heddle_says("sweep", "p.ini", 1, "4 points: 2 done, 2 broken");
    assert_non_null(strstr(said, "unrecognized option '--nonsense'"));
    assert_non_null(strstr(said, "args=--nonsense: exit status 2"));
    /* of a long message the beginning and the end are told */
    assert_non_null(strstr(said, "after run.max_cycles = 1500"));
    assert_non_null(strstr(said, "    | ...\n"));
    assert_non_null(strstr(said, "hotspot: clEnqueueNDRangeKernel failed"));
    assert_string_equal(value_of(DB, "SELECT group_concat(status) FROM points"),
                        "done,broken,done,broken");
    assert_string_equal(value_of(DB, "SELECT exit_status FROM points WHERE id = 4"), "4");
    assert_non_null(strstr(value_of(DB, "SELECT message FROM points WHERE id = 2"), "--nonsense"));
    assert_int_equal(count_of(DB, "SELECT count(*) FROM results WHERE point IN (2, 4)"), 0);
    /* what explains the fault is the point's own, and nothing else is left */
    assert_int_equal(shell("find p.sqlite.tasks -type f | sort", output), 0);
    assert_string_equal(output, "p.sqlite.tasks/4.fail/program1.ptx\n"
                                "p.sqlite.tasks/4.fail/warps.txt\n");
    /* Broken points of the same build are run again only when that is asked for. */
    change(DB, "UPDATE points SET message = 'as before'");
    heddle_says("sweep", "p.ini", 1, "nothing is left to run");
    assert_string_equal(value_of(DB, "SELECT message FROM points WHERE id = 2"), "as before");
    heddle_says("sweep", "p.ini --retry", 1, "2 broken points are run again");
    assert_non_null(strstr(value_of(DB, "SELECT message FROM points WHERE id = 2"), "--nonsense"));
}

static void time_limit(void **unused)
{
    (void)unused;
    write_file("p.ini",
               "[a]\nworkload = spmv\nsize = large\n[b]\nworkload = vecadd\nsize = small\n");
    heddle_says("sweep", "p.ini --timeout=2 --jobs=1", 1, "    | still running after 2 s");
    assert_string_equal(value_of(DB, "SELECT group_concat(status) FROM points"), "broken,done");
    assert_string_equal(value_of(DB, "SELECT exit_status FROM points WHERE id = 1"), "124");
}

/* Results of another build are not kept, those of this one are: seen by results that no run gives.
 */
static void another_build(void **unused)
{
    (void)unused;
    write_file("p.ini",
               "[a]\nworkload = vecadd\nsize = small\nrun.deadlock_cycles = 100001..100003\n");
    heddle_says("sweep", "p.ini", 0, NULL);
    char *before = dump(DB);
    change(DB, "UPDATE results SET value = -1 WHERE name = 'cycles';"
               "UPDATE points SET build = '0123456789abcdef' WHERE id = 2");
    heddle_says("sweep", "p.ini", 0, "1 points were run with another build and are run again");
    assert_string_equal(value_of(DB, "SELECT group_concat(point) FROM results WHERE value = -1"),
                        "1,3");
    change(DB, "UPDATE points SET build = 'x'");
    heddle_says("sweep", "p.ini", 0, "3 points were run with another build");
    char *after = dump(DB);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

/* A changed file: what it still names keeps its results under its new number. */
static void another_file(void **unused)
{
    (void)unused;
    write_file("p.ini",
               "[a]\nworkload = vecadd\nsize = small\nrun.deadlock_cycles = 100001..100002\n");
    heddle_says("sweep", "p.ini", 0, NULL);
    change(DB, "UPDATE results SET value = -point WHERE name = 'cycles'");
    write_file("p.ini",
               "[b]\nworkload = vecadd\nsize = small\nrun.deadlock_cycles = 100000..100001\n");
    char *before = dump(DB);
    heddle_says("sweep", "p.ini", 2, "holds 1 points that ");
    assert_non_null(strstr(said, "--forget drops them"));
    char *after = dump(DB);
    assert_string_equal(before, after);
    free(before);
    free(after);
    heddle_says("sweep", "p.ini --forget", 0, "2 points: 2 done");
    assert_string_equal(
        value_of(DB, "SELECT value FROM results WHERE point = 2 AND name = 'cycles'"), "-1");
    assert_int_equal(
        count_of(DB, "SELECT value > 0 FROM results WHERE point = 1 AND name = 'cycles'"), 1);
    assert_string_equal(value_of(DB, "SELECT DISTINCT \"group\" FROM points"), "b");
}

/* One workload's points first: the others stay, and are run when they are asked for. */
static void one_workload(void **unused)
{
    (void)unused;
    write_file("p.ini", "[a]\nworkload = vecadd, spmv\nsize = small\nrun.timing = 0\n"
                        "run.deadlock_cycles = 100001..100002\n");
    heddle_says("sweep", "--workload=spmv --dry-run p.ini", 0, "3 [a] config=");
    assert_null(strstr(said, "workload=vecadd"));
    heddle_says("sweep", "--workload=spmv p.ini", 0,
                "4 points: 2 done, 0 broken, 2 not run; results in ");
    assert_string_equal(value_of(DB, "SELECT group_concat(status) FROM points"),
                        "pending,pending,done,done");
    heddle_says("sweep", "--workload=spmv p.ini", 0, "nothing is left to run\n");
    heddle_says("sweep", "--workload=bfs p.ini", 2, "no point of p.ini is chosen");
    heddle_says("sweep", "--workload=spm p.ini", 2, "no point of p.ini is chosen");
    change(DB, "UPDATE results SET value = -1 WHERE name = 'cycles'");
    heddle_says("sweep", "p.ini", 0, "4 points: 4 done, 0 broken; results in ");
    assert_string_equal(value_of(DB, "SELECT group_concat(point) FROM results WHERE value = -1"),
                        "3,4");
}

/* Points by their numbers first. */
static void some_points(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {"", "0", "1,", "1-", "2-1", "-1", "1;2", "a", "1,,2"};
    write_file("p.ini", "[a]\nworkload = vecadd\nsize = small\nrun.timing = 0\n"
                        "run.deadlock_cycles = 100001..100005\n");
    heddle_says("sweep", "--points=1,3-4 p.ini", 0,
                "5 points: 3 done, 0 broken, 2 not run; results in ");
    assert_string_equal(value_of(DB, "SELECT group_concat(status) FROM points"),
                        "done,pending,done,done,pending");
    heddle_says("sweep", "--points=2-9 --dry-run p.ini", 0, "2 [a] config=");
    assert_null(strstr(said, "1 [a]"));
    heddle_says("sweep", "--points=6 p.ini", 2, "no point of p.ini is chosen");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char words[64];
        snprintf(words, sizeof words, "'--points=%s' p.ini", wrong[i]);
        heddle_says("sweep", words, 2, "expected numbers, as in 1-3,7");
    }
}

/* What a killed sweep's tasks have left is taken over if it is whole and of its point. */
static void left_files(void **unused)
{
    (void)unused;
    static const struct {
        const char *json, *says;
    } files[] = {
        {"", "it cannot be read"},
        {"not JSON", "it is not JSON"},
        {"{\"number\": 1, \"point\": \"%s\", \"build\": \"%s\", \"broken\": fal", "it is not JSON"},
        {"[1, 2]", "'number' is missing"},
        {"{\"number\": \"1\"}", "'number' is missing, or of another type"},
        {"{\"number\": 2, \"point\": \"%s\", \"build\": \"%s\", \"broken\": false, "
         "\"exit_status\": 0, \"message\": \"\", \"results\": {\"cycles\": 7}}",
         "it is of another point"},
        {"{\"number\": 1, \"point\": \"config=x\", \"build\": "
         "\"0123456789abcdef0123456789abcdef\", \"broken\": "
         "false, \"exit_status\": 0, \"message\": \"\", \"results\": {\"cycles\": 7}}",
         "it is of another point"},
        {"{\"number\": 1, \"point\": \"%s\", \"build\": \"0123456789abcdef0123456789abcdef\", "
         "\"broken\": false, "
         "\"exit_status\": 0, \"message\": \"\", \"results\": {\"cycles\": 7}}",
         "it is of another build"},
        {"{\"number\": 1, \"point\": \"%s\", \"build\": \"%s and more\", \"broken\": false, "
         "\"exit_status\": 0, \"message\": \"\", \"results\": {\"cycles\": 7}}",
         "'build' is not a hash"},
        {"{\"number\": 1, \"point\": \"%s\", \"build\": \"%s\", \"broken\": false, "
         "\"exit_status\": 0, \"message\": \"\", \"results\": {}}",
         "done, but without results"},
        {"{\"number\": 1, \"point\": \"%s\", \"build\": \"%s\", \"broken\": false, "
         "\"exit_status\": 0, \"message\": \"\", \"results\": {\"cycles\": \"7\"}}",
         "'results' are not numbers"},
        {"{\"number\": 1, \"point\": \"%s\", \"build\": \"%s\", \"broken\": false, "
         "\"exit_status\": 0, \"message\": \"\", \"results\": {\"l1d\": {\"a\": 1, \"a\": 2}}}",
         "'results' are not numbers, each named once"},
        {"{\"number\": 1, \"point\": \"%s\", \"build\": \"%s\", \"broken\": false, "
         "\"exit_status\": 0, \"message\": \"\", \"results\": {\"cycles\": 7, \"x\": {\"y\": "
         "0.5}}}",
         NULL},
    };
    write_file("p.ini", "[a]\nworkload = vecadd\nsize = small\n");
    heddle_says("sweep", "p.ini", 0, NULL);
    char *whole = dump(DB), text[512], build[64];
    snprintf(text, sizeof text, "%s", value_of(DB, "SELECT text FROM points"));
    snprintf(build, sizeof build, "%s", value_of(DB, "SELECT build FROM points"));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char json[2048];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(json, sizeof json, files[i].json, text, build);
#pragma GCC diagnostic pop
        change(DB, "UPDATE points SET status = 'pending'; DELETE FROM results");
        assert_int_equal(mkdir(DB ".tasks", 0777), 0);
        write_file(DB ".tasks/1.json", json);
        write_file(DB ".tasks/1.json.0.new", "half of");
        heddle_says("sweep", "p.ini", 0,
                    files[i].says ? files[i].says : "1 points were left by an earlier");
        assert_int_not_equal(access(DB ".tasks", F_OK), 0);
        if (files[i].says) {
            char *now = dump(DB);
            assert_string_equal(now, whole);
            free(now);
        }
    }
    assert_string_equal(value_of(DB, "SELECT group_concat(name || '=' || value) FROM results"),
                        "cycles=7,x.y=0.5");
    free(whole);
}

/* Only one sweep at a time writes to the results. */
static void two_at_once(void **unused)
{
    (void)unused;
    int status;
    write_file("p.ini",
               "[a]\nworkload = vecadd\nsize = small\nrun.deadlock_cycles = 100001..100008\n");
    const pid_t first = sweep_start("p.ini");
    for (int i = 0; i < 500 && access(DB ".tasks/1.log", F_OK); i++)
        usleep(10000);
    heddle_says("sweep", "p.ini", 2, "another sweep is running with these results");
    assert_int_equal(waitpid(first, &status, 0), first);
    assert_int_equal(status, 0);
    heddle_says("sweep", "p.ini", 0, "nothing is left to run");
}

/* The n-th field of a line of comma-separated values, 0 the first, as RFC 4180 says. */
static const char *field(const char *line, int n)
{
    static char text[1024];
    size_t size = 0;
    for (int quoted = 0; *line && (quoted || (*line != '\r')); line++)
        if (*line == '"' && (!quoted || line[1] != '"'))
            quoted = !quoted;
        else if (*line == ',' && !quoted)
            n--;
        else {
            line += *line == '"';
            if (n == 0 && size < sizeof text - 1)
                text[size++] = *line;
        }
    text[size] = 0;
    return text;
}

static int field_named(const char *line, const char *name)
{
    for (int n = 0; *field(line, n); n++)
        if (!strcmp(field(line, n), name))
            return n;
    fail_msg("there is no column %s", name);
    return -1;
}

static void comma_separated(void **unused)
{
    (void)unused;
    write_file("p.ini", "[a \"b\", c]\nworkload = vecadd\nargs = \"--a=1, 2\"\n"
                        "[d]\nworkload = vecadd\nsize = small\nrun.sched = lrr, gto\n");
    heddle_says("sweep", "p.ini --csv=p.csv", 1, NULL);
    heddle_says("sweep", "--from=" DB " --csv=again.csv", 0, NULL);
    assert_int_equal(system("cmp p.csv again.csv"), 0);
    FILE *f = fopen("p.csv", "r");
    assert_non_null(f);
    static char text[1 << 16];
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    /* The broken point's message has two lines, between quotation marks: rows end with CR LF. */
    char *rows[4];
    rows[0] = text;
    for (int i = 1; i < 4; i++) {
        rows[i] = strstr(rows[i - 1], "\r\n") + 2;
        assert_true(rows[i] > text + 2);
    }
    assert_string_equal(strstr(rows[3], "\r\n"), "\r\n");
    static const char *const names[] = {"id",          "group",   "config",    "workload",
                                        "size",        "args",    "run.sched", "status",
                                        "exit_status", "message", "build"};
    for (int i = 0; i < 11; i++)
        assert_string_equal(field(rows[0], i), names[i]);
    assert_string_equal(field(rows[1], 1), "a \"b\", c");
    assert_string_equal(field(rows[1], 5), "--a=1, 2");
    assert_string_equal(field(rows[1], 6), "");
    assert_string_equal(field(rows[1], 7), "broken");
    assert_non_null(strstr(field(rows[1], 9), "'--a=1,'\nTry `vecadd --help'"));
    assert_string_equal(field(rows[2], 6), "lrr");
    assert_string_equal(field(rows[3], 6), "gto");
    const int cycles = field_named(rows[0], "cycles");
    assert_string_equal(field(rows[1], cycles), "");
    assert_string_equal(
        field(rows[3], cycles),
        value_of(DB, "SELECT value FROM results WHERE point = 3 AND name = 'cycles'"));
}

static void usage(void **unused)
{
    (void)unused;
    write_file("p.ini", "[a]\nworkload = vecadd\nsize = small\n");
    write_file("text.sqlite", "this is no database, but long enough to be taken for one\n");
    change("other.sqlite", "CREATE TABLE t(x)");
    heddle_says("sweep", "", 2, "no file; expected: heddle sweep [OPTION...] FILE");
    heddle_says("sweep", "--help", 0, "A value is a list of words, numbers and ranges");
    heddle_says("sweep", "p.ini q.ini", 2, "'q.ini': expected one FILE");
    heddle_says("sweep", "p.ini --jobs=0", 2, "--jobs=0: expected a number from 1 to");
    heddle_says("sweep", "p.ini --jobs=x", 2, "--jobs=x: expected a number from 1 to");
    heddle_says("sweep", "p.ini --timeout=-1", 2, "--timeout=-1: expected a number from 0 to");
    heddle_says("sweep", "p.ini --engine=cloud", 2, "--engine=cloud: expected local or slurm");
    heddle_says("sweep", "p.ini --task=2", 2, "--task=2, but p.ini has 1 points");
    heddle_says("sweep", "--from=" DB, 2, "goes with --csv=FILE");
    heddle_says("sweep", "--from=nowhere.sqlite --csv=x.csv", 2,
                "nowhere.sqlite: cannot be opened");
    heddle_says("sweep", "--from=text.sqlite --csv=x.csv", 2, "text.sqlite: cannot be opened");
    heddle_says("sweep", "--from=other.sqlite --csv=x.csv", 2, "not results of `heddle sweep`");
    heddle_says("sweep", "p.ini --results=other.sqlite", 2, "not results of `heddle sweep`");
    heddle_says("sweep", "p.ini --results=/nowhere/x.sqlite", 2,
                "/nowhere/x.sqlite.tasks: No such file");
    heddle_says("sweep", "p.ini --csv=/nowhere/x.csv", 2, "/nowhere/x.csv: cannot be written");
    assert_int_not_equal(access("other.sqlite.tasks", F_OK), 0);
    assert_int_not_equal(system("ls *.csv 2>/dev/null"), 0);
    setenv("HEDDLE_PATH", getenv("PATH"), 1);
    setenv("PATH", "/nowhere", 1);
    heddle_says("sweep", "p.ini --results=s.sqlite --engine=slurm", 2, "is Slurm installed?");
    setenv("PATH", getenv("HEDDLE_PATH"), 1);
    assert_int_not_equal(access("s.sqlite.tasks/job", F_OK), 0);
    heddle_says("sweep", "p.ini --results=s.sqlite", 0, "1 points: 1 done");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(broken_points), IN_FOLDER(time_limit),   IN_FOLDER(another_build),
        IN_FOLDER(another_file),  IN_FOLDER(one_workload), IN_FOLDER(some_points),
        IN_FOLDER(left_files),    IN_FOLDER(two_at_once),  IN_FOLDER(comma_separated),
        IN_FOLDER(usage),
    };
    return cmocka_run_group_tests_name("tb/cli/sweep", tests, NULL, NULL);
}
