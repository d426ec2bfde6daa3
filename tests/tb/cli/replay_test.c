/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/replay_test.c: `heddle run --capture` and `heddle replay` as a person meets them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/tb/shell.h"

#define IN_FOLDER "cd $(mktemp -d) && "
#define CAPTURE   IN_FOLDER "$H/heddle run --capture=c --stats=run.json -- $H/workloads/"
#define SMALL     " --size=small >/dev/null && $H/heddle replay "

static void usage_errors(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {"$H/heddle replay", 2, "no capture; expected: heddle replay [OPTION...] FILE"},
        {"$H/heddle replay a b c", 2, "more than two captures: 'c'"},
        {"$H/heddle replay --list a b", 2, "--list: more than one capture: 'b'"},
        {"$H/heddle replay --dispatch=kmu /nowhere/a /nowhere/b", 2, "/nowhere/a: cannot be read"},
        {"$H/heddle replay --dispatch=kmu --sched=rlws a b", 2, "it knows one kernel at a time"},
        {"$H/heddle replay --help", 0, "without the program that made them"},
        {"$H/heddle replay --list --list", 2, "no capture"},
        {"$H/heddle replay --list --sched=best x", 2, "unknown policy"},
        {"$H/heddle replay --capture=x y", 2, "unrecognized option"},
        {"$H/heddle replay /nowhere/c", 2, "/nowhere/c: cannot be read: No such file"},
        {"$H/heddle replay /", 2, "/: cannot be read: Is a directory"},
        {"$H/heddle replay $H/heddle", 2, "is no capture of this version"},
        {"$H/heddle run --capture=/nowhere/c -- true", 2, "/nowhere/c: cannot be written"},
        {"$H/replay", 2, "usage: replay [--list] FILE"},
    };
    TRY(commands);
}

/* The same launches, and so the same statistics; but for what is the host's. */
static void the_same_statistics(void **unused)
{
    (void)unused;
#define SAME(workload)                                                                             \
    {                                                                                              \
        CAPTURE workload SMALL "--stats=replay.json c && for f in run replay; do "                 \
                               "sed '/\"host\"/,/^\t}/d' $f.json >$f; done; cmp run replay && "    \
                               "test $(wc -l <run) -gt 100",                                       \
            0, "launches leave the memory that they left when captured"                            \
    }
    static const struct command commands[] = {
        SAME("vecadd"), SAME("bfs"), SAME("lud"), SAME("backprop"), SAME("histogram"),
    };
    TRY(commands);
}

/* Another policy, another backend; a list. */
static void elsewhere(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {CAPTURE "lud" SMALL "--sched=lrr --backend=lockstep --set run.observe=1 c", 0,
         "verified: 10 launches leave"},
        {CAPTURE "vecadd" SMALL "--dispatch=kmu --backend=lockstep c c", 0,
         "verified: all launches of both leave the memory"},
        {CAPTURE "vecadd" SMALL "--dispatch=kmu --trace=T c c >/dev/null && "
                 "grep -h 'stream id' T/kernel-1.traceg T/kernel-2.traceg",
         0, "-cuda stream id = 0\n-cuda stream id = 1\n"},
        {CAPTURE "vecadd" SMALL "--dispatch=kmu --profile=p c c >/dev/null && "
                 "$H/heddle profile p && $H/heddle report --get=kernels.0.launches_beside p",
         0, "\n\nwhile kernels ran beside each other\nmisses of L2: "},
        {CAPTURE "vecadd" SMALL "c c", 1, "cannot run beside another one: the dispatching policy"},
        {CAPTURE "vecadd" SMALL "--list c", 0, "launch 1: kernel vecadd of program1.ptx, "},
        {CAPTURE "vecadd" SMALL "--list c", 0, "; ended well"},
    };
    TRY(commands);
}

/* Of a pair the statistics say what each did in all the time until both were through: recomputed from the kernels, which are told apart
 * by their names, those among them that were given up in the end; and over both it is what the machine did. */
