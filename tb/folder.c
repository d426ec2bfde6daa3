/* SPDX-License-Identifier: Apache-2.0 */
/* tb/folder.c: see folder.h. */
#include "tb/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int make_one(const char *path)
{
    struct stat found;
    if (!mkdir(path, 0777))
        return 0;
    if (errno != EEXIST || stat(path, &found))
        return -1;
    errno = S_ISDIR(found.st_mode) ? 0 : ENOTDIR;
    return errno ? -1 : 0;
}

int folder_make(const char *path)
{
    char *copy = strdup(path);
    int failed = copy ? 0 : -1;
    for (char *slash = copy; !failed && *slash && (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        failed = make_one(copy);
        *slash = '/';
    }
    if (!failed)
        failed = make_one(path);
    free(copy);
    return failed;
}

FILE *folder_file(const char *folder, const char *name, char **path)
{
    *path = NULL;
    if (asprintf(path, "%s/%s", folder, name) < 0)
        return NULL;
    return folder_make(folder) ? NULL : fopen(*path, "w");
}
