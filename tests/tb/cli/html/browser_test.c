/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/html/browser_test.c: pages of `heddle report --html` in a browser: they open without an error, fetch nothing, fit a
 * telephone, and print what is folded. `make browser-test`; it is no part of the other tests, as it needs chromium. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/cli/html/devtools.h"
#include "tests/tb/shell.h"

#define PHONE 390
#define WIDE  1280

static struct devtools browser;
static char folder[] = "/tmp/heddle-pages-XXXXXX";

/* Pages, made by commands in the folder. */
static const struct {
    const char *name, *command;
} pages[] = {
    {"bfs", "$H/heddle run --backend=lockstep --sched=ccws --set l1d.sets=16 --stats=s.json -- "
            "$H/workloads/bfs --size=small && $H/heddle report --picture=p.svg s.json && "
            "$H/heddle report --html=bfs.html --picture=p.svg s.json"},
    {"pair", "$H/heddle run --capture=a -- $H/workloads/vecadd --size=small && $H/heddle run "
             "--capture=b -- $H/workloads/hotspot --size=small && $H/heddle replay --dispatch=kmu "
             "--sched=icmt --stats=s.json a b && $H/heddle report --html=pair.html s.json"},
    {"hostile",
     "$H/heddle run --stats=s.json -- $H/workloads/vecadd --size=small && sed "
     "'s|\"name\":.*vecadd\"|\"name\": \"<img src=x onerror=hacked=1><script>hacked=1"
     "</script>" /* and long */
     "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww\"|; "
     "1a \"incomplete\": \"<b>\",' s.json >t.json && $H/heddle report --html=hostile.html "
     "t.json"},
};
#define NUM_PAGES (sizeof pages / sizeof pages[0])

static void open_page(const char *name, int width)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s.html", folder, name);
    devtools_open(&browser, path, width);
}

/* What is wider than the window: a telephone would show all of it, and smaller. */
static double overflow(int width)
{
    return devtools_value(&browser, "document.documentElement.scrollWidth") - width;
}

static void unfold(void)
{
    devtools_value(&browser,
                   "(document.querySelectorAll('details').forEach(d => d.open = true), 0)");
}

static void fits(int width)
{
    for (size_t i = 0; i < NUM_PAGES; i++) {
        open_page(pages[i].name, width);
        assert_true(devtools_value(&browser, "innerWidth") == width);
        if (*browser.fault)
            fail_msg("%s: %s", pages[i].name, browser.fault);
        assert_true(devtools_value(&browser, "document.querySelectorAll('section').length") > 4);
        if (overflow(width) > 0)
            fail_msg("%s: %.0f px too wide", pages[i].name, overflow(width));
        unfold();
        if (overflow(width) > 0)
            fail_msg("%s: %.0f px too wide when unfolded", pages[i].name, overflow(width));
        assert_true(devtools_value(&browser, "'hacked' in window") == 0);
    }
}

static void on_a_telephone(void **state)
{
    (void)state;
    fits(PHONE);
}

static void on_a_screen(void **state)
{
    (void)state;
    fits(WIDE);
}

/* A picture is shown, and a bar has its colours. */
static void what_is_seen(void **state)
{
    (void)state;
    open_page("bfs", PHONE);
    assert_true(devtools_value(&browser, "document.images.length") == 1);
    assert_true(devtools_value(&browser, "document.images[0].naturalWidth") > 10);
    assert_true(devtools_value(&browser, "document.images[0].getBoundingClientRect().right") <=
                PHONE);
    assert_true(devtools_value(&browser, "document.querySelector('#cycles rect')"
                                         ".getBoundingClientRect().height") > 10);
}

static double brightness(const char *what)
{
    char expression[256];
    snprintf(expression, sizeof expression,
             "getComputedStyle(document.body).%s.match(/[0-9]+/g).reduce((a, b) => a + +b, 0)",
             what);
    return devtools_value(&browser, expression);
}

static void light_and_dark(void **state)
{
    (void)state;
    open_page("bfs", PHONE);
    for (int dark = 0; dark < 2; dark++) {
        cJSON_Delete(
            devtools_do(&browser, "Emulation.setEmulatedMedia",
                        "\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%s\"}]",
                        dark ? "dark" : "light"));
        assert_true((brightness("backgroundColor") < brightness("color")) == dark);
    }
    cJSON_Delete(devtools_do(&browser, "Emulation.setEmulatedMedia", "\"features\":[]"));
}

#define FOLDED_HEIGHT "document.querySelector('#kernel-0 table').getBoundingClientRect().height"
static void prints_what_is_folded(void **state)
{
    (void)state;
    open_page("bfs", WIDE);
    assert_true(devtools_value(&browser, "document.querySelector('#kernel-0').open") == 0);
    const double screen = devtools_value(&browser, "document.body.scrollHeight");
    cJSON_Delete(devtools_do(&browser, "Emulation.setEmulatedMedia", "\"media\":\"print\""));
    assert_true(devtools_value(&browser, FOLDED_HEIGHT) > 100);
    assert_true(devtools_value(&browser, "document.body.scrollHeight") > 2 * screen);
    cJSON_Delete(devtools_do(&browser, "Emulation.setEmulatedMedia", "\"media\":\"\""));
}

/* Pages that are not as they must be: each is noticed. */
static void faults_are_seen(void **state)
{
    (void)state;
    static const struct {
        const char *edit, *fault; /* a script of sed; what is noted, or NULL: it is too wide */
    } rows[] = {
        {"s|<main>|<main><div style=\"width:600px\">x</div>|", NULL},
        {"s|overflow-x:auto||", NULL},
        {"s|default-src .none.; ||; s|<main>|<main><script>undefined.x</script>|", "exception"},
        {"s|default-src .none.; ||; s|<main>|<main><script>console.log(1)</script>|", "console"},
        {"s|<main>|<main><script>x=1</script>|", "log"},
        {"s|<main>|<main><img src=\"http://127.0.0.1:9/x.png\">|", "log"},
        {"s|img-src data:|img-src data: http:|; s|<main>|<main><img "
         "src=\"http://127.0.0.1:9/x.png\">|",
         "fetched: http://127.0.0.1:9/x.png"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char command[512], output[MAX_OUTPUT];
        snprintf(command, sizeof command,
                 "cd %s && sed '%s' bfs.html >fault.html && ! cmp -s bfs.html "
                 "fault.html",
                 folder, rows[i].edit);
        assert_int_equal(shell(command, output), 0);
        open_page("fault", PHONE);
        unfold();
        if (!rows[i].fault)
            assert_true(overflow(PHONE) > 0);
        else if (strncmp(browser.fault, rows[i].fault, strlen(rows[i].fault)) != 0)
            fail_msg("fault %zu: '%s'; expected '%s'", i, browser.fault, rows[i].fault);
    }
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    for (size_t i = 0; i < NUM_PAGES; i++) {
        static char command[2048], output[MAX_OUTPUT];
        snprintf(command, sizeof command, "cd %s && %s", folder, pages[i].command);
        if (shell(command, output)) {
            print_error("%s\n%.400s\n", command, output);
            return -1;
        }
    }
    devtools_start(&browser);
    return 0;
}

static int tear_down(void **state)
{
    char command[64];
    (void)state;
    devtools_stop(&browser);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_telephone),        cmocka_unit_test(on_a_screen),
        cmocka_unit_test(what_is_seen),          cmocka_unit_test(light_and_dark),
        cmocka_unit_test(prints_what_is_folded), cmocka_unit_test(faults_are_seen),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
