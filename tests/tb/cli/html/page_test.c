/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/html/page_test.c: `heddle report --html`: what stands on the page is what the statistics say, computed once more;
 * what cannot be a page is refused; and what is hostile stays text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw.h"
#include "tests/tb/cli/html/markup.h"
#include "tests/tb/shell.h"

static char output[MAX_OUTPUT], page[MAX_OUTPUT];

#define IN_FOLDER "cd $(mktemp -d) && "
#define RUN(options, program)                                                                      \
    "$H/heddle run " options " --stats=s.json -- $H/workloads/" program                            \
    " --size=small >/dev/null && "
#define PAGE "$H/heddle report --html=p.html s.json && cat p.html"

static void usage_errors(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {"$H/heddle report --help", 0, "--html=FILE.html"},
        {"$H/heddle report --html=p.html a b", 2, "--html takes one file; `heddle compare`"},
        {"$H/heddle report --html=p.html", 2, "no statistics file"},
        {"$H/heddle report --html=p.html --get=cycles a", 2, "only one of --html"},
        {"$H/heddle report --html=p.html --engine a", 2, "only one of --html"},
        {"$H/heddle report --picture=a.svg --picture=b.svg a", 2, "goes with --html"},
        {IN_FOLDER "$H/heddle report --html=p.html /nowhere.json; echo status $?; ls", 0,
         "/nowhere.json: cannot be read: No such file or directory\nstatus 2\n"},
        {IN_FOLDER RUN("", "vecadd") "$H/heddle report --html=/nowhere/p.html s.json", 2,
         "/nowhere/p.html: cannot be written"},
        {IN_FOLDER RUN("", "vecadd") "$H/heddle report --html=/dev/full s.json", 2,
         "/dev/full: cannot be written: No space"},
        {IN_FOLDER "echo '{}' >s.json; $H/heddle report --html=p.html s.json; echo status $?; ls",
         0, "s.json: 'kernels' is missing\nstatus 2\ns.json\n"},
        {IN_FOLDER "echo '{\"kernels\": []}' >s.json; $H/heddle report --html=p.html s.json", 2,
         "s.json: 'totals.cycles' is missing"},
        {IN_FOLDER "echo '[' >s.json; $H/heddle report --html=p.html s.json", 2,
         "s.json: not JSON"},
        {IN_FOLDER "echo '{\"kernels\": 7, \"totals\": {\"cycles\": 1}}' >s.json; "
                   "$H/heddle report --html=p.html s.json",
         2, "'kernels' is missing"},
        /* a page that is there stays as it is */
        {IN_FOLDER "echo old >p.html; echo '{}' >s.json; $H/heddle report --html=p.html s.json; "
                   "cat p.html; ls",
         0, "old\np.html\ns.json\n"},
    };
    TRY(commands);
}

/* Runs a command that ends with the page, after the statistics between two lines of '=': both are taken apart. */
static cJSON *run(const char *command)
{
    const int status = shell(command, output);
    char *text = strstr(output, "\n{"), *html = strstr(output, "<!DOCTYPE");
    if (status || !text || !html)
        fail_msg("%s: status %d: %.400s", command, status, output);
    strcpy(page, html);
    *html = 0;
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    const char *fault = markup_fault(page);
    if (fault)
        fail_msg("%s", fault);
    return json;
}
#define BOTH(options, program)                                                                     \
    IN_FOLDER RUN(                                                                                 \
        options,                                                                                   \
        program) "echo && cat s.json && $H/heddle report --html=p.html s.json && cat p.html"

static double number(const cJSON *json, const char *path)
{
    char copy[128], *rest = copy;
    snprintf(copy, sizeof copy, "%s", path);
    for (char *name; json && (name = strsep(&rest, "."));)
        json = cJSON_GetObjectItemCaseSensitive(json, name);
    if (!cJSON_IsNumber(json))
        fail_msg("%s is no number", path);
    return json->valuedouble;
}

