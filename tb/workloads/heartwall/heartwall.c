/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/heartwall/heartwall.c: sample points of a beating heart, followed from frame to
 * frame. All places and the templates at the end are compared with those of the host's tracker, bit
 * by bit. */
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/verify.h"
#include "tb/workloads/heartwall/track.h"

extern const char heartwall_cl[];

#define MOST_PIXELS (1 << 28) /* of all frames */

enum { POINTS, FRAMES, PIXELS, RADIUS, REACH, BLOCK, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [POINTS] = NUMBER_OPTION("points", 1, 4096, 10, 51, 51, "sample points"),
    [FRAMES] = NUMBER_OPTION("frames", 2, 1000, 3, 3, 3, "frames"),
    [PIXELS] = NUMBER_OPTION("pixels", 3, 4096, 80, 600, 600, "rows and columns of a frame"),
    [RADIUS] = NUMBER_OPTION("radius", 1, 32, 3, 9, 25, "a template has 2 N + 1 rows and columns"),
    [REACH] = NUMBER_OPTION("reach", 0, 16, 3, 8, 8, "most columns and rows that a point moves"),
    [BLOCK] = NUMBER_OPTION("block", 1, 256, 64, 256, 256, "work-items of a work-group"),
};

struct tracker {
    struct opencl cl;
    cl_kernel capture, track;
    cl_mem frame, place[2], templates;
};

static void open_tracker(struct tracker *t, const struct heart *heart, const char *device_type)
{
    struct opencl *cl = &t->cl;
    const size_t place_bytes = 2 * (size_t)heart->points * sizeof(cl_int),
                 sums = (2 * (size_t)heart->reach + 1) *
                        (2 * (size_t)heart->reach + 2 * (size_t)heart->radius + 1);
    opencl_open(cl, device_type, heartwall_cl);
    t->capture = opencl_kernel(cl, "capture");
    t->track = opencl_kernel(cl, "track");
    t->frame = opencl_buffer(cl, CL_MEM_READ_ONLY, heart_pixels(heart) * sizeof(float), NULL);
    for (unsigned i = 0; i < 2; i++)
        t->place[i] = opencl_buffer(cl, CL_MEM_READ_WRITE, place_bytes, NULL);
    t->templates = opencl_buffer(
        cl, CL_MEM_READ_WRITE, (size_t)heart->points * heart_template(heart) * sizeof(float), NULL);
    const cl_mem buffers[] = {t->frame, t->place[0], t->templates};
    opencl_arguments(t->capture, buffers, COUNT_OF(buffers));
    OPENCL_ARGUMENT(t->capture, 3, heart->side);
    OPENCL_ARGUMENT(t->capture, 4, heart->radius);
    OPENCL_ARGUMENT(t->track, 0, t->frame);
    OPENCL_ARGUMENT(t->track, 3, t->templates);
    OPENCL_ARGUMENT(t->track, 4, heart->side);
    OPENCL_ARGUMENT(t->track, 5, heart->side);
    OPENCL_ARGUMENT(t->track, 6, heart->radius);
    OPENCL_ARGUMENT(t->track, 7, heart->reach);
    CL(clSetKernelArg(t->track, 8, sums * sizeof(float), NULL));
    CL(clSetKernelArg(t->track, 9, sums * sizeof(float), NULL));
}

static void close_tracker(struct tracker *t)
{
    const cl_mem buffers[] = {t->frame, t->place[0], t->place[1], t->templates};
    opencl_release(buffers, COUNT_OF(buffers));
    CL(clReleaseKernel(t->capture));
    CL(clReleaseKernel(t->track));
    opencl_close(&t->cl);
}

