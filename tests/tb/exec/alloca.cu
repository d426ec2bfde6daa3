/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/alloca.cu: kernels that call the functions of alloca.inc. alloca.ptx comes from it by CUDA's compiler:
 *   nvcc -ptx -arch=sm_75 -I. tests/tb/exec/alloca.cu -o tests/tb/exec/alloca.ptx */
#define __nvvm_read_ptx_sreg_ctaid_x() blockIdx.x
#define __nvvm_read_ptx_sreg_ntid_x()  blockDim.x
#define __nvvm_read_ptx_sreg_tid_x()   threadIdx.x
#include "tests/tb/exec/cuda.inc"
#include "tests/tb/exec/alloca.inc"
