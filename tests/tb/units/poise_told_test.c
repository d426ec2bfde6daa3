/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/units/poise_told_test.c: what the engine is told by statistics written out here; and which files are refused, with which
 * words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/units/poise_told.h"

#define TEXT(a)   #a
#define NUMBER(a) TEXT(a)

/* Launch 1 has no log, launch 2 an empty one. SM 0: found, cut, found, bound by computation, cut; SM 1: cut, idle, found, ended. */
static const char good[] =
    "{\"kernels\": [{\"name\": \"k\", \"log\": {\"poise\": {\n"
    "\"sm\": [0, 0, 0, 0, 0, 1, 1, 1, 1],\n"
    "\"epoch\": [0, 1, 2, 3, 4, 0, 1, 2, 3],\n"
    "\"found_n\": [2, null, 1, null, null, null, null, 2, null],\n"
    "\"found_p\": [1, null, 1, null, null, null, null, 2, null],\n"
    "\"ended\": [\"search\", \"epoch\", \"search\", \"compute\", \"kernel\", \"epoch\", \"idle\", "
    "\"search\", \"kernel\"]\n"
    "}}}, {\"name\": \"l\"}, {\"name\": \"m\", \"log\": {\"poise\": {\"sm\": []}}}]}\n";

static char path[] = "/tmp/heddle-told-XXXXXX";

static void write_told(const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    fclose(f);
}

static void assert_told(const struct told_pairs *told, const char *expected)
{
    char text[256] = "";
    for (size_t i = 0; i < told->count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "(%u, %u)",
                 (unsigned)told->pairs[i].n, (unsigned)told->pairs[i].p);
    assert_string_equal(text, expected);
}

/* The file as it stands is read, and nothing said about it. */
static struct told *read_quietly(void)
{
    char *said;
    size_t size;
    FILE *err = open_memstream(&said, &size);
    struct told *t = told_read(path, err);
    fclose(err);
    assert_string_equal(said, "");
    assert_non_null(t);
    free(said);
    return t;
}

static void pairs_by_launch_sm_and_epoch(void **unused)
{
    (void)unused;
    char message[256] = "";
    write_told(good);
    struct told *t = read_quietly();
    const struct told_pairs *told = told_of(t, 0, "k", message, sizeof message);
    assert_told(&told[0], "(2, 1)(2, 1)(1, 1)(0, 0)(0, 0)");
    assert_told(&told[1], "(0, 0)(0, 0)(2, 2)(2, 2)");
    for (unsigned sm = 2; sm < NUM_SMS; sm++)
        assert_int_equal(told[sm].count, 0);
    static const char *const kernels[] = {"k", "l", "m", "any"};
    for (size_t launch = 1; launch < 4; launch++) {
        told = told_of(t, launch, kernels[launch], message, sizeof message);
        for (unsigned sm = 0; sm < NUM_SMS; sm++)
            assert_int_equal(told[sm].count, 0);
    }
    assert_string_equal(message, "");
    assert_null(told_of(t, 1, "k", message, sizeof message));
    assert_non_null(strstr(message, "kernel k is launch 1; in /tmp/heddle-told-"));
    assert_non_null(
        strstr(message, " that is kernel l; expected the statistics of a run of this "));
    told_free(t);
    told_free(NULL);
}

static void refused(const char *words)
{
    char *said;
    size_t size;
    FILE *err = open_memstream(&said, &size);
    assert_null(told_read(path, err));
    fclose(err);
    if (!strstr(said, words) || strncmp(said, path, strlen(path)) ||
        strchr(said, '\n') != said + size - 1)
        fail_msg("expected '%s' in one line that begins with the file: %s", words, said);
    free(said);
}

