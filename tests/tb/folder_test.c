/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/folder_test.c: folders that are made with those above them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <errno.h>

#include "tb/folder.h"

static char root[] = "/tmp/heddle-folder-XXXXXX";

static void folders(void **unused)
{
    (void)unused;
    static const struct {
        const char *path;
        int error; /* 0: it is there afterwards */
    } cases[] = {
        {"a", 0},
        {"a", 0},
        {"b/c/d", 0},
        {"b/c/e/", 0},
        {".//f///g", 0},
        {"..", 0},
        {"/", 0},
        {"//tmp", 0},
        {"", ENOENT},
        {"file", ENOTDIR},
        {"file/h", ENOTDIR},
        {"/proc/none/i", ENOENT},
        {"link/j", 0},
        {"nowhere/k", ENOENT},
    };
    assert_non_null(mkdtemp(root));
    assert_int_equal(chdir(root), 0);
    assert_int_equal(fclose(fopen("file", "w")), 0);
    assert_int_equal(symlink("a", "link") | symlink("none", "nowhere"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct stat found;
        errno = 0;
        const int failed = folder_make(cases[i].path);
        if (failed != (cases[i].error ? -1 : 0) || (failed && errno != cases[i].error))
            fail_msg("'%s': %d, error %d; expected error %d", cases[i].path, failed, errno,
                     cases[i].error);
        if (!failed && (stat(cases[i].path, &found) || !S_ISDIR(found.st_mode)))
            fail_msg("'%s' is not there", cases[i].path);
    }
    assert_int_equal(access("a/j", F_OK), 0);
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(chdir("/") | system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(folders)};
    return cmocka_run_group_tests_name("tb/folder", tests, NULL, NULL);
}
