/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/misuse_image_test.c: wrong calls that make and move images, and make samplers. What
 * all commands have in common is in misuse_enqueue_test.c. */
#include "tests/tb/ocl/misuse.h"

#define TYPE(name) CL_MEM_OBJECT_IMAGE##name
#define DESC(type, width, height, depth, layers, row, slice, from)                                 \
    (&(cl_image_desc){TYPE(type), width, height, depth, layers, row, slice, 0, 0, from})
#define FORMAT(order, type) (&(cl_image_format){order, type})

static void making_images(void **state)
{
    const struct ocl *ocl = *state;
    const cl_context context = ocl->context;
    static char bytes[1 << 16];
    cl_int status;
    const cl_image_format *good = FORMAT(CL_RGBA, CL_FLOAT);
    cl_image_desc levels = *DESC(2D, 4, 4, 0, 0, 0, 0, NULL), samples = levels, not_image = levels;
    levels.num_mip_levels = 1;
    samples.num_samples = 2;
    not_image.image_type = CL_MEM_OBJECT_BUFFER;
    const cl_mem_flags copy = CL_MEM_COPY_HOST_PTR;
    cl_mem buffer = ocl_buffer(ocl, 64, NULL), stray = OTHER(cl_mem);
    cl_mem read_only = clCreateBuffer(context, CL_MEM_READ_ONLY, 64, NULL, &status);
    cl_mem image = clCreateImage(context, 0, good, DESC(2D, 4, 4, 0, 0, 0, 0, NULL), NULL, &status);
    assert_success(status);
#define MAKE_IMAGE(error, flags, format, desc, host)                                               \
    MAKE(error, clCreateImage(context, flags, format, desc, host, &status))
#define FLAT DESC(2D, 4, 4, 0, 0, 0, 0, NULL)
    const struct misuse cases[] = {
        MAKE(CL_INVALID_CONTEXT, clCreateImage(NO_CONTEXT, 0, good, FLAT, NULL, &status)),
        MAKE(CL_INVALID_CONTEXT, clCreateImage(NULL, 0, good, FLAT, NULL, &status)),
        MAKE_IMAGE(CL_INVALID_VALUE, (cl_mem_flags)1 << 30, good, FLAT, NULL),
        MAKE_IMAGE(CL_INVALID_VALUE, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, good, FLAT, NULL),
        MAKE_IMAGE(CL_INVALID_VALUE, CL_MEM_USE_HOST_PTR | copy, good, FLAT, bytes),
        MAKE_IMAGE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, NULL, FLAT, NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, FORMAT(0, CL_FLOAT), FLAT, NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, FORMAT(CL_RGBA, 0), FLAT, NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, FORMAT(CL_RGB, CL_FLOAT), FLAT, NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, FORMAT(CL_R, CL_UNORM_SHORT_565), FLAT,
                   NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, FORMAT(CL_BGRA, CL_FLOAT), FLAT, NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, FORMAT(CL_INTENSITY, CL_SIGNED_INT8),
                   FLAT, NULL),
        MAKE_IMAGE(CL_IMAGE_FORMAT_NOT_SUPPORTED, 0, FORMAT(CL_Rx, CL_UNORM_INT8), FLAT, NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, NULL, NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, &levels, NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, &samples, NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, &not_image, NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, DESC(1D, 0, 0, 0, 0, 0, 0, NULL), NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, DESC(2D, 4, 0, 0, 0, 0, 0, NULL), NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, DESC(3D, 4, 4, 0, 0, 0, 0, NULL), NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, DESC(1D_ARRAY, 4, 0, 0, 0, 0, 0, NULL),
                   NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, DESC(2D_ARRAY, 4, 4, 4, 0, 0, 0, NULL),
                   NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_SIZE, 0, good, DESC(1D, 16385, 0, 0, 0, 0, 0, NULL), NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_SIZE, 0, good, DESC(2D, 4, 16385, 0, 0, 0, 0, NULL), NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_SIZE, 0, good, DESC(3D, 4, 4, 2049, 0, 0, 0, NULL), NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_SIZE, 0, good, DESC(2D, (size_t)-1, 4, 0, 0, 0, 0, NULL), NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_SIZE, 0, good, DESC(2D_ARRAY, 4, 4, 0, 2049, 0, 0, NULL), NULL),
        MAKE_IMAGE(CL_MEM_OBJECT_ALLOCATION_FAILURE, 0, good,
                   DESC(3D, 2048, 2048, 2048, 0, 0, 0, NULL), NULL),
        /* pitches */
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, DESC(2D, 4, 4, 0, 0, 64, 0, NULL), NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, copy, good, DESC(2D, 4, 4, 0, 0, 48, 0, NULL),
                   bytes),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, copy, good, DESC(2D, 4, 4, 0, 0, 72, 0, NULL),
                   bytes),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, copy, good, DESC(3D, 4, 4, 2, 0, 64, 192, NULL),
                   bytes),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, copy, good, DESC(3D, 4, 4, 2, 0, 64, 264, NULL),
                   bytes),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, copy, good, DESC(1D_ARRAY, 4, 0, 0, 4, 0, 32, NULL),
                   bytes),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, copy, good,
                   DESC(2D, 4, 4, 0, 0, (size_t)-16, 0, NULL), bytes),
        /* the program's memory */
        MAKE_IMAGE(CL_INVALID_HOST_PTR, CL_MEM_USE_HOST_PTR, good, FLAT, NULL),
        MAKE_IMAGE(CL_INVALID_HOST_PTR, copy, good, FLAT, NULL),
        MAKE_IMAGE(CL_INVALID_HOST_PTR, 0, good, FLAT, bytes),
        /* of a buffer */
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, DESC(1D_BUFFER, 4, 0, 0, 0, 0, 0, NULL),
                   NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, DESC(2D, 4, 1, 0, 0, 0, 0, buffer), NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, DESC(1D_BUFFER, 5, 0, 0, 0, 0, 0, buffer),
                   NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, DESC(1D_BUFFER, 4, 0, 0, 0, 0, 0, stray),
                   NULL),
        MAKE_IMAGE(CL_INVALID_IMAGE_DESCRIPTOR, 0, good, DESC(1D_BUFFER, 4, 0, 0, 0, 0, 0, image),
                   NULL),
        MAKE_IMAGE(CL_INVALID_VALUE, CL_MEM_WRITE_ONLY, good,
                   DESC(1D_BUFFER, 4, 0, 0, 0, 0, 0, read_only), NULL),
        MAKE_IMAGE(CL_INVALID_VALUE, CL_MEM_ALLOC_HOST_PTR, good,
                   DESC(1D_BUFFER, 4, 0, 0, 0, 0, 0, buffer), NULL),
        /* the calls of OpenCL 1.0 */
        MAKE(CL_INVALID_CONTEXT, clCreateImage2D(NO_CONTEXT, 0, good, 4, 4, 0, NULL, &status)),
        MAKE(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, 0, good, 0, 4, 0, NULL, &status)),
        MAKE(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, 0, good, 4, 99999, 0, NULL, &status)),
        MAKE(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, 0, good, 4, 4, 64, NULL, &status)),
        MAKE(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, copy, good, 4, 4, 8, bytes, &status)),
        MAKE(CL_INVALID_HOST_PTR, clCreateImage2D(context, copy, good, 4, 4, 0, NULL, &status)),
        MAKE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
             clCreateImage2D(context, 0, NULL, 4, 4, 0, NULL, &status)),
        MAKE(CL_INVALID_IMAGE_SIZE,
             clCreateImage3D(context, 0, good, 4, 4, 1, 0, 0, NULL, &status)),
        MAKE(CL_INVALID_IMAGE_SIZE,
             clCreateImage3D(context, 0, good, 4, 0, 4, 0, 0, NULL, &status)),
        MAKE(CL_INVALID_IMAGE_SIZE,
             clCreateImage3D(context, copy, good, 4, 4, 4, 64, 100, bytes, &status)),
    };
    CHECK(cases);
    assert_success(clReleaseMemObject(buffer));
    assert_success(clReleaseMemObject(read_only));
    assert_success(clReleaseMemObject(image));
}

