/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/power_shared_test.c: `heddle model power --program`: the power of programs beside each other. Two are made up so that
 * their ways are known (camp_support.h), and P1 and P2 follow by hand; two are real. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "hw.h"
#include "tests/tb/cli/model/camp_support.h"
#include "tests/tb/cli/model/power_support.h"
#include "tests/tb/cli/sweep/sweep_support.h"

#define FIRST    "-p a.6.json,a.12.json "
#define SECOND   "-p b.6.json,b.12.json "
#define TRAINING "r00.json r01.json r02.json r03.json r04.json r05.json r06.json r07.json"

/* What stands in the rows of programs. */
enum { SMS, WAYS, MPA, SPI, P1, P2, TOGETHER, ALONE, NUM_OF_PROGRAM };

/* A program that issues an instruction every 2 nanoseconds. Events of an instruction; watts of the machine with 12 ways. */
static const struct known {
    const char *name, *stem;
    double l2, l1d, branches, sp, sfu, watts;
    unsigned sms;
} first = {"first", "a", .2, .3, .4, 25, 5, 40, 7},
  second = {"second", "b", .1, .7, .2, 10, 0, 33, 8};

#define INSTRUCTIONS 1e6
static struct power_counts counts_of(const struct known *k, double mpa)
{
    struct power_counts c = power_some(0);
    c.cycles = 2 * INSTRUCTIONS;
    c.warps = INSTRUCTIONS;
    c.l2 = k->l2 * INSTRUCTIONS;
    c.l2_merged = c.l2 / 10;
    c.l2_misses = mpa * c.l2 + c.l2_merged;
    c.l1d = k->l1d * INSTRUCTIONS;
    c.branches = k->branches * INSTRUCTIONS;
    c.sp = k->sp * INSTRUCTIONS;
    c.sfu = k->sfu * INSTRUCTIONS;
    return c;
}

static void write_known(const struct known *k)
{
    for (unsigned ways = 6; ways <= 12; ways += 6) {
        char path[16];
        const struct power_counts c = counts_of(k, 1 - ways / 24.);
        snprintf(path, sizeof path, "%s.%u.json", k->stem, ways);
        power_write(path, k->name, &c, ways == 12 ? k->watts : 50, k->sms, ways);
    }
}

/* Runs that the five events explain, but for joules more of a branch. */
static void write_training(double joules)
{
    for (unsigned i = 0; i < 8; i++) {
        char path[16];
        const struct power_counts c = power_some(i);
        snprintf(path, sizeof path, "r%02u.json", i);
        power_write(path, "k", &c, power_thesis(&c) + joules * c.branches / (c.cycles / 1e9), 7,
                    12);
    }
}

/* Both beside each other for a microsecond: 500 instructions of the first, 250 of the second. */
static struct power_counts beside(void)
{
    struct power_counts c = power_some(77);
    c.cycles = 1000;
    return c;
}

static void write_measured(double watts, unsigned sms)
{
    const struct power_counts c = beside();
    cJSON *totals = power_totals(&c, watts);
    char *text = cJSON_PrintUnformatted(totals), all[8192];
    text[strlen(text) - 1] = 0; /* more members follow */
    snprintf(all, sizeof all,
             "{\"config\": \"gtx480\", \"sched\": \"lrr\", \"kernels\": [{\"name\": \"first\", "
             "\"number\": 0}, {\"name\": \"second\", \"number\": 1}], \"together\": [%s, \"each\": "
             "[{\"warp_instructions\": 500}, {\"warp_instructions\": 250}], \"l2_spaces\": "
             "[{\"accesses\": 100, \"misses\": 90, \"mshr_merged\": 10, \"line_cycles\": 384000}, "
             "{\"accesses\": 50, \"misses\": 45, \"mshr_merged\": 0, \"line_cycles\": 320000}]}], "
             "\"settings\": {" POWER_SETTINGS "}}",
             text, sms, 12);
    write_file("m.json", all);
    cJSON_free(text);
    cJSON_Delete(totals);
}

static int with_pair(void **state)
{
    in_folder(state);
    write_training(0);
    write_known(&first);
    write_known(&second);
    write_measured(50, 7);
    return 0;
}

/* The parts of 4.4 with so many ways. */
static double p1_of(const struct known *k)
{
    return k->sms * POWER_IDLE +
           (power_joules[0] * k->l1d + power_joules[1] * k->l2 + power_joules[3] * k->branches +
            power_joules[4] * (k->sp + k->sfu)) /
               2e-9;
}

static double p2_of(const struct known *k, double ways)
{
    return power_joules[2] * (1 - ways / 24) * k->l2 / 2e-9;
}

