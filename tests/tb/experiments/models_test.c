/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/experiments/models_test.c: models.sh makes the runs that its tables need, each once, and writes no table where one fails. Its machine is a
 * script here, which notes what it is asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/shell.h"
#include "tests/tb/workloads/machine_support.h"

/* Of two kernels two divisions fit. Without $FAIL in its words a command ends well; a run of two at once leaves its statistics, but does not. A
 * lower clock makes each program a tenth longer, and the unit takes a quarter more energy than the oracle. Beside a stressmark of R regions a program
 * takes 50 cycles longer for each, and holds 7 ways; the stressmark misses R times in 40. */
static const char machine[] =
    "build=${0%/*} status=0 cycles=2200 regions=0 csv=\n"
    "echo \"$*\" >>$build/asked\n"
    "case \"$*\" in *\"${FAIL:-nothing fails}\"*) exit 3 ;; esac\n"
    "for word; do\n"
    "    case $word in\n"
    "    --capture=* | --profile=*) echo >${word#*=} ;;\n"
    "    sm.clock=6) cycles=2000 ;;\n"
    "    l2.ways=6) cycles=2600 ;;\n"
    "    l2.ways=8) cycles=2400 ;;\n"
    "    --stats=*) stats=${word#*=} ;;\n"
    "    */stressmark.*.capture) regions=${word##*stressmark.} regions=${regions%.capture} ;;\n"
    "    --csv=*) csv=${word#*=} ;;\n"
    "    --max-cycles=*) status=1 ;;\n"
    "    esac\n"
    "done\n"
    "beside=$((cycles + 50 * regions))\n"
    "[ ! \"$stats\" ] || echo '{\"kernels\": [{\"name\": \"first_one\"}], \"totals\": {\"cycles\": "
    "'$cycles', \"warp_instructions\": 100, \"energy\": {\"total\": 5e9},"
    " \"l2\": {\"accesses\": 10, \"misses\": 3, \"mshr_merged\": 1}}, \"together\": [{\"cycles\": "
    "'$beside', \"each\": [{\"warp_instructions\": '${RAN:-100}'}], \"l2_spaces\": [{\"accesses\": "
    "10, "
    "\"misses\": 5, \"mshr_merged\": 1, \"line_cycles\": '$((beside * 192 * 7))'}, {\"accesses\": "
    "40, "
    "\"misses\": '$((regions + 3))', \"mshr_merged\": 3}]}]}' >$stats\n"
    "case \"$*\" in\n"
    "'list workloads') printf 'Workloads (x/)\\n  atax  one\\n  bfs  two\\n' ;;\n"
    "*--program=*) printf "
    "'what,what,together,machine,by_rates,alone\\r\\nx+y,x,1,,,\\r\\nx+y,sum,9,8,7,6\\r\\n' >$csv "
    ";;\n"
    "'model power'*) printf 'run,left_out\\r\\nsome/where/bfs.json,2\\r\\n' >$csv ;;\n"
    "'model pdvfs'*) echo settings: --set dvfs.b1=5\n"
    "    printf 'policy,goal,seconds,joules,slower,over_oracle\\r\\n' >$csv\n"
    "    printf 'oracle,%d,3,4,5,0\\r\\nN-DVFS,%d,2,6,0,50\\r\\n' 5 5 10 10 15 15 20 20 >>$csv ;;\n"
    "*) [ ! \"$csv\" ] || printf 'first,second,a,b\\nx,y,1,2\\nx,y,3,4\\n' >$csv ;;\n"
    "esac\n"
    "exit $status\n";

static char said[MAX_OUTPUT];

static int set_up(void **unused)
{
    (void)unused;
    static const char *const names[] = {"m1"};
    return make_machines(names, 1, machine);
}

static int models(const char *variables, const char *table)
{
    char line[512];
    snprintf(line, sizeof line,
             "touch -d 2000-01-01 %s/m1/libheddle.so; rm -f %s/m1/asked; "
             "JOBS=3 %s tb/experiments/models/models.sh %s/m1 %s/tables %s 2>&1",
             machines, machines, variables, machines, machines, table);
    return shell(line, said);
}

/* Commands of the last call that have these words. */
static int asked(const char *words)
{
    char line[512], count[MAX_OUTPUT];
    snprintf(line, sizeof line, "grep -c -e '%s' %s/m1/asked", words, machines);
    shell(line, count);
    return atoi(count);
}

