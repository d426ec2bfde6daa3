/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/cache_test.c: what the compiler has made is found again, with what it said, by all that it was made from; which
 * texts read files or the time of day; where the folder is; a damaged file is not used; a folder that cannot be written is told
 * once. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/ocl/cache.h"

static char top[] = "/tmp/heddle-cache-XXXXXX", folder[64];

static struct cache_key key_of(const char *a, const char *b)
{
    struct cache_key key = cache_key();
    cache_add(&key, a, strlen(a));
    cache_add(&key, b, strlen(b));
    return key;
}

/* What is found, and said; NULL: nothing. */
static const char *found(struct cache_key key)
{
    static char text[256];
    char *said;
    size_t size, bytes;
    FILE *log = open_memstream(&said, &size);
    char *result = cache_find(&key, &bytes, log);
    fclose(log);
    if (result) {
        assert_int_equal(result[bytes], 0);
        snprintf(text, sizeof text, "%.*s|%s", (int)bytes, result, said);
    } else {
        assert_string_equal(said, "");
    }
    free(said);
    const char *answer = result ? text : NULL;
    free(result);
    return answer;
}

static void keep(struct cache_key key, const char *result, const char *said)
{
    cache_keep(&key, result, strlen(result), said);
}

/* Of the only file in the folder. */
static const char *only_file(void)
{
    static char path[400];
    DIR *d = opendir(folder);
    unsigned count = 0;
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d));)
        if (*e->d_name != '.') {
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
            count++;
        }
    closedir(d);
    assert_int_equal(count, 1);
    return path;
}

static int begin(void **unused)
{
    (void)unused;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) || setenv("HEDDLE_CACHE", folder, 1);
}

static void found_again(void **unused)
{
    (void)unused;
    assert_null(found(key_of("a", "b")));
    keep(key_of("a", "b"), "made", "warning: said\n");
    assert_string_equal(found(key_of("a", "b")), "made|warning: said\n");
    only_file();
    keep(key_of("a", "b"), "anew", "");
    assert_string_equal(found(key_of("a", "b")), "anew|");
    only_file();
}

static void by_all_that_it_is_made_from(void **unused)
{
    (void)unused;
    keep(key_of("ab", "c"), "made", "");
    assert_null(found(key_of("ab", "d")));
    assert_null(found(key_of("a", "bc"))); /* where a piece ends counts */
    assert_null(found(key_of("", "abc")));
    struct cache_key one = cache_key(), two = cache_key();
    char path[96];
    snprintf(path, sizeof path, "%s/file", top);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("x", f);
    fclose(f);
    cache_add_file(&one, path);
    keep(one, "made", "");
    assert_non_null(found(one));
    f = fopen(path, "a");
    assert_non_null(f);
    fputs("y", f);
    fclose(f);
    cache_add_file(&two, path);
    assert_null(found(two));
    unlink(path);
    cache_add_file(&two, path);
    keep(two, "made", ""); /* of a file that is none: not kept */
    assert_null(found(two));
}

/* Of pieces of any length; two changes do not make up for one another. */
static void every_byte_of_a_piece(void **unused)
{
    (void)unused;
    char text[] = "a text of 27 bytes in all..";
    for (size_t size = sizeof text - 1; size >= 16; size--) {
        struct cache_key whole = cache_key();
        cache_add(&whole, text, size);
        for (size_t i = 0; i < size; i++)
            for (size_t j = i; j < size; j++) {
                struct cache_key changed = cache_key();
                text[i] ^= 0x20;
                text[j] ^= 0x02;
                cache_add(&changed, text, size);
                assert_true(changed.hash != whole.hash);
                text[i] ^= 0x20;
                text[j] ^= 0x02;
            }
    }
}

static void texts_that_read(void **unused)
{
    (void)unused;
    static const char *const sources[] = {"#import <a.h>", "int d = __DATE__;", "__TIME__",
                                          "x __TIMESTAMP__"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        assert_true(cache_text_reads(sources[i], strlen(sources[i])));
        assert_false(cache_text_reads(sources[i], 4));
    }
    assert_false(cache_text_reads("#include <a.h>", 14)); /* includes_test.c */
}

