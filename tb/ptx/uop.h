/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/uop.h: the micro-operation: one PTX instruction, decoded once, executed by 32 lanes many
 * times.
 *
 * Operands are byte offsets into one of two places, told apart by bit 31, so that an operand is
 * fetched without a branch: `base[off >> 31] + (off & 0x7fffffff)`. Clear: the warp's own register
 * block. Set: the kernel's constants. A register occupies 32 lanes side by side: uint32_t[32] for
 * .b8 .b16 .b32 .f32 (the value sits in the low bits, the rest is zero for .b8 and .b16),
 * uint64_t[32] for .b64 .f64, and a predicate is one uint32_t, bit i for lane i. Constants have the
 * same shape (one value in all lanes). Special registers (%tid.x ...) that differ per warp are
 * ordinary registers at fixed offsets, written when the warp starts: enum ptx_special. */
#ifndef HEDDLE_TB_PTX_UOP_H
#define HEDDLE_TB_PTX_UOP_H

#include <stdint.h>

#define WARP_LANES 32
#define UOP_NONE   0xffffffffu /* no register, no target */
#define UOP_CONST  0x80000000u /* operand lies in the kernel's constants */

enum ptx_type {
    T_B8,
    T_B16,
    T_B32,
    T_B64,
    T_U8,
    T_U16,
    T_U32,
    T_U64,
    T_S8,
    T_S16,
    T_S32,
    T_S64,
    T_F16,
    T_F16X2,
    T_F32,
    T_F64,
    T_PRED
};

enum ptx_space {
    SPACE_NONE,
    SPACE_PARAM,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_CONST,
    SPACE_LOCAL,
    SPACE_GENERIC
};

/* The pipeline an instruction issues to; the order of the first four is wia's allow_class. CTRL:
 * branches, barriers, exits; they issue through SP. */
enum uop_class { CLASS_SP, CLASS_SFU, CLASS_GMEM, CLASS_STCMEM, CLASS_CTRL, NUM_CLASSES };

/* Base mnemonics. U_RET also stands for exit; U_CALL and U_RETURN are the calls that are not inlined,
 * and the ret of what they call. U_FMA serves fma and f32/f64 mad. U_PACK and U_UNPACK
 * are mov with a vector operand: mov.b64 %rd, {%r1, %r2} and mov.b64 {%r1, %r2}, %rd; the first
 * element is the least significant. U_MOVES is mov of `vec` registers, dst[] and src[], at once.
 *
 * Types of the operands where they differ from uop.type:
 *   mul.wide mad.wide  dst and the addend of mad are twice as wide as type
 *   shl shr            the amount, src[1], is .u32; so are positions and lengths: bfe src[1] and
 *                      src[2], bfi src[2] and src[3], szext src[1]
 *   clz popc bfind     dst is .u32
 *   setp selp          setp dst and src[2], selp src[2] are .pred
 *   cvt                mod and mod2 are the types of the registers (.b8 .b16 .b32 .b64) that hold
 *                      dst and src, which may be wider than type and type2: the source is the low
 *                      bits, the result is extended to dst (a float by zeros)
 *   ld st              a value is extended to the register, whose type (.b8 .b16 .b32 .b64) is
 *                      type2; or its low bits are stored
 *   pack unpack        pack: vec elements src[] of type2 to dst[0] of type; unpack: src[0] of type
 *                      to vec elements dst[] of type2
 * Float arithmetic without a rounding mode is RND_RN.
 * A destination "_" is a register that nobody reads and the scoreboard does not track. red is atom
 * with such a dst.
 *
 * What has more than data, or operands of its own:
 *   addc subc madc     serve add.cc, addc and so on: src[3] is the carry (subc: borrow) that goes
 *                      in, dst[1] the one that comes out, both .pred; either may be missing
 *   lop3               mod is the table: bit 4 a + 2 b + c is the result of these three bits; with
 *                      .and or .or, in mod2, dst[1] is dst[0] != 0 combined with src[3], both .pred
 *   cvt.pack           dst and src[2], which may be missing, are 32 bits of parts; src[0] and src[1]
 *                      are .s32, and type that of a part, or mod (enum uop_narrow)
 *   set slct           type2 is the type of set's src[0] and src[1], of slct's src[2]
 *   testp isspacep     dst is .pred; isspacep src[0] is .u64
 *   dp4a dp2a          type and type2 are those of the parts of src[0] and src[1]
 *   vadd vadd2 ...     type is that of dst and src[2], type2 of src[0], type3 of src[1]; vset: type
 *                      of src[0], type2 of src[1]. src[2] of a scalar one may be missing. The parts
 *                      of the operands are in offset, see enum uop_part; mod of vmad is by how much
 *                      the sum is shifted
 *   .f16x2             setp: dst[0] of the low halves, dst[1] of the high ones
 *   shfl               dst[1] is .pred, or missing; src[1] and src[2] are .u32
 *   vote match         vote src[0] is .pred, dst .pred or .b32; match dst[0] is .u32, dst[1] .pred
 *                      or missing
 *   redux syncwarp     like those before: the last operand is the .u32 of the lanes that take part,
 *                      src[3] of shfl, src[1] of vote, match and redux, src[0] of syncwarp; missing
 *                      where there is no .sync
 *   bar                src[0] is the barrier's number, src[1] that of threads or missing (all),
 *                      both .u32; bar.red: src[2] is .pred, dst .u32 or .pred
 *   tex                src[0] is the texture's handle and src[1] the sampler's, both .u64. Either
 *                      may be missing: then it is the kernel's parameter at `offset`, and at
 *                      `target`; or, where target is missing too, the texture's own sampler. vsrc
 *                      are the coordinates, of type2 (a layer, which comes first, is .u32); dst
 *                      are the four components; or, of tld4, component mod2 - 1 of four texels, where
 *                      mod2 is not 0. Offsets of x, y and z, .s32, are src[2], src[3] and vsrc[3],
 *                      or missing
 *   istypep            dst is .pred, src[0] a handle like tex's; mod is the type (enum ptx_opaque)
 *   trap               src are message, file, line and function of an assertion, of .u64, .u32 for
 *                      the line; or missing
 *   special            mov of a special register that is read when it is executed; mod says which
 *   call               src[0] is the stack pointer, .b32. src[1] missing: offset is the function's number
 *                      among the kernel's routines; else it is the function's address, .u64, and offset
 *                      the number of its parameters' types (ptx_routine.signature)
 *   brx                src[0] is the index, .u32; its targets are the kernel's from `target` on, and
 *                      offset is how many (ptx_targets)
 *   alloca             src[0] is the size, as type. src[1] and dst[1] are where what alloca gives begins (struct
 *                      ptx_kernel.allocated), src[2] is the stack pointer, all .b32; offset is how far
 *                      behind it the frame ends, mod the power of two that the result is a multiple of
 *   stackrestore       src[0] is the value, as type; dst[0], src[2] and offset as dst[1], src[2] and offset
 *                      of alloca. stacksave is mov or cvt
 *   nop                prefetch and its like: nothing to be seen */
