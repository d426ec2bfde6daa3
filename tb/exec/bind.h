/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/bind.h: the builds of the operations that this host can run; exec_bind takes the last
 * one. */
#ifndef HEDDLE_TB_EXEC_BIND_H
#define HEDDLE_TB_EXEC_BIND_H

#include "tb/exec/exec.h"

unsigned exec_builds(void);                  /* at least 1 */
const char *exec_build_name(unsigned build); /* "any" */

/* exec_bind with a build of the caller's choice: tests compare them. */
int exec_bind_build(const struct ptx_module *, unsigned build, struct ptx_error *error);

#endif
