/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/claims/claims_test.c: `heddle claims`: what it says of a small ledger, that a wrong
 * figure or rule turns the verdict, that every error has its file and line, that a run is made once
 * and a killed command resumes; and the ledger of the papers itself: all of its claims, each whole. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/tb/cli/claims/claims_support.h"

#define DB "o/" CONFIG_NAME ".sqlite"

static char tree[4096]; /* the source tree: where the test was started */

static void verdicts(void **unused)
{
    (void)unused;
    static const struct {
        const char *lines, *says;
    } cases[] = {
        {"runs = all\npaper.x = 2\nours.x = count(workload: sum(run.sched: blocks))\nrule = "
         "exact\n",
         "paper          2  here          2  met (exact)\n    met\n    it is so\n"
         "    make claims CLAIM=A-P1\n"},
        /* planted: another figure of the paper, another rule */
        {"runs = all\npaper.x = 3\nours.x = count(workload: sum(run.sched: blocks))\nrule = "
         "exact\n",
         "not met (exact)\n    not met\n"},
        {"runs = all\npaper.x = 3\nours.x = count(workload: sum(run.sched: blocks))\n"
         "rule = within 1\n",
         "met (within 1)\n    met\n"},
        {"runs = all\npaper.x = 3\nours.x = count(workload: sum(run.sched: blocks))\n"
         "rule = within 0.9\n",
         "not met (within 0.9)\n    not met\n"},
        /* one of two is not met */
        {"paper.x = 4\nours.x = 2 + 2\npaper.y = 5\nours.y = 2 + 2\nrule = exact\n",
         "not met (exact)\n    not met\n"},
        {"paper.x = 4\nours.x = 2 + 2\nrule = exact\npaper.y = 5\nopen = another unit\n",
         "open\n    met; the rest open: needs another unit\n"},
        {"paper.x = 4\nopen = another unit\n", "open\n    open: needs another unit\n"},
        {"paper = much\nnot_comparable = their host\n",
         "paper: much\n    not comparable: their host\n"},
        {"paper.x = yes\nours.x = 1 < 2\nrule = true\n", "here        yes  met (true)\n"},
        {"paper.x = no\nours.x = 1 < 2\nrule = true\n", "here        yes  not met (true)\n"},
        /* what the paper has only drawn is shown, and changes no verdict */
        {"paper.x = drawn\nours.x = 2 + 2.5\n",
         "paper      drawn  here        4.5  shown\n    shown\n"},
        {"paper.x = drawn\nours.x = 4.5\npaper.y = 4\nours.y = 2 + 2\nrule = exact\n",
         "here        4.5  shown\n    y                            paper          4  here          "
         "4  met (exact)\n    met\n"},
        {"paper.x = drawn\nours.x = 4.5\npaper.y = 5\nours.y = 2 + 2\nrule = exact\n",
         "not met (exact)\n    not met\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ledger(cases[i].lines);
        expect("a.ini", 0, cases[i].says);
    }
    expect("--size=small --no-run a.ini", 0, "All programs at --size=small: for trying.");
    /* the runs of the first case served all that followed */
    ledger(cases[0].lines);
    expect("a.ini", 0, "4 of 4 points were run before\nnothing is left to run\n");
}

static void reasons_have_figures(void **unused)
{
    (void)unused;
    ledger("runs = all\npaper.x = 4\nours.x = 2 + 2\nrule = exact\n");
    char text[4096];
    snprintf(text, sizeof text,
             PAPER RUNS "[A-P1]\nwhere = a\nquantity = b\ncheck = EX\nruns = all\npaper.x = 4\n"
                        "ours.x = 4\nrule = exact\nreason = half is $(1 / 2), of $(count(point:\n"
                        "    blocks)) runs\n");
    write_file("a.ini", text);
    expect("--no-run a.ini", 0, "\n    half is 0.5, of ? runs\n");
    expect("a.ini", 0, "\n    half is 0.5, of 4 runs\n");
}

static void errors(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *says;
    } files[] = {
        {"", "a.ini: no [paper] with name and title"},
        {"[A-P1]\nwhere = x\n", "a.ini:2: [A-P1]; expected [paper] with a name first"},
        {PAPER "[B-P1]\nwhere = x\n", "a.ini:5: [B-P1]; expected [paper] with a name first"},
        {PAPER "colour = x\n", "a.ini:4: unknown key 'colour' of [paper]"},
        {PAPER "[A-P1]\nwhat = x\n", "a.ini:5: unknown key 'what'; expected where, quantity"},
        {PAPER "[A-P1]\nwhere = x\nwhere = y\n", "a.ini:6: where is given twice; first in line 5"},
        {PAPER "[A-P1]\n" TEXTS "paper = 1\nopen = x\n[A-P1]\nwhere = y\n",
         "a.ini:12: [A-P1] is given twice; first in line 4"},
        {PAPER "[A-P1]\nwhere = x\nquantity = y\ncheck = SM\n", "a.ini:4: [A-P1] has no reason"},
        {PAPER "[A-P1]\nquantity = y\ncheck = SM\nreason = z\n", "a.ini:4: [A-P1] has no where"},
        {PAPER "[A-P1]\nwhere = x\ncheck = SM\nreason = z\n", "a.ini:4: [A-P1] has no quantity"},
        {PAPER "[A-P1]\n" TEXTS "open = x\n", "a.ini:4: [A-P1] says nothing of the paper's value"},
        {PAPER "[A-P1]\n" TEXTS "paper = 5\n", "a.ini:4: [A-P1]: expected ours.LABEL, or one of"},
        {PAPER "[A-P1]\n" TEXTS "paper = 5\nopen = x\nnot_comparable = y\n", "or one of open and"},
        {PAPER "[A-P1]\n" TEXTS "ours.x = 5\nrule = exact\n", "a.ini:9:10: no paper.x; expected"},
        {PAPER "[A-P1]\n" TEXTS "paper.x = about 5\nours.x = 5\nrule = exact\n",
         "a.ini:9:11: expected a decimal number, yes, no or drawn"},
        {PAPER "[A-P1]\n" TEXTS "paper.x = drawn\nopen = it\n",
         "a.ini:9:11: drawn, and no number of ours"},
        {PAPER "[A-P1]\n" TEXTS "paper.x = drawn\nours.x = 1\nrule.x = exact\n",
         "a.ini:11:10: a rule for what the paper has no number of"},
        {PAPER "[A-P1]\n" TEXTS "stacked = yes\npaper.a, b = drawn\nours.a, b = 1\n",
         "a.ini:9:11: expected yes, and a figure"},
        {PAPER "[A-P1]\n" TEXTS "figure = 8\nstacked = yes\npaper.x = drawn\nours.x = 1\n",
         "a.ini:11:11: a label that is not 'BAR, PART' in a stacked picture"},
        {PAPER "[A-P1]\n" TEXTS "paper.x = drawn\nours.x = 1\nrobust = x\n",
         "a.ini:11:10: expected labels of values that are judged"},
        {PAPER "[A-P1]\n" TEXTS "paper.x = 5\nours.x = 5\n", "a.ini:10:10: no rule for 'x'"},
        {PAPER "[A-P1]\n" TEXTS "paper.x = 5\nours.x = 5\nrule = near\n",
         "a.ini:11:8: unknown rule; expected exact"},
        {PAPER "[A-P1]\n" TEXTS "paper.x = 5\nours.x = 5\nrule = true\n",
         "a.ini:11:8: the rule 'true' goes with yes and no"},
        {PAPER "[A-P1]\n" TEXTS "paper.x = 5\nours.x = 5 + * 6\nrule = exact\n",
         "a.ini:10:14: '*'; expected a number"},
        {PAPER "[A-P1]\n" TEXTS "paper.x = 5\nours.x = (5 +\n    6 7)\nrule = exact\n",
         "a.ini:11:7: '7)'; expected ')'"},
        {PAPER "[A-P1]\nwhere = x\nquantity = y\ncheck = SM\nreason = so $(1 +) it is\n"
               "paper = 1\nopen = z\n",
         "a.ini:8:18: the end; expected a number"},
        {PAPER
         "[A-P1]\nwhere = x\nquantity = y\ncheck = SM\nreason = so $(1\npaper = 1\nopen = z\n",
         "a.ini:8:13: $( without its )"},
        {PAPER "[A-P1]\n" TEXTS "paper.x = 5\nours.x = 5\nrule = exact\nrobust = y\n",
         "a.ini:12:10: expected labels of values that are judged"},
        {PAPER RUNS "[A-P1]\n" TEXTS "runs = some\npaper = 1\nopen = x\n",
         "a.ini:14:8: no [runs ...] of that name"},
        {PAPER RUNS "[A-P1]\n" TEXTS "runs = all\npaper.x = 5\nours.x = cycles{workload=bfs}\n"
                    "rule = exact\n",
         "a.ini:16:17: no run with workload=bfs here"},
        {PAPER RUNS "[A-P1]\n" TEXTS "runs = all\npaper.x = 5\nours.x = 1 + sum(point: cycle)\n"
                    "rule = exact\n",
         "a.ini:16:25: 'cycle': no such statistic"},
        {PAPER RUNS "[A-P1]\n" TEXTS "runs = all\npaper.x = 5\nours.x = cycles\nrule = exact\n",
         "a.ini:16:10: cycles of 4 runs; expected one"},
        {PAPER "[runs p]\nworkload = vecadd+spmv\n",
         "a.ini:5: [run] dispatch = lrr knows one kernel at a time; expected kmu"},
        {PAPER "[runs p]\nworkload = vecadd+spmv\nrun.dispatch = kmu\n[A-P1]\n" TEXTS
               "runs = p\npaper.x = 5\nours.x = sum(member: ipc + l1d.hits)\nrule = exact\n",
         "a.ini:14:28: 'l1d.hits': no such statistic of a member"},
        {PAPER "[runs p]\nworkload = vecadd+spmv\nrun.dispatch = kmu\n[A-P1]\n" TEXTS
               "runs = p\npaper.x = 5\nours.x = sum(member: ipc / alone(ipc))\nrule = exact\n",
         "a.ini:14:28: no run of vecadd by itself"},
        {PAPER "[runs a]\nworkload = nothing\n", "a.ini:5: workload = nothing: unknown workload"},
        {PAPER "[runs a]\nworkload = bfs\nl1d.colour = 3\n", "a.ini:6: unknown key 'l1d.colour'"},
        {PAPER "[runs a]\nworkload = bfs\nrun.sched = best\n",
         "[run] sched = best: unknown policy"},
        {PAPER "[runs a]\nworkload = bfs\nl1d.ways = 0\n",
         "a.ini:6: [l1d] ways = 0 is out of range"},
    };
    assert_int_equal(
        shell("$H/heddle run --set run.timing=0 --stats=n.json -- $H/workloads/vecadd --size=small",
              said),
        0);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        write_file("a.ini", files[i].text);
        expect("--names=n.json a.ini", 2, files[i].says);
    }
    /* a configuration that is not built is known, but cannot run */
    write_file("a.ini", PAPER "[runs a]\nconfig = nowhere\nworkload = bfs\nl1d.ways = 2\n"
                              "[A-P1]\n" TEXTS "runs = a\npaper.x = 5\nours.x = cycles\n"
                              "rule = exact\n");
    expect("--configs a.ini", 0, "nowhere\n");
    expect("--no-run a.ini", 0, "not run (config=nowhere workload=bfs l1d.ways=2: not run)");
    expect("a.ini", 2, "config = nowhere is not built");
    expect("nowhere.ini", 2, "nowhere.ini: cannot be read");
    expect("", 2, "no file of claims");
    ledger("paper = 1\nopen = x\n");
    expect("--claim=A-P9 a.ini", 2, "there is no claim A-P9\n");
    expect("--paper=B a.ini", 2, "there is no claim of B\n");
    expect("--robust a.ini", 2, "--robust needs --variants");
    expect("--size=tiny a.ini", 2, "size = tiny; expected small");
    write_file("v.ini", "[v]\nl9.colour = 3\n");
    expect("--variants=v.ini a.ini", 2, "v.ini:2: unknown section [l9]");
    write_file("v.ini", "[v]\nl1d.index = * 2\n");
    expect("--variants=v.ini a.ini", 2, "v.ini:2: l1d.index = * 2; expected a number's key");
}

