/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/devlib.cl: the device library: the built-in functions of OpenCL C 1.2, as OpenCL C for
 * clang's NVPTX target. Compiled once, to bitcode, when Heddle is built; clang links what a program
 * uses into it and inlines it.
 * OpenCL C 3.0 without generic addresses is 1.2 with variables in global memory. */
#include "devlib/types.cl"
#include "devlib/workitem.cl"
#include "devlib/sync.cl"
#include "devlib/integer.cl"
#include "devlib/relational.cl"
#include "devlib/common.cl"
#include "devlib/rounding.cl"
#include "devlib/roots.cl"
#include "devlib/exponential.cl"
#include "devlib/power.cl"
#include "devlib/error.cl"
#include "devlib/trigonometry.cl"
#include "devlib/gamma.cl"
#include "devlib/inverse.cl"
#include "devlib/native.cl"
#include "devlib/geometric.cl"
#include "devlib/convert.cl"
#include "devlib/memory.cl"
#include "devlib/half.cl"
#include "devlib/image.cl"
#include "devlib/copy.cl"
#include "devlib/printf.cl"
