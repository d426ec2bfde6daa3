/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/cli_test.c: the `heddle` command as a person meets it: what it prints, and its exit
 * status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "hw.h"
#include "tests/tb/shell.h"

static void usage_errors(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {"$H/heddle", 2, "Usage: heddle COMMAND"},
        {"$H/heddle --help", 0, "run an OpenCL program"},
        {"$H/heddle fly", 2, "unknown command 'fly'"},
        {"$H/heddle run --help", 0, "--sched=POLICY"},
        {"$H/heddle run", 2, "no program; expected: heddle run [OPTION...] -- PROGRAM"},
        {"$H/heddle run --nope -- true", 2, "unrecognized option '--nope'"},
        {"$H/heddle run --sched=best -- true", 2,
         "expected one of: lrr gto oldest youngest tl gtls tl-active"},
        {"$H/heddle run --dispatch=fair -- true", 2, "dispatch = fair: unknown policy"},
        {"$H/heddle run --sched=daws-profiled -- true", 2,
         "expected a file: --set daws_table.profile=FILE"},
        {"$H/heddle run --set daws_table.profile=/nowhere.json -- $H/workloads/vecadd --size=small",
         2, "/nowhere.json: cannot be read: No such file"},
        {"$H/heddle run --dispatch=fair -- true", 2, "expected one of: lrr bcs"},
        {"$H/heddle list dispatch", 0, "two consecutive blocks"},
        {"$H/heddle run --set sm.max_blocks=64 -- true", 2, "hw.sm_blocks of this build is"},
        {"$H/heddle run --backend=verilog -- true", 2, "expected c, rtl or lockstep"},
        {"$H/heddle run --set l1d.sats=4 -- true", 2, "unknown key 'sats' in section [l1d]"},
        {"$H/heddle run --set l1d.sets=33 -- true", 2, "expected a power of two"},
        {"$H/heddle run --set l1d.sets=0 -- true", 2, "out of range; expected 1 to 65536"},
        {"$H/heddle run --max-cycles=x -- true", 2,
         "--max-cycles: [run] max_cycles = 'x'; expected a whole number"},
        {"$H/heddle run --config-file=/nowhere.ini -- true", 2, "/nowhere.ini: cannot be read"},
        {"$H/heddle run -- /no/such/program", 2, "cannot run '/no/such/program'"},
        {"$H/heddle run --fail=/nowhere/fail -- true", 2, "--fail=/nowhere/fail: No such file"},
        {"$H/heddle list planets", 2, "Usage: heddle list"},
        {"$H/heddle compare", 2, "no statistics file"},
        {"$H/heddle compare /nowhere.json", 2, "/nowhere.json: cannot be read"},
        {"$H/heddle report", 2, "no statistics file"},
        {"$H/heddle report /nowhere.json", 2, "/nowhere.json: cannot be read"},
        {"$H/heddle run --set gpu.outside=1 -- true", 2,
         "[gpu] outside = 1; expected fault or zero"},
        {"$H/heddle run --set cpi.overlap=both -- true", 2, "expected first or active"},
        {"$H/heddle run --set dram.channels=2 --set l2.banks=7 -- true", 2,
         "expected a multiple of dram.channels"},
        {"$H/heddle bench --baseline=/nowhere", 2, "/nowhere: cannot be read"},
        {"$H/heddle bench --repeat=0", 2, "expected 1 to 99"},
    };
    TRY(commands);
}

/* No line of a list is longer than the terminal is wide, and none of its words is lost; who reads the lines gets them whole. */
static void lists_fit(void **unused)
{
    (void)unused;
#define LONGEST                                                                                    \
    " | awk '{ if (length > most) most = length } END { print (most <= 100) (most > 80) }'"
#define WORDS "tr -s ' \\n' '\\n'"
    static const struct command commands[] = {
        {"COLUMNS=100 $H/heddle list" LONGEST, 0, "11\n"},
        {"cd $(mktemp -d) && COLUMNS=100 $H/heddle list | " WORDS " >a && $H/heddle list | " WORDS
         " | cmp - a",
         0, NULL},
        {"COLUMNS=60 $H/heddle list policies | grep -A2 '^  gtls '", 0,
         "\n                 waited longest since it issued; units:\n                 wia=gtls; "
         "thesis 7.2\n"},
        {"COLUMNS=50 $H/heddle list configs | head -n 2", 0,
         "Configurations built (make build CONFIG=... makes\n               others)\n"},
        {"$H/heddle list policies | grep -c '^  [a-z-]* .*; units: '", 0, "19\n"},
    };
    TRY(commands);
#undef LONGEST
#undef WORDS
}