/* A gain must keep its sign on other machines; a planted variant turns it. */
static void signs(void **unused)
{
    (void)unused;
    write_file("v.ini", "[memory]\ndram.latency = * 2\n[slow]\nsp.latency = * 200\n");
    write_file("a.ini", PAPER "[runs all]\nconfig = " CONFIG_NAME "\nworkload = vecadd\n"
                              "size = small\nsp.latency = 1, 2\n"
                              "[A-P1]\n" TEXTS "runs = all\npaper.sum = 3\nours.sum = 3\n"
                              "paper.gain = 3\nours.gain = 10000 - min(sp.latency: cycles) / 1000\n"
                              "paper.fast = yes\nours.fast = max(sp.latency: cycles) < "
                              "1.4 * min(sp.latency: cycles)\n"
                              "rule.fast = true\nrule = same sign\nrobust = gain, fast\n");
    expect("--robust --variants=v.ini a.ini", 0, "met (same sign); sign holds on 2");
    if (!strstr(said, "not met (true); sign turns: slow\n    not met\n"))
        fail_msg("expected that the sign turns in:\n%s", said);
    assert_int_equal(
        shell("grep -qF '| gain sign holds on 2<br>fast sign turns: slow |' o/claims.md", said), 0);
    /* without them, and their runs are kept */
    expect("--variants=v.ini a.ini", 0, "met (true)\n    met\n");
    assert_int_equal(count_of(DB, "SELECT count(*) FROM points WHERE status = 'done'"), 6);
}

