/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/camp_files_test.c: `heddle model camp` beside the statistics of two programs at once; and on files that say too little, are
 * not alike, or are hostile. */
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
#include "tests/tb/cli/sweep/sweep_support.h"
#include "tests/tb/shell.h"

static void measured(void **unused)
{
    (void)unused;
    double row[NUM_COLUMNS], error[7];
    camp_says("--measured=m.json -o m.svg " PAIR, 0,
              "machine      6.00   5.00   0.8000   0.9000    4.0000    2.0000  0.500  1.000\n");
    assert_int_equal(access("m.svg", F_OK), 0);
    assert_null(strstr(said, "note"));
    camp_row(said, "AB", row, NUM_COLUMNS);
    camp_row(strstr(said, "\nerror"), "AB", error, 7);
    camp_near(error[WAYS_A], 2, .0051); /* 8, 4; .6667, .8333; 2, 2 */
    camp_near(error[WAYS_B], -1, .0051);
    camp_near(error[MPA_A], -13.33, .011);
    camp_near(error[MPA_B], -6.67, .011);
    camp_near(error[SPI_A], -50, .011);
    camp_near(error[SPI_B], 0, .011);
    camp_near(error[6], 25, .011);
    camp_row(strstr(said, "\nerror"), "known ways", error, 7);
    camp_near(error[WAYS_A], 0, 0);
    camp_near(error[WAYS_B], 0, 0);
    camp_near(error[MPA_A], 100 * (1 - 6. / 24 - .8), .011);
    camp_near(error[MPA_B], 100 * (1 - 5. / 24 - .9), .011);
    camp_near(error[SPI_A], -50, .011);
    camp_row(strstr(said, "\nerror"), "known SPI", error, 7); /* .2 / 4 = .1 / 2: half each */
    camp_near(error[WAYS_A], 0, .0051);
    camp_near(error[WAYS_B], 1, .0051);
    camp_near(error[MPA_A], 75 - 80, .011);
    camp_near(error[SPI_A], 0, 0);
    camp_near(error[SPI_B], 0, 0);
    camp_spoil("m.json", "\"kmu.sms_0\": 7", "\"kmu.sms_0\": 5");
    camp_says("-m m.json " PAIR, 0,
              "note: first ran alone on 7 SMs, beside the other on 5: not what");
    assert_non_null(strstr(said, "note: second ran alone on 8 SMs, beside the other on 10: "));
    camp_spoil("m.json", "\"kmu.sms_0\": 5", "\"kmu.sms_0\": 0"); /* half of them */
    camp_says("-m m.json " PAIR, 0, "machine ");
    assert_null(strstr(said, "note"));
    camp_says("-m m.json a.6.json,a.12.json", 2, "--measured: expected two programs");
}

static void holds(const char *path, const char *text)
{
    char command[200];
    snprintf(command, sizeof command, "cat %s", path);
    assert_int_equal(shell(command, said), 0);
    if (!strstr(said, text))
        fail_msg("no '%s' in:\n%s", text, said);
}

