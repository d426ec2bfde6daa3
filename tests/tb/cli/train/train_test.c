/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/train/train_test.c: `heddle train` on results that are made up: what it prints and writes, what
 * heddle run does with that, and what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/tb/cli/sweep/sweep_support.h"
#include "tests/tb/mem/random.h"
#include "tests/tb/shell.h"

#define DB      "p.sqlite"
#define KERNELS 40

/* A count of kernel i at a point. */
static void put(FILE *sql, int point, int i, const char *count, unsigned value)
{
    fprintf(sql, "INSERT INTO results VALUES (%d, 'kernel.k%d.%s', %u);", point, i, count, value);
}

/* Kernels of three warps at the six points of a group, which begin with `first`; kernel i is twice as
 * fast at one of them. */
static void put_kernels(int first, int from, int to)
{
    char *text;
    size_t size;
    FILE *sql = open_memstream(&text, &size);
    fprintf(sql, "BEGIN;");
    for (int i = from; i < to; i++)
        for (int at = 0; at < 6; at++) {
            const unsigned own = below(300), hits = own + below(300);
            put(sql, first + at, i, "cycles", at == i % 6 && at < 5 ? 10000 : 20000);
            put(sql, first + at, i, "launches", 1);
            put(sql, first + at, i, "warp_instructions", 4000 + below(8000));
            put(sql, first + at, i, "loads", 500);
            put(sql, first + at, i, "l1d.accesses", 1000);
            put(sql, first + at, i, "l1d.hits", 1 + hits);
            put(sql, first + at, i, "l1d.hits_intra_warp", own);
            put(sql, first + at, i, "l1d.waited", 1000 * below(400));
            put(sql, first + at, i, "warps_per_scheduler", 3);
        }
    fprintf(sql, "COMMIT");
    fclose(sql);
    change(DB, text);
    free(text);
}

/* A sweep, whose results are then replaced. */
static int with_results(void **state)
{
    in_folder(state);
    write_file("p.ini", "[training]\nworkload = vecadd\nsize = small\nrun.timing = 0\n"
                        "mask.n = 1..3\nmask.p = 1..mask.n\n"
                        "[judging]\nworkload = bfs\nsize = small\nrun.timing = 0\n"
                        "mask.n = 1..3\nmask.p = 1..mask.n\n");
    heddle("sweep", "--points=1 p.ini"); /* the others need not run */
    change(DB, "DELETE FROM results; UPDATE points SET status = 'done'");
    random_seed = 5;
    put_kernels(1, 0, KERNELS);
    put_kernels(7, KERNELS, KERNELS + 4);
    return 0;
}

static void train(const char *words, int status, const char *says)
{
    heddle_says("train", words, status, says);
}

/* A sixth of the kernels gain nowhere. */
static void learns_and_judges(void **unused)
{
    (void)unused;
    train("--group=training --evaluate=" DB " --evaluate-group=judging -o w.ini " DB, 0,
          "training: 34 of 40 kernels\n");
    assert_non_null(strstr(said, "\nevaluation: 3 of 4 kernels\n"));
    assert_non_null(strstr(said, "vecadd small config="));
    assert_non_null(strstr(said, "mean relative error: N "));
    assert_non_null(strstr(said, "\ndispersion "));
    assert_null(strstr(said, "left out"));
    static char file[MAX_OUTPUT];
    assert_int_equal(shell("cat w.ini", file), 0);
    assert_true(strstr(file, "; Weights of Poise's link functions, in millionths, by heddle "
                             "train.\n; Learned from 34 of 40 kernels; dispersion of N ") == file);
    assert_non_null(strstr(file, "\n; Sweep: " DB ", groups training\n[poise]\nalpha1 = "));
    assert_non_null(strstr(file, "\nbeta8 = "));
    /* the same results give the same file */
    train("--group=training -o w2.ini " DB, 0, "");
    assert_int_equal(shell("cmp w.ini w2.ini", file), 0);
    train("--group=training --verbose " DB, 0, "left out: best speed-up too small\n");
}

