/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/decode.h: from a parsed kernel, and the functions it calls, to micro-operations. */
#ifndef HEDDLE_TB_PTX_DECODE_DECODE_H
#define HEDDLE_TB_PTX_DECODE_DECODE_H

#include "tb/ptx/constants.h"
#include "tb/ptx/parse/parse.h"

#define MAX_CALLS          100000u /* inlined in one kernel */
#define MAX_HELP_MODIFIERS 3

/* A branch of the body being emitted, whose target is known by its instruction. */
struct fixup {
    struct fixup *next;
    uint32_t uop, insn;
    uint32_t slot; /* of the kernel's targets; UOP_NONE: the branch has one target */
};

/* A function that is called and not inlined, or, number 0, the kernel. */
struct routine {
    struct body *body;
    uint32_t first, end; /* its micro-operations */
    uint32_t frame; /* bytes of its frame; of the kernel: 0, as what it keeps has fixed places */
};

/* A call of a routine: what moves its arguments, the call, what moves its results. */
struct call_site {
    uint32_t first, call, last; /* micro-operations: last is the one behind */
    uint32_t routine;           /* the caller's number */
};

struct decoder {
    struct ptx_context *context;
    struct parser *parser;
    struct body *body; /* the kernel's */
    struct ptx_kernel *kernel;
    struct body **bodies; /* it and the functions that it reaches */
    uint32_t num_bodies;
    struct routine *routines;       /* it and those that are not inlined */
    uint32_t num_routines, routine; /* which one is being emitted */
    int has_calls;                  /* of routines, or by pointers */
    int allocates;                  /* there is an alloca, stacksave or stackrestore */
    struct call_site *sites;
    uint32_t num_sites;
    uint32_t *outgoing; /* micro-operations whose offset counts from the end of the frame */
    uint32_t num_outgoing;
    const struct body **signatures; /* one for each list of types of parameters and results */
    uint32_t num_signatures;
    struct symbol **shared; /* registers that are shared with others */
    uint32_t num_shared;
    struct symbol *stack; /* the stack pointer, or NULL: there are no such calls, and no alloca */
    struct symbol *allocated;  /* where what alloca gives begins, or NULL: there is no alloca */
    struct symbol *address[2]; /* of 32 and 64 bits, or NULL so far: of a variable in a frame */
    struct symbol *flag;       /* a predicate that is saved or restored, or NULL so far */
    struct symbol **registers; /* of all of them, by number */
    uint32_t num_registers;
    struct constants constants;
    uint32_t sink;       /* offset of the register that "_" stands for */
    struct symbol carry; /* CC.CF: a predicate that add.cc and its like write and addc reads */
    struct uop *uops;    /* as emitted so far, with their texts and where they come from */
    char **text;
    const struct ptx_source **sources;
    uint32_t num_uops;
    struct fixup *fixups;
    uint32_t *targets; /* of indirect branches */
    uint32_t num_targets;
    uint32_t depth, num_calls;      /* of inlining */
    const struct operand *resident; /* what says whether a texel is there; or NULL */
    const struct insn *insn;        /* the current instruction ... */
    struct uop *uop;                /* ... and what becomes of it */
};

/* decode.c: fills the kernel from its body, or marks it as refused. */
void decode_kernel(struct parser *, struct body *);
void decode_refused(struct ptx_context *, struct ptx_kernel *, const char *why, uint32_t line,
                    char *text);
/* Emits an instruction other than a call. The result moves when the next one is emitted. */
struct uop *decode_instruction(struct decoder *, const struct insn *);
/* An empty micro-operation. */
struct uop *decode_append(struct decoder *, char *text, uint32_t line, const struct ptx_source *);
/* A register of the decoder's own. */
struct symbol *decode_temporary(struct decoder *, const char *name, enum ptx_type);
/* Emits `opcode` (mnemonic and up to MAX_HELP_MODIFIERS modifiers) with these operands, on behalf of an instruction. */
void decode_help(struct decoder *, const struct insn *, const char *opcode, const struct operand *,
                 uint32_t num_operands, char *text);

/* branch.c: the branch that was emitted last goes to a label, to those of a .branchtargets, or to the instruction of this
 * number in the body that is being emitted. */
void branch_decode(struct decoder *, const struct operand *);
void branch_table(struct decoder *, const struct operand *);
void branch_to(struct decoder *, uint32_t insn);
/* Emits a branch over a guarded call: to that instruction, where the guard says no. */
void branch_over(struct decoder *, const struct insn *call, uint32_t insn);

