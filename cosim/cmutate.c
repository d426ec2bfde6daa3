/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/cmutate.c: small changes of a C source, one at a time: the mistakes that its tests must notice.
 *
 *   cmutate FILE          the changes, a line each: NUMBER LINE:COLUMN BEFORE -> AFTER
 *   cmutate FILE NUMBER   the source with that change in it
 *
 * Changed are the bodies of functions: an operator becomes its neighbour, a number one more or 0, a
 * condition always true or false; a statement is left out. It knows tokens, not types: some changes
 * do not compile, and some change nothing. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NAME, NUMBER, OPERATOR };

struct token {
    const char *text;
    size_t length;
    enum kind kind;
    unsigned line, parentheses; /* how many are open */
    int in_body;                /* of a function */
};

struct source {
    char *text;
    size_t length;
    struct token *tokens;
    size_t count;
};

/* Where the change that was asked for goes, or 0: all are listed. */
struct changes {
    const struct source *source;
    unsigned long wanted, found;
};

static int is(const struct token *t, const char *text)
{
    return t->length == strlen(text) && !memcmp(t->text, text, t->length);
}

static int is_one_of(const struct token *t, const char *const *texts)
{
    for (; *texts; texts++)
        if (is(t, *texts))
            return 1;
    return 0;
}

/* Past what is no token: blanks, comments, preprocessor lines. */
static const char *skip(const char *at, unsigned *line)
{
    for (int line_begins = at[-1] == '\n';;) {
        const char *end = at;
        if (isspace((unsigned char)*at)) {
            line_begins |= *at == '\n';
            end = at + 1;
        } else if (!strncmp(at, "//", 2) || (*at == '#' && line_begins)) {
            for (end = at; *end && (*end != '\n' || end[-1] == '\\'); end++)
                ;
        } else if (!strncmp(at, "/*", 2)) {
            end = strstr(at + 2, "*/");
            end = end ? end + 2 : at + strlen(at);
        }
        if (end == at)
            return at;
        for (; at < end; at++)
            *line += *at == '\n';
    }
}

