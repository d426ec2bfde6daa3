/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/power_training.c: the runs that a power model is fitted to. See power.h. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/model/model.h"
#include "tb/cli/model/power.h"
#include "tb/cli/model/reading.h"
#include "tb/cli/model/settings.h"

#define MOST_SMS 128

/* Reading ---------------------------------------------------------------------------------------*/

/* What the keys in `without` cost, in nanojoules. Returns 0, or -1. */
static int energy_without(const char *path, const cJSON *energy, const char *without, double *sum)
{
    for (const char *key = without; key && *key; key += strspn(key, ",")) {
        const size_t length = strcspn(key, ",");
        char name[64];
        double value;
        snprintf(name, sizeof name, "events.%.*s", length < 48 ? (int)length : 48, key);
        if (model_number(path, energy, name, &value))
            return -1;
        *sum += value;
        key += length;
    }
    return 0;
}

int power_read(const struct power_training *t, const char *path, const cJSON *from,
               struct power_reading *r)
{
    const cJSON *energy = statistics_within(from, "energy");
    double cycles, nanojoules, without = 0;
    if (model_number(path, from, "cycles", &cycles) ||
        model_number(path, energy, "total", &nanojoules) ||
        energy_without(path, energy, t->machine.without, &without) ||
        model_events_count(&t->events, path, from, r->rates))
        return -1;
    nanojoules -= without;
    if (!(cycles > 0 && fit_amount(cycles)))
        return model_wrong(path, "it took no time", "");
    if (!(nanojoules > 0 && fit_amount(nanojoules)))
        return model_wrong(path, "it took no energy", "");
    const double seconds = cycles / (t->machine.clock_mhz * 1e6);
    r->watts = nanojoules * 1e-9 / seconds;
    for (unsigned e = 0; e < t->events.count; e++)
        r->rates[e] /= seconds * t->machine.sms;
    return 0;
}

int power_same_machine(const struct power_training *t, const char *path, const struct statistics *s)
{
    static const char *const words[] = {"config", NULL};
    return model_same_words(t->path, t->first, path, s, words) &&
           model_same_settings(t->path, t->first, path, s, model_l2.machine_but);
}

/* The first file says which machine it is. */
static int read_machine(struct power_training *t, const char *path, const struct statistics *s)
{
    unsigned mhz;
    if (model_whole(path, s, "hw.num_sms", 1, MOST_SMS, &t->machine.sms) ||
        model_whole(path, s, "gpu.clock_mhz", 1, 1e6, &mhz))
        return -1;
    t->machine.clock_mhz = mhz;
    return 0;
}

static int read_run(struct power_training *t, const char *path)
{
    struct statistics *s = statistics_read(path);
    struct power_run *run = &t->runs[t->count];
    int failed = !s || model_check_alone(path, s);
    if (!failed && !t->first) {
        failed = read_machine(t, path, s);
        t->path = path;
        t->first = s;
    } else if (!failed)
        failed = !power_same_machine(t, path, s);
    failed = failed || power_read(t, path, statistics_at(s, "totals"), &run->is);
    run->path = path;
    t->count += !failed;
    if (s != t->first)
        statistics_free(s);
    return failed ? -1 : 0;
}

/* Fitting ---------------------------------------------------------------------------------------*/

double power_of(const struct power_model *m, unsigned sms, const double *rates)
{
    double watts;
    return power_core(m, rates, &watts) ? 0 : sms * watts;
}

/* Fits to all runs but one; `but` = count: to all. `room` has ROOM(count, events) doubles. */
#define ROOM(count, events) ((size_t)(count) * ((events) + 1) + POWER_WORK(count, events))
static enum power_error fit_but(const struct power_training *t, unsigned but, double *room,
                                struct power_fit *fit)
{
    const unsigned events = t->events.count;
    double *rates = room, *watts = rates + (size_t)t->count * events;
    unsigned num = 0;
    for (unsigned i = 0; i < t->count; i++) {
        if (i == but)
            continue;
        memcpy(rates + (size_t)num * events, t->runs[i].is.rates, events * sizeof *rates);
        watts[num++] = t->runs[i].is.watts;
    }
    return power_fit(rates, watts, num, events, t->machine.sms, watts + t->count, fit);
}

