/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/opcode_test.c: what every mnemonic decodes to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

#define D(text_, op_, class, type_, ...)                                                           \
    {                                                                                              \
        .text = text_, .op = op_, .klass = CLASS_##class, .type = T_##type_, __VA_ARGS__           \
    }
#define HELD(to, from) .mod = T_##to, .mod2 = T_##from /* registers of a cvt */

static const struct expected {
    const char *text;
    enum uop_op op;
    enum uop_class klass;
    enum ptx_type type, type2; /* type2 is compared for ld, st, cvt, pack and unpack */
    int mod, mod2, round, space, vec, flags; /* vec 0 stands for 1 */
} table[] = {
    D("ld.param.u64 %d1, [a]", U_LD, SP, U64, .type2 = T_B64, .space = SPACE_PARAM),
    D("ld.global.nc.f32 %f1, [%d1]", U_LD, GMEM, F32, .type2 = T_B32, .space = SPACE_GLOBAL),
    D("ld.global.ca.s8 %h1, [%d1]", U_LD, GMEM, S8, .type2 = T_B16, .space = SPACE_GLOBAL),
    D("ld.global.cg.u8 %r1, [%d1]", U_LD, GMEM, U8, .type2 = T_B32, .space = SPACE_GLOBAL),
    D("ld.global.lu.s32 %d2, [%d1]", U_LD, GMEM, S32, .type2 = T_B64, .space = SPACE_GLOBAL),
    D("ld.volatile.shared.u32 %r1, [%d1]", U_LD, STCMEM, U32, .type2 = T_B32, .space = SPACE_SHARED,
      .flags = UF_VOLATILE),
    D("ld.relaxed.gpu.global.u32 %r1, [%d1]", U_LD, GMEM, U32, .type2 = T_B32,
      .space = SPACE_GLOBAL),
    D("ld.weak.local.b64 %e1, [%d1]", U_LD, GMEM, B64, .type2 = T_B64, .space = SPACE_LOCAL),
    D("ld.const.u16 %h1, [%d1]", U_LD, STCMEM, U16, .type2 = T_B16, .space = SPACE_CONST),
    D("ld.u32 %r1, [%d1]", U_LD, GMEM, U32, .type2 = T_B32, .space = SPACE_GENERIC),
    D("ld.shared::cta.u32 %r1, [%r2]", U_LD, STCMEM, U32, .type2 = T_B32, .space = SPACE_SHARED,
      .flags = UF_ADDRESS32),
    D("ldu.global.f32 %f1, [%d1]", U_LD, GMEM, F32, .type2 = T_B32, .space = SPACE_GLOBAL),
    D("ld.global.v2.f64 {%e1, %e2}, [%d1]", U_LD, GMEM, F64, .type2 = T_B64, .space = SPACE_GLOBAL,
      .vec = 2),
    D("ld.global.v4.u8 {%h1, %h2, %h3, %h4}, [%d1]", U_LD, GMEM, U8, .type2 = T_B16,
      .space = SPACE_GLOBAL, .vec = 4),
    D("st.global.wt.u32 [%d1], %r1", U_ST, GMEM, U32, .type2 = T_B32, .space = SPACE_GLOBAL),
    D("st.shared.f64 [%d1], %e1", U_ST, STCMEM, F64, .type2 = T_B64, .space = SPACE_SHARED),
    D("st.global.u8 [%d1], %d2", U_ST, GMEM, U8, .type2 = T_B64, .space = SPACE_GLOBAL),
    D("st.volatile.global.v2.u16 [%d1], {%h1, 7}", U_ST, GMEM, U16, .type2 = T_B16,
      .space = SPACE_GLOBAL, .vec = 2, .flags = UF_VOLATILE),
    D("st.local.u32 [%d1], 5", U_ST, GMEM, U32, .type2 = T_B32, .space = SPACE_LOCAL),
    D("st.f32 [%d1], %f1", U_ST, GMEM, F32, .type2 = T_B32, .space = SPACE_GENERIC),
    D("atom.global.add.u32 %r1, [%d1], 3", U_ATOM, GMEM, U32, .mod = ATOM_ADD,
      .space = SPACE_GLOBAL),
    D("atom.add.f32 %f1, [%d1], %f2", U_ATOM, GMEM, F32, .mod = ATOM_ADD, .space = SPACE_GENERIC),
    D("atom.shared.cas.b64 %d1, [%d2], %d3, %d4", U_ATOM, STCMEM, B64, .mod = ATOM_CAS,
      .space = SPACE_SHARED),
    D("atom.shared.exch.b32 %r1, [%r2], %r3", U_ATOM, STCMEM, B32, .mod = ATOM_EXCH,
      .space = SPACE_SHARED, .flags = UF_ADDRESS32),
    D("atom.global.min.s32 %r1, [%d1], %r2", U_ATOM, GMEM, S32, .mod = ATOM_MIN,
      .space = SPACE_GLOBAL),
    D("atom.global.max.u64 %d1, [%d1], %d2", U_ATOM, GMEM, U64, .mod = ATOM_MAX,
      .space = SPACE_GLOBAL),
    D("atom.global.and.b32 %r1, [%d1], %r2", U_ATOM, GMEM, B32, .mod = ATOM_AND,
      .space = SPACE_GLOBAL),
    D("atom.global.or.b32 %r1, [%d1], %r2", U_ATOM, GMEM, B32, .mod = ATOM_OR,
      .space = SPACE_GLOBAL),
    D("atom.global.xor.b64 %d3, [%d1], %d2", U_ATOM, GMEM, B64, .mod = ATOM_XOR,
      .space = SPACE_GLOBAL),
    D("atom.global.inc.u32 %r1, [%d1], %r2", U_ATOM, GMEM, U32, .mod = ATOM_INC,
      .space = SPACE_GLOBAL),
    D("atom.relaxed.gpu.global.dec.u32 %r1, [%d1], 9", U_ATOM, GMEM, U32, .mod = ATOM_DEC,
      .space = SPACE_GLOBAL),
    D("red.shared.max.s32 [%d1], %r1", U_ATOM, STCMEM, S32, .mod = ATOM_MAX, .space = SPACE_SHARED),
    D("mov.u32 %r1, %tid.x", U_MOV, SP, U32),
    D("mov.pred %p1, -1", U_MOV, SP, PRED),
    D("mov.f64 %e1, 0d3FF0000000000000", U_MOV, SP, F64),
    D("mov.b16 %h1, 65535", U_MOV, SP, B16),
    D("mov.b64 %d1, {%r1, %r2}", U_PACK, SP, B64, .type2 = T_B32, .vec = 2),
    D("mov.b64 %d1, {%h1, %h2, 3, %h4}", U_PACK, SP, B64, .type2 = T_B16, .vec = 4),
    D("mov.b32 {%h1, _}, %r1", U_UNPACK, SP, B32, .type2 = T_B16, .vec = 2),
    D("cvta.to.global.u64 %d1, %d2", U_CVTA, SP, U64, .space = SPACE_GLOBAL, .flags = UF_CVTA_TO),
    D("cvta.local.u64 %d1, %d2", U_CVTA, SP, U64, .space = SPACE_LOCAL),
    D("cvta.shared.u64 %d1, sh", U_CVTA, SP, U64, .space = SPACE_SHARED),
    D("cvta.const.u64 %d1, %d1", U_CVTA, SP, U64, .space = SPACE_CONST),
    D("cvt.u64.u32 %d1, %r1", U_CVT, SP, U64, .type2 = T_U32, HELD(B64, B32)),
    D("cvt.s32.s8 %r1, %h1", U_CVT, SP, S32, .type2 = T_S8, HELD(B32, B16)),
    D("cvt.u8.u32 %h1, %r1", U_CVT, SP, U8, .type2 = T_U32, HELD(B16, B32)),
    D("cvt.s8.s64 %d1, %d2", U_CVT, SP, S8, .type2 = T_S64, HELD(B64, B64)),
    D("cvt.sat.u8.s32 %r1, %r2", U_CVT, SP, U8, .type2 = T_S32, HELD(B32, B32), .flags = UF_SAT),
    D("cvt.rn.f32.s16 %f1, %h1", U_CVT, SP, F32, .type2 = T_S16, HELD(B32, B16), .round = RND_RN),
    D("cvt.rzi.ftz.s32.f32 %r1, %f1", U_CVT, SP, S32, .type2 = T_F32, HELD(B32, B32),
      .round = RND_RZI, .flags = UF_FTZ),
    D("cvt.rn.f32.f64 %f1, %e1", U_CVT, SP, F32, .type2 = T_F64, HELD(B32, B64), .round = RND_RN),
    D("cvt.f64.f32 %e1, %f1", U_CVT, SP, F64, .type2 = T_F32, HELD(B64, B32)),
    D("cvt.rmi.f32.f32 %f1, %f2", U_CVT, SP, F32, .type2 = T_F32, HELD(B32, B32), .round = RND_RMI),
    D("cvt.rpi.u64.f64 %d1, %e2", U_CVT, SP, U64, .type2 = T_F64, HELD(B64, B64), .round = RND_RPI),
    D("cvt.sat.f32.f32 %f1, %f2", U_CVT, SP, F32, .type2 = T_F32, HELD(B32, B32), .flags = UF_SAT),
    D("cvt.rz.f16.f32 %h1, %f2", U_CVT, SP, F16, .type2 = T_F32, HELD(B16, B32), .round = RND_RZ),
    D("add.s32 %r1, %r2, %r3", U_ADD, SP, S32),
    D("add.sat.s32 %r1, %r2, %r3", U_ADD, SP, S32, .flags = UF_SAT),
    D("add.u16 %h1, %h2, 65535", U_ADD, SP, U16),
    D("add.f32 %f1, %f2, 1.5", U_ADD, SP, F32, .round = RND_RN),
    D("add.rm.ftz.sat.f32 %f1, %f2, %f3", U_ADD, SP, F32, .round = RND_RM,
      .flags = UF_FTZ | UF_SAT),
    D("sub.rz.f64 %e1, %e2, %e3", U_SUB, SP, F64, .round = RND_RZ),
    D("mul.lo.s64 %d1, %d2, %d3", U_MUL, SP, S64, .mod = HALF_LO),
    D("mul.hi.u32 %r1, %r2, %r3", U_MUL, SP, U32, .mod = HALF_HI),
    D("mul.wide.s32 %d1, %r2, 4", U_MUL, SP, S32, .mod = HALF_WIDE),
    D("mul.wide.u16 %r1, %h2, %h3", U_MUL, SP, U16, .mod = HALF_WIDE),
    D("mul.rp.f32 %f1, %f2, %f3", U_MUL, SP, F32, .round = RND_RP),
    D("mad.lo.s32 %r1, %r2, %r3, %ctaid.x", U_MAD, SP, S32, .mod = HALF_LO),
    D("mad.hi.sat.s32 %r1, %r2, %r3, %r4", U_MAD, SP, S32, .mod = HALF_HI, .flags = UF_SAT),
    D("mad.wide.u32 %d1, %r2, %r3, %d4", U_MAD, SP, U32, .mod = HALF_WIDE),
    D("mad.rn.f32 %f1, %f2, %f3, %f4", U_FMA, SP, F32, .round = RND_RN),
    D("mad.f64 %e1, %e2, %e3, %e4", U_FMA, SP, F64, .round = RND_RN),
    D("fma.rz.f64 %e1, %e2, %e3, %e4", U_FMA, SP, F64, .round = RND_RZ),
    D("div.s32 %r1, %r2, %r3", U_DIV, SFU, S32),
    D("div.rn.f32 %f1, %f2, %f3", U_DIV, SFU, F32, .round = RND_RN),
    D("div.full.ftz.f32 %f1, %f2, %f3", U_DIV, SFU, F32, .round = RND_RN, .flags = UF_FTZ),
    D("div.approx.f32 %f1, %f2, %f3", U_DIV, SFU, F32, .round = RND_APPROX),
    D("rem.u64 %d1, %d2, %d3", U_REM, SFU, U64),
    D("neg.s16 %h1, %h2", U_NEG, SP, S16),
    D("neg.ftz.f32 %f1, %f2", U_NEG, SP, F32, .flags = UF_FTZ),
    D("abs.f64 %e1, %e2", U_ABS, SP, F64),
    D("min.u32 %r1, %r2, %r3", U_MIN, SP, U32),
    D("max.f32 %f1, %f2, %f3", U_MAX, SP, F32),
    D("and.b32 %r1, %r2, -1", U_AND, SP, B32),
    D("and.pred %p1, %p2, %p3", U_AND, SP, PRED),
    D("or.b16 %h1, %h2, %h3", U_OR, SP, B16),
    D("xor.pred %p1, %p2, 1", U_XOR, SP, PRED),
    D("not.b64 %d1, %d2", U_NOT, SP, B64),
    D("shl.b64 %d1, %d2, %r1", U_SHL, SP, B64),
    D("shr.s16 %h1, %h2, 3", U_SHR, SP, S16),
    D("setp.eq.s32 %p1, %r1, %r2", U_SETP, SP, S32, .mod = CMP_EQ),
    D("setp.lo.u32 %p1, %r1, %r2", U_SETP, SP, U32, .mod = CMP_LT),
    D("setp.hs.u64 %p1, %d1, %d2", U_SETP, SP, U64, .mod = CMP_GE),
    D("setp.ls.u16 %p1, %h1, %h2", U_SETP, SP, U16, .mod = CMP_LE),
    D("setp.hi.u32 %p1, %r1, %r2", U_SETP, SP, U32, .mod = CMP_GT),
    D("setp.ne.b64 %p1, %d1, %d2", U_SETP, SP, B64, .mod = CMP_NE),
    D("setp.leu.ftz.f32 %p1, %f1, %f2", U_SETP, SP, F32, .mod = CMP_LEU, .flags = UF_FTZ),
    D("setp.nan.f64 %p1, %e1, %e2", U_SETP, SP, F64, .mod = CMP_NAN),
    D("setp.gt.or.s32 %p1|%p2, %r1, %r2, !%p3", U_SETP, SP, S32, .mod = CMP_GT, .mod2 = BOOL_OR,
      .flags = UF_SRC_NOT),
    D("setp.ge.xor.f32 %p1, %f1, %f2, %p3", U_SETP, SP, F32, .mod = CMP_GE, .mod2 = BOOL_XOR),
    D("selp.f32 %f1, %f2, 0f00000000, %p1", U_SELP, SP, F32),
    D("selp.b16 %h1, 1, 0, %p1", U_SELP, SP, B16),
    D("rcp.rn.f64 %e1, %e2", U_RCP, SFU, F64, .round = RND_RN),
    D("rcp.approx.ftz.f32 %f1, %f2", U_RCP, SFU, F32, .round = RND_APPROX, .flags = UF_FTZ),
    D("sqrt.rn.f32 %f1, %f2", U_SQRT, SFU, F32, .round = RND_RN),
    D("sqrt.approx.f32 %f1, %f2", U_SQRT, SFU, F32, .round = RND_APPROX),
    D("rsqrt.approx.f64 %e1, %e2", U_RSQRT, SFU, F64, .round = RND_APPROX),
    D("ex2.approx.f32 %f1, %f2", U_EX2, SFU, F32, .round = RND_APPROX),
    D("lg2.approx.ftz.f32 %f1, %f2", U_LG2, SFU, F32, .round = RND_APPROX, .flags = UF_FTZ),
    D("sin.approx.f32 %f1, %f2", U_SIN, SFU, F32, .round = RND_APPROX),
    D("cos.approx.f32 %f1, %f2", U_COS, SFU, F32, .round = RND_APPROX),
    D("bfe.s64 %d1, %d2, %r1, 5", U_BFE, SP, S64),
    D("bfi.b32 %r1, %r2, %r3, 4, 5", U_BFI, SP, B32),
    D("mul24.hi.s32 %r1, %r2, %r3", U_MUL24, SP, S32, .mod = HALF_HI),
    D("mad24.lo.u32 %r1, %r2, %r3, %r4", U_MAD24, SP, U32, .mod = HALF_LO),
    D("sad.u16 %h1, %h2, %h3, %h4", U_SAD, SP, U16),
    D("dp4a.u32.s32 %r1, %r2, %r3, %r4", U_DP4A, SP, U32, .type2 = T_S32),
    D("dp2a.hi.s32.u32 %r1, %r2, 7, %r4", U_DP2A, SP, S32, .type2 = T_U32, .mod = HALF_HI),
    D("add.f16 %h1, %h2, %h3", U_ADD, SP, F16, .round = RND_RN),
    D("sub.ftz.sat.f16x2 %r1, %r2, %r3", U_SUB, SP, F16X2, .round = RND_RN,
      .flags = UF_FTZ | UF_SAT),
    D("fma.rn.f16x2 %r1, %r2, %r3, %r4", U_FMA, SP, F16X2, .round = RND_RN),
    D("neg.ftz.f16 %h1, %h2", U_NEG, SP, F16, .flags = UF_FTZ),
    D("setp.leu.f16x2 %p1|%p2, %r1, %r2", U_SETP, SP, F16X2, .mod = CMP_LEU),
    D("set.eq.f16.f32 %h1, %f1, %f2", U_SET, SP, F16, .type2 = T_F32, .mod = CMP_EQ),
    D("set.nan.s32.f16x2 %r1, %r2, %r3", U_SET, SP, S32, .type2 = T_F16X2, .mod = CMP_NAN),
    D("vadd.u32.s32.u32 %r1, %r2, 7", U_VADD, SP, U32, .type2 = T_S32),
    D("vsub.s32.u32.u32.sat.min %r1, %r2.b3, %r3, %r4", U_VSUB, SP, S32, .type2 = T_U32,
      .mod2 = SECOND_MIN, .flags = UF_SAT),
    D("vabsdiff.u32.u32.u32.add %r1, %r2, %r3, %r4", U_VABSDIFF, SP, U32, .type2 = T_U32,
      .mod2 = SECOND_ADD),
    D("vmin.s32.s32.s32 %r1.h1, %r2, %r3, %r4", U_VMIN, SP, S32, .type2 = T_S32),
    D("vmax.s32.s32.s32.max %r1, %r2, %r3, %r4", U_VMAX, SP, S32, .type2 = T_S32,
      .mod2 = SECOND_MAX),
    D("vshl.u32.s32.u32.clamp %r1, %r2, %r3", U_VSHL, SP, U32, .type2 = T_S32, .flags = UF_CLAMP),
    D("vshr.s32.s32.u32.sat.wrap %r1, %r2, %r3", U_VSHR, SP, S32, .type2 = T_S32, .flags = UF_SAT),
    D("vmad.s32.s32.u32.shr7 %r1, -%r2.b0, %r3, %r4", U_VMAD, SP, S32, .type2 = T_S32, .mod = 7),
    D("vmad.u32.u32.u32.po.sat.shr15 %r1, %r2.b0, %r3, %r4", U_VMAD, SP, U32, .type2 = T_U32,
      .mod = 15, .mod2 = SECOND_PLUS_ONE, .flags = UF_SAT),
    D("vset.s32.u32.ge %r1, %r2, %r3", U_VSET, SP, S32, .type2 = T_U32, .mod = CMP_GE),
    D("vadd2.u32.s32.u32.sat %r1.h1, %r2.h03, %r3, %r4", U_VADD2, SP, U32, .type2 = T_S32,
      .flags = UF_SAT),
    D("vsub2.u32.s32.u32.add %r1.h1, %r2.h03, %r3, %r4", U_VSUB2, SP, U32, .type2 = T_S32,
      .mod2 = SECOND_ADD),
    D("vavrg2.u32.s32.u32 %r1.h1, %r2.h03, %r3, %r4", U_VAVRG2, SP, U32, .type2 = T_S32),
    D("vabsdiff2.u32.s32.u32 %r1.h1, %r2.h03, %r3, %r4", U_VABSDIFF2, SP, U32, .type2 = T_S32),
    D("vmin2.u32.s32.u32 %r1.h1, %r2.h03, %r3, %r4", U_VMIN2, SP, U32, .type2 = T_S32),
    D("vmax2.u32.s32.u32 %r1, %r2, %r3, %r4", U_VMAX2, SP, U32, .type2 = T_S32),
    D("vset2.s32.u32.lt.add %r1, %r2, %r3, 5", U_VSET2, SP, S32, .type2 = T_U32, .mod = CMP_LT,
      .mod2 = SECOND_ADD),
    D("vadd4.u32.s32.u32.sat %r1.b31, %r2.b7654, %r3, %r4", U_VADD4, SP, U32, .type2 = T_S32,
      .flags = UF_SAT),
    D("vsub4.u32.s32.u32.add %r1.b31, %r2.b7654, %r3, %r4", U_VSUB4, SP, U32, .type2 = T_S32,
      .mod2 = SECOND_ADD),
    D("vavrg4.u32.s32.u32 %r1.b31, %r2.b7654, %r3, %r4", U_VAVRG4, SP, U32, .type2 = T_S32),
    D("vabsdiff4.u32.s32.u32 %r1.b31, %r2.b7654, %r3, %r4", U_VABSDIFF4, SP, U32, .type2 = T_S32),
    D("vmin4.u32.s32.u32 %r1.b31, %r2.b7654, %r3, %r4", U_VMIN4, SP, U32, .type2 = T_S32),
    D("vmax4.u32.s32.u32 %r1, %r2, %r3, %r4", U_VMAX4, SP, U32, .type2 = T_S32),
    D("vset4.s32.u32.lt.add %r1, %r2, %r3, 5", U_VSET4, SP, S32, .type2 = T_U32, .mod = CMP_LT,
      .mod2 = SECOND_ADD),
    D("clz.b64 %r1, %d1", U_CLZ, SP, B64),
    D("popc.b32 %r1, %r2", U_POPC, SP, B32),
    D("bfind.shiftamt.s64 %r1, %d1", U_BFIND, SP, S64, .flags = UF_SHIFTAMT),
    D("brev.b32 %r1, %r2", U_BREV, SP, B32),
    D("prmt.b32 %r1, %r2, %r3, 0x3210", U_PRMT, SP, B32),
    D("shf.l.wrap.b32 %r1, %r2, %r3, 5", U_SHF, SP, B32),
    D("shf.r.clamp.b32 %r1, %r2, %r3, %r4", U_SHF, SP, B32, .flags = UF_SHF_RIGHT | UF_CLAMP),
    D("copysign.f64 %e1, %e2, %e3", U_COPYSIGN, SP, F64),
    D("add.cc.s32 %r1, %r2, %r3", U_ADDC, SP, S32),
    D("addc.u64 %d1, %d2, 5", U_ADDC, SP, U64),
    D("addc.cc.u32 %r1, %r2, %r3", U_ADDC, SP, U32),
    D("sub.cc.u32 %r1, %r2, %r3", U_SUBC, SP, U32),
    D("subc.s64 %d1, %d2, %d3", U_SUBC, SP, S64),
    D("mad.lo.cc.u32 %r1, %r2, %r3, %r4", U_MADC, SP, U32, .mod = HALF_LO),
    D("madc.hi.cc.s64 %d1, %d2, %d3, %d4", U_MADC, SP, S64, .mod = HALF_HI),
    D("madc.hi.u32 %r1, %r2, %r3, %r4", U_MADC, SP, U32, .mod = HALF_HI),
    D("cnot.b16 %h1, %h2", U_CNOT, SP, B16),
    D("lop3.b32 %r1, %r2, %r3, %r4, 0xe8", U_LOP3, SP, B32, .mod = 0xe8),
    D("lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x17, !%p2", U_LOP3, SP, B32, .mod = 0x17,
      .mod2 = BOOL_OR, .flags = UF_SRC_NOT),
    D("bmsk.clamp.b32 %r1, %r2, 7", U_BMSK, SP, B32, .flags = UF_CLAMP),
    D("szext.wrap.s32 %r1, %r2, %r3", U_SZEXT, SP, S32),
    D("fns.b32 %r1, %r2, 0, -3", U_FNS, SP, B32),
    D("cvt.rz.satfinite.f16.f32 %h1, %f1", U_CVT, SP, F16, .type2 = T_F32, .round = RND_RZ,
      .flags = UF_FINITE, HELD(B16, B32)),
    D("cvt.pack.sat.s16.s32 %r1, %r2, %r3", U_PACK_SAT, SP, S16, .type2 = T_S32, .flags = UF_SAT),
    D("cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4", U_PACK_SAT, SP, U8, .type2 = T_S32,
      .flags = UF_SAT),
    D("cvt.pack.sat.s4.s32.b32 %r1, %r2, %r3, 0", U_PACK_SAT, SP, S32, .type2 = T_B32,
      .mod = NARROW_S4, .flags = UF_SAT),
    D("ex2.approx.f16x2 %r1, %r2", U_EX2, SFU, F16X2, .round = RND_APPROX),
    D("tanh.approx.f16 %h1, %h2", U_TANH, SFU, F16, .round = RND_APPROX),
    D("min.ftz.NaN.f16 %h1, %h2, %h3", U_MIN, SP, F16, .mod = MINMAX_NAN, .flags = UF_FTZ),
    D("atom.relaxed.gpu.shared.cas.b16 %h1, [%d1], %h2, %h3", U_ATOM, STCMEM, B16, .mod = ATOM_CAS,
      .space = SPACE_SHARED),
    D("red.global.add.noftz.f16x2 [%d1], %r2", U_ATOM, GMEM, F16X2, .mod = ATOM_ADD,
      .space = SPACE_GLOBAL),
    D("ld.mmio.relaxed.sys.global.u32 %r1, [%d1]", U_LD, GMEM, U32, .type2 = T_B32,
      .space = SPACE_GLOBAL),
    D("fence.proxy.alias", U_MEMBAR, CTRL, B32),
    D("tex.2d.v4.f16.f32 {%h1, %h2, _, %h3}, [a, {%f1, %f2}]", U_TEX, GMEM, F16, .type2 = T_F32,
      .mod = TEX_2D, .space = SPACE_GLOBAL, .vec = 4),
    D("tex.level.1d.v2.f16x2.s32 {%r1, %r2}, [%d1, {%r3}], 0f00000000", U_TEX, GMEM, F16X2,
      .type2 = T_S32, .mod = TEX_1D, .space = SPACE_GLOBAL, .vec = 2),
    D("istypep.surfref %p1, a", U_ISTYPEP, SP, B32, .mod = OPAQUE_SURFREF),
    D("istypep.samplerref %p1, %d1", U_ISTYPEP, SP, B32, .mod = OPAQUE_SAMPLERREF),
    D("mov.v2.f32 {%f1, %f2}, {%f2, 0f3F800000}", U_MOVES, SP, F32, .vec = 2),
    D("alloca.u64 %d1, %d2", U_ALLOCA, SP, U64, .mod = 3),
    D("alloca.u64 %d1, 100, 8388608", U_ALLOCA, SP, U64, .mod = 23),
    D("alloca.u32 %r1, %r2, 4", U_ALLOCA, SP, U32, .mod = 3),
    D("stacksave.u32 %r1", U_MOV, SP, U32),
    D("stacksave.u64 %d1", U_CVT, SP, U64, .type2 = T_U32, HELD(B64, B32)),
    D("stackrestore.u64 %d1", U_STACKRESTORE, SP, U64),
    D("mov.v4.u32 {%r1, _, %r2, %r3}, %ctaid", U_MOVES, SP, U32, .vec = 4),
    D("mov.pred %p1, !%p2", U_MOV, SP, PRED, .flags = UF_SRC_NOT),
    D("or.pred %p1, !%p2, %p3", U_OR, SP, PRED, .flags = UF_SRC_NOT),
    D("xor.pred %p1, %p2, !%p3", U_XOR, SP, PRED, .flags = UF_SECOND_NOT),
    D("selp.f32 %f1, %f2, %f3, !%p1", U_SELP, SP, F32),
    D("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}|%p1, [a, {%r1}]", U_TEX, GMEM, F32, .type2 = T_S32,
      .mod = TEX_1D, .space = SPACE_GLOBAL, .vec = 4),
    D("txq.level.height.b32 %r1, [a], %r2", U_TXQ, SP, B32, .mod = QUERY_HEIGHT),
    D("set.lt.u32.f32 %r1, %f1, %f2", U_SET, SP, U32, .type2 = T_F32, .mod = CMP_LT),
    D("set.hs.f32.u64 %f1, %d1, %d2", U_SET, SP, F32, .type2 = T_U64, .mod = CMP_GE),
    D("set.leu.xor.ftz.s32.f32 %r1, %f1, %f2, !%p1", U_SET, SP, S32, .type2 = T_F32, .mod = CMP_LEU,
      .mod2 = BOOL_XOR, .flags = UF_FTZ | UF_SRC_NOT),
    D("set.eq.u32.b16 %r1, %h1, 3", U_SET, SP, U32, .type2 = T_B16, .mod = CMP_EQ),
    D("slct.f64.s32 %e1, %e2, %e3, %r1", U_SLCT, SP, F64, .type2 = T_S32),
    D("slct.ftz.u16.f32 %h1, %h2, 7, %f1", U_SLCT, SP, U16, .type2 = T_F32, .flags = UF_FTZ),
    D("testp.subnormal.f64 %p1, %e1", U_TESTP, SP, F64, .mod = TEST_SUBNORMAL),
    D("isspacep.shared %p1, %d1", U_ISSPACEP, SP, B32, .space = SPACE_SHARED),
    D("isspacep.param %p1, %d1", U_ISSPACEP, SP, B32, .space = SPACE_PARAM),
    D("isspacep.const %p1, %d1", U_ISSPACEP, SP, B32, .space = SPACE_CONST),
    D("tanh.approx.f32 %f1, %f2", U_TANH, SFU, F32, .round = RND_APPROX),
    D("min.ftz.NaN.f32 %f1, %f2, %f3", U_MIN, SP, F32, .mod = MINMAX_NAN, .flags = UF_FTZ),
    D("max.NaN.f32 %f1, %f2, %f3", U_MAX, SP, F32, .mod = MINMAX_NAN),
    D("prmt.b32.f4e %r1, %r2, %r3, %r4", U_PRMT, SP, B32, .mod = PERMUTE_F4E),
    D("prmt.b32.rc16 %r1, %r2, %r3, %r4", U_PRMT, SP, B32, .mod = PERMUTE_RC16),
    D("shfl.up.b32 %r1, %r2, 1, 0", U_SHFL, SP, B32, .mod = SHUFFLE_UP),
    D("shfl.down.b32 %r1|%p1, %r2, %r3, 31", U_SHFL, SP, B32, .mod = SHUFFLE_DOWN),
    D("shfl.sync.bfly.b32 %f1, %f2, 16, 31, -1", U_SHFL, SP, B32, .mod = SHUFFLE_BFLY),
    D("shfl.sync.idx.b32 %r1|%p2, %r2, %r3, %r4, %r5", U_SHFL, SP, B32, .mod = SHUFFLE_IDX),
    D("vote.all.pred %p1, %p2", U_VOTE, SP, PRED, .mod = VOTE_ALL),
    D("vote.sync.any.pred %p1, !%p2, 0xffffffff", U_VOTE, SP, PRED, .mod = VOTE_ANY,
      .flags = UF_SRC_NOT),
    D("vote.sync.uni.pred %p1, %p2, %r1", U_VOTE, SP, PRED, .mod = VOTE_UNI),
    D("vote.ballot.b32 %r1, %p2", U_VOTE, SP, B32, .mod = VOTE_BALLOT),
    D("vote.sync.ballot.b32 %r1, 1, %r2", U_VOTE, SP, B32, .mod = VOTE_BALLOT),
    D("match.any.sync.b64 %r1, %d1, %r2", U_MATCH, SP, B64, .mod = MATCH_ANY),
    D("match.all.sync.b32 %r1|%p1, %r2, %r3", U_MATCH, SP, B32, .mod = MATCH_ALL),
    D("redux.sync.add.s32 %r1, %r2, %r3", U_REDUX, SP, S32, .mod = ATOM_ADD),
    D("redux.sync.max.u32 %r1, %r2, -1", U_REDUX, SP, U32, .mod = ATOM_MAX),
    D("redux.sync.xor.b32 %r1, %r2, %r3", U_REDUX, SP, B32, .mod = ATOM_XOR),
    D("activemask.b32 %r1", U_ACTIVEMASK, SP, B32),
    D("bar.warp.sync 0xffffffff", U_SYNCWARP, CTRL, B32),
    D("prefetch.global.L2 [%d1+4]", U_NOP, SP, B32, .space = SPACE_GLOBAL),
    D("prefetchu.L1 [g]", U_NOP, SP, B32, .space = SPACE_GENERIC),
    D("nanosleep.u32 100", U_NOP, SP, U32),
    D("pmevent.mask 5", U_NOP, SP, B32),
    D("pmevent 3", U_NOP, SP, B32),
    D("bar.sync %r1", U_BAR, CTRL, B32),
    D("bar.sync 3, 64", U_BAR, CTRL, B32),
    D("barrier.cta.sync.aligned 15, %r2", U_BAR, CTRL, B32),
    D("bar.arrive 1, 96", U_BAR, CTRL, B32, .mod = BARRIER_ARRIVE),
    D("bar.red.popc.u32 %r1, 0, %p1", U_BAR, CTRL, U32, .mod = BARRIER_RED, .mod2 = REDUCE_POPC),
    D("bar.red.and.pred %p1, 2, 32, !%p2", U_BAR, CTRL, PRED, .mod = BARRIER_RED,
      .mod2 = REDUCE_AND, .flags = UF_SRC_NOT),
    D("bar.red.or.pred %p1, 2, %p2", U_BAR, CTRL, PRED, .mod = BARRIER_RED, .mod2 = REDUCE_OR),
    D("ld.global.L1::no_allocate.L2::128B.u32 %r1, [%d1]", U_LD, GMEM, U32, .type2 = T_B32,
      .space = SPACE_GLOBAL),
    D("cvta.param.u64 %d1, s", U_CVTA, SP, U64, .space = SPACE_PARAM),
    D("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, {%r1}]", U_TEX, GMEM, F32, .type2 = T_S32,
      .mod = TEX_1D, .space = SPACE_GLOBAL, .vec = 4),
    D("tex.1d.v4.s32.s32 {%r1, _, %r3, _}, [%d1, %r1]", U_TEX, GMEM, S32, .type2 = T_S32,
      .mod = TEX_1D, .space = SPACE_GLOBAL, .vec = 4),
    D("tex.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [a, {%f1, 0f3F800000}]", U_TEX, GMEM, U32,
      .type2 = T_F32, .mod = TEX_2D, .space = SPACE_GLOBAL, .vec = 4),
    D("tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, %d2, {%f1, %f2, %f3, %f4}]", U_TEX, GMEM, F32,
      .type2 = T_F32, .mod = TEX_3D, .space = SPACE_GLOBAL, .vec = 4),
    D("tex.a2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [g, a, {%r1, %r2, %r3, 0}]", U_TEX, GMEM, F32,
      .type2 = T_S32, .mod = TEX_A2D, .space = SPACE_GLOBAL, .vec = 4),
    D("tex.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [g, {%r1, %f2}]", U_TEX, GMEM, F32, .type2 = T_F32,
      .mod = TEX_A1D, .space = SPACE_GLOBAL, .vec = 4),
    D("tld4.b.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [a, {%f1, %f2}], {1, -1}", U_TEX, GMEM, U32,
      .type2 = T_F32, .mod = TEX_2D, .mod2 = 3, .space = SPACE_GLOBAL, .vec = 4),
    D("tex.level.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, {%r1}], %f5", U_TEX, GMEM, F32,
      .type2 = T_S32, .mod = TEX_1D, .space = SPACE_GLOBAL, .vec = 4),
    D("tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [g, {%f1, %f2, %f3, %f4}]", U_TEX, GMEM, F32,
      .type2 = T_F32, .mod = TEX_CUBE, .space = SPACE_GLOBAL, .vec = 4),
    D("tex.acube.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%d1, {%r1, %f2, %f3, %f4}]", U_TEX, GMEM, S32,
      .type2 = T_F32, .mod = TEX_ACUBE, .space = SPACE_GLOBAL, .vec = 4),
    D("suld.b.2d.cg.v2.b16.clamp {%h1, %h2}, [%d1, {%r1, %r2}]", U_SULD, GMEM, B16, .type2 = T_B16,
      .mod = TEX_2D, .space = SPACE_GLOBAL, .vec = 2, .flags = UF_CLAMP),
    D("sust.b.3d.b8.zero [a, {%r1, %r2, %r3, 0}], %r4", U_SUST, GMEM, B8, .type2 = T_B32,
      .mod = TEX_3D, .space = SPACE_GLOBAL, .flags = UF_ZERO),
    D("sust.p.1d.v4.b32.trap [g, %r1], {%f1, %f2, %f3, %f4}", U_SUST, GMEM, B32, .type2 = T_B32,
      .mod = TEX_1D, .space = SPACE_GLOBAL, .vec = 4, .flags = UF_FORMATTED),
    D("sured.b.add.a2d.u64.trap [%d1, {%r1, %r2, %r3, %r4}], %d2", U_SURED, GMEM, U64,
      .type2 = T_U64, .mod = TEX_A2D, .mod2 = ATOM_ADD, .space = SPACE_GLOBAL),
    D("sured.p.min.a1d.b32.clamp [%d1, {%r1, %r2}], %r3", U_SURED, GMEM, B32, .type2 = T_B32,
      .mod = TEX_A1D, .mod2 = ATOM_MIN, .space = SPACE_GLOBAL, .flags = UF_FORMATTED | UF_CLAMP),
    D("txq.channel_order.b32 %r1, [g]", U_TXQ, SP, B32, .mod = QUERY_ORDER),
    D("txq.addr_mode_1.b32 %r1, [a]", U_TXQ, SP, B32, .mod = QUERY_ADDRESS),
    D("suq.memory_layout.b32 %r1, [%d1]", U_TXQ, SP, B32, .mod = QUERY_ONE),
    D("membar.gl", U_MEMBAR, CTRL, B32),
    D("fence.acq_rel.gpu", U_MEMBAR, CTRL, B32),
    D("bar.sync 0", U_BAR, CTRL, B32),
    D("barrier.sync.aligned 0", U_BAR, CTRL, B32),
    D("bra L", U_BRA, CTRL, B32),
    D("@!%p1 bra.uni L", U_BRA, CTRL, B32, .flags = UF_UNI | UF_GUARD_NOT),
    D("@%p1 brx.idx %r1, T", U_BRX, CTRL, B32),
    D("brx.idx.uni 3, T", U_BRX, CTRL, B32, .flags = UF_UNI),
    D("ret.uni", U_RET, CTRL, B32, .flags = UF_UNI),
    D("exit", U_RET, CTRL, B32),
    D("mov.u64 %d1, %clock64", U_SPECIAL, SP, U64, .mod = VALUE_CLOCK64),
    D("trap", U_TRAP, CTRL, B32),
    D("brkpt", U_TRAP, CTRL, B32),
    D("assertfail %d1, %d2, %r1, %d3", U_TRAP, CTRL, B32),
};