static void asking_for_formats(void **state)
{
    const struct ocl *ocl = *state;
    cl_image_format formats[1];
    cl_uint count;
    const struct misuse cases[] = {
        CASE(CL_INVALID_CONTEXT,
             clGetSupportedImageFormats(NO_CONTEXT, 0, TYPE(2D), 0, NULL, &count)),
        CASE(CL_INVALID_VALUE, clGetSupportedImageFormats(ocl->context, (cl_mem_flags)1 << 40,
                                                          TYPE(2D), 0, NULL, &count)),
        CASE(CL_INVALID_VALUE,
             clGetSupportedImageFormats(ocl->context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, &count)),
        CASE(CL_INVALID_VALUE,
             clGetSupportedImageFormats(ocl->context, 0, TYPE(2D), 0, formats, &count)),
        CASE(CL_SUCCESS, clGetSupportedImageFormats(ocl->context, 0, TYPE(2D), 1, formats, NULL)),
        CASE(CL_SUCCESS, clGetSupportedImageFormats(ocl->context, 0, TYPE(2D), 0, NULL, NULL)),
    };
    CHECK(cases);
}

static void samplers(void **state)
{
    const cl_context context = ((struct ocl *)*state)->context;
    const struct ocl *ocl = *state;
    cl_int status;
#define SAMPLER(error, in, normalized, address, filter)                                            \
    MAKE(error, clCreateSampler(in, normalized, address, filter, &status))
    const struct misuse cases[] = {
        SAMPLER(CL_INVALID_CONTEXT, NO_CONTEXT, 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST),
        SAMPLER(CL_INVALID_CONTEXT, NULL, 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST),
        SAMPLER(CL_INVALID_VALUE, context, 2, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST),
        SAMPLER(CL_INVALID_VALUE, context, 0, 0, CL_FILTER_NEAREST),
        SAMPLER(CL_INVALID_VALUE, context, 0, CL_ADDRESS_MIRRORED_REPEAT + 1, CL_FILTER_NEAREST),
        SAMPLER(CL_INVALID_VALUE, context, 0, CL_ADDRESS_CLAMP, 0),
        SAMPLER(CL_INVALID_VALUE, context, 0, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR + 1),
        SAMPLER(CL_INVALID_VALUE, context, 0, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST),
        SAMPLER(CL_INVALID_VALUE, context, 0, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR),
    };
    CHECK(cases);
}

