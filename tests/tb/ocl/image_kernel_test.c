/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/image_kernel_test.c: images in kernels: every format written and read, every sampler
 * on every type of image, questions about images, and what lies outside. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/image_reference.h"

enum { TEXELS = 256, READS = 1024, MAX_FORMATS = 256 };

static const char *const forms[] = {"f", "i", "ui"}, *const vectors[] = {"float4", "int4", "uint4"};

static double uniform(double most)
{
    return most * (2.0 * rand() / RAND_MAX - 1);
}

/* A colour for a format: with values on the edges of its range, beyond them, and halfway between
 * two that it can hold. */
static struct colour any_colour(enum colour_type type)
{
    struct colour colour;
    for (int c = 0; c < 4; c++)
        if (type == COLOUR_FLOAT)
            colour.c[c] = (float)(rand() % 8 == 0 ? rand() % 3 - 1
                                  : rand() % 4    ? uniform(1.1)
                                                  : (rand() % 511 - 255) / 510.0);
        else
            colour.c[c] = rand() % 4   ? floor(uniform(rand() % 2 ? 300 : 70000))
                          : rand() % 2 ? (type == COLOUR_INT ? INT32_MIN : (double)UINT32_MAX)
                                       : rand() % 2;
    return colour;
}

/* Colours as kernels and clEnqueueFillImage take them. */
static void pack(enum colour_type type, struct colour *colour, cl_uint out[4])
{
    for (int c = 0; c < 4; c++) {
        const cl_float f = (cl_float)colour->c[c];
        const cl_int i = (cl_int)colour->c[c];
        const cl_uint u = colour->c[c] < 0 ? 0 : (cl_uint)colour->c[c];
        if (type == COLOUR_UINT)
            colour->c[c] = u;
        memcpy(&out[c],
               type == COLOUR_FLOAT ? (const void *)&f
               : type == COLOUR_INT ? &i
                                    : (void *)&u,
               sizeof out[c]);
    }
}

static double unpack(enum colour_type type, cl_uint bits)
{
    cl_float f;
    memcpy(&f, &bits, sizeof f);
    return type == COLOUR_FLOAT ? (double)f : type == COLOUR_INT ? (double)(cl_int)bits : bits;
}

static cl_mem image(const struct ocl *ocl, cl_mem_object_type type, const struct picture *p)
{
    const cl_image_desc desc = {
        .image_type = type,
        .image_width = (size_t)p->size[0],
        .image_height = (size_t)p->size[1],
        .image_depth = type == CL_MEM_OBJECT_IMAGE3D ? (size_t)p->size[2] : 0,
        .image_array_size = (size_t)p->size[2],
    };
    cl_int error;
    cl_mem result =
        clCreateImage(ocl->context, CL_MEM_COPY_HOST_PTR, &p->format, &desc, p->texels, &error);
    assert_success(error);
    return result;
}

/* One program for all formats, of a kind of colour. */
static cl_kernel kernel_of(const struct ocl *ocl, const char *name, const char *text,
                           enum colour_type type)
{
    char source[4096];
    snprintf(source, sizeof source,
             "#define V %s\n#define READ read_image%s\n#define WRITE write_image%s\n%s",
             vectors[type], forms[type], forms[type], text);
    return ocl_kernel(ocl, source, name);
}