/* The same files as of L1D, of which there are as many as SMs, and programs on all of them. */
static void of_l1d(void **unused)
{
    (void)unused;
    assert_int_equal(shell("sed -i 's/l2/l1d/g; s/\"hw.num_sms\": 15/\"hw.num_sms\": 2/; "
                           "s/\"kmu.partition\": 3/\"kmu.partition\": 0/' *.json",
                           said),
                     0);
    camp_says("--cache=l1d -m m.json -o m.svg " PAIR, 0,
              "machine      6.00   5.00   0.8000   0.9000    4.0000    2.0000  0.500  1.000\n");
    assert_non_null(strstr(said, "A: first alone, 2 SMs: "));
    assert_null(strstr(said, "note"));
    holds("m.svg", "ways of L1D that a program holds");
    camp_spoil("m.json", "\"kmu.blocks_1\": 3", "\"kmu.blocks_1\": 2");
    camp_says(
        "--cache=l1d -m m.json " PAIR, 0,
        "note: second ran alone with sm.max_blocks = 3, beside the other with kmu.blocks_1 = 2");
    camp_spoil("b.6.json", "\"sm.max_blocks\": 3", "\"sm.max_blocks\": 2");
    camp_says("--cache=l1d " PAIR, 2,
              "b.6.json has sm.max_blocks = 2, b.12.json 3: expected the same");
    camp_spoil("b.12.json", "\"sm.max_blocks\": 3", "\"sm.max_blocks\": 2");
    camp_says("--cache=l1d -m m.json " PAIR, 0, "machine ");
    assert_null(strstr(said, "note"));
    static const struct spoiled all[] = {
        {"m.json", "\"kmu.partition\": 0", "\"kmu.partition\": 2",
         "m.json: kmu.partition = 2: both programs were on SMs of their own, each with its own "
         "L1D; "
         "expected 0 or 1"},
        {"m.json", "\"l1d_spaces\"", "\"l2_spaces\"",
         "m.json: of an older version: no together.0.l1d_spaces.0"},
        {"m.json", "\"misses\": 45", "\"misses\": 51", "m.json: 50 accesses of L1D, 51 misses"},
        {"m.json", "\"kmu.blocks_0\": 3", "\"kmu.blocks_0\": 65",
         "m.json: kmu.blocks_0 = 65: expected a whole number from 0 to 64"},
        {"a.12.json", "\"l1d.ways\": 12", "\"l1d.ways\": 6",
         "a.12.json: l1d.ways = 6: another run of the program has so many, too"},
        {"a.12.json", "\"sm.max_blocks\": 3", "\"sm.max_blocks\": 2",
         "a.6.json has sm.max_blocks = 3, a.12.json 2: expected the same"},
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        camp_says_of_spoiled(&all[i], camp_says, "--cache=l1d -m m.json " PAIR);
    camp_says("--cache=l1d a.6.json", 2, "of runs alone with different l1d.ways");
    camp_says(PAIR, 2, "a.6.json: no number l2.ways");
    camp_says("--cache=l3 " PAIR, 2, "--cache=l3: expected l1d or l2");
}

/* A profile: each place of 24 has so many accesses, and so many are further. */
static void write_profile(const char *path, const char *name, const char *each, unsigned further)
{
    char at[200] = "", text[700];
    for (unsigned i = 0; i < 24; i++)
        snprintf(at + strlen(at), sizeof at - strlen(at), "%s%s", i ? ", " : "", each);
    snprintf(
        text, sizeof text,
        "{\"config\": \"gtx480\", \"sched\": \"lrr\", \"dispatch\": \"kmu\", \"kernels\": "
        "[{\"name\": \"%s\"}], \"stacks\": {\"l2\": [{\"at\": [%s], \"further\": %u}, {\"at\": [], "
        "\"further\": 0}]}}",
        name, at, further);
    write_file(path, text);
}

/* Those of the first program have the same curve as its runs; of the second a third of the accesses are always misses. */
static void stacks(void **unused)
{
    (void)unused;
    double by_runs[NUM_COLUMNS], row[NUM_COLUMNS];
    camp_says(PAIR, 0, "CAMP ");
    camp_row(said, "CAMP", by_runs, NUM_COLUMNS);
    write_profile("p.json", "first", "5", 0);
    write_profile("q.json", "second", "1", 0);
    camp_says("--stacks=p.json,q.json " PAIR, 0, "by the line     error  MPA by stacks\n");
    assert_non_null(
        strstr(said, "    6   0.7500   2.0000       2.0000    +0.0 %         0.7500\n"));
    camp_row(said, "CAMP", row, NUM_COLUMNS);
    for (unsigned i = 0; i < NUM_COLUMNS; i++)
        camp_near(row[i], by_runs[i], 0);
    write_profile("q.json", "second", "1", 12);
    camp_says("--stacks=p.json,q.json " PAIR, 0,
              "   12   0.5000   2.0000       2.0000    +0.0 %         0.6667\n");
    camp_row(said, "CAMP", row, NUM_COLUMNS);
    assert_true(row[WAYS_B] > by_runs[WAYS_B] + .03);
    camp_near(row[MPA_B], 1 - row[WAYS_B] / 36, .0003);
    camp_says("--stacks=p.json " PAIR, 2, "--stacks: expected a profile for each of 2 programs");
    camp_says("--stacks=p.json,q.json,q.json " PAIR, 2,
              "--stacks: expected a profile for each of 2");
    camp_says("--stacks=none.json,q.json " PAIR, 2, "none.json: cannot be read");
    camp_says("--stacks=q.json,p.json " PAIR, 2,
              "a.6.json begins with kernel first, q.json with second: expected the same program");
    static const struct spoiled all[] = {
        {"p.json", "\"lrr\"", "\"gto\"", "a.6.json has sched = \"lrr\", p.json \"gto\": expected"},
        {"p.json", "\"l2\"", "\"l1d\"",
         "p.json: no profile, or of an older version: no stacks.l2.0"},
        {"p.json", "[5,", "[-5,", "p.json: stack distances that are no counts"},
        {"p.json", "[5,", "[\"5\",", "p.json: stack distances that are no counts"},
        {"p.json", "\"further\": 0}, ", "\"near\": 0}, ", "stack distances that are no counts"},
        {"p.json", "\"further\": 0}]", "\"further\": 1}]",
         "p.json: of two programs at once: expected"},
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        camp_says_of_spoiled(&all[i], camp_says, "--stacks=p.json,q.json " PAIR);
    write_profile("p.json", "first", "0", 0);
    camp_says("--stacks=p.json,q.json " PAIR, 2, "p.json: no access of L2");
    write_profile("p.json", "first", "0", 7); /* nothing is used again */
    camp_says("--stacks=p.json,q.json " PAIR, 0, "         1.0000\n");
}

/* The rows of AB are those of the table above. Of the first SPI is 4 MPA + 0.5: 3.5 with 6 ways, 2.5 with all. */
static void rows(void **unused)
{
    (void)unused;
    const struct made_up steep = {"first", "a", .2, 7, 2, {{6, .75, 3.5}, {12, .5, 2.5}}},
                         other = {"a, b", "a", .2, 7, 2, {{6, .75, 3.5}, {12, .5, 2.5}}};
    double row[NUM_COLUMNS];
    camp_write(&steep);
    camp_says("--csv=c.csv -m m.json " PAIR, 0, "machine ");
    camp_row(said, "AB", row, NUM_COLUMNS);
    holds("c.csv", "first,second,model,name,beside,side,sms,api,beside_api,r2,half,alone_spi,ways,"
                   "mpa,spi,machine_ways,"
                   "machine_mpa,machine_spi\n");
    for (unsigned i = 0; i < 2; i++) {
        const char *at = strstr(said, i ? "\nfirst,second,AB,second,first,1,8,0.1,0.2,0,1,2,"
                                        : "\nfirst,second,AB,first,second,0,7,0.2,0.1,1,1.4,2.5,");
        double ways, mpa, spi, of_machine[3];
        assert_non_null(at);
        assert_int_equal(sscanf(strstr(at, i ? ",0,1,2," : ",1,1.4,2.5,") + (i ? 7 : 11),
                                "%lf,%lf,%lf,%lf,%lf,%lf\n", &ways, &mpa, &spi, &of_machine[0],
                                &of_machine[1], &of_machine[2]),
                         6);
        camp_near(ways, row[WAYS_A + i], .0051);
        camp_near(mpa, row[MPA_A + i], .000051);
        camp_near(spi, row[SPI_A + i], .000051);
        camp_near(of_machine[0], 6 - i, 0);
        camp_near(of_machine[1], i ? .9 : .8, 0);
        camp_near(of_machine[2], i ? 2 : 4, 0);
    }
    holds("c.csv", "\nfirst,second,known,first,second,0,7,0.2,0.1,1,1.4,2.5,6,0.75,3.5,6,0.8,4\n");
    holds("c.csv", "\nfirst,second,known_spi,second,first,1,8,0.1,0.2,0,1,2,6,0.75,2,5,0.9,2\n");
    assert_int_equal(shell("wc -l <c.csv; cut -d, -f3 c.csv | uniq -c", said), 0);
    assert_non_null(
        strstr(said, "11\n      1 model\n      2 CAMP\n      2 AB\n      2 MB\n      2 known\n"
                     "      2 known_spi\n"));
    camp_says("--csv=c.csv " PAIR, 0, "CAMP ");
    holds("c.csv", "\nfirst,second,AB,first,second,0,7,0.2,0.1,1,1.4,2.5,");
    assert_int_equal(shell("grep -c ',[0-9.]*,[0-9.]*,,,$' c.csv", said), 0);
    assert_int_equal(atoi(said), 6);
    holds("c.csv", "model");
    assert_null(strstr(said, "known"));
    camp_write(&other); /* a name that needs quotation marks */
    camp_says("--csv=c.csv " PAIR, 0, "CAMP ");
    holds("c.csv", "\n\"a, b\",second,AB,\"a, b\",second,0,");
    camp_says("--csv=no/c.csv " PAIR, 2, "no/c.csv");
    camp_says("--csv=c.csv a.6.json,a.12.json", 2, "--csv: expected two programs");
}

static void hostile_pairs(void **unused)
{
    (void)unused;
    static const struct spoiled all[] = {
        {"m.json", "\"together\": [", "\"apart\": [", "m.json: of no two programs at once: "},
        {"m.json", "]}], \"settings\"", "]}, {}], \"settings\"",
         "m.json: its programs ran beside each other several times"},
        {"m.json", "\"cycles\": 1000", "\"cycles\": 0", "m.json: it issued nothing"},
        {"m.json", "\"cycles\": 1000", "\"cycles\": []", "m.json: no number cycles"},
        {"m.json", ": 500", ": -500", "m.json: it issued nothing"},
        {"m.json", ": 500", ": null", "m.json: no number each.1.warp_instructions"},
        {"m.json", "\"l2_spaces\"", "\"l3_spaces\"",
         "m.json: of an older version: no together.0.l2_spaces.0"},
        {"m.json", "\"line_cycles\": 32", "\"lines\": 32", "m.json: no number line_cycles"},
        {"m.json", "\"misses\": 45", "\"misses\": 51",
         "m.json: 50 accesses of L2, 51 misses, 0 of them merged: expected accesses, and no more"},
        {"m.json", "\"kmu.partition\": 3", "\"kmu.partition\": 1",
         "m.json: kmu.partition = 1: both programs were on the same SMs; expected 2 or 3"},
        {"m.json", "\"l2.ways\": 12", "\"l2.ways\": 6",
         "m.json: l2.ways = 6: expected 12, as the model has it"},
        {"m.json", "\"l2.sets\": 32", "\"l2.sets\": 64",
         "a.6.json has l2.sets = 32, m.json 64: expected the same"},
        {"m.json", "\"l2.sets\": 32", "\"l2.sets\": 0",
         "m.json: l2.sets = 0: expected a whole number from 1 to 65536"},
        {"m.json", "gtx480", "titanx",
         "a.6.json has config = \"gtx480\", m.json \"titanx\": expected the same"},
        {"m.json", "\"number\": 0", "\"number\": 2",
         "m.json: its kernels are ? and second; expected first and second"},
        {"m.json", "\"second\"", "\"third\"",
         "m.json: its kernels are first and third; expected first and second"},
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        camp_says_of_spoiled(&all[i], camp_says, "-m m.json " PAIR);
    camp_says("-m m.json " PAIR, 0, "machine ");
    camp_says("-m none.json " PAIR, 2, "none.json");
}

/* Files that say too little, or are not alike ----------------------------------------------------*/

static void hostile_runs(void **unused)
{
    (void)unused;
    static const struct spoiled all[] = {
        {"a.12.json", "\"totals\"", "\"together\": [{}], \"totals\"",
         "a.12.json: of two programs at once: expected one that ran alone"},
        {"a.12.json", "\"totals\"", "\"incomplete\": \"killed\", \"totals\"",
         "a.12.json: not the statistics of a whole run"},
        {"a.12.json", "\"ok\"", "\"stopped\"", "a.12.json: a kernel did not end well: stopped"},
        {"a.12.json", "\"ok\"", "7", "a.12.json: a kernel did not end well: ?"},
        {"a.12.json", "\"untimed_instructions\": 0", "\"untimed_instructions\": 1",
         "a.12.json: some of its instructions took no time"},
        {"a.12.json", "\"untimed_instructions\": 0", "\"untimed\": 0",
         "a.12.json: no number untimed_instructions"},
        {"a.12.json", "\"totals\"", "\"sums\"", "a.12.json: no number untimed_instructions"},
        {"a.12.json", "\"l2.ways\": 12", "\"l2.way\": 12", "a.12.json: no number l2.ways"},
        {"a.12.json", "\"l2.ways\": 12", "\"l2.ways\": 1.5",
         "a.12.json: l2.ways = 1.5: expected a whole number from 1 to 64"},
        {"a.12.json", "\"l2.ways\": 12", "\"l2.ways\": 0", "a.12.json: l2.ways = 0: expected"},
        {"a.12.json", "\"l2.ways\": 12", "\"l2.ways\": 65", "a.12.json: l2.ways = 65: expected"},
        {"a.12.json", "\"l2.ways\": 12", "\"l2.ways\": 6",
         "a.12.json: l2.ways = 6: another run of the program has so many, too"},
        {"a.12.json", "\"settings\": {", "\"settings\": [{", "a.12.json: not JSON"},
        {"a.12.json",
         "\"settings\": ", "\"settings\": [], \"other\": ", "a.12.json: no number l2.ways"},
        {"a.12.json", "\"accesses\": 200000", "\"accesses\": 0", "a.12.json: 0 accesses of L2"},
        {"a.12.json", "\"accesses\": 200000", "\"accesses\": 119999",
         "a.12.json: 119999 accesses of L2, 120000 misses, 20000 of them merged: expected"},
        {"a.12.json", "\"mshr_merged\": 20000", "\"mshr_merged\": 120001", "120001 of them merged"},
        {"a.12.json", "\"mshr_merged\": 20000", "\"mshr_merged\": -1", "-1 of them merged"},
        {"a.12.json", "\"mshr_merged\": 20000", "\"mshr_merged\": 1e999", "no number mshr_merged"},
        {"a.12.json", "\"warp_instructions\": 1000000", "\"warp_instructions\": 0",
         "a.12.json: it issued nothing"},
        {"a.12.json", "\"cycles\": 2000000", "\"cycles\": -1", "a.12.json: it issued nothing"},
        {"a.12.json", "\"first\"", "\"last\"",
         "a.6.json begins with kernel first, a.12.json with last: expected runs of one program"},
        {"a.12.json", "\"kernels\"", "\"no kernels\"",
         "a.6.json begins with kernel first, a.12.json with ?: expected runs of one program"},
        {"a.12.json", "\"lrr\"", "\"gto\"",
         "a.6.json has sched = \"lrr\", a.12.json \"gto\": expected the same"},
        {"a.12.json", "\"dispatch\": \"kmu\"", "\"dispatch\": \"lrr\"",
         "a.6.json has dispatch = \"kmu\", a.12.json \"lrr\": expected the same"},
        {"a.12.json", "\"l2.sets\": 32", "\"l2.sets\": 64",
         "a.6.json has l2.sets = 32, a.12.json 64: expected the same"},
        {"a.12.json", "\"l2.sets\": 32", "\"gone\": 32",
         "a.6.json has l2.sets = 32, a.12.json none: expected the same"},
        {"a.12.json", "\"l2.sets\"", "\"new.key\": \"x\", \"l2.sets\"",
         "a.6.json has new.key = none, a.12.json \"x\": expected the same"},
        {"a.12.json", "\"kmu.sms_0\": 7", "\"kmu.sms_0\": 8",
         "a.6.json has kmu.sms_0 = 7, a.12.json 8: expected the same"},
        {"a.6.json", "\"kmu.partition\": 3", "\"kmu.partition\": 4",
         "a.6.json: kmu.partition = 4: expected a whole number from 0 to 3"},
        {"a.6.json", "\"hw.num_sms\": 15", "\"hw.num_sms\": 0", "a.6.json: hw.num_sms = 0: "},
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        camp_says_of_spoiled(&all[i], camp_says, "a.6.json,a.12.json");
    camp_says("a.6.json,a.12.json", 0, "A: first alone, 7 SMs: ");
    camp_spoil("a.6.json", "\"kmu.partition\": 3", "\"kmu.partition\": 2"); /* alone it had all */
    camp_spoil("a.12.json", "\"kmu.partition\": 3", "\"kmu.partition\": 2");
    camp_says("a.6.json,a.12.json", 0, "A: first alone, 15 SMs: ");
}

static void programs_of_other_machines(void **unused)
{
    (void)unused;
    static const struct spoiled all[] = {
        {"b.6.json", "gtx480", "titanx",
         "a.6.json has config = \"gtx480\", b.6.json \"titanx\": expected the same"},
        {"b.6.json", "\"l2.banks\": 2", "\"l2.banks\": 4",
         "a.6.json has l2.banks = 2, b.6.json 4: expected the same"},
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        camp_spoil("b.12.json", all[i].words, all[i].others);
        camp_says_of_spoiled(&all[i], camp_says, PAIR);
        camp_spoil("b.12.json", all[i].others, all[i].words);
    }
    camp_says(PAIR, 0, "A: first, B: second; 12 ways");
}

static void usage(void **unused)
{
    (void)unused;
    camp_says("", 2, "no files; expected STATS.json,STATS.json,... of each program");
    camp_says("a.6.json", 2, "a.6.json: one run: expected STATS.json,STATS.json,...");
    camp_says("a.6.json,", 2, "cannot be read");
    camp_says("a.6.json,none.json", 2, "none.json: cannot be read: No such file");
    camp_says("a a a a a a a a a", 2, "a: expected 8 programs at most");
    camp_says("--noise=2 a.6.json,a.12.json", 2, "--noise=2: expected a number from 0 to 1");
    camp_says("--noise=nan a.6.json,a.12.json", 2, "--noise=nan: expected a number from 0 to 1");
    camp_says("--noise=1x a.6.json,a.12.json", 2, "--noise=1x: expected a number from 0 to 1");
    camp_says("--picture=p.bmp a.6.json,a.12.json", 2, "p.bmp");
    camp_says("--picture=p.pdf a.6.json,a.12.json", 0, "A: first alone");
    assert_int_equal(access("p.pdf", F_OK), 0);
    camp_says("--help", 0, "heddle replay --dispatch=kmu");
    heddle_says("model", "--help", 0, "how programs share a cache, L2 or L1D");
    write_file("a.6.json", "[");
    camp_says("a.6.json,a.12.json", 2, "a.6.json: not JSON");
}

/* More ways and more misses; SPI below 0. */
static void no_profile(void **unused)
{
    (void)unused;
    const struct made_up noisy = {"noisy", "a", .2, 7, 2, {{6, .75, 2}, {12, .77, 2.01}}},
                         backward = {"backward", "a", .2, 7, 2, {{6, .9, 1}, {12, .5, 9}}};
    camp_write(&noisy);
    camp_says("a.6.json,a.12.json", 2, "a.6.json: noisy: ");
    assert_non_null(strstr(said, "--noise=X says how many are let pass\n"));
    camp_says("--noise=.021 a.6.json,a.12.json", 0, "A: noisy alone");
    camp_write(&backward); /* 9 - 20 (MPA - .5): below 0 from .95 on */
    camp_says("a.6.json,a.12.json", 2, "a.6.json: backward: ");
    assert_non_null(strstr(said, "\nSPI = -20.0000 MPA + 19.0000 is not above 0 for each MPA "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(measured, camp_with_pair, leave_folder),
        cmocka_unit_test_setup_teardown(of_l1d, camp_with_pair, leave_folder),
        cmocka_unit_test_setup_teardown(stacks, camp_with_pair, leave_folder),
        cmocka_unit_test_setup_teardown(rows, camp_with_pair, leave_folder),
        cmocka_unit_test_setup_teardown(hostile_pairs, camp_with_pair, leave_folder),
        cmocka_unit_test_setup_teardown(hostile_runs, camp_with_pair, leave_folder),
        cmocka_unit_test_setup_teardown(programs_of_other_machines, camp_with_pair, leave_folder),
        cmocka_unit_test_setup_teardown(usage, camp_with_pair, leave_folder),
        cmocka_unit_test_setup_teardown(no_profile, camp_with_pair, leave_folder),
    };
    return cmocka_run_group_tests_name("tb/cli/model/camp_files", tests, NULL, NULL);
}