/* The number behind `before`, within the part of the page that begins with `part`: tags are passed over. */
static double shown(const char *part, const char *before)
{
    const char *at = strstr(page, part);
    at = at ? strstr(at, before) : NULL;
    if (!at)
        fail_msg("the page lacks '%s' in '%s'", before, part);
    char digits[64];
    size_t count = 0;
    for (at += strlen(before); *at && count < sizeof digits - 1; at++) {
        if (*at == '<' && !count)
            at = strchr(at, '>');
        else if (strchr("0123456789.-", *at))
            digits[count++] = *at;
        else if (*at != ',' && (*at != ' ' || count))
            break;
    }
    digits[count] = 0;
    if (!count)
        fail_msg("no number behind '%s' in '%s': %.60s", before, part, at);
    return atof(digits);
}

static void near(const char *what, double is, double expected, int digits)
{
    double unit = 0.5000001;
    for (int i = 0; i < digits; i++)
        unit /= 10;
    if (!(is >= expected - unit && is <= expected + unit))
        fail_msg("%s is %.6f on the page; expected %.6f", what, is, expected);
}

#define NEAR(part, before, expected, digits) near(before, shown(part, before), expected, digits)

static void check_headline(const cJSON *totals)
{
    static const char part[] = "<dl class=\"figures headline\">";
    NEAR(part, "<dt>cycles</dt>", number(totals, "cycles"), 0);
    NEAR(part, "<dt>warp instructions</dt>", number(totals, "warp_instructions"), 0);
    NEAR(part, "<dt>IPC</dt>", number(totals, "ipc"), 3);
    NEAR(part, "<dt>L1D hits</dt>",
         100 * number(totals, "l1d.hits") / number(totals, "l1d.accesses"), 2);
    NEAR(part, "<dt>DRAM</dt>", number(totals, "dram.bytes") / 1e6, 3);
    NEAR(part, "<dt>energy</dt>", number(totals, "energy.total") / 1e3, 3);
}

/* The rows of a table, by name: a share of 1 decimal behind a number. */
static void check_shares(const char *part, const cJSON *counts, double per, int digits)
{
    double sum = 0;
    const cJSON *count;
    cJSON_ArrayForEach(count, counts) sum += count->valuedouble;
    assert_true(sum > 0);
    cJSON_ArrayForEach(count, counts)
    {
        char name[64], row[160];
        snprintf(name, sizeof name, "</span>%s</td>", count->string);
        NEAR(part, name, count->valuedouble / per, digits);
        const double value = shown(part, name);
        snprintf(row, sizeof row, "<title>%s:", count->string);
        (void)value;
        if (count->valuedouble * 10000 > sum)
            NEAR(part, row, 100 * count->valuedouble / sum, 2);
    }
}

/* A kernel's launches, summed once more. */
static double sum_of(const cJSON *kernels, const char *name, const char *path)
{
    double sum = 0;
    const cJSON *kernel;
    cJSON_ArrayForEach(kernel, kernels)
    {
        if (!strcmp(cJSON_GetObjectItem(kernel, "name")->valuestring, name))
            sum += path ? number(kernel, path) : 1;
    }
    return sum;
}

/* Cell `index` of the kernel's row, behind its name. */
static double cell(const char *name, int index)
{
    char before[128];
    snprintf(before, sizeof before, ">%s</a></td>", name);
    const char *at = strstr(page, before);
    assert_non_null(at);
    at += strlen(before);
    for (int i = 0; i < index; i++)
        at = strstr(at, "</td>") + strlen("</td>");
    char row[64];
    snprintf(row, sizeof row, "%.40s", at);
    return shown(row, "");
}

static double check_kernel(const cJSON *kernels, const char *name, double before, double all)
{
    const double cycles = sum_of(kernels, name, "cycles"),
                 instructions = sum_of(kernels, name, "warp_instructions"),
                 accesses = sum_of(kernels, name, "l1d.accesses");
    double resident = 0;
    const cJSON *class;
    cJSON_ArrayForEach(
        class, cJSON_GetObjectItem(cJSON_GetObjectItem(kernels->child, "cpi"), "warp_cycles"))
    {
        char path[64];
        snprintf(path, sizeof path, "cpi.warp_cycles.%s", class->string);
        resident += sum_of(kernels, name, path);
    }
    near("launches", cell(name, 0), sum_of(kernels, name, NULL), 0);
    near("cycles", cell(name, 1), cycles, 0);
    near("share", cell(name, 2), 100 * cycles / all, 1);
    near("instructions", cell(name, 3), instructions, 0);
    near("IPC", cell(name, 4), instructions / cycles, 3);
    near("CPI", cell(name, 5), resident / instructions, 2);
    if (accesses > 0)
        near("L1D", cell(name, 6), 100 * sum_of(kernels, name, "l1d.hits") / accesses, 2);
    assert_true(cycles <= before); /* those that took most come first */
    return cycles;
}

