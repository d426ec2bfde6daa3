/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/misuse.h: tables of a wrong call and the error that the OpenCL 1.2 standard names
 * for it. */
#ifndef HEDDLE_TESTS_TB_OCL_MISUSE_H
#define HEDDLE_TESTS_TB_OCL_MISUSE_H

#include "tests/tb/ocl/ocl_support.h"

struct misuse {
    const char *call;
    cl_int got, expected;
};

#define CASE(error, call)                                                                          \
    {                                                                                              \
#call, call, error                                                                         \
    }
/* A call that returns an object and puts its error into `status`. */
#define MAKE(error, call)                                                                          \
    {                                                                                              \
#call, (status = 1, (void)assert_null_object(call), status), error                         \
    }

static inline int assert_null_object(const void *object)
{
    assert_null(object);
    return 0;
}

static inline void check_misuse(const struct misuse *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (cases[i].got != cases[i].expected)
            fail_msg("%s: %d, expected %d", cases[i].call, cases[i].got, cases[i].expected);
}
#define CHECK(cases) check_misuse(cases, sizeof(cases) / sizeof(cases)[0])

/* A handle of another kind. */
#define OTHER(type) ((type)(void *)ocl->context)
#define NO_CONTEXT  ((cl_context)(void *)ocl->queue)

#endif
