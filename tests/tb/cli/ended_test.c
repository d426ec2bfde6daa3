/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/ended_test.c: the statistics of programs that end in other ways than by exit(). The programs are this one: as
 * `ended_test HOW LAUNCHES` it runs a small kernel so often, says "ready", and ends so. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hw.h"
#include "tests/tb/ocl/ocl_support.h"
#include "tests/tb/shell.h"

static volatile sig_atomic_t interrupts;

static void leave(int signal)
{
    (void)signal;
    exit(7);
}

static void count(int signal)
{
    (void)signal;
    interrupts++;
}

/* In the child. */
static int end(const struct ocl *ocl, const char *how)
{
    if (!strcmp(how, "segv"))
        raise(SIGSEGV);
    else if (!strcmp(how, "abort") || !strcmp(how, "aside"))
        abort();
    else if (!strcmp(how, "_exit"))
        _exit(5);
    else if (!strcmp(how, "zero"))
        _exit(0);
    else if (!strcmp(how, "int"))
        raise(SIGINT);
    else if (!strcmp(how, "kill"))
        raise(SIGKILL);
    else if (!strcmp(how, "pause"))
        pause();
    else if (!strcmp(how, "handler")) {
        signal(SIGTERM, leave);
        raise(SIGTERM);
    } else if (!strcmp(how, "count")) {
        signal(SIGINT, count);
        raise(SIGINT);
        return interrupts == 1 ? 0 : 9;
    } else if (!strcmp(how, "endless") || !strcmp(how, "leaves")) {
        if (!strcmp(how, "leaves")) { /* by exit(), from within the launch */
            signal(SIGALRM, leave);
            ualarm(300000, 0);
        }
        ocl_run(ocl, ocl_kernel(ocl, "kernel void k(void) { volatile int x = 1; while (x); }", "k"),
                64, 32);
    }
    return 0;
}

/* The program's own handlers have a small stack, as those of other languages have, and nothing is below it. */
static void take_small_stack(void)
{
    const size_t below = 1 << 20, bytes = 16384;
    char *memory = mmap(NULL, below + bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    assert_int_equal(mprotect(memory + below, bytes, PROT_READ | PROT_WRITE), 0);
    const stack_t stack = {.ss_sp = memory + below, .ss_size = bytes};
    assert_int_equal(sigaltstack(&stack, NULL), 0);
}

static int child(const char *how, int launches)
{
    void *state;
    if (!strcmp(how, "aside"))
        take_small_stack();
    signal(SIGSEGV, SIG_DFL); /* a sanitizer has its own handler, which exits */
    assert_int_equal(ocl_setup(&state), 0);
    const struct ocl *ocl = state;
    cl_kernel kernel = ocl_kernel(ocl, "kernel void good(global int *o) { o[0]++; }", "good");
    cl_mem memory = ocl_buffer(ocl, 4, NULL);
    assert_arg(kernel, 0, memory);
    for (int i = 0; i < launches; i++)
        ocl_run(ocl, kernel, 64, 32);
    printf("ready\n");
    fflush(stdout);
    return end(ocl, how);
}

#define RUN "cd $(mktemp -d) && $H/heddle run --stats=s.json "
#define THEN                                                                                       \
    "; echo status $?; ls; $H/heddle report --get=incomplete --get=blocks --get=sched s.json"

/* Each leaves one file, with three launches of two blocks, which every reader calls incomplete. */
static void ends_of_programs(void **unused)
{
    static const struct {
        const char *how;
        int status;
        const char *why;
    } cases[] = {
        {"segv", 139, "the program was ended by signal 11 (Segmentation fault)"},
        {"abort", 134, "the program was ended by signal 6 (Aborted)"},
        {"int", 130, "the program was ended by signal 2 (Interrupt)"},
        {"kill", 137, "the program was ended by signal 9 (Killed)"},
        {"_exit", 5, "the program has left with status 5 before the machine was closed"},
        {"zero", 0, "the program has left with status 0 before the machine was closed"},
    };
    static char said[MAX_OUTPUT];
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int fold = 0; fold < 2; fold++) {
            char command[512], expected[512];
            snprintf(command, sizeof command,
                     RUN "--set run.fold=%d -- $SELF %s 3" THEN " --get=kernels.%d.name", fold,
                     cases[i].how, fold ? 0 : 2);
            snprintf(expected, sizeof expected,
                     "heddle: s.json is incomplete; launches until then: 3\n"
                     "status %d\ns.json\ns.json is incomplete: %s\n%s\n6\ngto\ngood\n",
                     cases[i].status, cases[i].why, cases[i].why);
            if (shell(command, said) || !strstr(said, expected))
                fail_msg("%s\nexpected %s\nsaid %s", command, expected, said);
        }
}

