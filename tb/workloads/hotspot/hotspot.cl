/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/hotspot/hotspot.cl: heat in a chip, by explicit steps on a grid (Huang et al.:
 * HotSpot: A Compact Thermal Modeling Methodology, IEEE Trans. VLSI 2006): a cell gains its power
 * and what its four neighbours and the air around are warmer by, each times a conductance.
 *
 * A launch does `steps` steps. A work-group loads 16x16 temperatures and powers into local memory;
 * with each step the part of the tile that it knows shrinks by one cell on all sides (a pyramid),
 * so neighbouring groups overlap by twice `halo` cells and load the same lines again. Two barriers
 * a step, and lanes at the tile's edge that go idle; between SMs the overlap is all that is shared.
 *
 * Products are not contracted, so that the host can repeat the steps bit by bit. */
#pragma OPENCL FP_CONTRACT OFF

#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
hotspot(__global const float *power, __global const float *from, __global float *to, int columns,
        int rows, int steps, int halo, float along_row, float along_column, float to_air, float air)
{
    __local float heat[TILE][TILE];
    __local float gain[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int column = (int)get_group_id(0) * (TILE - 2 * halo) - halo + x;
    int row = (int)get_group_id(1) * (TILE - 2 * halo) - halo + y;
    int inside = column >= 0 && column < columns && row >= 0 && row < rows;
    /* A cell at the chip's edge meets itself in place of the neighbour that it lacks. */
    int west = column == 0 ? x : x - 1, east = column == columns - 1 ? x : x + 1;
    int north = row == 0 ? y : y - 1, south = row == rows - 1 ? y : y + 1;
    if (inside) {
        heat[y][x] = from[row * columns + column];
        gain[y][x] = power[row * columns + column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step <= steps; step++) {
        int known = inside && x >= step && x < TILE - step && y >= step && y < TILE - step;
        float next = 0.0f;
        if (known) {
            float here = heat[y][x];
            next = here + (gain[y][x] +
                           (heat[north][x] + heat[south][x] - 2.0f * here) * along_column +
                           (heat[y][west] + heat[y][east] - 2.0f * here) * along_row +
                           (air - here) * to_air);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (known)
            heat[y][x] = next;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (inside && x >= halo && x < TILE - halo && y >= halo && y < TILE - halo)
        to[row * columns + column] = heat[y][x];
}
