/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/kmeans/kmeans.cl: points row by row: neighbouring lanes are `features` floats apart, a
 * warp's load touches a line or more for each lane, the inner loop walks along those lines, and the
 * outer loop comes back to them for the next centre. A few warps' lines fill L1D, so it is for the
 * scheduler to keep them there. kmeans_columns turns the features around. */
uint place_of(uint point, uint f, uint points, uint features)
{
    return point * features + f;
}
