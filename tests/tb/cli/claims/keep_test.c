/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/claims/keep_test.c: `heddle claims --keep`: an earlier table of claims, made anew. And claims
 * on runs with a profile, whose kernels and counts of kernels are not to be mixed up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/cli/claims/claims_support.h"

/* A table made anew keeps the rows of an earlier one whose runs are not here, and counts them. */
static void rows_are_kept(void **unused)
{
    (void)unused;
    write_file("a.ini",
               PAPER RUNS "[A-P1]\n" TEXTS "runs = all\npaper.x = 4\nours.x = "
                          "count(point: blocks)\nrule = exact\npaper.y = 1\nopen = a unit\n"
                          "[A-P2]\n" TEXTS "paper.x = 4\nours.x = 2 + 2\nrule = exact\n");
#define OLD(verdict)                                                                               \
    "# A page\n\n| id | where | q | p | h | verdict | r | c |\n| --- | --- |\n"                    \
    "| A-P1 | a \\| b |  | 1 | 2 | " verdict " | of old | `x` |\n"                                 \
    "| A-P2 | b | q | 1 | 2 | not met | of old | `x` |\n"
    static const struct {
        const char *verdict, *counts;
    } cases[] = {
        {"met", "2 claims: 2 met, 0 not met, 0 not run"},
        {"met; the rest open: needs y", "2 claims: 2 met (1 of them in part), 0 not met"},
        {"not met", "2 claims: 1 met, 1 not met, 0 not run"},
        {"shown", "2 claims: 1 met, 0 not met, 0 not run, 0 open, 0 not comparable; 1 shown"},
    };
    char text[4096];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(text, sizeof text, OLD("%s"), cases[i].verdict);
        write_file("old.md", text);
        expect("--no-run --keep=old.md a.ini", 0, "1 not run");
        assert_int_equal(shell("cat o/claims.md", said), 0);
        snprintf(text, sizeof text, "| A-P1 | a \\| b |  | 1 | 2 | %s | of old | `x` |\n",
                 cases[i].verdict);
        if (!strstr(said, text) || !strstr(said, cases[i].counts) ||
            !strstr(said, "| A-P2 | table 1 | a thing | x 4 | x 4 | met | it is so |"))
            fail_msg("%s", said);
    }
    /* what was not judged then either is not kept: what was missing may be there now */
    static const char *const others[] = {"open: needs y", "not comparable: so it is", "not run"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        snprintf(text, sizeof text, OLD("%s"), others[i]);
        write_file("old.md", text);
        expect("--no-run --keep=old.md a.ini", 0, "1 not run");
        assert_int_equal(shell("grep 'of old' o/claims.md", said), 1);
    }
    /* what has been run stands for itself */
    expect("--keep=old.md a.ini", 0, "2 claims: 2 met (1 of them in part)");
    assert_int_equal(shell("grep 'of old' o/claims.md", said), 1);
    /* planted: a row too long, one without a verdict, no file */
    write_file("v.ini", "[v]\nsp.latency = * 2\n");
    expect("--no-run --robust --variants=v.ini --keep=old.md a.ini", 2,
           "old.md:5: a row of 8 columns; expected 9, as with --robust");
    write_file("old.md", OLD("perhaps"));
    expect("--no-run --keep=old.md a.ini", 2, "old.md:5: a row without a verdict");
    expect("--no-run --keep=none.md a.ini", 2, "none.md: cannot be read");
}

/* Of a claim some of whose runs were made, an earlier table gives what the others say, its signs too, but
 * nothing else: no figure that was measured here, none of another label, nothing that is no figure. */
