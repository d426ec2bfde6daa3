/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/nw/nw.cl: global alignment of two sequences (Needleman, Wunsch: A General Method
 * Applicable to the Search for Similarities, J. Molecular Biology 1970): every element of the score
 * matrix is the best of its upper left neighbour plus the similarity of the two letters, and its
 * upper and left neighbours less a penalty.
 *
 * A launch computes the tiles of one anti-diagonal, 16x16 elements a work-group of 16 work-items:
 * half a warp. In local memory the group again goes along anti-diagonals, with one barrier each and
 * one to 16 lanes at work. Launches are many and small, the first and the last ones leave most SMs
 * empty, and nothing is loaded twice but the tiles' edges. */

#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
align(__global const int *similarity, __global int *score, uint pitch, int penalty, uint diagonal,
      uint first_tile)
{
    __local int similar[TILE][TILE];
    __local int best[TILE + 1][TILE + 1]; /* with the edges above and on the left */
    uint tile_x = first_tile + get_group_id(0), tile_y = diagonal - tile_x;
    uint x = get_local_id(0);
    uint corner = tile_y * TILE * pitch + tile_x * TILE; /* one up and left of the tile */
    uint top = corner + pitch + 1 + x;
    for (uint y = 0; y < TILE; y++)
        similar[y][x] = similarity[top + y * pitch];
    if (x == 0)
        best[0][0] = score[corner];
    best[x + 1][0] = score[corner + (x + 1) * pitch];
    best[0][x + 1] = score[corner + x + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 0; step < 2 * TILE - 1; step++) {
        uint y = step - x; /* huge before the lane's turn */
        if (y < TILE)
            best[y + 1][x + 1] = max(best[y][x] + similar[y][x],
                                     max(best[y + 1][x], best[y][x + 1]) - penalty);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint y = 0; y < TILE; y++)
        score[top + y * pitch] = best[y + 1][x + 1];
}
