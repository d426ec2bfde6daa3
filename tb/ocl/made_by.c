/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/made_by.c: see made_by.h. */
#include "tb/ocl/made_by.h"

#include <stdio.h>
#include <stdlib.h>

#include "tb/ocl/machine.h"

/* The words of this process, with blanks between them; NULL: they cannot be had. The caller frees them. */
static char *own_words(void)
{
    char *words = NULL;
    size_t size = 0;
    FILE *from = fopen("/proc/self/cmdline", "r"),
         *to = from ? open_memstream(&words, &size) : NULL;
    int ch = to ? getc(from) : EOF;
    while (ch != EOF) {
        const int next = getc(from);
        if (ch || next != EOF)
            putc(ch ? ch : ' ', to);
        ch = next;
    }
    if (from)
        fclose(from);
    if (to)
        fclose(to);
    return words;
}

/* Adds those of the build, and the command. */
static void add(struct notes *notes, const char *command)
{
    char *path = machine_file("identity");
    notes_made_by(notes, path ? path : "", command);
    free(path);
}

void made_by_read(struct notes *notes)
{
    const char *command = getenv("HEDDLE_COMMAND");
    char *own = command && *command ? NULL : own_words();
    add(notes, own ? own : command);
    free(own);
}

const char *made_by_version(void)
{
    static char version[32];
    if (!*version) {
        struct notes notes = {0};
        add(&notes, NULL);
        const char *found = notes_find(&notes, "version");
        snprintf(version, sizeof version, "%s", found ? found : "unknown");
        notes_free(&notes);
    }
    return version;
}
