/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/exec_v3.c: all operations once more, compiled for machines with AVX2 and FMA (x86-64-v3).
 * The compiler may not contract a*b+c, so results are those of the plain build; see exec_bind.c for
 * the choice. */
#ifdef __x86_64__
#pragma GCC target("arch=x86-64-v3")
#define EXEC_ISA(name) name##_v3
#include "tb/sm/exec_atom.c"
#include "tb/sm/exec_bits.c"
#include "tb/sm/exec_cvt.c"
#include "tb/sm/exec_float.c"
#include "tb/sm/exec_int.c"
#include "tb/sm/exec_lanes.c"
#include "tb/sm/exec_mem.c"
#include "tb/sm/exec_setp.c"
#endif
