/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/viewers.c: see viewers.h. Surfer's file is a list of commands (`--command-file`), of those that all its versions have: it folds no groups, and
 * has no colours of single signals. */
#include "cosim/viewers.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define WINDOW      "1500 950" /* points */
#define POINTS      1000       /* of those, of the waves */
#define POINTS_AT_0 235.0      /* of a cycle, at zoom 0; each 1 less halves them */

enum { GTKWAVE, SURFER };
const char *const viewers_endings[NUM_VIEWERS] = {[GTKWAVE] = "gtkw", [SURFER] = "sucl"};

static const char *last_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int viewers_open(struct viewers *v, char *const paths[NUM_VIEWERS], const char *wave, FILE *err)
{
    for (unsigned i = 0; i < NUM_VIEWERS; i++) {
        v->files[i] = fopen(paths[i], "w");
        if (v->files[i])
            continue;
        fprintf(err, "%s: cannot be written: %s\n", paths[i], strerror(errno));
        while (i--) {
            fclose(v->files[i]);
            unlink(paths[i]);
        }
        return -1;
    }
    /* Names without folders: GTKWave finds the waveform beside the save file, wherever the two have been taken. */
    fprintf(v->files[GTKWAVE],
            "[dumpfile] \"%s\"\n[savefile] \"%s\"\n[size] " WINDOW "\n[signals_width] 420\n"
            "[sst_expanded] 0\n",
            last_of(wave), last_of(paths[GTKWAVE]));
    return 0;
}

/* A name that tells two signals apart without their whole path: "ref/grant[4:0]". A dot would not
 * do: the viewer shows only what follows the last one. */
static void print_alias(const char *path, FILE *to)
{
    const char *last = strrchr(path, '.'), *scope = last;
    while (scope && scope > path && scope[-1] != '.')
        scope--;
    if (scope)
        fprintf(to, "+{%.*s/%s} ", (int)(last - scope), scope, last + 1);
}

/* The hexadecimal number after @ is GTKWave's trace flags: 0x20 right-justified, 2 hexadecimal, 4
 * decimal, 8 binary, 0x800 text, bit 32 names of an enum table. */
void viewers_signal(struct viewers *v, const char *path, enum viewers_form form)
{
    static const char *const flags[] = {[VIEW_HEX] = "22",
                                        [VIEW_DECIMAL] = "24",
                                        [VIEW_ALARM] = "24",
                                        [VIEW_NAMED] = "100000028",
                                        [VIEW_TEXT] = "820"};
    FILE *const gtkwave = v->files[GTKWAVE];
    if (form == VIEW_ALARM)
        fprintf(gtkwave, "[color] 1\n");
    fprintf(gtkwave, "@%s\n", flags[form]);
    print_alias(path, gtkwave);
    fprintf(gtkwave, "%s\n", path);
    /* Surfer takes the range for no part of the name. */
    fprintf(v->files[SURFER], "variable_add %.*s\n", (int)strcspn(path, "["), path);
}

/* Surfer's dividers are named by one word. */
static void divide(struct viewers *v, const char *text)
{
    fprintf(v->files[SURFER], "divider_add ");
    for (; *text; text++)
        fputc(*text == ' ' ? '_' : *text, v->files[SURFER]);
    fputc('\n', v->files[SURFER]);
}

void viewers_comment(struct viewers *v, const char *text)
{
    fprintf(v->files[GTKWAVE], "@200\n-%s\n", text);
    divide(v, text);
}

void viewers_group(struct viewers *v, const char *name, int closed)
{
    fprintf(v->files[GTKWAVE], "@%s\n-%s\n", closed ? "c00200" : "800200", name);
    divide(v, name);
}

void viewers_group_end(struct viewers *v, const char *name, int closed)
{
    fprintf(v->files[GTKWAVE], "@%s\n-%s\n", closed ? "1401200" : "1000200", name);
}

/* Where GTKWave begins, its zoom, and markers, of which the first is the cursor. */
static void begin_gtkwave(FILE *file, uint64_t from, uint64_t to, uint64_t marker)
{
    const double cycles = to > from ? (double)(to - from) : 1;
    const double zoom = log2(POINTS / cycles / POINTS_AT_0);
    const int64_t at = marker == UINT64_MAX ? -1 : (int64_t)marker;
    fprintf(file, "[timestart] %" PRIu64 "\n*%f %" PRId64 " %" PRId64, from, zoom < 0 ? zoom : 0,
            at, at);
    for (char name = 'B'; name <= 'Z'; name++)
        fprintf(file, " -1");
    fputc('\n', file);
}

static void begin_surfer(FILE *file, uint64_t marker)
{
    fprintf(file, "zoom_fit\n");
    if (marker != UINT64_MAX)
        fprintf(file, "cursor_set %" PRIu64 "\nmarker_set A\n", marker);
}

int viewers_close(struct viewers *v, uint64_t from, uint64_t to, uint64_t marker)
{
    int unwritten = 0;
    begin_gtkwave(v->files[GTKWAVE], from, to, marker);
    begin_surfer(v->files[SURFER], marker);
    for (unsigned i = 0; i < NUM_VIEWERS; i++) {
        unwritten |= ferror(v->files[i]);
        unwritten |= fclose(v->files[i]);
    }
    return unwritten ? -1 : 0;
}
