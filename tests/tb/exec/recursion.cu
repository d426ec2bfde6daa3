/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/recursion.cu: kernels that call the functions of recursion.inc. recursion.ptx comes from it by
 *   clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -O2 -fno-unroll-loops -ffp-contract=off \
 *         -S tests/tb/exec/recursion.cu -I. -o tests/tb/exec/recursion.ptx */
#define POINTED HELPER
#include "tests/tb/exec/cuda.inc"
#include "tests/tb/exec/recursion.inc"
