/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/mix_test.c: `heddle model mix` on kernels made up so that the answer is known: each instruction waits for the one before
 * it, so that a warp issues once in 1 + wait cycles (mix.md, exact_case); on files that say too little; and on a real run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/tb/cli/sweep/sweep_support.h"
#include "tests/tb/shell.h"

/* A kernel alone for 1000 cycles on 2 SMs, 24 warps on each. An SM holds 6 of its blocks, of 8 warps and so many registers each. `held`: warps'
 * cycles in each class of control hazards. */
static void write_held(const char *path, const char *name, unsigned instructions,
                       unsigned registers, unsigned held)
{
    char text[4096];
    snprintf(
        text, sizeof text,
        "{\"kernels\": [{\"name\": \"%s\", \"status\": \"ok\", \"cycles\": 1000, \"sm_cycles\": "
        "1000,"
        " \"warp_instructions\": %u, \"untimed_instructions\": 0, \"cpi\": {\"warp_cycles\":"
        " {\"issued\": %u, \"ibuf\": %u, \"barrier\": %u, \"done\": %u, \"control\": %u,"
        " \"struct_sp\": 0, \"struct_sfu\": 0, \"struct_mem\": 0, \"data_mem\": 0, \"data_exe\": 0,"
        " \"not_selected\": %u}}, \"occupancy\": {\"blocks_per_sm\": 6, \"warps_per_block\": 8,"
        " \"resources\": {\"blocks\": {\"block_needs\": 1, \"sm_has\": 8},"
        " \"threads\": {\"block_needs\": 256, \"sm_has\": 1536},"
        " \"warp_slots\": {\"block_needs\": 4, \"sm_has\": 24},"
        " \"registers\": {\"block_needs\": %u, \"sm_has\": 32768},"
        " \"shared_bytes\": {\"block_needs\": 0, \"sm_has\": 49152}}}}],"
        " \"settings\": {\"hw.num_sms\": 2, \"hw.num_schedulers\": 2, \"gpu.clock_mhz\": 700}}",
        name, instructions, instructions, held, held, held, held, 48000 - instructions - 4 * held,
        registers);
    write_file(path, text);
}

static void write_statistics(const char *path, const char *name, unsigned instructions,
                             unsigned registers)
{
    write_held(path, name, instructions, registers, 0);
}

/* Only the SP pipe, and whoever comes next waits for 22 cycles. */
static void write_profile(const char *path, const char *name, const char *distances)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"kernels\": [{\"name\": \"%s\", \"dependence\": {\"warps\": 1,"
             " \"sp\": {\"interval\": 0.5, \"wait\": 22, \"distances\": %.199s},"
             " \"sfu\": {\"interval\": 8, \"wait\": 37, \"distances\": []},"
             " \"mem\": {\"interval\": 2, \"wait\": 25, \"distances\": []}}}]}",
             name, distances);
    write_file(path, text);
}

/* Both at once: so many blocks of each on an SM, and IPC of the two SMs. */
static void write_pair(const char *path, const char *a, const char *b, unsigned blocks_a,
                       unsigned blocks_b, double ipc_a, double ipc_b)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"kernels\": [{\"name\": \"%s\", \"number\": 0}, {\"name\": \"%s\","
             " \"number\": 1}], \"together\": [{\"each\": [{\"ipc\": %g}, {\"ipc\": %g}]}],"
             " \"settings\": {\"kmu.blocks_0\": %u, \"kmu.blocks_1\": %u}}",
             a, b, ipc_a, ipc_b, blocks_a, blocks_b);
    write_file(path, text);
}

static int with_files(void **state)
{
    in_folder(state);
    write_statistics("a.json", "first", 2000, 4096); /* an IPC of 1 on an SM */
    write_statistics("b.json", "second", 1000, 16384);
    write_profile("a.p.json", "first", "[0, 1000]");
    write_profile("b.p.json", "second", "[0, 7]");
    write_pair("pair.json", "first", "second", 2, 1, 2, 0.5);
    write_pair("more.json", "first", "second", 4, 1, 3, 0.4);
    return 0;
}

static void mix(const char *words, int status, const char *says)
{
    heddle_says("model", words, status, says);
}

/* 24 warps, each of which issues once in 23 cycles. */
static void alone(void **unused)
{
    (void)unused;
    mix("mix a.json,a.p.json", 0,
        "first                 24.0 of  48    1.0       1.043        1.000   +4.3 %  -\n"
        "note: first ran with 50 % of the warps that an SM holds: more would be faster\n");
    mix("mix a.json,a.p.json,first", 0, "1.043        1.000");
    mix("mix b.json,b.p.json", 0, "1.043        0.500 +108.7 %  -\n");
    mix("mix --printed a.json,a.p.json", 0, "1.661        1.000  +66.1 %"); /* mix.md */
    assert_null(strstr(said, "another"));
}

