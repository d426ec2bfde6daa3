/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/check.h: reads a buffer from the device and compares it with what the host
 * has computed; the first wrong element is named on stdout. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_CHECK_H
#define HEDDLE_TB_WORKLOADS_COMMON_CHECK_H

#include "tb/workloads/common/opencl.h"

/* Both return how many elements are wrong. Width and tolerance as in verify.h; no tolerance means
 * bit by bit. */
size_t check_floats(struct opencl *cl, cl_mem buffer, const char *name, size_t width,
                    const float *expected, size_t count, double tolerance);
size_t check_integers(struct opencl *cl, cl_mem buffer, const char *name, const int32_t *expected,
                      size_t count);

#endif