static void track(struct tracker *t, const struct heart *heart, cl_int *place, float *templates)
{
    struct opencl *cl = &t->cl;
    const size_t places = 2 * (size_t)heart->points, place_bytes = places * sizeof *place,
                 pixels = heart_pixels(heart), frame_bytes = pixels * sizeof(float),
                 template_bytes = (size_t)heart->points * heart_template(heart) * sizeof(float);
    const size_t group = (size_t)heart->block, work = (size_t)heart->points * group;
    opencl_poison(cl, t->templates, template_bytes);
    opencl_write(cl, t->place[0], place_bytes, heart->place);
    opencl_write(cl, t->frame, frame_bytes, heart->pixel);
    opencl_launch(cl, t->capture, 1, &work, &group);
    opencl_read(cl, t->place[0], place_bytes, place);
    for (size_t i = 1; i < (size_t)heart->frames; i++) {
        cl_mem from = t->place[(i - 1) % 2], to = t->place[i % 2];
        opencl_poison(cl, to, place_bytes);
        opencl_write(cl, t->frame, frame_bytes, heart->pixel + i * pixels);
        OPENCL_ARGUMENT(t->track, 1, from);
        OPENCL_ARGUMENT(t->track, 2, to);
        opencl_launch(cl, t->track, 1, &work, &group);
        opencl_read(cl, to, place_bytes, place + i * places);
    }
    opencl_read(cl, t->templates, template_bytes, templates);
}

static size_t run(struct heart *heart, const struct options *options)
{
    struct tracker t;
    const size_t places = 2 * (size_t)heart->points * (size_t)heart->frames,
                 pixels = (size_t)heart->points * heart_template(heart);
    size_t wrong = 0;
    cl_int *expected_place = allocate(places, sizeof *expected_place);
    cl_int *place = allocate(places, sizeof *place);
    float *expected_templates = allocate(pixels, sizeof *expected_templates);
    float *templates = allocate(pixels, sizeof *templates);
    open_tracker(&t, heart, options->device_type.text);
    /* before the host's own run, whose sums are in the order of a group of this size */
    heart->block = (int32_t)opencl_group(&t.cl, t.track, (size_t)heart->block);
    heart->block = (int32_t)opencl_group(&t.cl, t.capture, (size_t)heart->block);
    heart_track(heart, expected_place, expected_templates);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        track(&t, heart, place, templates);
        opencl_report(&t.cl, i, options->repeat.number);
        wrong = verify_integers("place", expected_place, place, places, stdout) +
                verify_floats("templates", heart_template(heart), expected_templates, templates,
                              pixels, 0, stdout);
    }
    close_tracker(&t);
    free(expected_place);
    free(place);
    free(expected_templates);
    free(templates);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Follows sample points of a heart's walls on an OpenCL device.", table,
                       NUM_OPTIONS);
    struct random random = {(uint64_t)options.seed.number};
    struct heart heart = {
        .side = (int32_t)options.own[PIXELS].number,
        .points = (int32_t)options.own[POINTS].number,
        .frames = (int32_t)options.own[FRAMES].number,
        .radius = (int32_t)options.own[RADIUS].number,
        .reach = (int32_t)options.own[REACH].number,
        .block = (int32_t)options.own[BLOCK].number,
    };
    int32_t least = 2 * (heart.radius + heart.reach) + 1;
    if (heart.side < least)
        fail_with(EXIT_USAGE, "--pixels=%d: expected at least %d, for the radius and the reach",
                  heart.side, least);
    if ((size_t)heart.frames * heart_pixels(&heart) > MOST_PIXELS)
        fail_with(EXIT_USAGE, "--pixels=%d --frames=%d: expected at most %d pixels in all",
                  heart.side, heart.frames, MOST_PIXELS);
    heart_make(&heart, &random);
    printf("heartwall: %d points, templates of %d x %d, %d frames of %d x %d, seed %lld\n",
           heart.points, 2 * heart.radius + 1, 2 * heart.radius + 1, heart.frames, heart.side,
           heart.side, (long long)options.seed.number);
    size_t wrong = run(&heart, &options);
    if (wrong == 0)
        printf("verified: the places of %d points in %d frames, and their templates, equal the "
               "host's bit by bit\n",
               heart.points, heart.frames);
    heart_free(&heart);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}
