/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/file_test.c: a file is whole or as it was, whatever stands in its place, and nothing is
 * left beside it. */
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/file.h"

#define NOBODY 65534

static char folder[] = "/tmp/heddle-file-XXXXXX";
static char *said; /* by the last failure */

/* The names of temporaries are known here, so that one can be planted: they count. */
static uint64_t salt;
int getentropy(void *buffer, size_t length)
{
    memcpy(buffer, &salt, length);
    salt++;
    return 0;
}

static int enter(void **unused)
{
    (void)unused;
    return mkdtemp(folder) && chdir(folder) == 0 && chmod(folder, 0777) == 0 ? 0 : -1;
}

static int leave(void **unused)
{
    (void)unused;
    char command[64];
    free(said);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void expect_text(const char *path, const char *text)
{
    char found[64] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    found[fread(found, 1, sizeof found - 1, f)] = 0;
    fclose(f);
    assert_string_equal(found, text);
}

static void expect_nothing_beside(void)
{
    assert_int_not_equal(system("ls | grep -q '\\.new$'"), 0);
}

static int mode_of(const char *path)
{
    struct stat there;
    assert_int_equal(lstat(path, &there), 0);
    return (int)(there.st_mode & 0777);
}

/* Each returns 0 or -1; the reason is in `said`. */
static int write_file(const char *path, const char *text)
{
    size_t size;
    free(said);
    FILE *err = open_memstream(&said, &size);
    struct file *f = file_create(path, err);
    if (f)
        fputs(text, file_stream(f));
    const int status = f ? file_commit(f, err) : -1;
    fclose(err);
    return status;
}

static int check_file(const char *path)
{
    size_t size;
    free(said);
    FILE *err = open_memstream(&said, &size);
    const int status = file_check(path, err);
    fclose(err);
    return status;
}

static void expect_refused(const char *path, const char *why)
{
    char text[128];
    snprintf(text, sizeof text, "%s: cannot be written: %s\n", path, why);
    assert_int_equal(check_file(path), -1);
    assert_string_equal(said, text);
    assert_int_equal(write_file(path, "x"), -1);
    assert_string_equal(said, text);
    expect_nothing_beside();
}

static void whole_or_as_it_was(void **unused)
{
    (void)unused;
    struct file *f = file_create("a", stderr);
    fputs("new", file_stream(f));
    fflush(file_stream(f));
    assert_int_not_equal(access("a", F_OK), 0);
    assert_int_equal(file_commit(f, stderr), 0);
    expect_text("a", "new");
    f = file_create("a", stderr);
    fputs("half", file_stream(f));
    fflush(file_stream(f));
    expect_text("a", "new");
    file_discard(f);
    expect_text("a", "new");
    file_discard(NULL);
    assert_int_equal(check_file("a") | check_file("b"), 0);
    expect_text("a", "new");
    assert_int_not_equal(access("b", F_OK), 0);
    expect_nothing_beside();
}

/* Two at once do not meet; the one that ends last stays. */
static void two_at_once(void **unused)
{
    (void)unused;
    struct file *first = file_create("two", stderr), *second = file_create("two", stderr);
    fputs("first", file_stream(first));
    fputs("second", file_stream(second));
    assert_int_equal(file_commit(second, stderr) | file_commit(first, stderr), 0);
    expect_text("two", "first");
    expect_nothing_beside();
}

static void permissions_stay(void **unused)
{
    (void)unused;
    const mode_t before = umask(027);
    assert_int_equal(write_file("new", ""), 0);
    assert_int_equal(mode_of("new"), 0640);
    assert_int_equal(chmod("new", 0604), 0);
    assert_int_equal(write_file("new", "x"), 0);
    assert_int_equal(mode_of("new"), 0604);
    umask(before);
}

static void owners_stay(void **unused)
{
    (void)unused;
    struct stat there;
    if (geteuid())
        skip();
    put("theirs", "");
    assert_int_equal(chown("theirs", NOBODY, NOBODY), 0);
    assert_int_equal(write_file("theirs", "x") | stat("theirs", &there), 0);
    assert_int_equal(there.st_uid, NOBODY);
}

static void links_are_followed(void **unused)
{
    (void)unused;
    struct stat there;
    assert_int_equal(
        mkdir("far", 0777) | symlink("far/near", "link") | symlink("target", "far/near"), 0);
    put("far/target", "old");
    assert_int_equal(chmod("far/target", 0600), 0);
    assert_int_equal(write_file("link", "through"), 0);
    expect_text("far/target", "through");
    assert_int_equal(mode_of("far/target"), 0600);
    assert_int_equal(lstat("link", &there) || !S_ISLNK(there.st_mode), 0);
    assert_int_equal(system("[ \"$(ls far)\" = \"$(printf 'near\\ntarget')\" ]"), 0);
    assert_int_equal(symlink("nothing", "dangling") | symlink("loop", "loop"), 0);
    expect_refused("dangling", "Link has been severed");
    expect_refused("loop", "Too many levels of symbolic links");
}

/* Someone who guesses the name of the temporary plants a link there. */
static void planted_links_are_not(void **unused)
{
    (void)unused;
    char name[64];
    put("victim", "mine");
    salt = 5;
    snprintf(name, sizeof name, "trap.%016" PRIx64 ".new", salt);
    assert_int_equal(symlink("victim", name), 0);
    assert_int_equal(write_file("trap", "x"), 0);
    assert_int_equal(salt, 7); /* the second name was free */
    expect_text("trap", "x");
    expect_text("victim", "mine");
    assert_int_equal(unlink(name), 0);
}

static void pipes_are_written(void **unused)
{
    (void)unused;
    int status;
    struct stat there;
    assert_int_equal(mkfifo("pipe", 0666), 0);
    assert_int_equal(check_file("pipe"), 0); /* and does not wait for a reader */
    const pid_t reader = fork();
    if (reader == 0) {
        alarm(20);
        char text[16] = "";
        const int from = open("pipe", O_RDONLY);
        _exit(from >= 0 && read(from, text, sizeof text - 1) == 5 && !strcmp(text, "hello") ? 0
                                                                                            : 1);
    }
    assert_int_equal(write_file("pipe", "hello"), 0);
    assert_int_equal(waitpid(reader, &status, 0), reader);
    assert_int_equal(status, 0);
    assert_int_equal(stat("pipe", &there) || !S_ISFIFO(there.st_mode), 0);
    expect_nothing_beside();
}

/* A device of this folder: who is root would lose that of the machine, if this did not work. */
static const char *device(const char *name, const char *real, unsigned minor)
{
    if (geteuid())
        return real;
    if (mknod(name, S_IFCHR | 0666, makedev(1, minor)) || access(name, W_OK))
        return NULL;
    const int fd = open(name, O_WRONLY);
    if (fd < 0)
        return NULL; /* this file system allows no devices */
    close(fd);
    return name;
}

static void devices_are_written(void **unused)
{
    (void)unused;
    struct stat there;
    const char *null = device("null", "/dev/null", 3), *full = device("full", "/dev/full", 7);
    if (!null || !full)
        skip();
    assert_int_equal(check_file(null) | write_file(null, "x"), 0);
    assert_int_equal(stat(null, &there) || !S_ISCHR(there.st_mode), 0);
    assert_int_equal(write_file(full, "x"), -1);
    assert_non_null(strstr(said, "full: cannot be written: No space left on device\n"));
    assert_int_equal(stat(full, &there) || !S_ISCHR(there.st_mode), 0);
    expect_nothing_beside();
}

static void what_cannot_be_written(void **unused)
{
    (void)unused;
    char name[300] = "";
    assert_int_equal(mkdir("folder", 0777), 0);
    put("text", "");
    memset(name, 'n', 260);
    expect_refused("folder", "Is a directory");
    expect_refused("folder/", "Is a directory");
    expect_refused("nowhere/x", "No such file or directory");
    expect_refused("text/x", "Not a directory");
    expect_refused("", "No such file or directory");
    assert_int_equal(write_file(name, "x"), -1);
    assert_non_null(strstr(said, "File name too long"));
}

/* What root may do is no test. */
static void without_permission(void **unused)
{
    (void)unused;
    assert_int_equal(mkdir("closed", 0555), 0);
    put("closed/x", "old");
    put("readonly", "old");
    assert_int_equal(chmod("readonly", 0444) | chmod("closed/x", 0666), 0);
    const int root = geteuid() == 0;
    if (root)
        assert_int_equal(seteuid(NOBODY), 0);
    expect_refused("readonly", "Permission denied");
    expect_refused("closed/x", "Permission denied");
    expect_refused("closed/y", "Permission denied");
    if (root)
        assert_int_equal(seteuid(0), 0);
    expect_text("closed/x", "old");
    expect_text("readonly", "old");
}

/* The place is taken while the file is written. */
static void too_late(void **unused)
{
    (void)unused;
    size_t size;
    free(said);
    FILE *err = open_memstream(&said, &size);
    struct file *f = file_create("late", err);
    assert_non_null(f);
    assert_int_equal(mkdir("late", 0777), 0);
    assert_int_equal(file_commit(f, err), -1);
    fclose(err);
    assert_string_equal(said, "late: cannot be written: Is a directory\n");
    expect_nothing_beside();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_or_as_it_was),
        cmocka_unit_test(two_at_once),
        cmocka_unit_test(permissions_stay),
        cmocka_unit_test(owners_stay),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(planted_links_are_not),
        cmocka_unit_test(pipes_are_written),
        cmocka_unit_test(devices_are_written),
        cmocka_unit_test(what_cannot_be_written),
        cmocka_unit_test(without_permission),
        cmocka_unit_test(too_late),
    };
    return cmocka_run_group_tests_name("tb/file", tests, enter, leave);
}
