/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/pdvfs_files_test.c: `heddle model pdvfs` on files that say too little, are not alike, or are hostile; and its options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/tb/cli/model/camp_support.h"
#include "tests/tb/cli/model/pdvfs_support.h"
#include "tests/tb/cli/sweep/sweep_support.h"

#define FILES "p.3.json,p.6.json"

static const struct clock_launch first = {"first",
                                          1000,
                                          900,
                                          300,
                                          5000,
                                          10,
                                          20,
                                          {4000, 3000, 2500, 2000},
                                          {1e4, 1e4, 1e4, 1e4},
                                          {100, 100, 100, 100},
                                          {50, 50, 50, 50}};
static const struct clock_launch second = {"second",
                                           2000,
                                           1900,
                                           400,
                                           9000,
                                           10,
                                           20,
                                           {9000, 7000, 5500, 5000},
                                           {3e4, 3e4, 3e4, 3e4},
                                           {400, 400, 400, 400},
                                           {150, 150, 150, 150}};

static int with_files(void **state)
{
    in_folder(state);
    pdvfs_write("p", (const struct clock_launch[]){first, second}, 2);
    return 0;
}

/* As struct spoiled, of a file that is named once. */
struct spoiled_words {
    const char *words, *others, *says;
};

static void spoil_each(const char *path, const struct spoiled_words *all, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        camp_says_of_spoiled(&(struct spoiled){path, all[i].words, all[i].others, all[i].says},
                             pdvfs_says, FILES);
    pdvfs_says(FILES, 0, "first: 2 launches, 1 period\n");
}

static void hostile_files(void **unused)
{
    (void)unused;
    static const struct spoiled_words all[] = {
        {"\"totals\"", "\"together\": [{}], \"totals\"",
         "p.6.json: of two programs at once: expected one that ran alone"},
        {"\"totals\"", "\"incomplete\": \"killed\", \"totals\"",
         "p.6.json: not the statistics of a whole run"},
        {"\"ok\"", "\"stopped\"", "p.6.json: a kernel did not end well: stopped"},
        {"\"untimed_instructions\": 0", "\"untimed_instructions\": 1",
         "p.6.json: some of its instructions took no time"},
        {"\"sm.clock\": 6", "\"sm.clocks\": 6", "p.6.json: no number sm.clock"},
        {"\"sm.clock\": 6", "\"sm.clock\": 7",
         "p.6.json: sm.clock = 7: expected a whole number from 1 to 6"},
        {"\"sm.clock\": 6", "\"sm.clock\": 0", "p.6.json: sm.clock = 0: expected"},
        {"\"sm.clock\": 6", "\"sm.clock\": 4.5", "p.6.json: sm.clock = 4.5: expected"},
        {"\"sm.clock\": 6", "\"sm.clock\": 3",
         "p.6.json: sm.clock = 3: another run of the program has it, too"},
        {"\"kernels\": [", "\"kernels\": [], \"others\": [", "p.6.json: it launched no kernel"},
        {"\"kernels\": [", "\"kernels\": {}, \"others\": [", "p.6.json: it launched no kernel"},
        {"\"kernels\": [", "\"others\": [", "p.6.json: it launched no kernel"},
        {"\"kernels\": [{", "\"kernels\": [7, {", "p.6.json: a kernel did not end well: ?"},
        {"\"cycles\": 5000", "\"cycles\": -1", "p.6.json: kernels.1.cycles = -1: expected no less"},
        {"\"cycles\": 5000", "\"cycles\": 0", "p.6.json: kernels.1.cycles = 0: expected more"},
        {"\"cycles\": 5000", "\"cycles\": 0.5", "p.6.json: kernels.1.cycles = 0.5: expected more"},
        {"\"cycles\": 5000", "\"cycles\": 1e17", "p.6.json: kernels.1.cycles = 1e+17: expected no"},
        {"\"cycles\": 5000", "\"cycles\": 1e999", "p.6.json: no number kernels.1.cycles"},
        {"\"cycles\": 5000", "\"cycles\": []", "p.6.json: no number kernels.1.cycles"},
        {"\"warp_instructions\": 2000", "\"warp_instructions\": 0",
         "p.6.json: kernels.1.warp_instructions = 0: expected more"},
        {"\"total\": 30000", "\"total\": 0", "p.6.json: kernels.1.energy.total = 0: expected more"},
        {"\"energy\"", "\"power\"", "p.6.json: no number kernels.0.energy.total"},
        {"\"instructions\"", "\"warps\"", "p.6.json: no number kernels.0.instructions.sp"},
        {"\"l2.ways\": 8", "\"dvfs.software\": 1, \"l2.ways\": 8",
         "p.6.json: the SMs' clock changes while it runs: expected dvfs.software = 0"},
        {"\"misses\": 420, \"mshr_merged\": 20", "\"misses\": 420, \"mshr_merged\": 421",
         "p.6.json: kernels.1.l1d.mshr_merged = 421: expected no more than misses"},
        {"\"misses\": 170, \"mshr_merged\": 20", "\"misses\": 170, \"mshr_merged\": 171",
         "p.6.json: kernels.1.l2.mshr_merged = 171: expected no more than misses"},
        {"\"second\"", "\"third\"",
         "p.3.json has kernels.1.name = \"second\", p.6.json \"third\": expected the same"},
        {"\"blocks\": 8", "\"blocks\": 9",
         "p.3.json has kernels.0.blocks = 8, p.6.json 9: expected the same"},
        {"\"blocks\": 8", "\"launches\": 2, \"blocks\": 8",
         "p.3.json has kernels.0.launches = none, p.6.json 2: expected the same"},
        {"\"gto\"", "\"lrr\"", "p.3.json has sched = \"gto\", p.6.json \"lrr\": expected the same"},
        {"\"l2.ways\": 8", "\"l2.ways\": 9",
         "p.3.json has l2.ways = 8, p.6.json 9: expected the same"},
        {"\"l2.ways\": 8", "\"l2.ways\": 8, \"new.key\": 1",
         "p.3.json has new.key = none, p.6.json 1: expected the same"},
    };
    spoil_each("p.6.json", all, sizeof all / sizeof all[0]);
    static const struct spoiled_words of_the_first[] = {
        {"\"gpu.clock_mhz\": 1200", "\"gpu.clock_mhz\": 0",
         "p.3.json: gpu.clock_mhz = 0: expected more than 0"},
        {"\"gpu.clock_mhz\": 1200", "\"gpu.clock\": 1200", "p.3.json: no number gpu.clock_mhz"},
        {"\"kernels\": [", "\"kernels\": [{\"status\": \"ok\"}, ",
         "p.3.json: no number kernels.0.cycles"},
    };
    spoil_each("p.3.json", of_the_first, sizeof of_the_first / sizeof of_the_first[0]);
    pdvfs_write("q", &first, 1);
    pdvfs_says("p.3.json,q.6.json", 2,
               "p.3.json has 2 kernels, q.6.json 1: expected runs of one program");
}

