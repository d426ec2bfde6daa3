/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/shell.c: see shell.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/tb/shell.h"

int shell(const char *command, char output[MAX_OUTPUT])
{
    char line[4096];
    const int length = snprintf(line, sizeof line,
                                "{ H=\"$HEDDLE_BUILD\" TMPDIR=$(mktemp -d); export TMPDIR; "
                                "trap '/bin/rm -rf \"$TMPDIR\"' EXIT; %s ; } 2>&1",
                                command);
    assert_in_range(length, 1, sizeof line - 1);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t size = fread(output, 1, MAX_OUTPUT - 1, pipe);
    output[size] = 0;
    if (size == MAX_OUTPUT - 1)
        fail_msg("%s\nsaid more than a test takes, %d bytes", command, MAX_OUTPUT);
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

void try_commands(const struct command *commands, size_t count)
{
    static char output[MAX_OUTPUT];
    for (size_t i = 0; i < count; i++) {
        int status = shell(commands[i].text, output);
        if (status != commands[i].status)
            fail_msg("%s\nstatus %d, expected %d\n%s", commands[i].text, status, commands[i].status,
                     output);
        if (commands[i].says && !strstr(output, commands[i].says))
            fail_msg("%s\nexpected '%s' in:\n%s", commands[i].text, commands[i].says, output);
    }
}
