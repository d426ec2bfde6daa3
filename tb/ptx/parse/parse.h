/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/parse.h: the parser's state and the calls between its files. */
#ifndef HEDDLE_TB_PTX_PARSE_PARSE_H
#define HEDDLE_TB_PTX_PARSE_PARSE_H

#include "tb/ptx/parse/ast.h"
#include "tb/ptx/parse/lexer.h"
#include "tb/ptx/parse/symbols.h"
#include "tb/ptx/reloc.h"

/* A variable of the module, in order of declaration. */
struct var_node {
    struct var_node *next;
    struct ptx_var var;
};

struct parser {
    struct ptx_context *context;
    struct lexer lexer;
    struct symbols symbols;
    const struct scope *module_scope;
    double version;
    int address_size; /* the text says which addresses it has */
    struct var_node *vars, **last_var;
    uint32_t num_vars;
    uint64_t var_bytes;
    /* .shared, .local and .reg of the module: every kernel that names them has its own. */
    struct symbol *kernel_vars, **last_kernel_var, *registers, **last_register;
    struct body *bodies, **last_body; /* kernels and functions that are defined, in order */
    uint32_t num_bodies, num_kernels;
    uint8_t puts_off;  /* bodies are skipped, and read when a kernel that reaches them is decoded */
    uint8_t entangled; /* some body changes what others see: bodies cannot be put off */
    uint32_t num_read; /* bodies that were read */
    uint32_t
        num_shared; /* all that was said in bodies about what is the module's: its registers, names of files */
    const char **files; /* of .file, by index; NULL: not named */
    uint32_t num_files;
    struct loc *locs;                /* all .loc, the last one first ... */
    const struct loc *named;         /* ... and the last one whose files are named */
    const struct ptx_source *source; /* as the last one says, of this body; or NULL */
    struct symbol **taken;           /* functions whose address is taken */
    uint32_t num_taken;
    int has_open;            /* some function has a parameter without a size */
    const struct insn *insn; /* being decoded, for the message about a kernel that is refused */
    struct reloc_list relocs, kernel_relocs;
    uint32_t num_codes;                 /* functions whose address is an initial value */
    struct constant **constant_buckets; /* for each kernel in turn */
};

/* parse.c: the whole text; and one directive of a module. */
void parse_module(struct parser *, const char *text, size_t length);
void parse_top(struct parser *);
void parse_pragma(struct parser *);

/* builtin.c: bodies of functions that the module only declares. */
void parse_builtins(struct parser *);

/* entry.c: from the name behind .entry, or from what follows .func, to its end. */
void parse_entry(struct parser *);
void parse_function(struct parser *);
/* Reads a body that was put off, as if it were read in its place. */
void parse_put_off(struct parser *, struct body *);
/* The address of a function is taken. */
void parse_take(struct parser *, struct symbol *function);

/* indirect.c: what stands behind `label:` for indirect calls and branches: .callprototype, .calltargets,
 * .branchtargets. */
void parse_prototype(struct parser *, const struct scope *, struct symbol *label);
void parse_targets(struct parser *, const struct scope *, struct symbol *label);
void parse_branches(struct parser *, struct symbol *label);

/* declaration.c. The current token is the directive. `linkage` is ".extern", ".visible" ...
 * or NULL; `body` NULL: at module scope. */
void parse_variable(struct parser *, const struct scope *, struct body *, const char *linkage);
void parse_registers(struct parser *, const struct scope *);

/* param.c. When all parameters of a kernel are known the module is given them. */
void parse_params(struct parser *, const struct scope *, struct ptx_kernel *);
void parse_kernel_param(struct parser *, const struct scope *, struct ptx_kernel *);
void parse_keep_params(struct parser *, struct ptx_kernel *);
void parse_call_param(struct parser *, const struct scope *, struct body *);
/* The parameters or results of a function, where there are any. */
void parse_formals(struct parser *, const struct scope *, struct body *, struct formals *);
enum ptx_type parse_type(struct parser *, int predicate); /* of memory, or of a register */
uint32_t parse_width(struct parser *);
int parse_whole(struct parser *); /* .v2 or .v4 before it; else 1 */
uint32_t parse_alignment(struct parser *);
uint64_t parse_dimension(struct parser *);

/* initialiser.c: behind the '='. dims[0] is the outermost dimension. */
void parse_initialiser(struct parser *, const struct scope *, struct ptx_var *, enum ptx_type,
                       const uint64_t *dims, uint32_t num_dims);

/* parse.c: .attribute(...), any number of them. */
void parse_attributes(struct parser *);

/* texture.c: .texref and its like, or OPAQUE_NONE: the token is another type; the bytes of such a
 * variable; and what follows the '='. */
enum ptx_opaque parse_opaque(struct parser *);
uint32_t opaque_bytes(enum ptx_opaque);
void parse_opaque_value(struct parser *, struct ptx_var *);

/* body.c: what stands between { and }. */
void parse_block(struct parser *, struct body *, const struct scope *);

/* source.c: .file and .loc, which is the current token; and, when the module is read, the names of the files. */
void parse_file(struct parser *);
void parse_loc(struct parser *);
void parse_name_sources(struct parser *);

/* special.c: what a name stands for that begins with %, or 0: no special register has it. */
int parse_special(struct parser *, const char *name, struct operand *);

/* operand.c. Of a call, what stands in (...) is a list. */
void parse_operand(struct parser *, struct body *, const struct scope *, struct operand *,
                   int call);
void parse_use_register(struct parser *, struct body *, struct symbol *);
const struct symbol *parse_register(struct parser *, struct body *, const struct scope *);

#endif
