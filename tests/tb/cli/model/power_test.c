/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/power_test.c: `heddle model power` fitted to runs made up so that the model is known, or found by hand; and to real
 * runs, by the events that cost something there. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/tb/cli/model/camp_support.h"
#include "tests/tb/cli/model/power_support.h"
#include "tests/tb/cli/sweep/sweep_support.h"

/* What stands in the rows of runs. */
enum { MACHINE, MODEL, ERROR, LEFT_OUT, LEFT_OUT_ERROR, NUM_COLUMNS_OF_RUNS };

static void read_all(const char *path, char *text, size_t size)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, size - 1, f)] = 0;
    fclose(f);
}

/* By hand ---------------------------------------------------------------------------------------*/

/* A run of so many branches per nanosecond on each of 15 SMs, and watts of each. */
static void write_point(const char *path, double branches, double watts)
{
    struct power_counts c = power_some(0);
    c.cycles = 1000;
    c.branches = branches * 15 * c.cycles;
    power_write(path, "k", &c, 15 * watts, 7, 16);
}

/* The line through (1, 3), (2, 5), (3, 6) has the slope 1.5 and passes (2, 14 / 3). Through two of them it says 4 for the first, 4.5 for the
 * second, 7 for the third. */
static void a_line(void **unused)
{
    (void)unused;
    double row[NUM_COLUMNS_OF_RUNS], coefficient[2];
    static const double expected[3][NUM_COLUMNS_OF_RUNS] = {
        {45, 15 * (14 / 3. - 1.5), 100 / 18., 60, 100 / 3.},
        {75, 15 * 14 / 3., -100 / 15., 67.5, -10},
        {90, 15 * (14 / 3. + 1.5), 100 / 36., 105, 100 / 6.},
    };
    write_point("a.json", 1, 3);
    write_point("b.json", 2, 5);
    write_point("c.json", 3, 6);
    power_says("--events=branches --csv=runs.csv -o p.svg a.json b.json c.json", 0,
               "3 runs, 15 SMs, 1000 MHz\n");
    power_numbers(said, "an idle SM  ", coefficient, 2);
    camp_near(coefficient[0], 14 / 3. - 3, 1e-4);
    /* Of the watts that the model says: idle over (idle + 1.5 x). */
    const double idle = 5 / 3.;
    camp_near(coefficient[1],
              100. / 3 * idle * (1 / (idle + 1.5) + 1 / (idle + 3) + 1 / (idle + 4.5)), .051);
    power_numbers(said, "branches    ", coefficient, 2);
    camp_near(coefficient[0], 1.5, 1e-4);
    camp_near(coefficient[1], 100. / 3 * (1.5 / (idle + 1.5) + 3 / (idle + 3) + 4.5 / (idle + 4.5)),
              .051);
    static const char *const names[] = {"a.json      ", "b.json      ", "c.json      "};
    for (unsigned i = 0; i < 3; i++) {
        power_numbers(said, names[i], row, NUM_COLUMNS_OF_RUNS);
        for (unsigned k = 0; k < NUM_COLUMNS_OF_RUNS; k++)
            camp_near(row[k], expected[i][k], k == ERROR || k == LEFT_OUT_ERROR ? .051 : .0006);
    }
    assert_non_null(strstr(said, "\nR2 0.9643, condition ")); /* 1 - (1 / 6) / (14 / 3) */
    assert_non_null(strstr(said, "\nfitted to all: mean error 5.00 %, largest 6.67 % (b.json)\n"));
    assert_non_null(
        strstr(said, "\neach left out: mean error 20.00 %, largest 33.33 % (a.json)\n"));
    assert_int_equal(access("p.svg", F_OK), 0);
    char text[1000];
    double cell[NUM_COLUMNS_OF_RUNS];
    read_all("runs.csv", text, sizeof text);
    assert_int_equal(strncmp(text, "run,machine,model,error,left_out,left_out_error\r\n", 49), 0);
    assert_int_equal(sscanf(strstr(text, "\nb.json,"), "\nb.json,%lf,%lf,%lf,%lf,%lf\r\n", &cell[0],
                            &cell[1], &cell[2], &cell[3], &cell[4]),
                     NUM_COLUMNS_OF_RUNS);
    for (unsigned k = 0; k < NUM_COLUMNS_OF_RUNS; k++)
        camp_near(cell[k], expected[1][k], 1e-6);
}

