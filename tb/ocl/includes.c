/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/includes.c: where clang looks: "name" in the folder of the file that includes it, the working directory for the program
 * itself; then, as <name>, in those of -I in their order, and last in the working directory. A folder of that name is passed over.
 * Any word "include" that is no directive with a literal name is not understood, nor is one in a header. */
#include "tb/ocl/includes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_FILES 1000
#define MOST_DEPTH 100
#define MOST_BYTES (1 << 26) /* of a file */

struct search {
    struct cache_key *key;
    char *const *options;
    char *seen[MOST_FILES]; /* paths */
    size_t num_seen, depth;
};

static int add_text(struct search *, const char *text, size_t size, const char *folder);

/* The whole file, malloc'ed; NULL: there is none, or it cannot be read. */
static char *read_file(const char *path, size_t *size)
{
    struct stat s;
    FILE *f = fopen(path, "r");
    char *text = NULL;
    if (f && fstat(fileno(f), &s) == 0 && S_ISREG(s.st_mode) && s.st_size < MOST_BYTES)
        text = malloc((size_t)s.st_size + 1);
    if (text) {
        *size = fread(text, 1, (size_t)s.st_size + 1, f);
        if (ferror(f) || *size != (size_t)s.st_size) { /* it changes just now */
            free(text);
            text = NULL;
        }
    }
    if (f)
        fclose(f);
    return text;
}

/* Adds a file that has been found, and what it includes. Returns whether all is known. */
static int add_file(struct search *s, const char *path)
{
    size_t size = 0;
    cache_add(s->key, path, strlen(path));
    for (size_t i = 0; i < s->num_seen; i++)
        if (strcmp(s->seen[i], path) == 0)
            return 1;
    char *text = s->num_seen < MOST_FILES && s->depth < MOST_DEPTH ? read_file(path, &size) : NULL;
    char *folder = strdup(path), *seen = strdup(path);
    int known = text && folder && seen;
    if (known) {
        s->seen[s->num_seen++] = seen;
        cache_add(s->key, text, size);
        *strrchr(folder, '/') = 0;
        s->depth++;
        known = add_text(s, text, size, folder);
        s->depth--;
    } else {
        free(seen);
    }
    free(folder);
    free(text);
    return known;
}

/* Whether there is something at folder/name that is no folder: then it is added, with *known whether all of it is. */
static int try_folder(struct search *s, const char *folder, const char *name, int *known)
{
    char path[PATH_MAX];
    struct stat there;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path ||
        stat(path, &there) != 0 || S_ISDIR(there.st_mode))
        return 0;
    *known = add_file(s, path);
    return 1;
}

static int add_name(struct search *s, const char *name, const char *folder)
{
    int known = 0;
    if (*name == '/')
        return try_folder(s, "", name + 1, &known) && known;
    if (folder && try_folder(s, folder, name, &known))
        return known;
    for (char *const *o = s->options; *o; o++)
        if (strncmp(*o, "-I", 2) == 0 && try_folder(s, *o + 2, name, &known))
            return known;
    return try_folder(s, ".", name, &known) && known;
}

/* Whether the word at `at` follows a # that is the first of its line. */
static int is_directive(const char *text, const char *at)
{
    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    if (at == text || at[-1] != '#')
        return 0;
    at--;
    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == text || at[-1] == '\n';
}

/* Adds what the directive names whose word ends at `at`. */
static int add_directive(struct search *s, const char *at, const char *end, const char *folder)
{
    char name[PATH_MAX];
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at == end || (*at != '"' && *at != '<'))
        return 0;
    const char close = *at == '"' ? '"' : '>', *const from = at + 1;
    for (at = from; at < end && *at != close && *at != '\n' && *at != '\\' && *at; at++)
        ;
    const size_t length = (size_t)(at - from);
    if (at == end || *at != close || !length || length >= sizeof name)
        return 0;
    memcpy(name, from, length);
    name[length] = 0;
    return add_name(s, name, close == '"' ? folder : NULL);
}

static int add_text(struct search *s, const char *text, size_t size, const char *folder)
{
    static const char word[] = "include";
    const char *const end = text + size;
    if (cache_text_reads(text, size))
        return 0;
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), word, strlen(word)));) {
        const char *const behind = at + strlen(word);
        if (!is_directive(text, at) || !add_directive(s, behind, end, folder))
            return 0;
        at = behind;
    }
    return 1;
}

int includes_add(struct cache_key *key, const char *source, char *const *options)
{
    struct search *s = calloc(1, sizeof *s);
    if (!s)
        return 0;
    s->key = key;
    s->options = options;
    const int known = add_text(s, source, strlen(source), ".");
    while (s->num_seen)
        free(s->seen[--s->num_seen]);
    free(s);
    return known;
}
