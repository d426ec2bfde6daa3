/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/events.c: see events.h. */
#include "tb/cli/model/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/model/reading.h"

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."
#define NAME_MOST       63 /* characters of a number's name */

static const struct {
    const char *name, *list;
} sets[] = {
    /* Misses are those of CAMP, which bring a line (program.h). SP takes integers, control flow and floating point. */
    {"thesis", "l1d.accesses,l2.accesses,l2.misses-l2.mshr_merged,branches,threads.sp+threads.sfu"},
    /* The rows of tb/gpu/energy.def, but for `registers`, which is the sum of all threads, and `sm_cycle`, which is the idle power. */
    {"energy", "warp_instructions,threads.sp,threads.sfu,threads.gmem+threads.stcmem,"
               "shared_accesses+shared_conflicts,l1c.accesses,"
               "l1d.accesses+l1d.misses-l1d.mshr_merged-l1d.bypassed,"
               "xbar.request_flits+xbar.reply_flits,l2.accesses+dram.reads+l2.writebacks,"
               "dram.reads,dram.writes,dram.activates"},
};

/* One number of an event: its name becomes `name`, *sign what it is multiplied with. Returns where the next one begins, NULL where there is
 * none; *event stays, so that `name` is empty, if it is no name. */
static const char *next_term(const char *event, char name[NAME_MOST + 1], int *sign)
{
    *sign = *event == '-' ? -1 : 1;
    event += *event == '-' || *event == '+';
    const size_t length = strspn(event, NAME_CHARACTERS);
    const int whole = length <= NAME_MOST && (!event[length] || strchr("+-", event[length]));
    snprintf(name, NAME_MOST + 1, "%.*s", whole ? (int)length : 0, event);
    return event[length] ? event + length : NULL;
}

static int is_event(const char *event)
{
    char name[NAME_MOST + 1];
    int sign;
    if (strchr("+-", *event)) /* or nothing */
        return 0;
    while (event) {
        event = next_term(event, name, &sign);
        if (!*name)
            return 0;
    }
    return 1;
}

static const char *set_of(const char *list)
{
    for (unsigned i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (!strcmp(sets[i].name, list))
            return sets[i].list;
    return list;
}

const char *model_events_read(struct model_events *e, const char *list)
{
    static char wrong[200];
    const char *all = set_of(list);
    *e = (struct model_events){.text = strdup(all),
                               .thesis = !strcmp(all, sets[0].list),
                               .energy = !strcmp(all, sets[1].list)};
    char *rest = e->text;
    if (!rest)
        return "no memory";
    while (rest) {
        const char *event = strsep(&rest, ",");
        if (!is_event(event)) {
            snprintf(wrong, sizeof wrong,
                     "'%.60s': expected numbers of the statistics with + or - between", event);
            return wrong;
        }
        if (e->count == POWER_EVENTS) {
            snprintf(wrong, sizeof wrong, "more than %d events", POWER_EVENTS);
            return wrong;
        }
        e->name[e->count++] = event;
    }
    return NULL;
}

void model_events_drop(struct model_events *e, unsigned event)
{
    e->count--;
    memmove(e->name + event, e->name + event + 1, (e->count - event) * sizeof e->name[0]);
}

static int count_event(const char *event, const char *path, const struct cJSON *from, double *sum)
{
    const char *term = event;
    *sum = 0;
    while (term) {
        char name[NAME_MOST + 1];
        double value;
        int sign;
        term = next_term(term, name, &sign);
        if (model_number(path, from, name, &value))
            return -1;
        *sum += sign * value;
    }
    return fit_amount(*sum) ? 0 : model_wrong(path, "too large, or below 0: ", event);
}

int model_events_count(const struct model_events *e, const char *path, const struct cJSON *from,
                       double *counts)
{
    for (unsigned i = 0; i < e->count; i++)
        if (count_event(e->name[i], path, from, &counts[i]))
            return -1;
    return 0;
}