/* reach.c: the functions that a kernel reaches, and which of them become routines. */
void reach_find(struct decoder *);

/* call.c: what a call names; its arguments and results. */
struct call {
    const struct operand *results, *function, *arguments, *targets; /* targets: NULL: none */
};
struct call call_of(const struct insn *);
/* The function that it names, or NULL. */
struct body *call_callee(const struct decoder *, const struct insn *);
/* What the function looks like: itself, or the prototype of an indirect call. Fails if it is unknown. */
struct body *call_signature(struct decoder *, const struct insn *);
void call_check(struct decoder *, const struct insn *, const struct body *);
/* Gives parameters without a size that of the largest argument that the kernel's calls pass for one. */
void call_size_open(struct decoder *);
int call_is_param(const struct operand *); /* a variable in .param space */
/* Moves an argument to a formal parameter (or, the other way, a result), unless a variable is bound to it. */
void call_transfer(struct decoder *, const struct insn *, struct symbol *formal,
                   const struct operand *actual, int is_result);

/* inline.c: a body, in which calls of functions that are no routines are replaced by what is called. */
void inline_body(struct decoder *, struct body *);

/* routine.c: calls of routines. */
/* Finds the registers that are parameters or results of calls by pointers: functions and prototypes of the
 * same types have the same ones; and, when these have their places, gives them to all. */
void routine_share(struct decoder *);
void routine_place_shared(struct decoder *);
/* Gives the parameters and results of routines their places in frames, and with them the variables that
 * are passed to routines. */
void routine_layout(struct decoder *);
void routine_call(struct decoder *, const struct insn *, const struct body *signature,
                  uint32_t next);
/* Fills the kernel's list of its routines, and its stack, when all is emitted. */
void routine_list(struct decoder *);
/* The number of its types of parameters and results. */
uint32_t routine_signature(struct decoder *, const struct body *);

/* frame.c: variables in frames; and what calls of routines need when all is emitted. */
/* The current instruction accesses a variable of a frame. */
void frame_access(struct decoder *, const struct symbol *);
/* Emits the address of such a variable; returns the register. */
struct operand frame_address(struct decoder *, const struct insn *, const struct operand *);
/* The current instruction's offset counts from the end of the frame, whose size is not known yet. */
void frame_from_end(struct decoder *);
/* Around each call of a routine: saves what lives across it, and moves the stack pointer. */
void frame_finish(struct decoder *);

/* alloca.c: memory of run-time size. */
void alloca_alignment(struct decoder *, const struct operand *);
/* The current instruction moves where what alloca gives begins, or reads it. */
void alloca_move(struct decoder *);
/* Around a body that does: what it has allocated goes when it returns. */
void alloca_enter(struct decoder *, struct body *);
void alloca_leave(struct decoder *, const struct body *);

/* layout.c: offsets of registers, shared and local variables. */
void layout_kernel(struct decoder *);
/* Gives a variable the next aligned place behind *end. */
void layout_place(struct decoder *, struct symbol *, uint32_t *end, const char *what);
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
uint32_t address_of_function(struct decoder *, const struct operand *, enum ptx_type);

/* wide.c: an instruction on .b128 that is not one on two .b64: emits others for it, and returns the last one; or NULL. Or
 * gives it other operands. */
struct uop *wide_decode(struct decoder *, const struct insn **);

/* vector.c: mov, ld and st with one element or several. */
void vector_mov(struct decoder *, const struct operand *to, const struct operand *from);
void vector_targets(struct decoder *, const struct operand *);
void vector_sources(struct decoder *, const struct operand *);
void vector_load(struct decoder *, const struct operand *);
void vector_store(struct decoder *, const struct operand *);

/* video.c: operands of which a part is chosen; `number`: 0 for a, 1 for b. video_addend: c of vmad.
 * video_check: what the operands must have in common. */
void video_destination(struct decoder *, const struct operand *);
uint32_t video_source(struct decoder *, const struct operand *, uint32_t number);
uint32_t video_addend(struct decoder *, const struct operand *);
void video_check(struct decoder *);

/* texture.c: the operands of tex, tld4, suld, sust, sured, txq, suq. */
void texture_texel(struct decoder *, const struct operand *);
void texture_decode(struct decoder *, const struct operand *);
void texture_gradient(struct decoder *, const struct operand *);
void texture_offsets(struct decoder *, const struct operand *);
void surface_decode(struct decoder *, const struct operand *);
void texture_query(struct decoder *, const struct operand *);
void texture_resident(struct decoder *, const struct insn *);
void texture_bare(struct decoder *, const struct operand *);

#endif