/* What a profile chose on the machine as it is stays chosen on the others, and nothing else is run
 * there: a choice made anew could not be worse than what it is compared with. */
static void choices(void **unused)
{
    (void)unused;
    write_file("v.ini", "[slow]\ndram.latency = * 20\n");
    write_file("a.ini", PAPER
               "[runs each]\nconfig = " CONFIG_NAME "\nworkload = vecadd\nsize = small\n"
               "sp.latency = 40\ndram.latency = 60\n"
               "[runs tried]\nconfig = " CONFIG_NAME "\nworkload = vecadd\nsize = small\n"
               "sp.latency = 1\ndram.latency = 80\n"
               "[runs tried]\nconfig = " CONFIG_NAME "\nworkload = vecadd\nsize = small\n"
               "sp.latency = 200, 201, 202\ndram.latency = 20\n"
               "[runs pair]\nconfig = " CONFIG_NAME "\nworkload = vecadd\nsize = small\n"
               "run.sched = gto\nsp.latency = 1\ndram.latency = 80\n"
               "[runs pair]\nconfig = " CONFIG_NAME "\nworkload = vecadd\nsize = small\n"
               "run.sched = gto\nsp.latency = 200, 201\ndram.latency = 20\n"
               "[runs pair]\nconfig = " CONFIG_NAME "\nworkload = vecadd\nsize = small\n"
               "run.sched = lrr\nsp.latency = 1, 200, 201\ndram.latency = 30\n"
               "[A-P1]\n" TEXTS "runs = each, tried, pair\npaper.gain = 3\n"
               "ours.gain = cycles{each} / min(point: cycles){tried} - 1\n"
               "paper.by kernel = 3\nours.by kernel = cycles{each} / "
               "sum(kernel: min(point: cycles){tried}) - 1\n"
               "paper.rival = 3\nours.rival = cycles{each} / "
               "where_min(sp.latency: cycles{run.sched=gto}: cycles{run.sched=lrr}){pair} - 1\n"
               "paper.latency = 1\nours.latency = where_min(point: cycles: sp.latency){tried}\n"
               "rule = same sign\nrobust = gain, by kernel, rival\n");
    expect("--robust --variants=v.ini a.ini", 0, "sign turns: slow");
    assert_non_null(strstr(strstr(said, "sign turns: slow") + 1, "sign turns: slow"));
    /* eleven here; on the other machine the one compared with, the one chosen, and one of a pair whose
     * other half has chosen here */
    assert_int_equal(count_of(DB, "SELECT count(*) FROM points WHERE status = 'done'"), 14);
    assert_int_equal(count_of(DB, "SELECT count(*) FROM points WHERE status = 'done' AND id IN "
                                  "(SELECT point FROM settings WHERE key = 'dram.latency' AND "
                                  "value + 0 > 100)"),
                     3);
    /* with a choice that holds */
    write_file("v.ini", "[fast]\ndram.latency = * 1.1\n");
    expect("--robust --variants=v.ini a.ini", 0, "sign holds on 1");
    lacks("sign turns");
}