/* A workload of both sets whose kernels are no examples in one of them. */
static void judges_by_examples(void **unused)
{
    (void)unused;
    assert_int_equal(system("cp " DB " more.sqlite"), 0);
    train("--group=training --evaluate=more.sqlite " DB, 2, "vecadd is in the training set");
    change("more.sqlite", "DELETE FROM results WHERE point = 1");
    train("--group=training --evaluate=more.sqlite " DB, 0, "\nevaluation: 3 of 44 kernels\n");
}

/* What heddle run has of it. */
static void weights_are_settings(void **unused)
{
    (void)unused;
    static char value[MAX_OUTPUT];
    train("--group=training --weights=w.ini " DB, 0, "");
    assert_int_equal(shell("$H/heddle run --sched=poise --settings=w.ini --stats=s.json -- "
                           "$H/workloads/vecadd --size=small >/dev/null && "
                           "for key in alpha1 alpha8 beta3; do "
                           "[ \"$key = $(sed -n "
                           "\"s/.*\\\"poise.$key\\\":[[:space:]]*\\(.*\\),/\\1/p\" s.json)\" = "
                           "\"$(grep \"^$key = \" w.ini)\" ] || exit 9; done",
                           value),
                     0);
}

static void features_are_dropped(void **unused)
{
    (void)unused;
    static char file[MAX_OUTPUT];
    train("--group=training --drop=3 --drop=6 -o w.ini " DB, 0, "\nx3             0.000000     ");
    assert_int_equal(shell("cat w.ini", file), 0);
    assert_non_null(strstr(file, "\nalpha3 = 0\n"));
    assert_non_null(strstr(file, "\nbeta6 = 0\n"));
    assert_non_null(strstr(file, "\n; x3 was left out.\n; x6 was left out.\n[poise]"));
    train("--group=training --ridge=2 -o w.ini " DB, 0, "");
    assert_int_equal(shell("cat w.ini", file), 0);
    assert_non_null(strstr(file, "\n; With a ridge of 2.\n[poise]"));
    train("--drop=8 " DB, 2, "expected 1 to 7; x8 is the constant");
}

/* Nothing is written then. */
static void what_cannot_be_learned(void **unused)
{
    (void)unused;
    train("-o w.ini --evaluate=" DB " " DB, 2,
          "workload vecadd is in the training set and in the evaluation set");
    train("-o w.ini --group=judging " DB, 2, "3 kernels to learn 8 weights from");
    train("-o w.ini --group=training --least-speedup=3 -v " DB, 2,
          "0 kernels to learn 8 weights from");
    train("-o w.ini --group=training --least-cycles=20001 -v " DB, 2, "too few cycles a launch");
    train("-o /nowhere/w.ini --group=training " DB, 2, "/nowhere/w.ini");
    /* x3 among all others nearly the same: a weight beyond all bounds */
    change(DB, "CREATE TABLE was AS SELECT * FROM results;"
               "UPDATE results SET value = 100 WHERE point = 6 AND name GLOB '*intra_warp';"
               "UPDATE results SET value = 100.001 WHERE point = 6 AND name GLOB "
               "'kernel.k1*.l1d.hits_intra_warp'; UPDATE results SET value = 200 WHERE point = 6 "
               "AND name GLOB '*l1d.hits'");
    train("-o w.ini --group=training --drop=1 " DB, 2, "; the engine holds -16 to 16: the ");
    /* and quite the same */
    change(DB, "UPDATE results SET value = 100 WHERE point = 6 AND name GLOB '*intra_warp'");
    train("-o w.ini --group=training --drop=1 " DB, 2,
          "x3 follows from x8 and the features before it; expected more kernels, or --drop=3");
    assert_int_not_equal(access("w.ini", F_OK), 0);
}

static void corners_are_needed(void **unused)
{
    (void)unused;
    change(DB, "DELETE FROM results WHERE point = 1 AND name GLOB 'kernel.k1.*'");
    train("--group=training " DB, 0, "vecadd small config=");
    assert_non_null(strstr(said, ", kernel k1: no result at (1, 1); left out\n"));
    change(DB, "DELETE FROM results WHERE point = 6 AND name GLOB 'kernel.k2.*'");
    train("--group=training " DB, 0, ", kernel k2: no result at (W, W); left out\n");
    change(DB, "UPDATE points SET status = 'broken' WHERE id = 6");
    train("--group=training " DB, 2, ", kernel k3: no result at (W, W); left out\n");
}

