/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/symbols.c: one hash table for all scopes; the key is (scope, name). */
#include "tb/ptx/parse/symbols.h"

#include <string.h>

void symbols_open(struct symbols *s, struct ptx_context *context)
{
    *s = (struct symbols){.context = context, .seen = UINT32_MAX};
    s->buckets = ptx_scratch(context, SYMBOL_BUCKETS, sizeof *s->buckets);
}

const struct scope *symbols_scope(struct symbols *s, const struct scope *parent, uint32_t line)
{
    struct scope *scope = ptx_scratch(s->context, 1, sizeof *scope);
    scope->parent = parent;
    scope->id = s->num_scopes++;
    scope->depth = parent ? parent->depth + 1 : 0;
    if (scope->depth > MAX_SCOPE_DEPTH)
        ptx_fail(s->context, line, "blocks nest too deeply; expected at most %d levels",
                 MAX_SCOPE_DEPTH);
    return scope;
}

/* FNV-1a over the first `length` characters of the name and the scope. */
static struct symbol **bucket(const struct symbols *s, const struct scope *scope, const char *name,
                              size_t length)
{
    uint32_t hash = 2166136261u ^ scope->id * 2654435761u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return &s->buckets[(hash ^ hash >> 16) % SYMBOL_BUCKETS];
}

static struct symbol *find_in(const struct symbols *s, const struct scope *scope, const char *name,
                              size_t length)
{
    for (struct symbol *y = *bucket(s, scope, name, length); y; y = y->chain)
        if (y->scope == scope && !strncmp(y->name, name, length) && !y->name[length])
            return y;
    return NULL;
}

static struct symbol *add(struct symbols *s, const struct scope *scope, const char *name,
                          enum symbol_kind kind, uint32_t line)
{
    if (s->count++ >= MAX_SYMBOLS)
        ptx_fail(s->context, line, "too many names; expected at most %u", MAX_SYMBOLS);
    struct symbol **head = bucket(s, scope, name, strlen(name));
    struct symbol *y = ptx_scratch(s->context, 1, sizeof *y);
    *y = (struct symbol){.chain = *head,
                         .name = name,
                         .scope = scope,
                         .kind = kind,
                         .line = line,
                         .order = s->count};
    *head = y;
    return y;
}

/* %r7 of %r<12>: every way to split off a number that is written without leading zeros. */
static struct symbol *find_in_range(struct symbols *s, const struct scope *scope, const char *name)
{
    size_t length = strlen(name);
    uint64_t number = 0, weight = 1;
    for (size_t i = length; i > 1 && length - i < 9 && name[i - 1] >= '0' && name[i - 1] <= '9';
         i--, weight *= 10) {
        number += weight * (uint64_t)(name[i - 1] - '0');
        if (name[i - 1] == '0' && i < length)
            continue;
        const struct symbol *range = find_in(s, scope, name, i - 1);
        if (range && range->kind == SYMBOL_RANGE && number < range->count) {
            struct symbol *y = add(s, scope, name, SYMBOL_REGISTER, range->line);
            y->type = range->type;
            y->width = range->width;
            y->whole = range->whole;
            return y;
        }
    }
    return NULL;
}

struct symbol *symbols_declare(struct symbols *s, const struct scope *scope, const char *name,
                               enum symbol_kind kind, uint32_t line)
{
    const struct symbol *old = find_in(s, scope, name, strlen(name));
    if (old)
        ptx_fail(s->context, line, "'%.100s' is already declared at line %u", name, old->line);
    return add(s, scope, name, kind, line);
}

struct symbol *symbols_find(struct symbols *s, const struct scope *scope, const char *name)
{
    for (; scope; scope = scope->parent) {
        struct symbol *y = find_in(s, scope, name, strlen(name));
        if (!y)
            y = find_in_range(s, scope, name);
        if (y && y->kind != SYMBOL_RANGE && (scope->parent || y->order <= s->seen))
            return y;
    }
    return NULL;
}