static void figures(void **unused)
{
    (void)unused;
    static const char *const programs[] = {BOTH("--sched=gto", "histogram"),
                                           BOTH("--backend=lockstep --sched=ccws", "bfs")};
    for (size_t i = 0; i < 2; i++) {
        cJSON *json = run(programs[i]);
        const cJSON *totals = cJSON_GetObjectItem(json, "totals"),
                    *kernels = cJSON_GetObjectItem(json, "kernels"), *kernel;
        check_headline(totals);
        check_shares("<section id=\"cycles\">",
                     cJSON_GetObjectItem(cJSON_GetObjectItem(totals, "cpi"), "warp_cycles"),
                     number(totals, "warp_instructions"), 2);
        check_shares("<section id=\"issue\">", cJSON_GetObjectItem(totals, "issue"), 1, 0);
        NEAR("aria-label=\"L1D\"", "<td>mshr_merged</td>", number(totals, "l1d.mshr_merged"), 0);
        NEAR("aria-label=\"L2\"", "<td>read_hits</td>", number(totals, "l2.read_hits"), 0);
        NEAR("aria-label=\"DRAM\"", "<td>row_hits</td>", number(totals, "dram.row_hits"), 0);
        NEAR("aria-label=\"energy by event\"", "<td>flit</td><td>network</td>",
             number(totals, "energy.events.flit") / 1e3, 3);
        double before = 1e18, all = 0;
        cJSON_ArrayForEach(kernel, kernels) all += number(kernel, "cycles");
        char names[16][64];
        int count = 0;
        for (const char *at = strstr(page, "<a href=\"#kernel-"); at && count < 16;
             at = strstr(at + 1, "<a href=\"#kernel-"))
            sscanf(strchr(at, '>') + 1, "%63[^<]", names[count++]);
        assert_int_equal(count, i ? 2 : 3);
        for (int k = 0; k < count; k++)
            before = check_kernel(kernels, names[k], before, all);
        if (i) {
            NEAR("<section id=\"units\">", "<td>wia</td>", number(json, "lockstep.wia.cycles"), 0);
            NEAR("aria-label=\"edges\"", "<td>START-&gt;RUN</td>",
                 number(json, "warp_edges.START->RUN"), 0);
        } else
            assert_non_null(strstr(page, "Nothing was compared: the backend was c."));
        cJSON_Delete(json);
    }
}

static void settings(void **unused)
{
    (void)unused;
#define DIFFERS " | sed -n '/id=\"settings\"/,/All settings/p' | grep -c '<tr><td>'"
    static const struct command commands[] = {
        {IN_FOLDER RUN("--set l1d.mshrs=17 --sched=youngest", "vecadd") PAGE DIFFERS, 0, "2\n"},
        {IN_FOLDER RUN("--set l1d.mshrs=17 --sched=youngest", "vecadd") PAGE, 0,
         "<tr><td>l1d.mshrs</td><td class=\"n\">17</td><td class=\"n\">"},
        {IN_FOLDER RUN("--set l1d.mshrs=17 --sched=youngest", "vecadd") PAGE, 0,
         "<tr><td>run.sched</td><td class=\"n\">youngest</td><td class=\"n\">"},
        {IN_FOLDER RUN("", "vecadd") PAGE, 0, "All are those of the configuration's file."},
        {IN_FOLDER RUN("",
                       "vecadd") "sed 's/\"config\":.*/\"config\": \"mine\",/' s.json >t.json && "
                                 "$H/heddle report --html=p.html t.json && cat p.html",
         0, "This build has no configuration of that name"},
    };
    TRY(commands);
#undef DIFFERS
}

