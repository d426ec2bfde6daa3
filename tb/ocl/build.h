/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/build.h: a program's way from its source, its PTX or objects to an executable or an
 * object. */
#ifndef HEDDLE_TB_OCL_BUILD_H
#define HEDDLE_TB_OCL_BUILD_H

#include "tb/ocl/compile.h"
#include "tb/ocl/object.h"

/* What is done, in the words of the calls, and what they return when it fails. */
struct work {
    enum { WORK_BUILD, WORK_COMPILE, WORK_LINK } kind;
    cl_int failure, bad_options;
    const struct input *inputs; /* headers to compile with, objects to link */
    size_t num_inputs;
};

/* Builds, compiles or links into the program, with the API's mutex held at begin and end and free
 * while the compiler runs. Returns CL_SUCCESS or why not; status, options and log are in the
 * program. */
cl_int build(cl_program, const struct work *, const char *options);

/* Takes the executable away: module variables and decoded kernels. */
void build_discard(cl_program);

#endif
