/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/claims/page_test.c: what `heddle claims` leaves: table, values, pictures; and static limits by its expressions, as
 * `heddle map` computes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/tb/cli/claims/claims_support.h"

static void pages(void **unused)
{
    (void)unused;
    write_file("a.ini", PAPER "[A-P1]\n" TEXTS "figure = 9\npaper.x = 4\nours.x = 2 + 2\n"
                              "paper.y = 3\nrule = exact\nopen = more\n"
                              "[A-P2]\nwhere = \"there\"\nquantity = c | d\ncheck = EX\n"
                              "reason = none\npaper = 5\nopen = it\n");
    expect("--claim=A-P2 a.ini", 0, "1 claims: 0 met");
    lacks("A-P1");
    /* the files hold all */
    assert_int_equal(shell("cat o/claims.md", said), 0);
    if (!strstr(said, "| A-P1 | table 1 | a thing | x 4<br>y 3 | x 4<br>y - | met; the rest open: "
                      "needs more | it is so | `make claims CLAIM=A-P1` |\n") ||
        !strstr(said, "| A-P2 | \"there\" | c \\| d | 5 |  | open: needs it |"))
        fail_msg("%s", said);
    assert_int_equal(shell("cat o/claims.csv", said), 0);
    if (!strstr(said, "\n\"A-P1\",\"table 1\",\"a thing\",\"\",\"SM\",\"x\",\"4\",4,\"exact\","
                      "\"met\",\"met\",\"\",\"it is so\",make claims CLAIM=A-P1\n") ||
        !strstr(said, "\n\"A-P2\",\"\"\"there\"\"\",\"c | d\","))
        fail_msg("%s", said);
    assert_int_equal(shell("grep -c '<svg' o/A-9.svg", said), 0);
    /* a picture of ours alone, and none of what has not been run */
    write_file("a.ini", PAPER RUNS "[A-P1]\n" TEXTS "figure = 8\npaper.x = drawn\nours.x = 4.5\n"
                                   "[A-P2]\n" TEXTS "figure = 7\nruns = all\npaper.x = drawn\n"
                                   "ours.x = count(point: blocks)\n");
    expect("--no-run a.ini", 0, " 0 not comparable; 1 shown\n");
    assert_int_equal(shell("grep -c '>here<' o/A-8.svg && ! grep -q '>paper<' o/A-8.svg", said), 0);
    assert_int_equal(shell("test ! -e o/A-7.svg", said), 0);
    /* each bar and each part once; what is judged is in no stack */
    ledger(
        "figure = 6\nstacked = yes\npaper.one, a = drawn\nours.one, a = 1\npaper.one, b = drawn\n"
        "ours.one, b = 2\npaper.two, b = drawn\nours.two, b = 3\npaper.all = 4\nours.all = 4\n"
        "rule = exact\n");
    expect("--no-run a.ini", 0, "1 claims: 1 met");
    assert_int_equal(shell("for word in one two a b; do grep -c \">$word<\" o/A-6.svg; done;"
                           "grep -c '>all<' o/A-6.svg",
                           said),
                     1);
    assert_string_equal(said, "1\n1\n1\n1\n0\n");
}

/* Static limits by the expressions of the ledger, and as `heddle map` computes them from a sweep of
 * its own. */
static void as_the_map(void **unused)
{
    (void)unused;
#define GRID(workloads)                                                                            \
    "config = " CONFIG_NAME "\nworkload = " workloads "\nsize = small\nrun.sched = gto\n"          \
    "mask.n = 1..2\n"
    static const struct {
        const char *label, *ours, *format;
    } columns[] = {
        {"GTO hits", "100 * mean(workload: l1d.hits / l1d.accesses){np, mask.n=2, mask.p=2}",
         "| %.1f "},
        {"SWL", "hmean(workload: cycles{np, mask.n=2, mask.p=2} / min(point: cycles){swl})",
         "| %.3f "},
        {"SWL hits", "100 * mean(workload: where_min(point: cycles: l1d.hits / l1d.accesses)){swl}",
         "| %.1f "},
        {"pair", "hmean(workload: cycles{np, mask.n=2, mask.p=2} / min(point: cycles){np})",
         "| %.3f "},
        {"apart",
         "hmean(workload: cycles{np, mask.n=2, mask.p=2} / sum(kernel: min(point: cycles)){np})",
         "| %.3f "},
        {"apart hits",
         "100 * mean(workload: sum(kernel: where_min(point: cycles: l1d.hits))\n"
         "    / sum(kernel: where_min(point: cycles: l1d.accesses))){np}",
         "| %.1f "},
    };
    const int count = sizeof columns / sizeof columns[0];
    /* sections of one name go together */
    char text[4096] = PAPER "[runs np]\n" GRID("spmv") "mask.p = 1..mask.n\n[runs swl]\n" GRID(
        "spmv, bfs, kmeans") "mask.p = mask.n\n[runs np]\n" GRID("bfs, kmeans") "mask.p = "
                                                                                "1..mask.n\n[A-P1]"
                                                                                "\n" TEXTS
                                                                                "runs = np, "
                                                                                "swl\nrule = "
                                                                                "exact\n";
    char expected[sizeof columns / sizeof columns[0]][64];
    for (int i = 0; i < count; i++) {
        char *end = text + strlen(text);
        snprintf(end, sizeof text - (size_t)(end - text), "paper.%s = 1\nours.%s = %s\n",
                 columns[i].label, columns[i].label, columns[i].ours);
    }
    write_file("p.ini", "[grid]\n" GRID("spmv, bfs, kmeans") "mask.p = 1..mask.n\n");
    assert_int_equal(heddle("sweep", "p.ini"), 0);
    write_file("a.ini", text);
    expect("a.ini", 0, "9 points: 9 done"); /* the diagonal is made once */
    for (int i = 0; i < count; i++) {
        char command[128];
        snprintf(command, sizeof command, "grep '\"%s\",' o/claims.csv | cut -d, -f8",
                 columns[i].label);
        assert_int_equal(shell(command, said), 0);
        assert_true(atof(said) > 0);
        snprintf(expected[i], sizeof expected[i], columns[i].format, atof(said));
    }
    assert_int_equal(shell("$H/heddle map --table p.sqlite | tail -1", said), 0);
    for (int i = 0; i < count; i++)
        if (!strstr(said, expected[i]))
            fail_msg("%s: '%s' is not in %s", columns[i].label, expected[i], said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_FOLDER(pages), IN_FOLDER(as_the_map)};
    return cmocka_run_group_tests_name("tb/cli/claims/page", tests, NULL, NULL);
}
