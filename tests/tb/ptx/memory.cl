/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/memory.cl: every space, width and kind of parameter. memory.ptx is what clang-14 makes of it:
 * clang -x cl --target=nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang sm_70 -cl-std=CL1.2 -O2 -fno-unroll-loops
 *       -ffp-contract=off -S memory.cl -o memory.ptx */
#define TID __nvvm_read_ptx_sreg_tid_x()

struct pair {
    int a;
    float b[4];
    double d;
};

__constant int table[4] = {1, 2, 3, -4};
__constant float weights[2] = {0.5f, -2.0f};

__kernel void parameters(__global float *out, __constant float *in, __local int *scratch, struct pair s, char c, uint n,
                         float4 v)
{
    uint i = TID;
    scratch[i] = s.a + c;
    out[i] = in[i] * s.b[i & 3] + v.z + table[i & 3] + weights[n & 1];
    out[i + n] = (float)s.d;
}

__kernel void spaces(__global char4 *a, __global long *b, __global volatile int *flag, int n)
{
    __local int ints[64];
    __local double doubles[32];
    int mine[16];
    uint i = TID;
    for (int j = 0; j < 16; j++)
        mine[j] = b[j];
    ints[i] = i;
    doubles[i & 31] = i;
    __nvvm_bar_sync(0);
    a[i] = a[i + 1] + (char4)(mine[i & 15]);
    b[i] = ints[63 - i] / n + __sync_fetch_and_add((__global int *)b, 3) + (int)doubles[i & 15];
    *flag = 1;
    *(__global uchar *)(b + i) = b[i + 2];
}

__kernel void dynamic(__global float2 *a, __local float2 *buffer)
{
    uint i = TID;
    buffer[i] = a[i];
    __nvvm_bar_sync(0);
    a[i] = buffer[i ^ 1];
}

__kernel void atomics(__global int *g, __global uint *u, __local int *l)
{
    uint i = TID;
    l[i] = __sync_fetch_and_or(g, 4);
    __sync_fetch_and_min(g, 4);
    __sync_fetch_and_umax(u, i);
    g[i] = __sync_val_compare_and_swap(l, 1, 2);
}