static void what_is_not_kept(void **unused)
{
    (void)unused;
    keep(key_of("", "nothing"), "", "");
    assert_null(found(key_of("", "nothing")));
    setenv("HEDDLE_CACHE", "", 1);
    keep(key_of("a", "b"), "made", "");
    assert_null(found(key_of("a", "b")));
    unsetenv("HEDDLE_CACHE");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    keep(key_of("a", "b"), "made", "");
    assert_null(found(key_of("a", "b")));
    assert_int_not_equal(access(folder, F_OK), 0);
    setenv("HEDDLE_CACHE", folder, 1);
    setenv("HEDDLE_CACHE_MB", "0", 1);
    keep(key_of("a", "b"), "made", "");
    assert_null(found(key_of("a", "b")));
    unsetenv("HEDDLE_CACHE_MB");
}

/* Where no folder is named it is the user's, which is made; what cannot be made is not told then. */
static void the_users_folder(void **unused)
{
    (void)unused;
    char path[96];
    unsetenv("HEDDLE_CACHE");
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, i == 2 ? "%s/nowhere/above" : i ? "%s/caches" : "%s", top);
        setenv(i ? "XDG_CACHE_HOME" : "HOME", path, 1);
        keep(key_of("a", "b"), "made", "");
        if (i == 2)
            assert_null(found(key_of("a", "b")));
        else
            assert_string_equal(found(key_of("a", "b")), "made|");
        strcat(path, i ? "/heddle" : "/.cache/heddle");
        assert_int_equal(access(path, F_OK), i == 2 ? -1 : 0);
    }
    unsetenv("XDG_CACHE_HOME");
}

/* Every byte of a file counts, and its length. */
static void a_damaged_file(void **unused)
{
    (void)unused;
    const struct cache_key key = key_of("a", "b");
    keep(key, "made", "said");
    const char *path = only_file();
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    for (long i = 0; i <= s.st_size; i++) {
        FILE *f = fopen(path, "r+");
        assert_non_null(f);
        fseek(f, i, SEEK_SET);
        const int was = getc(f);
        fseek(f, i, SEEK_SET);
        putc(was == EOF ? 'x' : was ^ 0x10, f); /* or a byte too many */
        fclose(f);
        assert_null(found(key));
        keep(key, "made", "said");
        assert_string_equal(found(key), "made|said");
    }
    for (long length = 0; length < s.st_size; length++) {
        assert_int_equal(truncate(path, length), 0);
        assert_null(found(key));
        keep(key, "made", "said");
    }
    assert_string_equal(found(key), "made|said");
}

static void a_folder_that_is_none(void **unused)
{
    (void)unused;
    char nowhere[96], said[256] = "";
    snprintf(nowhere, sizeof nowhere, "%s/a/b", top);
    setenv("HEDDLE_CACHE", nowhere, 1);
    snprintf(nowhere, sizeof nowhere, "%s/stderr", top);
    const int before = dup(STDERR_FILENO);
    assert_non_null(freopen(nowhere, "w", stderr));
    keep(key_of("a", "b"), "made", "");
    keep(key_of("a", "c"), "made", "");
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    FILE *f = fopen(nowhere, "r");
    assert_non_null(f);
    said[fread(said, 1, sizeof said - 1, f)] = 0;
    fclose(f);
    assert_null(found(key_of("a", "b")));
    assert_non_null(strstr(said, "heddle: HEDDLE_CACHE: /tmp/heddle-cache-"));
    assert_non_null(strstr(said, "/a/b: cannot be made: No such file or directory\n"));
    assert_ptr_equal(strchr(said, '\n'), strrchr(said, '\n')); /* once */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(found_again, begin),
        cmocka_unit_test_setup(by_all_that_it_is_made_from, begin),
        cmocka_unit_test_setup(every_byte_of_a_piece, begin),
        cmocka_unit_test_setup(texts_that_read, begin),
        cmocka_unit_test_setup(what_is_not_kept, begin),
        cmocka_unit_test_setup(the_users_folder, begin),
        cmocka_unit_test_setup(a_damaged_file, begin),
        cmocka_unit_test_setup(a_folder_that_is_none, begin),
    };
    if (!mkdtemp(top))
        return perror(top), 1;
    snprintf(folder, sizeof folder, "%s/cache", top);
    const int result = cmocka_run_group_tests_name("tb/ocl/cache", tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", top);
    return system(command) ? 1 : result;
}