/* Half of the warps: 12 / 23. */
static void held(void **unused)
{
    (void)unused;
    write_held("a.json", "first", 2000, 4096, 6000);
    mix("mix a.json,a.p.json", 0, "       0.522        1.000  -47.8 %");
}

/* Two blocks of 8 warps of the first: 16 / 23; registers are left for one block of the second, or two and no more than none of the first. */
static void together(void **unused)
{
    (void)unused;
    mix("mix --blocks=2,1 a.json,a.p.json b.json,b.p.json", 0,
        "    2     1   0.7   0.3    0.696    0.348    1.391   16.7  -\n");
    mix("mix a.json,a.p.json b.json,b.p.json", 0, "    4     1   1.4   0.3    1.391    0.348");
    assert_null(strstr(said, "\n    5     1"));
    assert_null(strstr(said, "\n    1     2"));
    assert_non_null(strstr(said, "2.087   27.8  -  best\n"));
    mix("mix --blocks=5,1 a.json,a.p.json b.json,b.p.json", 1,
        "an SM has no room for so many blocks of first and second");
}

/* 2,1: 0.696 / 1 + 0.348 / 0.5 = 1.391 for (2 / 1 + 0.5 / 0.5) / 2 = 1.5: 7.2 % less. 4,1: 2.087 for 1.5 / 1 + 0.2 / 0.5 = 1.9: 9.8 % more. */
static void measured(void **unused)
{
    (void)unused;
    mix("mix --blocks=2,1 --measured=pair.json a.json,a.p.json b.json,b.p.json", 0,
        "    2     1   0.7   0.3    0.696    0.348    1.391   16.7    1.000    0.250    1.500  -\n"
        "\nof 1 measured: mean error of the throughput 7.2 %; the model chooses 2,1, where the "
        "machine does 1.500; its best is 1.500 at 2,1\n");
    mix("mix -m pair.json -m more.json -o m.svg a.json,a.p.json b.json,b.p.json", 0,
        "of 2 measured: mean error of the throughput 8.5 %; the model chooses 4,1, where the "
        "machine does 1.900; its best is 1.900 at 4,1\n");
    assert_non_null(strstr(said, "    1     1   0.3   0.3    0.348    0.348    1.043   11.1    "
                                 "                         -\n"));
    write_pair("pair.json", "first", "second", 2, 1, 4,
               0.5); /* better there than the model knows */
    mix("mix -m pair.json -m more.json a.json,a.p.json b.json,b.p.json", 0,
        "the model chooses 4,1, where the machine does 1.900; its best is 2.500 at 2,1\n");
    mix("mix -m pair.json -m pair.json a.json,a.p.json b.json,b.p.json", 1,
        "pair.json: divided 2,1: another file has been so, too");
    mix("mix -b 1,1 -m pair.json a.json,a.p.json b.json,b.p.json", 1,
        "pair.json: divided 2,1: this is none of the divisions that are looked at");
    write_pair("pair.json", "second", "first", 2, 1, 2, 0.5);
    mix("mix -m pair.json a.json,a.p.json b.json,b.p.json", 1,
        "pair.json: its kernels are second and first; expected first and second");
    write_pair("pair.json", "first", "second", 0, 1, 2, 0.5);
    mix("mix -m pair.json a.json,a.p.json b.json,b.p.json", 1,
        "pair.json: settings.kmu.blocks_0: expected from 1 to 64");
    write_pair("pair.json", "first", "second", 2, 1, 2, 0);
    mix("mix -m pair.json a.json,a.p.json b.json,b.p.json", 1,
        "pair.json: together.0.each.1.ipc: expected more than 0");
    write_file("pair.json", "{\"kernels\": []}");
    mix("mix -m pair.json a.json,a.p.json b.json,b.p.json", 1,
        "pair.json: together.0.each.0.ipc: expected more than 0");
}

static void holds(const char *path, const char *text)
{
    char command[200];
    snprintf(command, sizeof command, "cat %s", path);
    assert_int_equal(shell(command, said), 0);
    if (!strstr(said, text))
        fail_msg("no '%s' in:\n%s", text, said);
}

/* 32 and 8 of 48 warps, of which each issues once in 23 cycles: 2.087 over alone, 40 / 23 / 2 of the time of 32 lanes. EVEN has the most warps that
 * fit here, 40; with room for six blocks of any kernel three of each. */
