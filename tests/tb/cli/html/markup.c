/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/html/markup.c: see markup.h. It knows the tags and attributes of pages, and nothing of who writes them. */
#include "tests/tb/cli/html/markup.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define MOST_OPEN 64
#define MOST_NAME 32

static const char *const tags[] = {
    "html", "head",  "meta",  "title",   "style",   "body",    "header",    "h1", "h2", "h3",
    "p",    "dl",    "dt",    "dd",      "div",     "nav",     "ul",        "li", "a",  "main",
    "code", "span",  "table", "section", "details", "svg",     "rect",      "th", "tr", "td",
    "img",  "tbody", "thead", "strong",  "figure",  "summary", "figcaption"};
static const char *const attributes[] = {"lang",       "charset",
                                         "name",       "content",
                                         "http-equiv", "class",
                                         "id",         "href",
                                         "alt",        "style",
                                         "src",        "tabindex",
                                         "role",       "scope",
                                         "x",          "width",
                                         "fill",       "title",
                                         "viewBox",    "height",
                                         "aria-label", "preserveAspectRatio"};

struct checker {
    const char *page, *at;
    char open[MOST_OPEN][MOST_NAME];
    int depth;
    char ids[4096][MOST_NAME];
    int num_ids;
    char fault[256];
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

__attribute__((format(printf, 2, 3))) static int wrong(struct checker *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int used = snprintf(c->fault, sizeof c->fault, "byte %ld: ", (long)(c->at - c->page));
    vsnprintf(c->fault + used, sizeof c->fault - (size_t)used, format, arguments);
    va_end(arguments);
    return -1;
}

static int is_one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(word, words[i]))
            return 1;
    return 0;
}

/* Letters, digits and '-', at most MOST_NAME - 1. */
static void take_name(struct checker *c, char name[MOST_NAME])
{
    const size_t length = strspn(c->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789-");
    snprintf(name, MOST_NAME, "%.*s", (int)length, c->at);
    c->at += length;
}

static int check_entity(struct checker *c)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&nbsp;"};
    for (size_t i = 0; i < COUNT(entities); i++)
        if (!strncmp(c->at, entities[i], strlen(entities[i]))) {
            c->at += strlen(entities[i]);
            return 0;
        }
    return wrong(c, "'%.10s' is no entity", c->at);
}

/* Takes a character of UTF-8, which is no control character. */
static int check_character(struct checker *c)
{
    const unsigned char *at = (const unsigned char *)c->at;
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    const unsigned more = *at < 0x80 ? 0 : *at < 0xe0 ? 1 : *at < 0xf0 ? 2 : 3;
    uint32_t value = more ? *at & (0x3fu >> more) : *at;
    for (unsigned i = 1; i <= more; i++) {
        if (at[i] >> 6 != 2)
            return wrong(c, "0x%02x begins no character", *at);
        value = value << 6 | (at[i] & 63);
    }
    if ((*at >= 0x80 && *at < 0xc0) || *at > 0xf7 || value < least[more] || value > 0x10ffff ||
        value >> 11 == 0x1b)
        return wrong(c, "0x%x in %u bytes is no character", value, more + 1);
    if ((value < ' ' && value != '\n' && value != '\t') || (value >= 0x7f && value < 0xa0))
        return wrong(c, "0x%02x is a control character", value);
    c->at += more + 1;
    return 0;
}

static int check_id(struct checker *c, const char *id)
{
    for (int i = 0; i < c->num_ids; i++)
        if (!strcmp(c->ids[i], id))
            return wrong(c, "id '%s' stands twice", id);
    if (c->num_ids < (int)COUNT(c->ids))
        snprintf(c->ids[c->num_ids++], MOST_NAME, "%.31s", id);
    return 0;
}

static int check_value(struct checker *c, const char *name)
{
    const char *const begin = c->at;
    char value[256];
    while (*c->at && *c->at != '"')
        if (*c->at == '<' || (*c->at == '&' ? check_entity(c) : check_character(c)))
            return *c->fault ? -1 : wrong(c, "'<' in the value of %s", name);
    if (!*c->at)
        return wrong(c, "the value of %s does not end", name);
    snprintf(value, sizeof value, "%.*s", (int)(c->at - begin), begin);
    c->at++;
    if (!strcmp(name, "href") && *value != '#')
        return wrong(c, "a link to '%.40s'", value);
    if (!strcmp(name, "src") && strncmp(value, "data:image/", strlen("data:image/")) != 0)
        return wrong(c, "a picture from '%.40s'", value);
    if (!strcmp(name, "style") && strstr(value, "url"))
        return wrong(c, "a style that fetches");
    return strcmp(name, "id") ? 0 : check_id(c, value);
}

static int check_attributes(struct checker *c)
{
    char name[MOST_NAME];
    while (*c->at == ' ') {
        c->at++;
        take_name(c, name);
        if (!is_one_of(name, attributes, COUNT(attributes)))
            return wrong(c, "no page has the attribute '%s'", name);
        if (strncmp(c->at, "=\"", 2) != 0)
            return wrong(c, "%s has no value in quotes", name);
        c->at += 2;
        if (check_value(c, name))
            return -1;
    }
    return 0;
}

static int open_tag(struct checker *c)
{
    char name[MOST_NAME];
    take_name(c, name);
    if (!is_one_of(name, tags, COUNT(tags)))
        return wrong(c, "no page has the tag '%s'", name);
    if (check_attributes(c))
        return -1;
    if (*c->at++ != '>')
        return wrong(c, "the tag '%s' does not end", name);
    if (!strcmp(name, "meta") || !strcmp(name, "img"))
        return 0;
    if (c->depth == MOST_OPEN)
        return wrong(c, "too many tags are open");
    strcpy(c->open[c->depth++], name);
    if (!strcmp(name, "style"))
        c->at = strstr(c->at, "</style>") ? strstr(c->at, "</style>") : c->at;
    return 0;
}

static int close_tag(struct checker *c)
{
    char name[MOST_NAME];
    take_name(c, name);
    if (!c->depth || strcmp(c->open[c->depth - 1], name) != 0)
        return wrong(c, "'%s' ends where '%s' is open", name,
                     c->depth ? c->open[c->depth - 1] : "");
    c->depth--;
    return *c->at++ == '>' ? 0 : wrong(c, "the end of '%s' does not end", name);
}

static int check(struct checker *c)
{
    static const char begin[] = "<!DOCTYPE html>\n";
    if (strncmp(c->at, begin, strlen(begin)) != 0)
        return wrong(c, "no page begins so");
    c->at += strlen(begin);
    while (*c->at) {
        int failed;
        if (c->at[0] == '<' && c->at[1] == '/') {
            c->at += 2;
            failed = close_tag(c);
        } else if (*c->at == '<') {
            c->at++;
            failed = open_tag(c);
        } else
            failed = *c->at == '&' ? check_entity(c) : check_character(c);
        if (failed)
            return -1;
    }
    return c->depth ? wrong(c, "'%s' is open at the end", c->open[c->depth - 1]) : 0;
}

const char *markup_fault(const char *page)
{
    static struct checker c;
    memset(&c, 0, sizeof c);
    c.page = c.at = page;
    return check(&c) ? c.fault : NULL;
}
