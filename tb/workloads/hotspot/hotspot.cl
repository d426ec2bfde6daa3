/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/hotspot/hotspot.cl: heat in a chip, by explicit steps on a grid (Huang et al.:
 * HotSpot: A Compact Thermal Modeling Methodology, IEEE Trans. VLSI 2006): a cell gains its power
 * and what its four neighbours and the air around are warmer by, each times a conductance.
 *
 * A launch does `steps` steps. A work-group loads 16x16 temperatures into local memory; with each
 * step the part of the tile that it knows shrinks by one cell on all sides (a pyramid), so
 * neighbouring groups overlap by twice `halo` cells and load the same lines again. Two barriers
 * a step, and lanes at the tile's edge that go idle; between SMs the overlap is all that is shared.
 *
 * Products are not contracted, so that the host can repeat the steps bit by bit. */
#pragma OPENCL FP_CONTRACT OFF

#define TILE 16

/* Conductances, in a step. Twice the first two and the third stay below one: nothing grows. */
#define ALONG_ROW 0.1f
#define ALONG_COLUMN 0.15f
#define TO_AIR 0.002f
#define AIR 80.0f

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
hotspot(__global const float *power, __global const float *from, __global float *to, int columns,
        int rows, int steps, int halo)
{
    __local float heat[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int column = (int)get_group_id(0) * (TILE - 2 * halo) - halo + x;
    int row = (int)get_group_id(1) * (TILE - 2 * halo) - halo + y;
    /* A cell at the chip's edge meets itself in place of the neighbour that it lacks. */
    int west = column == 0 ? x : x - 1, east = column == columns - 1 ? x : x + 1;
    int north = row == 0 ? y : y - 1, south = row == rows - 1 ? y : y + 1;
    int cell = row * columns + column;
    /* Steps for which the tile holds all that the cell needs. */
    int reach = min(min(x, TILE - 1 - x), min(y, TILE - 1 - y));
    float gain = 0.0f;
    if (column < 0 || column >= columns || row < 0 || row >= rows) {
        reach = -1;
    } else {
        heat[y][x] = from[cell];
        gain = power[cell];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step <= steps; step++) {
        float next = 0.0f;
        if (step <= reach) {
            float here = heat[y][x];
            next = here + (gain +
                           (heat[north][x] + heat[south][x] - 2.0f * here) * ALONG_COLUMN +
                           (heat[y][west] + heat[y][east] - 2.0f * here) * ALONG_ROW +
                           (AIR - here) * TO_AIR);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (step <= reach)
            heat[y][x] = next;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (halo <= reach)
        to[cell] = heat[y][x];
}