/* What may differ, and names that are strange. */
static void let_pass(void **unused)
{
    (void)unused;
    camp_spoil("p.6.json", "\"run.max_cycles\": 3", "\"run.other\": \"x\"");
    pdvfs_says(FILES, 0, "first: 2 launches");
    camp_spoil("p.3.json", "\"first\"", "\"`rm x`'\\n\\\"\"");
    camp_spoil("p.6.json", "\"first\"", "\"`rm x`'\\n\\\"\"");
    write_file("x", "");
    pdvfs_says("-o p.svg -c p.csv " FILES, 0, "2 launches");
    assert_int_equal(access("x", F_OK), 0);
    camp_spoil("p.3.json", "\"name\"", "\"no name\"");
    camp_spoil("p.6.json", "\"name\"", "\"no name\"");
    pdvfs_says(FILES, 0, "?: 2 launches");
}

static void usage(void **unused)
{
    (void)unused;
    pdvfs_says("", 2, "no files; expected STATS.json,STATS.json,... of each program");
    pdvfs_says("p.3.json", 2, "p.3.json: one run: expected STATS.json,STATS.json,...");
    pdvfs_says("p.3.json,", 2, "cannot be read");
    pdvfs_says("p.3.json,none.json", 2, "none.json: cannot be read: No such file");
    pdvfs_says("--goal=-1 " FILES, 2, "--goal=-1: expected a number from 0 to 1000");
    pdvfs_says("--goal=nan " FILES, 2, "--goal=nan: expected a number from 0 to 1000");
    pdvfs_says("--goal=5% " FILES, 2, "--goal=5%: expected a number from 0 to 1000");
    pdvfs_says("-g1 -g2 -g3 -g4 -g5 -g6 -g7 -g8 " FILES, 0, "\n8 % ");
    pdvfs_says("-g1 -g2 -g3 -g4 -g5 -g6 -g7 -g8 -g9 " FILES, 2,
               "--goal=9: expected 8 goals at most");
    pdvfs_says("--misses=l3 " FILES, 2, "--misses=l3: expected l1d or l2");
    pdvfs_says("--slots=0 " FILES, 2, "--slots=0: expected a number from 1 to 24");
    pdvfs_says("--slots=25 " FILES, 2, "--slots=25: expected a number from 1 to 24");
    pdvfs_says("--slots=1 " FILES, 0, "slots by misses of L1D per warp instruction");
    pdvfs_says("--period=-1 " FILES, 2, "--period=-1: expected a number from 0 to 1000000000");
    pdvfs_says("--picture=p.bmp " FILES, 2, "p.bmp");
    pdvfs_says("--csv=none/p.csv " FILES, 2, "none/p.csv");
    pdvfs_says("--picture=p.pdf " FILES, 0, "first: 2 launches");
    assert_int_equal(access("p.pdf", F_OK), 0);
    pdvfs_says("--help", 0, "heddle run --set sm.clock=3");
    heddle_says("model", "--help", 0, "at which clock of the SMs a program takes the least energy");
    write_file("p.3.json", "[");
    pdvfs_says(FILES, 2, "p.3.json: not JSON");
    write_file("p.3.json", "[1, [2]]");
    pdvfs_says(FILES, 2, "p.3.json: no number untimed_instructions");
}

#define WITH_FILES(test) cmocka_unit_test_setup_teardown(test, with_files, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILES(hostile_files),
        WITH_FILES(let_pass),
        WITH_FILES(usage),
    };
    return cmocka_run_group_tests_name("tb/cli/model/pdvfs_files", tests, NULL, NULL);
}
