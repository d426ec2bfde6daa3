/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/fail.h: how a workload ends, and what it says when it cannot go on. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_FAIL_H
#define HEDDLE_TB_WORKLOADS_COMMON_FAIL_H

#include <stddef.h>

enum exit_status {
    EXIT_VERIFIED = 0, /* the device's results are right */
    EXIT_WRONG = 1,    /* they are not */
    EXIT_USAGE = 2,    /* an option or an input file is wrong */
    EXIT_DEVICE = 4    /* OpenCL or the host failed: no results (3: a mismatch, `heddle run`) */
};

/* Prints "program: message" on stderr and ends the program with `status`. */
_Noreturn void fail_with(enum exit_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* `count` zeroed elements of `size` bytes, at least one; no memory ends the program. */
void *allocate(size_t count, size_t size);

#endif
