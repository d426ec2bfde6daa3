/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/ast.h: what the parser hands to the decoder: names resolved, nothing checked against
 * the opcode yet. */
#ifndef HEDDLE_TB_PTX_PARSE_AST_H
#define HEDDLE_TB_PTX_PARSE_AST_H

#include <stdint.h>

#include "tb/ptx/ptx.h"

#define MAX_OPERANDS  8
#define MAX_MODIFIERS 16
#define MAX_VECTOR    8
#define MAX_ADDRESS   3   /* texture, sampler, coordinates */
#define MAX_ARGUMENTS 255 /* of a call */

/* A { } of the text. Names are looked up from the inside out; the module is the outermost one. */
struct scope {
    const struct scope *parent;
    uint32_t id; /* in order of appearance */
    uint32_t depth;
};

enum symbol_kind {
    SYMBOL_REGISTER,
    SYMBOL_RANGE,
    SYMBOL_VARIABLE,
    SYMBOL_PARAM, /* of a kernel; those of functions and calls are variables in .param space */
    SYMBOL_LABEL,
    SYMBOL_FUNCTION,
    SYMBOL_PROTOTYPE, /* of an indirect call: body has its parameters and results alone */
    SYMBOL_TARGETS,   /* of an indirect call: the functions are like `first` */
    SYMBOL_BRANCHES   /* of an indirect branch: the labels */
};

struct body;

/* Anything with a name. */
struct symbol {
    struct symbol *chain; /* in the table's bucket */
    const char *name;
    const struct scope *scope;
    enum symbol_kind kind;
    uint32_t line;
    uint32_t order; /* among all, from 1 */

    enum ptx_type type; /* of a register, a range or a variable's elements */
    uint32_t count;     /* of a range: %r<count> */
    uint32_t width;     /* of a register or a range: 2 or 4 where it is a vector, else 1 */
    uint8_t whole;      /* of a register or a range: it is .b128, a vector that is named as one */
    struct symbol *elements; /* of a vector register, once one is named */

    /* Register: its number in the kernel and its offset in the register block, while that kernel is
     * decoded. */
    uint32_t number, offset;
    /* Parameter or result of a function that a pointer may lead to, or of a prototype: it is the same
     * register as that one's, while a kernel is decoded; or NULL. */
    const struct symbol *shared_with;
    struct symbol *next_register; /* the body's registers in order of first use */

    /* Variable. A shared one lies in the block's memory at `address`, a local one and a parameter
     * of a call in the thread's, while a kernel is decoded; the others in the module's list at
     * `index`. */
    enum ptx_space space;
    uint64_t size, address;
    uint32_t align;
    uint32_t index;
    uint8_t dynamic;   /* .extern .shared, of open size */
    uint8_t undefined; /* .extern, and so far nothing more */
    uint8_t formal;    /* of a function, in .param space */
    uint8_t open; /* such a one without a size, which is the largest that the kernel's calls pass */
    /* It lies in the frame of a routine, `address` bytes from its start: while a kernel is decoded; in the
     * caller's, or `outgoing`: in the frame of the routine that is called. */
    uint8_t on_stack, outgoing;
    struct symbol *next_var; /* declared in the same module or body */

    uint32_t named_by; /* number of the last body that names it, if it is no label */
    uint32_t used_by;  /* number of the last decoded kernel that reaches such a body */

    uint32_t param;             /* index in the kernel's params */
    uint32_t target;            /* label: index of the instruction that follows it */
    struct body *body;          /* function, kernel or prototype */
    struct symbol *alias_of;    /* another function, or NULL */
    const struct symbol *first; /* of a list of targets */
    const char **labels; /* of a list of branches: their names, which may be declared later */
    uint32_t num_labels;
    uint32_t
        taken; /* function: its number among those whose address is taken, from 1; 0: it is not */
};

/* %lanemask_eq and its like: bits of a lane that compare so with its own number. */
enum lanemask { LANEMASK_EQ, LANEMASK_LE, LANEMASK_LT, LANEMASK_GE, LANEMASK_GT, NUM_LANEMASKS };