static void status_is_the_programs(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {"$H/heddle run -- true", 0, NULL},
        {"$H/heddle run -- sh -c 'exit 7'", 7, NULL},
        {"$H/heddle run -- sh -c 'exit 3'", 3, NULL},
        {"$H/heddle run -- sh -c 'kill -9 $$'", 137, "ended by signal 9"},
        {"$H/heddle run -- echo --sched=none", 0, "--sched=none"}, /* the program's own words */
        {"$H/heddle run -- $H/workloads/vecadd --size=small", 0, "verified"},
        {"$H/heddle run -- $H/workloads/vecadd --elements=none", 2, NULL},
        /* a build that was moved: its own machine, not the one that heddle.icd names */
        {"d=$(mktemp -d) && cp -L $H/heddle $H/libheddle.so $H/*.ini $H/devlib.bc $H/prelude.cl "
         "$H/workloads/vecadd $d && echo /nowhere/libheddle.so >$d/heddle.icd && "
         "$d/heddle run -- $d/vecadd --size=small",
         0, "verified"},
    };
    TRY(commands);
}

/* A profile of one size is used with another; its path is that of the folder in which `heddle run` was
 * typed, wherever the program goes. */
#define PROFILED "cd $(mktemp -d) && $H/heddle run --profile=p.json -- $H/workloads/"
#define THEN     " >/dev/null && $H/heddle run --sched=daws-profiled --set daws_table.profile=p.json "
static void profiles_are_used(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {PROFILED
         "spmv --rows=256 --nonzeros=20" THEN "--backend=lockstep --stats=s.json -- "
         "$H/workloads/spmv --rows=512 --nonzeros=30 && $H/heddle report --get=lockstep s.json",
         0, "lockstep.daws_table.mismatches 0"},
        {PROFILED "spmv --size=small" THEN "-- sh -c \"cd / && $H/workloads/spmv --size=small\"", 0,
         "verified"},
        {PROFILED "vecadd --size=small" THEN "-- $H/workloads/spmv --size=small", 0,
         "p.json has no kernel spmv: none of its loops"},
        {"$H/heddle list policies", 0, "DAWS 5.1; needs daws_table.profile\n"},
        {"$H/heddle list policies", 0, "RLWS IV, tables I, V; acts in every cycle\n"},
    };
    TRY(commands);
}

static void lists_everything(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {"$H/heddle list", 0, "285 STATE bits, one per scheduler, page rtl/wia/README.md"},
        {"$H/heddle list policies", 0, "two-level round robin over fetch groups"},
        {"$H/heddle list configs", 0, CONFIG_NAME},
        {"$H/heddle list workloads", 0, "breadth-first search"},
        {"$H/heddle list keys", 0, "miss_queue"},
    };
    if (NUM_WARPS == 24)
        TRY(commands);
    else
        try_commands(commands + 1, sizeof commands / sizeof commands[0] - 1);
}