static void tables_are(const char *table, const char *says)
{
    char line[512];
    snprintf(line, sizeof line, "/tables/%s.csv: %s\n", table, says);
    if (!strstr(said, line))
        fail_msg("expected '%s' in:\n%s", line, said);
    snprintf(line, sizeof line, "head -n 2 %s/tables/%s.csv; grep -c first %s/tables/%s.csv",
             machines, table, machines, table);
    assert_int_equal(shell(line, said), 0);
    assert_string_equal(said, "first,second,a,b\nx,y,1,2\n1\n");
}

/* Ten programs on 7 and 8 SMs with six numbers of ways, and 55 pairs. */
static void camp(void **unused)
{
    (void)unused;
    assert_int_equal(models("", "camp"), 0);
    tables_are("camp", "55 answers, 110 rows");
    assert_int_equal(asked("^run --capture=.* --rows=2048$"), 1);
    assert_int_equal(asked("^run "), 10);
    assert_int_equal(asked("^replay .*kmu.sms_0=8 --set l2.ways="), 60);
    assert_int_equal(asked("^replay .*l2.ways=16 [^ ]*camp/bfs.capture$"), 2);
    assert_int_equal(asked("^replay .*kmu.sms_0=7 .*/spmv.capture .*/bfs.capture$"), 1);
    assert_int_equal(asked("^replay .*/bfs.capture .*/bfs.capture$"), 1);
    assert_int_equal(asked("^replay "), 120 + 55);
    assert_int_equal(asked("xbar.flit"), 0);
    assert_int_equal(
        asked("^model camp .*/spmv+bfs.csv --cache=l2 --noise=.02 --measured=.*/spmv+bfs.json "
              ".*/spmv.7.4.json,.*/spmv.7.16.json .*/bfs.8.4.json,.*/bfs.8.16.json$"),
        1);
    /* again: nothing is run */
    assert_int_equal(models("", "camp"), 0);
    assert_int_equal(asked("^run \\|^replay "), 0);
    assert_int_equal(asked("^model camp "), 55);
}

/* Each two divisions of 153 pairs, or of the 17 with the first; a run that is stopped counts. */
static void mix(void **unused)
{
    (void)unused;
    assert_int_equal(models("", "mix"), 0);
    tables_are("mix", "153 answers, 306 rows");
    assert_int_equal(asked("^replay .*--profile="), 18);
    assert_int_equal(asked("^replay .*--max-cycles=50000 .*blocks_0=3 --set kmu.blocks_1=4 "), 153);
    assert_int_equal(asked("^replay "), 18 + 306);
    assert_int_equal(asked("^model mix .*--measured=[^ ]*.1.2.json --measured=[^ ]*.3.4.json "
                           "[^ ]*.profile.json,first_one "),
                     153);
    assert_int_equal(asked("pmiq"), 0);
    assert_int_equal(models("CYCLES=7", "mix-pmiq"), 0);
    tables_are("mix-pmiq", "17 answers, 34 rows");
    assert_int_equal(asked("--max-cycles=7 .*--set pmiq.block=1 .*/spmv_jds.capture "), 34);
    assert_int_equal(asked("pmiq.share_0=1 --set pmiq.share_1=1 "), 34);
    assert_int_equal(models("", "mix-1-9"), 0);
    tables_are("mix-1-9", "17 answers, 34 rows");
    assert_int_equal(asked("pmiq.block=1 --set pmiq.share_0=1 --set pmiq.share_1=9 "), 34);
    assert_int_equal(models("", "mix-9-1"), 0);
    assert_int_equal(asked("pmiq.block=1 --set pmiq.share_0=9 --set pmiq.share_1=1 "), 34);
}

static void wide(void **unused)
{
    (void)unused;
    assert_int_equal(models("", "camp-wide"), 0);
    tables_are("camp-wide", "15 answers, 30 rows");
    assert_int_equal(asked("^replay .*xbar.flit=128 --set dram.bytes_per_cycle=128 "), 60 + 15);
}

/* Two blocks of each of five programs on the same SMs. */
static void camp_l1d(void **unused)
{
    (void)unused;
    assert_int_equal(models("", "camp-l1d"), 0);
    tables_are("camp-l1d", "15 answers, 30 rows");
    assert_int_equal(asked("^replay .*sm.max_blocks=2 --set l1d.ways=[0-9]* [^ ]*$"), 30);
    assert_int_equal(asked("^replay .*kmu.blocks_0=2 --set kmu.blocks_1=2 --set l1d.ways=16 "), 15);
    assert_int_equal(asked("kmu.partition\\|l2.sets\\|xbar"), 0);
    assert_int_equal(asked("^model camp .*--cache=l1d .*/spmv.2.16.json .*/kmeans.2.4.json,"), 1);
}