static void say_why_not(const struct power_training *t, enum power_error error)
{
    const struct power_fit *f = &t->fit;
    if (error != POWER_FIT)
        fprintf(stderr, "heddle model power: %s\n", power_reason(error));
    else if (f->why == FIT_FEW_ROWS)
        fprintf(stderr, "heddle model power: %u run%s of %u events: expected %u or more\n",
                t->count, t->count > 1 ? "s" : "", t->events.count, t->events.count + 1);
    else if (f->why == FIT_RANK && f->quality.column)
        fprintf(stderr,
                "heddle model power: %s: in these runs it does not happen, or follows from what "
                "stands before it; more runs, or other --events, may help\n",
                t->events.name[f->quality.column - 1]);
    else
        fprintf(stderr, "heddle model power: %s\n", fit_reason(f->why));
}

static int fit_all(struct power_training *t)
{
    double *room = calloc(ROOM(t->count, t->events.count), sizeof *room);
    if (!room) {
        fprintf(stderr, "heddle model power: no memory\n");
        return 1;
    }
    const enum power_error error = fit_but(t, t->count, room, &t->fit);
    for (unsigned i = 0; i < t->count && !error; i++) {
        struct power_run *run = &t->runs[i];
        struct power_fit others;
        run->fitted = power_of(&t->fit.model, t->machine.sms, run->is.rates);
        if (!fit_but(t, i, room, &others))
            run->left_out = power_of(&others.model, t->machine.sms, run->is.rates);
    }
    free(room);
    if (error)
        say_why_not(t, error);
    return error ? 1 : 0;
}

static int happens(const struct power_training *t, unsigned event)
{
    for (unsigned i = 0; i < t->count; i++)
        if (t->runs[i].is.rates[event] > 0)
            return 1;
    return 0;
}

/* Of all that costs energy, what these runs do not do. */
static void drop_absent(struct power_training *t)
{
    for (unsigned e = t->events.count; e-- > 0;) {
        if (happens(t, e))
            continue;
        fprintf(stderr, "heddle model power: %s: in these runs it does not happen\n",
                t->events.name[e]);
        model_events_drop(&t->events, e);
        for (unsigned i = 0; i < t->count; i++)
            memmove(t->runs[i].is.rates + e, t->runs[i].is.rates + e + 1,
                    (t->events.count - e) * sizeof t->runs[i].is.rates[0]);
    }
}

int power_train(struct power_training *t, char *const *files, unsigned count)
{
    t->runs = calloc(count, sizeof *t->runs);
    if (!t->runs) {
        fprintf(stderr, "heddle model power: no memory\n");
        return 1;
    }
    for (unsigned i = 0; i < count; i++)
        if (read_run(t, files[i]))
            return -1;
    if (t->events.energy)
        drop_absent(t);
    return fit_all(t);
}

void power_training_free(struct power_training *t)
{
    statistics_free(t->first);
    free(t->runs);
    free(t->events.text);
}

struct power_errors power_errors_of(const struct power_training *t, int left_out)
{
    struct power_errors e = {0};
    for (unsigned i = 0; i < t->count; i++) {
        const struct power_run *r = &t->runs[i];
        const double says = left_out ? r->left_out : r->fitted;
        if (!(says > 0))
            continue;
        const double error = fabs(per_cent_more(says, r->is.watts));
        e.mean += error;
        e.which = !e.num || error > e.worst ? i : e.which;
        e.worst = fmax(e.worst, error);
        e.num++;
    }
    e.mean /= e.num ? e.num : 1;
    return e;
}
