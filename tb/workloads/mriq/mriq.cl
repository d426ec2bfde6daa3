/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/mriq/mriq.cl: the matrix Q of non-Cartesian magnetic resonance imaging: for every
 * voxel x the sum over all samples k of |phi(k)|^2 (cos 2 pi k.x + i sin 2 pi k.x) (Stone et al.:
 * Accelerating Advanced MRI Reconstructions on GPUs, J. Parallel Distrib. Comput. 2008).
 *
 * One work-item a voxel: its sums stay in registers while all work-items walk the same samples in
 * constant memory, one broadcast a load, without divergence and with nothing that a cache could
 * lose. Two special functions a sample keep the few lanes of the SFU busy, and both wait for the
 * phase: warps stall for the results of arithmetic. Samples come in pieces that fit into constant
 * memory, one launch each, which add to Q. */
#define TWO_PI 6.2831853f

/* |phi|^2 of every sample. */
__kernel void magnitudes(__global const float *real, __global const float *imaginary,
                         __global float *magnitude, uint count)
{
    uint k = get_global_id(0);
    if (k < count)
        magnitude[k] = real[k] * real[k] + imaginary[k] * imaginary[k];
}

/* Adds `count` samples, (kx, ky, kz, |phi|^2) each. */
__kernel void add_samples(__constant const float4 *samples, __global const float *x,
                          __global const float *y, __global const float *z, __global float *q_real,
                          __global float *q_imaginary, uint voxels, uint count)
{
    uint i = get_global_id(0);
    if (i >= voxels)
        return;
    float px = x[i], py = y[i], pz = z[i], real = q_real[i], imaginary = q_imaginary[i];
    for (uint k = 0; k < count; k++) {
        float4 sample = samples[k];
        float phase = TWO_PI * (sample.x * px + sample.y * py + sample.z * pz);
        real += sample.w * native_cos(phase);
        imaginary += sample.w * native_sin(phase);
    }
    q_real[i] = real;
    q_imaginary[i] = imaginary;
}