/* A result, for figures that are computed again here. */
static double result(const char *workload, int partition, const char *name)
{
    char query[512];
    snprintf(
        query, sizeof query,
        "SELECT r.value FROM results r JOIN points p ON r.point = p.id LEFT JOIN settings s ON "
        "s.point = p.id AND s.key = 'kmu.partition' WHERE p.workload = '%s' AND "
        "coalesce(s.value, '-1') = '%d' AND r.name = '%s'",
        workload, partition, name);
    const char *value = value_of(DB, query);
    if (!*value)
        fail_msg("%s: no row", query);
    return strtod(value, NULL);
}

/* How much faster two programs are beside each other than one after the other (thesis 8.6.1). */
static double speed_up(const char *first, const char *second, int partition)
{
    char pair[64];
    snprintf(pair, sizeof pair, "%s+%s", first, second);
    return sqrt(2 * result(pair, partition, "first.ipc") / result(first, -1, "ipc") * 2 *
                result(pair, partition, "second.ipc") / result(second, -1, "ipc"));
}

/* Two workloads beside each other: each against its run alone, the mean, the worst, and by class; the same as computed here. */
static void pairs(void **unused)
{
    (void)unused;
    char says[512];
#define SPEEDUP "gmean(member: 2 * ipc / alone(ipc{solo}))"
    write_file("a.ini", PAPER
               "[runs solo]\nconfig = " CONFIG_NAME "\nworkload = vecadd, spmv, lud\nsize = small\n"
               "[runs like]\nconfig = " CONFIG_NAME "\nworkload = spmv+spmv\nsize = small\n"
               "run.dispatch = kmu\nkmu.partition = 0, 2\n"
               "[runs mixed]\nconfig = " CONFIG_NAME "\nworkload = vecadd+spmv, spmv+lud\n"
               "size = small\nrun.dispatch = kmu\nkmu.partition = 0, 2\n"
               "[A-P1]\nwhere = a\nquantity = b\ncheck = SM\nruns = solo, like, mixed\n"
               "paper.runs = 9\nours.runs = count(point: cycles)\nrule = exact\n"
               "reason = $(mean(workload: " SPEEDUP "){kmu.partition=0}), "
               "$(min(workload: " SPEEDUP "){kmu.partition=2}),\n"
               "    $(mean(workload, kmu.partition: " SPEEDUP "){mixed}), "
               "$(" SPEEDUP "{like, kmu.partition=2})\n");
#undef SPEEDUP
    expect("a.ini", 0, "here          9  met (exact)");
    const double like[] = {speed_up("spmv", "spmv", 0), speed_up("spmv", "spmv", 2)},
                 one[] = {speed_up("vecadd", "spmv", 0), speed_up("vecadd", "spmv", 2)},
                 other[] = {speed_up("spmv", "lud", 0), speed_up("spmv", "lud", 2)};
    snprintf(says, sizeof says, "\n    %.4g, %.4g, %.4g, %.4g\n", (like[0] + one[0] + other[0]) / 3,
             fmin(fmin(like[1], one[1]), other[1]), (one[0] + one[1] + other[0] + other[1]) / 4,
             like[1]);
    expect("--no-run a.ini", 0, says);
    assert_int_equal(shell("ls " DB ".captures | wc -l", said), 0);
    assert_int_equal(atoi(said), 3);
    /* other sizes, other captures */
    expect("--size=1000 --dry-run a.ini", 0, CONFIG_NAME ": 9 runs, 0 of them done");
}

