/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/program.h: what the calls that make and build programs share. */
#ifndef HEDDLE_TB_OCL_PROGRAM_H
#define HEDDLE_TB_OCL_PROGRAM_H

#include "tb/ocl/object.h"

typedef void(CL_CALLBACK program_notify)(cl_program, void *);

/* A program without contents. NULL: no memory. */
cl_program program_new(cl_context);

/* Posts the callback of a build that has ended, if there is one. Returns 0, or -1: no memory. */
int program_post(cl_program, program_notify *, void *user_data);

#endif
