/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/image_reference.h: what OpenCL 1.2 says of texels (section 5.3.1) and of samplers
 * (section 8.2), one texel at a time. */
#ifndef HEDDLE_TESTS_TB_OCL_IMAGE_REFERENCE_H
#define HEDDLE_TESTS_TB_OCL_IMAGE_REFERENCE_H

#include "tests/tb/ocl/ocl_support.h"

/* Four components, red to alpha. */
struct colour {
    double c[4];
};

/* A sampler's properties. */
struct sampling {
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
};

/* An image in host memory, without gaps. */
struct picture {
    cl_image_format format;
    int size[3]; /* 1 where there is no such dimension */
    int sampled; /* dimensions on which samplers act: behind them is a layer's number */
    unsigned char *texels;
};

/* Bytes of a texel. */
size_t texel_bytes(cl_image_format);

/* Whether colours are integers, signed or unsigned, or floats. */
enum colour_type { COLOUR_FLOAT, COLOUR_INT, COLOUR_UINT };
enum colour_type colour_type(cl_image_format);

struct colour texel_decode(cl_image_format, const unsigned char *texel);
void texel_encode(cl_image_format, struct colour, unsigned char *texel);

/* What reading at a place gives. */
struct colour picture_sample(const struct picture *, struct sampling, const float at[3]);

#endif
