/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/engine/engine_test.c: `heddle report --engine`: tables and pictures of four epochs written by hand, files that are not
 * what they should be, and what a run leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hw.h"
#include "tests/tb/cli/sweep/sweep_support.h"
#include "tests/tb/shell.h"

#define DB "p.sqlite"

/* Kernel k: on SM 0 a search that ends and one that the kernel cuts off; on SM 1 a search and an epoch bound by computation. The
 * other kernel has no log. */
static const char statistics[] =
    "{\"kernels\": [{\"name\": \"old\"}, {\"name\": \"k\", \"log\": {\"poise\": {\n"
    "\"left_out\": 0,\n"
    "\"sm\": [0, 0, 1, 1],\n"
    "\"epoch\": [0, 1, 0, 1],\n"
    "\"first\": [2, 2602, 2, 2602],\n"
    "\"last\": [2601, 4000, 2601, 4000],\n"
    "\"most\": [3, 3, 3, 3],\n"
    "\"given\": [0, 0, 1, 0],\n"
    "\"accesses_base\": [100, 100, null, 0],\n"
    "\"instructions_base\": [400, 400, null, 400],\n"
    "\"globals_base\": [100, 100, null, 0],\n"
    "\"hit_base\": [0.25, 0.5, null, 0],\n"
    "\"own_base\": [0.125, 0.5, null, 0],\n"
    "\"gap\": [4, 4, null, 255.99609375],\n"
    "\"latency_base\": [300.5, 301, null, 0],\n"
    "\"accesses_lone\": [50, 50, null, null],\n"
    "\"instructions_lone\": [200, 200, null, null],\n"
    "\"hit_lone\": [0.75, 0.75, null, null],\n"
    "\"own_lone\": [0.75, 0.75, null, null],\n"
    "\"latency_lone\": [80, 80, null, null],\n"
    "\"predicted_n\": [3, 2, 2, null],\n"
    "\"predicted_p\": [1, 2, 2, null],\n"
    "\"samples\": [5, 1, 4, 0],\n"
    "\"found_n\": [3, null, 3, null],\n"
    "\"found_p\": [2, null, 3, null],\n"
    "\"ended\": [\"search\", \"kernel\", \"search\", \"compute\"]\n"
    "}}}]}\n";

/* A sweep of kernel k, whose results are then replaced. */
static int with_files(void **state)
{
    in_folder(state);
    write_file("s.json", statistics);
    write_file("p.ini", "[a]\nworkload = vecadd\nsize = small\nrun.timing = 0\nmask.n = 1..3\n"
                        "mask.p = 1..mask.n\n"
                        "[b]\nworkload = vecadd\nargs = --elements=9\nmask.n = 1\nmask.p = 1\n");
    heddle("sweep", "p.ini"); /* [b] is broken */
    change(DB,
           "DELETE FROM results;"
           "INSERT INTO results VALUES (1, 'kernel.k.cycles', 200), (2, 'kernel.k.cycles', 80),"
           " (3, 'kernel.k.cycles', 100), (4, 'kernel.k.cycles', 125), (5, 'kernel.k.cycles', 50),"
           " (6, 'kernel.k.cycles', 100)");
    return 0;
}

static void report(const char *words, int status, const char *says)
{
    heddle_says("report", words, status, says);
}

