/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/context.c: contexts, each of the one device. */
#include "tb/ocl/context.h"

#include <stdlib.h>
#include <string.h>

#include "tb/ocl/device.h"
#include "tb/ocl/info.h"

typedef void(CL_CALLBACK context_notify)(const char *, const void *, size_t, void *);

static void context_destroy(struct object *object)
{
    free(((cl_context)object)->properties);
}

/* Checks a property list and counts its words, the final 0 included. */
static cl_int check_properties(const cl_context_properties *properties, size_t *words)
{
    int platforms = 0, syncs = 0;
    *words = 0;
    if (!properties)
        return CL_SUCCESS;
    const cl_context_properties *p = properties;
    for (; *p; p += 2) {
        if (*p == CL_CONTEXT_PLATFORM && !platforms++) {
            if ((cl_platform_id)p[1] != &the_platform)
                return CL_INVALID_PLATFORM;
        } else if (*p == CL_CONTEXT_INTEROP_USER_SYNC && !syncs++) {
            if (p[1] != CL_TRUE && p[1] != CL_FALSE)
                return CL_INVALID_PROPERTY;
        } else {
            return CL_INVALID_PROPERTY;
        }
    }
    *words = (size_t)(p - properties) + 1;
    return CL_SUCCESS;
}

static cl_context create(const cl_context_properties *properties, context_notify *notify,
                         void *user_data, cl_int *error_ret)
{
    size_t words;
    const cl_int error = check_properties(properties, &words);
    if (error != CL_SUCCESS)
        return fail(error_ret, error);
    if (!notify && user_data)
        return fail(error_ret, CL_INVALID_VALUE);
    cl_context context = object_new(OBJECT_CONTEXT, sizeof *context, context_destroy);
    if (!context)
        return fail(error_ret, CL_OUT_OF_HOST_MEMORY);
    context->notify = notify;
    context->user_data = user_data;
    if (words) {
        context->properties = malloc(words * sizeof *properties);
        if (!context->properties) {
            object_abandon(context);
            return fail(error_ret, CL_OUT_OF_HOST_MEMORY);
        }
        context->properties_bytes = words * sizeof *properties;
        memcpy(context->properties, properties, context->properties_bytes);
    }
    return made(error_ret, context);
}

cl_context ocl_CreateContext(const cl_context_properties *properties, cl_uint num_devices,
                             const cl_device_id *devices, context_notify *notify, void *user_data,
                             cl_int *error_ret)
{
    API_ENTER;
    if (!devices || num_devices == 0)
        return fail(error_ret, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < num_devices; i++)
        if (!object_is(devices[i], OBJECT_DEVICE))
            return fail(error_ret, CL_INVALID_DEVICE);
    return create(properties, notify, user_data, error_ret);
}

cl_context ocl_CreateContextFromType(const cl_context_properties *properties, cl_device_type type,
                                     context_notify *notify, void *user_data, cl_int *error_ret)
{
    API_ENTER;
    const cl_int error = device_match(type);
    if (error != CL_SUCCESS)
        return fail(error_ret, error);
    device_open();
    return create(properties, notify, user_data, error_ret);
}

cl_int ocl_GetContextInfo(cl_context context, cl_context_info name, size_t size, void *value,
                          size_t *size_ret)
{
    API_ENTER;
    const struct info out = {size, value, size_ret};
    if (!IS_CONTEXT(context))
        return CL_INVALID_CONTEXT;
    switch (name) {
    case CL_CONTEXT_REFERENCE_COUNT: return INFO(out, cl_uint, context->base.references);
    case CL_CONTEXT_NUM_DEVICES: return INFO(out, cl_uint, 1);
    case CL_CONTEXT_DEVICES: return INFO(out, cl_device_id, &the_device);
    case CL_CONTEXT_PROPERTIES:
        return info_bytes(out, context->properties, context->properties_bytes);
    default: return CL_INVALID_VALUE;
    }
}

static void run_notify(const struct callback *callback)
{
    callback->function.context(callback->text, NULL, 0, callback->user_data);
}

void context_report(cl_context context, const char *message)
{
    if (!context->notify)
        return;
    struct callback *callback = calloc(1, sizeof *callback + strlen(message) + 1);
    if (!callback)
        return;
    callback->run = run_notify;
    callback->function.context = context->notify;
    callback->user_data = context->user_data;
    strcpy(callback->text, message);
    callback_post(callback);
}

cl_int context_check_devices(cl_uint num_devices, const cl_device_id *devices)
{
    if ((num_devices == 0) != (devices == NULL))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_devices; i++)
        if (!object_is(devices[i], OBJECT_DEVICE))
            return CL_INVALID_DEVICE;
    return CL_SUCCESS;
}