/* What the program makes of its signals is its own affair; one that exits leaves whole statistics. */
static void own_handlers(void **unused)
{
    static const struct command commands[] = {
        {RUN "-- $SELF handler 2 && exit 1; [ $? = 7 ] && ! grep incomplete s.json && "
             "$H/heddle report --get=kernels.1.name s.json",
         0, "good"},
        {RUN
         "-- $SELF count 2 && ! grep incomplete s.json && $H/heddle report --get=lockstep s.json",
         0, "lockstep.wia.cycles"},
    };
    (void)unused;
    TRY(commands);
}

/* Signals that are sent to `heddle run`, which the program gets, in a kernel or between two. */
static void signals_to_the_command(void **unused)
{
    static const struct command commands[] = {
        {"cd $(mktemp -d); $H/heddle run --stats=s.json -- $SELF pause 4 >out 2>err & p=$!; "
         "while ! grep -q ready out 2>/dev/null; do sleep 0.1; done; "
         "kill -TERM $p; wait $p; echo status $?; $H/heddle report --get=blocks s.json",
         0, "status 143\ns.json is incomplete: the program was ended by signal 15 (Terminated)\n8"},
        {"cd $(mktemp -d); $H/heddle run --progress --stats=s.json -- $SELF endless 2 >out 2>err & "
         "p=$!; "
         "while ! grep -q 'kernel k ' err 2>/dev/null; do sleep 0.1; done; "
         "kill -HUP $p; wait $p; echo status $?; $H/heddle report --get=blocks s.json",
         0, "status 129\ns.json is incomplete: the program was ended by signal 1 (Hangup)\n4"},
    };
    (void)unused;
    TRY(commands);
}

/* The waveform is closed whatever ends the program, and is whole; only what cannot be caught leaves none, and no debris. */
#define WAVE "cd $(mktemp -d); $H/heddle run --progress --fail=. --wave=w.fst:0-100 -- $SELF "
#define LAST "; echo status $? $(ls); fst2vcd w.fst 2>/dev/null | tail -n 1"
static void waveforms(void **unused)
{
    static const struct command commands[] = {
        {WAVE "segv 2" LAST, 0, "status 139 w.fst w.gtkw w.sucl\n#101"},
        {WAVE "abort 2" LAST, 0, "status 134 w.fst w.gtkw w.sucl\n#101"},
        {WAVE "int 2" LAST, 0, "status 130 w.fst w.gtkw w.sucl\n#101"},
        {WAVE "leaves 2" LAST, 0, "status 7 w.fst w.gtkw w.sucl\n#101"},
        {WAVE "_exit 2; echo status $? $(ls)", 0,
         "w.fst: no waveform: the program ended before it was closed\n"},
        {WAVE "_exit 2 2>said; echo status $? $(ls)", 0, "status 5 said\n"},
        {WAVE "zero 2 2>said; echo status $? $(ls)", 0, "status 1 said\n"},
        {WAVE "kill 2 2>said; echo status $? $(ls)", 0, "status 137 said\n"},
        {"cd $(mktemp -d); $H/heddle run --timeline=t.json -- $SELF abort 2; $H/heddle report "
         "--get=displayTimeUnit t.json",
         0, "\nns\n"},
        {"cd $(mktemp -d); $H/heddle run --timeline=t.json --wave=w.fst -- $SELF aside 2; ls; "
         "$H/heddle report --get=displayTimeUnit t.json",
         0, "\nt.json\nw.fst\nw.gtkw\nw.sucl\nns\n"},
        {"cd $(mktemp -d); $H/heddle run --timeline=t.json -- $SELF int 2; tail -c 5 t.json", 0,
         "\n}}\n"},
        {WAVE "endless 2 >out 2>err & p=$!; "
              "while ! grep -q 'kernel k ' err 2>/dev/null; do sleep 0.1; done; kill -TERM $p; "
              "wait $p" LAST,
         0, "status 143 err out w.fst w.gtkw w.sucl warps.txt\n#101"},
        {WAVE "pause 2 >out 2>err & p=$!; "
              "while ! grep -q ready out 2>/dev/null; do sleep 0.1; done; kill -TERM $p; "
              "wait $p" LAST,
         0, "status 143 err out w.fst w.gtkw w.sucl\n#101"},
    };
    (void)unused;
    TRY(commands);
}

/* Who is interrupted in a kernel hears where its warps are: two, in a loop of few instructions. Its statistics have the kernel. */
static void where_warps_are(void **unused)
{
    static const struct command commands[] = {
        {"cd $(mktemp -d); $H/heddle run --progress --stats=s.json --set run.max_cycles=0 -- $SELF "
         "endless 1 "
         ">out 2>err & p=$!; while ! grep -q 'kernel k ' err 2>/dev/null; do sleep 0.1; done; "
         "kill -TERM $p; wait $p; cat err; "
         "sed -n 's/^heddle: .*kernel k: interrupted in cycle [0-9]*, with 0 of 2 blocks "
         "ended$/stopped/p' "
         "err; awk '$2 ~ /^warps?,?$/ { n += $1 } END { print n, \"warps\" }' err; "
         "grep -c 'kernel k .*waits for' fail/latest/warps.txt; "
         "grep -c '^heddle: all its warps are listed in /.*/fail/ended_test.*/warps.txt$' err; "
         "$H/heddle report --get=kernels.1.status s.json; ls fail/latest/",
         0,
         "stopped\n2 warps\n2\n1\ns.json is incomplete: the program was ended by signal 15 "
         "(Terminated)\ninterrupted\nwarps.txt\n"},
        {"cd $(mktemp -d); $H/heddle run --progress --set run.timing=0 --set "
         "run.max_untimed_instructions=0 "
         "-- "
         "$SELF endless 1 "
         ">out 2>err & p=$!; while ! grep -q 'kernel k ' err 2>/dev/null; do sleep 0.1; done; "
         "kill -TERM $p; wait $p; echo status $?; cat err",
         0, "kernel k: interrupted after "},
    };
    (void)unused;
    TRY(commands);
}

