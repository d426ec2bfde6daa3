/* SPDX-License-Identifier: Apache-2.0 */
/* synth/liberty/parse.c: the text of a Liberty file becomes a tree. See liberty.h.
 *
 * Tools differ in what they take; this reader takes what is met in the files of foundries: a missing
 * semicolon at the end of a line, values that are expressions, commas or blanks between values. */
#include "synth/liberty/liberty.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VALUES 65536 /* of one attribute: a table of 256 by 256 */

struct reader {
    struct liberty *liberty;
    FILE *err;
    const char *at, *end;
    unsigned line, depth;
    const char **values; /* of the list that is being read */
    unsigned count, room;
};

/* Names the line where the reader stands. */
#define fail(r, ...) liberty_error((r)->liberty, (r)->err, (r)->line, __VA_ARGS__)

static int no_memory(const struct reader *r)
{
    return fail(r, "no memory");
}

/* What stands at r->at, to be named in a message. */
static int unexpected(const struct reader *r, const char *expected)
{
    if (r->at == r->end)
        return fail(r, "the file ends; expected %s", expected);
    if (!isprint((unsigned char)*r->at))
        return fail(r, "unexpected byte 0x%02x; expected %s", (unsigned char)*r->at, expected);
    return fail(r, "unexpected '%c'; expected %s", *r->at, expected);
}

static void *take_memory(struct reader *r, size_t size)
{
    return arena_alloc(&r->liberty->memory, size, sizeof(void *));
}

static const char *copy(struct reader *r, const char *text, size_t length)
{
    char *to = take_memory(r, length + 1);
    if (to)
        memcpy(to, text, length);
    return to;
}

static int ahead(const struct reader *r, const char *token)
{
    const size_t length = strlen(token);
    return (size_t)(r->end - r->at) >= length && !memcmp(r->at, token, length);
}

/* The length of a backslash and the end of the line that it continues, or 0. */
static size_t continuation(const struct reader *r)
{
    return ahead(r, "\\\n") ? 2 : ahead(r, "\\\r\n") ? 3 : 0;
}

/* Passes blanks and comments; ends of lines too if `lines`. Returns 0, or -1. */
static int skip(struct reader *r, int lines)
{
    while (r->at < r->end) {
        const size_t continued = continuation(r);
        if (continued) {
            r->at += continued;
            r->line++;
        } else if (*r->at == '\n') {
            if (!lines)
                return 0;
            r->at++;
            r->line++;
        } else if (isspace((unsigned char)*r->at)) {
            r->at++;
        } else if (ahead(r, "//")) {
            while (r->at < r->end && *r->at != '\n')
                r->at++;
        } else if (ahead(r, "/*")) {
            const unsigned begins = r->line;
            for (r->at += 2; r->at < r->end && !ahead(r, "*/"); r->at++)
                r->line += *r->at == '\n';
            if (r->at == r->end) {
                r->line = begins;
                return fail(r, "the comment that begins here does not end");
            }
            r->at += 2;
        } else
            return 0;
    }
    return 0;
}

/* The rest of a string whose first quote has been taken, or NULL. */
static const char *take_string(struct reader *r)
{
    const char *begin = r->at, *text;
    const unsigned line = r->line;
    char *to;
    while (r->at < r->end && *r->at != '"') {
        r->line += *r->at == '\n';
        r->at += *r->at == '\\' && r->at + 1 < r->end && r->at[1] == '"' ? 2 : 1;
    }
    if (r->at >= r->end) {
        r->at = r->end;
        r->line = line;
        fail(r, "the string that begins here does not end");
        return NULL;
    }
    if (!(text = copy(r, begin, (size_t)(r->at++ - begin)))) {
        no_memory(r);
        return NULL;
    }
    /* Of a continued line only what it says is kept. */
    to = (char *)text;
    for (const char *from = text; *from; from++)
        if (*from == '\\' && (from[1] == '\n' || from[1] == '\r' || from[1] == '"')) {
            if (from[1] == '"')
                *to++ = '"';
            from += from[1] == '\r' && from[2] == '\n' ? 2 : 1;
        } else
            *to++ = *from;
    *to = '\0';
    return text;
}

static int word_char(char ch)
{
    return isgraph((unsigned char)ch) && !strchr(":;(){},\"", ch);
}

static const char *take_word(struct reader *r)
{
    const char *begin = r->at;
    while (r->at < r->end && word_char(*r->at) && !continuation(r) && !ahead(r, "/*"))
        r->at++;
    return copy(r, begin, (size_t)(r->at - begin));
}

static int keep_value(struct reader *r, const char *value)
{
    if (!value)
        return -1;
    if (r->count == r->room) {
        const unsigned room = r->room ? 2 * r->room : 64;
        const char **grown =
            r->room < MAX_VALUES ? realloc(r->values, room * sizeof *r->values) : NULL;
        if (!grown)
            return fail(r, "more than %u values", r->room);
        r->values = grown;
        r->room = room;
    }
    r->values[r->count++] = value;
    return 0;
}

/* What has been read of a list, for good. */
static const char *const *keep_values(struct reader *r)
{
    const char **values = take_memory(r, (r->count + 1) * sizeof *values);
    if (values && r->count)
        memcpy(values, r->values, r->count * sizeof *values);
    return values;
}

