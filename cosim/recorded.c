/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/recorded.c: see recorded.h. FST files through the reader that ships with Verilator. A signal is found by its
 * path, <place>.<unit>.in.<field>; its changes are kept in the order of time and played back. */
#include "cosim/recorded.h"

#include <stdlib.h>
#include <string.h>

#include "fstapi.h"

#include "cmodel/bits.h"

#define MAX_PATH 512

/* A change of a field: its bits stand in words[] from `at` on. */
struct change {
    uint64_t time;
    uint32_t field;
    size_t at;
};

struct recorded {
    const struct unit *unit;
    FILE *err;
    char place[MAX_PATH]; /* found */
    void *reader;
    fstHandle *handles; /* of each field of the unit; 0: not found */
    uint32_t *field_of; /* by handle: its number + 1 */
    struct change *changes;
    uint64_t *words;
    size_t num_changes, room, num_words, words_room, played;
    uint64_t begins, ends, now;
    void *out; /* as shown in the cycle before `now` */
    int failed;
};

/* Adds the name of a scope or a signal to a path. */
static void enter(char path[MAX_PATH], const char *name, size_t length)
{
    const size_t before = strlen(path);
    snprintf(path + before, MAX_PATH - before, "%s%.*s", before ? "." : "", (int)length, name);
}

static void leave(char path[MAX_PATH])
{
    char *dot = strrchr(path, '.');
    *(dot ? dot : path) = '\0';
}

/* What stands in a path before ".<unit>.<column>.", or nothing; `name` is what stands behind. */
static size_t place_of(const struct unit *u, const char *path, const char *column,
                       const char **name)
{
    char middle[128];
    snprintf(middle, sizeof middle, ".%s.%s.", u->stem, column);
    const char *at = strstr(path, middle);
    *name = at ? at + strlen(middle) : NULL;
    return at ? (size_t)(at - path) : 0;
}

/* Whether a place is the one that is wanted: its last parts are. */
static int is_wanted(const char *place, size_t length, const char *wanted)
{
    const size_t size = wanted ? strlen(wanted) : 0;
    return size <= length && !strncmp(place + length - size, wanted ? wanted : "", size) &&
           (size == length || !size || place[length - size - 1] == '.');
}

/* Takes a signal, if it is one of the unit at the place. */
static void take_signal(struct recorded *r, const char *path, fstHandle handle, unsigned bits,
                        const char *wanted)
{
    static const char *const columns[] = {"in", "ref", "rtl"};
    for (unsigned c = 0; c < 3; c++) {
        const char *name;
        const size_t length = place_of(r->unit, path, columns[c], &name);
        if (!name || !is_wanted(path, length, wanted))
            continue;
        if (!*r->place)
            snprintf(r->place, sizeof r->place, "%.*s", (int)length, path);
        if (strlen(r->place) != length || strncmp(r->place, path, length))
            return;
        for (unsigned n = 0; n < r->unit->num_fields; n++) {
            const struct field *f = &r->unit->fields[n];
            const size_t size = strlen(f->name);
            if ((f->kind == FIELD_IN) != (c == 0) || r->handles[n] ||
                strncmp(name, f->name, size) || (name[size] && !strchr(" [", name[size])))
                continue;
            if (bits != field_bits(f)) {
                fprintf(r->err, "%s: '%s' has %u bits, but %u in this build\n", r->place, f->name,
                        bits, field_bits(f));
                r->failed = 1;
            }
            r->handles[n] = handle;
        }
    }
}

/* Finds the signals, and remembers whose each handle is. Returns 0, or -1. */
static int find_signals(struct recorded *r, const char *wanted)
{
    char path[MAX_PATH] = "";
    const struct unit *u = r->unit;
    for (struct fstHier *h; (h = fstReaderIterateHier(r->reader));)
        if (h->htyp == FST_HT_SCOPE)
            enter(path, h->u.scope.name, h->u.scope.name_length);
        else if (h->htyp == FST_HT_UPSCOPE)
            leave(path);
        else if (h->htyp == FST_HT_VAR) {
            enter(path, h->u.var.name, h->u.var.name_length);
            take_signal(r, path, h->u.var.handle, h->u.var.length, wanted);
            leave(path);
        }
    if (!*r->place) {
        fprintf(r->err, "the waveform does not show %s%s%s\n", u->stem, wanted ? " at " : "",
                wanted ? wanted : "");
        return -1;
    }
    const size_t handles = (size_t)fstReaderGetMaxHandle(r->reader) + 1;
    if (!(r->field_of = calloc(handles, sizeof *r->field_of))) {
        fprintf(r->err, "no memory for the signals of a waveform\n");
        return -1;
    }
    for (unsigned n = 0; n < u->num_fields; n++) {
        const struct field *f = &u->fields[n];
        if (!r->handles[n] || r->handles[n] >= handles) {
            fprintf(r->err, "%s: the waveform has no '%s' of %s\n", r->place, f->name, u->stem);
            return -1;
        }
        r->field_of[r->handles[n]] = n + 1;
        fstReaderSetFacProcessMask(r->reader, r->handles[n]);
    }
    return r->failed ? -1 : 0;
}

/* Room for one element more. Returns 0, or -1: no memory. */
static int grow(void **array, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return 0;
    void *grown = realloc(*array, 2 * (count + 512) * size);
    if (!grown)
        return -1;
    *array = grown;
    *room = 2 * (count + 512);
    return 0;
}

