/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/sweep/plan_test.c: what the file of a sweep may say, which points it makes, and that
 * every error has file, line and what was expected; as --dry-run shows it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hw.h"
#include "tests/tb/cli/sweep/sweep_support.h"

static void dry_run(const char *text, int status, const char *expected, int whole)
{
    write_file("p.ini", text);
    const int ended = heddle("sweep", "--dry-run p.ini");
    if (ended != status || (whole ? strcmp(said, expected) != 0 : !strstr(said, expected)))
        fail_msg("%s\nstatus %d, expected %d\nsaid:\n%s\nexpected:\n%s", text, ended, status, said,
                 expected);
}

#define C " config=" CONFIG_NAME

static void points(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *points;
    } files[] = {
        {"[a]\nworkload = bfs\n", "1 [a]" C " workload=bfs\n"},
        /* the last key changes fastest; a point's keys are in alphabetical order */
        {"; a comment\n[a]\nworkload = bfs, spmv\nrun.max_cycles = 1, 0x10 ; another\nl1d.sets = "
         "8\n",
         "1 [a]" C " workload=bfs l1d.sets=8 run.max_cycles=1\n"
         "2 [a]" C " workload=bfs l1d.sets=8 run.max_cycles=16\n"
         "3 [a]" C " workload=spmv l1d.sets=8 run.max_cycles=1\n"
         "4 [a]" C " workload=spmv l1d.sets=8 run.max_cycles=16\n"},
        {"[a]\nworkload = bfs\nl1d.ways = 1..3, 8..16..4, 17..20..4\n",
         "1 [a]" C " workload=bfs l1d.ways=1\n"
         "2 [a]" C " workload=bfs l1d.ways=2\n"
         "3 [a]" C " workload=bfs l1d.ways=3\n"
         "4 [a]" C " workload=bfs l1d.ways=8\n"
         "5 [a]" C " workload=bfs l1d.ways=12\n"
         "6 [a]" C " workload=bfs l1d.ways=16\n"
         "7 [a]" C " workload=bfs l1d.ways=17\n"},
        /* the triangle p <= N, its diagonal, and what is above it */
        {"[a]\nworkload = bfs\nmask.n = 1..2\nmask.p = 1..mask.n\n"
         "[b]\nworkload = bfs\nmask.n = 3..4\nmask.p = mask.n\n"
         "[c]\nworkload = bfs\nl1d.ways = 3\nl1d.mshrs = l1d.ways..5\n",
         "1 [a]" C " workload=bfs mask.n=1 mask.p=1\n"
         "2 [a]" C " workload=bfs mask.n=2 mask.p=1\n"
         "3 [a]" C " workload=bfs mask.n=2 mask.p=2\n"
         "4 [b]" C " workload=bfs mask.n=3 mask.p=3\n"
         "5 [b]" C " workload=bfs mask.n=4 mask.p=4\n"
         "6 [c]" C " workload=bfs l1d.mshrs=3 l1d.ways=3\n"
         "7 [c]" C " workload=bfs l1d.mshrs=4 l1d.ways=3\n"
         "8 [c]" C " workload=bfs l1d.mshrs=5 l1d.ways=3\n"},
        {"[a b]\nworkload = bfs\nsize = small, 12\nargs = \"\", \"--seed=1, 2\", --seed=3 "
         "--repeat=2\n",
         "1 [a b]" C " workload=bfs size=small\n"
         "2 [a b]" C " workload=bfs size=small args='--seed=1, 2'\n"
         "3 [a b]" C " workload=bfs size=small args='--seed=3 --repeat=2'\n"
         "4 [a b]" C " workload=bfs size=12\n"
         "5 [a b]" C " workload=bfs size=12 args='--seed=1, 2'\n"
         "6 [a b]" C " workload=bfs size=12 args='--seed=3 --repeat=2'\n"},
        /* a workload with arguments of its own, which come first */
        {"[a]\nworkload = bfs, \"spmv --rows=8  --seed=1\"\nargs = --seed=2\n",
         "1 [a]" C " workload=bfs args=--seed=2\n"
         "2 [a]" C " workload=spmv args='--rows=8  --seed=1 --seed=2'\n"},
        /* an indented line goes on with the list */
        {"[a]\nworkload = bfs, vecadd\n    spmv\nl1d.index = linear\n",
         "1 [a]" C " workload=bfs l1d.index=linear\n"
         "2 [a]" C " workload=vecadd l1d.index=linear\n"
         "3 [a]" C " workload=spmv l1d.index=linear\n"},
        {"[a]\nworkload = bfs\nrun.max_cycles = 9223372036854775805..9223372036854775807..2\n",
         "1 [a]" C " workload=bfs run.max_cycles=9223372036854775805\n"
         "2 [a]" C " workload=bfs run.max_cycles=9223372036854775807\n"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        dry_run(files[i].text, 0, files[i].points, 1);
}

static void errors(void **unused)
{
    (void)unused;
#define A "[a]\nworkload = bfs\n"
    static const struct {
        const char *text, *says;
    } files[] = {
        {"", "p.ini: no group; expected [name]"},
        {"workload = bfs\n", "p.ini:1: 'workload' outside a group"},
        {"[a]\nsize = small\n", "p.ini:1: [a] has no workload; expected workload = "},
        {"[a]\n[b]\nworkload = bfs\n", "p.ini:3: a group before this one has no keys"},
        {A "[b]\n", "p.ini: the last group has no keys"},
        {A "[a]\nworkload = spmv\n", "p.ini:4: [a] is given twice; first in line 1"},
        {A "nonsense\n", "p.ini:3: neither a comment, nor [section], nor key = value"},
        {"[a]\nworkload = bfs, none\n", "p.ini:2: workload = none: unknown workload"},
        {A "config = nowhere\n", "p.ini:3: config = nowhere is not built"},
        {A "config = nowhere\n", "`make build CONFIG=nowhere` builds it"},
        {A "config = ../tiny\n", "p.ini:3: config = ../tiny is not built"},
        {A "config = \"\"\n", "p.ini:3: config =  is not built"},
        {A "l1d.sats = 3\n", "p.ini:3: unknown key 'l1d.sats'; expected config, workload"},
        {A "profile = 2\n", "p.ini:3: profile = 2; expected 0 or 1"},
        {A "launches = 0..2\n", "p.ini:3: launches = 2; expected 0 or 1"},
        {A "profile = 1\nlaunches = 1\n",
         "p.ini:1: profile = 1 and launches = 1; expected one of them"},
        {A "run.fold = 1\nlaunches = 1\n",
         "p.ini:1: run.fold = 1 and launches = 1; expected one of them"},
        {A "daws_table.profile = @\n",
         "p.ini:3: daws_table.profile = @; expected behind the @ small"},
        {A "daws_table.profile = @tiny\n",
         "daws_table.profile = @tiny; expected behind the @ small"},
        {A "poise.told = @daws-profiled\n",
         "poise.told = @daws-profiled; expected behind the @ small"},
        {A "run.sched = @small\n", "[run] sched = @small: unknown policy; expected one of"},
        {A "profile = yes\n", "p.ini:3: profile: 'yes'; expected a whole number"},
        {A "hw.num_warps = 4\n", "p.ini:3: hw.num_warps is fixed when build/<config> is made"},
        {A "workload = spmv\n", "p.ini:3: workload is given twice; first in line 2"},
        {A "size = 0\n", "p.ini:3: size = 0; expected small, medium, large or a number from 1"},
        {A "size = -4\n", "p.ini:3: size = -4; expected"},
        {A "size = huge\n", "p.ini:3: size = huge; expected"},
        {A "l1d.ways = many\n",
         "p.ini:3: l1d.ways: 'many'; expected a whole number, or an earlier"},
        {A "l1d.ways = \"3\"\n", "p.ini:3: l1d.ways: \"3\" is quoted; expected a number"},
        {A "l1d.ways = 1,,2\n", "p.ini:3: l1d.ways: an empty value; expected a list"},
        {A "l1d.ways = 1,\n", "p.ini:3: l1d.ways: an empty value; expected a list"},
        {A "l1d.ways =\n", "p.ini:3: l1d.ways: an empty value; expected a list"},
        {A "args = \"--x\n", "p.ini:3: args: a quotation mark without another"},
        {A "args = \"--x\" --y\n", "p.ini:3: args: '--y' after a value; expected a comma"},
        {A "l1d.ways = 0..3\n", "p.ini:3: [l1d] ways = 0 is out of range; expected 1 to 64"},
        {A "l1d.ways = 63..65\n", "p.ini:3: [l1d] ways = 65 is out of range; expected 1 to 64"},
        {A "l1d.ways = 99999999999999999999\n", "p.ini:3: l1d.ways: '99999999999999999999'"},
        {A "l1d.ways = 3..1\n", "p.ini:3: l1d.ways: 3..1 is empty; expected the smaller"},
        {A "l1d.ways = 1..3..0\n", "p.ini:3: '1..3..0': a range that never ends; expected a step"},
        {A "l1d.ways = 1..3..-1\n", "p.ini:3: '1..3..-1': a range that never ends"},
        {A "l1d.ways = 1..\n", "p.ini:3: l1d.ways: ''; expected a whole number"},
        {A "l1d.ways = 1..2..3..4\n", "p.ini:3: l1d.ways: '3..4'; expected a whole number"},
        {A "l1d.ways = 1..l1d.ways\n", "p.ini:3: l1d.ways: 'l1d.ways'; expected a whole number"},
        {A "l1d.ways = 1..l1d.mshrs\nl1d.mshrs = 2\n", "p.ini:3: l1d.ways: 'l1d.mshrs'; expected"},
        {A "run.sched = lrr\nl1d.ways = run.sched\n", "p.ini:4: l1d.ways: 'run.sched'; expected"},
        {A "l1d.mshrs = 8\nl1d.ways = 9..l1d.mshrs\n", "p.ini:4: l1d.ways: 9..8 is empty"},
        {A "l1d.ways = 1, 1\n", "p.ini:1: point 2 is point 1, of [a], again: config="},
        {A "[b]\nworkload = bfs\n", "p.ini:3: point 2 is point 1, of [a], again: config="},
        {A "run.max_cycles = 1..100001\n", "p.ini:1: [a] makes more than 100000 points"},
        {A "run.max_cycles = 0..9223372036854775807\n", "p.ini:1: [a] makes more than 100000"},
        {A "run.sched = best\n", "p.ini:1: [run] sched = best: unknown policy"},
        {A "run.backend = verilog\n", "expected c, rtl or lockstep"},
        {A "l1d.sets = 33\n", "[l1d] sets = 33; expected a power of two"},
        {A "mask.n = 64\n", "[mask] n = 64"},
        {A "l1d.index = a_word_that_is_longer_than_a_word_may_be\n",
         "p.ini:3: [l1d] index = 'a_word_that_is_longer_than_a_word_may_be'; expected a word of"},
        {"[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]\nworkload = bfs\n",
         "expected a name of 1 to 48 characters"},
        {"[a]\nworkload = \"nothing --x\"\n", "p.ini:2: workload = nothing: unknown workload"},
        {"[]\nworkload = bfs\n", "p.ini:2: []; expected a name"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        dry_run(files[i].text, 2, files[i].says, 0);
}

/* Files of settings: each adds what it sets to the point. */
static void settings(void **unused)
{
    (void)unused;
    assert_int_equal(system("printf '[poise]\nalpha1 = 5\nbeta1 = -6 ; why\n' >s.ini &&"
                            "printf '[poise]\nalpha1 = 7\n[l1d]\nways = 3\n' >t.ini &&"
                            "printf '[poise]\nalpha9 = 7\n' >u.ini"),
                     0);
    dry_run(A "settings = s.ini, t.ini\nmask.n = 3\n", 0,
            "1 [a]" C " workload=bfs mask.n=3 poise.alpha1=5 poise.beta1=-6\n"
            "2 [a]" C " workload=bfs l1d.ways=3 mask.n=3 poise.alpha1=7\n",
            1);
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {A "settings = s.ini\npoise.beta1 = 1\n", "p.ini:4: poise.beta1 is set here and by an"},
        {A "l1d.ways = 2\nsettings = s.ini, t.ini\n", "p.ini:4: l1d.ways is set here and by an"},
        {A "settings = u.ini\n", "u.ini:2: unknown key 'alpha9' in section [poise]"},
        {A "settings = nowhere.ini\n", "nowhere.ini: cannot be read: No such file"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        dry_run(wrong[i].text, 2, wrong[i].says, 0);
}

/* A workload may be a capture, or two workloads that run beside each other. */
static void replays(void **unused)
{
    (void)unused;
    assert_int_equal(system("printf 'HEDDLE CAPTURE 1\\nand more' >a.capture && cp a.capture b &&"
                            "printf 'HEDDLE CAPTURE 0\\nand more' >old.capture && >empty.capture"),
                     0);
#define KMU "run.dispatch = kmu\n"
    dry_run("[a]\nworkload = lud+spmv, a.capture+./b, ./b+bfs\n" KMU "kmu.partition = 0, 2\n", 0,
            "1 [a]" C " workload=lud+spmv kmu.partition=0 run.dispatch=kmu\n"
            "2 [a]" C " workload=lud+spmv kmu.partition=2 run.dispatch=kmu\n"
            "3 [a]" C " workload=a.capture+./b kmu.partition=0 run.dispatch=kmu\n"
            "4 [a]" C " workload=a.capture+./b kmu.partition=2 run.dispatch=kmu\n"
            "5 [a]" C " workload=./b+bfs kmu.partition=0 run.dispatch=kmu\n"
            "6 [a]" C " workload=./b+bfs kmu.partition=2 run.dispatch=kmu\n",
            1);
    dry_run("[a]\nworkload = a.capture, spmv+spmv\ndiffer = 1\n" KMU "[b]\nworkload = ./b\n"
            "profile = 1\n",
            0,
            "1 [a]" C " workload=a.capture differ=1 run.dispatch=kmu\n"
            "2 [a]" C " workload=spmv+spmv differ=1 run.dispatch=kmu\n"
            "3 [b]" C " workload=./b profile=1\n",
            1);
    /* arguments belong to the program that they stand behind, up to a + that is a word by itself */
    dry_run("[a]\nworkload = lbm  --layout=cells +\tspmv --seed=1, lud + bfs, lud+bfs --a+b c\n" KMU
            "[b]\nworkload = lud --a + --b\nargs = --c\n",
            2, "p.ini:5: workload = --b: unknown workload", 0);
    dry_run(
        "[a]\nworkload = lbm  --layout=cells +\tspmv --seed=1, lud + bfs, lud+bfs --a+b  c\n" KMU
        "[b]\nworkload = lud --a +b\nargs = --c\n",
        0,
        "1 [a]" C " workload='lbm  --layout=cells + spmv --seed=1' run.dispatch=kmu\n"
        "2 [a]" C " workload=lud+bfs run.dispatch=kmu\n"
        "3 [a]" C " workload='lud+bfs --a+b  c' run.dispatch=kmu\n"
        "4 [b]" C " workload=lud args='--a +b --c'\n",
        1);
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"[a]\nworkload = c.capture\n", "p.ini:2: workload = c.capture: cannot be read: No such"},
        {"[a]\nworkload = bfs+./c\n" KMU, "p.ini:2: workload = ./c: cannot be read: No such file"},
        {"[a]\nworkload = ./\n", "p.ini:2: workload = ./: cannot be read: Is a directory"},
        {"[a]\nworkload = bfs, old.capture\n",
         "p.ini:2: workload = old.capture: is no capture of this version"},
        {"[a]\nworkload = empty.capture\n", "workload = empty.capture: is no capture of this"},
        {"[a]\nworkload = b\n", "p.ini:2: workload = b: unknown workload"},
        {"[a]\nworkload = .capture\n", "p.ini:2: workload = .capture: unknown workload"},
        {"[a]\nworkload = bfs+none\n" KMU, "p.ini:2: workload = none: unknown workload"},
        {"[a]\nworkload = a.capture --b + spmv\n" KMU,
         "p.ini:2: workload = a.capture --b; expected no arguments behind a capture"},
        {"[a]\nworkload = bfs --a + \n" KMU, "p.ini:2: workload = bfs --a +; expected one, or two"},
        {"[a]\nworkload = lud --a + bfs + spmv\n" KMU, "workload = lud --a + bfs + spmv; expected"},
        {"[a]\nworkload = bfs+\n" KMU, "p.ini:2: workload = bfs+; expected one, or two joined by"},
        {"[a]\nworkload = +bfs\n" KMU, "p.ini:2: workload = +bfs; expected one, or two joined by"},
        {"[a]\nworkload = +\n", "p.ini:2: workload = +; expected one, or two joined by a +"},
        {"[a]\nworkload = lud+bfs+spmv\n" KMU, "p.ini:2: workload = lud+bfs+spmv; expected one"},
        {"[a]\nworkload = lud+bfs\n", "p.ini:2: [run] dispatch = lrr knows one kernel at a time"},
        {"[a]\nworkload = lud+bfs\nrun.dispatch = kmu, bcs\n",
         "p.ini:2: [run] dispatch = bcs knows one kernel at a time; expected kmu for two"},
        {"[a]\nworkload = lud+bfs\n" KMU "run.sched = rlws\n", "knows one kernel at a time"},
        {"[a]\nworkload = lud+bfs\n" KMU "args = --seed=1\n",
         "p.ini:2: workload = lud+bfs, and args; expected the arguments of each behind its name"},
        {"[a]\nworkload = \"a.capture x\"\n", "p.ini:2: workload = a.capture, and args; expected"},
        {"[a]\nworkload = a.capture\nsize = small\n",
         "p.ini:2: workload = a.capture, and size; expected none: a capture has its own"},
        {"[a]\nworkload = a.capture+./b\nsize = 3\n" KMU, "and size; expected none"},
        {"[a]\nworkload = lud+bfs\nsize = tiny\n" KMU, "p.ini:3: size = tiny; expected small"},
        {"[a]\nworkload = a.capture\nrun.sched = daws-profiled\ndaws_table.profile = @small\n",
         "p.ini:2: workload = a.capture, and a key with @; expected it only where a program runs"},
        {A "differ = 1\n", "p.ini:2: workload = bfs, and differ = 1; expected a capture, or two"},
        {A "differ = 2\n", "p.ini:3: differ = 2; expected 0 or 1"},
    };
#undef KMU
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        dry_run(wrong[i].text, 2, wrong[i].says, 0);
}

static void hostile_files(void **unused)
{
    (void)unused;
    assert_int_equal(system("head -c 3000 /dev/zero >p.ini"), 0);
    assert_int_equal(heddle("sweep", "p.ini"), 2);
    assert_non_null(strstr(said, "p.ini:1: a byte of value 0; expected text"));
    assert_int_equal(system("(echo '[a]'; head -c 3000 /dev/zero | tr '\\0' x) >p.ini"), 0);
    assert_int_equal(heddle("sweep", "p.ini"), 2);
    assert_non_null(strstr(said, "p.ini:2: line of more than"));
    assert_int_equal(heddle("sweep", "."), 2);
    assert_non_null(strstr(said, "cannot be read"));
    assert_int_equal(heddle("sweep", "nowhere.ini"), 2);
    assert_non_null(strstr(said, "nowhere.ini: cannot be read: No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(points),  IN_FOLDER(errors),        IN_FOLDER(settings),
        IN_FOLDER(replays), IN_FOLDER(hostile_files),
    };
    return cmocka_run_group_tests_name("tb/cli/sweep/plan", tests, NULL, NULL);
}
