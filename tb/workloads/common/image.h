/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/image.h: grey images, and a random texture to fill one. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_IMAGE_H
#define HEDDLE_TB_WORKLOADS_COMMON_IMAGE_H

#include <stdint.h>

#include "tb/workloads/common/random.h"

#define IMAGE_WHITE 255

struct image {
    uint32_t width, height; /* at least 1 */
    uint8_t *pixel;         /* row by row, 0 .. IMAGE_WHITE */
};

/* Makes *image: random grey values on four lattices, 64, 16, 4 and 1 pixels apart, each with half
 * the contrast of the one before, interpolated between their points and added (value noise).
 * Neighbouring pixels are alike and distant ones are not, at several scales, as in a photograph. */
void image_texture(struct image *image, uint32_t width, uint32_t height, struct random *random);

/* The pixel at (x, y); outside the image, the nearest one. */
uint8_t image_at(const struct image *image, int64_t x, int64_t y);

void image_free(struct image *image);

#endif
