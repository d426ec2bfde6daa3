/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/build.h: a program's way from its source or PTX to an executable. */
#ifndef HEDDLE_TB_OCL_BUILD_H
#define HEDDLE_TB_OCL_BUILD_H

#include "tb/ocl/object.h"

/* Builds the program, with the API's mutex held at begin and end and free while the compiler runs.
 * Returns CL_SUCCESS or why not, in the words of clBuildProgram; status, options and log are in the
 * program. */
cl_int build(cl_program, const char *options);

/* Takes the executable away: module variables and decoded kernels. */
void build_discard(cl_program);

#endif
