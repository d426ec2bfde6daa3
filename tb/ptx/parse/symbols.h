/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/symbols.h: names and what they stand for. */
#ifndef HEDDLE_TB_PTX_PARSE_SYMBOLS_H
#define HEDDLE_TB_PTX_PARSE_SYMBOLS_H

#include "tb/ptx/context.h"
#include "tb/ptx/parse/ast.h"

#define SYMBOL_BUCKETS 16384

struct symbols {
    struct ptx_context *context;
    struct symbol **buckets;
    uint32_t count, num_scopes;
    uint32_t seen; /* the last name of the module that is visible; UINT32_MAX: all are */
};

void symbols_open(struct symbols *, struct ptx_context *);

/* A new scope inside `parent` (NULL: the module); fails where nesting is too deep. */
const struct scope *symbols_scope(struct symbols *, const struct scope *parent, uint32_t line);

/* Declares a name; fails if the scope has it already. */
struct symbol *symbols_declare(struct symbols *, const struct scope *, const char *name,
                               enum symbol_kind, uint32_t line);

/* Finds a name that is visible in the scope, or NULL. A register of a range (%r7 of %r<12>) is
 * declared by being found. */
struct symbol *symbols_find(struct symbols *, const struct scope *, const char *name);

#endif
