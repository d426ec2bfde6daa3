/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/excerpt.c: the beginning of what a program printed, which names the trouble, and
 * the end, where it stopped. */
#include <stdlib.h>
#include <string.h>

#include "tb/cli/sweep/memory.h"
#include "tb/cli/sweep/sweep.h"

#define LINES 4
#define BYTES 2000 /* of each part */

/* Whatever it said becomes a text of plain characters. */
static void make_plain(char *text)
{
    for (; *text; text++)
        if (*text != '\n' && (*text < ' ' || *text > '~'))
            *text = '?';
}

/* Reads up to BYTES; zeros become something else. */
static void read_part(FILE *f, char text[BYTES + 1])
{
    const size_t size = f ? fread(text, 1, BYTES, f) : 0;
    for (size_t i = 0; i < size; i++)
        text[i] = (char)(text[i] ? text[i] : '?');
    text[size] = 0;
    make_plain(text);
}

/* Where so many lines from the start end. */
static size_t lines_from_start(const char *text)
{
    size_t length = 0;
    for (int n = 0; n < LINES && text[length]; n++)
        length += strcspn(text + length, "\n") + (strchr(text + length, '\n') != NULL);
    return length;
}

/* Where so many lines before the end begin. */
static size_t lines_from_end(const char *text)
{
    size_t start = strlen(text);
    for (int n = 0; start && n < LINES;)
        if (text[--start] == '\n' && ++n == LINES)
            return start + 1;
    return start;
}

char *excerpt_of(const char *path)
{
    char first[BYTES + 1], last[BYTES + 1];
    FILE *f = fopen(path, "r");
    long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : 0;
    if (f)
        rewind(f);
    read_part(f, first);
    const size_t head = lines_from_start(first);
    if (f)
        fseek(f, size > (long)head + BYTES ? size - BYTES : (long)head, SEEK_SET);
    read_part(f, last);
    if (f)
        fclose(f);
    for (size_t end = strlen(last); end && last[end - 1] == '\n';)
        last[--end] = 0;
    const size_t tail = lines_from_end(last);
    const int gap = tail > 0 || size > (long)head + BYTES;
    char *text = text_of("%.*s%s%s", (int)head, first, gap ? "...\n" : "", last + tail);
    for (size_t end = strlen(text); end && text[end - 1] == '\n';)
        text[--end] = 0;
    return text;
}