static size_t operator_length(const char *at)
{
    static const char *const operators[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                            "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                            "*=",  "/=",  "%=",  "&=", "|=", "^="};
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
        if (!strncmp(at, operators[i], strlen(operators[i])))
            return strlen(operators[i]);
    return 1;
}

static size_t token_length(const char *at, enum kind *kind)
{
    size_t n = 0;
    *kind = OPERATOR;
    if (isalnum((unsigned char)*at) || *at == '_') {
        *kind = isdigit((unsigned char)*at) ? NUMBER : NAME;
        while (isalnum((unsigned char)at[n]) || at[n] == '_')
            n++;
        return n;
    }
    if (*at == '"' || *at == '\'') {
        for (n = 1; at[n] && at[n] != *at; n++)
            n += at[n] == '\\' && at[n + 1];
        *kind = NAME;
        return n + (at[n] != 0);
    }
    return operator_length(at);
}

static void read_tokens(struct source *s)
{
    unsigned line = 1, depth = 0, parentheses = 0;
    int in_body = 0;
    const char *at = skip(s->text, &line);
    while (*at) {
        struct token *t = &s->tokens[s->count];
        t->text = at;
        t->length = token_length(at, &t->kind);
        t->line = line;
        t->in_body = in_body;
        t->parentheses = parentheses;
        parentheses += (unsigned)(is(t, "(") - is(t, ")"));
        if (is(t, "{") && !depth++)
            in_body = s->count && is(t - 1, ")");
        if (is(t, "}") && depth && !--depth)
            in_body = 0;
        s->count++;
        at = skip(at + t->length, &line);
    }
}

/* One change: the text from `from` to `to` becomes `after`. */
static void change(struct changes *c, const struct token *from, const struct token *to,
                   const char *after)
{
    const char *end = to->text + to->length;
    if (!c->wanted) {
        const char *line = from->text;
        while (line[-1] != '\n')
            line--;
        printf("%lu %u:%ld ", ++c->found, from->line, from->text - line + 1);
        for (const char *at = from->text; at < end; at++)
            if (!isspace((unsigned char)*at) || !isspace((unsigned char)at[-1]))
                putchar(isspace((unsigned char)*at) ? ' ' : *at);
        printf(" -> %s\n", *after ? after : "nothing");
    } else if (++c->found == c->wanted) {
        fwrite(c->source->text, 1, (size_t)(from->text - c->source->text), stdout);
        fputs(after, stdout);
        fputs(end, stdout);
    }
}

/* Is the token before an operand's end, so that + - & * behind it are binary? */
static int ends_operand(const struct token *t)
{
    static const char *const words[] = {"return", "case", "else", "unsigned", "int",
                                        "char",   "void", "do",   NULL};
    if (t->kind == NAME)
        return !is_one_of(t, words) && strncmp(t->text + t->length - 2, "_t", 2) != 0 &&
               !is(t - 1, "struct");
    return t->kind == NUMBER || is(t, ")") || is(t, "]");
}

static void change_operator(struct changes *c, const struct token *t)
{
    static const char *const pairs[][2] = {
        {"<", "<="},    {"<=", "<"},  {">", ">="},  {">=", ">"},  {"==", "!="},
        {"!=", "=="},   {"&&", "||"}, {"||", "&&"}, {"<<", ">>"}, {">>", "<<"},
        {"|", "&"},     {"^", "|"},   {"%", "/"},   {"/", "%"},   {"+=", "-="},
        {"-=", "+="},   {"|=", "&="}, {"&=", "|="}, {"^=", "|="}, {"<<=", ">>="},
        {">>=", "<<="}, {"++", "--"}, {"--", "++"}, {"!", ""},    {"~", ""},
    };
    static const char *const binary[][2] = {{"+", "-"}, {"-", "+"}, {"&", "|"}, {"*", "+"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (is(t, pairs[i][0]))
            change(c, t, t, pairs[i][1]);
    for (size_t i = 0; i < sizeof binary / sizeof binary[0]; i++)
        if (is(t, binary[i][0]) && ends_operand(t - 1))
            change(c, t, t, binary[i][1]);
}

static void change_number(struct changes *c, const struct token *t)
{
    char *suffix, text[64];
    const unsigned long long value = strtoull(t->text, &suffix, 0);
    const int length = (int)(t->text + t->length - suffix);
    snprintf(text, sizeof text, "%llu%.*s", value + 1, length, suffix);
    change(c, t, t, text);
    if (value) {
        snprintf(text, sizeof text, "0%.*s", length, suffix);
        change(c, t, t, text);
    }
}

/* The parenthesis that closes the one at `t`. */
static const struct token *closing(const struct source *s, const struct token *t)
{
    for (int depth = 0; t < s->tokens + s->count; t++) {
        depth += is(t, "(") - is(t, ")");
        if (!depth)
            return t;
    }
    return NULL;
}

static void change_condition(struct changes *c, const struct token *t)
{
    const struct token *close = closing(c->source, t + 1);
    if (!close || close == t + 2)
        return;
    change(c, t + 2, close - 1, "0");
    if (is(t, "if")) /* a loop would not end */
        change(c, t + 2, close - 1, "1");
}

/* Does a statement begin at `t`, and may it be missed? Declarations may not, nor what leads the flow,
 * but for break and a return of nothing. */
static void leave_out(struct changes *c, const struct token *t)
{
    static const char *const never[] = {
        "if",      "for",   "while",  "do",   "switch", "case",     "else",     "return",
        "default", "const", "struct", "enum", "static", "int",      "unsigned", "char",
        "void",    "goto",  ";",      "{",    "}",      "continue", NULL};
    static const char *const before[] = {";", "{", "}", "else", ":", ")", NULL};
    if (t->parentheses || !is_one_of(t - 1, before) ||
        (is_one_of(t, never) && !(is(t, "return") && is(t + 1, ";"))))
        return;
    if (t->length > 2 && !strncmp(t->text + t->length - 2, "_t", 2))
        return;
    if (t->kind == OPERATOR && !is(t, "*") && !is(t, "++") && !is(t, "--"))
        return;
    if (is(t - 1, ")") && t->line == (t - 1)->line) /* a cast, not the head of a loop */
        return;
    if (is(t - 1, ":") && !is(t - 2, "default") && !is(t - 3, "case")) /* a choice */
        return;
    const struct token *end = t, *last = c->source->tokens + c->source->count;
    for (; end < last && (end->parentheses || !is(end, ";")); end++)
        if (is(end, "{") || is(end, "}") || is(end, ":"))
            return; /* no statement */
    if (end < last)
        change(c, t, end, ";");
}

static int read_source(struct source *s, const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f || fseek(f, 0, SEEK_END))
        return -1;
    s->length = (size_t)ftell(f);
    rewind(f);
    char *room = calloc(1, s->length + 2); /* something to look back on */
    s->tokens = calloc(s->length + 1, sizeof *s->tokens);
    if (!room || !s->tokens)
        return -1;
    *room = '\n';
    s->text = room + 1;
    const size_t got = fread(s->text, 1, s->length, f);
    fclose(f);
    return got == s->length ? 0 : -1;
}

int main(int argc, char **argv)
{
    struct source s = {0};
    struct changes c = {.source = &s};
    if (argc < 2 || argc > 3 || (argc == 3 && !(c.wanted = strtoul(argv[2], NULL, 10)))) {
        fprintf(stderr, "usage: cmutate FILE [NUMBER]\n");
        return 2;
    }
    if (read_source(&s, argv[1])) {
        perror(argv[1]);
        return 2;
    }
    read_tokens(&s);
    for (const struct token *t = s.tokens; t < s.tokens + s.count; t++) {
        if (!t->in_body)
            continue;
        if (is(t, "_Static_assert") && closing(&s, t + 1)) { /* says nothing, or does not compile */
            t = closing(&s, t + 1);
            continue;
        }
        if (t->kind == OPERATOR)
            change_operator(&c, t);
        else if (t->kind == NUMBER)
            change_number(&c, t);
        else if ((is(t, "if") || is(t, "while")) && is(t + 1, "("))
            change_condition(&c, t);
        leave_out(&c, t);
    }
    if (c.wanted > c.found) {
        fprintf(stderr, "cmutate: %s has %lu changes\n", argv[1], c.found);
        return 2;
    }
    free(s.text - 1);
    free(s.tokens);
    return fclose(stdout) ? 2 : 0;
}
