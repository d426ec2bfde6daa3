/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/vecadd/vecadd.cl: c = a + b. The launch is padded to whole work-groups: the guard
 * keeps the rest out. */
__kernel void vecadd(__global const float *a, __global const float *b, __global float *c,
                     uint count)
{
    size_t i = get_global_id(0);
    if (i < count)
        c[i] = a[i] + b[i];
}
