/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/exec_bind.h: the builds of the operations that this host can run; exec_bind takes the last
 * one. */
#ifndef HEDDLE_TB_SM_EXEC_BIND_H
#define HEDDLE_TB_SM_EXEC_BIND_H

#include "tb/sm/exec.h"

unsigned exec_builds(void);                  /* at least 1 */
const char *exec_build_name(unsigned build); /* "any" */

/* exec_bind with a build of the caller's choice: tests compare them. */
int exec_bind_build(const struct ptx_module *, unsigned build, struct ptx_error *error);

#endif
