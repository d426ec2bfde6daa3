/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/arithmetic.cl: integers and floats of every width. arithmetic.ptx is what clang-14 makes of it:
 * clang -x cl --target=nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang sm_70 -cl-std=CL1.2 -O2 -fno-unroll-loops
 *       -ffp-contract=off -S arithmetic.cl -o arithmetic.ptx */
#define TID __nvvm_read_ptx_sreg_tid_x()

__kernel void floats(__global float *a, float x)
{
    uint i = TID;
    float f = a[i];
    a[i] = __nvvm_sqrt_rn_f(f) / x;
    a[i + 1] = __nvvm_ex2_approx_f(f) + __nvvm_lg2_approx_f(x);
    a[i + 2] = __nvvm_sin_approx_f(f) * __nvvm_cos_approx_f(x) - __nvvm_rsqrt_approx_f(f);
    a[i + 3] = __nvvm_fma_rn_f(f, x, f);
    a[i + 4] = __nvvm_fabs_f(f) < 3.0f ? -x : f;
    a[i + 5] = (float)(int)f + (float)(uint)x + (float)(long)f;
    a[i + 6] = __nvvm_rcp_rn_f(f);
}

__kernel void doubles(__global double *a, double x)
{
    uint i = TID;
    double d = a[i];
    a[i] = d / x + 1.25;
    a[i + 1] = __nvvm_sqrt_rn_d(d) - __nvvm_fma_rn_d(d, x, d);
    a[i + 2] = (float)d;
    a[i + 3] = (int)x;
    a[i + 4] = d > x ? d : -x;
}

__kernel void integers(__global int *a, __global long *b, __global short *s, int n)
{
    uint i = TID;
    int x = a[i];
    a[i] = x / n + x % n;
    a[i + 1] = (uint)x / (uint)n;
    a[i + 2] = x > n ? x : n;
    a[i + 3] = __nvvm_mulhi_i(x, n) ^ ~x;
    a[i + 4] = __builtin_popcount(x) + __builtin_clz(n);
    a[i + 5] = (x << 5) | ((uint)x >> 27);
    a[i + 6] = (x >> 3) & 0x1f;
    b[i] = b[i] * n + ((long)x << n);
    b[i + 1] = (long)x * n;
    s[i] = s[i + 1] * s[i + 2] + 3;
    s[i + 3] = -s[i];
}