enum uop_op {
    U_LD,
    U_ST,
    U_ATOM,
    U_MOV,
    U_CVTA,
    U_CVT,
    U_ADD,
    U_SUB,
    U_MUL,
    U_MAD,
    U_FMA,
    U_DIV,
    U_REM,
    U_NEG,
    U_ABS,
    U_MIN,
    U_MAX,
    U_AND,
    U_OR,
    U_XOR,
    U_NOT,
    U_SHL,
    U_SHR,
    U_SETP,
    U_SELP,
    U_RCP,
    U_SQRT,
    U_RSQRT,
    U_EX2,
    U_LG2,
    U_SIN,
    U_COS,
    U_BFE,
    U_BFI,
    U_MUL24,
    U_MAD24,
    U_SAD,
    U_CLZ,
    U_POPC,
    U_BFIND,
    U_BREV,
    U_PRMT,
    U_SHF,
    U_COPYSIGN,
    U_MEMBAR,
    U_BAR,
    U_BRA,
    U_BRX,
    U_RET,
    U_CALL,
    U_RETURN,
    U_TRAP,
    U_PACK,
    U_UNPACK,
    U_ADDC,
    U_SUBC,
    U_MADC,
    U_CNOT,
    U_LOP3,
    U_SET,
    U_SLCT,
    U_TESTP,
    U_ISSPACEP,
    U_TANH,
    U_SHFL,
    U_VOTE,
    U_MATCH,
    U_REDUX,
    U_ACTIVEMASK,
    U_SYNCWARP,
    U_NOP,
    U_TEX,
    U_SPECIAL,
    U_DP4A,
    U_DP2A,
    U_VADD,
    U_VSUB,
    U_VABSDIFF,
    U_VMIN,
    U_VMAX,
    U_VSHL,
    U_VSHR,
    U_VMAD,
    U_VSET,
    U_VADD2,
    U_VSUB2,
    U_VAVRG2,
    U_VABSDIFF2,
    U_VMIN2,
    U_VMAX2,
    U_VSET2,
    U_VADD4,
    U_VSUB4,
    U_VAVRG4,
    U_VABSDIFF4,
    U_VMIN4,
    U_VMAX4,
    U_VSET4,
    U_SULD,
    U_SUST,
    U_SURED,
    U_TXQ,
    U_BMSK,
    U_SZEXT,
    U_FNS,
    U_PACK_SAT,
    U_ISTYPEP,
    U_MOVES,
    U_ALLOCA,
    U_STACKRESTORE,
    NUM_UOPS
};

