/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/misuse_program_test.c: wrong calls about programs, kernels and their arguments. */
#include <string.h>

#include "tests/tb/ocl/misuse.h"

static void CL_CALLBACK unused_notify(cl_program program, void *data)
{
    (void)program, (void)data;
}

static void making_programs(void **state)
{
    const struct ocl *ocl = *state;
    const cl_context context = ocl->context;
    const cl_device_id device = ocl->device;
    cl_device_id other = OTHER(cl_device_id);
    const char *text = "__kernel void k() {}\n", *none = NULL, *half_there[] = {text, NULL};
    const unsigned char *junk = (const unsigned char *)"\177ELF not PTX", *no_binary = NULL;
    const size_t length = 12, zero = 0;
    cl_int status, in;
    const struct misuse cases[] = {
        MAKE(CL_INVALID_CONTEXT, clCreateProgramWithSource(NO_CONTEXT, 1, &text, NULL, &status)),
        MAKE(CL_INVALID_CONTEXT, clCreateProgramWithSource(NULL, 1, &text, NULL, &status)),
        MAKE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 0, &text, NULL, &status)),
        MAKE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, NULL, NULL, &status)),
        MAKE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, &none, NULL, &status)),
        MAKE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 2, half_there, NULL, &status)),
        MAKE(CL_INVALID_CONTEXT,
             clCreateProgramWithBinary(NO_CONTEXT, 1, &device, &length, &junk, &in, &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateProgramWithBinary(context, 0, &device, &length, &junk, &in, &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateProgramWithBinary(context, 1, NULL, &length, &junk, &in, &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateProgramWithBinary(context, 1, &device, &length, NULL, &in, &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateProgramWithBinary(context, 1, &device, NULL, &junk, &in, &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateProgramWithBinary(context, 1, &device, &zero, &junk, &in, &status)),
        CASE(CL_INVALID_VALUE, in),
        MAKE(CL_INVALID_VALUE,
             clCreateProgramWithBinary(context, 1, &device, &length, &no_binary, &in, &status)),
        MAKE(CL_INVALID_DEVICE,
             clCreateProgramWithBinary(context, 1, &other, &length, &junk, &in, &status)),
        MAKE(CL_INVALID_BINARY,
             clCreateProgramWithBinary(context, 1, &device, &length, &junk, &in, &status)),
        CASE(CL_INVALID_BINARY, in),
        MAKE(CL_INVALID_CONTEXT,
             clCreateProgramWithBuiltInKernels(NO_CONTEXT, 1, &device, "k", &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateProgramWithBuiltInKernels(context, 0, &device, "k", &status)),
        MAKE(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 1, NULL, "k", &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateProgramWithBuiltInKernels(context, 1, &device, NULL, &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateProgramWithBuiltInKernels(context, 1, &device, "k", &status)),
        MAKE(CL_INVALID_DEVICE,
             clCreateProgramWithBuiltInKernels(context, 1, &other, "k", &status)),
    };
    CHECK(cases);
}

static void building_programs(void **state)
{
    const struct ocl *ocl = *state;
    cl_device_id other = OTHER(cl_device_id);
    cl_int status;
    char data[1];
    const char *text = "__kernel void k() {}\n", *wrong = "__kernel void k() { not C }\n";
    cl_program built = ocl_program(ocl, text, ""), failed,
               unbuilt = clCreateProgramWithSource(ocl->context, 1, &text, NULL, &status);
    assert_int_equal(ocl_build(ocl, wrong, "", &failed), CL_BUILD_PROGRAM_FAILURE);
    cl_kernel kernel = clCreateKernel(built, "k", &status), few[1];
    const struct misuse cases[] = {
        CASE(CL_INVALID_PROGRAM, clBuildProgram(OTHER(cl_program), 0, NULL, "", NULL, NULL)),
        CASE(CL_INVALID_PROGRAM, clBuildProgram(NULL, 0, NULL, "", NULL, NULL)),
        CASE(CL_INVALID_VALUE, clBuildProgram(unbuilt, 1, NULL, "", NULL, NULL)),
        CASE(CL_INVALID_VALUE, clBuildProgram(unbuilt, 0, &ocl->device, "", NULL, NULL)),
        CASE(CL_INVALID_VALUE, clBuildProgram(unbuilt, 0, NULL, "", NULL, data)),
        CASE(CL_INVALID_DEVICE, clBuildProgram(unbuilt, 1, &other, "", NULL, NULL)),
        CASE(CL_INVALID_OPERATION, clBuildProgram(built, 0, NULL, "", NULL, NULL)),
        CASE(CL_INVALID_BUILD_OPTIONS, clBuildProgram(unbuilt, 0, NULL, "-bad", NULL, NULL)),
        CASE(CL_INVALID_BUILD_OPTIONS, clBuildProgram(unbuilt, 0, NULL, "-D", NULL, NULL)),
        CASE(CL_INVALID_BUILD_OPTIONS,
             clBuildProgram(unbuilt, 0, NULL, "-DA='", unused_notify, NULL)),
        CASE(CL_INVALID_BUILD_OPTIONS,
             clBuildProgram(unbuilt, 0, NULL, "-cl-std=CL9.9", NULL, NULL)),
        CASE(CL_INVALID_PROGRAM_EXECUTABLE,
             clGetProgramInfo(unbuilt, CL_PROGRAM_NUM_KERNELS, 0, NULL, NULL)),
        CASE(CL_INVALID_PROGRAM_EXECUTABLE,
             clGetProgramInfo(failed, CL_PROGRAM_KERNEL_NAMES, 0, NULL, NULL)),
        CASE(CL_INVALID_DEVICE,
             clGetProgramBuildInfo(built, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL)),
        CASE(CL_INVALID_DEVICE,
             clGetProgramBuildInfo(built, other, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL)),
        MAKE(CL_INVALID_PROGRAM, clCreateKernel(OTHER(cl_program), "k", &status)),
        MAKE(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(unbuilt, "k", &status)),
        MAKE(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(failed, "k", &status)),
        MAKE(CL_INVALID_KERNEL_NAME, clCreateKernel(built, "absent", &status)),
        MAKE(CL_INVALID_KERNEL_NAME, clCreateKernel(built, "", &status)),
        MAKE(CL_INVALID_KERNEL_NAME, clCreateKernel(built, "k ", &status)),
        MAKE(CL_INVALID_VALUE, clCreateKernel(built, NULL, &status)),
        CASE(CL_INVALID_PROGRAM, clCreateKernelsInProgram(OTHER(cl_program), 1, few, NULL)),
        CASE(CL_INVALID_VALUE, clCreateKernelsInProgram(built, 0, few, NULL)),
        CASE(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(unbuilt, 1, few, NULL)),
        CASE(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(failed, 1, few, NULL)),
    };
    CHECK(cases);
    assert_success(clReleaseKernel(kernel));
    assert_success(clBuildProgram(built, 0, NULL, "", NULL, NULL)); /* without kernels it may */
    assert_success(clReleaseProgram(built));
    assert_success(clReleaseProgram(unbuilt));
    assert_success(clReleaseProgram(failed));
}

static void setting_arguments(void **state)
{
    static const char source[] =
        "__kernel void k(__global int *o, __local int *l, int v, float4 f, __constant int *c,\n"
        "                __read_only image2d_t in, __write_only image2d_t out, sampler_t s,\n"
        "                struct t { int a, b, c; } t, __global int *p) { o[0] = v + l[0]; }\n";
    const struct ocl *ocl = *state;
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = 4,
                                .image_height = 4},
                        deep = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                .image_width = 4,
                                .image_height = 4,
                                .image_depth = 4};
    cl_int status, v = 0;
    cl_context context = clCreateContext(NULL, 1, &ocl->device, NULL, NULL, &status);
    cl_mem buffer = ocl_buffer(ocl, 64, NULL), stray = OTHER(cl_mem), none = NULL,
           foreign = clCreateBuffer(context, 0, 64, NULL, &status),
           released = ocl_buffer(ocl, 64, NULL);
    cl_mem both = clCreateImage(ocl->context, 0, &format, &flat, NULL, &status),
           readable = clCreateImage(ocl->context, CL_MEM_READ_ONLY, &format, &flat, NULL, &status),
           writable = clCreateImage(ocl->context, CL_MEM_WRITE_ONLY, &format, &flat, NULL, &status),
           volume = clCreateImage(ocl->context, 0, &format, &deep, NULL, &status);
    cl_sampler sampler =
                   clCreateSampler(ocl->context, 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &status),
               foreign_sampler =
                   clCreateSampler(context, 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &status),
               stray_sampler = OTHER(cl_sampler), no_sampler = NULL;
    assert_success(clReleaseMemObject(released));
    cl_program program = ocl_program(ocl, source, "");
    cl_kernel k = clCreateKernel(program, "k", &status);
    assert_success(status);
    char value[256] = {0};
    const struct misuse cases[] = {
        CASE(CL_INVALID_KERNEL, clSetKernelArg(OTHER(cl_kernel), 0, sizeof buffer, &buffer)),
        CASE(CL_INVALID_KERNEL, clSetKernelArg(NULL, 0, sizeof buffer, &buffer)),
        CASE(CL_INVALID_ARG_INDEX, clSetKernelArg(k, 10, sizeof v, &v)),
        CASE(CL_INVALID_ARG_INDEX, clSetKernelArg(k, (cl_uint)-1, sizeof v, &v)),
        /* buffers: NULL is one */
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, sizeof v, &buffer)),
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, 0, &buffer)),
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, 16, value)),
        CASE(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof stray, &stray)),
        CASE(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof foreign, &foreign)),
        CASE(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof released, &released)),
        CASE(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof both, &both)),
        CASE(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof sampler, &sampler)),
        CASE(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 4, sizeof both, &both)),
        CASE(CL_SUCCESS, clSetKernelArg(k, 0, sizeof none, &none)),
        CASE(CL_SUCCESS, clSetKernelArg(k, 4, sizeof none, NULL)),
        /* local memory */
        CASE(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 1, 64, &v)),
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 1, 0, NULL)),
        CASE(CL_SUCCESS, clSetKernelArg(k, 1, 3, NULL)),
        /* values */
        CASE(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 2, sizeof v, NULL)),
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 2, 8, value)),
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 2, 0, value)),
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 3, 4, value)),
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 3, 12, value)),
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 8, 16, value)),
        CASE(CL_SUCCESS, clSetKernelArg(k, 8, 12, value)),
        /* images */
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 5, 4, &both)),
        CASE(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 5, sizeof buffer, &buffer)),
        CASE(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 5, sizeof none, &none)),
        CASE(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 5, sizeof none, NULL)),
        CASE(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 5, sizeof sampler, &sampler)),
        CASE(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 6, sizeof stray, &stray)),
        CASE(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 5, sizeof volume, &volume)),
        CASE(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 5, sizeof writable, &writable)),
        CASE(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 6, sizeof readable, &readable)),
        CASE(CL_SUCCESS, clSetKernelArg(k, 5, sizeof readable, &readable)),
        CASE(CL_SUCCESS, clSetKernelArg(k, 6, sizeof writable, &writable)),
        /* samplers */
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 7, 4, &sampler)),
        CASE(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 7, sizeof sampler, NULL)),
        CASE(CL_INVALID_SAMPLER, clSetKernelArg(k, 7, sizeof stray, &stray_sampler)),
        CASE(CL_INVALID_SAMPLER, clSetKernelArg(k, 7, sizeof stray, &no_sampler)),
        CASE(CL_INVALID_SAMPLER, clSetKernelArg(k, 7, sizeof stray, &foreign_sampler)),
        CASE(CL_INVALID_SAMPLER, clSetKernelArg(k, 7, sizeof both, &both)),
        CASE(CL_SUCCESS, clSetKernelArg(k, 7, sizeof sampler, &sampler)),
        /* questions */
        CASE(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(k, OTHER(cl_device_id),
                                                         CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL)),
        CASE(CL_SUCCESS,
             clGetKernelWorkGroupInfo(k, NULL, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clGetKernelWorkGroupInfo(k, ocl->device, CL_KERNEL_GLOBAL_WORK_SIZE, 0, NULL, NULL)),
        CASE(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(k, 10, CL_KERNEL_ARG_NAME, 0, NULL, NULL)),
    };
    CHECK(cases);
    assert_success(clReleaseKernel(k));
    assert_success(clReleaseProgram(program));
    const cl_mem memories[] = {buffer, foreign, both, readable, writable, volume};
    for (int i = 0; i < 6; i++)
        assert_success(clReleaseMemObject(memories[i]));
    assert_success(clReleaseSampler(sampler));
    assert_success(clReleaseSampler(foreign_sampler));
    assert_success(clReleaseContext(context));
}