static void camp_l1d_pmiq(void **unused)
{
    (void)unused;
    assert_int_equal(models("", "camp-l1d-pmiq"), 0);
    tables_are("camp-l1d-pmiq", "10 answers, 20 rows");
    assert_int_equal(asked("^replay .*--set pmiq.block=1 "), 24 + 10);
}

/* Lines that a table has. */
static int rows(const char *table, const char *words)
{
    char line[512], count[MAX_OUTPUT];
    snprintf(line, sizeof line, "grep -c -e '%s' %s/tables/%s.csv", words, machines, table);
    shell(line, count);
    return atoi(count);
}

/* Two workloads, three fits. */
static void power(void **unused)
{
    (void)unused;
    assert_int_equal(models("", "power"), 0);
    assert_int_equal(asked("^run "), 2);
    assert_int_equal(asked("^model power "), 3);
    assert_int_equal(asked("^model power .*--without=dram_read.* .*/atax.json .*/bfs.json$"), 1);
    assert_int_equal(asked("^model power .*--events=[^ ]*dram.reads"), 1);
    assert_int_equal(rows("power", "^fit,run,left_out$"), 1);
    assert_int_equal(rows("power", "^no_dram,bfs,2$"), 1);
    assert_int_equal(rows("power", ""), 4);
}

/* The pairs of camp, which run where camp has them, by two fits to two sets of runs each. */
static void power_shared(void **unused)
{
    (void)unused;
    assert_int_equal(models("", "power-shared"), 0);
    assert_int_equal(asked("^run --sched=gto --set l2.sets=16 "), 2);
    assert_int_equal(asked("^model power "), 55 * 4);
    assert_int_equal(
        asked("^model power .*--measured=[^ ]*/camp/spmv+bfs.json "
              "--program=[^ ]*/camp/spmv.7.4.json,[^ ]* --program=[^ ]*/camp/bfs.8.4.json,[^ ]* "
              "[^ ]*/power-shared/atax.json [^ ]*/power-shared/bfs.json$"),
        2);
    assert_int_equal(asked("^model power .*--without=dram_read.* .*/matmul.8.16.json$"), 55);
    assert_int_equal(
        rows("power-shared", "^first,second,fit,training,watts,as_alone,by_rates,machine$"), 1);
    assert_int_equal(rows("power-shared", "^spmv,bfs,no_dram,alone,9,6,7,8$"), 1);
    assert_int_equal(rows("power-shared", ""), 1 + 55 * 4);
    assert_int_equal(models("", "camp"), 0);
    assert_int_equal(asked("^run \\|^replay "), 0);
}

/* Ten programs, beside six stressmarks, and three each where something is not short. Between 12 regions and 16, which miss 0.3 and 0.4 times
 * per access, a program takes as long as with 14. Alone with 7 ways it takes as long as between 6 and 8. */
static void stress(void **unused)
{
    (void)unused;
    assert_int_equal(models("", "stress"), 0);
    assert_int_equal(asked("^run .*/workloads/stressmark --rounds=40 --regions=24 --lines=192$"),
                     1);
    assert_int_equal(asked("^run "), 10 + 6);
    assert_int_equal(asked("^replay .*kmu.sms_0=7 --set l2.ways=6 [^ ]*$"), 10);
    assert_int_equal(
        asked("^replay .*l2.sets=16 .*sms_0=7 [^ ]*/bfs.capture [^ ]*/stressmark.12.capture$"), 1);
    assert_int_equal(asked("^replay .*xbar.flit=128 .*/stressmark.24.capture$"), 20);
    assert_int_equal(asked("^replay .*dram.bytes_per_cycle=128 .*/bfs.capture$"), 2);
    assert_int_equal(asked("^replay .*l2.ways=64 "), 10 * 4);
    assert_int_equal(asked("^replay "), 10 * (6 + 1 + 6 + 4 * 4));
    assert_int_equal(rows("stress", "^name,variant,regions,"), 1);
    assert_int_equal(rows("stress", "^bfs,as_is,16,0.4,0.4,0.2,7,3000,2200,2500,0.2$"), 1);
    assert_int_equal(rows("stress", "^bfs,as_is,between,0.35,0.4,0.2,7,2900,2200,2500,0.2$"), 1);
    assert_int_equal(rows("stress", "^bfs,ports,24,0.6,0.4,0.2,7,3400,2200,,$"), 1);
    assert_int_equal(rows("stress", "between"), 10);
    assert_int_equal(rows("stress", ""), 1 + 10 * (6 + 1 + 4 * 3));
    assert_int_equal(models("", "stress"), 0);
    assert_int_equal(asked("^run \\|^replay "), 0);
}

