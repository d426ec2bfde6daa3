/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/trace_folder.h: folders for traces, and the kernels that are traced, trace_test.ptx, for tests. */
#ifndef HEDDLE_TESTS_TB_GPU_TRACE_FOLDER_H
#define HEDDLE_TESTS_TB_GPU_TRACE_FOLDER_H

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tb/gpu/bench.h"

static char program[16384]; /* trace_test.ptx */
static char directory[] = "/tmp/heddle-trace-XXXXXX";

static inline void remove_folder(const char *folder)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

/* A folder that is not there yet. */
static inline void folder_of(const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", directory, name);
    remove_folder(path);
}

/* What a file of a folder holds, to be freed. */
static inline char *text_of(const char *folder, const char *name)
{
    char path[256], *text = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(getdelim(&text, &room, '\0', file) > 0);
    fclose(file);
    return text;
}

/* Has the folder so many files? */
static inline void has_files(const char *folder, int count)
{
    char command[256];
    snprintf(command, sizeof command, "ls %s | wc -l | grep -qx %d", folder, count);
    assert_int_equal(system(command), 0);
}

/* Where a file can have `most` bytes, in a process of its own: is this so, of a folder? */
static inline void holds_within(rlim_t most, int (*is_so)(const char *folder, const void *context),
                                const void *context)
{
    const struct rlimit limit = {most, most};
    char folder[128];
    int status = -1;
    folder_of("small", folder);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        _exit(!is_so(folder, context));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* Reads the program, and makes the directory of all folders. Returns 0, or -1 with the reason on stderr. */
static inline int open_directory(void)
{
    FILE *file = fopen("tests/tb/gpu/trace_test.ptx", "r");
    if (!file || fread(program, 1, sizeof program - 1, file) == 0)
        return perror("tests/tb/gpu/trace_test.ptx"), -1;
    fclose(file);
    return mkdtemp(directory) ? 0 : (perror(directory), -1);
}

#endif