/* The same program, from its binary. */
static cl_kernel kernel_of_binary(const struct ocl *ocl, cl_kernel kernel)
{
    cl_program source;
    static unsigned char ptx[65536];
    unsigned char *to = ptx;
    const unsigned char *binary = ptx;
    size_t length;
    cl_int error;
    assert_success(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof source, &source, NULL));
    assert_success(clGetProgramInfo(source, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL));
    assert_in_range(length, 1, sizeof ptx);
    assert_success(clGetProgramInfo(source, CL_PROGRAM_BINARIES, sizeof to, &to, NULL));
    cl_program program =
        clCreateProgramWithBinary(ocl->context, 1, &ocl->device, &length, &binary, NULL, &error);
    assert_success(error);
    assert_success(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    cl_kernel result = clCreateKernel(program, "k", &error);
    assert_success(error);
    assert_success(clReleaseProgram(program));
    return result;
}

/* A kernel's arguments, as its source says them, also from its binary; and of another compiler's
 * PTX nothing. */
static void arguments_describe_themselves(void **state)
{
    static const char source[] =
        "typedef float2 pair;\n"
        "__kernel void other(int x) {}\n"
        "__kernel void k(__global const float *restrict a, __local pair *b, __constant int *c,\n"
        "    volatile __global struct s { int i; } *d, __read_only image2d_t e,\n"
        "    __write_only image3d_t f, sampler_t g, unsigned int h) {}\n";
    static const struct {
        cl_kernel_arg_address_qualifier address;
        cl_kernel_arg_access_qualifier access;
        cl_kernel_arg_type_qualifier qualifiers;
        const char *type, *name;
    } expected[] = {
        {CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_NONE,
         CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT, "float*", "a"},
        {CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_ACCESS_NONE, 0, "pair*", "b"},
        {CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_TYPE_CONST,
         "int*", "c"},
        {CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_TYPE_VOLATILE,
         "struct s*", "d"},
        {CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_READ_ONLY, 0, "image2d_t", "e"},
        {CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_WRITE_ONLY, 0, "image3d_t", "f"},
        {CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ACCESS_NONE, 0, "sampler_t", "g"},
        {CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ACCESS_NONE, 0, "uint", "h"},
    };
    static const unsigned char foreign[] = ".version 6.0\n.target sm_70\n.address_size "
                                           "64\n.visible .entry k(.param .u64 p) { ret; }\n";
    const struct ocl *ocl = *state;
    const unsigned char *binary = foreign;
    const size_t length = sizeof foreign - 1;
    cl_int error;
    cl_kernel compiled = ocl_kernel(ocl, source, "k"), loaded = kernel_of_binary(ocl, compiled),
              kernel;
    for (cl_uint n = 0; n < 16; n++) {
        const cl_uint i = n % 8;
        kernel = n < 8 ? compiled : loaded;
        cl_kernel_arg_address_qualifier address;
        cl_kernel_arg_access_qualifier access;
        cl_kernel_arg_type_qualifier qualifiers;
        char type[64], name[64];
#define ASK(what, value)                                                                           \
    assert_success(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_##what, sizeof value, &value, NULL))
        ASK(ADDRESS_QUALIFIER, address);
        ASK(ACCESS_QUALIFIER, access);
        ASK(TYPE_QUALIFIER, qualifiers);
        ASK(TYPE_NAME, type);
        ASK(NAME, name);
        assert_int_equal(address, expected[i].address);
        assert_int_equal(access, expected[i].access);
        assert_int_equal(qualifiers, expected[i].qualifiers);
        assert_string_equal(type, expected[i].type);
        assert_string_equal(name, expected[i].name);
    }
    assert_success(clReleaseKernel(kernel));
    cl_program program =
        clCreateProgramWithBinary(ocl->context, 1, &ocl->device, &length, &binary, NULL, &error);
    assert_success(error);
    assert_success(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    kernel = clCreateKernel(program, "k", &error);
    assert_success(error);
    assert_int_equal(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL),
                     CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    assert_success(clReleaseKernel(kernel));
    assert_success(clReleaseProgram(program));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(making_programs),
        cmocka_unit_test(building_programs),
        cmocka_unit_test(setting_arguments),
        cmocka_unit_test(arguments_describe_themselves),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