/* Whoever wrote the file: names stay text, and no script runs. */
static void hostile(void **unused)
{
    (void)unused;
    cJSON_Delete(run(IN_FOLDER RUN(
        "", "vecadd") "sed 's|\"name\":.*vecadd\"|\"name\": "
                      "\"</title><script>alert(1)</script>\\\\u0007\"|; "
                      "s|\"sched\":.*|\"sched\": \"\\\\\"><img src=x onerror=alert(1)>\",|' s.json "
                      ">t.json && echo && "
                      "cat t.json && $H/heddle report --html=p.html t.json && cat p.html"));
    assert_non_null(strstr(page, "&lt;script&gt;alert(1)"));
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "<img"));
    assert_non_null(strstr(page, "Content-Security-Policy\" content=\"default-src 'none';"));
}

/* Members that are gone, one after the other: a page without that part, or none. */
static void lacks(void **unused)
{
    (void)unused;
#define WITHOUT(member)                                                                            \
    IN_FOLDER RUN("--backend=lockstep",                                                            \
                  "vecadd") "$H/heddle report --without=" member                                   \
                            " s.json >t.json && $H/heddle report --html=p.html t.json && grep -o " \
                            "'section id=\"[a-z]*' p.html | tr '\\n' ' '"
    static const struct command commands[] = {
        {WITHOUT("host"), 0,
         "id=\"kernels section id=\"cycles section id=\"issue section id=\"memory "
         "section id=\"energy section id=\"units "},
        {WITHOUT("lockstep,warp_edges,dispatch_edges"), 0, "id=\"energy section id=\"settings "},
        {WITHOUT("settings"), 0,
         "id=\"kernels section id=\"cycles section id=\"issue section id=\"memory section "
         "id=\"energy section id=\"units "},
        {IN_FOLDER RUN("", "vecadd") "sed '/\"granted\":/d' s.json >t.json && $H/heddle report "
                                     "--html=p.html t.json && grep -c 'id=\"issue' p.html; true",
         0, "0\n"},
        {WITHOUT("totals"), 2, "'totals.cycles' is missing"},
    };
    TRY(commands);
#undef WITHOUT
}

static void banners(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {IN_FOLDER RUN("",
                       "vecadd") "sed '1a \"incomplete\": \"it was <killed>\",' s.json >t.json && "
                                 "$H/heddle report --html=p.html t.json 2>&1 && grep alarm p.html",
         0,
         "<p class=\"alarm\" role=\"alert\"><strong>This run is incomplete.</strong> it was "
         "&lt;killed&gt;"},
        {IN_FOLDER RUN("--max-cycles=100", "vecadd") PAGE " | grep 'p class=.alarm'; true", 0,
         NULL},
        {IN_FOLDER "$H/heddle run --max-cycles=100 --stats=s.json -- $H/workloads/vecadd "
                   "--size=small >/dev/null; " PAGE,
         0, "vecadd: 1 of 1 launches; the first of them: limit."},
        {IN_FOLDER RUN("--backend=lockstep",
                       "vecadd") "sed 's/\"mismatches\":.*0/\"mismatches\": 2/' s.json >t.json && "
                                 "$H/heddle report --html=p.html t.json && cat p.html",
         0, "Lockstep found a difference."},
        {IN_FOLDER RUN("", "vecadd") PAGE " | grep -c 'class=\"alarm'; true", 0, "0\n"},
    };
    try_commands(commands, 1);
    try_commands(commands + 2, 3);
}

