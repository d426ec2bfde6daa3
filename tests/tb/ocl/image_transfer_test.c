/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/image_transfer_test.c: what the host does with images of every type: reads, writes,
 * copies, fills and maps of regions, against an array of its own; the program's own memory as an
 * image; an image of a buffer; and what images say of themselves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/ocl_support.h"

enum { MAX_TEXELS = 16 * 12 * 8, STEPS = 200 };

/* A type of image, and its size in origin's and region's terms. */
static const struct shape {
    cl_mem_object_type type;
    const char *name;
    size_t size[3];
} shapes[] = {
    {CL_MEM_OBJECT_IMAGE1D, "image1d_t", {16, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", {16, 5, 1}},
    {CL_MEM_OBJECT_IMAGE2D, "image2d_t", {16, 12, 1}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", {11, 12, 4}},
    {CL_MEM_OBJECT_IMAGE3D, "image3d_t", {16, 12, 8}},
};
enum { NUM_SHAPES = sizeof shapes / sizeof shapes[0] };
static const cl_image_format rg16 = {CL_RG, CL_UNSIGNED_INT16};

static cl_image_desc describe(const struct shape *s)
{
    const int is_array = s->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    return (cl_image_desc){.image_type = s->type,
                           .image_width = s->size[0],
                           .image_height = is_array ? 0 : s->size[1],
                           .image_depth = s->size[2],
                           .image_array_size = is_array ? s->size[1] : s->size[2]};
}

static cl_mem make(const struct ocl *ocl, const struct shape *s, cl_mem_flags flags, void *host)
{
    const cl_image_desc desc = describe(s);
    cl_int error;
    cl_mem image = clCreateImage(ocl->context, flags, &rg16, &desc, host, &error);
    assert_success(error);
    return image;
}

/* The host's idea of an image: texels without gaps. */
struct model {
    const struct shape *shape;
    cl_uint texels[MAX_TEXELS];
};

static cl_uint *texel(struct model *m, const size_t *origin, size_t x, size_t y, size_t z)
{
    const size_t *size = m->shape->size;
    return &m->texels[((origin[2] + z) * size[1] + origin[1] + y) * size[0] + origin[0] + x];
}

#define EACH(x, y, z, region)                                                                      \
    for (size_t z = 0; z < (region)[2]; z++)                                                       \
        for (size_t y = 0; y < (region)[1]; y++)                                                   \
            for (size_t x = 0; x < (region)[0]; x++)

static void any_region(const size_t *size, size_t origin[3], size_t region[3])
{
    for (int d = 0; d < 3; d++) {
        origin[d] = (size_t)rand() % size[d];
        region[d] = 1 + (size_t)rand() % (size[d] - origin[d]);
    }
}

/* Pitches of the host's side, in texels: 0 now and then, and gaps. */
static void any_pitches(const struct shape *s, const size_t *region, size_t given[2],
                        size_t actual[2])
{
    const int is_flat = s->type == CL_MEM_OBJECT_IMAGE1D || s->type == CL_MEM_OBJECT_IMAGE2D;
    const int layer_is_row = s->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    given[0] = rand() % 2 ? 0 : region[0] + (size_t)rand() % 3;
    const size_t row = given[0] ? given[0] : region[0], rows = layer_is_row ? 1 : region[1];
    given[1] = is_flat || rand() % 2 ? 0 : row * rows + (size_t)rand() % 5;
    const size_t slice = given[1] ? given[1] : row * rows;
    actual[0] = layer_is_row ? slice : row;
    actual[1] = slice;
}

static void write_some(const struct ocl *ocl, cl_mem image, struct model *m)
{
    static cl_uint host[8 * MAX_TEXELS];
    size_t origin[3], region[3], given[2], pitch[2];
    any_region(m->shape->size, origin, region);
    any_pitches(m->shape, region, given, pitch);
    EACH(x, y, z, region)
    *texel(m, origin, x, y, z) = host[z * pitch[1] + y * pitch[0] + x] = (cl_uint)rand();
    assert_success(clEnqueueWriteImage(ocl->queue, image, CL_FALSE, origin, region, 4 * given[0],
                                       4 * given[1], host, 0, NULL, NULL));
}

static void read_some(const struct ocl *ocl, cl_mem image, struct model *m)
{
    static cl_uint host[8 * MAX_TEXELS];
    size_t origin[3], region[3], given[2], pitch[2];
    any_region(m->shape->size, origin, region);
    any_pitches(m->shape, region, given, pitch);
    assert_success(clEnqueueReadImage(ocl->queue, image, CL_TRUE, origin, region, 4 * given[0],
                                      4 * given[1], host, 0, NULL, NULL));
    EACH(x, y, z, region)
    assert_int_equal(host[z * pitch[1] + y * pitch[0] + x], *texel(m, origin, x, y, z));
}

static void fill_some(const struct ocl *ocl, cl_mem image, struct model *m)
{
    size_t origin[3], region[3];
    const cl_uint colour[4] = {(cl_uint)rand() & 0xffff, (cl_uint)rand() | 0x10000, 7, 9};
    any_region(m->shape->size, origin, region);
    assert_success(clEnqueueFillImage(ocl->queue, image, colour, origin, region, 0, NULL, NULL));
    EACH(x, y, z, region)
    *texel(m, origin, x, y, z) = colour[0] | 0xffff0000; /* green is held to 16 bits */
}

static void map_some(const struct ocl *ocl, cl_mem image, struct model *m)
{
    size_t origin[3], region[3], row = 1, slice = 1;
    cl_int error;
    any_region(m->shape->size, origin, region);
    char *p = clEnqueueMapImage(ocl->queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin,
                                region, &row, &slice, 0, NULL, NULL, &error);
    assert_success(error);
    const int layer_is_row = m->shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    EACH(x, y, z, region)
    {
        cl_uint *at = (cl_uint *)(p + z * slice + y * (layer_is_row ? slice : row)) + x;
        assert_int_equal(*at, *texel(m, origin, x, y, z));
        *texel(m, origin, x, y, z) = ++*at;
    }
    assert_success(clEnqueueUnmapMemObject(ocl->queue, image, p, 0, NULL, NULL));
}

/* Through a buffer, at an offset, and back to another place. */
static void by_way_of_a_buffer(const struct ocl *ocl, cl_mem image, struct model *m)
{
    static struct model old;
    size_t origin[3], region[3], other[3];
    old = *m;
    any_region(m->shape->size, origin, region);
    for (int d = 0; d < 3; d++)
        other[d] = (size_t)rand() % (m->shape->size[d] - region[d] + 1);
    cl_mem buffer = ocl_buffer(ocl, sizeof m->texels + 64, NULL);
    assert_success(
        clEnqueueCopyImageToBuffer(ocl->queue, image, buffer, origin, region, 36, 0, NULL, NULL));
    assert_success(
        clEnqueueCopyBufferToImage(ocl->queue, buffer, image, 36, other, region, 0, NULL, NULL));
    EACH(x, y, z, region) * texel(m, other, x, y, z) = *texel(&old, origin, x, y, z);
    assert_success(clReleaseMemObject(buffer));
}

/* A part of one image to another place of its own, if they do not overlap. */
static void copy_within(const struct ocl *ocl, cl_mem image, struct model *m)
{
    static struct model old;
    size_t from[3], to[3], region[3];
    int apart = 0;
    old = *m;
    any_region(m->shape->size, from, region);
    for (int d = 0; d < 3; d++) {
        to[d] = (size_t)rand() % (m->shape->size[d] - region[d] + 1);
        apart |= to[d] + region[d] <= from[d] || from[d] + region[d] <= to[d];
    }
    assert_int_equal(clEnqueueCopyImage(ocl->queue, image, image, from, to, region, 0, NULL, NULL),
                     apart ? CL_SUCCESS : CL_MEM_COPY_OVERLAP);
    if (apart)
        EACH(x, y, z, region) * texel(m, to, x, y, z) = *texel(&old, from, x, y, z);
}

static void regions_are_moved(void **state)
{
    static void (*const actions[])(const struct ocl *, cl_mem, struct model *) = {
        write_some, read_some, fill_some, map_some, by_way_of_a_buffer, copy_within};
    static struct model m;
    srand(10);
    for (int s = 0; s < NUM_SHAPES; s++) {
        m.shape = &shapes[s];
        for (int i = 0; i < MAX_TEXELS; i++)
            m.texels[i] = (cl_uint)rand();
        cl_mem image = make(*state, &shapes[s], CL_MEM_COPY_HOST_PTR, m.texels);
        for (int i = 0; i < STEPS; i++) {
            actions[rand() % 6](*state, image, &m);
            read_some(*state, image, &m);
        }
        assert_success(clReleaseMemObject(image));
    }
}

/* Between images of different types: the same region. */
static void types_are_copied_to_each_other(void **state)
{
    const struct ocl *ocl = *state;
    static struct model flat = {&shapes[2], {0}}, deep = {&shapes[4], {0}};
    const size_t from[3] = {1, 2, 0}, to[3] = {3, 4, 5}, region[3] = {7, 6, 1};
    for (cl_uint i = 0; i < MAX_TEXELS; i++) {
        flat.texels[i] = i;
        deep.texels[i] = i << 16;
    }
    cl_mem a = make(ocl, flat.shape, CL_MEM_COPY_HOST_PTR, flat.texels);
    cl_mem b = make(ocl, deep.shape, CL_MEM_COPY_HOST_PTR, deep.texels);
    assert_success(clEnqueueCopyImage(ocl->queue, a, b, from, to, region, 0, NULL, NULL));
    EACH(x, y, z, region) * texel(&deep, to, x, y, z) = *texel(&flat, from, x, y, z);
    for (int i = 0; i < 50; i++)
        read_some(ocl, b, &deep);
    assert_success(clReleaseMemObject(a));
    assert_success(clReleaseMemObject(b));
}

/* Kernels write into the program's own memory, between whose rows and slices nothing changes. What
 * they write outside is dropped. */
static void the_programs_memory_is_an_image(void **state)
{
    static const struct {
        const char *coordinates;
        size_t row, slice; /* pitches, in texels */
    } cases[NUM_SHAPES] = {{"x", 20, 0},
                           {"(int2)(x, y)", 20, 20},
                           {"(int2)(x, y)", 19, 0},
                           {"(int4)(x, y, z, 0)", 12, 12 * 13},
                           {"(int4)(x, y, z, 0)", 17, 17 * 15}};
    const struct ocl *ocl = *state;
    for (int s = 0; s < NUM_SHAPES; s++) {
        static cl_uint host[17 * 15 * 9], before[17 * 15 * 9];
        const struct shape *shape = &shapes[s];
        char source[1024];
        cl_image_desc desc = describe(shape);
        cl_int error;
        for (size_t i = 0; i < sizeof host / sizeof host[0]; i++)
            before[i] = host[i] = (cl_uint)i * 0x01234567;
        desc.image_row_pitch = 4 * cases[s].row;
        desc.image_slice_pitch = 4 * cases[s].slice;
        cl_mem image = clCreateImage(ocl->context, CL_MEM_USE_HOST_PTR, &rg16, &desc, host, &error);
        assert_success(error);
        snprintf(source, sizeof source,
                 "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
                 "__kernel void k(__write_only %s i) {\n"
                 "    int x = get_global_id(0) - 2, y = get_global_id(1) - 1, z = get_global_id(2) "
                 "- 1;\n"
                 "    write_imageui(i, %s, (uint4)(x + 100 * y, z, 0, 0)); }\n",
                 shape->name, cases[s].coordinates);
        cl_kernel kernel = ocl_kernel(ocl, source, "k");
        const size_t global[3] = {shape->size[0] + 4, shape->size[1] > 1 ? shape->size[1] + 2 : 2,
                                  shape->size[2] > 1 ? shape->size[2] + 2 : 2};
        assert_arg(kernel, 0, image);
        assert_success(
            clEnqueueNDRangeKernel(ocl->queue, kernel, 3, NULL, global, NULL, 0, NULL, NULL));
        assert_success(clFinish(ocl->queue));
        const int layer_is_row = shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
        EACH(x, y, z, shape->size)
        before[z * cases[s].slice + y * (layer_is_row ? cases[s].slice : cases[s].row) + x] =
            0; /* one of several, where a coordinate is not used */
        for (size_t i = 0; i < sizeof host / sizeof host[0]; i++)
            if (before[i] && host[i] != before[i])
                fail_msg("%s: memory changed at %zu", shape->name, i);
        if (shape->size[2] > 1)
            EACH(x, y, z, shape->size)
        assert_int_equal(host[z * cases[s].slice + y * cases[s].row + x],
                         (cl_uint)(x + 100 * y) | (cl_uint)z << 16);
        assert_success(clReleaseKernel(kernel));
        assert_success(clReleaseMemObject(image));
    }
}

static void an_image_of_a_buffer_is_the_buffer(void **state)
{
    static const char source[] =
        "__kernel void k(__write_only image1d_buffer_t o, __read_only image1d_buffer_t i) {\n"
        "    int x = get_global_id(0); write_imageui(o, x, read_imageui(i, x) + 1u); }\n";
    const struct ocl *ocl = *state;
    const cl_uint words[8] = {1, 2, 3, 4, 5, 6, 7, 0xffff0000};
    cl_uint seen[8];
    cl_int error;
    cl_mem buffer = ocl_buffer(ocl, sizeof words, words);
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 8, .buffer = buffer};
    cl_mem image = clCreateImage(ocl->context, 0, &rg16, &desc, NULL, &error), of = NULL;
    assert_success(error);
    assert_success(clGetImageInfo(image, CL_IMAGE_BUFFER, sizeof of, &of, NULL));
    assert_ptr_equal(of, buffer);
    assert_success(clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof of, &of, NULL));
    assert_ptr_equal(of, buffer);
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    assert_arg(kernel, 0, image);
    assert_arg(kernel, 1, image);
    ocl_run(ocl, kernel, 8, 0);
    assert_success(clReleaseMemObject(image));
    ocl_read(ocl, buffer, sizeof seen, seen);
    for (int i = 0; i < 8; i++)
        assert_int_equal(seen[i], i < 7 ? words[i] + 0x10001 : 0xffff0001);
    assert_success(clReleaseKernel(kernel));
    assert_success(clReleaseMemObject(buffer));
}

/* The host and kernels get the same answers. */
static void images_describe_themselves(void **state)
{
    static const char *const more[NUM_SHAPES] = {
        "0, 0, 0, 0", "0, 0, (int)get_image_array_size(i), 0",
        "get_image_height(i), 0, get_image_dim(i).y, 0",
        "get_image_height(i), 0, (int)get_image_array_size(i), 0",
        "get_image_height(i), get_image_depth(i), 0, get_image_dim(i).z"};
    const struct ocl *ocl = *state;
    for (int s = 0; s < NUM_SHAPES; s++) {
        const struct shape *shape = &shapes[s];
        const int is_3d = shape->type == CL_MEM_OBJECT_IMAGE3D, flat = shape->size[2] == 1;
        char source[512];
        cl_int out[8];
        const size_t width = shape->size[0],
                     height =
                         shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY || s == 0 ? 0 : shape->size[1],
                     layers = shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY   ? shape->size[1]
                              : shape->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? shape->size[2]
                                                                           : 0;
        const size_t slice = layers || is_3d ? 4 * width * (height ? height : 1) : 0;
        const struct {
            cl_image_info name;
            size_t expected;
        } sizes[] = {{CL_IMAGE_ELEMENT_SIZE, 4},    {CL_IMAGE_ROW_PITCH, 4 * width},
                     {CL_IMAGE_SLICE_PITCH, slice}, {CL_IMAGE_WIDTH, width},
                     {CL_IMAGE_HEIGHT, height},     {CL_IMAGE_DEPTH, is_3d ? shape->size[2] : 0},
                     {CL_IMAGE_ARRAY_SIZE, layers}};
        cl_mem image = make(ocl, shape, CL_MEM_READ_ONLY, NULL),
               o = ocl_buffer(ocl, sizeof out, NULL);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            size_t value;
            assert_success(clGetImageInfo(image, sizes[i].name, sizeof value, &value, NULL));
            assert_int_equal(value, sizes[i].expected);
        }
        cl_image_format format;
        cl_mem_object_type type;
        size_t bytes;
        assert_success(clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, NULL));
        assert_memory_equal(&format, &rg16, sizeof format);
        assert_success(clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, NULL));
        assert_int_equal(type, shape->type);
        assert_success(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof bytes, &bytes, NULL));
        assert_int_equal(bytes, 4 * shape->size[0] * shape->size[1] * shape->size[2]);
        snprintf(source, sizeof source,
                 "__kernel void k(__global int *o, __read_only %s i) {\n"
                 "    o[0] = get_image_width(i); o[1] = get_image_channel_order(i);\n"
                 "    o[2] = get_image_channel_data_type(i); o[7] = o[1] == CLK_RG;\n"
                 "    vstore4((int4)(%s), 0, o + 3); }\n",
                 shape->name, more[s]);
        cl_kernel kernel = ocl_kernel(ocl, source, "k");
        assert_arg(kernel, 0, o);
        assert_arg(kernel, 1, image);
        ocl_run(ocl, kernel, 1, 1);
        ocl_read(ocl, o, sizeof out, out);
        const cl_int expected[8] = {(cl_int)width,
                                    CL_RG,
                                    CL_UNSIGNED_INT16,
                                    (cl_int)height,
                                    is_3d ? (cl_int)shape->size[2] : 0,
                                    layers      ? (cl_int)layers
                                    : flat && s ? (cl_int)height
                                                : 0,
                                    is_3d ? (cl_int)shape->size[2] : 0,
                                    1};
        for (int i = 0; i < 8; i++)
            assert_int_equal(out[i], expected[i]);
        assert_success(clReleaseKernel(kernel));
        assert_success(clReleaseMemObject(o));
        assert_success(clReleaseMemObject(image));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_are_moved),
        cmocka_unit_test(types_are_copied_to_each_other),
        cmocka_unit_test(the_programs_memory_is_an_image),
        cmocka_unit_test(an_image_of_a_buffer_is_the_buffer),
        cmocka_unit_test(images_describe_themselves),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
