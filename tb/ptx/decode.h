/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode.h: from a parsed kernel to micro-operations. */
#ifndef HEDDLE_TB_PTX_DECODE_H
#define HEDDLE_TB_PTX_DECODE_H

#include "tb/ptx/constants.h"
#include "tb/ptx/parse.h"

struct decoder {
    struct ptx_context *context;
    struct parser *parser;
    struct body *body;
    struct ptx_kernel *kernel;
    struct constants constants;
    uint32_t sink;           /* offset of the register that "_" stands for */
    const struct insn *insn; /* the current instruction ... */
    struct uop *uop;         /* ... and what becomes of it */
};

/* decode.c: fills the kernel from its body; `line` is where the body ends. */
void decode_kernel(struct parser *, struct body *, uint32_t line);

/* layout.c: offsets of registers, shared and local variables. */
void layout_kernel(struct decoder *);

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
_Noreturn void operand_fail(struct decoder *, const struct operand *, const char *expected);

/* address.c: the address operand of ld, st, atom; and the address of a symbol as a value. */
void address_decode(struct decoder *, const struct operand *);
uint32_t address_of(struct decoder *, const struct operand *, enum ptx_type);

/* vector.c: mov, ld and st with one element or several. */
void vector_mov(struct decoder *, const struct operand *to, const struct operand *from);
void vector_load(struct decoder *, const struct operand *);
void vector_store(struct decoder *, const struct operand *);

#endif
