/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/common/image_test.c: a texture is the same for the same seed, smooth from
 * pixel to pixel and not from end to end; pixels outside are those of the edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/image.h"

enum { WIDTH = 301, HEIGHT = 203 };

static void make(struct image *image, uint64_t seed)
{
    struct random random = {seed};
    image_texture(image, WIDTH, HEIGHT, &random);
    assert_int_equal(image->width, WIDTH);
    assert_int_equal(image->height, HEIGHT);
}

static void same_for_the_same_seed(void **state)
{
    struct image first, second, other;
    (void)state;
    make(&first, 7);
    make(&second, 7);
    make(&other, 8);
    assert_memory_equal(first.pixel, second.pixel, WIDTH * HEIGHT);
    assert_true(memcmp(first.pixel, other.pixel, WIDTH * HEIGHT) != 0);
    image_free(&first);
    image_free(&second);
    image_free(&other);
    assert_null(first.pixel);
}

/* Mean difference of pixels that are `distance` apart in x or in y. */
static unsigned contrast(const struct image *image, unsigned distance, int vertical)
{
    unsigned long sum = 0, count = 0;
    for (unsigned y = 0; y + distance < HEIGHT; y++)
        for (unsigned x = 0; x + distance < WIDTH; x++, count++) {
            unsigned far_x = vertical ? x : x + distance, far_y = vertical ? y + distance : y;
            sum += (unsigned)abs(image->pixel[y * WIDTH + x] - image->pixel[far_y * WIDTH + far_x]);
        }
    return (unsigned)(sum / count);
}

static void smooth_at_every_scale(void **state)
{
    struct image image;
    (void)state;
    make(&image, 1);
    for (int vertical = 0; vertical < 2; vertical++) {
        assert_in_range(contrast(&image, 1, vertical), 4, 10);
        assert_true(contrast(&image, 4, vertical) > contrast(&image, 1, vertical));
        assert_true(contrast(&image, 16, vertical) > contrast(&image, 4, vertical));
        assert_true(contrast(&image, 64, vertical) > contrast(&image, 16, vertical));
    }
    image_free(&image);
}

static void edges_go_on(void **state)
{
    struct image image;
    (void)state;
    make(&image, 3);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            assert_int_equal(image_at(&image, x, y), image.pixel[y * WIDTH + x]);
    assert_int_equal(image_at(&image, -1, 5), image.pixel[5 * WIDTH]);
    assert_int_equal(image_at(&image, WIDTH, 5), image.pixel[6 * WIDTH - 1]);
    assert_int_equal(image_at(&image, 9, -40), image.pixel[9]);
    assert_int_equal(image_at(&image, 9, HEIGHT), image.pixel[(HEIGHT - 1) * WIDTH + 9]);
    assert_int_equal(image_at(&image, INT64_MIN, INT64_MAX), image.pixel[(HEIGHT - 1) * WIDTH]);
    image_free(&image);
}

static void one_pixel(void **state)
{
    struct random random = {1};
    struct image image;
    (void)state;
    image_texture(&image, 1, 1, &random);
    assert_int_equal(image_at(&image, -1, 1), image.pixel[0]);
    image_free(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_the_same_seed),
        cmocka_unit_test(smooth_at_every_scale),
        cmocka_unit_test(edges_go_on),
        cmocka_unit_test(one_pixel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