static int has_second_type(enum uop_op op)
{
    return op == U_LD || op == U_ST || op == U_CVT || op == U_PACK || op == U_UNPACK ||
           op == U_SET || op == U_SLCT || op == U_TEX || op == U_DP4A ||
           (op >= U_DP2A && op < U_TXQ);
}

static void every_mnemonic_decodes(void **unused)
{
    (void)unused;
    int seen[NUM_UOPS] = {0};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct expected *e = &table[i];
        char statements[256];
        snprintf(statements, sizeof statements, "%s;\nL: T: .branchtargets L, L;", e->text);
        struct ptx_module *m = body_parse(statements);
        const struct uop *u = &m->kernels[0].uops[0];
        int type = e->klass == CLASS_CTRL ? (int)u->type : (int)e->type;
        int type2 = has_second_type(e->op) ? (int)e->type2 : (int)u->type2;
        if (u->op != e->op || u->klass != e->klass || u->type != type || u->type2 != type2 ||
            u->mod != e->mod || u->mod2 != e->mod2 || u->round != e->round ||
            u->space != e->space || u->vec != (e->vec ? e->vec : 1) || u->flags != e->flags)
            fail_msg("%s: op %s class %s type %d %d mod %d %d round %d space %d vec %d flags %x",
                     e->text, ptx_op_name(u->op), ptx_class_name(u->klass), u->type, u->type2,
                     u->mod, u->mod2, u->round, u->space, u->vec, u->flags);
        assert_string_equal(m->kernels[0].text[0], e->text);
        seen[e->op] = 1;
        ptx_free(m);
    }
    seen[U_CALL] = seen[U_RETURN] = 1; /* routine_test */
    for (int op = 0; op < NUM_UOPS; op++)
        if (!seen[op])
            fail_msg("no test decodes '%s'", ptx_op_name(op));
}

