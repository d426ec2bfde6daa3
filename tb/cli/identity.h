/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/identity.h: which Heddle this is, and what it was asked to do. */
#ifndef HEDDLE_TB_CLI_IDENTITY_H
#define HEDDLE_TB_CLI_IDENTITY_H

#include "tb/cli/statistics.h"
#include "tb/notes.h"

/* Remembers the command in HEDDLE_COMMAND, in words that a shell reads, for the machine that it starts. */
void identity_remember(int argc, char **argv);

/* Adds the notes of this build, and the command. */
void identity_read(struct notes *);

/* `heddle --version`. Returns the exit status. */
int identity_print(void);

/* A line "FILE: heddle VERSION, commit COMMIT: COMMAND" of who made a statistics file; nothing of a file that does not say. */
void identity_of_statistics(const struct statistics *, const char *path);

#endif
