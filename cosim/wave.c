/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/wave.c: see wave.h. A time unit of the file is a cycle of the machine. */
#include "cosim/wave.h"

#include <errno.h>
#include <fstapi.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cosim/cycles.h"
#include "cosim/elements.h"
#include "cosim/viewers.h"
#include "cosim/wave_check.h"

#define VIEW_CYCLES 16 /* shown before and behind the marker */

/* The files: the waveform, and behind it the views. */
enum { FST, VIEWS, NUM_FILES = VIEWS + NUM_VIEWERS };

struct signal {
    fstHandle handle;
    unsigned bits;         /* 0: text */
    unsigned count, width; /* of an array, whose list is the next signal; else 0 */
    int named, written;
    uint64_t *last; /* value written last */
    char *last_text;
    char *path; /* as GTKWave names it: "top.sm0.grant[4:0]" */
};

struct wave {
    void *fst;
    char *paths[NUM_FILES];
    struct viewers viewers;
    uint64_t from, to;
    uint64_t end;    /* of the last cycle written; 0: none was */
    uint64_t marker; /* marker: UINT64_MAX for none */
    struct signal *signals;
    unsigned num_signals;
    char *scopes[16];
    unsigned depth;
    int failed; /* out of memory somewhere */
};

static int parse_spec(struct wave *w, const char *spec, FILE *err)
{
    struct cycles window;
    size_t length;
    w->marker = UINT64_MAX;
    if (cycles_parse(spec, &length, &window)) {
        fprintf(err, "wave '%s': expected FILE.fst or FILE.fst:FROM-TO, cycles with FROM <= TO\n",
                spec);
        return -1;
    }
    w->from = window.first, w->to = window.last;
    if (length < 5 || strncmp(spec + length - 4, ".fst", 4)) {
        fprintf(err, "wave '%s': expected a file name that ends in .fst\n", spec);
        return -1;
    }
    int failed = 0;
    for (unsigned f = 0; f < NUM_FILES && !failed; f++)
        failed = asprintf(&w->paths[f], "%.*s.%s", (int)length - 4, spec,
                          f == FST ? "fst" : viewers_endings[f - VIEWS]) < 0;
    if (failed)
        fprintf(err, "wave: out of memory\n");
    return failed ? -1 : 0;
}

static void free_paths(struct wave *w)
{
    for (unsigned f = 0; f < NUM_FILES; f++)
        free(w->paths[f]);
}

int wave_files(const char *spec, int (*each)(const char *path, FILE *err), FILE *err)
{
    struct wave w = {0};
    int status = parse_spec(&w, spec, err);
    for (unsigned f = 0; f < NUM_FILES && !status; f++)
        status = each(w.paths[f], err);
    free_paths(&w);
    return status ? -1 : 0;
}

/* The writer would remove what is there: a device too, or a link instead of the file behind it. */
static int find_place(char **path, FILE *err)
{
    struct stat there;
    if (stat(*path, &there)) /* there is none yet, or to open it will say why not */
        return 0;
    char *place = S_ISREG(there.st_mode) ? realpath(*path, NULL) : NULL;
    if (!place) {
        fprintf(err, "%s: cannot be written: it is not a regular file\n", *path);
        return -1;
    }
    free(*path);
    *path = place;
    return 0;
}

/* The same of all files. */
static int find_places(struct wave *w, FILE *err)
{
    int status = 0;
    for (unsigned f = 0; f < NUM_FILES && !status; f++)
        status = find_place(&w->paths[f], err);
    return status;
}

static void remove_views(const struct wave *w)
{
    for (unsigned f = VIEWS; f < NUM_FILES; f++)
        unlink(w->paths[f]);
}

struct wave *wave_open(const char *spec, FILE *err)
{
    struct wave *w = calloc(1, sizeof *w);
    if (!w || parse_spec(w, spec, err) || find_places(w, err) ||
        viewers_open(&w->viewers, w->paths + VIEWS, w->paths[FST], err))
        goto failed;
    w->fst = fstWriterCreate(w->paths[FST], 1);
    if (!w->fst) {
        fprintf(err, "%s: cannot be written: %s\n", w->paths[FST], strerror(errno));
        viewers_close(&w->viewers, 0, 0, UINT64_MAX);
        remove_views(w);
        goto failed;
    }
    fstWriterSetTimescaleFromString(w->fst, "1ns");
    fstWriterSetComment(w->fst, "one time unit is one cycle of the machine");
    wave_scope(w, "top");
    return w;
failed:
    if (w)
        free_paths(w);
    free(w);
    return NULL;
}