/* PTX ISA, "div" and its like: what is left out in texts of PTX 1.0 to 1.3. */
static void old_texts_leave_out_the_rounding(void **unused)
{
    static const struct {
        const char *text, *means;
    } cases[] = {
        {"div.f32 %f1, %f2, %f3", "div.approx.ftz.f32 %f1, %f2, %f3"},
        {"div.f64 %e1, %e2, %e3", "div.rn.f64 %e1, %e2, %e3"},
        {"rcp.f32 %f1, %f2", "rcp.approx.ftz.f32 %f1, %f2"},
        {"rcp.f64 %e1, %e2", "rcp.rn.f64 %e1, %e2"},
        {"sqrt.f32 %f1, %f2", "sqrt.approx.ftz.f32 %f1, %f2"},
        {"sqrt.f64 %e1, %e2", "sqrt.rn.f64 %e1, %e2"},
        {"rsqrt.f32 %f1, %f2", "rsqrt.approx.ftz.f32 %f1, %f2"},
        {"rsqrt.f64 %e1, %e2", "rsqrt.approx.f64 %e1, %e2"},
        {"sin.f32 %f1, %f2", "sin.approx.ftz.f32 %f1, %f2"},
        {"cos.f32 %f1, %f2", "cos.approx.ftz.f32 %f1, %f2"},
        {"lg2.f32 %f1, %f2", "lg2.approx.ftz.f32 %f1, %f2"},
        {"ex2.f32 %f1, %f2", "ex2.approx.ftz.f32 %f1, %f2"},
        {"div.rn.f64 %e1, %e2, %e3", "div.rn.f64 %e1, %e2, %e3"},
        {"div.s32 %r1, %r2, %r3", "div.s32 %r1, %r2, %r3"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char both[256];
        snprintf(both, sizeof both, "%s; %s;", cases[i].text, cases[i].means);
        char *text = body_text(both);
        struct ptx_error error;
        memcpy(strstr(text, "6.0"), "1.3", 3);
        struct ptx_module *m = ptx_parse("k", text, strlen(text), &error);
        if (!m)
            fail_msg("%s", error.message);
        struct uop *u = m->kernels[0].uops;
        assert_memory_equal(&u[0], &u[1], offsetof(struct uop, line));
        assert_string_equal(m->kernels[0].text[0], cases[i].text);
        ptx_free(m);
        memcpy(strstr(text, "1.3"), "1.4", 3);
        m = ptx_parse("k", text, strlen(text), &error);
        assert_int_equal(m != NULL, i >= 12);
        ptx_free(m);
        free(text);
    }
}

static void names_of_operations_and_classes(void **unused)
{
    (void)unused;
    for (int op = 0; op < NUM_UOPS; op++)
        assert_true(strlen(ptx_op_name(op)) > 1);
    assert_string_equal(ptx_op_name(U_LD), "ld");
    assert_string_equal(ptx_op_name(U_TRAP), "trap");
    assert_string_equal(ptx_op_name(U_UNPACK), "unpack");
    assert_string_equal(ptx_op_name(NUM_UOPS), "?");
    assert_string_equal(ptx_class_name(CLASS_SP), "SP");
    assert_string_equal(ptx_class_name(CLASS_STCMEM), "STCMEM");
    assert_string_equal(ptx_class_name(NUM_CLASSES), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mnemonic_decodes),
        cmocka_unit_test(old_texts_leave_out_the_rounding),
        cmocka_unit_test(names_of_operations_and_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