static void statistics_and_waves(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {"cd $(mktemp -d) && $H/heddle run --backend=lockstep --stats=s.json --wave=w.fst:10-50 -- "
         "$H/workloads/vecadd --size=small && $H/heddle compare s.json && fst2vcd w.fst >w.vcd && "
         "grep granted_text w.vcd",
         0, "granted_text"},
        {"cd $(mktemp -d) && $H/heddle run --sched=icmt --backend=lockstep --stats=s.json -- "
         "$H/workloads/vecadd --size=small && $H/heddle compare s.json | cut -c1-24",
         0, "icmt           lockstep"},
        {"cd $(mktemp -d) && $H/heddle run --stats=s.json -- $H/workloads/vecadd --size=small && "
         "ls && ! ls | grep -v s.json",
         0, "s.json"},
        /* before the run */
        {"$H/heddle run --stats=/nowhere/s.json -- touch /nowhere", 2,
         "/nowhere/s.json: cannot be written: No such file"},
        {"cd $(mktemp -d) && mkdir s.json && $H/heddle run --stats=s.json -- touch ran; ls -A", 0,
         "s.json: cannot be written: Is a directory\ns.json\n"},
        {"cd $(mktemp -d) && mkdir w.gtkw && $H/heddle run --wave=w.fst:1-2 -- touch ran; ls -A", 0,
         "w.gtkw: cannot be written: Is a directory\nw.gtkw\n"},
        {"cd $(mktemp -d) && mkdir w.sucl && $H/heddle run --wave=w.fst:1-2 -- touch ran; ls -A", 0,
         "w.sucl: cannot be written: Is a directory\nw.sucl\n"},
        {"$H/heddle report --picture=/nowhere/p.svg /nowhere.json", 2, "/nowhere/p.svg: cannot be"},
        {"$H/heddle map --picture=/nowhere/p.svg /nowhere.sqlite", 2, "/nowhere/p.svg: cannot be"},
        {"$H/heddle sweep --csv=/nowhere/p.csv /nowhere.ini", 2, "/nowhere/p.csv: cannot be"},
        {"$H/heddle bench --record=/nowhere/b", 2, "/nowhere/b: cannot be"},
        /* where it is not a file */
        {"$H/heddle run --stats=/dev/stdout -- $H/workloads/vecadd --size=small | cat", 0,
         "\t\"config\":\t\"" CONFIG_NAME "\""},
        {"cd $(mktemp -d) && mkfifo p && { $H/heddle run --stats=p -- $H/workloads/vecadd "
         "--size=small & } && tail -c 2 <p && wait && test -p p",
         0, "}\n"},
        {"$H/heddle run --wave=w.vcd -- $H/workloads/vecadd --size=small", 2, "ends in .fst"},
        {"$H/heddle run --wave=w.fst:9-3 -- $H/workloads/vecadd --size=small", 2, "FROM <= TO"},
        {"$H/heddle run --wave=/nowhere/w.fst -- $H/workloads/vecadd --size=small", 2,
         "cannot be written"},
    };
    TRY(commands);
}

/* Counted lines, what a program copies, folders that are refused, a run that is interrupted. */
#define TRACE(options) "cd $(mktemp -d) && $H/heddle run --trace=t " options " -- $H/workloads/"
static void traces(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {TRACE("--stats=s.json") "bfs --size=small >/dev/null && $H/heddle report "
                                 "--get=warp_instructions s.json >count && cat t/*.traceg | "
                                 "grep -cE '^[0-9a-f]{4,} [0-9a-f]{8} ' | cmp - count && ls | "
                                 "paste -sd,",
         0, "count,s.json,t\n"},
        {TRACE("") "vecadd --size=small >/dev/null && cat t/kernelslist.g", 0,
         "MemcpyHtoD,0x10000,40028\nMemcpyHtoD,0x19e00,40028\nkernel-1.traceg\n"},
        {TRACE("") "vecadd --size=small >/dev/null && $H/heddle run --trace=t -- touch ran; ls -A",
         0, "a trace goes to an empty folder, or makes one\nt\n"},
        {TRACE("") "vecadd --size=small >/dev/null && $H/heddle trace t | tr -s ' '", 0,
         "vecadd 79 316 6603 939 30.47\nall 79 316 6603 939 30.47\n"},
        {TRACE("") "vecadd --size=small >/dev/null && sed -i 24d t/kernel-1.traceg && "
                   "$H/heddle trace t",
         2, "t/kernel-1.traceg:41: 1 instructions of the warp are missing"},
        {TRACE("") "vecadd --size=small >/dev/null && sed -i '$d' t/kernel-1.traceg && sed -i '$d' "
                   "t/kernel-1.traceg && $H/heddle trace t",
         2, "t/kernelslist.g:3: kernel-1.traceg ends within a warp"},
        {"cd $(mktemp -d) && mkdir t && echo kernel-1.traceg.xz >t/kernelslist.g && $H/heddle "
         "trace t",
         2, "t/kernelslist.g:1: kernel-1.traceg.xz is compressed"},
        {"$H/heddle trace /nowhere", 2, "/nowhere/kernelslist.g: cannot be read"},
        {"$H/heddle run --trace=/nowhere/t -- touch /nowhere", 2,
         "/nowhere/t: cannot be made: No such"},
        {TRACE("--set run.timing=0") "vecadd --size=small", 2, "a trace is of what SMs issue"},
        {TRACE("--set run.blocks=9") "vecadd --size=small", 2, "a trace is of what SMs issue"},
        {TRACE("--max-cycles=100") "vecadd --size=small; ls -A t; wc -c <t/kernelslist.g", 0,
         "kernelslist.g\n50\n"},
        {"cd $(mktemp -d); $H/heddle run --trace=t -- $H/workloads/matmul & while ! [ -s t/*.new "
         "]; do "
         "sleep 0.05; done; kill -9 $!; wait; ls t | sed 's/[.][0-9a-f]*[.]new$/ unfinished/'; ls "
         "t | wc -l",
         0, "kernel-1.traceg unfinished\n1\n"},
    };
    TRY(commands);
}

