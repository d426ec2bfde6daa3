/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/shell.h: commands as a person types them, with their exit status and what they say.
 */
#ifndef HEDDLE_TESTS_TB_SHELL_H
#define HEDDLE_TESTS_TB_SHELL_H

#include <stddef.h>

#define MAX_OUTPUT (256 * 1024)

/* Runs a shell command with $H the build folder; what it makes with mktemp is removed. Returns its
 * status, both outputs in `output`. */
int shell(const char *command, char output[MAX_OUTPUT]);

struct command {
    const char *text;
    int status;
    const char *says; /* NULL: says nothing of interest */
};

void try_commands(const struct command *commands, size_t count);
#define TRY(commands) try_commands(commands, sizeof commands / sizeof commands[0])

#endif
