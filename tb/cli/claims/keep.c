/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/keep.c: see keep.h. A row is "| ID | ... | verdict | reason | command |". A bar within a
 * cell has a backslash before it, so " | " ends a cell. */
#include "tb/cli/claims/keep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/sweep/memory.h"

#define BAR     " | "
#define EARLIER " (earlier run)"
enum { COLUMN_HERE = 5, COLUMN_SIGNS };

static int count_columns(const char *row)
{
    int count = 1;
    while ((row = strstr(row, BAR))) {
        row += strlen(BAR) - 1; /* an empty cell shares its blanks */
        count++;
    }
    return count;
}

/* The cell that begins behind the n-th bar from the end, the last of all not counted. */
static const char *cell_from_end(const char *row, int n)
{
    const char *at = row + strlen(row) - 1;
    while (n > 0 && at > row)
        n -= !strncmp(--at, BAR, strlen(BAR));
    return at + strlen(BAR);
}

static int read_verdict(struct kept_row *row)
{
    const char *cell = cell_from_end(row->text, 3);
    int best = -1;
    for (int v = 0; v < NUM_VERDICTS; v++) {
        const char *name = verdict_name((enum verdict)v);
        if (!strncmp(cell, name, strlen(name)) && strchr(" ;:", cell[strlen(name)]))
            best = v;
    }
    row->verdict = best < 0 ? VERDICT_OPEN : (enum verdict)best;
    row->partly = best >= 0 && cell[strlen(verdict_name(row->verdict))] == ';';
    return best < 0 ? -1 : 0;
}

/* The cell behind the n-th bar, and its length. */
static const char *cell_from_start(const char *row, int n, size_t *length)
{
    const char *cell = row + 2;
    while (--n > 0)
        cell = strstr(cell, BAR) + strlen(BAR) - 1;
    cell += *cell == ' ';
    const char *end = strstr(cell, BAR);
    *length = end ? (size_t)(end - cell) : strlen(cell);
    return cell;
}

/* What stands behind the label in a cell of "LABEL TEXT<br>LABEL TEXT"; NULL: nothing. A label may begin
 * with another one: `is` tells a text. */
static const char *labelled(struct kept *k, const char *cell, size_t length, const char *label,
                            int (*is)(const char *text))
{
    static const char between[] = "<br>";
    const size_t skipped = strlen(label);
    for (const char *end = cell + length; cell < end;) {
        const char *next = memmem(cell, (size_t)(end - cell), between, strlen(between));
        const char *stop = next ? next : end;
        if (!strncmp(cell, label, skipped) && cell[skipped] == ' ') {
            const char *from = cell + skipped + 1;
            const char *text = arena_copy(&k->memory, from, (size_t)(stop - from));
            if (is(text))
                return text;
        }
        cell = next ? next + strlen(between) : end;
    }
    return NULL;
}

static double value_of(const char *text, int *failed)
{
    char number[48];
    struct figure figure = {0};
    const size_t length = strcspn(text, " ");
    *failed = length >= sizeof number || (text[length] && strcmp(text + length, EARLIER) != 0);
    if (!*failed) {
        memcpy(number, text, length);
        number[length] = '\0';
        *failed = figure_read(&figure, number);
    }
    return figure.value;
}

static int is_value(const char *text)
{
    int failed;
    value_of(text, &failed);
    return !failed;
}

static int is_signs(const char *text)
{
    return !strncmp(text, "sign ", 5) || !strncmp(text, "not run", 7);
}

/* Is it a row of a claim? Not the table's head and the line below it. */
static int is_row(const char *line)
{
    return !strncmp(line, "| ", 2) && strncmp(line, "| id |", 6) != 0 &&
           strncmp(line, "| ---", 5) != 0;
}

static int add_row(struct kept *k, const char *line, int columns, const char *path, unsigned number,
                   FILE *err)
{
    if (!is_row(line))
        return 0;
    k->rows = more(k->rows, (size_t)(k->count + 1) * sizeof *k->rows);
    struct kept_row *row = &k->rows[k->count++];
    row->text = arena_copy(&k->memory, line, strlen(line));
    const int found = count_columns(line);
    if (found != columns) {
        fprintf(err, "%s:%u: a row of %d columns; expected %d, as with%s --robust\n", path, number,
                found, columns, columns > found ? "" : "out");
        return -1;
    }
    if (read_verdict(row)) {
        fprintf(err, "%s:%u: a row without a verdict\n", path, number);
        return -1;
    }
    return 0;
}

int kept_read(struct kept *k, const char *path, int columns, FILE *err)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    int failed = 0;
    *k = (struct kept){0};
    FILE *from = fopen(path, "r");
    if (!from) {
        fprintf(err, "%s: cannot be read: %s\n", path, strerror(errno));
        return -1;
    }
    for (unsigned number = 1; !failed && (length = getline(&line, &room, from)) >= 0; number++) {
        if (length && line[length - 1] == '\n')
            line[length - 1] = '\0';
        failed = add_row(k, line, columns, path, number, err);
    }
    if (!failed && ferror(from)) {
        fprintf(err, "%s: cannot be read: %s\n", path, strerror(errno));
        failed = -1;
    }
    free(line);
    fclose(from);
    return failed;
}

void kept_free(struct kept *k)
{
    free(k->rows);
    arena_free(&k->memory);
}

const struct kept_row *kept_row_of(const struct kept *k, const char *id)
{
    for (int i = 0; i < k->count; i++)
        if (!strncmp(k->rows[i].text + 2, id, strlen(id)) &&
            !strncmp(k->rows[i].text + 2 + strlen(id), BAR, strlen(BAR)))
            return &k->rows[i];
    return NULL;
}