/* The values up to the closing bracket, behind the opening one. */
static int take_list(struct reader *r)
{
    r->count = 0;
    for (;;) {
        if (skip(r, 1))
            return -1;
        if (r->at == r->end)
            return unexpected(r, "')'");
        if (*r->at == ')') {
            r->at++;
            return 0;
        }
        if (*r->at == ',') {
            r->at++;
        } else if (*r->at == '"') {
            r->at++;
            if (keep_value(r, take_string(r)))
                return -1;
        } else if (word_char(*r->at) || *r->at == ':') { /* a range of bits is 7:0 */
            const char *begin = r->at;
            while (r->at < r->end && (word_char(*r->at) || *r->at == ':'))
                r->at++;
            if (keep_value(r, copy(r, begin, (size_t)(r->at - begin))))
                return -1;
        } else
            return unexpected(r, "a value or ')'");
    }
}

/* The value behind a colon: a string, or the text up to the semicolon or the end of the line. */
static int take_value(struct reader *r)
{
    r->count = 0;
    if (skip(r, 0))
        return -1;
    if (r->at < r->end && *r->at == '"') {
        r->at++;
        if (keep_value(r, take_string(r)))
            return -1;
    } else {
        const char *begin = r->at, *end;
        while (r->at < r->end && !strchr(";\n}", *r->at) && !ahead(r, "/*") && !ahead(r, "//"))
            r->at++;
        for (end = r->at; end > begin && isspace((unsigned char)end[-1]);)
            end--;
        if (begin == end)
            return unexpected(r, "a value");
        if (keep_value(r, copy(r, begin, (size_t)(end - begin))))
            return -1;
    }
    return skip(r, 0);
}

static int take_group(struct reader *r, struct liberty_group *g);

/* An attribute or a group of `in`, whose tails are at `attribute` and `group`. */
static int take_statement(struct reader *r, struct liberty_attribute ***attribute,
                          struct liberty_group ***group)
{
    const unsigned line = r->line;
    const char *const name = take_word(r);
    int listed;
    if (!name)
        return no_memory(r);
    if (skip(r, 1))
        return -1;
    listed = r->at < r->end && *r->at == '(';
    if (r->at == r->end || (*r->at != ':' && !listed))
        return unexpected(r, "':' or '(' behind a name");
    r->at++;
    if (listed ? take_list(r) || skip(r, 1) : take_value(r))
        return -1;
    const char *const *values = keep_values(r);
    if (!values)
        return no_memory(r);
    if (listed && r->at < r->end && *r->at == '{') {
        struct liberty_group *g = take_memory(r, sizeof *g);
        if (!g)
            return no_memory(r);
        r->at++;
        *g = (struct liberty_group){.type = name, .names = values, .count = r->count, .line = line};
        **group = g;
        *group = &g->next;
        return take_group(r, g);
    }
    struct liberty_attribute *a = take_memory(r, sizeof *a);
    if (!a)
        return no_memory(r);
    *a =
        (struct liberty_attribute){.name = name, .values = values, .count = r->count, .line = line};
    **attribute = a;
    *attribute = &a->next;
    return 0;
}

/* What a group holds, up to its closing brace. */
static int take_group(struct reader *r, struct liberty_group *g)
{
    struct liberty_attribute **attribute = &g->attributes;
    struct liberty_group **group = &g->groups;
    if (++r->depth > LIBERTY_DEPTH)
        return fail(r, "more than %d groups within groups", LIBERTY_DEPTH);
    for (;;) {
        if (skip(r, 1))
            return -1;
        if (r->at == r->end) {
            r->line = g->line;
            return fail(r, "the group %s(%s) that begins here does not end", g->type,
                        g->count ? g->names[0] : "");
        }
        if (*r->at == '}') {
            r->at++;
            r->depth--;
            return 0;
        }
        if (*r->at == ';')
            r->at++;
        else if (!word_char(*r->at))
            return unexpected(r, "an attribute, a group or '}'");
        else if (take_statement(r, &attribute, &group))
            return -1;
    }
}

static int take_library(struct reader *r)
{
    struct liberty_attribute *attributes = NULL, **attribute = &attributes;
    struct liberty_group *groups = NULL, **group = &groups;
    while (!groups) {
        if (skip(r, 1))
            return -1;
        if (r->at == r->end || !word_char(*r->at))
            return unexpected(r, "library(NAME) {");
        if (take_statement(r, &attribute, &group))
            return -1;
        if (attributes)
            return fail(r, "'%s'; expected library(NAME) {", attributes->name);
    }
    if (strcmp(groups->type, "library") != 0 || groups->count != 1) {
        r->line = groups->line;
        return fail(r, "the group %s; expected library(NAME)", groups->type);
    }
    if (skip(r, 1))
        return -1;
    if (r->at < r->end)
        return unexpected(r, "the end of the file behind the library");
    r->liberty->library = groups;
    return 0;
}

int liberty_parse(struct liberty *l, const char *text, size_t size, FILE *err)
{
    struct reader r = {.liberty = l, .err = err, .at = text, .end = text + size, .line = 1};
    const int failed = take_library(&r);
    free(r.values);
    return failed;
}