/* The report of two runs names their kernels, adds up to all cycles, and becomes a picture. */
static void reports(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {"cd $(mktemp -d) && for w in bfs matmul; do $H/heddle run --stats=$w.json -- "
         "$H/workloads/$w --size=small || exit 9; done >/dev/null && $H/heddle report "
         "--picture=p.svg bfs.json matmul.json && grep -q '<svg' p.svg && grep -q 'matmul matmul' "
         "p.svg "
         "&& $H/heddle report --picture=p.png bfs.json | grep -q '^expand' && head -c 4 p.png | "
         "tail -c 3 && ls",
         0, "PNGbfs.json\nmatmul.json\np.png\np.svg\n"},
        {"cd $(mktemp -d) && $H/heddle run --stats=s.json -- $H/workloads/matmul --size=small "
         ">/dev/null && $H/heddle report s.json | awk '/^matmul/ { for (i = 8; i <= NF; i++) s += "
         "$i; "
         "d = s - $7; exit !(d < 0.1 && d > -0.1) }'",
         0, NULL},
        {"cd $(mktemp -d) && $H/heddle run --stats=s.json -- $H/workloads/vecadd --size=small "
         ">/dev/null && $H/heddle report --picture=p.gif s.json",
         2, "expected a name that ends with .svg, .png or .pdf"},
        {"cd $(mktemp -d) && echo '{}' >s.json && $H/heddle report s.json", 2,
         "'kernels' is missing"},
        {"cd $(mktemp -d) && $H/heddle run --stats=s.json -- $H/workloads/vecadd --size=small "
         ">/dev/null && PATH=/nowhere $H/heddle report --picture=p.svg s.json; echo status $?; ls",
         0, "status 2\ns.json\n"},
    };
    TRY(commands);
}

/* Single values, for scripts. */
#define FILE_WITH(json) "cd $(mktemp -d) && echo '" json "' >s.json && $H/heddle report "
#define SMALL                                                                                      \
    FILE_WITH(                                                                                     \
        "{\"sched\": \"gto\", \"kernels\": [{\"name\": \"a\"}, {\"name\": \"b.c d\"}], "           \
        "\"totals\": {\"ipc\": 0.5, \"l1d\": {\"hits\": 7, \"failures\": {\"no_way\": 3}}}, "      \
        "\"settings\": {\"l1d.sets\": 64, \"l1d.sets.log\": 6}, \"odd\": [true, \"x\\ny\"]}")
