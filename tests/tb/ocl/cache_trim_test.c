/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/cache_trim_test.c: the cache keeps to its limit, the result goes whose last use is longest ago, and other files stay;
 * several processes at once, and such as are killed, leave a folder in which all that is found is right. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/ocl/cache.h"

enum { KEYS = 48, PROCESSES = 6, ROUNDS = 150, BYTES = 40000 };

static char folder[] = "/tmp/heddle-trim-XXXXXX";

static struct cache_key key_of(unsigned number)
{
    struct cache_key key = cache_key();
    cache_add(&key, &number, sizeof number);
    return key;
}

/* The result of a key, of its own length and bytes. */
static size_t result_of(unsigned number, char *bytes)
{
    const size_t size = BYTES - 100 * number;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(number * 31 + i * 7);
    return size;
}

static void keep(unsigned number)
{
    char bytes[BYTES];
    const size_t size = result_of(number, bytes);
    const struct cache_key key = key_of(number);
    cache_keep(&key, bytes, size, "");
}

/* Returns whether it is there; what is there is right, or -1. */
static int find(unsigned number)
{
    char bytes[BYTES], *said;
    size_t size, said_size;
    const struct cache_key key = key_of(number);
    FILE *log = open_memstream(&said, &said_size);
    char *result = cache_find(&key, &size, log);
    fclose(log);
    const int right = !result || (size == result_of(number, bytes) && !memcmp(result, bytes, size));
    free(said);
    free(result);
    return !right ? -1 : result != NULL;
}

/* The bytes of all files, and how many there are whose names end in .new. */
static unsigned long look(unsigned *unfinished)
{
    unsigned long bytes = 0;
    char path[400];
    struct stat s;
    DIR *d = opendir(folder);
    assert_non_null(d);
    *unfinished = 0;
    for (const struct dirent *e; (e = readdir(d));) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (*e->d_name == '.' || stat(path, &s))
            continue;
        *unfinished += strstr(e->d_name, ".new") != NULL;
        bytes += (unsigned long)s.st_size;
    }
    closedir(d);
    return bytes;
}

/* Changes the time of last use of all files whose names end so. */
static void age(const char *end, time_t seconds)
{
    char path[400];
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d));) {
        const size_t length = strlen(e->d_name);
        if (*e->d_name == '.' || length < strlen(end) ||
            strcmp(e->d_name + length - strlen(end), end) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        const struct timespec then = {time(NULL) - seconds, 0};
        assert_int_equal(utimensat(AT_FDCWD, path, (const struct timespec[]){then, then}, 0), 0);
    }
    closedir(d);
}

static int begin(void **unused)
{
    (void)unused;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s/*", folder);
    return system(command) || setenv("HEDDLE_CACHE", folder, 1) ||
           setenv("HEDDLE_CACHE_MB", "1", 1);
}

/* 10^6 bytes hold 25 results of nearly 40,000. A use makes a result young again. */
static void the_oldest_use_goes_first(void **unused)
{
    (void)unused;
    unsigned unfinished;
    for (unsigned i = 0; i < 20; i++)
        keep(i);
    age("", 1000);
    assert_int_equal(find(3), 1); /* used now */
    for (unsigned i = 100; i < 120; i++) {
        char bytes[BYTES] = {1};
        const struct cache_key key = key_of(i);
        cache_keep(&key, bytes, sizeof bytes, "");
        assert_in_range(look(&unfinished), 1, 1000000);
    }
    assert_int_equal(find(3), 1);
    unsigned left = 0;
    for (unsigned i = 0; i < 20; i++)
        left += find(i) == 1;
    assert_in_range(left, 2, 6); /* of the old ones as many as there is room for */
    assert_in_range(look(&unfinished), 1000000 - BYTES, 1000000);
}

/* Nothing but results, and what became of none. A result larger than all may be is not kept. */
static void other_files_stay(void **unused)
{
    (void)unused;
    static const char *const names[] = {"notes.txt",
                                        "0123456789abcdef0123456789abcdef0",
                                        "0123456789abcdef0123456789abcde",
                                        "0123456789ABCDEF0123456789ABCDEF",
                                        "0123456789abcdef0123456789abcdef.old",
                                        "0123456789abcdef0123456789abcdef.0123456789abcdef.new"};
    enum { NAMES = sizeof names / sizeof *names };
    static char large[1000001];
    char path[400];
    unsigned unfinished;
    for (int i = 0; i < NAMES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        assert_int_equal(fwrite(large, 1, 400000, f), 400000);
        fclose(f);
    }
    age("", 5000);
    age(".new", 100); /* somebody may still write it */
    keep(1);
    assert_int_equal(find(1), 1);
    const struct cache_key key = key_of(99);
    memset(large, 'x', sizeof large);
    cache_keep(&key, large, sizeof large, "");
    assert_int_equal(find(1), 1);
    for (int i = 0; i < NAMES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(access(path, F_OK), 0);
    }
    age(".new", 4000); /* nobody does any more */
    keep(2);
    look(&unfinished);
    assert_int_equal(unfinished, 0);
    assert_int_equal(access(path, F_OK), -1);
}

/* A process keeps and finds at random; it ends with 0 if all that it has found was right. */
static pid_t worker(unsigned seed, int rounds)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child)
        return child;
    for (int i = 0; rounds < 0 || i < rounds; i++) {
        const unsigned number = (unsigned)rand_r(&seed) % KEYS;
        if (rand_r(&seed) % 2)
            keep(number);
        if (find(number) < 0)
            _exit(1);
    }
    _exit(0);
}

static void processes_at_once(void **unused)
{
    (void)unused;
    unsigned unfinished;
    pid_t children[PROCESSES];
    int status;
    for (unsigned i = 0; i < PROCESSES; i++)
        children[i] = worker(i + 1, ROUNDS);
    for (unsigned i = 0; i < PROCESSES; i++) {
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    keep(0);
    assert_in_range(look(&unfinished), 1, 1000000);
    assert_int_equal(unfinished, 0);
}

static void killed_processes(void **unused)
{
    (void)unused;
    unsigned unfinished;
    int status;
    for (unsigned i = 0; i < 40; i++) {
        const pid_t child = worker(i + 1, -1);
        usleep(2000 + 500 * i);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        for (unsigned k = 0; k < KEYS; k++)
            assert_true(find(k) >= 0);
    }
    age(".new", 4000);
    keep(0);
    assert_in_range(look(&unfinished), 1, 1000000);
    assert_int_equal(unfinished, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_oldest_use_goes_first, begin),
        cmocka_unit_test_setup(other_files_stay, begin),
        cmocka_unit_test_setup(processes_at_once, begin),
        cmocka_unit_test_setup(killed_processes, begin),
    };
    if (!mkdtemp(folder))
        return perror(folder), 1;
    const int result = cmocka_run_group_tests_name("tb/ocl/cache_trim", tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) ? 1 : result;
}
