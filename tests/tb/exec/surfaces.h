/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/surfaces.h: a surface, one instruction on it that many threads execute, and where
 * in the image it must lead them. */
#ifndef HEDDLE_TESTS_TB_EXEC_SURFACES_H
#define HEDDLE_TESTS_TB_EXEC_SURFACES_H

#include "tests/tb/exec/support.h"

enum { WIDTH = 8, HEIGHT = 4, DEPTH = 3, ROW = 160, SLICE = 640, BYTES = DEPTH * SLICE };
enum { THREADS = 256, NUM_GEOMETRIES = 6 };

extern const struct surface_geometry {
    const char *name, *coordinates; /* the coordinates are %r2 to %r5 */
    int axes, layers;
} surface_geometries[NUM_GEOMETRIES];

enum { TRAP, CLAMP, ZERO };
extern const char *const surface_modes[];

/* One kernel with one instruction, on registers %h, %r or %d 11 to 14, which come from `given` and
 * of which %d go to `results`. The surface is parameter t and %d4; there are a .surfref `named` and
 * a .samplerref `sampling`. */
struct surface_bench {
    struct program program;
    struct ptx_texture surface;
    uint64_t descriptor, texels, in, values, out;
    uint8_t *image, *before; /* `before` is the test's own copy */
    int32_t (*coordinates)[4];
    uint64_t (*given)[4], (*results)[4];
};
void surface_open(struct surface_bench *, const char *instruction);
void surface_close(struct surface_bench *);

/* Writes the descriptor of an image whose texels have so many bytes. */
void surface_bind(struct surface_bench *, uint64_t descriptor, uint32_t bytes, uint32_t kind);

/* Coordinates in full bounds where `inside`, else around them. There are so many places in a row; x
 * comes in units of `step`. */
void surface_place(struct surface_bench *, const struct surface_geometry *, int inside, int places,
                   int step);

/* The byte of the image at which a thread's access begins, `unit` bytes to one of x; -1: nowhere. A
 * layer is unsigned. */
int surface_plain(const struct surface_bench *, const struct surface_geometry *, int thread,
                  int mode, int places, int step, int unit);

/* Returns program_run's value; or fails the test. */
int surface_run(const struct surface_bench *, struct exec_fault *);
void surface_run_well(const struct surface_bench *, const char *what);

#endif
