/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/image.c: images, and what is asked of them. An image is a memory object with texels in
 * rows, and a descriptor in device memory, by which kernels know it. CL_MEM_USE_HOST_PTR keeps the
 * program's pitches; others have none to spare. */
#include "tb/ocl/image.h"

#include <stdlib.h>
#include <string.h>

#include "tb/ocl/info.h"
#include "tb/ocl/machine.h"
#include "tb/ocl/memory.h"

void image_destroy(struct image *image)
{
    if (image->address && machine_if_open())
        gmem_free(gpu_memory(machine_if_open()), image->address);
    free(image);
}

/* What each type has: coordinates, and the largest of each; a layer's number is the last. */
static const struct kind {
    cl_mem_object_type type;
    int dimensions, has_layers;
    size_t most[3];
} kinds[] = {
    {CL_MEM_OBJECT_IMAGE1D, 1, 0, {IMAGE_MAX_2D, 0, 0}},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, 1, 0, {IMAGE_MAX_BUFFER, 0, 0}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, 2, 1, {IMAGE_MAX_2D, IMAGE_MAX_LAYERS, 0}},
    {CL_MEM_OBJECT_IMAGE2D, 2, 0, {IMAGE_MAX_2D, IMAGE_MAX_2D, 0}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, 3, 1, {IMAGE_MAX_2D, IMAGE_MAX_2D, IMAGE_MAX_LAYERS}},
    {CL_MEM_OBJECT_IMAGE3D, 3, 0, {IMAGE_MAX_3D, IMAGE_MAX_3D, IMAGE_MAX_3D}},
};

static const struct kind *kind_of(cl_mem_object_type type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].type == type)
            return &kinds[i];
    return NULL;
}

/* Takes the dimensions that the type has. */
static cl_int take_extent(struct image *image, const struct kind *kind)
{
    cl_image_desc *d = &image->desc;
    const size_t given[3] = {d->image_width, d->image_height, d->image_depth};
    for (int i = 0; i < 3; i++) {
        const int is_layer = kind->has_layers && i == kind->dimensions - 1;
        const size_t size = i >= kind->dimensions ? 1 : is_layer ? d->image_array_size : given[i];
        if (size == 0)
            return CL_INVALID_IMAGE_DESCRIPTOR;
        if (i < kind->dimensions && size > kind->most[i])
            return CL_INVALID_IMAGE_SIZE;
        image->extent[i] = size;
    }
    image->dimensions = kind->dimensions;
    d->image_height = kind->dimensions - kind->has_layers > 1 ? given[1] : 0;
    d->image_depth = kind->dimensions - kind->has_layers > 2 ? given[2] : 0;
    d->image_array_size = kind->has_layers ? d->image_array_size : 0;
    return CL_SUCCESS;
}

/* Rows of one slice or layer, and how many of those there are. */
static size_t rows(const cl_image_desc *d)
{
    return d->image_height ? d->image_height : 1;
}

static size_t slices(const cl_image_desc *d)
{
    return d->image_depth ? d->image_depth : d->image_array_size ? d->image_array_size : 1;
}

/* Checks given pitches, and fills in what is left open. Only the program's own memory has any. */
static cl_int take_pitches(cl_image_desc *d, size_t texel_bytes, const void *host_ptr)
{
    const size_t row = d->image_width * texel_bytes;
    const int has_slices = d->image_depth || d->image_array_size;
    if (!host_ptr && (d->image_row_pitch || d->image_slice_pitch))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (d->image_row_pitch == 0)
        d->image_row_pitch = row;
    size_t slice;
    if (d->image_row_pitch < row || d->image_row_pitch % texel_bytes ||
        __builtin_mul_overflow(d->image_row_pitch, rows(d), &slice))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (!has_slices)
        d->image_slice_pitch = 0;
    else if (d->image_slice_pitch == 0)
        d->image_slice_pitch = slice;
    else if (d->image_slice_pitch < slice || d->image_slice_pitch % d->image_row_pitch)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    return CL_SUCCESS;
}

