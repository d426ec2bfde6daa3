/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/unsupported.c: calls that this device has no use for: sub-devices, linking, sharing with
 * other interfaces, and OpenCL after 1.2. Each returns the error that the standard gives for a
 * device without the feature, and says its name on standard error the first time. */
#include <stdio.h>

#include "tb/ocl/info.h"
#include "tb/ocl/lock.h"

/* Says once that `name` is not supported. */
static cl_int refuse(const char *name, int *said, cl_int error)
{
    API_ENTER;
    if (!*said)
        fprintf(stderr, "heddle: %s is not supported\n", name);
    *said = 1;
    return error;
}

/* A call that returns a status. */
#define STATUS(name, error, ...)                                                                   \
    cl_int ocl_##name(__VA_ARGS__)                                                                 \
    {                                                                                              \
        static int said;                                                                           \
        return refuse("cl" #name, &said, error);                                                   \
    }

/* A call that returns an object and puts the status where its last parameter points. */
#define OBJECT(type, name, error, ...)                                                             \
    type ocl_##name(__VA_ARGS__, cl_int *error_ret)                                                \
    {                                                                                              \
        static int said;                                                                           \
        return fail(error_ret, refuse("cl" #name, &said, error));                                  \
    }

#define WAITS cl_uint, const cl_event *, cl_event *
#define QUERY size_t, void *, size_t *

/* Sub-devices */
STATUS(CreateSubDevicesEXT, CL_INVALID_VALUE, cl_device_id,
       const cl_device_partition_property_ext *, cl_uint, cl_device_id *, cl_uint *)
STATUS(RetainDeviceEXT, CL_INVALID_DEVICE, cl_device_id)
STATUS(ReleaseDeviceEXT, CL_INVALID_DEVICE, cl_device_id)

/* Sharing with OpenGL and EGL */
OBJECT(cl_mem, CreateFromGLBuffer, CL_INVALID_OPERATION, cl_context, cl_mem_flags, cl_GLuint)
OBJECT(cl_mem, CreateFromGLTexture, CL_INVALID_OPERATION, cl_context, cl_mem_flags, cl_GLenum,
       cl_GLint, cl_GLuint)
OBJECT(cl_mem, CreateFromGLTexture2D, CL_INVALID_OPERATION, cl_context, cl_mem_flags, cl_GLenum,
       cl_GLint, cl_GLuint)
OBJECT(cl_mem, CreateFromGLTexture3D, CL_INVALID_OPERATION, cl_context, cl_mem_flags, cl_GLenum,
       cl_GLint, cl_GLuint)
OBJECT(cl_mem, CreateFromGLRenderbuffer, CL_INVALID_OPERATION, cl_context, cl_mem_flags, cl_GLuint)
STATUS(GetGLObjectInfo, CL_INVALID_GL_OBJECT, cl_mem, cl_gl_object_type *, cl_GLuint *)
STATUS(GetGLTextureInfo, CL_INVALID_GL_OBJECT, cl_mem, cl_gl_texture_info, QUERY)
STATUS(EnqueueAcquireGLObjects, CL_INVALID_OPERATION, cl_command_queue, cl_uint, const cl_mem *,
       WAITS)
STATUS(EnqueueReleaseGLObjects, CL_INVALID_OPERATION, cl_command_queue, cl_uint, const cl_mem *,
       WAITS)
STATUS(GetGLContextInfoKHR, CL_INVALID_OPERATION, const cl_context_properties *, cl_gl_context_info,
       QUERY)
OBJECT(cl_event, CreateEventFromGLsyncKHR, CL_INVALID_OPERATION, cl_context, cl_GLsync)
OBJECT(cl_mem, CreateFromEGLImageKHR, CL_INVALID_OPERATION, cl_context, CLeglDisplayKHR,
       CLeglImageKHR, cl_mem_flags, const cl_egl_image_properties_khr *)
STATUS(EnqueueAcquireEGLObjectsKHR, CL_INVALID_OPERATION, cl_command_queue, cl_uint, const cl_mem *,
       WAITS)
STATUS(EnqueueReleaseEGLObjectsKHR, CL_INVALID_OPERATION, cl_command_queue, cl_uint, const cl_mem *,
       WAITS)
OBJECT(cl_event, CreateEventFromEGLSyncKHR, CL_INVALID_OPERATION, cl_context, CLeglSyncKHR,
       CLeglDisplayKHR)

/* OpenCL 2.0 */
OBJECT(cl_mem, CreatePipe, CL_INVALID_OPERATION, cl_context, cl_mem_flags, cl_uint, cl_uint,
       const cl_pipe_properties *)
STATUS(GetPipeInfo, CL_INVALID_MEM_OBJECT, cl_mem, cl_pipe_info, QUERY)
STATUS(EnqueueSVMFree, CL_INVALID_OPERATION, cl_command_queue, cl_uint, void **,
       void(CL_CALLBACK *)(cl_command_queue, cl_uint, void **, void *), void *, WAITS)
STATUS(EnqueueSVMMemcpy, CL_INVALID_OPERATION, cl_command_queue, cl_bool, void *, const void *,
       size_t, WAITS)
STATUS(EnqueueSVMMemFill, CL_INVALID_OPERATION, cl_command_queue, void *, const void *, size_t,
       size_t, WAITS)
STATUS(EnqueueSVMMap, CL_INVALID_OPERATION, cl_command_queue, cl_bool, cl_map_flags, void *, size_t,
       WAITS)
STATUS(EnqueueSVMUnmap, CL_INVALID_OPERATION, cl_command_queue, void *, WAITS)
OBJECT(cl_sampler, CreateSamplerWithProperties, CL_INVALID_OPERATION, cl_context,
       const cl_sampler_properties *)
STATUS(SetKernelArgSVMPointer, CL_INVALID_OPERATION, cl_kernel, cl_uint, const void *)
STATUS(SetKernelExecInfo, CL_INVALID_OPERATION, cl_kernel, cl_kernel_exec_info, size_t,
       const void *)
STATUS(GetKernelSubGroupInfoKHR, CL_INVALID_OPERATION, cl_kernel, cl_device_id,
       cl_kernel_sub_group_info, size_t, const void *, QUERY)

void *ocl_SVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    static int said;
    (void)context, (void)flags, (void)size, (void)alignment;
    refuse("clSVMAlloc", &said, CL_INVALID_OPERATION);
    return NULL;
}

void ocl_SVMFree(cl_context context, void *pointer)
{
    static int said;
    (void)context, (void)pointer;
    refuse("clSVMFree", &said, CL_INVALID_OPERATION);
}

/* OpenCL 2.1 and later */
OBJECT(cl_kernel, CloneKernel, CL_INVALID_OPERATION, cl_kernel)
OBJECT(cl_program, CreateProgramWithIL, CL_INVALID_OPERATION, cl_context, const void *, size_t)
STATUS(EnqueueSVMMigrateMem, CL_INVALID_OPERATION, cl_command_queue, cl_uint, const void **,
       const size_t *, cl_mem_migration_flags, WAITS)
STATUS(GetDeviceAndHostTimer, CL_INVALID_OPERATION, cl_device_id, cl_ulong *, cl_ulong *)
STATUS(GetHostTimer, CL_INVALID_OPERATION, cl_device_id, cl_ulong *)
STATUS(GetKernelSubGroupInfo, CL_INVALID_OPERATION, cl_kernel, cl_device_id,
       cl_kernel_sub_group_info, size_t, const void *, QUERY)
STATUS(SetDefaultDeviceCommandQueue, CL_INVALID_OPERATION, cl_context, cl_device_id,
       cl_command_queue)
STATUS(SetProgramReleaseCallback, CL_INVALID_OPERATION, cl_program,
       void(CL_CALLBACK *)(cl_program, void *), void *)
STATUS(SetProgramSpecializationConstant, CL_INVALID_OPERATION, cl_program, cl_uint, size_t,
       const void *)
OBJECT(cl_mem, CreateBufferWithProperties, CL_INVALID_OPERATION, cl_context,
       const cl_mem_properties *, cl_mem_flags, size_t, void *)
OBJECT(cl_mem, CreateImageWithProperties, CL_INVALID_OPERATION, cl_context,
       const cl_mem_properties *, cl_mem_flags, const cl_image_format *, const cl_image_desc *,
       void *)
STATUS(SetContextDestructorCallback, CL_INVALID_OPERATION, cl_context,
       void(CL_CALLBACK *)(cl_context, void *), void *)
