/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/identity.c: see identity.h. */
#include "tb/cli/identity.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw.h"
#include "tb/cli/cli.h"

#define COMMAND "HEDDLE_COMMAND"

void identity_remember(int argc, char **argv)
{
    char *words = NULL;
    size_t size;
    FILE *to = open_memstream(&words, &size);
    for (int i = 0; to && i < argc; i++) {
        fputs(i ? " " : "", to);
        print_shell_word(argv[i], to);
    }
    if (to && !fclose(to))
        setenv(COMMAND, words, 1);
    free(words);
}

void identity_read(struct notes *notes)
{
    notes_made_by(notes, build_path(0, "identity"), getenv(COMMAND));
}

int identity_print(void)
{
    struct notes notes = {0};
    const char *path = build_path(0, "identity");
    const int unread = notes_read(&notes, path);
    const char *version = notes_find(&notes, "version"), *commit = notes_find(&notes, "commit");
    const int status = !unread && version && commit ? 0 : EXIT_USAGE;
    if (status)
        fprintf(stderr, "heddle: %s: %s; `make build` writes it\n", path,
                unread ? strerror(errno) : "says no version or no commit");
    else
        printf("heddle %s, commit %s, configuration %s\n", version, commit, CONFIG_NAME);
    for (size_t i = 0; i < notes.count && !status; i++)
        if (notes.notes[i].value != version && notes.notes[i].value != commit)
            printf("%s: %s\n", notes.notes[i].name, notes.notes[i].value);
    notes_free(&notes);
    return status;
}

void identity_of_statistics(const struct statistics *s, const char *path)
{
    const char *version = statistics_text(s, "host.version"),
               *commit = statistics_text(s, "host.commit"),
               *command = statistics_text(s, "host.command");
    if (version && commit && command)
        printf("%s: heddle %s, commit %s: %s\n", path, version, commit, command);
}
