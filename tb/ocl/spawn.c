/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/spawn.c: without a shell and without temporary files: anonymous memory files become the
 * child's standard input, output and error, so that nothing can block and nothing is left over. */
#include "tb/ocl/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { INPUT, OUTPUT, ERROR, NUM_FILES };

int spawn_where(const char *program, char file[PATH_MAX])
{
    const char *path = getenv("PATH");
    for (const char *from = path ? path : ""; *from;) {
        const char *to = strchrnul(from, ':');
        const int length = snprintf(file, PATH_MAX, "%.*s/%s", (int)(to - from), from, program);
        if (length < PATH_MAX && access(file, X_OK) == 0)
            return 1;
        from = *to ? to + 1 : to;
    }
    return 0;
}

/* A file in memory, whose descriptor is at least `least`. Returns -1 on failure. */
static int memory_file(int least)
{
    const int low = memfd_create("heddle", MFD_CLOEXEC);
    if (low < 0 || low >= least)
        return low;
    const int high = fcntl(low, F_DUPFD_CLOEXEC, least);
    close(low);
    return high;
}

static int write_all(int fd, const void *data, size_t bytes)
{
    const char *text = data;
    while (bytes) {
        const ssize_t written = write(fd, text, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return -1;
        text += written;
        bytes -= (size_t)written;
    }
    return lseek(fd, 0, SEEK_SET) < 0 ? -1 : 0;
}

/* The whole file with a 0 behind it, malloc'ed; NULL on failure. */
static char *read_all(int fd, size_t *bytes)
{
    const off_t end = lseek(fd, 0, SEEK_END);
    char *text = end < 0 ? NULL : malloc((size_t)end + 1);
    if (!text)
        return NULL;
    *bytes = 0;
    while (*bytes < (size_t)end) {
        const ssize_t got = pread(fd, text + *bytes, (size_t)end - *bytes, (off_t)*bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            free(text);
            return NULL;
        }
        *bytes += (size_t)got;
    }
    text[*bytes] = 0;
    return text;
}

/* Starts the child. Returns an error number. */
static int start(pid_t *child, char *const *arguments, const int *files, size_t num_files)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    for (size_t i = 0; i < num_files && error == 0; i++)
        error = posix_spawn_file_actions_adddup2(&actions, files[i], (int)i);
    if (error == 0)
        error = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Runs the child to its end. Returns 0 if it exits with status 0. */
static int run(char *const *arguments, const int *files, size_t num_files, FILE *log)
{
    pid_t child, ended;
    int status;
    const int error = start(&child, arguments, files, num_files);
    if (error != 0) {
        fprintf(log, "cannot run %s: %s\n", arguments[0], strerror(error));
        return -1;
    }
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        ;
    if (ended < 0)
        return 0; /* the program ignores SIGCHLD: the status is lost, an empty output will tell */
    if (WIFSIGNALED(status))
        fprintf(log, "%s was ended by signal %d\n", arguments[0], WTERMSIG(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

/* Runs it and takes what it has written. */
static char *run_for_output(char *const *arguments, const int *files, size_t num_files,
                            size_t *bytes, FILE *log)
{
    size_t message_bytes;
    const int failed = run(arguments, files, num_files, log);
    char *messages = read_all(files[ERROR], &message_bytes);
    if (messages)
        fputs(messages, log);
    free(messages);
    char *output = failed ? NULL : read_all(files[OUTPUT], bytes);
    if (output && *bytes == 0) {
        free(output);
        return NULL;
    }
    return output;
}

char *spawn(char *const *arguments, const char *input, const struct spawn_file *more,
            size_t num_more, size_t *bytes, FILE *log)
{
    const size_t count = NUM_FILES + num_more;
    int *files = malloc(count * sizeof *files);
    int ready = files != NULL;
    char *output = NULL;
    for (size_t i = 0; files && i < count; i++) {
        const struct spawn_file file = i == INPUT       ? (struct spawn_file){input, strlen(input)}
                                       : i >= NUM_FILES ? more[i - NUM_FILES]
                                                        : (struct spawn_file){NULL, 0};
        files[i] = memory_file((int)count);
        ready &= files[i] >= 0 && write_all(files[i], file.bytes, file.size) == 0;
    }
    if (ready)
        output = run_for_output(arguments, files, count, bytes, log);
    else
        fprintf(log, "no memory files for %s: %s\n", arguments[0], strerror(errno));
    for (size_t i = 0; files && i < count; i++)
        if (files[i] >= 0)
            close(files[i]);
    free(files);
    return output;
}
