/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/lbm/lbm.cl: one step of the lattice-Boltzmann method, D3Q19 with a single relaxation
 * time (Qian, d'Humieres, Lallemand: Lattice BGK Models for Navier-Stokes Equation, Europhys. Lett.
 * 1992). A cell has 19 populations, one for each velocity; the lattice is 19 arrays, one a
 * velocity.
 *
 * One work-item a cell, one work-group a row along x. A work-item gathers the populations that
 * stream to it from its 18 neighbours, lets them collide and stores 19 new ones: 152 bytes a cell
 * and step, hardly any of them used twice by the same warp, 19 loads in flight and over 40
 * registers. A load from x - 1 or x + 1 straddles two lines, and the other part of each belongs to
 * the next warp of the same block: how far apart those warps run decides whether they find it in
 * L1D, or in its MSHRs, or fetch it again. Walls reflect, the lid's cells move (a lid-driven
 * cavity), so few warps diverge. */
#pragma OPENCL FP_CONTRACT OFF

enum { FLUID, WALL, LID };

/* D(number, its opposite, x, y, z, weight): first the one at rest, then along the axes, then along
 * the diagonals of the planes. */
#define REST     (1.0f / 3.0f)
#define AXIS     (1.0f / 18.0f)
#define DIAGONAL (1.0f / 36.0f)
#define VELOCITIES                                                                                 \
    D(0, 0, 0, 0, 0, REST)                                                                         \
    D(1, 2, 1, 0, 0, AXIS)                                                                         \
    D(2, 1, -1, 0, 0, AXIS)                                                                        \
    D(3, 4, 0, 1, 0, AXIS)                                                                         \
    D(4, 3, 0, -1, 0, AXIS)                                                                        \
    D(5, 6, 0, 0, 1, AXIS)                                                                         \
    D(6, 5, 0, 0, -1, AXIS)                                                                        \
    D(7, 8, 1, 1, 0, DIAGONAL)                                                                     \
    D(8, 7, -1, -1, 0, DIAGONAL)                                                                   \
    D(9, 10, 1, -1, 0, DIAGONAL)                                                                   \
    D(10, 9, -1, 1, 0, DIAGONAL)                                                                   \
    D(11, 12, 1, 0, 1, DIAGONAL)                                                                   \
    D(12, 11, -1, 0, -1, DIAGONAL)                                                                 \
    D(13, 14, 1, 0, -1, DIAGONAL)                                                                  \
    D(14, 13, -1, 0, 1, DIAGONAL)                                                                  \
    D(15, 16, 0, 1, 1, DIAGONAL)                                                                   \
    D(16, 15, 0, -1, -1, DIAGONAL)                                                                 \
    D(17, 18, 0, 1, -1, DIAGONAL)                                                                  \
    D(18, 17, 0, -1, 1, DIAGONAL)

/* CELLS: the populations of a cell stand side by side instead, at the beginning of its 20 words: a load of a warp touches 20 lines, and
 * the loads of the others in the same cells find parts of the same lines. */
#ifdef CELLS
#define GATHERED(i, x, y, z) in[(at - (x + y * row + z * plane)) * 20 + i]
#define STORED(i)            out[at * 20 + i]
#else
#define GATHERED(i, x, y, z) in[i * stride + at - (x + y * row + z * plane)]
#define STORED(i)            out[i * stride + at]
#endif

/* sign * value for a sign of -1, 0 or 1 that the compiler knows; adding nothing adds -0, which
 * leaves every number as it is. */
float along(int sign, float value)
{
    return sign > 0 ? value : sign < 0 ? -value : -0.0f;
}

/* Cells have a margin in front of them and behind them, so that walls may gather from there.
 * `stride`: from one velocity's array to the next. */
__kernel void lbm(__global const float *in, __global float *out, __global const uchar *kind,
                  uint margin, uint stride, float omega, float lid_x, float lid_z)
{
    int row = get_global_size(0), plane = row * get_global_size(1);
    int cell = plane * get_global_id(2) + row * get_global_id(1) + get_global_id(0);
    int at = margin + cell;
    float f[19], density = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
#define D(i, opposite, x, y, z, weight)                                                            \
    f[i] = GATHERED(i, x, y, z);                                                                   \
    density += f[i];                                                                               \
    ux += along(x, f[i]);                                                                          \
    uy += along(y, f[i]);                                                                          \
    uz += along(z, f[i]);
    VELOCITIES
#undef D
    if (kind[cell] == WALL) {
#define D(i, opposite, x, y, z, weight) STORED(opposite) = f[i];
        VELOCITIES
#undef D
        return;
    }
    float inverse = 1.0f / density;
    ux *= inverse;
    uy *= inverse;
    uz *= inverse;
    if (kind[cell] == LID) {
        ux = lid_x;
        uy = 0.0f;
        uz = lid_z;
    }
    float square = 1.5f * (ux * ux + uy * uy + uz * uz), weighted = omega * density;
#define D(i, opposite, x, y, z, weight)                                                            \
    {                                                                                              \
        float u = along(x, ux) + along(y, uy) + along(z, uz);                                      \
        STORED(i) =                                                                                \
            (1.0f - omega) * f[i] + weight * weighted * (1.0f + u * (4.5f * u + 3.0f) - square);   \
    }
    VELOCITIES
#undef D
}
