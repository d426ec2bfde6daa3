/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/misuse_handle_test.c: the same mistakes with every kind of handle: NULL, a handle of
 * another kind, a released one; and with every query: an unknown name, too little room. */
#include <string.h>

#include "tests/tb/ocl/misuse.h"

typedef cl_int counted(void *handle);
typedef cl_int query(void *handle, cl_uint name, size_t size, void *value, size_t *size_ret);

#define COUNTED(Name, type)                                                                        \
    static cl_int retain_##Name(void *handle)                                                      \
    {                                                                                              \
        return clRetain##Name((type)handle);                                                       \
    }                                                                                              \
    static cl_int release_##Name(void *handle)                                                     \
    {                                                                                              \
        return clRelease##Name((type)handle);                                                      \
    }
COUNTED(Context, cl_context)
COUNTED(CommandQueue, cl_command_queue)
COUNTED(MemObject, cl_mem)
COUNTED(Sampler, cl_sampler)
COUNTED(Program, cl_program)
COUNTED(Kernel, cl_kernel)
COUNTED(Event, cl_event)

#define QUERY(function, call)                                                                      \
    static cl_int ask_##function(void *handle, cl_uint name, size_t size, void *value,             \
                                 size_t *size_ret)                                                 \
    {                                                                                              \
        return call;                                                                               \
    }
#define PLAIN_QUERY(function) QUERY(function, clGet##function(handle, name, size, value, size_ret))
static cl_device_id the_device;
PLAIN_QUERY(PlatformInfo)
PLAIN_QUERY(DeviceInfo)
PLAIN_QUERY(ContextInfo)
PLAIN_QUERY(CommandQueueInfo)
PLAIN_QUERY(MemObjectInfo)
PLAIN_QUERY(ImageInfo)
PLAIN_QUERY(SamplerInfo)
PLAIN_QUERY(ProgramInfo)
PLAIN_QUERY(KernelInfo)
PLAIN_QUERY(EventInfo)
PLAIN_QUERY(EventProfilingInfo)
QUERY(ProgramBuildInfo, clGetProgramBuildInfo(handle, the_device, name, size, value, size_ret))
QUERY(KernelArgInfo, clGetKernelArgInfo(handle, 0, name, size, value, size_ret))
QUERY(KernelWorkGroupInfo,
      clGetKernelWorkGroupInfo(handle, the_device, name, size, value, size_ret))

enum { CONTEXT, QUEUE, BUFFER, IMAGE, SAMPLER, PROGRAM, KERNEL, EVENT, NUM_HANDLES };

/* One live object of each kind. */
struct handles {
    void *of[NUM_HANDLES];
};

