/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/lexer.c: blanks and comments are skipped, words and dotted words copied, numbers
 * converted (number.c). */
#include "tb/ptx/parse/lexer.h"

#include <limits.h>
#include <string.h>

#include "tb/ptx/parse/number.h"

static int is_word_start(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_' || ch == '$' ||
           ch == '%';
}

static int is_word(char ch)
{
    return is_word_start(ch) ? ch != '%' : ch >= '0' && ch <= '9';
}

/* From the start of a line to its end, if it is one that a preprocessor leaves behind, # 12 "file" or
 * #line 12: what it says is not followed. */
static const char *skip_marker(const char *start, const char *end)
{
    const char *p = start;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (p == end || *p++ != '#')
        return start;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (p == end || ((*p < '0' || *p > '9') && (end - p < 5 || strncmp(p, "line ", 5) != 0)))
        return start;
    while (p < end && *p != '\n')
        p++;
    return p;
}

/* Moves *at over blanks and comments and counts lines. Returns 0 where a comment does not end. */
static int skip_blanks(const char **at, const char *end, uint32_t *line)
{
    const char *p = *at;
    while (p < end) {
        if (*p == '\n') {
            ++*line;
            p = skip_marker(p + 1, end);
        } else if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\f' || *p == '\v') {
            p++;
        } else if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
            while (p < end && *p != '\n')
                p++;
        } else if (end - p >= 2 && p[0] == '/' && p[1] == '*') {
            for (p += 2; end - p >= 2 && !(p[0] == '*' && p[1] == '/'); p++)
                *line += *p == '\n';
            if (end - p < 2)
                return 0;
            p += 2;
        } else {
            break;
        }
    }
    *at = p;
    return 1;
}

static char *copy(struct lexer *x, const char *start, const char *end)
{
    size_t length = (size_t)(end - start);
    if (length > MAX_WORD_BYTES)
        ptx_fail(x->context, x->line, "a word of %zu characters; expected at most %d", length,
                 MAX_WORD_BYTES);
    char *text = ptx_scratch(x->context, length + 1, 1);
    memcpy(text, start, length);
    return text;
}

static void lex_string(struct lexer *x, struct token *t)
{
    const char *p = x->at + 1;
    while (p < x->end && *p != '"' && *p != '\n')
        p += p[0] == '\\' && x->end - p >= 2 && p[1] != '\n' ? 2 : 1;
    if (p >= x->end || *p != '"')
        ptx_fail(x->context, x->line, "a string does not end; expected '\"' on the same line");
    t->kind = TOKEN_STRING;
    t->text = copy(x, x->at + 1, p);
    x->at = p + 1;
}

/* A dotted word: letters and digits after the dot, and "::" between two of them (.shared::cta). */
static void lex_dot(struct lexer *x, struct token *t)
{
    const char *p = x->at + 1;
    while (p < x->end &&
           (is_word(*p) || (x->end - p >= 3 && p[0] == ':' && p[1] == ':' && is_word(p[2]))))
        p += *p == ':' ? 2 : 1;
    if (p == x->at + 1)
        ptx_fail(x->context, x->line,
                 "a dot stands alone; expected a directive, type or modifier after it");
    t->kind = TOKEN_DOT;
    t->text = copy(x, x->at, p);
    x->at = p;
}

static void lex(struct lexer *x, struct token *t)
{
    *t = (struct token){.kind = TOKEN_END};
    uint32_t line = x->line;
    if (!skip_blanks(&x->at, x->end, &x->line))
        ptx_fail(x->context, line,
                 "a comment that begins on or below this line does not end; expected '*/'");
    t->line = x->line;
    t->start = t->end = x->at;
    if (x->at >= x->end)
        return;
    char ch = *x->at;
    const int has_more = x->end - x->at >= 2 && is_word(x->at[1]);
    if (is_word_start(ch) && (ch != '%' || has_more)) {
        const char *p = x->at + 1;
        while (p < x->end && is_word(*p))
            p++;
        t->kind = TOKEN_WORD;
        t->text = copy(x, x->at, p);
        x->at = p;
    } else if (ch == '.') {
        lex_dot(x, t);
    } else if (ch >= '0' && ch <= '9') {
        x->at = number_lex(x->context, x->at, x->end, t);
    } else if (ch == '"') {
        lex_string(x, t);
    } else if (ch > ' ' && ch < 0x7f) {
        t->kind = ch;
        x->at++;
    } else {
        ptx_fail(x->context, x->line, "character 0x%02x; expected PTX text", (unsigned char)ch);
    }
    t->end = x->at;
}

