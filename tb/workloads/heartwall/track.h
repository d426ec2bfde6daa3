/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/heartwall/track.h: a beating heart, and where its sample points go. */
#ifndef HEDDLE_TB_WORKLOADS_HEARTWALL_TRACK_H
#define HEDDLE_TB_WORKLOADS_HEARTWALL_TRACK_H

#include <stddef.h>
#include <stdint.h>

#include "tb/workloads/common/random.h"

struct heart {
    int32_t side, points, frames; /* frames have `side` rows and columns; the first is frame 0 */
    int32_t radius, reach, block; /* of a template, of a search; work-items of a point */
    float *pixel;                 /* frame by frame, row by row, whole numbers 0 .. 255 */
    int32_t *place;               /* of every point in frame 0: column, row */
};

size_t heart_pixels(const struct heart *heart);   /* of a frame */
size_t heart_template(const struct heart *heart); /* pixels of a point's template */

/* Makes pixels and places from the numbers above: a texture that grows and shrinks from frame to
 * frame, with noise, and points on two rings, two fifths of them on the inner one. */
void heart_make(struct heart *heart, struct random *random);
void heart_free(struct heart *heart);

/* Follows the points. place: for every frame, of every point, column and row; templates: at the
 * end. */
void heart_track(const struct heart *heart, int32_t *place, float *templates);

#endif
