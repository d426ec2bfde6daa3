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
    struct var_node *vars, **last_var;
    uint32_t num_vars;
    uint64_t var_bytes;
    struct symbol *shared_vars,
        **last_shared_var;            /* of the module: laid out by every kernel that names them */
    struct body *bodies, **last_body; /* kernels and functions that are defined, in order */
    uint32_t num_bodies, num_kernels;
    struct symbol **taken; /* functions whose address is taken */
    uint32_t num_taken;
    const struct insn *insn; /* being decoded, for the message about a kernel that is refused */
    struct reloc_list relocs, kernel_relocs;
    struct constant **constant_buckets; /* for each kernel in turn */
};

/* parse.c: the whole text. */
void parse_module(struct parser *, const char *text, size_t length);

/* entry.c: from the name behind .entry, or from what follows .func, to its end. */
void parse_entry(struct parser *);
void parse_function(struct parser *);
/* The address of a function is taken. */
void parse_take(struct parser *, struct symbol *function);

/* indirect.c: what stands behind `label:` for indirect calls: .callprototype, .calltargets. */
void parse_prototype(struct parser *, const struct scope *, struct symbol *label);
void parse_targets(struct parser *, const struct scope *, struct symbol *label);

/* declaration.c. The current token is the directive. `linkage` is ".extern", ".visible" ...
 * or NULL; `body` NULL: at module scope. */
void parse_variable(struct parser *, const struct scope *, struct body *, const char *linkage);
void parse_registers(struct parser *, const struct scope *);

/* param.c */
void parse_params(struct parser *, const struct scope *, struct ptx_kernel *);
void parse_call_param(struct parser *, const struct scope *, struct body *);
/* The parameters or results of a function, where there are any. */
void parse_formals(struct parser *, const struct scope *, struct body *, struct formals *);
enum ptx_type parse_type(struct parser *, int predicate); /* of memory, or of a register */
uint32_t parse_width(struct parser *);                    /* .v2 or .v4 before it; else 1 */
uint32_t parse_alignment(struct parser *);
uint64_t parse_dimension(struct parser *);

/* initialiser.c: behind the '='. dims[0] is the outermost dimension. */
void parse_initialiser(struct parser *, const struct scope *, struct ptx_var *, enum ptx_type,
                       const uint64_t *dims, uint32_t num_dims);

/* texture.c: .texref and its like: the bytes of the variable, or 0: the token is another
 * type; and what follows the '='. */
uint32_t parse_opaque(struct parser *);
void parse_opaque_value(struct parser *, struct ptx_var *);

/* body.c: what stands between { and }. */
void parse_block(struct parser *, struct body *, const struct scope *);

/* operand.c */
void parse_operand(struct parser *, struct body *, const struct scope *, struct operand *);
void parse_use_register(struct body *, struct symbol *);
const struct symbol *parse_register(struct parser *, struct body *, const struct scope *);

#endif
