/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/micro.h: what the micro-benchmarks share: the configuration of this build, and the
 * kernels of micro.ptx. */
#ifndef HEDDLE_TESTS_TB_GPU_MICRO_H
#define HEDDLE_TESTS_TB_GPU_MICRO_H

#include <stdlib.h>

#include "tests/tb/gpu/bench.h"

static struct config c;   /* the build's */
static char loops[16384]; /* micro.ptx */

/* Reads both. Returns 0, or -1 with the reason on stderr. */
static inline int micro_open(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/" CONFIG_NAME ".ini", getenv("HEDDLE_BUILD"));
    FILE *file = fopen("tests/tb/gpu/micro.ptx", "r");
    if (!file || fread(loops, 1, sizeof loops - 1, file) == 0)
        return perror("tests/tb/gpu/micro.ptx"), -1;
    fclose(file);
    if (config_read(&c, path, stderr) || config_check(&c, stderr))
        return -1;
    strcpy(c.run_sched, "lrr"); /* all warps alike: the policy is not what is measured */
    return 0;
}

#endif