/* Wrong regions, which all commands of images have: outside, empty, or with a third dimension. */
static void regions(void **state)
{
    static char host[4096];
    const struct ocl *ocl = *state;
    const cl_command_queue q = ocl->queue;
    cl_int status;
    const cl_image_format *format = FORMAT(CL_R, CL_UNSIGNED_INT32);
    const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, good[3] = {2, 2, 1},
                 beside[3] = {1, 1, 0};
    const struct {
        size_t origin[3], region[3];
        int image; /* which of them */
    } wrong[] = {
        {{0, 0, 0}, {5, 1, 1}, 1},          {{4, 0, 0}, {1, 1, 1}, 1},
        {{0, 3, 0}, {1, 2, 1}, 1},          {{0, 0, 0}, {0, 1, 1}, 1},
        {{0, 0, 0}, {1, 0, 1}, 1},          {{0, 0, 0}, {1, 1, 0}, 1},
        {{0, 0, 1}, {1, 1, 1}, 1},          {{0, 0, 0}, {1, 1, 2}, 1},
        {{(size_t)-1, 0, 0}, {2, 1, 1}, 1}, {{0, (size_t)-1, 0}, {1, (size_t)-1, 1}, 1},
        {{0, 1, 0}, {1, 1, 1}, 0},          {{0, 0, 0}, {1, 2, 1}, 0},
        {{0, 0, 3}, {1, 1, 2}, 2},          {{0, 0, 4}, {1, 1, 1}, 2},
    };
    cl_mem images[3] = {
        clCreateImage(ocl->context, 0, format, DESC(1D, 4, 0, 0, 0, 0, 0, NULL), NULL, &status),
        clCreateImage(ocl->context, 0, format, DESC(2D, 4, 4, 0, 0, 0, 0, NULL), NULL, &status),
        clCreateImage(ocl->context, 0, format, DESC(2D_ARRAY, 4, 4, 0, 4, 0, 0, NULL), NULL,
                      &status)};
    cl_mem buffer = ocl_buffer(ocl, 4096, NULL), image = images[1];
    size_t row, slice;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const cl_mem m = images[wrong[i].image];
        const size_t *o = wrong[i].origin, *r = wrong[i].region;
        const struct misuse cases[] = {
            CASE(CL_INVALID_VALUE, clEnqueueReadImage(q, m, 1, o, r, 0, 0, host, 0, NULL, NULL)),
            CASE(CL_INVALID_VALUE, clEnqueueWriteImage(q, m, 1, o, r, 0, 0, host, 0, NULL, NULL)),
            CASE(CL_INVALID_VALUE, clEnqueueCopyImage(q, m, images[2], o, zero, r, 0, NULL, NULL)),
            CASE(CL_INVALID_VALUE, clEnqueueCopyImage(q, images[2], m, zero, o, r, 0, NULL, NULL)),
            CASE(CL_INVALID_VALUE,
                 clEnqueueCopyImageToBuffer(q, m, buffer, o, r, 0, 0, NULL, NULL)),
            CASE(CL_INVALID_VALUE,
                 clEnqueueCopyBufferToImage(q, buffer, m, 0, o, r, 0, NULL, NULL)),
            CASE(CL_INVALID_VALUE, clEnqueueFillImage(q, m, host, o, r, 0, NULL, NULL)),
            MAKE(CL_INVALID_VALUE, clEnqueueMapImage(q, m, 1, CL_MAP_READ, o, r, &row, &slice, 0,
                                                     NULL, NULL, &status)),
        };
        CHECK(cases);
    }
    cl_mem other = clCreateImage(ocl->context, 0, FORMAT(CL_R, CL_FLOAT),
                                 DESC(2D, 4, 4, 0, 0, 0, 0, NULL), NULL, &status);
    cl_mem of_buffer = clCreateImage(ocl->context, 0, format,
                                     DESC(1D_BUFFER, 4, 0, 0, 0, 0, 0, buffer), NULL, &status);