static void change(void *user, uint64_t time, fstHandle handle, const unsigned char *value)
{
    struct recorded *r = user;
    const unsigned n = r->field_of[handle] - 1;
    const struct field *f = &r->unit->fields[n];
    const unsigned bits = field_bits(f), words = (bits + 63) / 64;
    if (r->failed)
        return;
    if (grow((void **)&r->words, &r->words_room, r->num_words + words, sizeof *r->words) ||
        grow((void **)&r->changes, &r->room, r->num_changes, sizeof *r->changes)) {
        r->failed = 1;
        return;
    }
    memset(&r->words[r->num_words], 0, words * sizeof *r->words);
    int defined = 1;
    for (unsigned b = 0; b < bits; b++) { /* the highest bit comes first */
        const unsigned char ch = value[bits - 1 - b];
        defined &= ch == '0' || ch == '1';
        r->words[r->num_words + b / 64] |= (uint64_t)(ch == '1') << b % 64;
    }
    if (!defined)
        return; /* before the first cycle nothing is */
    r->changes[r->num_changes++] = (struct change){time, n, r->num_words};
    r->num_words += words;
}

/* Plays all changes up to `now`; to[kind]: the unit's struct of these fields, or NULL. */
static void play(struct recorded *r, uint64_t now, void *const to[NUM_FIELD_KINDS])
{
    for (; r->played < r->num_changes && r->changes[r->played].time <= now; r->played++) {
        const struct change *c = &r->changes[r->played];
        const struct field *f = &r->unit->fields[c->field];
        char *const fields = to[f->kind];
        if (fields)
            bits_unpack((uint64_t *)(fields + f->offset), &r->words[c->at], f->per_word,
                        field_bits(f));
    }
}

/* Whether the unit begins as a reset leaves it. */
static int begins_reset(struct recorded *r)
{
    const struct unit *u = r->unit;
    void *const shown = calloc(2, u->state_size + 1), *const reset = (char *)shown + u->state_size;
    int same = shown != NULL;
    if (same) {
        u->reset(reset);
        play(r, r->begins, (void *const[NUM_FIELD_KINDS]){[FIELD_STATE] = shown});
        recorded_rewind(r);
        for (unsigned n = 0; n < u->num_fields; n++)
            if (u->fields[n].kind == FIELD_STATE && !field_equal(&u->fields[n], shown, reset)) {
                fprintf(r->err,
                        "%s: in cycle %llu, with which the waveform begins, '%s' is not as a reset "
                        "leaves it; a waveform from cycle 0 on is\n",
                        r->place, (unsigned long long)r->begins, u->fields[n].name);
                same = 0;
                break;
            }
    }
    free(shown);
    return same;
}

struct recorded *recorded_open(const char *spec, const struct unit *u, FILE *err)
{
    const char *const fst = strstr(spec, ".fst"), *const colon = fst ? strchr(fst, ':') : NULL;
    char path[4096];
    snprintf(path, sizeof path, "%.*s", (int)(colon ? (size_t)(colon - spec) : strlen(spec)), spec);
    struct recorded *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->unit = u;
    r->err = err;
    r->handles = calloc(u->num_fields, sizeof *r->handles);
    r->out = calloc(1, u->size[FIELD_OUT] + 1);
    r->reader = fstReaderOpen(path);
    if (!r->handles || !r->out || !r->reader) {
        fprintf(err, "'%s' is no waveform in FST format\n", path);
        recorded_close(r);
        return NULL;
    }
    if (find_signals(r, colon ? colon + 1 : NULL)) {
        recorded_close(r);
        return NULL;
    }
    fstReaderIterBlocks(r->reader, change, r, NULL);
    r->ends = fstReaderGetEndTime(r->reader);
    fstReaderClose(r->reader);
    r->reader = NULL;
    if (r->failed || !r->num_changes) {
        fprintf(err, r->failed ? "no memory for a waveform\n" : "the waveform has no cycle\n");
        recorded_close(r);
        return NULL;
    }
    r->begins = r->now = r->changes[0].time;
    if (!begins_reset(r)) {
        recorded_close(r);
        return NULL;
    }
    return r;
}

void recorded_close(struct recorded *r)
{
    if (!r)
        return;
    if (r->reader)
        fstReaderClose(r->reader);
    free(r->handles);
    free(r->out);
    free(r->field_of);
    free(r->changes);
    free(r->words);
    free(r);
}

uint64_t recorded_cycles(const struct recorded *r)
{
    return r->ends - r->begins;
}

void recorded_rewind(struct recorded *r)
{
    r->now = r->begins;
    r->played = 0;
}

const char *recorded_place(const struct recorded *r)
{
    return r->place;
}

void recorded_next(struct recorded *r, void *in)
{
    play(r, r->now++, (void *const[NUM_FIELD_KINDS]){[FIELD_IN] = in, [FIELD_OUT] = r->out});
}

const char *recorded_differs(const struct recorded *r, const void *out)
{
    for (unsigned n = 0; n < r->unit->num_fields; n++)
        if (r->unit->fields[n].kind == FIELD_OUT && !field_equal(&r->unit->fields[n], r->out, out))
            return r->unit->fields[n].name;
    return NULL;
}