static void check_format(const struct ocl *ocl, cl_image_format format, cl_kernel write,
                         cl_kernel read)
{
    static unsigned char zeros[TEXELS * 16], seen[TEXELS * 16], expected[TEXELS * 16];
    static struct colour colours[TEXELS];
    static cl_uint packed[TEXELS][4];
    const enum colour_type type = colour_type(format);
    const size_t bytes = texel_bytes(format), origin[3] = {0}, all[3] = {TEXELS, 1, 1};
    const struct picture blank = {format, {TEXELS, 1, 1}, 1, zeros};
    cl_mem target = image(ocl, CL_MEM_OBJECT_IMAGE1D, &blank);
    for (int i = 0; i < TEXELS; i++) {
        colours[i] = any_colour(type);
        pack(type, &colours[i], packed[i]);
        texel_encode(format, colours[i], expected + (size_t)i * bytes);
    }
    cl_mem buffer = ocl_buffer(ocl, sizeof packed, packed);
    assert_arg(write, 0, target);
    assert_arg(write, 1, buffer);
    ocl_run(ocl, write, TEXELS, 0);
    assert_success(
        clEnqueueReadImage(ocl->queue, target, CL_TRUE, origin, all, 0, 0, seen, 0, NULL, NULL));
    for (size_t i = 0; i < TEXELS * bytes; i++)
        if (seen[i] != expected[i])
            fail_msg("format 0x%x 0x%x: byte %zu of texel %zu (%g %g %g %g): 0x%x, expected 0x%x",
                     format.image_channel_order, format.image_channel_data_type, i % bytes,
                     i / bytes, colours[i / bytes].c[0], colours[i / bytes].c[1],
                     colours[i / bytes].c[2], colours[i / bytes].c[3], seen[i], expected[i]);
    assert_arg(read, 0, buffer);
    assert_arg(read, 1, target);
    ocl_run(ocl, read, TEXELS, 0);
    ocl_read(ocl, buffer, sizeof packed, packed);
    for (int i = 0; i < TEXELS; i++) {
        const struct colour stored = texel_decode(format, expected + (size_t)i * bytes);
        for (int c = 0; c < 4; c++)
            if (unpack(type, packed[i][c]) != stored.c[c])
                fail_msg("format 0x%x 0x%x: component %d is %.9g, expected %.9g",
                         format.image_channel_order, format.image_channel_data_type, c,
                         unpack(type, packed[i][c]), stored.c[c]);
    }
    /* The host's fill gives what a kernel's write gives. */
    for (size_t i = 0; i < 8; i++) {
        pack(type, &colours[i], packed[i]);
        assert_success(clEnqueueFillImage(ocl->queue, target, packed[i], (size_t[]){8 + i, 0, 0},
                                          (size_t[]){1, 1, 1}, 0, NULL, NULL));
    }
    assert_success(
        clEnqueueReadImage(ocl->queue, target, CL_TRUE, origin, all, 0, 0, seen, 0, NULL, NULL));
    assert_memory_equal(seen, expected, 8 * bytes);
    assert_memory_equal(seen + 8 * bytes, expected, 8 * bytes);
    assert_memory_equal(seen + 16 * bytes, expected + 16 * bytes, (TEXELS - 16) * bytes);
    assert_success(clReleaseMemObject(buffer));
    assert_success(clReleaseMemObject(target));
}

static void every_format_is_written_and_read(void **state)
{
    static const char text[] = "__kernel void w(__write_only image1d_t i, __global V *a) {\n"
                               "    int x = get_global_id(0); WRITE(i, x, a[x]); }\n"
                               "__kernel void r(__global V *o, __read_only image1d_t i) {\n"
                               "    int x = get_global_id(0); o[x] = READ(i, x); }\n";
    const struct ocl *ocl = *state;
    cl_image_format formats[MAX_FORMATS];
    cl_uint count;
    srand(8);
    assert_success(clGetSupportedImageFormats(ocl->context, 0, CL_MEM_OBJECT_IMAGE1D, MAX_FORMATS,
                                              formats, &count));
    assert_in_range(count, 40, MAX_FORMATS);
    for (int type = 0; type < 3; type++) {
        cl_kernel write = kernel_of(ocl, "w", text, type), read = kernel_of(ocl, "r", text, type);
        for (cl_uint i = 0; i < count; i++)
            if ((int)colour_type(formats[i]) == type)
                check_format(ocl, formats[i], write, read);
        assert_success(clReleaseKernel(write));
        assert_success(clReleaseKernel(read));
    }
}

/* What every device must have (section 5.3.2.1). */
static void required_formats_are_there(void **state)
{
    static const cl_channel_type types[] = {
        CL_UNORM_INT8, CL_UNORM_INT16, CL_SIGNED_INT8,   CL_SIGNED_INT16,   CL_SIGNED_INT32,
        CL_HALF_FLOAT, CL_FLOAT,       CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32,
    };
    const struct ocl *ocl = *state;
    for (cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D; type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
         type++) {
        cl_image_format formats[MAX_FORMATS];
        cl_uint count, found = 0;
        assert_success(clGetSupportedImageFormats(ocl->context, CL_MEM_READ_ONLY, type, MAX_FORMATS,
                                                  formats, &count));
        for (cl_uint i = 0; i < count; i++) {
            for (int t = 0; t < 10; t++)
                found += formats[i].image_channel_order == CL_RGBA &&
                         formats[i].image_channel_data_type == types[t];
            found += formats[i].image_channel_order == CL_BGRA &&
                     formats[i].image_channel_data_type == CL_UNORM_INT8;
        }
        assert_int_equal(found, 11);
    }
}