/* uop.mod, by op. mul/mad: which half of the product. */
enum uop_half { HALF_LO, HALF_HI, HALF_WIDE };
/* setp: comparison (LO LS HI HS are the unsigned LT LE GT GE and are decoded to those with an
 * unsigned type). */
enum uop_cmp {
    CMP_EQ,
    CMP_NE,
    CMP_LT,
    CMP_LE,
    CMP_GT,
    CMP_GE,
    CMP_EQU,
    CMP_NEU,
    CMP_LTU,
    CMP_LEU,
    CMP_GTU,
    CMP_GEU,
    CMP_NUM,
    CMP_NAN
};
/* setp with a third predicate operand: dst = (a cmp b) op c. In uop.mod2. */
enum uop_bool { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR };
/* cvt, and float arithmetic. In uop.round. APPROX: .approx; div.full is RN. */
enum uop_round {
    RND_NONE,
    RND_RN,
    RND_RZ,
    RND_RM,
    RND_RP,
    RND_RNI,
    RND_RZI,
    RND_RMI,
    RND_RPI,
    RND_APPROX
};
/* atom: operation. */
enum uop_atom {
    ATOM_ADD,
    ATOM_MIN,
    ATOM_MAX,
    ATOM_EXCH,
    ATOM_CAS,
    ATOM_AND,
    ATOM_OR,
    ATOM_XOR,
    ATOM_INC,
    ATOM_DEC
};