static void each_of_a_pair(void **unused)
{
    (void)unused;
#define PAIR                                                                                       \
    IN_FOLDER                                                                                      \
    "for w in lud spmv; do $H/heddle run --capture=$w -- $H/workloads/$w --size=small || "         \
    "exit 1; done >/dev/null; $H/heddle replay --dispatch=kmu --stats=s.json lud spmv "            \
    ">/dev/null && sqlite3 :memory: \"WITH f AS (SELECT readfile('s.json') AS j), "                \
    "k AS (SELECT json_extract(value, '$.name') = 'spmv' AS n, value AS v FROM f, "                \
    "json_each(j, '$.kernels')), "                                                                 \
    "e AS (SELECT key AS n, value AS v FROM f, json_each(j, '$.together[0].each')) "
#define K(what) "json_extract(k.v, '$." what "')"
#define E(what) "json_extract(e.v, '$." what "')"
#define T(what) "json_extract(j, '$.totals." what "')"
#define IS(what, equal)                                                                            \
    {                                                                                              \
        PAIR "SELECT count(*) FROM f, e WHERE " what "\"", 0, #equal "\n"                          \
    }
#define SUM(what) "(SELECT sum(" K(what) ") FROM k WHERE k.n = e.n)"
    static const struct command commands[] = {
        /* the window: from the start of the first kernel to the end of the last, the same for both */
        IS(E("cycles") " = " T("cycles"), 2),
        IS(T("cycles") " = (SELECT max(" K("start") " + " K(
               "cycles") ") FROM k) - "
                         "(SELECT min(" K("start") ") FROM k WHERE n = 0)",
           2),
        IS("json_array_length(j, '$.together') = 1", 2),
        IS("n IN (SELECT " K("number") " FROM k)", 2),
        IS("n IN (SELECT " K("number") " FROM k WHERE " K("number") " <> k.n)", 0),
        IS("1 = (SELECT count(*) FROM k WHERE k.n = e.n AND " K("status") " = 'stopped')", 2),
        IS("abs(" E("ipc") " - 1.0 * " SUM("warp_instructions") " / " T("cycles") ") < 1e-12", 2),
        IS(E("blocks") " = " SUM("blocks"), 2),
        IS(T("warp_instructions") " = (SELECT sum(" E("warp_instructions") ") FROM e)", 2),
        /* IPC of an SM = warps / CPI */
        IS("abs(" E("cpi.ipc_per_sm") " * " E("cpi.total") " / " E(
               "cpi.warps_per_sm") " - 1) < 1e-12",
           2),
    };
    TRY(commands);
#undef SUM
#undef IS
#undef T
#undef E
#undef K
#undef PAIR
}

/* What a cache serves is of the one or the other. Launches of vecadd write as much as alone, a third of their requests; what they read may be in L1D
 * from the launch before, which nobody has emptied. L2 holds some lines of each, and no more than it has. */
static void caches_of_each(void **unused)
{
    (void)unused;
#define SPACES(cache) "json_each(j, '$.together[0]." cache "_spaces')"
#define ASK(select, says)                                                                          \
    {                                                                                              \
        IN_FOLDER                                                                                  \
        "for w in vecadd spmv; do $H/heddle run --capture=$w --stats=$w.json -- "                  \
        "$H/workloads/$w --size=small || exit 1; done >/dev/null; "                                \
        "$H/heddle replay --dispatch=kmu --stats=s.json vecadd spmv >/dev/null && "                \
        "sqlite3 :memory: \"WITH f AS (SELECT readfile('s.json') AS j, "                           \
        "json_extract(readfile('vecadd.json'), '$.totals.l2.accesses') AS alone), "                \
        "o AS (SELECT count(*) AS n FROM f, json_each(j, '$.kernels') WHERE "                      \
        "json_extract(value, '$.name') = 'vecadd' AND json_extract(value, '$.status') = 'ok') "    \
        "SELECT " select "\"",                                                                     \
            0, says                                                                                \
    }
#define IS_ALL(cache, what)                                                                        \
    ASK("sum(json_extract(value, '$." what "')) = json_extract(j, '$.totals." cache "." what       \
        "') FROM f, " SPACES(cache),                                                               \
        "1\n")
#define HAS(what) "json_extract(j, '$.settings.\\\"" what "\\\"')"
#define HOLDS(cache, caches)                                                                       \
    ASK("count(*) FROM f, " SPACES(cache) " WHERE json_extract(value, '$.line_cycles') BETWEEN 1 " \
                                          "AND json_extract(j, '$.totals.cycles') * " HAS(         \
                                              caches) " * " HAS(cache ".sets") " * " HAS(cache     \
                                                                                         ".ways"), \
        "2\n")
    static const struct command commands[] = {
        IS_ALL("l1d", "accesses"),
        IS_ALL("l1d", "misses"),
        IS_ALL("l1d", "mshr_merged"),
        IS_ALL("l2", "accesses"),
        IS_ALL("l2", "misses"),
        IS_ALL("l2", "mshr_merged"),
        ASK("n > 0 AND json_extract(j, '$.together[0].l2_spaces[0].accesses') "
            "BETWEEN n * alone / 3 AND (n + 1) * alone FROM f, o",
            "1\n"),
        HOLDS("l1d", "hw.num_sms"),
        HOLDS("l2", "l2.banks"),
    };
    TRY(commands);
#undef HOLDS
#undef HAS
#undef IS_ALL
#undef ASK
#undef SPACES
}

