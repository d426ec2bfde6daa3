/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/captures.h: the captures of programs that run beside others. They stay beside the results: each is made once for a program,
 * its size, its arguments and a configuration, whatever the policy, and again where one of these has been built anew. */
#ifndef HEDDLE_TB_CLI_SWEEP_CAPTURES_H
#define HEDDLE_TB_CLI_SWEEP_CAPTURES_H

#include "tb/cli/sweep/command.h"

/* Finds or makes, in a folder, the captures of a point that replays them, and puts their paths into files->captures. Tasks that
 * need the same one wait for who makes it. Returns 0, or how the program that was to be captured has ended, as command_wait() does; -2
 * also where the folder cannot be used. */
int captures_ready(const struct point *, const char *folder, struct task_files *files, int timeout);

#endif