/* min, max */
enum uop_minmax { MINMAX_NUMBER, MINMAX_NAN };
enum uop_permute {
    PERMUTE_INDEX,
    PERMUTE_F4E,
    PERMUTE_B4E,
    PERMUTE_RC8,
    PERMUTE_ECL,
    PERMUTE_ECR,
    PERMUTE_RC16
};
enum uop_test {
    TEST_FINITE,
    TEST_INFINITE,
    TEST_NUMBER,
    TEST_NOTANUMBER,
    TEST_NORMAL,
    TEST_SUBNORMAL
};
enum uop_shuffle { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };
enum uop_vote { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
/* tex, suld, sust, sured: dimensions, and layers of them. */
enum uop_texture { TEX_1D, TEX_2D, TEX_3D, TEX_A1D, TEX_A2D, TEX_CUBE, TEX_ACUBE };
/* txq, suq */
enum uop_query {
    QUERY_WIDTH,
    QUERY_HEIGHT,
    QUERY_DEPTH, /* or layers */
    QUERY_DATA_TYPE,
    QUERY_ORDER,
    QUERY_ONE, /* always: the levels, the samples, whether memory is linear */
    QUERY_NORMALIZED,
    QUERY_UNNORMALIZED,
    QUERY_FILTER,
    QUERY_ADDRESS
};
/* cvt.pack: what .s32 are packed as, where it is not type. */
enum uop_narrow { NARROW_NONE, NARROW_U4, NARROW_S4, NARROW_U2, NARROW_S2 };
enum uop_match { MATCH_ANY, MATCH_ALL };
/* Video instructions: what is done to a result and c, in mod2; vmad.po adds one. */
enum uop_second { SECOND_NONE, SECOND_ADD, SECOND_MIN, SECOND_MAX, SECOND_PLUS_ONE };
/* Their operands' parts, in uop.offset. Scalar: a part of dst, src[0] and src[1] in four bits each,
 * from the lowest up, and what vmad negates. SIMD: bit n, whether element n is written; from
 * VIDEO_PICKS_A and VIDEO_PICKS_B on, in four bits for each element, which element of src[1]:src[0]
 * is taken. */
enum uop_part { PART_WORD, PART_B0, PART_B1, PART_B2, PART_B3, PART_H0, PART_H1 };
#define VIDEO_NEGATE_PRODUCT 0x1000
#define VIDEO_NEGATE_C       0x2000
#define VIDEO_PICKS_A        8
#define VIDEO_PICKS_B        24
/* bar; and in mod2 what bar.red computes. redux: enum uop_atom. */
enum uop_barrier { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_RED };
enum uop_reduce { REDUCE_POPC, REDUCE_AND, REDUCE_OR };

/* special */
enum uop_special {
    VALUE_CLOCK,
    VALUE_CLOCK_HI,
    VALUE_CLOCK64,
    VALUE_GLOBALTIMER,
    VALUE_GLOBALTIMER_LO,
    VALUE_GLOBALTIMER_HI,
    VALUE_SMID,
    VALUE_NSMID,
    VALUE_GRIDID,
    VALUE_TOTAL_SMEM_SIZE,
    VALUE_DYNAMIC_SMEM_SIZE,
    NUM_VALUES
};

enum uop_flag {
    UF_SAT = 1,       /* .sat */
    UF_FTZ = 2,       /* .ftz */
    UF_GUARD_NOT = 4, /* @!p */
    UF_UNI = 8,       /* bra.uni */
    UF_VOLATILE = 16,
    UF_LOOP_HEAD = 32,  /* first instruction of a natural loop */
    UF_CVTA_TO = 64,    /* cvta.to.space (else cvta.space: to generic) */
    UF_SHF_RIGHT = 128, /* shf.r (else shf.l); shf wraps unless UF_CLAMP */
    UF_CLAMP = 256,
    UF_SRC_NOT =
        512, /* the predicate operand of setp, set, lop3, vote, bar.red, mov or not is negated (!c) */
    UF_SHIFTAMT = 1024,    /* bfind.shiftamt */
    UF_ZERO = 4096,        /* suld, sust, sured: .zero; UF_CLAMP: .clamp; else .trap */
    UF_FORMATTED = 8192,   /* sust.p, sured.p: by the surface's format */
    UF_FINITE = 32768,     /* cvt.satfinite: beyond the largest number is that number */
    UF_SECOND_NOT = 16384, /* the second predicate of and, or, xor is negated, too */
    UF_ADDRESS32 = 2048    /* ld, st, atom: the address register src[0] is .b32 (else .b64) */
};

struct exec_warp;
struct exec_access;
struct uop;
/* Executes the data part of a micro-operation for the lanes in `mask`. Bound by exec_bind(), see
 * tb/exec/exec.h. */
typedef void uop_fn(struct exec_warp *, const struct uop *, uint32_t mask, struct exec_access *);

/* What every instruction has comes first: a step of a warp then touches few of the host's lines. */
struct uop {
    uop_fn *run;  /* set by exec_bind; NULL until then */
    uint8_t op;   /* enum uop_op */
    uint8_t type; /* enum ptx_type: the instruction's type (cvt: destination; ld/st: memory type) */
    uint8_t type2;   /* enum ptx_type: second type (cvt: source; ld/st: the register's type, .b32 or
                        .b64 ...) */
    uint8_t type3;   /* enum ptx_type: third type, of a video instruction's src[1] */
    uint8_t mod;     /* see above */
    uint8_t mod2;    /* see above */
    uint8_t round;   /* enum uop_round */
    uint8_t space;   /* enum ptx_space of ld, st, atom, cvta */
    uint8_t vec;     /* 1, 2 or 4: elements of a vector ld or st */
    uint8_t klass;   /* enum uop_class */
    uint16_t flags;  /* enum uop_flag */
    uint32_t guard;  /* predicate operand, or UOP_NONE */
    uint32_t dst[4]; /* dst[1]: second predicate of setp p|q; vector ld: vec of them */
    uint32_t
        src[4]; /* ld: src[0] address. st: src[0] address, src[1..] see vsrc. atom: address, b, c */
    /* What the scoreboard tracks: virtual register numbers, dense in a kernel (struct
     * ptx_kernel.num_regs). */
    uint8_t num_reads, num_writes;
    uint16_t writes[4], reads[16];
    uint32_t vsrc[4];    /* vector or scalar st: the values */
    int64_t offset;      /* ld, st, atom: byte offset added to the address (src[0] may be UOP_NONE:
                            offset is the address) */
    uint32_t target;     /* bra: index of the target */
    uint32_t reconverge; /* bra, brx: index of the immediate post-dominator's first instruction;
                            num_uops: at the kernel's end */
    uint32_t line;       /* in the PTX text, from 1 */
};

/* Registers every warp has, at these numbers. All are .b32; those that a kernel may read come first in its register block,
 * in this order (ptx_special_offset). ENVREG0 is the work dimension, 1..3 the global offset of x, y, z. */
enum ptx_special {
    SR_TID_X,
    SR_TID_Y,
    SR_TID_Z,
    SR_NTID_X,
    SR_NTID_Y,
    SR_NTID_Z,
    SR_CTAID_X,
    SR_CTAID_Y,
    SR_CTAID_Z,
    SR_NCTAID_X,
    SR_NCTAID_Y,
    SR_NCTAID_Z,
    SR_ENVREG0,
    SR_ENVREG1,
    SR_ENVREG2,
    SR_ENVREG3,
    SR_LANEID,
    SR_WARPID,
    SR_NWARPID,
    NUM_SPECIALS
};
#define SPECIAL_BYTES (NUM_SPECIALS * 4 * WARP_LANES) /* of all of them */

#endif