void wave_mark(struct wave *w, uint64_t cycle)
{
    w->marker = cycle;
}

/* Of all cycles, or of those around the one that is marked. Returns 0, or -1: it could not be written. */
static int close_view(struct wave *w)
{
    uint64_t from = w->from, to = w->to < w->end ? w->to + 1 : w->end;
    if (w->marker != UINT64_MAX) {
        from = w->marker > from + VIEW_CYCLES ? w->marker - VIEW_CYCLES : from;
        to = w->marker + VIEW_CYCLES < to ? w->marker + VIEW_CYCLES + 1 : to;
    }
    return viewers_close(&w->viewers, from, to, w->marker);
}

/* The writer has a file of its own until it has finished. */
static void unfinished(const struct wave *w, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s.hier", w->paths[FST]);
}

/* Leaves nothing that would look like a waveform. */
static void remove_files(const struct wave *w)
{
    char beside[PATH_MAX];
    unfinished(w, beside);
    unlink(w->paths[FST]);
    unlink(beside);
    remove_views(w);
}

int wave_settle(const char *spec, FILE *err)
{
    struct wave w = {0};
    char beside[PATH_MAX];
    int left = 0;
    if (!parse_spec(&w, spec, err) && !find_places(&w, err)) {
        unfinished(&w, beside);
        left = !access(beside, F_OK);
    }
    if (left) {
        fprintf(err, "%s: no waveform: the program ended before it was closed\n", w.paths[FST]);
        remove_files(&w);
    }
    free_paths(&w);
    return left ? -1 : 0;
}

int wave_close(struct wave *w)
{
    fstWriterEmitTimeChange(w->fst, w->end); /* gives the last cycle its length */
    fstWriterClose(w->fst);
    const int unwritten = close_view(w);
    const char *wrong = !w->end     ? NULL
                        : w->failed ? "no memory"
                        : unwritten ? "the view beside it was not"
                                    : wave_check(w->paths[FST]);
    if (wrong)
        fprintf(stderr, "%s: the waveform could not be written: %s; is the disk full?\n",
                w->paths[FST], wrong);
    else if (!w->end)
        fprintf(stderr, "%s: no waveform: the machine ended before cycle %" PRIu64 "\n",
                w->paths[FST], w->from);
    if (wrong || !w->end)
        remove_files(w);
    for (unsigned s = 0; s < w->num_signals; s++) {
        free(w->signals[s].last);
        free(w->signals[s].last_text);
        free(w->signals[s].path);
    }
    while (w->depth)
        free(w->scopes[--w->depth]);
    free(w->signals);
    free_paths(w);
    free(w);
    return wrong ? -1 : 0;
}

void wave_window(const struct wave *w, uint64_t *first, uint64_t *last)
{
    *first = w->from;
    *last = w->to;
}

void wave_scope(struct wave *w, const char *name)
{
    fstWriterSetScope(w->fst, FST_ST_VCD_MODULE, name, NULL);
    if (w->depth < sizeof w->scopes / sizeof w->scopes[0])
        w->scopes[w->depth++] = strdup(name);
}

void wave_up(struct wave *w)
{
    fstWriterSetUpscope(w->fst);
    free(w->scopes[--w->depth]);
}

/* Adds an empty signal; its path is the scopes and `name`. */
static struct signal *add(struct wave *w, const char *name, unsigned bits)
{
    struct signal *grown = realloc(w->signals, (w->num_signals + 1) * sizeof *grown);
    if (!grown) {
        w->failed = 1;
        return NULL;
    }
    w->signals = grown;
    struct signal *s = &grown[w->num_signals++];
    memset(s, 0, sizeof *s);
    s->bits = bits;
    s->last = bits ? calloc((bits + 63) / 64, sizeof *s->last) : NULL;
    size_t size;
    FILE *path = open_memstream(&s->path, &size);
    if (!path || (bits && !s->last)) {
        w->failed = 1;
        return s;
    }
    for (unsigned d = 0; d < w->depth; d++)
        fprintf(path, "%s.", w->scopes[d]);
    fputs(name, path);
    if (bits > 1)
        fprintf(path, "[%u:0]", bits - 1);
    fclose(path);
    return s;
}

