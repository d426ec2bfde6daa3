/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/captures.c: see captures.h. A capture is <folder>/<config>.<program>[.<size>][.<hash of its arguments>]/<build>.capture.
 * It takes its place when the program that was captured has ended well. */
#include "tb/cli/sweep/captures.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tb/cli/sweep/folder.h"
#include "tb/cli/sweep/sweep.h"

static int tell(const char *path)
{
    fprintf(stderr, "heddle sweep: %s: %s\n", path, strerror(errno));
    return -2;
}

/* Opens a folder, which is made, for this task alone: whoever else does so waits. Returns the lock, or -2. */
static int lock_folder(const char *path)
{
    const int lock =
        !mkdir(path, 0777) || errno == EEXIST ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (lock >= 0 && !flock(lock, LOCK_EX))
        return lock;
    const int status = tell(path);
    if (lock >= 0)
        close(lock);
    return status;
}

/* Captures the program as `file`, in a folder that is locked: what else there is, is of another build, or was left half way. */
static int make(const struct point *p, const struct member *m, const char *folder, const char *file,
                const struct task_files *files, int timeout)
{
    struct command command = {0};
    char *beside = text_of("%s.new", file);
    folder_empty(folder);
    command_capture(&command, p, m, beside);
    int status = command_wait(&command, files->log, timeout);
    if (!status && rename(beside, file))
        status = tell(file);
    if (status)
        unlink(beside);
    free(beside);
    return status;
}

static int ready(const struct point *p, const struct member *m, const char *folder, char **file,
                 const struct task_files *files, int timeout)
{
    const struct point alone = {.config = p->config, .workload = m->name};
    char build[HASH_TEXT], args[HASH_TEXT] = "";
    if (build_hash(&alone, build))
        return -2;
    if (*m->args)
        args_hash(m->args, args);
    char *own = text_of("%s/%s.%s%s%s%s%s", folder, p->config, m->name, *p->size ? "." : "",
                        p->size, *args ? "." : "", args);
    *file = text_of("%s/%s.capture", own, build);
    const int lock = lock_folder(own);
    const int status = lock < 0               ? lock
                       : !access(*file, R_OK) ? 0
                                              : make(p, m, own, *file, files, timeout);
    if (lock >= 0)
        close(lock);
    free(own);
    return status;
}

int captures_ready(const struct point *p, const char *folder, struct task_files *files, int timeout)
{
    struct arena memory = {0};
    struct member members[MAX_MEMBERS];
    const int count = point_members(p, members, &memory);
    int status = 0;
    for (int i = 0; i < count && !status; i++)
        if (is_capture(members[i].name))
            files->captures[i] = text_of("%s", members[i].name);
        else if (mkdir(folder, 0777) && errno != EEXIST)
            status = tell(folder);
        else
            status = ready(p, &members[i], folder, &files->captures[i], files, timeout);
    arena_free(&memory);
    return status;
}
