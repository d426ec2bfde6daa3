/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/phases/phases.cl: rounds of two phases: arithmetic in registers, then reads of a table, each of a place that the
 * cache does not have. */
__kernel void phases(__global const uint *table, __global uint *results, uint rounds,
                     uint additions, uint reads, uint mask)
{
    const uint id = get_global_id(0);
    uint at = id * 8 & mask, sum = id;
    for (uint round = 0; round < rounds; round++) {
        for (uint i = 0; i < additions; i++)
            sum = sum * 1664525 + 1013904223;
        for (uint i = 0; i < reads; i++) {
            sum += table[at];
            at = (at + 8 * get_global_size(0) + 8) & mask;
        }
    }
    results[id] = sum;
}