/* Without the third the line falls, and says -1 for it; only the second of others has an event. */
static void no_answer(void **unused)
{
    (void)unused;
    double row[3];
    write_point("a.json", 1, 3);
    write_point("b.json", 2, 1);
    write_point("c.json", 3, 1.2);
    power_says("--events=branches --csv=x.csv a.json b.json c.json", 0, "; no answer for 1\n");
    power_numbers(said, "c.json      ", row, 3);
    const char *line = strstr(said, "\nc.json "), *end = strchr(line + 1, '\n');
    assert_int_equal(strncmp(end - 20, "         -         -", 20), 0);
    char text[1000];
    read_all("x.csv", text, sizeof text);
    assert_non_null(strstr(strstr(text, "\nc.json,"), ",,\r\n"));
    struct power_counts c = power_some(1);
    for (unsigned i = 0; i < 4; i++) {
        char path[16];
        snprintf(path, sizeof path, "%c.json", 'a' + i);
        c.branches = i == 1 ? 1e4 : 0;
        power_write(path, "k", &c, 30 + i, 7, 16);
    }
    power_says("--events=branches a.json b.json c.json d.json", 0, "; no answer for 1\n");
    /* A line that is below 0 where nothing happens. */
    write_point("a.json", 1, 1);
    write_point("b.json", 2, 3);
    write_point("c.json", 3, 5);
    power_says("--events=branches a.json b.json c.json", 0, "\nthe idle power is below 0");
    assert_non_null(strstr(said, "\nfitted to all: no answer\n"));
}

/* Models that fit --------------------------------------------------------------------------------*/

static void write_some(unsigned from, unsigned to, int thesis)
{
    for (unsigned i = from; i < to; i++) {
        char path[16];
        const struct power_counts c = power_some(i);
        snprintf(path, sizeof path, "r%02u.json", i);
        power_write(path, "k", &c, thesis ? power_thesis(&c) : 0, 7, i % 16 + 1);
    }
}

static void the_five_events(void **unused)
{
    (void)unused;
    static const char *const names[5] = {"l1d.accesses            ", "l2.accesses             ",
                                         "l2.misses-l2.mshr_merged", "branches                ",
                                         "threads.sp+threads.sfu  "};
    double coefficient, row[NUM_COLUMNS_OF_RUNS];
    write_some(0, 9, 1);
    power_says("r0*.json", 0, "9 runs, 15 SMs, 1000 MHz\n");
    power_numbers(said, "an idle SM              ", &coefficient, 1);
    camp_near(coefficient, POWER_IDLE, 1e-4);
    for (unsigned e = 0; e < 5; e++) {
        power_numbers(said, names[e], &coefficient, 1);
        camp_near(coefficient, 1e9 * power_joules[e], 1e-4);
    }
    const struct power_counts c = power_some(3);
    power_numbers(said, "r03.json    ", row, NUM_COLUMNS_OF_RUNS);
    camp_near(row[MACHINE], power_thesis(&c), .0006);
    camp_near(row[MODEL], power_thesis(&c), .0006);
    camp_near(row[LEFT_OUT], power_thesis(&c), .0006);
    assert_non_null(strstr(said, "\nR2 1.0000, "));
    assert_non_null(strstr(said, "\nfitted to all: mean error 0.00 %"));
    assert_non_null(strstr(said, "\neach left out: mean error 0.00 %"));
    power_says("--events=thesis r0*.json", 0, "\nR2 1.0000, ");
}

/* All that costs something, whatever it is. */
static void all_events(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        double femtojoules;
    } rows[] = {
        {"warp_instructions", 60000},
        {"threads.sp", 15000 + 2000},
        {"threads.sfu", 15000 + 13000},
        {"threads.gmem+threads.stcmem", 15000 + 100},
        {"shared_accesses+shared_conflicts", 390000},
        {"l1c.accesses", 10000},
        {"l1d.accesses+l1d.misses-l1d.mshr_merged-l1d.bypassed", 220000},
        {"xbar.request_flits+xbar.reply_flits", 310000},
        {"l2.accesses+dram.reads+l2.writebacks", 450000},
        {"dram.reads", 51000000},
        {"dram.writes", 28000000},
        {"dram.activates", 4200000},
    };
    const int width = (int)strlen(rows[6].name);
    char name[80];
    double coefficient;
    write_some(0, 25, 0);
    power_says("--events=energy r*.json", 0, "\nfitted to all: mean error 0.00 %");
    snprintf(name, sizeof name, "%-*s", width, "an idle SM");
    power_numbers(said, name, &coefficient, 1);
    camp_near(coefficient, 1200000e-15 * 1e9, 1e-4);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(name, sizeof name, "%-*s", width, rows[i].name);
        power_numbers(said, name, &coefficient, 1);
        camp_near(coefficient, rows[i].femtojoules / 1e6, 1e-3 * rows[i].femtojoules / 1e6);
    }
}