static void rows(void **unused)
{
    (void)unused;
    mix("mix --csv=m.csv -m more.json a.json,a.p.json b.json,b.p.json", 0, "  best\n");
    holds("m.csv", "first,second,blocks_0,blocks_1,even,ipc_0,ipc_1,ratio,lanes,full,machine_ipc_0,"
                   "machine_ipc_1,machine_ratio,machine_lanes\n"
                   "first,second,1,1,0,0.347826,0.347826,1.04348,11.1304,0,,,,\n");
    holds("m.csv", "\nfirst,second,3,1,0,");
    holds("m.csv", "\nfirst,second,4,1,1,1.3913,0.347826,2.08696,27.8261,0,1.5,0.2,1.9,27.2\n");
    write_statistics("b.json", "the \\\"second\\\", one", 1000, 4096);
    write_profile("b.p.json", "the \\\"second\\\", one", "[0, 7]");
    mix("mix --csv=m.csv a.json,a.p.json b.json,b.p.json", 0, "  best\n");
    holds("m.csv", "\nfirst,\"the \"\"second\"\", one\",3,3,1,");
    assert_int_equal(
        shell("grep -c '[0-9],1,[0-9.]*,[0-9.]*,[0-9.]*,[0-9.]*,[0-7],,,,$' m.csv", said), 0);
    assert_int_equal(atoi(said), 1); /* one is EVEN */
    /* blocks of 8 and of 3 warps: 5,2 are the most, 46 warps; of the divisions with at least 40 those of 4,4 differ least, 32 and 12 */
    write_statistics("b.json", "second", 1000, 4096);
    write_profile("b.p.json", "second", "[0, 7]");
    assert_int_equal(shell("sed -i 's/warps_per_block\": 8/warps_per_block\": 3/; "
                           "s/needs\": 256/needs\": 96/; s/needs\": 4,/needs\": 2,/' b.json",
                           said),
                     0);
    mix("mix --csv=m.csv a.json,a.p.json b.json,b.p.json", 0, "  best\n");
    holds("m.csv", "\nfirst,second,4,4,1,");
    holds("m.csv", "\nfirst,second,5,2,0,");
    /* where blocks need nothing, or more than can be counted, there is no EVEN */
    static const char *const needs[] = {
        "s/blocks\": {\"block_needs\": 1/blocks\": {\"block_needs\": 0/",
        "s/sm_has\": 8}/sm_has\": 1e30}/"};
    for (size_t i = 0; i < 2; i++) {
        char command[300];
        write_statistics("a.json", "first", 2000, 4096);
        write_statistics("b.json", "second", 1000, 4096);
        write_profile("b.p.json", "second", "[0, 7]");
        snprintf(command, sizeof command, "sed -i '%.200s' a.json b.json", needs[i]);
        assert_int_equal(shell(command, said), 0);
        mix("mix --csv=m.csv a.json,a.p.json b.json,b.p.json", 0, NULL);
        assert_int_not_equal(shell("grep '^first,second,[0-9]*,[0-9]*,1' m.csv", said), 0);
        holds("m.csv", "first,second,1,1,0,");
    }
    mix("mix --csv=no/m.csv a.json,a.p.json b.json,b.p.json", 2, "no/m.csv");
    mix("mix --csv=m.csv a.json,a.p.json", 2, "--csv: expected two kernels");
}

/* What is full is named. 48 warps that hardly wait: two schedulers issue two instructions per cycle; with one SP pipe for both, one. */
static void what_is_full(void **unused)
{
    (void)unused;
    write_profile("a.p.json", "first", "[1000, 1]");
    mix("mix a.json,a.p.json", 0, "       2.000        1.000 +100.0 %  SP\n");
    write_file("a.p.json", "{\"kernels\": [{\"name\": \"first\", \"dependence\": {"
                           "\"sp\": {\"interval\": 0.1, \"wait\": 22, \"distances\": [9]},"
                           "\"sfu\": {\"interval\": 8, \"wait\": 37, \"distances\": []},"
                           "\"mem\": {\"interval\": 2, \"wait\": 25, \"distances\": []}}}]}");
    mix("mix a.json,a.p.json", 0, "       2.000        1.000 +100.0 %  SP, issue\n");
}

/* With a full pipe both goals choose the same here; the picture is drawn, whatever its name says. */
static void goals_and_pictures(void **unused)
{
    (void)unused;
    mix("mix --goal=utilisation -o pair.svg a.json,a.p.json b.json,b.p.json", 0, "  best\n");
    assert_int_equal(access("pair.svg", F_OK), 0);
    mix("mix --picture=alone.png a.json,a.p.json", 0, "1.043");
    assert_int_equal(access("alone.png", F_OK), 0);
    mix("mix --picture=alone.bmp a.json,a.p.json", 2, "alone.bmp");
    mix("mix --picture=no/alone.svg a.json,a.p.json", 2, "no/alone.svg");
}

