/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/profile.h: what each load does, from the file that `heddle run --profile` wrote. */
#ifndef HEDDLE_TB_CLI_PROFILE_H
#define HEDDLE_TB_CLI_PROFILE_H

/* A load, or all of a kernel. */
struct profile_row {
    char kernel[48], text[48];
    double pc, loop; /* loop: from 1, or 0 */
#define COUNTER(name, meaning) double name;
#include "tb/profile/profile.def"
};

/* Draws what became of the rows' accesses as stacked bars into a .png or .svg file. Returns 0, or -1
 * with the reason on stderr. */
int profile_picture(const struct profile_row *rows, int count, const char *path);

#endif
