/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/names.c: words for the enumerations of uop.h, for messages and waveforms. */
#include "tb/ptx/ptx.h"

static const char *const ops[NUM_UOPS] = {
    [U_LD] = "ld",
    [U_ST] = "st",
    [U_ATOM] = "atom",
    [U_MOV] = "mov",
    [U_CVTA] = "cvta",
    [U_CVT] = "cvt",
    [U_ADD] = "add",
    [U_SUB] = "sub",
    [U_MUL] = "mul",
    [U_MAD] = "mad",
    [U_FMA] = "fma",
    [U_DIV] = "div",
    [U_REM] = "rem",
    [U_NEG] = "neg",
    [U_ABS] = "abs",
    [U_MIN] = "min",
    [U_MAX] = "max",
    [U_AND] = "and",
    [U_OR] = "or",
    [U_XOR] = "xor",
    [U_NOT] = "not",
    [U_SHL] = "shl",
    [U_SHR] = "shr",
    [U_SETP] = "setp",
    [U_SELP] = "selp",
    [U_RCP] = "rcp",
    [U_SQRT] = "sqrt",
    [U_RSQRT] = "rsqrt",
    [U_EX2] = "ex2",
    [U_LG2] = "lg2",
    [U_SIN] = "sin",
    [U_COS] = "cos",
    [U_BFE] = "bfe",
    [U_BFI] = "bfi",
    [U_MUL24] = "mul24",
    [U_MAD24] = "mad24",
    [U_SAD] = "sad",
    [U_CLZ] = "clz",
    [U_POPC] = "popc",
    [U_BFIND] = "bfind",
    [U_BREV] = "brev",
    [U_PRMT] = "prmt",
    [U_SHF] = "shf",
    [U_COPYSIGN] = "copysign",
    [U_MEMBAR] = "membar",
    [U_BAR] = "bar",
    [U_BRA] = "bra",
    [U_RET] = "ret",
    [U_CALL] = "call",
    [U_RETURN] = "return",
    [U_TRAP] = "trap",
    [U_PACK] = "pack",
    [U_UNPACK] = "unpack",
    [U_ADDC] = "addc",
    [U_SUBC] = "subc",
    [U_MADC] = "madc",
    [U_CNOT] = "cnot",
    [U_LOP3] = "lop3",
    [U_SET] = "set",
    [U_SLCT] = "slct",
    [U_TESTP] = "testp",
    [U_ISSPACEP] = "isspacep",
    [U_TANH] = "tanh",
    [U_SHFL] = "shfl",
    [U_VOTE] = "vote",
    [U_MATCH] = "match",
    [U_REDUX] = "redux",
    [U_ACTIVEMASK] = "activemask",
    [U_SYNCWARP] = "syncwarp",
    [U_NOP] = "nop",
    [U_TEX] = "tex",
    [U_SPECIAL] = "mov",
};

static const char *const classes[NUM_CLASSES] = {
    [CLASS_SP] = "SP",         [CLASS_SFU] = "SFU",   [CLASS_GMEM] = "GMEM",
    [CLASS_STCMEM] = "STCMEM", [CLASS_CTRL] = "CTRL",
};

const char *ptx_op_name(enum uop_op op)
{
    return (unsigned)op < NUM_UOPS ? ops[op] : "?";
}

const char *ptx_class_name(enum uop_class klass)
{
    return (unsigned)klass < NUM_CLASSES ? classes[klass] : "?";
}
