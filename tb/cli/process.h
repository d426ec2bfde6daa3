/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/process.h: starting an OpenCL program so that it finds the machine. */
#ifndef HEDDLE_TB_CLI_PROCESS_H
#define HEDDLE_TB_CLI_PROCESS_H

#define MAX_SETTINGS 256

/* What the machine is told, through the environment (tb/ocl/machine.c). NULL: its default. */
struct machine_options {
    const char *kept; /* file for the statistics of each kernel (tb/gpu/kept.h) */
    const char *config_file, *stats, *wave, *trace, *profile;
    const char *capture;                /* file for the launches */
    const char *timeline;               /* FILE[:FROM-TO] for what an SM does; */
    int timeline_sm, timeline_mb;       /* which, and the file's limit; 0: the default */
    const char *locality;               /* file for what blocks read; bytes of a unit; */
    int locality_unit, locality_check;  /* whether it is checked */
    int progress;                       /* of kernels is told, though there is no terminal */
    const char *fail;                   /* folder for what explains a run that failed */
    const char *settings[MAX_SETTINGS]; /* section.key=value */
    int num_settings;
};

void machine_environment(const struct machine_options *);

/* Runs the NULL-terminated `program` and waits; `quiet` drops what it prints. Signals that are sent to this process alone, and
 * not by the terminal to both, are handed on: whether the program ends decides. Returns its exit status as a shell would (128 +
 * signal), or EXIT_USAGE with a message where it cannot be started. *ended is what waitpid says, and may be NULL.
 */
int machine_run(char *const *program, int quiet, int *ended);

#endif