/* Killed half way, the second command runs the rest, and nothing twice. */
static void killed_and_resumed(void **state)
{
    int status;
    write_file("a.ini", PAPER "[runs all]\nconfig = " CONFIG_NAME "\nworkload = vecadd, spmv\n"
                              "size = small\nrun.deadlock_cycles = 100001..100006\n"
                              "[A-P1]\n" TEXTS "runs = all\npaper.x = 12\n"
                              "ours.x = count(point: cycles)\nrule = exact\n");
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        execl("/bin/sh", "sh", "-c",
              "exec \"$HEDDLE_BUILD\"/heddle claims --out=o a.ini >said 2>&1", (char *)NULL);
        _exit(127);
    }
    for (int i = 0; i < 3000; i++) {
        usleep(20000);
        if (!access(DB, F_OK) && count_of(DB, "SELECT count(*) FROM sqlite_schema") &&
            count_of(DB, "SELECT count(*) FROM points WHERE status = 'done'") >= 4)
            break;
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    for (int i = 0; i < 100 && processes_in(*state); i++)
        usleep(50000);
    const int done = count_of(DB, "SELECT count(*) FROM points WHERE status = 'done'");
    assert_in_range(done, 4, 11);
    /* a figure that no run can give survives where nothing is repeated */
    change(DB, "UPDATE results SET value = -1 WHERE name = 'cycles' AND point ="
               " (SELECT min(id) FROM points WHERE status = 'done')");
    expect("--no-run a.ini", 0, "not run\n");
    expect("a.ini", 0, "here         12  met (exact)");
    assert_non_null(strstr(said, "12 points: 12 done"));
    assert_int_equal(count_of(DB, "SELECT count(*) FROM results WHERE value = -1"), 1);
}