static void too_little(void **unused)
{
    (void)unused;
    char text[200];
    mix("", 2, "Usage: heddle model MODEL");
    mix("mixed", 2, "no model 'mixed'");
    mix("--help", 0, "how fast two kernels run");
    mix("mix", 2, "no files; expected STATS.json,PROFILE.json");
    mix("mix a.json", 2, "a.json: expected STATS.json,PROFILE.json");
    mix("mix a.json,", 2, "a.json,: expected STATS.json,PROFILE.json");
    mix("mix none.json,a.p.json", 2, "none.json");
    mix("mix a.json,a.json", 2, "a.json: of an older version: no dependence.sp");
    mix("mix a.json,b.p.json", 2, "b.p.json: no kernel first");
    mix("mix a.json,a.p.json,third", 2, "a.json: no kernel third");
    mix("mix a.json,a.p.json b.json,b.p.json a.json,a.p.json", 2, "expected one or two kernels");
    mix("mix --blocks=2,1 a.json,a.p.json", 2, "--blocks: expected two kernels");
    mix("mix --measured=pair.json a.json,a.p.json", 2, "--measured: expected two kernels");
    mix("mix --goal=most a.json,a.p.json", 2, "--goal=most: expected ratio or utilisation");
    static const char *const blocks[] = {"2", "0,1", "-1,2", "1,-2", "1,2,3", "a,b"};
    for (unsigned i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        snprintf(text, sizeof text, "mix --blocks=%s a.json,a.p.json b.json,b.p.json", blocks[i]);
        mix(text, 2, "expected two numbers from 1");
    }
    write_profile("a.p.json", "first", "[]");
    mix("mix a.json,a.p.json", 2, "a.p.json: no instructions of any warp");
    write_profile("a.p.json", "first", "[1, \"2\"]");
    mix("mix a.json,a.p.json", 2, "a.p.json: not only numbers: distances of pipe sp");
    write_profile("a.p.json", "first", "1");
    mix("mix a.json,a.p.json", 2, "a.p.json: no array, or too long a one: distances of pipe sp");
    snprintf(text, sizeof text, "[0%0*d]", 2 * 66, 0); /* 67 numbers */
    for (char *c = text + 2; *c != ']'; c += 2)
        *c = ',';
    write_profile("a.p.json", "first", text);
    mix("mix a.json,a.p.json", 2, "a.p.json: no array, or too long a one");
    write_profile("a.p.json", "first", "[-1, 3]");
    mix("mix a.json,a.p.json", 2, "kernel first: ");
    write_profile("a.p.json", "first", "[0, 1000]");
    write_statistics("a.json", "first", 0, 4096);
    mix("mix a.json,a.p.json", 2, "a.json: it issued nothing: first");
    write_file("a.json", "{\"config\": \"tiny\", \"kernels\": []}");
    write_file("a.p.json", "{\"config\": \"gtx480\", \"kernels\": []}");
    mix("mix a.json,a.p.json", 2, "a.json is of tiny, a.p.json of gtx480");
    write_file("a.json", "{\"kernels\": [{\"name\": \"k\"}, {\"name\": \"l\"}]}");
    mix("mix a.json,a.p.json", 2, "a.json: several kernels, 'k' and 'l' among them");
    write_file("a.json", "[");
    mix("mix a.json,a.p.json", 2, "a.json: not JSON");
}

/* A run as a person makes it; what the model says is near what the machine did. */
static void of_a_run(void **unused)
{
    (void)unused;
    double model, machine;
    mix("mix --help", 0, "heddle run");
    heddle_says("run",
                "--sched=lrr -o v.json --profile=v.p.json -- $H/workloads/vecadd --size=small", 0,
                NULL);
    mix("mix v.json,v.p.json", 0, "vecadd ");
    const char *row = strstr(said, "vecadd ");
    assert_int_equal(sscanf(row, "%*s %*f of %*f %*f %lf %lf", &model, &machine), 2);
    assert_true(model > machine / 2 && model < machine * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(alone, with_files, leave_folder),
        cmocka_unit_test_setup_teardown(held, with_files, leave_folder),
        cmocka_unit_test_setup_teardown(together, with_files, leave_folder),
        cmocka_unit_test_setup_teardown(measured, with_files, leave_folder),
        cmocka_unit_test_setup_teardown(rows, with_files, leave_folder),
        cmocka_unit_test_setup_teardown(what_is_full, with_files, leave_folder),
        cmocka_unit_test_setup_teardown(goals_and_pictures, with_files, leave_folder),
        cmocka_unit_test_setup_teardown(too_little, with_files, leave_folder),
        IN_FOLDER(of_a_run),
    };
    return cmocka_run_group_tests_name("tb/cli/model/mix", tests, NULL, NULL);
}
