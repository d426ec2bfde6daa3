/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/info.h: the one pattern behind all clGet*Info calls: a value goes to the caller's memory
 * if there is any and it is large enough; its size is returned if asked for. */
#ifndef HEDDLE_TB_OCL_INFO_H
#define HEDDLE_TB_OCL_INFO_H

#include <string.h>

#include "tb/ocl/calls.h"

/* Where the caller wants the answer. */
struct info {
    size_t size;
    void *value;
    size_t *size_ret;
};

static inline cl_int info_bytes(struct info out, const void *data, size_t size)
{
    if (out.value && out.size < size)
        return CL_INVALID_VALUE;
    if (out.value && size)
        memcpy(out.value, data, size);
    if (out.size_ret)
        *out.size_ret = size;
    return CL_SUCCESS;
}

static inline cl_int info_text(struct info out, const char *text)
{
    return info_bytes(out, text, strlen(text) + 1);
}

/* A value of a given type. */
#define INFO(out, type, ...) info_bytes(out, &(type){__VA_ARGS__}, sizeof(type))

/* Answers a failed creation: sets the caller's error code, if wanted, and returns NULL. */
static inline void *fail(cl_int *error_ret, cl_int error)
{
    if (error_ret)
        *error_ret = error;
    return NULL;
}

/* Answers a successful one. */
static inline void *made(cl_int *error_ret, void *object)
{
    if (error_ret)
        *error_ret = CL_SUCCESS;
    return object;
}

#endif
