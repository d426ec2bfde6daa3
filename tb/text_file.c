/* SPDX-License-Identifier: Apache-2.0 */
/* tb/text_file.c: see text_file.h. */
#include "tb/text_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *text_file_read(const char *path, size_t most, size_t *bytes, FILE *err)
{
    char *text = NULL;
    size_t size = 0, places = 0;
    FILE *f = fopen(path, "r");
    const char *why = f ? NULL : strerror(errno);
    for (size_t more = 1; !why && more; size += more) {
        if (places - size < 2) {
            places = places ? 2 * places : 65536;
            char *room = places > most ? NULL : realloc(text, places);
            if (!room) {
                why = places > most ? "it is too large" : "no memory";
                break;
            }
            text = room;
        }
        more = fread(text + size, 1, places - size - 1, f);
        why = ferror(f) ? strerror(errno) : NULL;
    }
    if (f)
        fclose(f);
    if (!why && size) {
        text[size] = 0;
        if (bytes)
            *bytes = size;
        return text;
    }
    fprintf(err, "%s: cannot be read: %s\n", path, why ? why : "it is empty");
    free(text);
    return NULL;
}

void text_file_error(FILE *err, const char *path, unsigned line, const char *format, va_list list)
{
    char message[400];
    vsnprintf(message, sizeof message, format, list);
    for (char *at = message; *at; at++)
        if (!isprint((unsigned char)*at))
            *at = '?';
    fprintf(err, "%s:%u: error: %s\n", path, line, message);
}
