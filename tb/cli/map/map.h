/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/map/map.h: what a kernel gains at each (N, p), from the results of a sweep. */
#ifndef HEDDLE_TB_CLI_MAP_MAP_H
#define HEDDLE_TB_CLI_MAP_MAP_H

#include <stdint.h>
#include <stdio.h>

struct cell {
    int64_t n, p;
    double cycles, accesses, hits; /* the latter two of L1D */
    double speedup;                /* over (W, W) */
};

struct map_kernel {
    char *name;
    struct cell best; /* where it takes the fewest cycles; n, p, speedup are not set */
};

/* Points that differ in N and p only. Ordered by N, then p. */
struct map {
    char *label;
    struct map_kernel *kernels;
    int num_kernels;
    struct cell *cells;
    int count, missing;       /* points with and without a result */
    int64_t w;                /* the largest N */
    const struct cell *whole; /* (W, W) */
};

/* Names of the two keys, as the axes are labelled. */
struct map_axes {
    const char *n, *p;
};

struct maps {
    struct map *maps;
    int count;
};

/* Which points of the results; a NULL is no choice. */
struct map_choice {
    struct map_axes axes;
    const char *group, *workload;
    const char *kernel; /* cycles and hits of this one alone */
};

/* Reads the maps of a file of results, in the order of its points. Returns 0, or -1 with the reason
 * on stderr. */
int maps_read(struct maps *, const struct map_choice *, const char *results);

/* Orders the cells, finds (W, W) and with it what each gains. Returns 0, or -1 with the reason on stderr. */
int map_complete(struct map *);
void map_free(struct map *);

/* The point with the fewest cycles, of equals that of the largest N, then of the largest p: of all, of those with p = N or with p = 1; NULL: there is
 * none such. */
enum map_line { MAP_ALL, MAP_DIAGONAL, MAP_ONE };
const struct cell *map_best(const struct map *, enum map_line);

/* The best of each map, of all its points and of those with p = N, which is what static warp
 * limiting chooses from, and with p = 1: lines for people; or one table in Markdown of p = N, of
 * all, and of each kernel at its own best, with means over the maps. To stdout. */
void map_text(const struct map *, int count);
void map_table(const struct map *, int count, const struct map_axes *);

/* Writes the data `$mapINDEX` of a picture's script, which `with circles` draws: N, p, radius, colour, speed-up. */
void map_cells(FILE *script, const struct map *, int index);

/* Draws each map as circles, with the curves p = N and p = 1 beside it, into a .svg, .png or .pdf file.
 * Returns 0, or -1 with the reason on stderr. */
int map_picture(const struct map *, int count, const struct map_axes *, const char *path);

#endif