static void pictures(void **unused)
{
    (void)unused;
#define SVG "echo '<svg xmlns=\"http://www.w3.org/2000/svg\"/>' >'a&b.svg' && "
    static const struct command commands[] = {
        {IN_FOLDER RUN("", "vecadd") SVG
         "$H/heddle report --html=p.html --picture='a&b.svg' s.json && "
         "sed -n 's/.*svg+xml;base64,\\([^\"]*\\)\".*/\\1/p' p.html | base64 -d | cmp - 'a&b.svg' "
         "&& grep -o 'figcaption>.*</figcaption' p.html",
         0, "figcaption>a&amp;b.svg</figcaption"},
        {IN_FOLDER RUN("", "vecadd") "$H/heddle report --picture=q.png s.json >/dev/null && " SVG
                                     "$H/heddle report --html=p.html --picture=q.png "
                                     "--picture='a&b.svg' s.json && "
                                     "sed -n 's/.*image.png;base64,\\([^\"]*\\)\".*/\\1/p' p.html "
                                     "| base64 -d | cmp - q.png && grep -c '<figure>' p.html",
         0, "2\n"},
        {IN_FOLDER RUN(
             "", "vecadd") "$H/heddle report --html=p.html --picture=no.svg s.json; echo $?; ls",
         0, "no.svg: cannot be read: No such file or directory\n2\ns.json\n"},
        {IN_FOLDER RUN(
             "",
             "vecadd") "echo hello >a.svg; $H/heddle report --html=p.html --picture=a.svg s.json",
         2, "a.svg: not a picture"},
        {IN_FOLDER RUN("", "vecadd") SVG
         "mv a*b.svg a.png; $H/heddle report --html=p.html --picture=a.png s.json",
         2, "a.png: not a picture"},
    };
    TRY(commands);
#undef SVG
}

/* A build in a tree of its own, where reports of synthesis lie or not. */
static void costs(void **unused)
{
    (void)unused;
#define TREE                                                                                       \
    IN_FOLDER RUN("", "vecadd") "B=$PWD/build/" CONFIG_NAME                                        \
                                " && mkdir -p $B/synth/wia rtl/wia && "                            \
                                "cp -L $H/heddle $B && "
#define RESULT                                                                                     \
    "printf 'state_bits=31\\nflip_flops=32\\narea_um2=33\\nge=34\\ncritical_path_ns=<3.5>\\n' "    \
    ">$B/synth/wia/result.txt && "
#define EVIDENCE                                                                                   \
    "printf '# wia\\n## Synthesis on each configuration\\n\\n| configuration | STATE bits | "      \
    "flip-flops | "                                                                                \
    "MEMORY bits | cells | area um2 | gate equivalents | critical path ns |\\n| --- |\\n"          \
    "| other | 1 | 2 | 3 | 4 | 5 | 6 | 7 |\\n| " CONFIG_NAME                                       \
    " | 41 | 42 | 0 | 9 | 43 | 44 | 4.5 |\\n' >rtl/wia/EVIDENCE.md && "
#define COST "$B/heddle report --html=p.html s.json && sed -n '/id=\"cost\"/,/<.table>/p' p.html"
#define CELLS(a, b, c, d, e)                                                                       \
    "<tr><td>wia</td><td class=\"n\">" a "</td><td class=\"n\">" b "</td><td class=\"n\">" c       \
    "</td><td class=\"n\">" d "</td><td class=\"n\">" e "</td><td>"
    static const struct command commands[] = {
        {TREE RESULT EVIDENCE COST, 0,
         CELLS("31", "32", "33", "34", "&lt;3.5&gt;") "build/" CONFIG_NAME
                                                      "/synth/wia/result.txt</td>"},
        {TREE EVIDENCE COST, 0, CELLS("41", "42", "43", "44", "4.5") "rtl/wia/EVIDENCE.md</td>"},
        {TREE COST " | wc -l", 0, "0\n"},
        /* the names become paths: they must be names */
        {TREE RESULT "sed 's|\"wia\"|\"../synth/wia\"|' s.json >t.json && mv t.json s.json && " COST
                     " | wc -l",
         0, "0\n"},
    };
    TRY(commands);
}

static void same_bytes(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {IN_FOLDER RUN("", "bfs") "$H/heddle report --html=p.html s.json && $H/heddle report "
                                  "--html=q.html s.json && cmp p.html q.html",
         0, NULL},
    };
    TRY(commands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usage_errors), cmocka_unit_test(figures), cmocka_unit_test(settings),
        cmocka_unit_test(hostile),      cmocka_unit_test(lacks),   cmocka_unit_test(banners),
        cmocka_unit_test(pictures),     cmocka_unit_test(costs),   cmocka_unit_test(same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
