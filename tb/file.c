/* SPDX-License-Identifier: Apache-2.0 */
/* tb/file.c: see file.h. */
#include "tb/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    char *path;   /* as it was named */
    char *place;  /* what is written in the end, without links */
    char *beside; /* what is written until then; NULL: the place itself */
    FILE *stream;
};

static void refuse(const char *path, const char *why, FILE *err)
{
    fprintf(err, "%s: cannot be written: %s\n", path, why);
}

static void release(struct file *f)
{
    free(f->path);
    free(f->place);
    free(f->beside);
    free(f);
}

/* What stands at the path: mode 0 where nothing does. Returns 0, or -1 with errno set. */
static int look(const char *path, struct stat *there)
{
    if (!stat(path, there))
        return 0;
    struct stat link;
    *there = (struct stat){0};
    if (errno != ENOENT || !*path)
        return -1;
    if (lstat(path, &link))
        return 0;
    errno = ENOLINK; /* the link is there, and nothing behind it */
    return -1;
}

static int is_replaced(const struct stat *there)
{
    return !there->st_mode || S_ISREG(there->st_mode);
}

/* Opens a file beside the place that did not exist, which a planted link does. */
static int open_beside(struct file *f)
{
    for (;;) {
        uint64_t salt;
        if (getentropy(&salt, sizeof salt) ||
            asprintf(&f->beside, "%s.%016" PRIx64 ".new", f->place, salt) < 0) {
            f->beside = NULL;
            return -1;
        }
        const int fd = open(f->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            return fd;
        const int why = errno;
        free(f->beside);
        f->beside = NULL;
        errno = why;
        if (why != EEXIST)
            return -1;
    }
}

/* A new file has what umask leaves. Only root may give a file away: elsewhere, or where the file
 * system has no owners, it belongs to whoever writes it. */
static int keep_permissions(int fd, const struct stat *there)
{
    if (!there->st_mode)
        return 0;
    const int given = fchown(fd, there->st_uid, there->st_gid);
    (void)given;
    return fchmod(fd, there->st_mode & 0777);
}

static int open_replacement(struct file *f, const struct stat *there)
{
    if (there->st_mode && faccessat(AT_FDCWD, f->path, W_OK, AT_EACCESS))
        return -1;
    f->place = there->st_mode ? realpath(f->path, NULL) : strdup(f->path);
    const int fd = f->place ? open_beside(f) : -1;
    if (fd >= 0 && keep_permissions(fd, there)) {
        const int why = errno;
        unlink(f->beside);
        close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

static int open_in_place(struct file *f)
{
    f->place = strdup(f->path);
    return f->place ? open(f->place, O_WRONLY | O_CLOEXEC | O_NOCTTY) : -1;
}

struct file *file_create(const char *path, FILE *err)
{
    struct stat there;
    struct file *f = calloc(1, sizeof *f);
    int fd = -1;
    if (f && (f->path = strdup(path)) && !look(path, &there)) {
        if (is_replaced(&there))
            fd = open_replacement(f, &there);
        else if (S_ISDIR(there.st_mode))
            errno = EISDIR;
        else
            fd = open_in_place(f);
    }
    if (fd >= 0 && (f->stream = fdopen(fd, "w")))
        return f;
    refuse(path, strerror(errno), err);
    if (fd >= 0) {
        close(fd);
        if (f->beside)
            unlink(f->beside);
    }
    if (f)
        release(f);
    return NULL;
}

FILE *file_stream(struct file *f)
{
    return f->stream;
}

int file_commit(struct file *f, FILE *err)
{
    errno = 0;
    int failed = ferror(f->stream) | fflush(f->stream);
    if (!failed && f->beside)
        failed = fsync(fileno(f->stream));
    int why = errno;
    if (fclose(f->stream) && !failed) {
        failed = -1;
        why = errno;
    }
    if (!failed && f->beside && rename(f->beside, f->place)) {
        failed = -1;
        why = errno;
    }
    if (failed) {
        refuse(f->path, why ? strerror(why) : "an earlier write failed", err);
        if (f->beside)
            unlink(f->beside);
    }
    release(f);
    return failed ? -1 : 0;
}

void file_discard(struct file *f)
{
    if (!f)
        return;
    fclose(f->stream);
    if (f->beside)
        unlink(f->beside);
    release(f);
}

int file_check(const char *path, FILE *err)
{
    struct stat there;
    if (!look(path, &there) && !is_replaced(&there) && !S_ISDIR(there.st_mode)) {
        /* To open a pipe would wait for its reader, and end what it reads. */
        if (!faccessat(AT_FDCWD, path, W_OK, AT_EACCESS))
            return 0;
        refuse(path, strerror(errno), err);
        return -1;
    }
    struct file *f = file_create(path, err);
    const int status = f ? 0 : -1;
    file_discard(f);
    return status;
}
