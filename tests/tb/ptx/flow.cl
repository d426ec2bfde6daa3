/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/flow.cl: control flow of every shape that compilers make of C. flow.ptx is what clang-14 makes of it:
 * clang -x cl --target=nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang sm_70 -cl-std=CL1.2 -O2 -fno-unroll-loops
 *       -ffp-contract=off -S flow.cl -o flow.ptx */
#define ID (__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x())

__kernel void straight(__global float *a)
{
    a[ID] += 1.0f;
}

__kernel void early_return(__global int *a, int n)
{
    int i = ID;
    if (i >= n)
        return;
    if (a[i] == 0) {
        a[i] = 9;
        return;
    }
    a[i] = n / a[i];
}

__kernel void diamond(__global int *a, __global int *b)
{
    int i = ID;
    if (a[i] > 3)
        a[i] = b[i];
    else
        b[i] = a[i] + 1;
    b[i + 1] = 0;
}

__kernel void nested_loops(__global float *c, __global const float *a, __global const float *b, int n)
{
    int i = ID;
    for (int row = 0; row < n; row++) {
        float sum = 0;
        for (int k = 0; k < n; k++) {
            if (a[k] < b[k])
                continue;
            for (int m = k; m < n; m += 2)
                sum += a[m] * b[k];
            if (sum > 1000.0f)
                break;
        }
        c[i * n + row] = sum;
    }
}

__kernel void switches(__global int *a, int n)
{
    int i = ID;
    switch (a[i]) {
    case 0:
        a[i] = n;
        break;
    case 1:
        a[n] = i;
        break;
    case 7:
        a[0] = 1; /* falls through */
    case 8:
        a[1] = 2;
        break;
    default:
        a[2] = a[3];
    }
    a[i + 1] = 5;
}

__kernel void while_inside_do(__global long *a)
{
    int i = ID;
    long x = a[i];
    do {
        x += x >> 3;
        if (x == 7)
            continue;
        while (x & 2)
            x >>= 1;
    } while (x < 100);
    a[i] = x;
}

__kernel void endless(__global volatile int *a)
{
    int i = ID;
    while (1) {
        if (a[i])
            a[i] = 1;
        else
            a[i + 1] = 2;
        a[i + 2] = 3;
    }
}