/* What stands for a value: its figure, without the mark of an earlier run; NULL: none. */
static const char *figure_in(struct kept *k, const char *row, const struct claim_value *v)
{
    size_t length;
    const char *cell = cell_from_start(row, COLUMN_HERE, &length),
               *text = labelled(k, cell, length, v->label, is_value);
    return text ? arena_copy(&k->memory, text, strcspn(text, " ")) : NULL;
}

/* `text` with the mark of an earlier run, once. */
static const char *marked(struct kept *k, const char *text)
{
    const char *mark = strstr(text, EARLIER);
    char *whole =
        text_of("%.*s%s", (int)(mark ? (size_t)(mark - text) : strlen(text)), text, EARLIER);
    const char *kept = arena_copy(&k->memory, whole, strlen(whole));
    free(whole);
    return kept;
}

static const char *signs_in(struct kept *k, const char *row, const struct claim_value *v)
{
    size_t length;
    const char *cell = cell_from_start(row, COLUMN_SIGNS, &length);
    return labelled(k, cell, length, v->label, is_signs);
}

static void keep_signs(struct judged_value *out, const char *signs)
{
    out->kept_signs = signs;
    if (signs && !strncmp(signs, "sign turns", 10))
        out->verdict = VERDICT_NOT_MET;
}

static void keep_value(struct kept *k, const char *row, const struct claim_value *v,
                       struct judged_value *out, int signs)
{
    int failed;
    const char *figure = figure_in(k, row, v);
    if (!figure)
        return;
    out->ours = value_of(figure, &failed);
    out->verdict = verdict_of(v, out->ours);
    out->kept = marked(k, figure);
    if (signs && v->robust)
        keep_signs(out, signs_in(k, row, v));
}

/* On how many machines they hold. */
static int machines(const char *signs)
{
    return strncmp(signs, "sign holds on ", 14) ? 0 : atoi(signs + 14);
}

/* A figure that was measured again and is the same has the signs that it had, unless they were tried again on as many machines. A
 * machine that is the paper's always is. */
static void keep_signs_of_same(struct kept *k, const char *row, const struct claim_value *v,
                               struct judged_value *out)
{
    char room[48];
    if (!v->robust || out->verdict > VERDICT_NOT_MET || out->turns)
        return;
    const char *figure = figure_in(k, row, v), *signs = signs_in(k, row, v);
    if (figure && signs && !strncmp(signs, "sign ", 5) &&
        (!out->same || machines(signs) > __builtin_popcount(out->same)) &&
        !strcmp(figure, figure_print(&v->paper, out->ours, room)))
        keep_signs(out, marked(k, signs));
}

/* The reason of a row, its bars as they were. */
static char *reason_in(struct kept *k, const char *row)
{
    const char *from = cell_from_end(row, 2), *end = strstr(from, BAR);
    char *reason = arena_copy(&k->memory, from, (size_t)(end - from)), *to = reason;
    for (const char *at = reason; *at; at++)
        if (at[0] != '\\' || at[1] != '|')
            *to++ = *at;
    *to = '\0';
    return reason;
}

/* Passes `at` over `length` bytes of `words`. Returns 0, or -1: something else stands there. */
static int pass(const char **at, const char *words, size_t length)
{
    const int same = !strncmp(*at, words, length);
    *at += same ? length : 0;
    return same ? 0 : -1;
}

/* Prints the figure of a reason, from `here` or, where that has none, from `old`, and passes both. */
static void print_figure(const char **here, const char **old, FILE *to)
{
    char *end_here, *end_old;
    strtod(*here, &end_here);
    strtod(*old, &end_old);
    if (end_here > *here)
        fprintf(to, "%.*s", (int)(end_here - *here), *here);
    else if (end_old > *old)
        fprintf(to, "%.*s%s", (int)(end_old - *old), *old, EARLIER);
    else
        fprintf(to, NO_FIGURE);
    *here = end_here > *here ? end_here : *here + strlen(NO_FIGURE);
    *old = end_old > *old ? end_old : *old + strlen(NO_FIGURE);
    pass(old, EARLIER, strlen(EARLIER));
}

/* Figures that the reason takes from runs that were not made here are those of the row, as long as the words
 * between them are the same. */
static void keep_reason(struct kept *k, const char *row, struct judged *j)
{
    const char *words = j->claim->reason.text, *here = j->reason, *old = reason_in(k, row);
    char *reason;
    size_t size;
    int at = 0, next, end, failed = 0;
    FILE *to = open_memstream(&reason, &size);
    if (!to)
        no_memory();
    for (; !failed && (next = reason_next(words, at, &end)) >= 0; at = end + 1) {
        const int length = next - 2 - at;
        failed = pass(&here, words + at, (size_t)length) || pass(&old, words + at, (size_t)length);
        fprintf(to, "%.*s", length, words + at);
        if (!failed)
            print_figure(&here, &old, to);
    }
    fprintf(to, "%s", words + at);
    fclose(to);
    failed |= strcmp(old, words + at) != 0;
    if (!failed) {
        free(j->reason);
        j->reason = reason;
    } else {
        free(reason);
    }
}

void kept_values(struct kept *k, struct judged *j, int signs)
{
    const struct kept_row *row = kept_row_of(k, j->claim->id);
    if (row)
        keep_reason(k, row->text, j);
    for (int i = 0; row && i < j->claim->num_values; i++)
        if (j->missing && j->values[i].verdict == VERDICT_NOT_RUN)
            keep_value(k, row->text, &j->claim->values[i], &j->values[i], signs);
        else if (signs)
            keep_signs_of_same(k, row->text, &j->claim->values[i], &j->values[i]);
    judged_conclude(j);
}
