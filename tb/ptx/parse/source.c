/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/source.c: .file and .loc, which say where the instructions behind them come from:
 *     .file INDEX ["FOLDER"] "NAME" [, ...]
 *     .loc INDEX LINE COLUMN [, function_name LABEL [+ NUMBER], inlined_at INDEX LINE COLUMN]
 * They end with their line. They change nothing that runs: one that says something else is passed over.
 * A .loc may come before the .file that it names. */
#include <string.h>

#include "tb/ptx/parse/parse.h"

#define MAX_FILES 65536u

/* A .loc, whose files are named when all is read. */
struct loc {
    struct loc *next;
    struct ptx_source *source;
    uint64_t file, caller_file; /* index */
};

/* The integer that is the current token, if it stands in the line of the directive. */
static int number(struct lexer *x, uint32_t line, uint64_t *value)
{
    if (x->token.kind != TOKEN_INT || x->token.line != line)
        return 0;
    *value = x->token.value;
    lexer_advance(x);
    return 1;
}

static void skip_line(struct lexer *x, uint32_t line)
{
    while (x->token.kind != TOKEN_END && x->token.line == line)
        lexer_advance(x);
}

void parse_file(struct parser *p)
{
    struct lexer *x = &p->lexer;
    const uint32_t line = x->token.line;
    const char *name = NULL;
    uint64_t index;
    lexer_advance(x);
    if (number(x, line, &index) && index < MAX_FILES) {
        for (; x->token.kind == TOKEN_STRING && x->token.line == line; lexer_advance(x))
            name = x->token.text;
        for (; name && p->num_files <= index; p->num_files++) {
            p->files = ptx_grow(p->context, p->files, p->num_files, sizeof *p->files);
            p->files[p->num_files] = NULL;
        }
        if (name)
            p->files[index] = name;
        p->num_shared++;
    }
    skip_line(x, line);
}

/* Steps to what follows inlined_at in this line. Returns 0: it does not stand there. */
static int find_caller(struct lexer *x, uint32_t line)
{
    while (x->token.kind != TOKEN_END && x->token.line == line) {
        const int found = x->token.kind == TOKEN_WORD && !strcmp(x->token.text, "inlined_at");
        lexer_advance(x);
        if (found)
            return 1;
    }
    return 0;
}

void parse_loc(struct parser *p)
{
    struct lexer *x = &p->lexer;
    const uint32_t line = x->token.line;
    uint64_t of_source, column, of_caller = 0;
    struct loc l = {.next = p->locs};
    lexer_advance(x);
    p->source = NULL;
    if (number(x, line, &l.file) && number(x, line, &of_source) && number(x, line, &column) &&
        of_source <= UINT32_MAX) {
        if (find_caller(x, line) && number(x, line, &l.caller_file))
            number(x, line, &of_caller);
        l.source = ptx_keep(p->context, 1, sizeof *l.source);
        l.source->line = (uint32_t)of_source;
        l.source->caller_line = of_caller <= UINT32_MAX ? (uint32_t)of_caller : 0;
        p->source = l.source;
        p->locs = ptx_scratch(p->context, 1, sizeof l);
        *p->locs = l;
    }
    skip_line(x, line);
}

/* The name without its folder, which lives as long as the module: copied once. */
static const char *name_of(struct parser *p, const char **kept, uint64_t index)
{
    if (index >= p->num_files || !p->files[index])
        return NULL;
    if (!kept[index]) {
        const char *slash = strrchr(p->files[index], '/'),
                   *name = slash ? slash + 1 : p->files[index];
        kept[index] = ptx_keep_text(p->context, name, strlen(name));
    }
    return kept[index];
}

void parse_name_sources(struct parser *p)
{
    const char **kept = ptx_scratch(p->context, p->num_files + 1, sizeof *kept);
    for (const struct loc *l = p->locs; l != p->named; l = l->next) {
        l->source->file = name_of(p, kept, l->file);
        l->source->caller_file = name_of(p, kept, l->caller_file);
    }
    p->named = p->locs;
}