void lexer_open(struct lexer *x, struct ptx_context *context, const char *text, size_t length)
{
    const char *end = text + length;
    *x = (struct lexer){.context = context, .at = skip_marker(text, end), .end = end, .line = 1};
    lex(x, &x->token);
    lex(x, &x->next);
}

void lexer_advance(struct lexer *x)
{
    x->token = x->next;
    if (x->token.kind != TOKEN_END)
        lex(x, &x->next);
}

int lexer_accept(struct lexer *x, int mark)
{
    if (x->token.kind != mark)
        return 0;
    lexer_advance(x);
    return 1;
}

int lexer_accept_text(struct lexer *x, int kind, const char *text)
{
    if (x->token.kind != kind || strcmp(x->token.text, text))
        return 0;
    lexer_advance(x);
    return 1;
}

_Noreturn void lexer_fail(struct lexer *x, const char *what)
{
    const struct token *t = &x->token;
    if (t->kind == TOKEN_END)
        ptx_fail(x->context, t->line, "the text ends here; expected %s", what);
    ptx_fail(x->context, t->line, "found '%.*s'; expected %s",
             t->end - t->start > 60 ? 60 : (int)(t->end - t->start), t->start, what);
}

void lexer_expect(struct lexer *x, int mark, const char *where)
{
    if (x->token.kind != mark) {
        char what[80] = {'\'', (char)mark, '\''};
        if (*where) {
            strcat(what, " ");
            strncat(what, where, sizeof what - strlen(what) - 1);
        }
        lexer_fail(x, what);
    }
    lexer_advance(x);
}

const char *lexer_word(struct lexer *x, const char *what)
{
    if (x->token.kind != TOKEN_WORD)
        lexer_fail(x, what);
    const char *text = x->token.text;
    lexer_advance(x);
    return text;
}

uint64_t lexer_integer(struct lexer *x, uint64_t most, const char *what)
{
    if (x->token.kind != TOKEN_INT)
        lexer_fail(x, what);
    uint64_t value = x->token.value;
    if (value > most)
        ptx_fail(x->context, x->token.line, "%llu is too large; expected %s up to %llu",
                 (unsigned long long)value, what, (unsigned long long)most);
    lexer_advance(x);
    return value;
}

/* Behind the string that begins at `p`; one that does not end with its line is none. */
static const char *skip_string(const char *p, const char *end)
{
    const char *at = p + 1;
    while (at < end && *at != '"' && *at != '\n')
        at += *at == '\\' && end - at >= 2 && at[1] != '\n' ? 2 : 1;
    return at < end && *at == '"' ? at + 1 : p + 1;
}

uint32_t lexer_skip_block(struct lexer *x)
{
    static const char marks[UCHAR_MAX + 1] = {
        ['{'] = 1, ['}'] = 1, ['"'] = 1, ['/'] = 1, ['\n'] = 1};
    const char *p = x->token.start;
    uint32_t line = x->token.line, depth = 0;
    for (;;) {
        while (p < x->end && !marks[(unsigned char)*p])
            p++;
        const char *mark = p;
        if (!skip_blanks(&p, x->end, &line) || p == x->end)
            return 0;
        if (p != mark)
            continue; /* a line or a comment ends */
        depth += *p == '{';
        depth -= *p == '}';
        p = *p == '"' ? skip_string(p, x->end) : p + 1;
        if (depth)
            continue;
        x->at = p;
        x->line = line;
        lex(x, &x->token);
        lex(x, &x->next);
        return line;
    }
}

char *lexer_slice(struct lexer *x, const char *start, const char *end)
{
    char *text = ptx_keep(x->context, (size_t)(end - start) + 1, 1), *out = text;
    uint32_t lines = 0;
    for (const char *p = start; p < end;) {
        const char *word = p;
        skip_blanks(&p, end, &lines);
        if (p == word)
            *out++ = *p++;
        else if (p < end && out > text)
            *out++ = ' ';
    }
    return text;
}
