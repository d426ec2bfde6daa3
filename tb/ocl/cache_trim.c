/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/cache_trim.c: the folder of the cache within its limit. The time of a file's last use is the one of its last change, which
 * cache_find sets. Several processes may trim at once: each deletes what it has found oldest, and a file that is gone already
 * is as good as deleted. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tb/ocl/cache.h"

#define HASH_DIGITS 32   /* of a result's name */
#define WRITING     3600 /* seconds that nobody takes to write a file */

struct entry {
    struct timespec used;
    uint64_t bytes;
    char name[HASH_DIGITS + 1];
};

struct entries {
    struct entry *list;
    size_t count, room;
    uint64_t bytes;
};

static int earlier_first(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    if (a->used.tv_nsec != b->used.tv_nsec)
        return a->used.tv_nsec < b->used.tv_nsec ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* A result's, or that of a file that is to become one (tb/file.c). */
static int is_ours(const char *name, int *unfinished)
{
    const size_t digits = strspn(name, "0123456789abcdef"), length = strlen(name);
    *unfinished = length > 4 && strcmp(name + length - 4, ".new") == 0;
    return digits == HASH_DIGITS && (name[digits] == 0 || (name[digits] == '.' && *unfinished));
}

/* Returns 0, or -1: no memory. */
static int add(struct entries *all, const char *name, const struct stat *s)
{
    if (all->count == all->room) {
        const size_t room = all->room ? 2 * all->room : 256;
        struct entry *list = realloc(all->list, room * sizeof *list);
        if (!list)
            return -1;
        all->list = list;
        all->room = room;
    }
    struct entry *e = &all->list[all->count++];
    *e = (struct entry){.used = s->st_mtim, .bytes = (uint64_t)s->st_size};
    memcpy(e->name, name, sizeof e->name);
    all->bytes += e->bytes;
    return 0;
}

/* What is in the folder; files that somebody has given up are deleted. */
static void look(DIR *folder, struct entries *all)
{
    const time_t now = time(NULL);
    struct stat s;
    int unfinished, failed = 0;
    for (const struct dirent *e; !failed && (e = readdir(folder));) {
        if (!is_ours(e->d_name, &unfinished) ||
            fstatat(dirfd(folder), e->d_name, &s, AT_SYMLINK_NOFOLLOW) || !S_ISREG(s.st_mode))
            continue;
        if (!unfinished)
            failed = add(all, e->d_name, &s);
        else if (now - s.st_mtime > WRITING)
            unlinkat(dirfd(folder), e->d_name, 0);
    }
}

void cache_trim(const char *path, uint64_t most)
{
    struct entries all = {NULL, 0, 0, 0};
    DIR *folder = opendir(path);
    if (!folder)
        return;
    look(folder, &all);
    if (all.bytes > most)
        qsort(all.list, all.count, sizeof *all.list, earlier_first);
    for (size_t i = 0; i < all.count && all.bytes > most; i++) {
        unlinkat(dirfd(folder), all.list[i].name, 0);
        all.bytes -= all.list[i].bytes;
    }
    closedir(folder);
    free(all.list);
}
