/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/spawn.c: without a shell and without temporary files: anonymous memory files become the
 * child's standard input, output and error, so that nothing can block and nothing is left over. */
#include "tb/ocl/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { INPUT, OUTPUT, ERROR, NUM_FILES };

int spawn_available(const char *program)
{
    const char *path = getenv("PATH");
    for (const char *from = path ? path : ""; *from;) {
        const char *to = strchrnul(from, ':');
        char file[PATH_MAX];
        const int length = snprintf(file, sizeof file, "%.*s/%s", (int)(to - from), from, program);
        if (length < (int)sizeof file && access(file, X_OK) == 0)
            return 1;
        from = *to ? to + 1 : to;
    }
    return 0;
}

/* A file in memory, never one of the descriptors 0 to 2. Returns -1 on failure. */
static int memory_file(void)
{
    const int low = memfd_create("heddle", MFD_CLOEXEC);
    if (low < 0 || low > STDERR_FILENO)
        return low;
    const int high = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(low);
    return high;
}

static int write_all(int fd, const char *text, size_t bytes)
{
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
static int start(pid_t *child, char *const *arguments, const int files[NUM_FILES])
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    for (int i = 0; i < NUM_FILES && error == 0; i++)
        error = posix_spawn_file_actions_adddup2(&actions, files[i], i);
    if (error == 0)
        error = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Runs the child to its end. Returns 0 if it exits with status 0. */
static int run(char *const *arguments, const int files[NUM_FILES], FILE *log)
{
    pid_t child, ended;
    int status;
    const int error = start(&child, arguments, files);
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

static char *run_with(char *const *arguments, const char *input, const int files[NUM_FILES],
                      size_t *bytes, FILE *log)
{
    size_t message_bytes;
    if (write_all(files[INPUT], input, strlen(input)) < 0) {
        fprintf(log, "no memory for the input of %s\n", arguments[0]);
        return NULL;
    }
    const int failed = run(arguments, files, log);
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

char *spawn(char *const *arguments, const char *input, size_t *bytes, FILE *log)
{
    char *output = NULL;
    const int files[NUM_FILES] = {memory_file(), memory_file(), memory_file()};
    if (files[INPUT] < 0 || files[OUTPUT] < 0 || files[ERROR] < 0)
        fprintf(log, "no memory files for %s: %s\n", arguments[0], strerror(errno));
    else
        output = run_with(arguments, input, files, bytes, log);
    for (int i = 0; i < NUM_FILES; i++)
        if (files[i] >= 0)
            close(files[i]);
    return output;
}
