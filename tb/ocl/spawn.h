/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/spawn.h: runs a program with text as its input and takes its output. */
#ifndef HEDDLE_TB_OCL_SPAWN_H
#define HEDDLE_TB_OCL_SPAWN_H

#include <limits.h>
#include <stddef.h>
#include <stdio.h>

/* Where on PATH a program is. Returns whether it is there. */
int spawn_where(const char *program, char file[PATH_MAX]);

/* What else it can read: file i is /dev/fd/<SPAWN_FIRST_FILE + i>. */
struct spawn_file {
    const void *bytes;
    size_t size;
};
#define SPAWN_FIRST_FILE 3

/* Runs arguments[0], found on PATH, with `input` as its standard input. Its standard error goes to
 * `log`, as does what keeps it from running. Returns its standard output, malloc'ed, of *bytes and
 * a 0 behind them; NULL: it failed, or wrote nothing. */
char *spawn(char *const *arguments, const char *input, const struct spawn_file *files,
            size_t num_files, size_t *bytes, FILE *log);

#endif