/* The papers' ledger: as many claims as each paper commits to, every one whole, every name known. */
static void the_papers(void **unused)
{
    (void)unused;
    static const struct {
        const char *paper, *file, *ids;
    } papers[] = {
        {"DAWS", "daws", "S5 A3 P11 X3"}, {"POISE", "poise", "S3 A3 P15 X4"},
        {"RLWS", "rlws", "S4 A1 P9 X6"},  {"PAVER", "paver", "S2 A3 P14 X2"},
        {"TH", "thesis", "A3 P27 X1"},
    };
    char words[4096], files[2048] = "";
    int all = 0;
    for (size_t i = 0; i < 5; i++) {
        char file[512];
        snprintf(file, sizeof file, " '%.200s'/tb/experiments/claims/%s.ini", tree, papers[i].file);
        strcat(files, file);
    }
    assert_int_equal(
        shell("$H/heddle run --set run.timing=0 --stats=n.json -- $H/workloads/vecadd --size=small",
              said),
        0);
    /* Files of settings are named from the top of the tree. */
    snprintf(words, sizeof words, "ln -s '%.200s'/tb tb", tree);
    assert_int_equal(shell(words, said), 0);
    snprintf(words, sizeof words,
             "--no-run --names=n.json --variants='%.200s'/tb/experiments/claims/variants.ini %s",
             tree, files);
    expect(words, 0, "\n127 claims:");
    assert_int_equal(shell("cut -d, -f1 o/claims.csv | uniq | tr -d '\"'", said), 0);
    for (size_t i = 0; i < 5; i++)
        for (const char *at = papers[i].ids; *at; at += strspn(at, " ")) {
            char kind = *at++, *end;
            const long count = strtol(at, &end, 10);
            at = end;
            for (long n = 1; n <= count; n++, all++) {
                char id[32];
                snprintf(id, sizeof id, "\n%s-%c%ld\n", papers[i].paper, kind, n);
                if (!strstr(said, id))
                    fail_msg("%s is not in the ledger", id + 1);
            }
        }
    assert_int_equal(all, 119);
    assert_int_equal(shell("wc -l <o/claims.md", said), 0);
    assert_in_range(atoi(said), 119, 200);
    /* 36 pairs as INTRA and, on 7 and 8 SMs, as INTER; nine programs alone */
    snprintf(words, sizeof words,
             "--dry-run --claim=TH-P11 '%.200s'/tb/experiments/claims/thesis.ini", tree);
    expect(words, 0, "gtx480: 261 runs, 0 of them done");
    /* planted: another figure in the paper, another number of bits here */
    static const char *const faults[] = {"s/^paper.bytes = 40.75/paper.bytes = 40.8/",
                                         "s/2 [*] 3 + 96/2 * 3 + 97/", "s/^nothing//"};
    for (int i = 0; i < 3; i++) {
        snprintf(words, sizeof words,
                 "sed '%s' '%.200s'/tb/experiments/claims/poise.ini >poise.ini; "
                 "$H/heddle claims --out=o --no-run --claim=POISE-S1 poise.ini",
                 faults[i], tree);
        assert_int_equal(shell(words, said), 0);
        assert_non_null(strstr(said, "  here "));
        assert_int_equal(strstr(said, " not met (exact)\n") != NULL, i < 2);
    }
    snprintf(
        words, sizeof words,
        "cd '%.200s' && sed -n 's/^config = //p' tb/experiments/claims/*.ini | tr -s ', ' '\\n' |"
        " sort -u | while read -r c; do ls configs/$c.ini || exit 1; done",
        tree);
    assert_int_equal(shell(words, said), 0);
    assert_non_null(strstr(said, "configs/poise.ini\n"));
}

int main(void)
{
    assert_non_null(getcwd(tree, sizeof tree));
    const struct CMUnitTest tests[] = {
        IN_FOLDER(verdicts),
        IN_FOLDER(reasons_have_figures),
        IN_FOLDER(errors),
        IN_FOLDER(signs),
        IN_FOLDER(choices),
        IN_FOLDER(pairs),
        IN_FOLDER(killed_and_resumed),
        IN_FOLDER(the_papers),
    };
    return cmocka_run_group_tests_name("tb/cli/claims", tests, NULL, NULL);
}