/* Checks format and descriptor into *image; its pitches are those of host_ptr. */
static cl_int describe(struct image *image, const cl_image_format *format,
                       const cl_image_desc *desc, const void *host_ptr)
{
    const cl_int error = image_format_check(format, &image->descriptor);
    if (error != CL_SUCCESS)
        return error;
    const struct kind *kind = desc ? kind_of(desc->image_type) : NULL;
    if (!kind || desc->num_mip_levels || desc->num_samples ||
        (desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) != (desc->buffer != NULL))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    image->format = *format;
    image->desc = *desc;
    const cl_int extent = take_extent(image, kind);
    return extent == CL_SUCCESS
               ? take_pitches(&image->desc, image->descriptor.texel_bytes, host_ptr)
               : extent;
}

/* Takes an image's own copy of the program's texels, which lie in other pitches. */
static void copy_texels(uint8_t *to, const cl_image_desc *d, size_t texel_bytes, const void *from,
                        size_t row_pitch, size_t slice_pitch)
{
    for (size_t z = 0; z < slices(d); z++)
        for (size_t y = 0; y < rows(d); y++)
            memcpy(to + z * d->image_slice_pitch + y * d->image_row_pitch,
                   (const char *)from + z * slice_pitch + y * row_pitch,
                   d->image_width * texel_bytes);
}

/* Makes the memory of an image that is not made of a buffer. */
static cl_mem make_memory(cl_context context, cl_mem_flags flags, struct image *image,
                          void *host_ptr, cl_int *error)
{
    cl_image_desc *d = &image->desc;
    const size_t texel_bytes = image->descriptor.texel_bytes;
    const size_t row_pitch = d->image_row_pitch, slice_pitch = d->image_slice_pitch;
    void *const used = flags & CL_MEM_USE_HOST_PTR ? host_ptr : NULL;
    if (!used) { /* without gaps */
        d->image_row_pitch = d->image_width * texel_bytes;
        d->image_slice_pitch = slice_pitch ? d->image_row_pitch * rows(d) : 0;
    }
    size_t bytes;
    if (__builtin_mul_overflow(slice_pitch ? d->image_slice_pitch : d->image_row_pitch,
                               slice_pitch ? slices(d) : rows(d), &bytes))
        return fail(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    cl_mem memory = mem_object_new(context, flags, bytes, used, error);
    if (memory && (flags & CL_MEM_COPY_HOST_PTR))
        copy_texels(memory->bytes, d, texel_bytes, host_ptr, row_pitch, slice_pitch);
    return memory;
}

/* Writes the descriptor into device memory. */
static cl_int publish(cl_mem memory, struct image *image)
{
    const cl_image_desc *d = &image->desc;
    struct ptx_texture *out = &image->descriptor;
    struct gmem *gmem = gpu_memory(machine());
    const int layer_is_row = d->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    image->pitch[0] = out->texel_bytes;
    image->pitch[1] = layer_is_row ? d->image_slice_pitch : d->image_row_pitch;
    image->pitch[2] = d->image_slice_pitch;
    out->texels = memory->address;
    out->row_pitch = d->image_row_pitch;
    out->slice_pitch = d->image_slice_pitch;
    out->width = (cl_int)d->image_width;
    out->height = (cl_int)rows(d);
    out->depth = (cl_int)slices(d);
    image->address = gmem_alloc(gmem, sizeof *out, NULL);
    if (!image->address)
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    memcpy(gmem_host(gmem, image->address, sizeof *out), out, sizeof *out);
    return CL_SUCCESS;
}

/* Makes the memory object of a described image, which it owns then. */
static cl_mem make_image(cl_context context, cl_mem_flags flags, struct image *image,
                         void *host_ptr, cl_int *error)
{
    cl_mem buffer = image->desc.buffer;
    cl_mem memory;
    if (!buffer) {
        memory = make_memory(context, flags, image, host_ptr, error);
    } else if (!IS_BUFFER(buffer) || buffer->context != context ||
               image->desc.image_row_pitch > buffer->size) {
        return fail(error, CL_INVALID_IMAGE_DESCRIPTOR);
    } else {
        memory = mem_object_part(buffer, flags, 0, image->desc.image_row_pitch, error);
    }
    if (!memory)
        return NULL;
    const cl_int published = publish(memory, image);
    if (published == CL_SUCCESS) {
        memory->image = image;
        return memory;
    }
    object_abandon(memory);
    return fail(error, published);
}

static cl_mem create(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                     const cl_image_desc *desc, void *host_ptr, cl_int *error_ret)
{
    if (!IS_CONTEXT(context))
        return fail(error_ret, CL_INVALID_CONTEXT);
    if (!mem_object_flags_valid(flags))
        return fail(error_ret, CL_INVALID_VALUE);
    struct image *image = calloc(1, sizeof *image);
    if (!image)
        return fail(error_ret, CL_OUT_OF_HOST_MEMORY);
    cl_int error = describe(image, format, desc, host_ptr);
    if (error == CL_SUCCESS && !mem_object_host_ptr_valid(flags, host_ptr))
        error = CL_INVALID_HOST_PTR;
    cl_mem memory =
        error == CL_SUCCESS ? make_image(context, flags, image, host_ptr, &error) : NULL;
    if (memory)
        return made(error_ret, memory);
    free(image);
    return fail(error_ret, error);
}

cl_mem ocl_CreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                       const cl_image_desc *desc, void *host_ptr, cl_int *error_ret)
{
    API_ENTER;
    return create(context, flags, format, desc, host_ptr, error_ret);
}