/* The types on which samplers act, their coordinates as a kernel writes them, their sizes. */
static const struct shape {
    cl_mem_object_type type;
    const char *name, *integers, *floats;
    int size[3], sampled;
} shapes[] = {
    {CL_MEM_OBJECT_IMAGE1D, "image1d_t", "c.x", "c.x", {13, 1, 1}, 1},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "c.xz", "c.xz", {13, 1, 4}, 1},
    {CL_MEM_OBJECT_IMAGE2D, "image2d_t", "c.xy", "c.xy", {9, 7, 1}, 2},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "c", "c", {9, 7, 3}, 2},
    {CL_MEM_OBJECT_IMAGE3D, "image3d_t", "c", "c", {6, 5, 4}, 3},
};
enum { NUM_SHAPES = sizeof shapes / sizeof shapes[0] };

/* A coordinate inside, on an edge, halfway, or far outside. */
static float coordinate(int size, int normalized)
{
    const float about = (float)uniform(1.5 * size) + (float)size / 2;
    const float x = rand() % 3 == 0    ? rintf(about * 2) / 2
                    : rand() % 50 == 0 ? about * 1e9f
                                       : about;
    return normalized ? (rand() % 3 ? x / (float)size : rintf(x) / 4) : x;
}

static void check_sampler(const struct ocl *ocl, const struct picture *p, cl_kernel kernel,
                          cl_mem memory, struct sampling s, int integers)
{
    static float at[READS][4];
    static cl_uint out[READS][4];
    const enum colour_type type = colour_type(p->format);
    cl_int error;
    cl_sampler sampler =
        clCreateSampler(ocl->context, s.normalized, s.addressing, s.filter, &error);
    assert_success(error);
    for (int i = 0; i < READS; i++)
        for (int d = 0; d < 3; d++) {
            at[i][d] =
                d < p->sampled ? coordinate(p->size[d], s.normalized) : coordinate(p->size[d], 0);
            if (integers)
                at[i][d] = rintf(fmaxf(fminf(at[i][d], 100), -100));
            if (s.addressing == CL_ADDRESS_NONE) /* not said outside */
                at[i][d] = fmaxf(fminf(at[i][d], (float)p->size[d] - 0.75f), 0.25f);
            if (s.addressing == CL_ADDRESS_NONE && integers)
                at[i][d] = rintf(fminf(at[i][d], (float)p->size[d] - 1));
        }
    cl_mem places = ocl_buffer(ocl, sizeof at, at), colours = ocl_buffer(ocl, sizeof out, NULL);
    assert_arg(kernel, 0, colours);
    assert_arg(kernel, 1, memory);
    assert_arg(kernel, 2, sampler);
    assert_arg(kernel, 3, places);
    ocl_run(ocl, kernel, READS, 0);
    ocl_read(ocl, colours, sizeof out, out);
    for (int i = 0; i < READS; i++) {
        const struct colour expected = picture_sample(p, s, at[i]);
        for (int c = 0; c < 4; c++) {
            const double seen = unpack(type, out[i][c]);
            const double error_allowed = s.filter == CL_FILTER_LINEAR ? 4e-6 : 0;
            if (!(fabs(seen - expected.c[c]) <= error_allowed))
                fail_msg(
                    "image type 0x%x, normalized %d, address 0x%x, filter 0x%x, %s (%.9g, %.9g, "
                    "%.9g) component %d: %.9g, expected %.9g",
                    (unsigned)p->sampled, s.normalized, s.addressing, s.filter,
                    integers ? "integers" : "floats", at[i][0], at[i][1], at[i][2], c, seen,
                    expected.c[c]);
        }
    }
    assert_success(clReleaseMemObject(places));
    assert_success(clReleaseMemObject(colours));
    assert_success(clReleaseSampler(sampler));
}