static void hostile_files(void **unused)
{
    (void)unused;
    static const struct {
        const char *from, *to, *words;
    } edits[] = {
        {"kernels", "colonels", "no kernel has a log of the inference engine"},
        {"[{\"name\": \"k\"", "7, \"a\": [{\"name\": \"k\"", "no kernel has a log"},
        {"\"poise\"", "\"mask\"", ""},
        {"{\"kernels", "<\"kernels", "not JSON"},
        {"\"k\"", "5", "kernels.0: expected a name"},
        {"{\"name\": \"l\"}", "3", "kernels.1: expected a name"},
        {"\"sm\": [0", "\"sm\": [1",
         "kernels.0.log.poise.sm: expected SMs of this machine, in order"},
        {"0, 1, 1, 1, 1]", "0, 1, 1, 1, " NUMBER(NUM_SMS) "]",
         "poise.sm: expected SMs of this machine"},
        {"0, 1, 1, 1, 1]", "0, 1, 1, 1, 1000000]", "poise.sm: expected SMs of this machine"},
        {"0, 1, 1, 1, 1]", "0, 1, 1, 1, 1e300]", "poise.sm: expected SMs of this machine"},
        {"0, 1, 1, 1, 1]", "0, 1, 1, 1, \"1\"]", "poise.sm: expected SMs of this machine"},
        {"0, 1, 1, 1, 1]", "0, 1, 1, 1.5, 1]", "poise.sm: expected SMs of this machine"},
        {"0, 1, 1, 1, 1]", "0, 1, 1, 1]",
         "poise.epoch: expected an array with a value for each epoch"},
        {"\"epoch\": [0, 1", "\"epoch\": [1, 1",
         "poise.epoch: expected the epochs of each SM, in order"},
        {"\"epoch\": [0, 1", "\"epoch\": [0, 0",
         "poise.epoch: expected the epochs of each SM, in order"},
        {"\"epoch\": [0, 1", "\"epoch\": [null, 1", "poise.epoch: expected the epochs of each SM"},
        {"found_n", "fond_n", "poise.found_n: expected an array with a value for each epoch"},
        {"found_p", "fond_p", "poise.found_p: expected an array"},
        {"\"ended\": [", "\"ended\": 3, \"a\": [", "poise.ended: expected an array"},
        {"\"found_n\": [2", "\"found_n\": [null",
         "poise.found_n: expected 1 <= found_p <= found_n"},
        {"\"found_n\": [2", "\"found_n\": [0", "poise.found_n: expected 1 <= found_p <= found_n"},
        {"\"found_n\": [2", "\"found_n\": [65", "found_n <= hw.num_warps of this machine"},
        {"\"found_p\": [1", "\"found_p\": [3", "poise.found_n: expected 1 <= found_p <= found_n"},
        {"\"found_p\": [1", "\"found_p\": [0", "poise.found_n: expected 1 <= found_p <= found_n"},
        {"\"found_p\": [1", "\"found_p\": [-1", "poise.found_n: expected 1 <= found_p <= found_n"},
        {"\"found_p\": [1", "\"found_p\": [null",
         "poise.found_n: expected 1 <= found_p <= found_n"},
        {"\"idle\"", "\"lazy\"", "poise.ended: expected search, compute, idle, epoch or kernel"},
        {"\"idle\"", "4", "poise.ended: expected search, compute, idle, epoch or kernel"},
    };
    for (unsigned i = 0; i < sizeof edits / sizeof *edits; i++) {
        char text[2 * sizeof good];
        const char *at = strstr(good, edits[i].from);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, edits[i].to,
                 at + strlen(edits[i].from));
        write_told(text);
        if (*edits[i].words) {
            refused(edits[i].words);
        } else { /* only launch 2 has a log */
            told_free(read_quietly());
        }
    }
    write_told("");
    refused("");
    write_told("{\"kernels\": [{\"name\": \"k\"}]}");
    refused("no kernel has a log of the inference engine");
    write_told("{\"kernels\": []}");
    refused("expected the statistics of a run with --sched=poise");
    char *said;
    size_t size;
    FILE *err = open_memstream(&said, &size);
    assert_null(told_read("/nowhere.json", err));
    fclose(err);
    assert_non_null(strstr(said, "/nowhere.json: "));
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_by_launch_sm_and_epoch),
        cmocka_unit_test(hostile_files),
    };
    const int file = mkstemp(path);
    if (file < 0)
        return perror(path), 1;
    close(file);
    const int result = cmocka_run_group_tests_name("tb/units/poise_told", tests, NULL, NULL);
    unlink(path);
    return result;
}
