/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/wrap.c: see wrap.h. */
#include "tb/cli/wrap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDEST    100
#define NARROWEST 40 /* below that nothing is gained */

int wrap_width(void)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    const int given = columns ? atoi(columns) : 0;
    if (given > 0)
        return given < NARROWEST ? NARROWEST : given;
    if (!isatty(STDOUT_FILENO))
        return 0;
    const int has = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? 0 : size.ws_col;
    return has >= NARROWEST && has < WIDEST ? has : WIDEST;
}

/* How much of a line goes before the break: up to a blank, of which it does without. */
static size_t part(const char *line, size_t length, size_t room)
{
    if (length <= room)
        return length;
    size_t end = room;
    while (end && line[end] != ' ')
        end--;
    if (!end || strspn(line, " ") >= end) /* a word that is too long */
        for (end = room; end < length && line[end] != ' ';)
            end++;
    return end;
}

static void print_line(const char *line, size_t length, int column, int width, FILE *to)
{
    size_t taken = part(line, length, (size_t)width);
    fprintf(to, "%.*s\n", (int)taken, line);
    while (taken < length) {
        taken += strspn(line + taken, " ");
        const size_t more = part(line + taken, length - taken, (size_t)(width - column));
        fprintf(to, "%*s%.*s\n", column, "", (int)more, line + taken);
        taken += more;
    }
}

void wrap_print(const char *lines, int column, int width, FILE *to)
{
    if (!width) {
        fputs(lines, to);
        return;
    }
    if (column > width / 2)
        column = 4;
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        print_line(lines, length, column, width, to);
    }
}
