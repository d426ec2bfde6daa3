/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/wave.c: see wave.h. A time unit of the file is a cycle of the machine. */
#include "cosim/wave.h"

#include <errno.h>
#include <fstapi.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cosim/cycles.h"
#include "cosim/elements.h"
#include "cosim/wave_check.h"

#define VIEW_SIZE   "1500 950" /* points, of the window of the view */
#define VIEW_POINTS 1000       /* of those, of the waves */
#define VIEW_CYCLES 16         /* before and behind the marker */
#define POINTS_AT_0 235.0      /* of a cycle, at zoom 0; each 1 less halves them */

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
    char *path; /* of the FST file */
    FILE *save; /* GTKWave's file */
    char *save_path;
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
    w->path = strndup(spec, length);
    if (!w->path || asprintf(&w->save_path, "%.*s.gtkw", (int)length - 4, spec) < 0) {
        fprintf(err, "wave: out of memory\n");
        return -1;
    }
    return 0;
}

int wave_files(const char *spec, char **fst, char **save, FILE *err)
{
    struct wave w = {0};
    const int status = parse_spec(&w, spec, err);
    *fst = w.path;
    *save = w.save_path;
    if (!status)
        return 0;
    free(w.path);
    return -1;
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

static const char *last_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

struct wave *wave_open(const char *spec, FILE *err)
{
    struct wave *w = calloc(1, sizeof *w);
    if (!w || parse_spec(w, spec, err) || find_place(&w->path, err) ||
        find_place(&w->save_path, err))
        goto failed;
    w->save = fopen(w->save_path, "w");
    w->fst = w->save ? fstWriterCreate(w->path, 1) : NULL;
    if (!w->fst) {
        fprintf(err, "%s: cannot be written: %s\n", w->save ? w->path : w->save_path,
                strerror(errno));
        goto failed;
    }
    fstWriterSetTimescaleFromString(w->fst, "1ns");
    fstWriterSetComment(w->fst, "one time unit is one cycle of the machine");
    /* Names without folders: GTKWave finds the waveform beside the save file, wherever the two have been taken. */
    fprintf(w->save,
            "[dumpfile] \"%s\"\n[savefile] \"%s\"\n[size] " VIEW_SIZE "\n[signals_width] 420\n"
            "[sst_expanded] 0\n",
            last_of(w->path), last_of(w->save_path));
    wave_scope(w, "top");
    return w;
failed:
    if (w) {
        if (w->save) {
            fclose(w->save);
            unlink(w->save_path);
        }
        free(w->path);
        free(w->save_path);
        free(w);
    }
    return NULL;
}

void wave_mark(struct wave *w, uint64_t cycle)
{
    w->marker = cycle;
}

/* Where GTKWave begins, its zoom, and markers, of which the first is the cursor: all cycles, or those around the one that is marked. */
static void write_view(struct wave *w)
{
    const int marked = w->marker != UINT64_MAX;
    uint64_t from = w->from, to = w->to < w->end ? w->to + 1 : w->end;
    if (marked) {
        from = w->marker > from + VIEW_CYCLES ? w->marker - VIEW_CYCLES : from;
        to = w->marker + VIEW_CYCLES < to ? w->marker + VIEW_CYCLES + 1 : to;
    }
    const double cycles = to > from ? (double)(to - from) : 1;
    const double zoom = log2(VIEW_POINTS / cycles / POINTS_AT_0);
    fprintf(w->save, "[timestart] %" PRIu64 "\n*%f %" PRId64 " %" PRId64, from, zoom < 0 ? zoom : 0,
            marked ? (int64_t)w->marker : -1, marked ? (int64_t)w->marker : -1);
    for (char name = 'B'; name <= 'Z'; name++)
        fprintf(w->save, " -1");
    fputc('\n', w->save);
}

/* The writer has a file of its own until it has finished. */
static void unfinished(const struct wave *w, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s.hier", w->path);
}

/* Leaves nothing that would look like a waveform. */
static void remove_files(const struct wave *w)
{
    char beside[PATH_MAX];
    unfinished(w, beside);
    unlink(w->path);
    unlink(beside);
    unlink(w->save_path);
}

int wave_settle(const char *spec, FILE *err)
{
    struct wave w = {0};
    char beside[PATH_MAX];
    int left = 0;
    if (!parse_spec(&w, spec, err) && !find_place(&w.path, err) && !find_place(&w.save_path, err)) {
        unfinished(&w, beside);
        left = !access(beside, F_OK);
    }
    if (left) {
        fprintf(err, "%s: no waveform: the program ended before it was closed\n", w.path);
        remove_files(&w);
    }
    free(w.path);
    free(w.save_path);
    return left ? -1 : 0;
}

int wave_close(struct wave *w)
{
    fstWriterEmitTimeChange(w->fst, w->end); /* gives the last cycle its length */
    fstWriterClose(w->fst);
    write_view(w);
    const int unwritten = ferror(w->save) | fclose(w->save);
    const char *wrong = !w->end     ? NULL
                        : w->failed ? "no memory"
                        : unwritten ? "the view beside it was not"
                                    : wave_check(w->path);
    if (wrong)
        fprintf(stderr, "%s: the waveform could not be written: %s; is the disk full?\n", w->path,
                wrong);
    else if (!w->end)
        fprintf(stderr, "%s: no waveform: the machine ended before cycle %" PRIu64 "\n", w->path,
                w->from);
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
    free(w->path);
    free(w->save_path);
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
    fprintf(w->save, "@200\n-%s\n", text);
}

void wave_group(struct wave *w, const char *name, int closed)
{
    fprintf(w->save, "@%s\n-%s\n", closed ? "c00200" : "800200", name);
}

void wave_group_end(struct wave *w, const char *name, int closed)
{
    fprintf(w->save, "@%s\n-%s\n", closed ? "1401200" : "1000200", name);
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
void wave_show(struct wave *w, unsigned signal, enum wave_view view)
{
    static const char *const flags[] = {
        [WAVE_HEX] = "22", [WAVE_DECIMAL] = "24", [WAVE_ALARM] = "24"};
    const struct signal *s = &w->signals[signal + (w->signals[signal].count != 0)];
    if (!s->path)
        return;
    if (view == WAVE_ALARM)
        fprintf(w->save, "[color] 1\n");
    fprintf(w->save, "@%s\n", s->named ? "100000028" : s->bits ? flags[view] : "820");
    print_alias(s->path, w->save);
    fprintf(w->save, "%s\n", s->path);
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