/* All samplers that the standard allows for this image. */
static void check_samplers(const struct ocl *ocl, const struct shape *shape, cl_image_format format)
{
    static const char text[] =
        "__kernel void floats(__global V *o, __read_only IMAGE i, sampler_t s,\n"
        "                     __global float4 *at) {\n"
        "    size_t g = get_global_id(0); float4 c = at[g]; o[g] = READ(i, s, FLOATS); }\n"
        "__kernel void integers(__global V *o, __read_only IMAGE i, sampler_t s,\n"
        "                       __global float4 *at) {\n"
        "    size_t g = get_global_id(0); int4 c = convert_int4(at[g]); o[g] = READ(i, s, "
        "INTEGERS); }\n";
    static unsigned char texels[4096];
    struct picture p = {format, {0}, shape->sampled, texels};
    char source[2048];
    memcpy(p.size, shape->size, sizeof p.size);
    const size_t count = (size_t)(p.size[0] * p.size[1] * p.size[2]);
    const enum colour_type type = colour_type(format);
    for (size_t i = 0; i < count; i++)
        texel_encode(format, any_colour(type), texels + i * texel_bytes(format));
    snprintf(source, sizeof source, "#define IMAGE %s\n#define INTEGERS %s\n#define FLOATS %s\n%s",
             shape->name, shape->integers, shape->floats, text);
    cl_kernel floats = kernel_of(ocl, "floats", source, type);
    cl_kernel integers = kernel_of(ocl, "integers", source, type);
    cl_mem memory = image(ocl, shape->type, &p);
    for (cl_addressing_mode a = CL_ADDRESS_NONE; a <= CL_ADDRESS_MIRRORED_REPEAT; a++)
        for (cl_filter_mode f = CL_FILTER_NEAREST; f <= CL_FILTER_LINEAR; f++)
            for (cl_bool normalized = 0; normalized < 2; normalized++) {
                const struct sampling s = {normalized, a, f};
                if ((a >= CL_ADDRESS_REPEAT && !normalized) ||
                    (f == CL_FILTER_LINEAR && type != COLOUR_FLOAT) ||
                    (a == CL_ADDRESS_NONE && (normalized || f == CL_FILTER_LINEAR)))
                    continue;
                check_sampler(ocl, &p, floats, memory, s, 0);
                if (!normalized && f == CL_FILTER_NEAREST)
                    check_sampler(ocl, &p, integers, memory, s, 1);
            }
    assert_success(clReleaseMemObject(memory));
    assert_success(clReleaseKernel(floats));
    assert_success(clReleaseKernel(integers));
}

static void every_sampler_on_every_image(void **state)
{
    static const cl_image_format formats[] = {
        {CL_RGBA, CL_FLOAT},         {CL_R, CL_UNORM_INT8},          {CL_RGBA, CL_SIGNED_INT16},
        {CL_BGRA, CL_UNSIGNED_INT8}, {CL_LUMINANCE, CL_SNORM_INT16},
    };
    srand(9);
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
        for (int shape = 0; shape < NUM_SHAPES; shape++)
            check_samplers(*state, &shapes[shape], formats[f]);
}

/* Samplers may be constants of the program or of a kernel. */
static void samplers_in_the_source(void **state)
{
    static const char source[] =
        "__constant sampler_t outer = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT |\n"
        "                              CLK_FILTER_LINEAR;\n"
        "__kernel void k(__global float4 *o, __read_only image2d_t i) {\n"
        "    const sampler_t inner = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP |\n"
        "                            CLK_FILTER_NEAREST;\n"
        "    o[0] = read_imagef(i, outer, (float2)(0.0f, 1.25f)); o[1] = read_imagef(i, inner, "
        "(int2)(1, 0));\n"
        "    o[2] = read_imagef(i, inner, (int2)(-1, 0)); }\n";
    static float texels[4] = {1, 2, 4, 8};
    const struct picture p = {{CL_R, CL_FLOAT}, {2, 2, 1}, 2, (unsigned char *)texels};
    float out[3][4];
    cl_kernel kernel = ocl_kernel(*state, source, "k");
    cl_mem memory = image(*state, CL_MEM_OBJECT_IMAGE2D, &p),
           o = ocl_buffer(*state, sizeof out, NULL);
    assert_arg(kernel, 0, o);
    assert_arg(kernel, 1, memory);
    ocl_run(*state, kernel, 1, 1);
    ocl_read(*state, o, sizeof out, out);
    assert_true(out[0][0] == 1.5f && out[0][3] == 1);
    assert_true(out[1][0] == 2 && out[1][3] == 1);
    assert_true(out[2][0] == 0 && out[2][3] == 1);
    assert_success(clReleaseMemObject(memory));
    assert_success(clReleaseMemObject(o));
    assert_success(clReleaseKernel(kernel));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_is_written_and_read),
        cmocka_unit_test(required_formats_are_there),
        cmocka_unit_test(every_sampler_on_every_image),
        cmocka_unit_test(samplers_in_the_source),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