/* A program that is over before the stressmark begins again: what is measured is no longer of one run. */
static void a_stressmark_that_is_too_long(void **unused)
{
    (void)unused;
    char line[256];
    snprintf(line, sizeof line, "rm -rf %s/m1/models/stress %s/tables/stress.csv", machines,
             machines);
    assert_int_equal(shell(line, said), 0);
    assert_int_not_equal(models("RAN=106", "stress"), 0);
    assert_non_null(strstr(said, "spmv: as_is, 4 regions: the program ran more than once"));
    snprintf(line, sizeof line, "ls %s/tables/stress.csv", machines);
    assert_int_not_equal(shell(line, said), 0);
}

/* Eleven programs with four clocks, and with the unit as the model says, for four goals. */
static void pdvfs(void **unused)
{
    (void)unused;
    assert_int_equal(models("", "pdvfs"), 0);
    assert_int_equal(asked("^run .*--set sm.clock=3 .* --size=medium$"), 11);
    assert_int_equal(asked("^model pdvfs .*/lud.3.json,[^ ]*/lud.6.json$"), 1);
    assert_int_equal(asked("^run .*--set dvfs.b1=5 .*--set dvfs.software=2 --set dvfs.goal=20 "),
                     11);
    assert_int_equal(asked("^run .*--set dvfs.software=1 .*--set dvfs.control=8 "), 44);
    assert_int_equal(asked("^run "), 11 * (4 + 12));
    assert_int_equal(rows("pdvfs", "^lud,15,N-DVFS,2,6,0,50$"), 1);
    assert_int_equal(rows("pdvfs", "^lud,15,clock_3,2.2,5,10,25$"), 1);
    assert_int_equal(rows("pdvfs", "^lud,15,unit_P,2.2,5,10,25$"), 1);
    assert_int_equal(rows("pdvfs", "clock_6"), 0);
    assert_int_equal(rows("pdvfs", ""), 1 + 11 * 4 * (2 + 3 + 3));
}

/* What fails is named, and made by the next command; there is no table until then. */
static void failures(void **unused)
{
    (void)unused;
    char line[256];
    snprintf(line, sizeof line, "rm -rf %s/tables %s/m1/models", machines, machines);
    assert_int_equal(shell(line, said), 0);
    assert_int_not_equal(models("FAIL='sms_0=8 --set l2.ways=6'", "camp"), 0);
    assert_non_null(strstr(said, "/camp/cutcp.8.6.json: status 3; see "));
    snprintf(line, sizeof line, "ls %s/tables/*", machines);
    assert_int_not_equal(shell(line, said), 0);
    assert_int_equal(models("", "camp"), 0);
    tables_are("camp", "55 answers, 110 rows");
    assert_int_equal(asked("^replay "), 10 + 55);
    assert_int_not_equal(models("FAIL='model camp'", "camp"), 0);
    assert_non_null(strstr(said, "/camp/spmv+spmv: no answer; see "));
    assert_int_equal(models("", "watts"), 1);
    assert_non_null(strstr(said, "error: 'watts' is no table; expected one of camp, camp-wide, "));
    assert_int_not_equal(shell("tb/experiments/models/models.sh build 2>&1", said), 0);
    assert_non_null(strstr(said, "usage: models.sh BUILD_DIR FOLDER [TABLE...], tables of camp, "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(camp),          cmocka_unit_test(mix),
        cmocka_unit_test(wide),          cmocka_unit_test(camp_l1d),
        cmocka_unit_test(camp_l1d_pmiq), cmocka_unit_test(power),
        cmocka_unit_test(power_shared),  cmocka_unit_test(pdvfs),
        cmocka_unit_test(stress),        cmocka_unit_test(a_stressmark_that_is_too_long),
        cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests_name("tb/experiments/models", tests, set_up, remove_machines);
}
