/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/compile.c: runs clang without a shell and without temporary files: source, PTX and
 * messages are in anonymous memory files that become the child's standard input, output and error.
 * The device library (devlib.cl, compiled when Heddle was built) is linked in and everything is
 * inlined: the machine has no calls. */
#include "tb/ocl/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tb/ocl/machine.h"

extern char **environ;

static const char *const recipe[] = {
    "clang",
    "-x",
    "cl",
    "--target=nvptx64-nvidia-nvcl",
    "-Xclang",
    "-target-cpu",
    "-Xclang",
    "sm_70",
    "-cl-std=CL1.2",
    "-D__OPENCL_VERSION__=120",
    "-O2",
    "-fno-unroll-loops",
    "-ffp-contract=off",
    "-mllvm",
    "-inline-threshold=1000000",
    "-S",
    "-o",
    "-",
};
#define RECIPE_WORDS (sizeof recipe / sizeof recipe[0])

/* Diagnostics then name the program's own lines. */
static const char first_line[] = "#line 1 \"program.cl\"\n";

int compiler_available(void)
{
    const char *path = getenv("PATH");
    for (const char *from = path ? path : ""; *from;) {
        const char *to = strchrnul(from, ':');
        char file[PATH_MAX];
        const int length =
            snprintf(file, sizeof file, "%.*s/%s", (int)(to - from), from, recipe[0]);
        if (length < (int)sizeof file && access(file, X_OK) == 0)
            return 1;
        from = *to ? to + 1 : to;
    }
    return 0;
}

/* A file in memory, never one of the descriptors 0 to 2. Returns -1 on failure. */
static int memory_file(const char *name)
{
    const int low = memfd_create(name, MFD_CLOEXEC);
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
    return 0;
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

/* Runs `arguments` with the three files as standard input, output and error. Returns 0 if it exits
 * with status 0. */
static int run(char *const *arguments, const int files[3], FILE *log)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    int error = 0;
    for (int i = 0; i < 3 && error == 0; i++)
        error = posix_spawn_file_actions_adddup2(&actions, files[i], i);
    pid_t child;
    if (error == 0)
        error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        fprintf(log, "cannot run %s: %s\n", arguments[0], strerror(error));
        return -1;
    }
    int status;
    pid_t ended;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        ;
    if (ended < 0)
        return 0; /* the program ignores SIGCHLD: the status is lost, an empty output will tell */
    if (WIFSIGNALED(status))
        fprintf(log, "%s was ended by signal %d\n", arguments[0], WTERMSIG(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

/* The recipe, the device library, the program's options, its working directory for #include, and
 * the input. */
static char **make_arguments(char *const *options, char *library)
{
    size_t count = 0;
    while (options[count])
        count++;
    char **arguments = calloc(RECIPE_WORDS + count + 8, sizeof *arguments);
    if (!arguments)
        return NULL;
    char **end = arguments;
    for (size_t i = 0; i < RECIPE_WORDS; i++)
        *end++ = (char *)recipe[i];
    char *const link[] = {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", library};
    for (size_t i = 0; i < sizeof link / sizeof link[0]; i++)
        *end++ = link[i];
    for (size_t i = 0; i < count; i++)
        *end++ = options[i];
    *end++ = "-I.";
    *end++ = "-";
    return arguments;
}

static char *compile_files(const char *source, char *const *arguments, const int files[3],
                           size_t *bytes, FILE *log)
{
    if (write_all(files[0], first_line, strlen(first_line)) < 0 ||
        write_all(files[0], source, strlen(source)) < 0 || lseek(files[0], 0, SEEK_SET) < 0) {
        fprintf(log, "no memory for the source\n");
        return NULL;
    }
    const int failed = run(arguments, files, log);
    size_t message_bytes;
    char *messages = read_all(files[2], &message_bytes);
    if (messages)
        fputs(messages, log);
    free(messages);
    char *ptx = failed ? NULL : read_all(files[1], bytes);
    if (ptx && *bytes == 0) {
        free(ptx);
        return NULL;
    }
    return ptx;
}

char *compile(const char *source, char *const *options, size_t *bytes, FILE *log)
{
    char *ptx = NULL;
    char *library = machine_file("devlib.bc");
    char **arguments = library ? make_arguments(options, library) : NULL;
    const int files[3] = {memory_file("source"), memory_file("ptx"), memory_file("messages")};
    if (!arguments || files[0] < 0 || files[1] < 0 || files[2] < 0)
        fprintf(log, "no memory for the compiler\n");
    else if (access(library, R_OK) != 0)
        fprintf(log, "the device library is missing: %s\n", library);
    else
        ptx = compile_files(source, arguments, files, bytes, log);
    for (int i = 0; i < 3; i++)
        if (files[i] >= 0)
            close(files[i]);
    free(arguments);
    free(library);
    return ptx;
}