static void table(void **unused)
{
    (void)unused;
    report("--engine s.json | tr -s ' '", 0,
           "kernel launch sm epoch first last W h_o% eta_o% I_n L_o m_o h'% eta'% L' m' predicted "
           "samples found ended\n"
           "k 1 0 0 2 2601 3 25.00 12.50 4.00 300.5 75.00 75.00 80.0 (3, 1) 5 (3, 2) search\n"
           "k 1 0 1 2602 4000 3 50.00 50.00 4.00 301.0 75.00 75.00 80.0 (2, 2) 1 - kernel\n"
           "k 1 1 0 2 2601 3 - - - - - - - (2, 2) 4 (3, 3) search, pair given\n"
           "k 1 1 1 2602 4000 3 0.00 0.00 256.00 0.0 - - - - 0 - compute\n");
    /* (0 + 1) / 2, (1 + 1) / 2, (1 + sqrt(2)) / 2 */
    report("--engine s.json | tr -s ' ' | tail -1", 0,
           "k 4 2 1 0 0 1 4.50 2.33 1.67 3.00 2.50 0.50 1.00 1.21\n");
    report("--engine --sm=0 s.json | tr -s ' ' | tail -1", 0,
           "k 2 1 0 0 0 1 5.00 2.50 1.50 3.00 2.00 0.00 1.00 1.00\n");
    report("--engine --sm=1 --kernel=k s.json | grep -c 'search, pair given$'", 0, "1\n");
    assert_int_equal(system("sed -i 's/\"left_out\": 0/\"left_out\": 7/' s.json"), 0);
    report("--engine s.json", 0, "7 more epochs, the last of their SMs, are not in the log\n");
}

static void usage(void **unused)
{
    (void)unused;
    report("--help", 0, "--engine");
    report("--engine", 2, "no statistics file");
    report("--engine s.json s.json", 2, "--engine takes one file");
    report("--engine --get=a s.json", 2, "neither --get nor --without");
    report("--sm=1 s.json", 2, "go with --engine");
    report("--engine --sm=x s.json", 2, "--sm=x: expected a number from 0 to");
    report("--engine --map=" DB " s.json", 2, "--map goes with --picture");
    report("--engine --group=a s.json", 2, "go with --map");
    report("--engine /nowhere.json", 2, "/nowhere.json: cannot be read");
    report("--engine --picture=/nowhere/p.svg s.json", 2, "/nowhere/p.svg: cannot be written");
    report("--engine --picture=p.gif s.json", 2,
           "expected a name that ends with .svg, .png or .pdf");
    report("--engine --sm=2 s.json", 2,
           "s.json: 1 kernels have a log of the inference engine, none");
    report("--engine --kernel=none s.json", 2, "none an epoch of kernel none");
}

