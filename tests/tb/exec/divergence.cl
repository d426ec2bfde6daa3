/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/divergence.cl: kernels that call the functions of divergence.inc. divergence.ptx comes from it by
 *   clang -x cl -cl-std=CL1.2 --target=nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang sm_70 -O2 -fno-unroll-loops \
 *         -ffp-contract=off -S tests/tb/exec/divergence.cl -I. -o tests/tb/exec/divergence.ptx */
#define FUNCTION(name)                                                                                       \
    static unsigned name##_of(unsigned x);                                                                   \
    kernel void name(global const unsigned *in, global unsigned *out)                                        \
    {                                                                                                        \
        unsigned i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x(); \
        out[i] = name##_of(in[i]);                                                                           \
    }                                                                                                        \
    static __attribute__((always_inline)) unsigned name##_of(unsigned x)
#include "tests/tb/exec/divergence.inc"
