/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/recursion.cu: kernels that call the functions of recursion.inc. recursion.ptx comes from it by
 *   clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -O2 -fno-unroll-loops -ffp-contract=off \
 *         -S tests/tb/exec/recursion.cu -I. -o tests/tb/exec/recursion.ptx */
#define HELPER  __attribute__((device)) __attribute__((noinline))
#define POINTED __attribute__((device)) __attribute__((noinline))
#define LONG    long long
#define FUNCTION(name)                                                                                       \
    HELPER unsigned name##_of(unsigned x);                                                                   \
    extern "C" __attribute__((global)) void name(const unsigned *in, unsigned *out)                          \
    {                                                                                                        \
        unsigned i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x(); \
        out[i] = name##_of(in[i]);                                                                           \
    }                                                                                                        \
    HELPER unsigned name##_of(unsigned x)
#include "tests/tb/exec/recursion.inc"
