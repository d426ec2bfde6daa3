/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/opcode.h: from an opcode with its modifiers to what it does and which operands it takes.
 */
#ifndef HEDDLE_TB_PTX_OPCODE_H
#define HEDDLE_TB_PTX_OPCODE_H

#include "tb/ptx/context.h"
#include "tb/ptx/parse/ast.h"

/* One letter per operand: see opcode.def. */
typedef const char *opcode_shape;

/* True if any form of the mnemonic exists. */
int opcode_known(const char *mnemonic);

/* A text of PTX 1.0 to 1.3 may leave out of div, rcp, sqrt, rsqrt, sin, cos, lg2 and ex2 how they
 * round: then these are the modifiers that they have by default, in `modifiers`. Returns 0: none. */
#define OPCODE_COMPLETE 3
int opcode_complete(const struct insn *, struct insn *complete,
                    const char *modifiers[OPCODE_COMPLETE]);

/* A .b128 is moved, loaded and stored as two .b64, and is two registers: if that is what the
 * instruction does, what it is then. Returns 0: it is another. */
int opcode_halve(const struct insn *, struct insn *halves,
                 const char *modifiers[MAX_MODIFIERS + 1]);

/* Fills op, type, type2, mod, mod2, round, space, vec, klass and flags of the micro-operation from
 * the opcode, and returns the shape of its operands. Fails, naming the opcode, where no form fits.
 */
opcode_shape opcode_decode(struct ptx_context *, const struct insn *, struct uop *);

/* Why the machine does not have a special register: a reason, with ": " in *colon, or nothing. */
const char *opcode_why_no_special(const char *name, const char **colon);

#endif
