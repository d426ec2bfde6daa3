/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/cost.c: see cost.h. */
#include "tb/cli/cost.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tb/text_file.h"

#define TABLE "## Synthesis on each configuration\n"

const struct cost_row cost_rows[NUM_COST_ROWS] = {
    {"state_bits", "STATE bits", "STATE bits", "of the contract", NULL},
    {"flip_flops", "flip-flops", "flip-flops", "found by synthesis", NULL},
    {"area_um2", "area um2", "area", "um2, ", "library"},
    {"ge", "gate equivalents", "gate equivalents", "", "nand2"},
    {"critical_path_ns", "critical path ns", "critical path", "ns, before layout, no wire load",
     NULL},
};

int is_plain_name(const char *name)
{
    const size_t length = strlen(name);
    return length && length < 64 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
               length;
}

/* The next cell of a line of a table, without the blanks around it: *at stands behind it. Returns 0, or -1: there is none. */
static int next_cell(const char **at, char *cell, size_t size)
{
    const char *bar = *at;
    if (*bar != '|')
        return -1;
    const char *begin = bar + 1 + strspn(bar + 1, " "), *end = begin + strcspn(begin, "|\n");
    if (*end != '|')
        return -1;
    *at = end;
    while (end > begin && end[-1] == ' ')
        end--;
    snprintf(cell, size, "%.*s", (int)((size_t)(end - begin) < size ? end - begin : (long)size),
             begin);
    return 0;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* Takes the cells of `row` whose heads are known. */
static void take_row(struct notes *n, const char *heads, const char *row)
{
    char head[64], cell[64];
    while (!next_cell(&heads, head, sizeof head) && !next_cell(&row, cell, sizeof cell))
        for (int i = 0; i < NUM_COST_ROWS; i++)
            if (!strcmp(cost_rows[i].head, head))
                notes_add(n, cost_rows[i].name, cell);
}

int cost_of_evidence(struct notes *n, const char *text, const char *config)
{
    const char *table = strstr(text, TABLE), *heads = NULL;
    char cell[64];
    for (const char *line = table ? next_line(table) : ""; *line && *line != '#';
         line = next_line(line)) {
        const char *at = line;
        if (next_cell(&at, cell, sizeof cell))
            continue;
        if (!heads)
            heads = line;
        else if (!strcmp(cell, config)) {
            take_row(n, heads, line);
            return 0;
        }
    }
    return -1;
}

static int read_evidence(struct notes *n, const char *path, const char *config)
{
    char *text = access(path, R_OK) ? NULL : text_file_read(path, SIZE_MAX / 2, NULL, stderr);
    const int status = text ? cost_of_evidence(n, text, config) : -1;
    free(text);
    return status;
}

int cost_read(struct notes *n, const char *build, const char *config, const char *unit, char *from,
              size_t size)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/../%s/synth/%s/result.txt", build, config, unit);
    snprintf(from, size, "build/%s/synth/%s/result.txt", config, unit);
    if (!access(path, R_OK) && !notes_read(n, path))
        return 0;
    snprintf(path, sizeof path, "%s/../../rtl/%s/EVIDENCE.md", build, unit);
    snprintf(from, size, "rtl/%s/EVIDENCE.md", unit);
    return read_evidence(n, path, config);
}
