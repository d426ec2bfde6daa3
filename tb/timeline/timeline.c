/* SPDX-License-Identifier: Apache-2.0 */
/* tb/timeline/timeline.c: see timeline.h. What is written stands in a file without a name until the end, so that a program that is
 * killed leaves nothing. SMs write from the host's threads and launches from the machine's own, never at the same time. */
#include "tb/timeline/timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/cycles.h"
#include "hw.h"
#include "tb/file.h"
#include "tb/sm/cpi.h"
#include "tb/timeline/json.h"
#include "tb/timeline/slots.h"

struct timeline {
    char *path;
    struct cycles window;
    struct timeline_choice choice;
    struct config config;
    struct json out;
    struct slots *slots;
    uint64_t named; /* events that only give names */
};

/* Takes the choice apart. Returns 0, or -1 with the reason on `err`. */
static int parse(const struct timeline_choice *choice, char **path, struct cycles *window,
                 FILE *err)
{
    size_t length;
    if (cycles_parse(choice->spec, &length, window) || !length) {
        fprintf(err,
                "timeline '%s': expected FILE.json or FILE.json:FROM-TO, cycles with FROM <= TO\n",
                choice->spec);
        return -1;
    }
    if (!(*path = strndup(choice->spec, length))) {
        fprintf(err, "timeline: no memory\n");
        return -1;
    }
    return 0;
}

int timeline_check(const struct timeline_choice *choice, const struct config *c, FILE *err)
{
    struct cycles window;
    char *path;
    if (parse(choice, &path, &window, err))
        return -1;
    int status = file_check(path, err);
    free(path);
    if (!status && !c->run_timing) {
        fprintf(err, "[run] timing = 0: a timeline is of cycles, and there are none; expected 1 or "
                     "more\n");
        status = -1;
    }
    if (!status && choice->sm >= NUM_SMS) {
        fprintf(err, "timeline of SM %u: this machine has SMs 0 to %d\n", choice->sm, NUM_SMS - 1);
        status = -1;
    }
    return status;
}

static void name_launches(struct timeline *t)
{
    json_event(&t->out,
               "{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\",\"args\":{\"name\":\"GPU\"}}",
               TIMELINE_GPU);
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        json_event(
            &t->out,
            "{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":"
            "\"kernel %u\"}}",
            TIMELINE_GPU, i + 1, i);
}

static struct timeline *refuse(struct timeline *t, const char *why, FILE *err)
{
    fprintf(err, "timeline: %s\n", why);
    timeline_free(t);
    return NULL;
}

struct timeline *timeline_open(const struct timeline_choice *choice, const struct config *c,
                               struct sm *const *sms, FILE *err)
{
    if (timeline_check(choice, c, err))
        return NULL;
    struct timeline *t = calloc(1, sizeof *t);
    if (!t)
        return refuse(t, "no memory", err);
    if (parse(choice, &t->path, &t->window, err)) {
        timeline_free(t);
        return NULL;
    }
    t->choice = *choice;
    t->config = *c;
    t->out = (struct json){.to = tmpfile(), .most = choice->mb * 1000000};
    if (!t->out.to)
        return refuse(t, strerror(errno), err);
    json_more(&t->out, "{\"traceEvents\":[");
    name_launches(t);
    t->slots = slots_new(&t->out, sms[choice->sm], choice->sm, &t->window);
    if (!t->slots)
        return refuse(t, "no memory", err);
    t->named = t->out.events;
    return t;
}

void timeline_launch(struct timeline *t, unsigned number, const struct exec_launch *l,
                     uint64_t start, uint64_t end)
{
    const uint64_t from = start < t->window.first ? t->window.first : start,
                   until = end - 1 > t->window.last ? t->window.last + 1 : end;
    if (from >= until || slots_full(t->slots))
        return;
    json_event(&t->out,
               "{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
               ",\"name\":",
               TIMELINE_GPU, number + 1, from, until - from);
    json_text(&t->out, l->kernel->name);
    json_more(&t->out,
              ",\"args\":{\"launch\":%" PRIu64 ",\"grid\":\"%" PRIu32 " x %" PRIu32 " x %" PRIu32
              "\",\"block\":\"%" PRIu32 " x %" PRIu32 " x %" PRIu32 "\"}}",
              l->number, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2]);
}

static void say(struct timeline *t, const char *name, const char *value)
{
    if (!value)
        return;
    json_more(&t->out, ",\n\"%s\":", name);
    json_text(&t->out, value);
}

/* What a reader must know of the file, behind the events. */
static void write_rest(struct timeline *t, const struct notes *made_by)
{
    json_more(&t->out, "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{\n"
                       "\"time\":\"one microsecond stands for one cycle of the machine\"");
    say(t, "version", made_by ? notes_find(made_by, "version") : NULL);
    say(t, "commit", made_by ? notes_find(made_by, "commit") : NULL);
    say(t, "config", t->config.name);
    say(t, "sched", t->config.run_sched);
    say(t, "dispatch", t->config.run_dispatch);
    json_more(&t->out, ",\n\"sm\":\"%u\"", t->choice.sm);
    json_more(&t->out,
              ",\n\"counters\":\"over %d cycles: instructions per cycle; warps that issued or "
              "could have, on average; lines that loads missed in L1D\"",
              TIMELINE_BUCKET);
    for (unsigned i = 0; i < NUM_CPI_CLASSES; i++)
        say(t, cpi_name((enum cpi_class)i), cpi_meaning((enum cpi_class)i));
    if (slots_full(t->slots))
        json_more(&t->out,
                  ",\n\"incomplete\":\"it ends at cycle %" PRIu64 ": it may have %" PRIu64 " MB\"",
                  slots_full(t->slots), t->choice.mb);
    json_more(&t->out, "\n}}\n");
}

/* Copies what was written to where it belongs. Returns 0, or -1 with the reason on `err`. */
static int place(struct timeline *t, FILE *err)
{
    char bytes[65536];
    size_t count;
    struct file *file = file_create(t->path, err);
    if (!file)
        return -1;
    rewind(t->out.to);
    while ((count = fread(bytes, 1, sizeof bytes, t->out.to)))
        fwrite(bytes, 1, count, file_stream(file));
    if (!ferror(t->out.to))
        return file_commit(file, err);
    fprintf(err, "%s: cannot be written: what it is to hold cannot be read back\n", t->path);
    file_discard(file);
    return -1;
}

int timeline_close(struct timeline *t, const struct notes *made_by, FILE *err)
{
    int status = 0;
    slots_end(t->slots);
    const uint64_t full = slots_full(t->slots);
    if (t->out.events == t->named)
        fprintf(err, "%s: no timeline: SM %u had no warp from cycle %" PRIu64 " on\n", t->path,
                t->choice.sm, t->window.first);
    else {
        write_rest(t, made_by);
        if (fflush(t->out.to) || ferror(t->out.to)) {
            fprintf(err, "%s: cannot be written: %s\n", t->path, strerror(errno));
            status = -1;
        } else
            status = place(t, err);
        if (!status && full)
            fprintf(err,
                    "%s: the timeline ends at cycle %" PRIu64 ": it may have %" PRIu64
                    " MB; --timeline-mb allows more, FILE:FROM-TO asks for less\n",
                    t->path, full, t->choice.mb);
    }
    timeline_free(t);
    return status;
}

void timeline_free(struct timeline *t)
{
    if (!t)
        return;
    if (t->out.to)
        fclose(t->out.to);
    slots_free(t->slots);
    free(t->path);
    free(t);
}
