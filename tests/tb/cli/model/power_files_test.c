/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/power_files_test.c: `heddle model power` on files that say too little, are not alike, or are hostile, and its
 * options. */
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

/* Eight runs; and one of a program with 6 ways and with 12. */
static int with_runs(void **state)
{
    in_folder(state);
    for (unsigned i = 0; i < 10; i++) {
        char path[16];
        struct power_counts c = power_some(i);
        snprintf(path, sizeof path, "%s%u.json", i < 8 ? "r" : "a", i);
        power_write(path, "first", &c, power_thesis(&c), 7, i < 9 ? 6 : 12);
    }
    return 0;
}

#define RUNS "r0.json r1.json r2.json r3.json r4.json r5.json r6.json r7.json"

static void say_what_is_wrong(const struct spoiled *all, unsigned count, const char *words)
{
    for (unsigned i = 0; i < count; i++)
        camp_says_of_spoiled(&all[i], power_says, words);
    power_says(words, 0, "8 runs, 15 SMs");
}

static void hostile_runs(void **unused)
{
    (void)unused;
    static const struct spoiled all[] = {
        {"r1.json", "\"totals\"", "\"together\": [{}], \"totals\"",
         "r1.json: of two programs at once: expected one that ran alone"},
        {"r1.json", "\"totals\"", "\"incomplete\": \"killed\", \"totals\"",
         "r1.json: not the statistics of a whole run"},
        {"r1.json", "\"ok\"", "\"stopped\"", "r1.json: a kernel did not end well: stopped"},
        {"r1.json", "\"totals\"", "\"sums\"", "r1.json: no number untimed_instructions"},
        {"r1.json", "\"cycles\":\t", "\"cycles\":\t0, \"x\": ", "r1.json: it took no time"},
        {"r1.json", "\"cycles\":\t", "\"cycles\":\t-", "r1.json: it took no time"},
        {"r1.json", "\"cycles\":\t", "\"cycles\":\t1e300, \"x\": ", "r1.json: it took no time"},
        {"r1.json", "\"cycles\":\t", "\"circles\":\t", "r1.json: no number cycles"},
        {"r1.json", "\"total\":\t", "\"total\":\t0, \"x\": ", "r1.json: it took no energy"},
        {"r1.json", "\"total\":\t", "\"total\":\t-", "r1.json: it took no energy"},
        {"r1.json", "\"total\":\t", "\"total\":\t1e999, \"x\": ", "r1.json: no number total"},
        {"r1.json", "\"energy\":", "\"no energy\":", "r1.json: no number total"},
        {"r1.json", "\"branches\":\t", "\"branch\":\t", "r1.json: no number branches"},
        {"r1.json", "\"branches\":\t", "\"branches\":\t-",
         "r1.json: too large, or below 0: branches"},
        {"r1.json", "\"branches\":\t",
         "\"branches\":\t\"many\", \"x\": ", "r1.json: no number branches"},
        {"r1.json", "\"sfu\":\t",
         "\"sfu\":\t-1e9, \"x\": ", "r1.json: too large, or below 0: threads.sp+threads.sfu"},
        {"r1.json", "gtx480", "titanx",
         "r0.json has config = \"gtx480\", r1.json \"titanx\": expected the same"},
        {"r1.json", "\"energy.sp\": 2000", "\"energy.sp\": 0",
         "r0.json has energy.sp = 2000, r1.json 0: expected the same"},
        {"r1.json", "\"energy.sp\": 2000", "\"gone\": 0",
         "r0.json has energy.sp = 2000, r1.json none: expected the same"},
        {"r1.json", "\"gpu.clock_mhz\": 1000", "\"gpu.clock_mhz\": 700",
         "r0.json has gpu.clock_mhz = 1000, r1.json 700: expected the same"},
        {"r0.json", "\"gpu.clock_mhz\": 1000", "\"gpu.clock_mhz\": 0",
         "r0.json: gpu.clock_mhz = 0: expected a whole number from 1 to 1000000"},
        {"r0.json", "\"hw.num_sms\": 15", "\"hw.num_sms\": 129",
         "r0.json: hw.num_sms = 129: expected a whole number from 1 to 128"},
        {"r0.json", "\"hw.num_sms\": 15", "\"hw.sms\": 15", "r0.json: no number hw.num_sms"},
        {"r0.json",
         "\"settings\": ", "\"settings\": [], \"other\": ", "r0.json: no number hw.num_sms"},
    };
    say_what_is_wrong(all, sizeof all / sizeof all[0], RUNS);
    /* These may differ. */
    camp_spoil("r1.json", "\"lrr\"", "\"gto\"");
    camp_spoil("r1.json", "\"kmu.sms_0\": 7", "\"kmu.sms_0\": 2");
    camp_spoil("r1.json", "\"kmu\"", "\"lrr\"");
    power_says(RUNS, 0, "8 runs");
    power_says("none.json " RUNS, 2, "none.json: cannot be read: No such file");
    write_file("bad.json", "[");
    power_says("bad.json " RUNS, 2, "bad.json: not JSON");
}

