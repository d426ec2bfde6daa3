/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/calls.cu: kernels that call the functions of calls.inc. calls_cu.ptx comes from it by
 *   clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -O2 -fno-unroll-loops -ffp-contract=off \
 *         -S tests/tb/exec/calls.cu -I. -o tests/tb/exec/calls_cu.ptx */
#define TABLE __attribute__((constant))
#include "tests/tb/exec/cuda.inc"
#include "tests/tb/exec/calls.inc"
