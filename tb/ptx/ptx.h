/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/ptx.h: PTX text to kernels of micro-operations. Knows nothing of memory or timing.
 * Source: PTX ISA; what compilers really emit was counted over 1,105 kernels. */
#ifndef HEDDLE_TB_PTX_PTX_H
#define HEDDLE_TB_PTX_PTX_H

#include <stddef.h>
#include <stdint.h>

#include "tb/ptx/uop.h"

#define INSTRUCTION_BYTES 8 /* from one PC to the next, as hardware up to Pascal has it */

enum ptx_param_kind { PARAM_VALUE, PARAM_GLOBAL_PTR, PARAM_CONST_PTR, PARAM_SHARED_PTR };

struct ptx_param {
    char *name;
    enum ptx_param_kind kind; /* from `.ptr .space`; a plain .u64 (nvcc) is PARAM_VALUE */
    uint32_t offset, size;    /* in the parameter block */
    uint32_t align;
};

/* What a variable of an opaque type is. */
enum ptx_opaque { OPAQUE_NONE, OPAQUE_TEXREF, OPAQUE_SURFREF, OPAQUE_SAMPLERREF };

/* A module-scope .global or .const variable. */
struct ptx_var {
    char *name;
    enum ptx_space space;
    uint64_t size;
    uint32_t align;
    uint8_t *init;    /* size bytes (zeros where not given) */
    uint64_t address; /* set by ptx_place */
    uint8_t opaque;   /* enum ptx_opaque */
};

/* A natural loop: its head and back-edge instructions, for units that follow loops. */
struct ptx_loop {
    uint32_t head, back; /* instruction indices: first of the head block, last of the latch */
    uint32_t depth;      /* 1: outermost */
    uint32_t outer;      /* the loop around it: its index + 1, or 0 */
};

/* A virtual register: where it lies in the register block of a warp, and how many 32-bit registers
 * of a thread it takes: 0 for predicates, special registers, and values that are constants of the
 * launch, which instructions of hardware take from constant memory. */
struct ptx_register {
    uint32_t offset, bytes; /* in the register block of a warp; a predicate has 4 bytes */
    uint32_t units;
};

/* What a limit on the registers of a thread has done to a kernel. */
struct ptx_spills {
#define SPILL(name, meaning) uint32_t name;
#include "tb/ptx/spill.def"
#undef SPILL
};

/* Where an instruction comes from in the source, as .loc says: of an inlined function, with the place of its call. */
struct ptx_source {
    const char *file; /* without its folder; NULL: not named */
    uint32_t line;    /* from 1; 0: the compiler's own */
    const char *caller_file;
    uint32_t caller_line; /* 0: not inlined */
};
struct ptx_module;

/* A function that is called and not inlined. Its micro-operations lie behind those of the kernel, in order,
 * and end with U_RETURN. */
struct ptx_routine {
    const char *name;
    uint32_t entry;       /* index of its first micro-operation */
    uint32_t frame_bytes; /* parameters, results, variables and saved registers, on the stack */
    uint32_t signature;   /* the same number: the same types of parameters and results */
    uint64_t address;     /* its value as a function pointer */
};