static void hostile_results(void **unused)
{
    (void)unused;
    static const char *const changes[][2] = {
        {"DELETE FROM results WHERE point = 1 AND name = 'kernel.k1.l1d.waited'",
         "point 1 has no kernel.k1.l1d.waited"},
        {"INSERT INTO results VALUES (1, 'kernel.k1.l1d.waited', -1)",
         "point 1: kernel.k1.l1d.waited; expected a number from 0"},
        {"UPDATE results SET value = 'many' WHERE name = 'kernel.k1.l1d.waited'",
         "kernel.k1.l1d.waited; expected a number from 0"},
        {"UPDATE results SET value = 9e999 WHERE name = 'kernel.k1.l1d.waited'",
         "kernel.k1.l1d.waited; expected a number from 0"},
        {"UPDATE results SET value = 5 WHERE name = 'kernel.k1.l1d.waited';"
         "UPDATE results SET value = 1001 WHERE name = 'kernel.k1.l1d.hits'",
         "point 1, kernel k1: more hits than accesses"},
        {"UPDATE results SET value = 900 WHERE name = 'kernel.k1.l1d.hits';"
         "UPDATE results SET value = 0 WHERE name = 'kernel.k1.cycles'",
         "point 1, kernel k1: it took no cycles"},
        {"UPDATE results SET value = 9 WHERE name = 'kernel.k1.cycles';"
         "UPDATE results SET value = 0 WHERE name = 'kernel.k1.warps_per_scheduler'",
         "point 1, kernel k1: warps_per_scheduler is no number of warps"},
        {"UPDATE results SET value = 3 WHERE name = 'kernel.k1.warps_per_scheduler';"
         "UPDATE settings SET value = 4 WHERE point = 1 AND key = 'mask.p'",
         "point 1, kernel k0: mask.p is above mask.n"},
        {"UPDATE settings SET value = 'x' WHERE point = 1 AND key = 'mask.p'",
         "mask.p = x; expected 1 to 1024"},
        {"UPDATE settings SET value = 1 WHERE point = 1 AND key = 'mask.p';"
         "UPDATE settings SET value = 1 WHERE point = 2 AND key = 'mask.n'",
         "kernel k0: two points are (1, 1)"},
        {"DELETE FROM results WHERE name GLOB '*warps_per_scheduler'",
         "of groups like training has kernels with warps_per_scheduler and sets both"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        change(DB, changes[i][0]);
        train("--group=training " DB, 2, changes[i][1]);
    }
}

static void usage(void **unused)
{
    (void)unused;
    train("", 2, "no results; expected: heddle train [OPTION...] RESULTS.sqlite...");
    train("nowhere.sqlite", 2, "nowhere.sqlite: cannot be opened");
    train("p.ini", 2, "p.ini: cannot be opened");
    train("--evaluate-group=a " DB, 2, "--evaluate-group without --evaluate");
    train("--least-speedup=fast " DB, 2, "--least-speedup=fast: expected a number from 0");
    train("--least-cycles=-1 " DB, 2, "--least-cycles=-1: expected a number from 0");
}

int main(void)
{
#define WITH_RESULTS(test) cmocka_unit_test_setup_teardown(test, with_results, leave_folder)
    const struct CMUnitTest tests[] = {
        WITH_RESULTS(learns_and_judges),      WITH_RESULTS(judges_by_examples),
        WITH_RESULTS(weights_are_settings),   WITH_RESULTS(features_are_dropped),
        WITH_RESULTS(what_cannot_be_learned), WITH_RESULTS(corners_are_needed),
        WITH_RESULTS(hostile_results),        WITH_RESULTS(usage),
    };
    return cmocka_run_group_tests_name("tb/cli/train", tests, NULL, NULL);
}
