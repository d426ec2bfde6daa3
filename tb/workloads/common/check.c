/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/check.c: comparison of a buffer. */
#include "tb/workloads/common/check.h"

#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/verify.h"

static void *read_all(struct opencl *cl, cl_mem buffer, size_t count, size_t size)
{
    void *got = allocate(count, size);
    opencl_read(cl, buffer, count * size, got);
    return got;
}

size_t check_floats(struct opencl *cl, cl_mem buffer, const char *name, size_t width,
                    const float *expected, size_t count, double tolerance)
{
    float *got = read_all(cl, buffer, count, sizeof *got);
    size_t wrong = verify_floats(name, width, expected, got, count, tolerance, stdout);
    free(got);
    return wrong;
}

size_t check_integers(struct opencl *cl, cl_mem buffer, const char *name, const int32_t *expected,
                      size_t count)
{
    int32_t *got = read_all(cl, buffer, count, sizeof *got);
    size_t wrong = verify_integers(name, expected, got, count, stdout);
    free(got);
    return wrong;
}
