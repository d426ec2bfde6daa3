/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/timeline/trace_events.c: see trace_events.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/timeline/trace_events.h"

const char *const trace_classes[TRACE_CLASSES] = {
    "issued",     "ibuf",       "barrier",  "done",     "control",     "struct_sp",
    "struct_sfu", "struct_mem", "data_mem", "data_exe", "not_selected"};

/* A thread of a process, as a viewer knows it. */
struct track {
    double pid, tid;
    int named;
    double last;  /* the time of its last event */
    double end;   /* of its last slice */
    int open;     /* slices that have begun and not ended */
    int straight; /* its kernel has no branch: */
    double pc;    /* the next instruction's number */
};

struct reader {
    struct trace_events *to;
    struct track tracks[512];
    int num_tracks;
    double gpu, sm;     /* numbers of the processes; -1: not named yet */
    double counters[3]; /* time of the last value of each */
    int whole;          /* all cycles are there */
    char name[64];      /* of the SM's process */
};

#define COUNT(array) (int)(sizeof(array) / sizeof(array)[0])

static double number(const cJSON *event, const char *name)
{
    const cJSON *json = cJSON_GetObjectItemCaseSensitive(event, name);
    if (!cJSON_IsNumber(json)) {
        char *text = cJSON_PrintUnformatted(event);
        fail_msg("%s lacks a number '%s'", text, name);
    }
    assert_true(json->valuedouble >= 0 && json->valuedouble == floor(json->valuedouble));
    return json->valuedouble;
}

static const char *word(const cJSON *event, const char *name)
{
    const cJSON *json = cJSON_GetObjectItemCaseSensitive(event, name);
    if (!cJSON_IsString(json)) {
        char *text = cJSON_PrintUnformatted(event);
        fail_msg("%s lacks a word '%s'", text, name);
    }
    return json->valuestring;
}

static struct track *track_of(struct reader *r, const cJSON *event)
{
    const double pid = number(event, "pid"), tid = number(event, "tid");
    assert_true(pid > 0 && tid > 0);
    for (int i = 0; i < r->num_tracks; i++)
        if (r->tracks[i].pid == pid && r->tracks[i].tid == tid)
            return &r->tracks[i];
    assert_true(r->num_tracks < COUNT(r->tracks));
    r->tracks[r->num_tracks] = (struct track){.pid = pid, .tid = tid};
    return &r->tracks[r->num_tracks++];
}

static void take_name(struct reader *r, const cJSON *event)
{
    const cJSON *args = cJSON_GetObjectItemCaseSensitive(event, "args");
    const char *kind = word(event, "name");
    if (!strcmp(kind, "process_name")) {
        const char *name = word(args, "name");
        if (!strcmp(name, "GPU"))
            r->gpu = number(event, "pid");
        else if (!strcmp(name, r->name))
            r->sm = number(event, "pid");
        else
            fail_msg("a process '%s'", name);
    } else if (!strcmp(kind, "thread_name")) {
        struct track *t = track_of(r, event);
        unsigned slot, scheduler;
        const char *name = word(args, "name");
        assert_false(t->named);
        t->named = 1;
        if (t->pid == r->sm)
            assert_int_equal(sscanf(name, "warp %u, scheduler %u", &slot, &scheduler), 2);
    } else
        assert_string_equal(kind, "thread_sort_index");
}

static int index_of(struct reader *r, const struct track *t)
{
    double least = t->tid;
    for (int i = 0; i < r->num_tracks; i++)
        if (r->tracks[i].pid == t->pid && r->tracks[i].tid < least)
            least = r->tracks[i].tid;
    assert_true(t->tid - least < TRACE_TRACKS);
    return (int)(t->tid - least);
}

static void take_class(struct reader *r, const cJSON *event, struct track *t, double at,
                       double length)
{
    const char *name = word(event, "name");
    const cJSON *args = cJSON_GetObjectItemCaseSensitive(event, "args");
    int class = 0;
    while (class < TRACE_CLASSES && strcmp(trace_classes[class], name) != 0)
        class ++;
    if (class == TRACE_CLASSES)
        fail_msg("a slice '%s'", name);
    if (!t->open)
        fail_msg("a slice of no block at %.0f", at);
    if (args)
        assert_true(number(args, "pc") < 1e6 && *word(args, "ptx"));
    else /* it runs, and yet it has no instruction */
        assert_true(class != 0);
    if (t->straight && args && number(args, "pc") != t->pc)
        fail_msg("at %.0f pc is %.0f; expected %.0f", at, number(args, "pc"), t->pc);
    t->pc += class == 0 ? length : 0;
    assert_true(at + length <= TRACE_CYCLES);
    const int index = index_of(r, t);
    for (uint64_t cycle = (uint64_t)at; cycle < (uint64_t)(at + length); cycle++) {
        assert_int_equal(r->to->classes[index][cycle], TRACE_NONE);
        r->to->classes[index][cycle] = (uint8_t) class;
    }
    r->to->cycles[class] += (uint64_t)length;

    r->to->first = at < (double)r->to->first ? (uint64_t)at : r->to->first;
    r->to->end = at + length > (double)r->to->end ? (uint64_t)(at + length) : r->to->end;
}

