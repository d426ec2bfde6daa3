/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/cli.h: what the parts of the `heddle` command share. Exit status: 0 fine, 2 usage or
 * configuration error, 3 a lockstep mismatch, else that of the program that was run. */
#ifndef HEDDLE_TB_CLI_CLI_H
#define HEDDLE_TB_CLI_CLI_H

#include <stdio.h>

#include "tb/config.h"

enum { EXIT_USAGE = 2, EXIT_MISMATCH = 3 };

/* Each gets argv from its own name on: argv[0] is "heddle run". Returns the exit status. */
int command_run(int argc, char **argv);
int command_replay(int argc, char **argv);
int command_list(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_report(int argc, char **argv);
int command_trace(int argc, char **argv);
int command_profile(int argc, char **argv);
int command_locality(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_map(int argc, char **argv);
int command_train(int argc, char **argv);
int command_search(int argc, char **argv);
int command_claims(int argc, char **argv);
int command_model(int argc, char **argv);

/* A command of `heddle`, or a part of one. */
struct subcommand {
    const char *name, *what;
    int (*run)(int argc, char **argv);
};

/* The lines of a usage message. */
void commands_print(const struct subcommand *, size_t count, FILE *);

/* Runs the one that argv[1] names; argv[0] is what is above it, "heddle". Returns its exit status, or -1: there is none of that name. */
int commands_run(const struct subcommand *, size_t count, int argc, char **argv);

/* A file of the build this command belongs to: "libheddle.so", "workloads". The result lives until
 * the next call with the same `slot` (0..7). Exits with a message where the command's own place
 * cannot be found. */
const char *build_path(int slot, const char *name);

/* Checks the values of [run] that are names of a contract: sched, backend. Returns 0, or -1 with
 * the reason on `err`. */
int check_run_words(const struct config *c, FILE *err);

/* Are the policies for several kernels at once? Returns 0, or -1 with the reason on `err`. */
int check_several(const struct config *c, FILE *err);

/* Whether this is a policy of warps that needs no file. */
int stands_alone(const char *sched);

/* Prints a word so that a shell reads it back unchanged. */
void print_shell_word(const char *word, FILE *);

#endif