static void check_row(const char *name, const struct known *k, double ways)
{
    double row[NUM_OF_PROGRAM];
    power_numbers(said, name, row, NUM_OF_PROGRAM);
    camp_near(row[SMS], k->sms, 0);
    camp_near(row[WAYS], ways, .011);
    camp_near(row[MPA], 1 - ways / 24, .0006);
    camp_near(row[SPI], 2, 1e-9);
    camp_near(row[P1], p1_of(k), .0011);
    camp_near(row[P2], p2_of(k, ways), .0011);
    camp_near(row[TOGETHER], row[P1] + row[P2], .0011);
    camp_near(row[ALONE], k->watts - (15 - k->sms) * POWER_IDLE, .0011);
}

/* Of both by CAMP: camp_test.c, by_hand. */
static double ways_of(unsigned program)
{
    const double x = (sqrt(7) - 1) / 2;
    return 24 * (1 - (program ? x : x * x));
}

static double sum_of_both(void)
{
    return p1_of(&first) + p2_of(&first, ways_of(0)) + p1_of(&second) + p2_of(&second, ways_of(1));
}

/* The last row of the CSV: together, alone, machine, error, alone_error, by_rates, by_rates_error. */
static void read_sum(double sum[7])
{
    char text[2000], *row;
    FILE *f = fopen("p.csv", "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    assert_int_equal(strncmp(text,
                             "programs,what,sms,ways,mpa,spi,p1,p2,together,alone,machine,error,"
                             "alone_error,by_rates,by_rates_error\r\nfirst+second,first,7,",
                             124),
                     0);
    assert_non_null(row = strstr(text, "\nfirst+second,sum,,,,,,,"));
    assert_int_equal(sscanf(row, "\nfirst+second,sum,,,,,,,%lf,%lf,%lf,%lf,%lf,%lf,%lf\r\n",
                            &sum[0], &sum[1], &sum[2], &sum[3], &sum[4], &sum[5], &sum[6]),
                     7);
}

static void two_programs(void **unused)
{
    (void)unused;
    double row[3], sum[7];
    power_says(FIRST SECOND TRAINING, 0, "\n12 ways\n");
    check_row("A: first               ", &first, ways_of(0));
    check_row("B: second              ", &second, ways_of(1));
    power_numbers(said, "idle SMs                ", row, 3);
    for (unsigned i = 0; i < 3; i++)
        camp_near(row[i], 0, 1e-9);
    power_numbers(said, "sum                     ", row, 2);
    camp_near(row[0], sum_of_both(), .0021);
    camp_near(row[1], 40 - 16 + 33 - 14, .0011);
    assert_null(strstr(said, "\nmachine "));
    const struct power_counts c = beside();
    power_says("--measured=m.json --csv=p.csv -o p.png " FIRST SECOND TRAINING, 0, "error: ");
    assert_null(strstr(said, "note"));
    assert_int_equal(access("p.png", F_OK), 0);
    power_numbers(said, "machine                 ", row, 1);
    camp_near(row[0], 50, 1e-9);
    read_sum(sum);
    const double expected[7] = {sum_of_both(),
                                43,
                                50,
                                2 * sum_of_both() - 100,
                                2 * 43 - 100,
                                power_thesis(&c),
                                2 * power_thesis(&c) - 100};
    for (unsigned i = 0; i < 7; i++)
        camp_near(sum[i], expected[i], i == 0 || i == 3 ? .004 : 1e-5 * fabs(expected[i]));
    double error[3];
    assert_int_equal(sscanf(strstr(said, "\nerror: "),
                            "\nerror: predicted %lf %%; as each alone %lf %%; the model with the "
                            "machine's rates %lf %%",
                            &error[0], &error[1], &error[2]),
                     3);
    camp_near(error[0], sum[3], .0051);
    camp_near(error[1], -14, .0051);
    camp_near(error[2], sum[6], .0051);
    write_measured(50, 6);
    power_says("-m m.json " FIRST SECOND TRAINING, 0,
               "note: first ran alone on 7 SMs, beside the other on 6: ");
}