static void values(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {SMALL "--get=totals.l1d.hits --get=sched --get=ipc s.json", 0, "7\ngto\n0.5\n"},
        {SMALL "--get=l1d s.json", 0, "l1d.hits 7\nl1d.failures.no_way 3\n"},
        {SMALL "--get=kernels s.json", 0, "kernels.0.name a\nkernels.1.name b.c d\n"},
        {SMALL "--get=settings.l1d.sets --get=settings.l1d.sets.log s.json", 0, "64\n6\n"},
        {SMALL "--get=odd s.json", 0, "odd.0 true\nodd.1 \"x\\ny\"\n"},
        {SMALL "--get=sched --get=l1d.hit s.json", 2, "s.json: 'l1d.hit' is missing"},
        {SMALL "--get=kernels.2.name s.json", 2, "'kernels.2.name' is missing"},
        {SMALL "--get=l1d. s.json", 2, "'l1d.' is missing"},
        {SMALL "--get=ipc s.json >/dev/full", 2, "stdout cannot be written"},
        {SMALL "--get=ipc s.json s.json", 2, "take one file"},
        {SMALL "--get=ipc --without=sched s.json", 2, "only one of"},
        {SMALL "--without=totals,odd,kernels s.json", 0,
         "{\n\t\"sched\":\t\"gto\",\n\t\"settings\":\t{\n\t\t\"l1d.sets\":\t64,"},
        {SMALL "--without=totals,even s.json", 2, "s.json: 'even' is missing"},
        {FILE_WITH("[1]") "--without=a s.json", 2, "'a' is missing"},
        {FILE_WITH("{") "--get=a s.json", 2, "s.json: not JSON"},
        /* what is written is what was read */
        {"cd $(mktemp -d) && $H/heddle run --stats=s.json -- $H/workloads/bfs --size=small && "
         "sed '/^\t\"lockstep\"/,/^\t},/d' s.json >t.json && "
         "$H/heddle report --without=lockstep s.json | cmp - t.json",
         0, NULL},
    };
    TRY(commands);
}

/* Names from files are drawn, and run nothing. */
#define NAMED(name)                                                                                \
    FILE_HEAD "sed 's|\"name\":.*vecadd\"|\"name\": \"" name "\"|' v.json >s.json && "             \
              "$H/heddle report --picture=p.svg s.json && ls -A && cat p.svg"
#define FILE_HEAD                                                                                  \
    "cd $(mktemp -d) && $H/heddle run --stats=v.json -- $H/workloads/vecadd --size=small && "
static void hostile_names(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {NAMED("a`touch x1`b"), 0, "\np.svg\ns.json\nv.json\n"},
        {NAMED("a`touch x1`b"), 0, "a`touch x1`b"},
        {NAMED("\\\\nEOD\\\\n! touch x2\\\\n"), 0, "\np.svg\ns.json\nv.json\n"},
        {NAMED("\\\\nEOD\\\\n! touch x2\\\\n"), 0, "?EOD?! touch x2?"},
        {NAMED("\\\\\"; system(\\\\\"touch x3\\\\\")"), 0, "\np.svg\ns.json\nv.json\n"},
        {NAMED("$(touch x4) @x {/*9 big}"), 0, "$(touch x4) @x {/*9 big}"},
    };
    TRY(commands);
}

/* Without timing results are the same, and nothing has cycles. */
static void no_timing(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {"cd $(mktemp -d) && $H/heddle run --set run.timing=0 --stats=s.json -- $H/workloads/bfs "
         "--size=small && grep -c '\"cycles\":[[:space:]]*0,' s.json",
         0, "verified"},
        {"$H/heddle run --set run.timing=0 -- $H/workloads/matmul --size=small", 0, "verified"},
        {"$H/heddle run --set run.timing=-1 -- true", 2, "expected 0 to 1000000"},
        {"cd $(mktemp -d) && $H/heddle run --set run.blocks=3 --stats=s.json -- "
         "$H/workloads/vecadd --size=small && $H/heddle report s.json",
         0, " more instructions took no time (run.timing, run.blocks)"},
    };
    TRY(commands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usage_errors),
        cmocka_unit_test(lists_fit),
        cmocka_unit_test(status_is_the_programs),
        cmocka_unit_test(lists_everything),
        cmocka_unit_test(profiles_are_used),
        cmocka_unit_test(statistics_and_waves),
        cmocka_unit_test(reports),
        cmocka_unit_test(hostile_names),
        cmocka_unit_test(values),
        cmocka_unit_test(traces),
        cmocka_unit_test(no_timing),
    };
    return cmocka_run_group_tests_name("tb/cli", tests, NULL, NULL);
}
