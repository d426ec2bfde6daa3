/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/table.c: see table.h. */
#include "tb/cli/claims/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tb/text_file.h"

struct reader {
    struct table *table;
    FILE *err;
    char *at; /* what is left of the file */
    unsigned line;
    const char *columns[TABLE_COLUMNS];
    int num_columns;
    int failed;
};

/* Returns NULL. */
__attribute__((format(printf, 2, 3))) static void *fail(struct reader *r, const char *format, ...)
{
    va_list list;
    if (r->failed++)
        return NULL;
    va_start(list, format);
    text_file_error(r->err, r->table->path, r->line, format, list);
    va_end(list);
    return NULL;
}

/* Cuts the field at r->at off, in its place, and leaves r->at at what ends it, which is in *end: a comma, or a 0 for the end of the line.
 * NULL: it is wrong, and reported. */
static char *take_field(struct reader *r, char *end)
{
    char *begin = r->at, *to = begin;
    if (*begin != '"') {
        r->at += strcspn(begin, ",\r\n");
        const char *quote = memchr(begin, '"', (size_t)(r->at - begin));
        if (quote)
            return fail(r, "a quotation mark within a field; expected it at its beginning");
        to = r->at;
    } else {
        for (r->at++; *r->at && (*r->at != '"' || r->at[1] == '"'); *to++ = *r->at++) {
            r->at += *r->at == '"'; /* of two, the second */
            if (*r->at == '\n')
                return fail(r, "no quotation mark at the end of a field");
        }
        if (!*r->at)
            return fail(r, "no quotation mark at the end of a field");
        r->at++;
    }
    r->at += *r->at == '\r' && r->at[1] == '\n';
    *end = *r->at == ',' ? ',' : 0;
    if (*r->at && *r->at != ',' && *r->at != '\n')
        return fail(r, "expected a comma or the end of the line behind a field");
    r->at += *r->at != 0;
    *to = 0;
    return begin;
}

/* The fields of a line. Returns how many they are, or -1. */
static int take_line(struct reader *r, const char *fields[TABLE_COLUMNS])
{
    int count = 0;
    char end = ',';
    for (r->line++; end; count++) {
        if (count == TABLE_COLUMNS)
            fail(r, "more than %d columns", TABLE_COLUMNS);
        else
            fields[count] = take_field(r, &end);
        if (r->failed)
            return -1;
    }
    return count;
}

/* Words joined by dots, each of which begins as the parser of expressions wants it (parse.c). */
static int is_column(const char *name)
{
    char before = '.';
    if (isdigit((unsigned char)*name))
        return 0;
    for (; *name; before = *name++)
        if (!isalnum((unsigned char)*name) && *name != '_' && (*name != '.' || before == '.'))
            return 0;
    return before != '.';
}

/* What an axis of that name means without a table (expr.h), and words of expressions. */
static int is_taken(const char *name)
{
    static const char *const words[] = {"config", "workload", "args", "size", "program", "point",
                                        "kernel", "member",   "and",  "or",   "not"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(name, words[i]))
            return 1;
    return 0;
}

static int take_columns(struct reader *r)
{
    r->num_columns = take_line(r, r->columns);
    for (int i = 0; i < r->num_columns; i++) {
        const char *name = r->columns[i];
        if (!is_column(name))
            fail(r, "'%.60s': expected the name of a column: letters, digits, _ and dots", name);
        else if (is_taken(name))
            fail(r, "a column '%s': the word means something else in expressions", name);
        for (int k = 0; k < i; k++)
            if (!strcmp(r->columns[k], name))
                fail(r, "two columns '%.60s'", name);
    }
    return r->failed ? -1 : 0;
}

static void *room(struct table *t, size_t size, size_t align)
{
    void *place = arena_alloc(&t->memory, size, align);
    if (!place)
        no_memory();
    return place;
}

static void take_row(struct reader *r)
{
    struct table *t = r->table;
    const char *fields[TABLE_COLUMNS];
    const int count = take_line(r, fields);
    if (r->failed)
        return;
    if (count != r->num_columns) {
        fail(r, "%d fields; expected %d, one per column", count, r->num_columns);
        return;
    }
    if (t->count == MAX_POINTS) {
        fail(r, "more than %d rows", MAX_POINTS);
        return;
    }
    struct setting *settings = room(t, (size_t)count * sizeof *settings, _Alignof(struct setting));
    int given = 0;
    for (int i = 0; i < count; i++)
        if (*fields[i])
            settings[given++] = (struct setting){r->columns[i], fields[i]};
    char *text = text_of("%s:%u", t->path, r->line);
    if ((t->count & (t->count - 1)) == 0) /* 0, 1, 2, 4, ...: full */
        t->rows = more(t->rows, (size_t)(t->count ? 2 * t->count : 1) * sizeof *t->rows);
    t->rows[t->count++] = (struct point){
        .group = t->name,
        .config = "",
        .workload = "",
        .size = "",
        .args = "",
        .settings = settings,
        .num_settings = given,
        .text = arena_copy(&t->memory, text, strlen(text)),
        .line = r->line,
    };
    free(text);
}

static int read_rows(struct table *t, char *text, FILE *err)
{
    struct reader r = {.table = t, .err = err, .at = text};
    if (take_columns(&r))
        return -1;
    while (*r.at && !r.failed)
        take_row(&r);
    return r.failed ? -1 : 0;
}

int table_load(struct table *t, const char *folder, const char *name, FILE *err)
{
    char *path = text_of("%s/%s.csv", folder, name);
    *t = (struct table){0};
    t->name = arena_copy(&t->memory, name, strlen(name));
    t->path = arena_copy(&t->memory, path, strlen(path));
    free(path);
    t->found = !access(t->path, F_OK);
    if (!t->found)
        return 0;
    size_t size;
    char *text = text_file_read(t->path, TABLE_BYTES, &size, err), *kept = NULL;
    int failed = !text;
    if (!failed && memchr(text, 0, size)) {
        fprintf(err, "%s: a byte of value 0; expected text\n", t->path);
        failed = 1;
    } else if (!failed)
        kept = arena_copy(&t->memory, text, size); /* the rows' fields stay there */
    free(text);
    return failed || read_rows(t, kept, err) ? -1 : 0;
}

void table_drop(struct table *t)
{
    free(t->rows);
    arena_free(&t->memory);
    *t = (struct table){0};
}

int table_is_name(const char *name)
{
    return *name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789-_")];
}