/* Others have SMs that nobody uses, all of the cache, or what they need of it. */
static void others(void **unused)
{
    (void)unused;
    double row[3], program[NUM_OF_PROGRAM];
    power_says(FIRST TRAINING, 0, "\n12 ways\n");
    check_row("A: first               ", &first, 12);
    power_numbers(said, "idle SMs                ", row, 3);
    camp_near(row[0], 8, 0);
    camp_near(row[1], 8 * POWER_IDLE, .0011);
    camp_near(row[2], 8 * POWER_IDLE, .0011);
    power_numbers(said, "sum                     ", row, 2);
    camp_near(row[0], p1_of(&first) + p2_of(&first, 12) + 8 * POWER_IDLE, .0021);
    camp_near(row[1], first.watts, .0021);
    power_says("--ways=15 " FIRST TRAINING, 0, "\n15 ways\n"); /* the curve goes on as it fell */
    check_row("A: first               ", &first, 15);
    struct known third = second;
    third.name = "third", third.stem = "c", third.sms = 3;
    write_known(&third);
    struct known fourth = first;
    fourth.sms = 4;
    write_known(&fourth);
    power_says(FIRST SECOND "-p c.6.json,c.12.json " TRAINING, 0, "\n12 ways\n");
    double ways = 0, together = 0;
    static const char *const names[] = {"A: first               ", "B: second              ",
                                        "C: third               "};
    for (unsigned i = 0; i < 3; i++) {
        power_numbers(said, names[i], program, NUM_OF_PROGRAM);
        ways += program[WAYS];
        together += program[TOGETHER];
    }
    camp_near(ways, 12, .016);
    power_numbers(said, "sum                     ", row, 1);
    camp_near(row[0], together, .0021);
}

/* Both use four ways. */
static void room_for_both(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned ways = 2; ways <= 16; ways *= ways == 4 ? 4 : 2) {
            char path[16];
            const struct known *k = i ? &second : &first;
            const struct power_counts c = counts_of(k, ways == 2 ? .5 : 0);
            snprintf(path, sizeof path, "%s.%u.json", k->stem, ways);
            power_write(path, k->name, &c, 40, k->sms, ways);
        }
    double program[NUM_OF_PROGRAM];
    power_says("-p a.2.json,a.4.json,a.16.json -p b.2.json,b.4.json,b.16.json " TRAINING, 0,
               "\n16 ways, which is more than the programs use\n");
    power_numbers(said, "B: second              ", program, NUM_OF_PROGRAM);
    camp_near(program[WAYS], 4, .011);
    camp_near(program[P2], 0, .0011);
}

/* Where branches give back what all else takes. */
static void no_prediction(void **unused)
{
    (void)unused;
    write_training(-200e-9);
    power_says(FIRST TRAINING, 1, "heddle model power: first: ");
}

/* On the machine --------------------------------------------------------------------------------*/

static double value(const char *file, const char *path)
{
    char words[200];
    snprintf(words, sizeof words, "--get=%s %s", path, file);
    assert_int_equal(heddle("report", words), 0);
    return strtod(said, NULL);
}

/* Two programs as a person measures them, and as training the runs of each alone and two more. */
static void of_runs(void **unused)
{
    (void)unused;
    static const char *const names[2] = {"spmv", "bfs"};
    double row[3];
    camp_measure(names);
    heddle_says("run",
                "--set l2.ways=4 --stats=hotspot.4.json -- $H/workloads/hotspot --size=small", 0,
                NULL);
    heddle_says("run", "--set l2.ways=4 --stats=matmul.4.json -- $H/workloads/matmul --size=small",
                0, NULL);
    power_says("--noise=.1 -m both.json -p spmv.1.json,spmv.2.json,spmv.4.json "
               "-p bfs.4.json,bfs.2.json,bfs.1.json *.[124].json",
               0, "8 runs, ");
    char *table = strdup(said);
    power_numbers(table, "machine                 ", row, 1);
    camp_near(row[0],
              1e-9 * value("both.json", "together.0.energy.total") *
                  value("both.json", "settings.gpu.clock_mhz") * 1e6 /
                  value("both.json", "together.0.cycles"),
              .0006);
    double a[NUM_OF_PROGRAM], b[NUM_OF_PROGRAM];
    power_numbers(table, "A: spmv                ", a, NUM_OF_PROGRAM);
    power_numbers(table, "sum                     ", row, 2);
    camp_near(a[SMS], 1, 0);
    const char *second_row = strstr(table, "\nB: ");
    assert_non_null(second_row);
    assert_int_equal(sscanf(second_row + 24, "%lf %lf %lf %lf %lf %lf %lf %lf", &b[0], &b[1], &b[2],
                            &b[3], &b[4], &b[5], &b[6], &b[7]),
                     NUM_OF_PROGRAM);
    camp_near(row[0], a[TOGETHER] + b[TOGETHER], .0021);
    camp_near(row[1], a[ALONE] + b[ALONE], .0021);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(two_programs, with_pair, leave_folder),
        cmocka_unit_test_setup_teardown(others, with_pair, leave_folder),
        cmocka_unit_test_setup_teardown(room_for_both, with_pair, leave_folder),
        cmocka_unit_test_setup_teardown(no_prediction, with_pair, leave_folder),
        IN_FOLDER(of_runs),
    };
    return cmocka_run_group_tests_name("tb/cli/model/power_shared", tests, NULL, NULL);
}
