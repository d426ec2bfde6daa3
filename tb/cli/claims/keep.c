/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/keep.c: see keep.h. A row is "| ID | ... | verdict | reason | command |". A bar within a
 * cell has a backslash before it, so " | " ends a cell. */
#include "tb/cli/claims/keep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/sweep/memory.h"

#define BAR " | "

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