/* Where it matters which thread comes first, memory may differ; a failure stays one. */
static void other_memory(void **unused)
{
    (void)unused;
#define TWO                                                                                        \
    CAPTURE "gc --size=small >/dev/null && $H/heddle run --capture=v -- $H/workloads/vecadd "      \
            "--size=small >/dev/null && $H/heddle replay "
    static const struct command commands[] = {
        {TWO "--sched=lrr c", 1, " launches are not as they were when captured"},
        {TWO "--sched=lrr --differ c", 0, " launches are not as they were when captured"},
        {TWO "--dispatch=kmu c v", 1, "c: gone through 0 times, 1 launches, 1 not as they were"},
        {TWO "--dispatch=kmu --differ c v", 0, "all launches of both ended well; beside each"},
        {TWO "--dispatch=kmu --differ v v", 0, "verified: all launches of both leave the memory"},
        {TWO "--dispatch=kmu --differ --max-cycles=100 v v", 1, "fails; it did not"},
        {TWO "--max-cycles=100 --differ v", 1, "fails; it did not"},
        {TWO "--list --differ v", 2, "--list runs nothing, and --differ is of a run"},
    };
    TRY(commands);
#undef TWO
}

static void damage(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {CAPTURE "vecadd" SMALL "c && printf x >>c && $H/heddle replay c", 2,
         "something comes behind it"},
        {CAPTURE "vecadd" SMALL "c && truncate -s -1 c && $H/heddle replay c", 2,
         "the file ends within it"},
        {CAPTURE "vecadd" SMALL "c && printf x | dd of=c bs=1 seek=300 conv=notrunc 2>/dev/null && "
                 "$H/heddle replay c",
         2, "c: record "},
    };
    TRY(commands);
}

/* A capture carries a failure; on a machine that does not fail it says so. */
static void failures(void **unused)
{
    (void)unused;
#define FAILS                                                                                      \
    IN_FOLDER "{ $H/heddle run --capture=c --max-cycles=100 -- $H/workloads/vecadd --size=small; "
    static const struct command commands[] = {
        {FAILS "$H/heddle replay --list c; }", 0,
         "failed: program1.ptx: kernel vecadd: stopped in cycle"},
        {FAILS "$H/heddle replay --max-cycles=100 c; }", 1,
         "launch 1, kernel vecadd, fails as it did when it was captured"},
        {FAILS "$H/heddle replay c; }", 1, "launch 1, kernel vecadd, ends well; it failed when"},
        {FAILS "$H/heddle replay c; }", 1, "1 of 1 launches are not as they were when captured"},
        {CAPTURE "vecadd" SMALL "--max-cycles=100 c", 1,
         "launch 1, kernel vecadd, fails; it did not"},
        {"$H/heddle run --capture=/dev/full -- $H/workloads/vecadd --size=small", 1,
         "/dev/full: cannot be written: No space left on device"},
    };
    TRY(commands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usage_errors),   cmocka_unit_test(the_same_statistics),
        cmocka_unit_test(elsewhere),      cmocka_unit_test(each_of_a_pair),
        cmocka_unit_test(caches_of_each), cmocka_unit_test(other_memory),
        cmocka_unit_test(damage),         cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
