/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/image.h: what makes a memory object an image. To be called with the API's mutex held. */
#ifndef HEDDLE_TB_OCL_IMAGE_H
#define HEDDLE_TB_OCL_IMAGE_H

#include "tb/ocl/object.h"
#include "tb/ptx/ptx.h"

#define IMAGE_MAX_2D     16384 /* texels of a side */
#define IMAGE_MAX_3D     2048
#define IMAGE_MAX_BUFFER ((size_t)1 << 26)
#define IMAGE_MAX_LAYERS 2048
#define IMAGE_MAX_READ   128 /* arguments of a kernel */
#define IMAGE_MAX_WRITE  8

struct image {
    cl_image_format format;
    cl_image_desc desc;            /* with its pitches computed; unused dimensions are 0 */
    int dimensions;                /* coordinates of a texel, a layer's number among them */
    size_t extent[3], pitch[3];    /* of each: how many, and bytes from one to the next */
    struct ptx_texture descriptor; /* what kernels see of it */
    uint64_t address;              /* of the descriptor, for the device */
};

#define IS_BUFFER(memory) (IS_MEMORY(memory) && !(memory)->image)
#define IS_IMAGE(memory)  (IS_MEMORY(memory) && (memory)->image)

/* image_format.c */

/* Fills the parts of a descriptor that follow from the format. Returns CL_SUCCESS or the error of
 * clCreateImage. */
cl_int image_format_check(const cl_image_format *, struct ptx_texture *);

/* The number of formats; fills `formats` with the first `room` of them. */
cl_uint image_formats(cl_image_format *formats, cl_uint room);

/* A colour (four floats, ints or uints, as the format demands) as a texel of at most 16 bytes. */
void image_encode(const struct ptx_texture *, const void *colour, uint8_t texel[16]);

/* image.c: gives the descriptor and its memory back. */
void image_destroy(struct image *);

#endif
