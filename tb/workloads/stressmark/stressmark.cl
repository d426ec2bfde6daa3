/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/stressmark/stressmark.cl: each warp reads four lines in a row, then four in another place, which it draws. A read waits for none
 * of the other three. */
#define WARP 32 /* work-items that read a line of 32 words at once */

/* `places`: there are so many of four lines each. */
__kernel void stressmark(__global const uint *array, __global const uint *states,
                         __global uint *results, uint rounds, uint places)
{
    const uint id = get_global_id(0);
    uint state = states[id / WARP], sum = 0;
    for (uint round = 0; round < rounds; round++) {
        __global const uint *words = array + mul_hi(state, places) * 4 * WARP + id % WARP;
        sum += words[0] + words[WARP] + words[2 * WARP] + words[3 * WARP];
        state = state * 1664525 + 1013904223;
    }
    results[id] = sum;
}
