/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/v3.c: all operations once more, compiled for machines with AVX2 and FMA (x86-64-v3).
 * The compiler may not contract a*b+c, so results are those of the plain build; see bind.c for
 * the choice. */
#ifdef __x86_64__
#pragma GCC target("arch=x86-64-v3")
#define EXEC_ISA(name) name##_v3
#include "tb/exec/atom.c"
#include "tb/exec/bits.c"
#include "tb/exec/cvt.c"
#include "tb/exec/float.c"
#include "tb/exec/half.c"
#include "tb/exec/int.c"
#include "tb/exec/lanes.c"
#include "tb/exec/mem.c"
#include "tb/exec/setp.c"
#include "tb/exec/video.c"
#endif