static void take_launch(struct reader *r, const cJSON *event, double at, double length)
{
    const cJSON *args = cJSON_GetObjectItemCaseSensitive(event, "args");
    assert_true(r->to->launches < 256);
    word(args, "grid");
    number(args, "launch");
    r->to->launch[r->to->launches].start = (uint64_t)at;
    r->to->launch[r->to->launches].cycles = (uint64_t)length;
    snprintf(r->to->launch[r->to->launches++].name, 64, "%.63s", word(event, "name"));
}

/* Where one slice ends another one may begin. */
static void take_slice(struct reader *r, const cJSON *event)
{
    struct track *t = track_of(r, event);
    const double at = number(event, "ts"), length = number(event, "dur");
    assert_true(t->named);
    assert_true(length > 0);
    if (at < t->last || at < t->end)
        fail_msg("a slice at %.0f begins before %.0f or %.0f", at, t->last, t->end);
    if (t->pid == r->gpu)
        take_launch(r, event, at, length);
    else
        take_class(r, event, t, at, length);
    t->last = at;
    t->end = at + length;
}

static void take_begin(struct reader *r, const cJSON *event)
{
    struct track *t = track_of(r, event);
    const cJSON *args = cJSON_GetObjectItemCaseSensitive(event, "args");
    const double at = number(event, "ts");
    char name[128];
    assert_true(t->named && t->pid == r->sm);
    assert_int_equal(t->open, 0);
    assert_true(at >= t->last && at >= t->end);
    snprintf(name, sizeof name, "%.64s block %.0f", word(args, "kernel"), number(args, "block"));
    assert_string_equal(word(event, "name"), name);
    t->open = 1;
    t->last = at;
    t->straight = r->whole && !strcmp(word(args, "kernel"), "sines");
    t->pc = 0;
    r->to->blocks++;
}

static void take_end(struct reader *r, const cJSON *event)
{
    struct track *t = track_of(r, event);
    const double at = number(event, "ts");
    assert_int_equal(t->open, 1);
    if (at != t->end)
        fail_msg("a block ends at %.0f, and its last slice at %.0f", at, t->end);
    t->open = 0;
    t->last = at;
}

static void take_counter(struct reader *r, const cJSON *event)
{
    static const char *const names[] = {"IPC", "warps ready", "L1D misses"};
    double *const values[] = {r->to->ipc, r->to->ready, r->to->misses};
    const cJSON *args = cJSON_GetObjectItemCaseSensitive(event, "args");
    const double at = number(event, "ts");
    int i = 0;
    assert_true(number(event, "pid") == r->sm);
    while (i < 3 && strcmp(names[i], word(event, "name")) != 0)
        i++;
    assert_true(i < 3 && cJSON_GetArraySize(args) == 1);
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(args, names[i]);
    assert_true(cJSON_IsNumber(value) && value->valuedouble >= 0);
    assert_true(at > r->counters[i] && at < TRACE_CYCLES);
    r->counters[i] = at;
    for (uint64_t cycle = (uint64_t)at; cycle < TRACE_CYCLES; cycle++)
        values[i][cycle] = value->valuedouble;
}

static void take(struct reader *r, const cJSON *event)
{
    const char *phase = word(event, "ph");
    assert_int_equal(strlen(phase), 1);
    switch (*phase) {
    case 'M': take_name(r, event); break;
    case 'X': take_slice(r, event); break;
    case 'B': take_begin(r, event); break;
    case 'E': take_end(r, event); break;
    case 'C': take_counter(r, event); break;
    default: fail_msg("an event of phase %s", phase);
    }
}

static cJSON *parse(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("there is no %s", path);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    const size_t size = (size_t)ftell(f);
    char *text = malloc(size + 1);
    assert_non_null(text);
    rewind(f);
    assert_int_equal(fread(text, 1, size, f), size);
    text[size] = 0;
    fclose(f);
    cJSON *root = cJSON_Parse(text);
    free(text);
    if (!root)
        fail_msg("%s: not JSON", path);
    return root;
}

void trace_events_read(struct trace_events *to, const char *path, unsigned sm, int whole)
{
    static struct reader r;
    cJSON *root = parse(path);
    const cJSON *events = cJSON_GetObjectItemCaseSensitive(root, "traceEvents"), *event,
                *other = cJSON_GetObjectItemCaseSensitive(root, "otherData");
    memset(to, 0, sizeof *to);
    memset(to->classes, TRACE_NONE, sizeof to->classes);
    to->first = TRACE_CYCLES;
    memset(&r, 0, sizeof r);
    r.to = to;
    r.whole = whole;
    r.gpu = r.sm = -1;
    for (int i = 0; i < 3; i++)
        r.counters[i] = -1;
    snprintf(r.name, sizeof r.name, "SM %u", sm);
    assert_true(cJSON_IsArray(events));
    cJSON_ArrayForEach(event, events) take(&r, event);
    for (int i = 0; i < r.num_tracks; i++)
        assert_int_equal(r.tracks[i].open, 0);
    assert_non_null(strstr(word(other, "time"), "one microsecond stands for one cycle"));
    for (int i = 0; i < TRACE_CLASSES; i++)
        word(other, trace_classes[i]);
    to->incomplete = cJSON_HasObjectItem(other, "incomplete");
    cJSON_Delete(root);
}