/* The calls of OpenCL 1.0 know one error for everything that is wrong with dimensions and pitches.
 */
static cl_mem create_old(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                         const cl_image_desc *desc, void *host_ptr, cl_int *error_ret)
{
    cl_int error = CL_SUCCESS;
    cl_mem memory = create(context, flags, format, desc, host_ptr, &error);
    if (memory)
        return made(error_ret, memory);
    return fail(error_ret, error == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : error);
}

cl_mem ocl_CreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                         size_t width, size_t height, size_t row_pitch, void *host_ptr,
                         cl_int *error_ret)
{
    API_ENTER;
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = width,
                                .image_height = height,
                                .image_row_pitch = row_pitch};
    return create_old(context, flags, format, &desc, host_ptr, error_ret);
}

cl_mem ocl_CreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                         size_t width, size_t height, size_t depth, size_t row_pitch,
                         size_t slice_pitch, void *host_ptr, cl_int *error_ret)
{
    API_ENTER;
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                .image_width = width,
                                .image_height = height,
                                .image_depth = depth > 1 ? depth : 0, /* 1 was not allowed */
                                .image_row_pitch = row_pitch,
                                .image_slice_pitch = slice_pitch};
    return create_old(context, flags, format, &desc, host_ptr, error_ret);
}

cl_int ocl_GetImageInfo(cl_mem memory, cl_image_info name, size_t size, void *value,
                        size_t *size_ret)
{
    API_ENTER;
    const struct info out = {size, value, size_ret};
    if (!IS_IMAGE(memory))
        return CL_INVALID_MEM_OBJECT;
    const struct image *image = memory->image;
    const cl_image_desc *d = &image->desc;
    switch (name) {
    case CL_IMAGE_FORMAT: return info_bytes(out, &image->format, sizeof image->format);
    case CL_IMAGE_ELEMENT_SIZE: return INFO(out, size_t, image->descriptor.texel_bytes);
    case CL_IMAGE_ROW_PITCH: return INFO(out, size_t, d->image_row_pitch);
    case CL_IMAGE_SLICE_PITCH: return INFO(out, size_t, d->image_slice_pitch);
    case CL_IMAGE_WIDTH: return INFO(out, size_t, d->image_width);
    case CL_IMAGE_HEIGHT: return INFO(out, size_t, d->image_height);
    case CL_IMAGE_DEPTH: return INFO(out, size_t, d->image_depth);
    case CL_IMAGE_ARRAY_SIZE: return INFO(out, size_t, d->image_array_size);
    case CL_IMAGE_BUFFER: return INFO(out, cl_mem, d->buffer);
    case CL_IMAGE_NUM_MIP_LEVELS:
    case CL_IMAGE_NUM_SAMPLES: return INFO(out, cl_uint, 0);
    default: return CL_INVALID_VALUE;
    }
}

cl_int ocl_GetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                    cl_uint num_entries, cl_image_format *formats,
                                    cl_uint *num_formats)
{
    API_ENTER;
    if (!IS_CONTEXT(context))
        return CL_INVALID_CONTEXT;
    if (!mem_object_flags_valid(flags) || !kind_of(type) || (formats && num_entries == 0))
        return CL_INVALID_VALUE;
    const cl_uint count = image_formats(formats, formats ? num_entries : 0);
    if (num_formats)
        *num_formats = count;
    return CL_SUCCESS;
}