/* Of several processes one after the other the last one counts, as among those that exit; who opens no machine leaves nothing. */
static void several_processes(void **unused)
{
    static const struct command commands[] = {
        {RUN "-- sh -c '$SELF exit 3; $SELF abort 2'; $H/heddle report --get=blocks s.json", 0,
         "s.json is incomplete: the program has left with status 134 before the machine was "
         "closed\n4"},
        {RUN "-- sh -c '$SELF abort 3; $SELF exit 2'; "
             "! grep incomplete s.json && $H/heddle report --get=blocks s.json",
         0, "4"},
        {RUN "-- sh -c 'kill -9 $$'; ls; [ ! -e s.json ]", 0, NULL},
        {RUN "-- $SELF abort 0; $H/heddle report --get=blocks s.json", 0, "\n0\n"},
    };
    (void)unused;
    TRY(commands);
}

static void readers_say_it(void **unused)
{
    static const struct command commands[] = {
        {RUN "-- $SELF _exit 3; $H/heddle report s.json", 0, "s.json is incomplete: "},
        {RUN "-- $SELF kill 1; $H/heddle report --get=host.command s.json", 0, " kill 1\n"},
        {RUN "-- $SELF _exit 3; $H/heddle report --engine s.json", 2, "s.json is incomplete: "},
    };
    (void)unused;
    TRY(commands);
}

/* A build in which vecadd runs its kernel and leaves with status 0 before the machine is closed. */
#define BUILD                                                                                      \
    "cd $(mktemp -d) && mkdir " CONFIG_NAME " && ln -s " CONFIG_NAME                               \
    " b && mkdir b/workloads && cp $H/heddle $H/libheddle.so $H/*.ini "                            \
    "$H/devlib.bc $H/prelude.cl b && echo $PWD/" CONFIG_NAME "/libheddle.so >b/heddle.icd && "     \
    "ln -s $H/workloads/* b/workloads && rm b/workloads/vecadd && "                                \
    "printf '#!/bin/sh\\nexec \"$SELF\" zero 2\\n' >b/workloads/vecadd && "                        \
    "chmod +x b/workloads/vecadd && "
#define LEFT "the program has left with status 0 before the machine was closed"

/* Points of a sweep, and runs of a claim, need the statistics of a whole run. */
static void sweeps_refuse_it(void **unused)
{
    static const struct command commands[] = {
        {BUILD "printf '[a]\\nworkload = vecadd, spmv\\nsize = small\\n' >p.ini && "
               "" CONFIG_NAME "/heddle sweep p.ini",
         1, "2 points: 1 done, 1 broken"},
        {BUILD "printf '[a]\\nworkload = vecadd\\nsize = small\\n' >p.ini && " CONFIG_NAME
               "/heddle sweep p.ini",
         1, "its statistics are incomplete: " LEFT},
        {BUILD
         "{ printf '[paper]\\nname = A\\ntitle = A paper\\n'; "
         "printf '[runs all]\\nconfig = " CONFIG_NAME "\\nworkload = vecadd\\nsize = small\\n'; "
         "printf '[A-P1]\\nwhere = here\\nquantity = blocks\\ncheck = SM\\nreason = so\\n'; "
         "printf 'runs = all\\npaper.x = 4\\nours.x = sum(workload: blocks)\\nrule = exact\\n'; "
         "} >a.ini && " CONFIG_NAME "/heddle claims --out=o a.ini",
         0, "broken, exit status 0"},
    };
    (void)unused;
    TRY(commands);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_of_programs),
        cmocka_unit_test(own_handlers),
        cmocka_unit_test(signals_to_the_command),
        cmocka_unit_test(several_processes),
        cmocka_unit_test(waveforms),
        cmocka_unit_test(where_warps_are),
        cmocka_unit_test(readers_say_it),
        cmocka_unit_test(sweeps_refuse_it),
    };
    char self[4096] = "";
    if (argc == 3)
        return child(argv[1], atoi(argv[2]));
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0 || setenv("SELF", self, 1))
        return 1;
    /* Who starts the tests may ignore them, as shells do for what runs in the background. */
    signal(SIGINT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