struct ptx_kernel {
    char *name;
    const struct ptx_module *module; /* that it is of */
    struct ptx_param *params;
    uint32_t num_params, param_bytes;
    struct uop *uops;
    uint32_t num_uops;
    uint32_t *targets; /* of indirect branches: see ptx_targets */
    uint32_t num_targets;
    char **text; /* one per uop: the instruction as written, single-spaced, no label */
    const struct ptx_source **sources; /* one per uop, or NULL: none has one; an element too */
    uint32_t num_regs;  /* virtual registers, specials included; scoreboard numbers are below it */
    uint32_t reg_bytes; /* register block of one warp */
    uint32_t
        zero_bytes; /* of these so many, from the first on, are 0 when a warp starts, but for specials */
    uint32_t
        specials; /* a bit for each special register that it may read; the others have no place */
    uint8_t *constants; /* const_bytes: broadcast constants, 64-byte aligned */
    uint32_t const_bytes;
    uint32_t
        shared_bytes; /* static shared memory; dynamic shared memory follows it, aligned to 16 */
    uint32_t local_bytes; /* of one thread, with its stack, which comes last */
    struct ptx_routine *routines;
    uint32_t num_routines;
    uint32_t stack_pointer; /* offset of its register, where there are routines or alloca; or 0 */
    uint32_t allocated; /* offset of the register that says where what alloca gives begins; or 0 */
    uint32_t stack_bytes;     /* of one thread, for the frames of routines, and for alloca */
    uint8_t stack_varies;     /* what the stack needs is not known: see ptx_stack */
    uint32_t regs_per_thread; /* 32-bit registers live at once, at least 1: what limits occupancy */
    uint32_t reqntid[3];      /* .reqntid or zeros */
    uint32_t maxntid[3];      /* .maxntid or zeros */
    uint32_t maxnreg;         /* .maxnreg or 0 */
    struct ptx_register *registers; /* num_regs of them */
    struct ptx_spills spills;
    struct ptx_versions *versions; /* see ptx_limit */
    struct ptx_loop *loops;
    uint32_t num_loops;
    uint32_t *loop_of;           /* one per uop that can be reached: its innermost loop's index + 1,
                                    or 0 */
    uint8_t uses_dynamic_shared; /* .extern .shared */
    char *refused; /* NULL; or why it cannot run: "NAME:LINE: ...". All it does then is trap. */
};

struct ptx_module {
    char *name; /* for messages */
    struct ptx_kernel *kernels;
    uint32_t num_kernels;
    struct ptx_var *vars;
    uint32_t num_vars;
    uint32_t bodies_read; /* of kernels and functions; ptx_open reads none */
    uint8_t can_open;     /* the text was parsed, and ptx_open may read it */
    void *priv;           /* relocations; owned by the parser */
};

#define PTX_MESSAGE_SIZE 512
struct ptx_error {
    uint32_t line;                  /* in the PTX text, from 1; 0: not about a line */
    char message[PTX_MESSAGE_SIZE]; /* "NAME:LINE: what; expected what" */
};

/* Parses and decodes `length` bytes of PTX. `name` stands in messages. Returns a module, or NULL
 * with *error filled. Never crashes on hostile text: every size is bounded, a truncated file is an
 * error. What is not PTX refuses the module; an instruction that the machine does not have refuses
 * the kernels that contain it or call what contains it (ptx_kernel.refused names it with its line),
 * and the module too where no kernel is left. */
struct ptx_module *ptx_parse(const char *name, const char *text, size_t length,
                             struct ptx_error *error);

/* As ptx_parse, in a fraction of the time: the bodies of kernels and functions are only skipped. For a text of which a module
 * of ptx_parse says that it can be opened and that refuses none of its kernels. The text must live as long as the module. Until it
 * is read a kernel has its name, its parameters and what stands before its body; uops is NULL. */
struct ptx_module *ptx_open(const char *name, const char *text, size_t length,
                            struct ptx_error *error);

/* Makes such a kernel what ptx_parse would have made of it, with what it calls. To be called after ptx_place; not for two
 * threads at once. Returns 0, or -1: no memory. */
int ptx_read(struct ptx_module *, struct ptx_kernel *);

/* Gives each module variable its address: `place(ctx, var)` returns it (0 means no memory:
 * ptx_place returns -1). Must be called once, before any kernel runs, also when there are no
 * variables. */
int ptx_place(struct ptx_module *, uint64_t (*place)(void *ctx, const struct ptx_var *), void *ctx);

/* Where a special register lies in the register block of a warp, in bytes; of NUM_SPECIALS: where they end. */
static inline uint32_t ptx_special_offset(const struct ptx_kernel *k, uint32_t special)
{
    return (uint32_t)__builtin_popcount(k->specials & ((1u << special) - 1)) * 4 * WARP_LANES;
}

/* The register that an operand of the instruction names, where that is neither a constant nor UOP_NONE: its number.
 * UOP_NONE: what is written there is dropped. */
uint32_t ptx_register_of(const struct ptx_kernel *, const struct uop *, uint32_t operand);

