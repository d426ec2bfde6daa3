/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/decode.h: from a parsed kernel, and the functions it calls, to micro-operations. */
#ifndef HEDDLE_TB_PTX_DECODE_DECODE_H
#define HEDDLE_TB_PTX_DECODE_DECODE_H

#include "tb/ptx/constants.h"
#include "tb/ptx/parse/parse.h"

#define MAX_CALL_DEPTH 64
#define MAX_CALLS      100000u /* inlined in one kernel */

/* A branch of the body being emitted, whose target is known by its instruction. */
struct fixup {
    struct fixup *next;
    uint32_t uop, insn;
};

struct decoder {
    struct ptx_context *context;
    struct parser *parser;
    struct body *body; /* the kernel's */
    struct ptx_kernel *kernel;
    struct body **bodies; /* it and the functions that it reaches */
    uint32_t num_bodies;
    struct symbol **registers; /* of all of them, by number */
    uint32_t num_registers;
    struct constants constants;
    uint32_t sink;       /* offset of the register that "_" stands for */
    struct symbol carry; /* CC.CF: a predicate that add.cc and its like write and addc reads */
    struct uop *uops;    /* as emitted so far, with their texts */
    char **text;
    uint32_t num_uops;
    struct fixup *fixups;
    uint32_t depth, num_calls; /* of inlining */
    const struct insn *insn;   /* the current instruction ... */
    struct uop *uop;           /* ... and what becomes of it */
};

/* decode.c: fills the kernel from its body, or marks it as refused. */
void decode_kernel(struct parser *, struct body *);
void decode_refused(struct ptx_context *, struct ptx_kernel *, const char *why, uint32_t line,
                    char *text);
/* Emits an instruction other than a call. The result moves when the next one is emitted. */
struct uop *decode_instruction(struct decoder *, const struct insn *);
/* Its target is the instruction of this number in the body that is being emitted. */
void decode_branch_target(struct decoder *, uint32_t insn);
/* Emits a branch over a guarded call: to that instruction, where the guard says no. */
void decode_skip(struct decoder *, const struct insn *call, uint32_t insn);

/* inline.c: the functions that a kernel reaches; and a call, replaced by what is called. */
void inline_find(struct decoder *);
void inline_body(struct decoder *, struct body *);

/* layout.c: offsets of registers, shared and local variables. */
void layout_kernel(struct decoder *);
/* Fills the kernel's list of registers, when all have their numbers. */
void layout_list(struct decoder *);
/* Gives a parameter that a call passes by value a place in the thread's memory. */
void layout_param(struct decoder *, struct symbol *);

/* operand.c: one operand to its offset, checked against a type and entered in the scoreboard's
 * lists. */
uint32_t operand_source(struct decoder *, const struct operand *, enum ptx_type);
uint32_t operand_destination(struct decoder *, const struct operand *, enum ptx_type);
/* An operand that may be wider than `type`; *held is the type (.b8 .b16 .b32 .b64) of what holds
 * it. */
uint32_t operand_wide_source(struct decoder *, const struct operand *, enum ptx_type,
                             enum ptx_type *held);
uint32_t operand_wide_destination(struct decoder *, const struct operand *, enum ptx_type,
                                  enum ptx_type *held);
void operand_guard(struct decoder *);
void operand_reads(struct decoder *, const struct symbol *);
void operand_writes(struct decoder *, const struct symbol *);
_Noreturn void operand_fail(struct decoder *, const struct operand *, const char *expected);

/* address.c: the address operand of ld, st, atom; and the address of a symbol as a value. */
void address_decode(struct decoder *, const struct operand *);
uint32_t address_of(struct decoder *, const struct operand *, enum ptx_type);

/* vector.c: mov, ld and st with one element or several. */
void vector_mov(struct decoder *, const struct operand *to, const struct operand *from);
void vector_load(struct decoder *, const struct operand *);
void vector_store(struct decoder *, const struct operand *);

/* video.c: operands of which a part is chosen; `number`: 0 for a, 1 for b. video_addend: c of vmad.
 * video_check: what the operands must have in common. */
void video_destination(struct decoder *, const struct operand *);
uint32_t video_source(struct decoder *, const struct operand *, uint32_t number);
uint32_t video_addend(struct decoder *, const struct operand *);
void video_check(struct decoder *);

/* texture.c: the operands of tex, suld, sust, sured, txq, suq. */
void texture_texel(struct decoder *, const struct operand *);
void texture_decode(struct decoder *, const struct operand *);
void surface_decode(struct decoder *, const struct operand *);
void texture_query(struct decoder *, const struct operand *);

#endif