#define MAP(m, flags, rows, slices)                                                                \
    clEnqueueMapImage(q, m, 1, flags, zero, one, rows, slices, 0, NULL, NULL, &status)
    const struct misuse cases[] = {
        CASE(CL_INVALID_VALUE,
             clEnqueueReadImage(q, image, 1, NULL, one, 0, 0, host, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadImage(q, image, 1, zero, NULL, 0, 0, host, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadImage(q, image, 1, zero, one, 0, 0, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadImage(q, image, 1, zero, good, 7, 0, host, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadImage(q, image, 1, zero, good, 0, 16, host, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadImage(q, images[2], 1, zero, good, 0, 15, host, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadImage(q, images[2], 1, zero, good, (size_t)-1, 0, host, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueWriteImage(q, image, 1, zero, good, 4, 0, host, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueWriteImage(q, image, 1, zero, one, 0, 0, NULL, 0, NULL, NULL)),
        CASE(CL_IMAGE_FORMAT_MISMATCH,
             clEnqueueCopyImage(q, image, other, zero, zero, one, 0, NULL, NULL)),
        CASE(CL_MEM_COPY_OVERLAP,
             clEnqueueCopyImage(q, image, image, zero, beside, good, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueCopyImageToBuffer(q, image, buffer, zero, good, 4081, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueCopyImageToBuffer(q, image, buffer, zero, good, (size_t)-8, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueCopyBufferToImage(q, buffer, image, 4096, zero, one, 0, NULL, NULL)),
        CASE(CL_INVALID_MEM_OBJECT,
             clEnqueueCopyImageToBuffer(q, of_buffer, buffer, zero, one, 0, 0, NULL, NULL)),
        CASE(CL_INVALID_MEM_OBJECT,
             clEnqueueCopyBufferToImage(q, buffer, of_buffer, 0, zero, one, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueFillImage(q, image, NULL, zero, one, 0, NULL, NULL)),
        MAKE(CL_INVALID_VALUE, MAP(image, CL_MAP_READ, NULL, NULL)),
        MAKE(CL_INVALID_VALUE, MAP(images[2], CL_MAP_READ, &row, NULL)),
        MAKE(CL_INVALID_VALUE, MAP(image, 64, &row, NULL)),
        MAKE(CL_INVALID_VALUE,
             MAP(image, CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_READ, &row, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueUnmapMemObject(q, image, host, 0, NULL, NULL)),
    };
    CHECK(cases);
    const cl_mem all[] = {images[0], images[1], images[2], of_buffer, buffer, other};
    for (int i = 0; i < 6; i++)
        assert_success(clReleaseMemObject(all[i]));
}

/* An image that the host may not read, or write, or touch. */
static void host_access_is_refused(void **state)
{
    static const struct {
        cl_mem_flags flags;
        cl_int reading, writing;
    } access[] = {
        {CL_MEM_HOST_WRITE_ONLY, CL_INVALID_OPERATION, CL_SUCCESS},
        {CL_MEM_HOST_READ_ONLY, CL_SUCCESS, CL_INVALID_OPERATION},
        {CL_MEM_HOST_NO_ACCESS, CL_INVALID_OPERATION, CL_INVALID_OPERATION},
    };
    const struct ocl *ocl = *state;
    const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    for (int i = 0; i < 3; i++) {
        char host[16] = {0};
        size_t row;
        cl_int error;
        cl_mem image = clCreateImage(ocl->context, access[i].flags, FORMAT(CL_RGBA, CL_FLOAT), FLAT,
                                     NULL, &error);
        assert_success(error);
        assert_int_equal(
            clEnqueueReadImage(ocl->queue, image, 1, zero, one, 0, 0, host, 0, NULL, NULL),
            access[i].reading);
        assert_int_equal(
            clEnqueueWriteImage(ocl->queue, image, 1, zero, one, 0, 0, host, 0, NULL, NULL),
            access[i].writing);
        assert_success(clEnqueueFillImage(ocl->queue, image, host, zero, one, 0, NULL, NULL));
        for (int writes = 0; writes < 2; writes++) {
            void *p = clEnqueueMapImage(ocl->queue, image, 1, writes ? CL_MAP_WRITE : CL_MAP_READ,
                                        zero, one, &row, NULL, 0, NULL, NULL, &error);
            assert_int_equal(error, writes ? access[i].writing : access[i].reading);
            if (p)
                assert_success(clEnqueueUnmapMemObject(ocl->queue, image, p, 0, NULL, NULL));
        }
        assert_success(clReleaseMemObject(image));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(making_images),
        cmocka_unit_test(asking_for_formats),
        cmocka_unit_test(samplers),
        cmocka_unit_test(regions),
        cmocka_unit_test(host_access_is_refused),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