static void values_are_kept(void **unused)
{
    (void)unused;
    write_file("a.ini", PAPER
               "[runs one]\nconfig = " CONFIG_NAME "\nworkload = vecadd\nsize = small\n"
               "run.sched = gto\n"
               "[runs two]\nconfig = " CONFIG_NAME "\nworkload = vecadd\nsize = small\n"
               "run.sched = lrr\n"
               "[A-P1]\n" TEXTS "runs = one, two\npaper.x = 1\nours.x = min(1, blocks{one})\n"
               "paper.y = 3\nours.y = min(1, blocks{two})\npaper.y, more = 3\n"
               "ours.y, more = min(1, blocks{two})\npaper.z = 1\nours.z = min(1, blocks{two})\n"
               "rule = exact\nrobust = y\n"
               "[A-P2]\n" TEXTS "runs = one\npaper.x = 1\nours.x = min(1, blocks)\nrule = exact\n");
#define EARLIER_TABLE(y, z, signs)                                                                 \
    "| id | where | q | p | h | signs | verdict | r | c |\n| --- | --- |\n"                        \
    "| A-P1 | a |  | x 1 | x 7<br>y, more -<br>" y "<br>z " z " | " signs                          \
    " | met | of old | `x` |\n"
    write_file("v.ini", "[v]\nsp.latency = * 2\n");
    expect("--claim=A-P2 a.ini", 0, "1 claims: 1 met");
    static const struct {
        const char *old, *row;
    } cases[] = {
        /* the whole of it; a figure that was kept before is as any other */
        {EARLIER_TABLE("y 3", "1 (earlier run)", "y sign holds on 6"),
         "| x 1<br>y 3 (earlier run)<br>y, more -<br>z 1 (earlier run) | y sign holds on 6 | met; "
         "the rest not run | it is so |"},
        {EARLIER_TABLE("y 4", "1", "y sign holds on 6"),
         "| x 1<br>y 4 (earlier run)<br>y, more -<br>z 1 (earlier run) | y sign holds on 6 | not "
         "met; the rest not run | it is so |"},
        {EARLIER_TABLE("y 3", "-", "y sign turns: v"),
         "| x 1<br>y 3 (earlier run)<br>y, more -<br>z - | y sign turns: v | not met; the rest not "
         "run | it is so |"},
        {EARLIER_TABLE("yes", "many", ""),
         "| x 1<br>y -<br>y, more -<br>z - | y not run | met; the rest not run | it is so |"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file("old.md", cases[i].old);
        expect("--no-run --robust --variants=v.ini --keep=old.md a.ini", 0,
               "2 claims: 2 met (1 of them in part), 0 not met, 0 not run");
        assert_int_equal(shell("cat o/claims.md", said), 0);
        if (!strstr(said, cases[i].row))
            fail_msg("expected %s\nin\n%s", cases[i].row, said);
    }
}

/* A reason's figures are those of its row where the runs are not here, and its words are what they were. */
static void reasons_are_kept(void **unused)
{
    (void)unused;
#define ONE                                                                                        \
    "[runs one]\nconfig = " CONFIG_NAME "\nworkload = vecadd\nsize = small\nrun.sched = gto\n"     \
    "[runs two]\nconfig = " CONFIG_NAME "\nworkload = vecadd\nsize = small\nrun.sched = lrr\n"
    write_file("b.ini", PAPER ONE "[A-P2]\n" TEXTS "runs = one\npaper.x = 1\n"
                                  "ours.x = min(1, blocks)\nrule = exact\n");
    expect("b.ini", 0, "1 claims: 1 met");
    write_file("a.ini",
               PAPER ONE "[A-P1]\nwhere = table 1\nquantity = a thing\ncheck = EX\n"
                         "runs = one, two\npaper.x = 4\nours.x = 2 + 2\nrule = exact\n"
                         "reason = a | b: $(min(1, blocks{one})), $(min(1, blocks{two})) times\n"
                         "    and $(max(-3, -blocks{two}))\n");
#define EARLIER_REASON(reason)                                                                     \
    "| id | where | q | p | h | verdict | r | c |\n| --- | --- |\n"                                \
    "| A-P1 | a |  | x 4 | x 4 | met | " reason " | `x` |\n"
    static const struct {
        const char *old, *reason;
    } cases[] = {
        /* what was measured here stands for itself; a figure that was kept before is as any other */
        {"a \\| b: 7, 0.5 times and -1e+06",
         "a \\| b: 1, 0.5 (earlier run) times and -1e+06 (earlier run) |"},
        {"a \\| b: 7, 0.5 (earlier run) times and ?",
         "a \\| b: 1, 0.5 (earlier run) times and ? |"},
        /* other words before, between and behind; no figure */
        {"b \\| a: 7, 0.5 times and 3", "a \\| b: 1, ? times and ? |"},
        {"a \\| b: 7, 0.5 as much, and 3", "a \\| b: 1, ? times and ? |"},
        {"a \\| b: 7, 0.5 times and 3 more", "a \\| b: 1, ? times and ? |"},
        {"a \\| b: 7", "a \\| b: 1, ? times and ? |"},
        {"", "a \\| b: 1, ? times and ? |"},
    };
    char text[1024];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(text, sizeof text, EARLIER_REASON("%s"), cases[i].old);
        write_file("old.md", text);
        expect("--no-run --keep=old.md a.ini", 0, "1 claims: 1 met");
        assert_int_equal(shell("cat o/claims.md", said), 0);
        if (!strstr(said, cases[i].reason))
            fail_msg("expected %s\nin\n%s", cases[i].reason, said);
    }
    expect("--no-run a.ini", 0, "a | b: 1, ? times and ?");
}