static void hostile_programs(void **unused)
{
    (void)unused;
    static const struct spoiled all[] = {
        {"a9.json", "gtx480", "titanx",
         "a8.json has config = \"gtx480\", a9.json \"titanx\": expected the same"},
        {"a9.json", "\"branches\":\t", "\"branch\":\t", "a9.json: no number branches"},
        {"a9.json", "\"total\":\t", "\"total\":\t0, \"x\": ", "a9.json: it took no energy"},
        {"a9.json", "\"l2.ways\": 12", "\"l2.ways\": 6",
         "a9.json: l2.ways = 6: another run of the program has so many, too"},
    };
    const char *words = "--noise=1 -p a8.json,a9.json " RUNS;
    say_what_is_wrong(all, sizeof all / sizeof all[0], words);
    /* Each is like the other, but not of the machine that the model is of. */
    static const char *const files[] = {"a8.json", "a9.json"};
    for (unsigned i = 0; i < 2; i++)
        camp_spoil(files[i], "\"energy.sp\": 2000", "\"energy.sp\": 1000");
    power_says(words, 2, "r0.json has energy.sp = 2000, a9.json 1000: expected the same");
    for (unsigned i = 0; i < 2; i++)
        camp_spoil(files[i], "\"energy.sp\": 1000", "\"energy.sp\": 2000");
    for (unsigned i = 0; i < 2; i++)
        camp_spoil(files[i], "\"kmu.partition\": 3", "\"kmu.partition\": 0");
    power_says("--noise=1 -p a8.json,a9.json -p a8.json,a9.json " RUNS, 2,
               "heddle model power: the programs ran on 30 SMs, the machine has 15: expected runs "
               "on SMs of their own (--set kmu.partition=3 --set kmu.sms_0=N)");
    power_says("--noise=1 -w 11 -p a8.json,a9.json " RUNS, 2,
               "model power: --ways=11: a run had 12");
}

/* More unknowns than runs; what does not happen; what follows from the rest. */
static void no_model(void **unused)
{
    (void)unused;
    power_says("r0.json r1.json r2.json r3.json r4.json", 1,
               "heddle model power: 5 runs of 5 events: expected 6 or more\n");
    power_says("r0.json", 1, "heddle model power: 1 run of 5 events: expected 6 or more\n");
    power_says("r0.json r1.json r2.json r3.json r4.json r5.json", 0, "6 runs");
    assert_non_null(strstr(said, "\neach left out: no answer\n"));
    power_says("--events=branches,threads.sp,threads.sp+threads.sp " RUNS, 1,
               "heddle model power: threads.sp+threads.sp: in these runs it does not happen, or ");
    power_says("--events=branches-branches,threads.sp " RUNS, 1,
               "heddle model power: branches-branches: in these runs it does not happen, or ");
}

static void usage(void **unused)
{
    (void)unused;
    power_says("", 2, "no files; expected STATS.json of each run");
    power_says("--events= " RUNS, 2, "--events: '': expected numbers of the statistics with");
    power_says("--events=a,,b " RUNS, 2, "--events: '': expected numbers");
    power_says("--events=a+ " RUNS, 2, "--events: 'a+': expected numbers");
    power_says("--events=-a " RUNS, 2, "--events: '-a': expected numbers");
    power_says("--events='a*b' " RUNS, 2, "--events: 'a*b': expected numbers");
    power_says("--events='a+b c' " RUNS, 2, "--events: 'a+b c': expected numbers");
    power_says(
        "--events=a-b-cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc " RUNS, 2,
        "expected numbers");
    power_says("--events=a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a " RUNS, 2,
               "--events: more than 15 events");
    power_says("--events=l1d " RUNS, 2, "r0.json: no number l1d\n");
    power_says("--without=heat " RUNS, 2, "r0.json: no number events.heat\n");
    power_says("--without=sp,heat " RUNS, 2, "r0.json: no number events.heat\n");
    power_says("--without=instruction,registers,sp,sfu,address,shared,l1c,l1d,flit,l2,dram_read,"
               "dram_write,dram_activate,sm_cycle,sm_cycle,sm_cycle,sm_cycle " RUNS,
               2, "r0.json: it took no energy\n");
    power_says("--events=branches -p a8.json,a9.json " RUNS, 2,
               "--program goes with the events of the thesis");
    power_says("--events=thesis --noise=1 -p a8.json,a9.json " RUNS, 0, "A: first ");
    power_says("--measured=m.json -p a8.json,a9.json " RUNS, 2,
               "--measured: expected --program twice");
    power_says("-m m.json --noise=1 -p a8.json,a9.json -p a8.json,a9.json " RUNS, 2, "m.json");
    power_says("-p a -p a -p a -p a -p a -p a -p a -p a -p a " RUNS, 2,
               "--program=a: expected 8 programs at most");
    power_says("--noise=2 " RUNS, 2, "--noise=2: expected a number from 0 to 1");
    power_says("--ways=65 " RUNS, 2, "--ways=65: expected a number from 1 to 64");
    power_says("--picture=p.bmp " RUNS, 2, "p.bmp");
    power_says("--csv=/nowhere/p.csv " RUNS, 2, "/nowhere/p.csv");
    power_says("--csv=p.csv r0.json", 1, "1 run of 5 events");
    assert_int_equal(access("p.csv", F_OK), -1);
    power_says("--picture=p.pdf " RUNS, 0, "8 runs");
    assert_int_equal(access("p.pdf", F_OK), 0);
    power_says("--help", 0, "watts of an idle SM");
    heddle_says("model", "--help", 0, "what the machine takes, also of programs beside each other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(hostile_runs, with_runs, leave_folder),
        cmocka_unit_test_setup_teardown(hostile_programs, with_runs, leave_folder),
        cmocka_unit_test_setup_teardown(no_model, with_runs, leave_folder),
        cmocka_unit_test_setup_teardown(usage, with_runs, leave_folder),
    };
    return cmocka_run_group_tests_name("tb/cli/model/power_files", tests, NULL, NULL);
}