static struct handles make_all(const struct ocl *ocl)
{
    static const char source[] = "__kernel void k(__global int *o) { *o = 1; }\n";
    const cl_image_format format = {CL_R, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_int error;
    struct handles h;
    cl_event event;
    h.of[CONTEXT] = clCreateContext(NULL, 1, &ocl->device, NULL, NULL, &error);
    assert_success(error);
    h.of[QUEUE] =
        clCreateCommandQueue(h.of[CONTEXT], ocl->device, CL_QUEUE_PROFILING_ENABLE, &error);
    assert_success(error);
    h.of[BUFFER] = clCreateBuffer(h.of[CONTEXT], 0, 64, NULL, &error);
    assert_success(error);
    h.of[IMAGE] = clCreateImage(h.of[CONTEXT], 0, &format, &desc, NULL, &error);
    assert_success(error);
    h.of[SAMPLER] =
        clCreateSampler(h.of[CONTEXT], CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);
    assert_success(error);
    h.of[PROGRAM] = ocl_program(ocl, source, "");
    h.of[KERNEL] = clCreateKernel(h.of[PROGRAM], "k", &error);
    assert_success(error);
    assert_success(clEnqueueMarkerWithWaitList(h.of[QUEUE], 0, NULL, &event));
    h.of[EVENT] = event;
    return h;
}

static const struct {
    counted *retain, *release;
    cl_int error;
} kinds[NUM_HANDLES] = {
    {retain_Context, release_Context, CL_INVALID_CONTEXT},
    {retain_CommandQueue, release_CommandQueue, CL_INVALID_COMMAND_QUEUE},
    {retain_MemObject, release_MemObject, CL_INVALID_MEM_OBJECT},
    {retain_MemObject, release_MemObject, CL_INVALID_MEM_OBJECT},
    {retain_Sampler, release_Sampler, CL_INVALID_SAMPLER},
    {retain_Program, release_Program, CL_INVALID_PROGRAM},
    {retain_Kernel, release_Kernel, CL_INVALID_KERNEL},
    {retain_Event, release_Event, CL_INVALID_EVENT},
};

static const struct {
    const char *call;
    query *ask;
    int handle; /* -1: of the platform, -2: of the device */
    cl_uint first, last;
    cl_int error;
} queries[] = {
    {"PlatformInfo", ask_PlatformInfo, -1, CL_PLATFORM_PROFILE, CL_PLATFORM_EXTENSIONS,
     CL_INVALID_PLATFORM},
    {"DeviceInfo", ask_DeviceInfo, -2, CL_DEVICE_TYPE, CL_DEVICE_PLATFORM, CL_INVALID_DEVICE},
    {"ContextInfo", ask_ContextInfo, CONTEXT, CL_CONTEXT_REFERENCE_COUNT, CL_CONTEXT_NUM_DEVICES,
     CL_INVALID_CONTEXT},
    {"CommandQueueInfo", ask_CommandQueueInfo, QUEUE, CL_QUEUE_CONTEXT, CL_QUEUE_PROPERTIES,
     CL_INVALID_COMMAND_QUEUE},
    {"MemObjectInfo", ask_MemObjectInfo, BUFFER, CL_MEM_TYPE, CL_MEM_OFFSET, CL_INVALID_MEM_OBJECT},
    {"MemObjectInfo", ask_MemObjectInfo, IMAGE, CL_MEM_TYPE, CL_MEM_OFFSET, CL_INVALID_MEM_OBJECT},
    {"ImageInfo", ask_ImageInfo, IMAGE, CL_IMAGE_FORMAT, CL_IMAGE_NUM_SAMPLES,
     CL_INVALID_MEM_OBJECT},
    {"SamplerInfo", ask_SamplerInfo, SAMPLER, CL_SAMPLER_REFERENCE_COUNT, CL_SAMPLER_FILTER_MODE,
     CL_INVALID_SAMPLER},
    {"ProgramInfo", ask_ProgramInfo, PROGRAM, CL_PROGRAM_REFERENCE_COUNT, CL_PROGRAM_KERNEL_NAMES,
     CL_INVALID_PROGRAM},
    {"ProgramBuildInfo", ask_ProgramBuildInfo, PROGRAM, CL_PROGRAM_BUILD_STATUS,
     CL_PROGRAM_BINARY_TYPE, CL_INVALID_PROGRAM},
    {"KernelInfo", ask_KernelInfo, KERNEL, CL_KERNEL_FUNCTION_NAME, CL_KERNEL_ATTRIBUTES,
     CL_INVALID_KERNEL},
    {"KernelArgInfo", ask_KernelArgInfo, KERNEL, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
     CL_KERNEL_ARG_NAME, CL_INVALID_KERNEL},
    {"KernelWorkGroupInfo", ask_KernelWorkGroupInfo, KERNEL, CL_KERNEL_WORK_GROUP_SIZE,
     CL_KERNEL_PRIVATE_MEM_SIZE, CL_INVALID_KERNEL},
    {"EventInfo", ask_EventInfo, EVENT, CL_EVENT_COMMAND_QUEUE, CL_EVENT_CONTEXT, CL_INVALID_EVENT},
    {"EventProfilingInfo", ask_EventProfilingInfo, EVENT, CL_PROFILING_COMMAND_QUEUED,
     CL_PROFILING_COMMAND_END, CL_INVALID_EVENT},
};
enum { NUM_QUERIES = sizeof queries / sizeof queries[0] };

static void wrong_handles_are_refused(void **state)
{
    struct handles h = make_all(*state);
    the_device = ((struct ocl *)*state)->device;
    for (int kind = 0; kind < NUM_HANDLES; kind++)
        for (int other = -1; other < NUM_HANDLES; other++) {
            void *handle = other < 0 ? NULL : h.of[other];
            if (other >= 0 && kinds[other].error == kinds[kind].error)
                continue;
            assert_int_equal(kinds[kind].retain(handle), kinds[kind].error);
            assert_int_equal(kinds[kind].release(handle), kinds[kind].error);
        }
    for (int q = 0; q < NUM_QUERIES; q++)
        for (int other = -1; other < NUM_HANDLES; other++) {
            void *handle = other < 0 ? NULL : h.of[other];
            if (other < 0 && queries[q].handle == -1)
                continue; /* NULL is the default platform */
            if (other >= 0 && kinds[other].error == queries[q].error &&
                !(queries[q].ask == ask_ImageInfo && other == BUFFER))
                continue;
            const cl_int got = queries[q].ask(handle, queries[q].first, 0, NULL, NULL);
            if (got != queries[q].error)
                fail_msg("clGet%s of a wrong handle %d: %d, expected %d", queries[q].call, other,
                         got, queries[q].error);
        }
    for (int kind = NUM_HANDLES - 1; kind >= 0; kind--) /* released */
        if (kind != CONTEXT) {
            assert_success(kinds[kind].retain(h.of[kind]));
            assert_success(kinds[kind].release(h.of[kind]));
            assert_success(kinds[kind].release(h.of[kind]));
            assert_int_equal(kinds[kind].release(h.of[kind]), kinds[kind].error);
            assert_int_equal(kinds[kind].retain(h.of[kind]), kinds[kind].error);
            for (int q = 0; q < NUM_QUERIES; q++)
                if (queries[q].handle == kind)
                    assert_int_equal(queries[q].ask(h.of[kind], queries[q].first, 0, NULL, NULL),
                                     queries[q].error);
        }
    assert_success(clReleaseContext(h.of[CONTEXT]));
    assert_int_equal(clReleaseContext(h.of[CONTEXT]), CL_INVALID_CONTEXT);
}

/* What is released is gone, also where the driver still holds it. */
static void what_is_held_may_be_gone(void **state)
{
    const struct ocl *ocl = *state;
    const cl_buffer_region region = {0, 64};
    cl_int error;
    cl_mem whole = ocl_buffer(ocl, 64, NULL);
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    assert_success(error);
    cl_event gate = clCreateUserEvent(ocl->context, &error), waiting;
    assert_success(clEnqueueMarkerWithWaitList(ocl->queue, 1, &gate, &waiting));
    assert_success(clReleaseEvent(waiting));
    assert_int_equal(clReleaseEvent(waiting), CL_INVALID_EVENT);
    assert_success(clReleaseMemObject(whole));
    assert_int_equal(clReleaseMemObject(whole), CL_INVALID_MEM_OBJECT);
    assert_success(clReleaseMemObject(part));
    assert_success(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_success(clReleaseEvent(gate));
    assert_success(clFinish(ocl->queue));
}

/* Every name of every query: one byte too few, no room at all, only the size; and unknown names. */
static void wrong_questions_are_refused(void **state)
{
    const struct ocl *ocl = *state;
    struct handles h = make_all(ocl);
    the_device = ocl->device;
    for (int q = 0; q < NUM_QUERIES; q++) {
        void *handle = queries[q].handle == -1   ? (void *)ocl->platform
                       : queries[q].handle == -2 ? (void *)ocl->device
                                                 : h.of[queries[q].handle];
        for (cl_uint name = queries[q].first; name <= queries[q].last; name++) {
            char value[65536];
            size_t size = 0;
            if (queries[q].ask(handle, name, 0, NULL, &size) != CL_SUCCESS)
                fail_msg("clGet%s does not answer 0x%x", queries[q].call, name);
            if (name == CL_PROGRAM_BINARIES && queries[q].ask == ask_ProgramInfo)
                memset(value, 0, sizeof value); /* the value is a list of pointers */
            assert_in_range(size, 0, sizeof value);
            assert_success(queries[q].ask(handle, name, size, value, NULL));
            assert_success(queries[q].ask(handle, name, sizeof value, value, &size));
            if (size && queries[q].ask(handle, name, size - 1, value, NULL) != CL_INVALID_VALUE)
                fail_msg("clGet%s answers 0x%x without room", queries[q].call, name);
        }
        assert_int_equal(queries[q].ask(handle, 0x9999, 0, NULL, NULL), CL_INVALID_VALUE);
    }
    for (int kind = NUM_HANDLES - 1; kind >= 0; kind--)
        assert_success(kinds[kind].release(h.of[kind]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_handles_are_refused),
        cmocka_unit_test(what_is_held_may_be_gone),
        cmocka_unit_test(wrong_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
