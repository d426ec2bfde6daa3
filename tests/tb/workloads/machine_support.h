/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/machine_support.h: build folders whose `heddle` is a script, for tests of what
 * runs workloads on machines. */
#ifndef HEDDLE_TESTS_TB_WORKLOADS_MACHINE_SUPPORT_H
#define HEDDLE_TESTS_TB_WORKLOADS_MACHINE_SUPPORT_H

#include <stddef.h>

/* The folder that holds them, once they are made. */
extern char machines[];

/* Makes one of each name: `script` in sh, but `heddle report` is the one that is tested. Returns 0
 * or -1, as a set-up does. */
int make_machines(const char *const *names, size_t count, const char *script);

/* A tear-down: removes the folder. */
int remove_machines(void **unused);

#endif