/* A figure that was measured again, but not on other machines: the signs stand as long as it does. */
static void signs_of_the_same_are_kept(void **unused)
{
    (void)unused;
    write_file("a.ini",
               PAPER "[runs one]\nconfig = " CONFIG_NAME "\nworkload = vecadd\nsize = small\n"
                     "run.sched = gto\n"
                     "[A-P1]\n" TEXTS "runs = one\npaper.y = 1\nours.y = min(1, blocks{one})\n"
                     "rule = exact\nrobust = y\n");
    expect("a.ini", 0, "1 claims: 1 met");
#define EARLIER_SIGNS(y, signs)                                                                    \
    "| id | where | q | p | h | signs | verdict | r | c |\n| --- | --- |\n"                        \
    "| A-P1 | a |  | y 1 | y " y " | y " signs " | met | of old | `x` |\n"
    /* A machine that was not tried, and one that is the paper's and so always is. */
#define OTHER  "[v]\nsp.latency = * 2\n"
#define PAPERS "[v]\nsp.latency = * 1\n"
    static const struct {
        const char *old, *row, *machine;
    } cases[] = {
        {EARLIER_SIGNS("1", "sign holds on 6"), "| y 1 | y sign holds on 6 (earlier run) | met |",
         OTHER},
        {EARLIER_SIGNS("1", "sign holds on 6"), "| y 1 | y sign holds on 6 (earlier run) | met |",
         PAPERS},
        {EARLIER_SIGNS("1", "sign holds on 1"), "| y 1 | y sign holds on 1 | met |", PAPERS},
        {EARLIER_SIGNS("1", "sign turns: v"), "| y 1 | y sign holds on 1 | met |", PAPERS},
        {EARLIER_SIGNS("1 (earlier run)", "sign holds on 6 (earlier run)"),
         "| y 1 | y sign holds on 6 (earlier run) | met |", OTHER},
        {EARLIER_SIGNS("1", "sign turns: v"), "| y 1 | y sign turns: v (earlier run) | not met |",
         OTHER},
        {EARLIER_SIGNS("2", "sign turns: v"), "| y 1 | y not run | met |", OTHER},
        {EARLIER_SIGNS("1", "not run"), "| y 1 | y not run | met |", OTHER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file("v.ini", cases[i].machine);
        write_file("old.md", cases[i].old);
        expect("--no-run --robust --variants=v.ini --keep=old.md a.ini", 0, "1 claims: 1");
        assert_int_equal(shell("cat o/claims.md", said), 0);
        if (!strstr(said, cases[i].row))
            fail_msg("expected %s\nin\n%s", cases[i].row, said);
    }
}

/* vecadd has one kernel, without a loop; nothing of its own is lost. */
static void kernels_of_a_profile(void **unused)
{
    (void)unused;
    write_file("a.ini",
               PAPER "[runs all]\nconfig = " CONFIG_NAME "\nworkload = vecadd, spmv\n"
                     "size = small\nprofile = 1\n[A-P1]\n" TEXTS "runs = all\n"
                     "paper.kernels = 2\nours.kernels = sum(workload: count(kernel: loops))\n"
                     "paper.loops = 1\nours.loops = max(workload: sum(kernel: loops))\n"
                     "paper.depth = 1\nours.depth = max(workload, kernel: loop_depth)\n"
                     "paper.loads = 3\nours.loads = max(workload, kernel: loop_loads)\n"
                     "paper.lost = 0\nours.lost = profile.lost.locality{workload=vecadd}\n"
                     "paper.found = 0\nours.found = sum(workload: found.loops_with_locality)\n"
                     "rule = exact\n");
    expect("a.ini", 0, "here          0  met (exact)\n    met\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(rows_are_kept),        IN_FOLDER(values_are_kept),
        IN_FOLDER(reasons_are_kept),     IN_FOLDER(signs_of_the_same_are_kept),
        IN_FOLDER(kernels_of_a_profile),
    };
    return cmocka_run_group_tests_name("tb/cli/claims/keep", tests, NULL, NULL);
}