/* Of these the ones that do not happen are left out. */
static void absent_events(void **unused)
{
    (void)unused;
    double coefficient;
    for (unsigned i = 0; i < 16; i++) {
        char path[16];
        struct power_counts c = power_some(i);
        c.writes = c.sfu = 0;
        snprintf(path, sizeof path, "r%02u.json", i);
        power_write(path, "k", &c, 0, 7, 16);
    }
    power_says("--events=energy r*.json", 0, "\nfitted to all: mean error 0.00 %");
    assert_non_null(strstr(said, "power: dram.writes: in these runs it does not happen\n"));
    assert_non_null(strstr(said, "power: threads.sfu: in these runs it does not happen\n"));
    power_numbers(said, "dram.reads                                          ", &coefficient, 1);
    camp_near(coefficient, 51, .1);
    power_numbers(said, "dram.activates                                      ", &coefficient, 1);
    camp_near(coefficient, 4.2, .01);
    power_says("--events=dram.reads,dram.writes r*.json", 1, "dram.writes: in these runs it does");
}

/* The energy of keys as if it were 0. */
static void without_keys(void **unused)
{
    (void)unused;
    double coefficient;
    write_some(0, 9, 0);
    power_says("--events=dram.writes,l1c.accesses --without=instruction,registers,sp,sfu,address,"
               "shared,l1d,flit,l2,dram_read,dram_activate r0*.json",
               0, "9 runs, 15 SMs, 1000 MHz; without the energy of instruction,registers,");
    power_numbers(said, "dram.writes ", &coefficient, 1);
    camp_near(coefficient, 28, 1e-3);
    power_numbers(said, "l1c.accesses", &coefficient, 1);
    camp_near(coefficient, .01, 1e-4);
    power_numbers(said, "an idle SM  ", &coefficient, 1);
    camp_near(coefficient, 1.2, 1e-4);
}

/* On the machine --------------------------------------------------------------------------------*/

/* The value of a member of a file. */
static double value(const char *file, const char *path)
{
    char words[200];
    snprintf(words, sizeof words, "--get=%s %s", path, file);
    assert_int_equal(heddle("report", words), 0);
    return strtod(said, NULL);
}

/* Runs of programs, with all energy left out but that of three events and of leakage. */
static void of_runs(void **unused)
{
    (void)unused;
    static const char *const names[] = {"vecadd", "spmv", "bfs", "matmul", "hotspot", "stencil"};
    double coefficient, row[NUM_COLUMNS_OF_RUNS];
    char words[200];
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(words, sizeof words, "--stats=%s.json -- $H/workloads/%s --size=small", names[i],
                 names[i]);
        heddle_says("run", words, 0, NULL);
    }
    power_says("--events=warp_instructions,xbar.request_flits+xbar.reply_flits,dram.reads "
               "--without=registers,sp,sfu,address,shared,l1c,l1d,l2,dram_write,dram_activate "
               "*.json",
               0, "\nR2 1.0000, ");
    char *table = strdup(said);
    power_numbers(table, "matmul.json ", row, NUM_COLUMNS_OF_RUNS);
    camp_near(row[LEFT_OUT], row[MACHINE], .0011);
    const double seconds = value("matmul.json", "totals.cycles") /
                           value("matmul.json", "settings.gpu.clock_mhz") / 1e6;
    camp_near(row[MACHINE],
              1e-9 / seconds *
                  (value("matmul.json", "totals.energy.leakage") +
                   value("matmul.json", "totals.energy.events.instruction") +
                   value("matmul.json", "totals.energy.events.flit") +
                   value("matmul.json", "totals.energy.events.dram_read")),
              .0006);
    static const struct {
        const char *row, *key;
    } rows[] = {{"warp_instructions                  ", "instruction"},
                {"xbar.request_flits+xbar.reply_flits", "flit"},
                {"dram.reads                         ", "dram_read"}};
    for (unsigned i = 0; i < 3; i++) {
        power_numbers(table, rows[i].row, &coefficient, 1);
        snprintf(words, sizeof words, "settings.energy.%s", rows[i].key);
        const double nanojoules = value("bfs.json", words) / 1e6;
        camp_near(coefficient, nanojoules, 1e-4 * nanojoules);
    }
    power_numbers(table, "an idle SM                         ", &coefficient, 1);
    camp_near(coefficient,
              value("bfs.json", "settings.energy.sm_cycle") * 1e-15 *
                  value("bfs.json", "settings.gpu.clock_mhz") * 1e6,
              1e-4);
    free(table);
    /* The five of the thesis are not all that costs something. */
    for (unsigned i = 0; i < 2; i++) {
        snprintf(words, sizeof words, "--stats=%s.lrr.json --sched=lrr -- $H/workloads/%s",
                 names[i], names[i]);
        heddle_says("run", strcat(words, " --size=small"), 0, NULL);
    }
    power_says("*.json", 0, "8 runs, ");
    assert_non_null(strstr(said, "\nfitted to all: mean error "));
    assert_null(strstr(said, "mean error 0.00 %"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_line),     IN_FOLDER(no_answer),     IN_FOLDER(the_five_events),
        IN_FOLDER(all_events), IN_FOLDER(absent_events), IN_FOLDER(without_keys),
        IN_FOLDER(of_runs),
    };
    return cmocka_run_group_tests_name("tb/cli/model/power", tests, NULL, NULL);
}