/* The kernel as it is to run, with at most `registers` 32-bit registers of a thread live at once: a version that keeps
 * the others in local memory, and in which registers that never live at once lie in one place. It is made
 * once and freed with the module. Its new instructions are not bound. Not for two threads at once. Returns NULL
 * with *error filled: one instruction alone needs more, or there is no memory. */
const struct ptx_kernel *ptx_limit(const struct ptx_kernel *, uint32_t registers,
                                   struct ptx_error *error);

/* Gives each kernel that recurses or has alloca so many bytes of stack per thread beyond one frame of each
 * function; to be called before ptx_limit and ptx_read. Without it they have PTX_STACK_BYTES. */
#define PTX_STACK_BYTES 1024
void ptx_stack(struct ptx_module *, uint32_t bytes);

void ptx_free(struct ptx_module *);

/* Makes a kernel one that cannot run because of its instruction `insn`; `why` becomes
 * ptx_kernel.refused. Returns 0, or -1: no memory. */
int ptx_refuse(const struct ptx_module *, struct ptx_kernel *, uint32_t insn, const char *why);

#define PTX_SOURCE_SIZE 192

/* The instructions that a branch may go to, other than the one behind it; of what is no branch: none. An
 * indirect branch may name one several times. */
static inline const uint32_t *ptx_targets(const struct ptx_kernel *kernel, const struct uop *u,
                                          uint32_t *count)
{
    *count = u->op == U_BRX ? (uint32_t)u->offset : u->op == U_BRA;
    return u->op == U_BRX ? &kernel->targets[u->target] : &u->target;
}

/* Writes where an instruction comes from, for messages: " at program.cl:7", " at program.cl:2, inlined at program.cl:7", or ""
 * where nothing is known. Returns `text`. */
const char *ptx_source_text(const struct ptx_kernel *, uint32_t insn, char text[PTX_SOURCE_SIZE]);

/* Finds a kernel by name, or NULL. */
struct ptx_kernel *ptx_kernel(const struct ptx_module *, const char *name);

const char *ptx_op_name(enum uop_op);       /* "add" */
const char *ptx_class_name(enum uop_class); /* "SP" */

/* What a .texref variable holds, and what the handle of a texture points to, in global memory:
 * zeros until a driver binds it. An image of the OpenCL driver is one. */
typedef uint64_t ptx_ulong;
typedef int32_t ptx_int;
typedef uint32_t ptx_uint;
typedef uint8_t ptx_uchar4[4];
struct ptx_texture {
#define FIELD(type, name) ptx_##type name;
#include "tb/ptx/texture.def"
#undef FIELD
    uint32_t sampler; /* SAMPLER_...: where the instruction names no sampler */
};
enum ptx_texel {
#define KIND(name) TEXEL_##name,
#include "tb/ptx/texture.def"
#undef KIND
};

/* A sampler, as OpenCL numbers it: coordinates from 0 to 1 or in texels, and what lies outside. A
 * .samplerref variable holds one; a handle is the number itself, or the address of one. */
#define SAMPLER_NORMALIZED 1u
#define SAMPLER_ADDRESS    14u /* the bits of the mode; 0: as EDGE */
#define SAMPLER_EDGE       2u
#define SAMPLER_BORDER     4u
#define SAMPLER_REPEAT     6u
#define SAMPLER_MIRROR     8u
#define SAMPLER_LINEAR     32u  /* not supported */
#define SAMPLER_NUMBERS    256u /* a handle below is a number */

/* Generic addresses: shared memory, local memory and the kernel's parameters are windows of one
 * 64-bit space; the rest is global. */
#define GENERIC_SHARED_BASE 0x0100000000000000ull
#define GENERIC_LOCAL_BASE  0x0200000000000000ull
#define GENERIC_PARAM_BASE  0x0300000000000000ull
#define GENERIC_WINDOW      0x0000000001000000ull /* bytes of each window */

/* Function pointers: the n-th function of a module whose address is taken, from 1. Nothing lies there. */
#define FUNCTION_BASE  0x0400000000000000ull
#define FUNCTION_BYTES 16
static inline uint64_t ptx_function_address(uint32_t n)
{
    return FUNCTION_BASE + (uint64_t)n * FUNCTION_BYTES;
}

#endif
