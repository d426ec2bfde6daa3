/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/token.c: see token.h. */
#include "synth/netlist/token.h"

#include <ctype.h>
#include <string.h>

#include "tb/text_file.h"

int netlist_error(const struct netlist *n, FILE *err, unsigned line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_file_error(err, n->path, line, format, arguments);
    va_end(arguments);
    return -1;
}

static const char *skip_space(struct netlist_reader *r)
{
    const char *at = r->at;
    for (;; at++) {
        if (at + 1 < r->end && (!memcmp(at, "/*", 2) || !memcmp(at, "(*", 2))) {
            const char close = at[0] == '(' ? ')' : '/';
            for (at += 2; at + 1 < r->end && !(at[0] == '*' && at[1] == close); at++)
                r->line += *at == '\n';
            at++;
        } else if (at + 1 < r->end && !memcmp(at, "//", 2)) {
            while (at < r->end && *at != '\n')
                at++;
            at--;
        } else if (at < r->end && isspace((unsigned char)*at))
            r->line += *at == '\n';
        else
            return at < r->end ? at : r->end;
    }
}

static int in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

void netlist_next(struct netlist_reader *r)
{
    const char *at = skip_space(r), *from = at;
    r->token = TOKEN_MARK;
    if (at == r->end) {
        r->token = TOKEN_END;
    } else if (*at == '\\') {
        r->token = TOKEN_NAME;
        for (from = ++at; at < r->end && !isspace((unsigned char)*at);)
            at++;
    } else if (isdigit((unsigned char)*at)) {
        r->token = TOKEN_NUMBER;
        while (at < r->end && (in_name(*at) || *at == '\''))
            at++;
    } else if (in_name(*at)) {
        r->token = TOKEN_NAME;
        while (at < r->end && in_name(*at))
            at++;
    } else {
        at++;
    }
    r->text = from;
    r->length = (size_t)(at - from);
    r->at = at;
}

int netlist_is(const struct netlist_reader *r, const char *text)
{
    return r->token != TOKEN_END && strlen(text) == r->length && !memcmp(r->text, text, r->length);
}

int netlist_accept(struct netlist_reader *r, const char *mark)
{
    if (r->token != TOKEN_MARK || !netlist_is(r, mark))
        return 0;
    netlist_next(r);
    return 1;
}

int netlist_expect(struct netlist_reader *r, const char *mark)
{
    if (netlist_accept(r, mark))
        return 0;
    return fail(r, "expected '%s', not '%.*s'", mark, (int)(r->length < 80 ? r->length : 80),
                r->token == TOKEN_END ? "" : r->text);
}