/* Each edit of the file, and what is said of it. */
static void hostile(void **unused)
{
    (void)unused;
    static const char *const edits[][2] = {
        {"s/.*/{/", "not JSON"},
        {"s/kernels/colonels/", "'kernels' is missing"},
        {"s/poise/mask/", "no kernel has a log of the inference engine"},
        {"s/\"name\": \"k\"/\"name\": 7/", "expected a kernel with a name"},
        {"/left_out/d", "kernels.1.log.poise.left_out: expected a number"},
        {"s/\"left_out\": 0/\"left_out\": -1/", "poise.left_out: expected"},
        {"s/\"epoch\": .0, 1, 0, 1./\"epoch\": [0, 1, 0]/", "expected an array of 3 values"},
        {"/\"gap\"/d", "kernels.1.log.poise.gap: expected an array of 4 values"},
        {"s/300.5/\"many\"/", "latency_base: expected numbers from 0, or null"},
        {"s/300.5/-1/", "latency_base: expected numbers from 0, or null"},
        {"s/300.5/1e300/", "latency_base: expected numbers from 0, or null"},
        {"s/\"samples\": .5/\"samples\": [null/", "samples: expected numbers, none missing"},
        {"s/\"sm\": .0/\"sm\": [0.5/", "sm: expected numbers of SMs"},
        {"s/\"sm\": .0/\"sm\": [1e9/", "sm: expected numbers of SMs"},
        {"s/\"most\": .3/\"most\": [65/", "most: expected numbers from 1 to 64"},
        {"s/\"predicted_n\": .3/\"predicted_n\": [4/", "predicted_n: expected 1 <= predicted_p"},
        {"s/\"predicted_n\": .3/\"predicted_n\": [null/", "predicted_n: expected 1 <= predicted_p"},
        {"s/\"predicted_p\": .1/\"predicted_p\": [1.5/", "predicted_n: expected 1 <= predicted_p"},
        {"s/\"found_n\": .3/\"found_n\": [1/", "found_n: expected 1 <= found_p <= found_n"},
        {"s/kernel\", \"search/search\", \"search/", "ended: expected search where a pair"},
        {"s/\"compute\"/\"compiled\"/", "ended: expected search, compute, idle, epoch or kernel"},
        {"s/\"compute\"/9/", "ended: expected search, compute, idle, epoch or kernel"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        char command[512];
        snprintf(command, sizeof command, "sed '%s' s.json >h.json", edits[i][0]);
        assert_int_equal(system(command), 0);
        report("--engine --picture=h.svg h.json", 2, edits[i][1]);
        assert_true(strstr(said, "h.json: ") == said);
        assert_int_equal(system("! ls h.svg 2>/dev/null"), 0);
    }
}

/* A gnuplot that only keeps what it is told. */
static void script_of(const char *words, char script[MAX_OUTPUT])
{
    char command[256];
    snprintf(command, sizeof command, "PATH=. $H/heddle report --engine --picture=p.svg %s s.json",
             words);
    if (shell(command, said))
        fail_msg("%s", said);
    assert_int_equal(system("grep -q drawn p.svg"), 0);
    assert_int_equal(shell("cat script", script), 0);
}

static void picture(void **unused)
{
    (void)unused;
    static char script[MAX_OUTPUT];
    write_file("gnuplot", "#!/bin/sh\n/bin/cat >script; echo drawn\n");
    assert_int_equal(system("chmod +x gnuplot"), 0);
    script_of("", script);
    /* predicted, the way to what was found, how often */
    assert_non_null(strstr(script, "\n3 1 0 1 1\n"));
    assert_non_null(strstr(script, "\n2 2 1 1 1\n"));
    assert_non_null(strstr(script, "\n2 2 0 0 1\n")); /* and none was found */
    assert_non_null(strstr(script, "\n3 2 0.3000\n"));
    assert_non_null(strstr(script, "\n3 3 0.3000\n"));
    assert_non_null(strstr(script, "'k: 4 epochs, 3 predicted, 2 searched to the end'"));
    assert_null(strstr(script, "$map0"));
    script_of("--map=" DB, script);
    assert_non_null(strstr(script, "3 2 0.4600 1736503 2.000000\n"));
    assert_non_null(strstr(script, "vecadd small config=" CONFIG_NAME));
    assert_non_null(strstr(script, "plot $map0 using 1:2:3:4 with circles"));
    /* equal epochs are one, and larger */
    assert_int_equal(system("sed -i 's/predicted_n\": .3, 2, 2/predicted_n\": [3, 2, 3/; "
                            "s/predicted_p\": .1, 2, 2/predicted_p\": [1, 2, 1/; "
                            "s/found_p\": .2, null, 3/found_p\": [2, null, 2/' s.json"),
                     0);
    script_of("", script);
    assert_non_null(strstr(script, "\n3 1 0 1 2\n"));
    assert_non_null(strstr(script, "\n$found0 << EOD\n3 2 0.3000\nEOD\n"));
}

static void pictures_by_gnuplot(void **unused)
{
    (void)unused;
    report("--engine --picture=p.svg --map=" DB " s.json", 0, "search");
    report("--engine --picture=p.png --map=" DB " --group=a --workload=vecadd s.json", 0, "search");
    report("--engine --picture=q.svg s.json", 0, "search");
    assert_null(strstr(said, "arning"));
    assert_int_equal(system("grep -q '<svg' p.svg && grep -q predicted p.svg && head -c 4 p.png | "
                            "grep -q PNG && grep -q '<svg' q.svg && ! ls *.new 2>/dev/null"),
                     0);
    assert_int_equal(system("sed -i 's/\"name\": \"k\"/\"name\": \"`touch x`\"/' s.json"), 0);
    report("--engine --picture=p.svg s.json", 0, "touch");
    assert_int_equal(system("! ls x 2>/dev/null"), 0);
}

static void no_picture(void **unused)
{
    (void)unused;
    report("--engine --picture=p.svg --map=/nowhere.sqlite s.json", 2, "/nowhere.sqlite: cannot");
    report("--engine --picture=p.svg --map=" DB " --group=b s.json", 2,
           "p.sqlite: no point has cycles of kernel k");
    change(DB, "INSERT INTO results VALUES (7, 'kernel.k.cycles', 10)");
    report("--engine --picture=p.svg --map=" DB " s.json", 2,
           "p.sqlite: kernel k has several maps, 'vecadd small config=");
    change(DB, "DELETE FROM results WHERE point = 6");
    report("--engine --picture=p.svg --map=" DB " --group=a s.json", 2,
           "(3, 3) has no result; all else is compared with it");
    assert_int_equal(system("sed -i 's/_\\([np]\\)\": .*/_\\1\": [null, null, null, null],/; "
                            "s/\"search\"/\"epoch\"/g' s.json"),
                     0);
    report("--engine --picture=p.svg s.json", 2, "there is no pair to draw: in none of 4 epochs");
    report("--engine s.json", 0, " epoch\n");
    assert_int_equal(system("! ls p.svg 2>/dev/null"), 0);
}

/* What a run leaves: means are sums of the totals over counts; a sweep has them; without the engine there is none. */
#define RUN(sched)                                                                                 \
    "cd $(mktemp -d) && $H/heddle run --sched=" sched " --set poise.period=4000 "                  \
    "--set poise.warmup=20 --set poise.feature=200 --set poise.search=50 --stats=s.json -- "       \
    "$H/workloads/spmv --rows=2048 --nonzeros=16 >/dev/null && "
static void of_a_run(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {RUN("poise") "$H/heddle report --engine s.json", 0, "\nspmv "},
        {RUN("poise") "$H/heddle report s.json && $H/heddle compare s.json && $H/heddle report "
                      "--get=kernels.0.log.poise.ended s.json | cut -d' ' -f2 | sort -u",
         0, "search\n"},
        {RUN("poise") "get() { $H/heddle report --get=found.$1 s.json; } && $H/heddle report "
                      "--engine "
                      "s.json | tail -1 | awk \"{ d = \\$NF - $(get distance) / 1000 / $(get "
                      "epochs_search); exit !(d < 0.006 && d > -0.006 && \\$2 == $(get epochs)) "
                      "}\"",
         0, NULL},
        {RUN("gto") "$H/heddle report --engine s.json", 2,
         "s.json: no kernel has a log of the inference engine (kernels.0.log.poise); expected the "
         "statistics of a run with --sched=poise\n"},
    };
    TRY(commands);
}

static void sums_of_a_sweep(void **unused)
{
    (void)unused;
    write_file("e.ini",
               "[a]\nworkload = spmv\nargs = --rows=512 --nonzeros=8\nrun.sched = poise, gto\n"
               "poise.period = 3000\npoise.warmup = 20\npoise.feature = 100\n");
    assert_int_equal(heddle("sweep", "e.ini"), 0);
    assert_int_equal(count_of("e.sqlite",
                              "SELECT count(*) FROM results JOIN settings USING (point) "
                              "WHERE name = 'found.epochs' AND key = 'run.sched' AND "
                              "(results.value > 0) = (settings.value = 'poise')"),
                     2);
}

int main(void)
{
#define WITH_FILES(test) cmocka_unit_test_setup_teardown(test, with_files, leave_folder)
    const struct CMUnitTest tests[] = {
        WITH_FILES(table),
        WITH_FILES(usage),
        WITH_FILES(hostile),
        WITH_FILES(picture),
        WITH_FILES(pictures_by_gnuplot),
        WITH_FILES(no_picture),
        cmocka_unit_test(of_a_run),
        IN_FOLDER(sums_of_a_sweep),
    };
    return cmocka_run_group_tests_name("tb/cli/engine", tests, NULL, NULL);
}
