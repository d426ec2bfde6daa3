/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/corpus_test.c: every input that `make fuzz` ever found something with, and some that
 * reach far, once more: none may crash, break a promise, or take long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/fuzz/fuzz.h"

/* Of processor time; a sanitized build takes a few times as long as usual. */
#define MOST_SECONDS 2.0

static char current[512]; /* the input that is replayed; empty: none */

/* Reads a whole file into memory of exactly its size. */
static uint8_t *read_input(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("%s cannot be opened; tests run in the top folder", path);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    uint8_t *data = malloc(*size ? *size : 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *size, f), *size);
    fclose(f);
    return data;
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void replay(const char *target, int fuzz(const uint8_t *, size_t))
{
    char folder[128];
    struct dirent **entries;
    snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", target);
    int count = scandir(folder, &entries, is_input, alphasort);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        size_t size;
        snprintf(current, sizeof current, "%s/%s", folder, entries[i]->d_name);
        uint8_t *data = read_input(current, &size);
        double start = seconds();
        fuzz(data, size);
        double taken = seconds() - start;
        if (taken > MOST_SECONDS)
            fail_msg("%.1f s; expected at most %.1f", taken, MOST_SECONDS);
        free(data);
        free(entries[i]);
    }
    free(entries);
    current[0] = '\0';
}

/* After each test: where it did not come to its end. */
static int name_input(void **unused)
{
    (void)unused;
    if (current[0])
        print_error("the input was %s\n", current);
    current[0] = '\0';
    return 0;
}

static void ptx(void **unused)
{
    (void)unused;
    replay("ptx", ptx_fuzz);
}

static void exec(void **unused)
{
    (void)unused;
    replay("ptx", exec_fuzz);
    replay("exec", exec_fuzz);
}

static void locality(void **unused)
{
    (void)unused;
    replay("ptx", locality_fuzz);
    replay("exec", locality_fuzz);
    replay("locality", locality_fuzz);
}

static void config(void **unused)
{
    (void)unused;
    replay("config", config_fuzz);
}

static void sweep(void **unused)
{
    (void)unused;
    replay("sweep", sweep_fuzz);
}

static void claims(void **unused)
{
    (void)unused;
    replay("claims", claims_fuzz);
}

static void classes(void **unused)
{
    (void)unused;
    replay("classes", classes_fuzz);
}

static void capture(void **unused)
{
    (void)unused;
    replay("capture", capture_fuzz);
}

static void told(void **unused)
{
    (void)unused;
    replay("told", told_fuzz);
}

static void page(void **unused)
{
    (void)unused;
    replay("page", page_fuzz);
}

static void liberty(void **unused)
{
    (void)unused;
    replay("liberty", liberty_fuzz);
}

static void netlist(void **unused)
{
    (void)unused;
    replay("netlist", netlist_fuzz);
}

static void lef(void **unused)
{
    (void)unused;
    replay("lef", lef_fuzz);
}

static void layout(void **unused)
{
    (void)unused;
    replay("layout", layout_fuzz);
}

static void table(void **unused)
{
    (void)unused;
    replay("table", table_fuzz);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(ptx, name_input),
        cmocka_unit_test_teardown(config, name_input),
        cmocka_unit_test_teardown(exec, name_input),
        cmocka_unit_test_teardown(locality, name_input),
        cmocka_unit_test_teardown(sweep, name_input),
        cmocka_unit_test_teardown(claims, name_input),
        cmocka_unit_test_teardown(classes, name_input),
        cmocka_unit_test_teardown(capture, name_input),
        cmocka_unit_test_teardown(told, name_input),
        cmocka_unit_test_teardown(page, name_input),
        cmocka_unit_test_teardown(liberty, name_input),
        cmocka_unit_test_teardown(netlist, name_input),
        cmocka_unit_test_teardown(lef, name_input),
        cmocka_unit_test_teardown(layout, name_input),
        cmocka_unit_test_teardown(table, name_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