enum operand_kind {
    OPERAND_REGISTER,    /* symbol */
    OPERAND_SPECIAL,     /* special: enum ptx_special */
    OPERAND_UNSUPPORTED, /* name of a special register that the machine does not have */
    OPERAND_LANEMASK,    /* special: enum lanemask */
    OPERAND_VALUE,       /* special: enum uop_special */
    OPERAND_INT,         /* value */
    OPERAND_F32,         /* value: bits */
    OPERAND_F64,         /* value: bits */
    OPERAND_SYMBOL,      /* symbol + offset: address of a variable or param */
    OPERAND_FUNCTION,    /* symbol */
    OPERAND_NAME,        /* name, not declared (so far): a label */
    OPERAND_SINK,        /* _ */
    OPERAND_VECTOR,      /* elements; symbol, if it is a vector register */
    OPERAND_PAIR,        /* elements: p|q */
    OPERAND_ADDRESS,     /* [elements[0] + offset], [offset]; of a texture: [elements] */
    OPERAND_LIST         /* elements: (a, b), of a call */
};

struct operand {
    enum operand_kind kind;
    uint8_t negated; /* !p; or of an integer: it has a minus sign */
    uint8_t minus;   /* -%r, of vmad */
    uint8_t count;   /* of elements */
    const char *name;
    struct symbol *symbol;
    const char *selector; /* NULL, or which part of a register: ".b0", ".h32" */
    uint32_t special;
    uint64_t value;
    int64_t offset;
    struct operand *elements;
};

struct insn {
    struct insn *next;
    uint32_t line;
    const struct scope *scope;
    const char *opcode;   /* as written, with modifiers, for messages */
    const char *mnemonic; /* up to the first dot */
    const char *const *modifiers;
    uint32_t num_modifiers;
    const struct symbol *guard;
    uint8_t guard_not;
    const struct operand *operands;
    uint32_t num_operands;
    char *text;
    const struct ptx_source *source; /* NULL: not known */
};

/* What stands in the parentheses of a function: registers, or variables in .param space. */
struct formals {
    struct symbol **symbols;
    uint32_t count;
};

/* A kernel or a function between parsing and decoding. */
struct body {
    struct body *next; /* in the module */
    const char *name;
    struct ptx_kernel *kernel;  /* NULL: a function */
    uint32_t number;            /* in the module, from 1 */
    uint32_t end;               /* line of its last brace; 0: declared only */
    const struct scope *scope;  /* of its formals and its outermost statements */
    const struct lexer *unread; /* where it begins, as long as it is only skipped; see ptx_open */
    uint32_t seen;              /* the module's names up to this one stand above it */
    struct ptx_error *failed;   /* what is wrong in it, or NULL */
    struct formals results, params; /* of a function */
    struct insn *insns, **last;
    uint32_t num_insns;
    struct symbol *registers, **last_register; /* used ones, in order of first use */
    struct symbol *vars, **last_var;           /* .shared, .local and .param, declared inside */
    struct symbol **outer; /* .shared, .local and .reg of the module that it names */
    uint32_t num_outer;

    /* In the kernel that is decoded, if it is reached_by this one's number. */
    uint32_t reached_by;
    uint32_t index; /* among the bodies that the kernel reaches */
    struct body *
        *calls; /* what its calls may call; a function that is called twice stands here twice */
    uint32_t num_calls, num_callers;
    uint32_t taken;         /* as the symbol, if a pointer may lead here */
    uint64_t size;          /* instructions, with those of what is inlined in it */
    uint32_t height;        /* levels of what is inlined in it */
    uint8_t calls_pointers; /* some of its calls are indirect */
    uint8_t allocates;      /* it has alloca or stackrestore */
    struct symbol *entered; /* what was allocated when it was entered; or NULL so far */
    uint32_t routine;       /* its number among the routines, from 1; 0: it is inlined */
};

#endif
