/* SPDX-License-Identifier: Apache-2.0 */
/* tb/notes.c: see notes.h. */
#include "tb/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void notes_add(struct notes *n, const char *name, const char *value)
{
    struct note *more = realloc(n->notes, (n->count + 1) * sizeof *more);
    if (!more)
        return;
    n->notes = more;
    const struct note note = {strdup(name), strdup(value)};
    if (note.name && note.value) {
        n->notes[n->count++] = note;
    } else {
        free(note.name);
        free(note.value);
    }
}

int notes_read(struct notes *n, const char *path)
{
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    if (!f)
        return -1;
    while (getline(&line, &room, f) > 0) {
        line[strcspn(line, "\n")] = 0;
        char *value = strchr(line, '=');
        if (value) {
            *value++ = 0;
            notes_add(n, line, value);
        }
    }
    free(line);
    const int failed = ferror(f);
    return fclose(f) || failed ? -1 : 0;
}

void notes_made_by(struct notes *n, const char *identity, const char *command)
{
    if (notes_read(n, identity))
        notes_add(n, "version", "unknown");
    if (command)
        notes_add(n, "command", command);
}

const char *notes_find(const struct notes *n, const char *name)
{
    for (size_t i = 0; i < n->count; i++)
        if (!strcmp(n->notes[i].name, name))
            return n->notes[i].value;
    return NULL;
}

void notes_free(struct notes *n)
{
    for (size_t i = 0; i < n->count; i++) {
        free(n->notes[i].name);
        free(n->notes[i].value);
    }
    free(n->notes);
    *n = (struct notes){0};
}