static void attach_names(struct wave *w, const char *name, unsigned bits,
                         const struct wave_name *names, unsigned count)
{
    const char *literals[count], *values[count];
    char binary[count][65];
    for (unsigned n = 0; n < count; n++) {
        for (unsigned b = 0; b < bits; b++)
            binary[n][b] = names[n].value >> (bits - 1 - b) & 1 ? '1' : '0';
        binary[n][bits] = 0;
        literals[n] = names[n].name;
        values[n] = binary[n];
    }
    fstWriterEmitEnumTableRef(
        w->fst, fstWriterCreateEnumTable(w->fst, name, count, bits, literals, values));
}

unsigned wave_signal(struct wave *w, const char *name, unsigned bits, const struct wave_name *names,
                     unsigned num_names)
{
    char ranged[256];
    struct signal *s = add(w, name, bits);
    if (!s)
        return 0;
    if (bits > 1)
        snprintf(ranged, sizeof ranged, "%s [%u:0]", name, bits - 1);
    else
        snprintf(ranged, sizeof ranged, "%s", name);
    if (num_names && bits <= 64) {
        attach_names(w, name, bits, names, num_names);
        s->named = 1;
    }
    s->handle = fstWriterCreateVar(w->fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, bits, ranged, 0);
    return w->num_signals - 1;
}

unsigned wave_array(struct wave *w, const char *name, unsigned count, unsigned width)
{
    char list[256];
    const unsigned signal = wave_signal(w, name, count * width, NULL, 0);
    snprintf(list, sizeof list, "%s_list", name);
    if (wave_text_signal(w, list) == signal + 1) {
        w->signals[signal].count = count;
        w->signals[signal].width = width;
    }
    return signal;
}

unsigned wave_text_signal(struct wave *w, const char *name)
{
    struct signal *s = add(w, name, 0);
    if (!s)
        return 0;
    s->handle = fstWriterCreateVar(w->fst, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, name, 0);
    return w->num_signals - 1;
}

void wave_comment(struct wave *w, const char *text)
{
    viewers_comment(&w->viewers, text);
}

void wave_group(struct wave *w, const char *name, int closed)
{
    viewers_group(&w->viewers, name, closed);
}

void wave_group_end(struct wave *w, const char *name, int closed)
{
    viewers_group_end(&w->viewers, name, closed);
}

void wave_show(struct wave *w, unsigned signal, enum viewers_form form)
{
    const struct signal *s = &w->signals[signal + (w->signals[signal].count != 0)];
    if (s->path)
        viewers_signal(&w->viewers, s->path, s->named ? VIEW_NAMED : s->bits ? form : VIEW_TEXT);
}

int wave_cycle(struct wave *w, uint64_t cycle)
{
    if (cycle < w->from || cycle > w->to)
        return 0;
    fstWriterEmitTimeChange(w->fst, cycle);
    w->end = cycle + 1;
    return 1;
}

void wave_set(struct wave *w, unsigned signal, const uint64_t *words)
{
    struct signal *s = &w->signals[signal];
    size_t bytes = (s->bits + 63) / 64 * sizeof *words;
    if (s->written && !memcmp(s->last, words, bytes))
        return;
    char text[s->bits];
    for (unsigned b = 0; b < s->bits; b++) {
        unsigned bit = s->bits - 1 - b;
        text[b] = words[bit / 64] >> bit % 64 & 1 ? '1' : '0';
    }
    fstWriterEmitValueChange(w->fst, s->handle, text);
    memcpy(s->last, words, bytes);
    s->written = 1;
    if (s->count) {
        char list[ELEMENTS_SIZE];
        elements_print(list, words, s->count, s->width);
        wave_set_text(w, signal + 1, list);
    }
}

void wave_set_text(struct wave *w, unsigned signal, const char *text)
{
    struct signal *s = &w->signals[signal];
    if (s->last_text && !strcmp(s->last_text, text))
        return;
    fstWriterEmitVariableLengthValueChange(w->fst, s->handle, text, (uint32_t)strlen(text));
    free(s->last_text);
    s->last_text = strdup(text);
}
