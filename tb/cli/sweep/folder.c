/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/folder.c: see folder.h. */
#include "tb/cli/sweep/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tb/cli/sweep/memory.h"
#include "tb/cli/sweep/outcome.h"

int folder_lock(const char *folder)
{
    int lock = -1;
    if (!mkdir(folder, 0777) || errno == EEXIST)
        lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock;
    fprintf(stderr, "heddle sweep: %s: %s\n", folder,
            lock >= 0 && errno == EWOULDBLOCK ? "another sweep is running with these results"
                                              : strerror(errno));
    if (lock >= 0)
        close(lock);
    return -1;
}

int folder_has(const char *folder, int number)
{
    char *path = task_file(folder, number, ".json");
    const int has = access(path, F_OK) == 0;
    free(path);
    return has;
}

int folder_job(const char *folder)
{
    char *path = text_of("%s/" FOLDER_JOB, folder);
    const int there = access(path, F_OK) == 0;
    free(path);
    return there;
}

void folder_empty(const char *folder)
{
    DIR *directory = opendir(folder);
    for (struct dirent *e; directory && (e = readdir(directory));)
        unlinkat(dirfd(directory), e->d_name, 0);
    if (directory)
        closedir(directory);
}

void folder_clear(const char *folder)
{
    folder_empty(folder);
    rmdir(folder);
}

/* Is it the name of a file that a task makes, be it whole or not yet? */
static int of_task(const char *name)
{
    static const char *const endings[] = {
        ".json",          ".json.*.new", ".stats",       ".stats.*.new", ".profile",
        ".profile.*.new", ".other",      ".other.*.new", ".log",         ".task",
    };
    const char *rest = name + strspn(name, "0123456789");
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (rest > name && !fnmatch(endings[i], rest, 0))
            return 1;
    return 0;
}

void folder_unlock(const char *folder, int lock)
{
    DIR *directory = folder_job(folder) ? NULL : opendir(folder);
    for (struct dirent *e; directory && (e = readdir(directory));)
        if (of_task(e->d_name))
            unlinkat(dirfd(directory), e->d_name, 0);
        else if (strstr(e->d_name, ".fail"))
            unlinkat(dirfd(directory), e->d_name, AT_REMOVEDIR); /* where nothing is in it */
    if (directory)
        closedir(directory);
    rmdir(folder);
    close(lock);
}
