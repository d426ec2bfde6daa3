/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/observe.c: see observe.h. */
#include "tb/observe/observe.h"

#include <stdlib.h>
#include <string.h>

#include "tb/observe/clock.h"
#include "tb/observe/dispatcher.h"
#include "tb/observe/sm.h"

#define OBSERVER(stem) extern const struct observer stem##_observer;
#include "observers.def"
#undef OBSERVER

static const struct observer *const observers[] = {
#define OBSERVER(stem) &stem##_observer,
#include "observers.def"
#undef OBSERVER
};

struct observe {
    struct dispatcher_observed dispatcher;
    struct clock_observed clock;
    struct sm_observed sms[NUM_SMS];
    unsigned count;                    /* of them that are open */
    struct place *places[NUM_KERNELS]; /* of the kernels that run */
};

const struct observer *observer_find(const char *stem)
{
    for (unsigned i = 0; i < sizeof observers / sizeof observers[0]; i++)
        if (!strcmp(observers[i]->stem, stem))
            return observers[i];
    return NULL;
}

static struct observe *refuse(struct observe *o, const struct verdict *why, FILE *err)
{
    fprintf(err, "[run] observe = 1: %s\n", *why->text ? why->text : "no memory");
    observe_free(o);
    return NULL;
}

struct observe *observe_new(const struct config *c, const struct plan *plans, struct sm *const *sms,
                            struct dispatcher *d, struct regulator *r, const struct memory *m,
                            FILE *err)
{
    static const struct verdict no_memory;
    struct observe *o = calloc(1, sizeof *o);
    if (!o)
        return refuse(o, &no_memory, err);
    if (dispatcher_observed_open(&o->dispatcher, c, &plans[SCOPE_GPU], d, sms[0], o->sms))
        return refuse(o, &o->dispatcher.verdict, err);
    if (clock_observed_open(&o->clock, c, &plans[SCOPE_CLOCK], r, m, o->sms))
        return refuse(o, &o->clock.verdict, err);
    while (o->count < NUM_SMS) {
        const unsigned i = o->count++;
        struct sm_observed *sm = &o->sms[i];
        if (sm_observed_open(sm, c, plans, sms[i], i, &o->dispatcher.gpu))
            return refuse(o, &sm->verdict, err);
    }
    return o;
}

void observe_free(struct observe *o)
{
    if (!o)
        return;
    for (unsigned i = 0; i < o->count; i++)
        sm_observed_close(&o->sms[i]);
    dispatcher_observed_close(&o->dispatcher);
    clock_observed_close(&o->clock);
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        free(o->places[k]);
    free(o);
}

int observe_starts(struct observe *o, unsigned kernel, const struct occupancy *occupancy,
                   const uint32_t grid[3], const struct block_groups *groups, uint64_t cycle)
{
    const int alone = !gpu_observed_busy(&o->dispatcher.gpu);
    free(o->places[kernel]);
    if (!(o->places[kernel] = places_of(occupancy->kernel)))
        return -1;
    dispatcher_observed_starts(&o->dispatcher, kernel, occupancy,
                               (uint64_t)grid[0] * grid[1] * grid[2], groups, cycle);
    for (unsigned i = 0; i < NUM_SMS; i++)
        sm_observed_starts(&o->sms[i], kernel, alone, o->places[kernel], cycle + 1);
    return 0;
}

void observe_ends(struct observe *o, unsigned kernel)
{
    gpu_observed_ends(&o->dispatcher.gpu, kernel);
}

int observe_window(struct observe *o, uint64_t until)
{
    dispatcher_observed_window(&o->dispatcher);
    return clock_observed_window(&o->clock, until);
}

void observe_stopped(struct observe *o)
{
    dispatcher_observed_stopped(&o->dispatcher);
}

const char *observe_verdict(const struct observe *o, const struct sm *sm)
{
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (o->sms[i].sm == sm)
            return o->sms[i].verdict.text;
    return *o->clock.verdict.text ? o->clock.verdict.text : o->dispatcher.verdict.text;
}

uint64_t observe_aged(const struct observe *o)
{
    uint64_t aged = 0;
    for (unsigned i = 0; i < NUM_SMS; i++)
        for (unsigned j = 0; j < NUM_SCHEDULERS; j++)
            aged += o->sms[i].schedulers[j].aged;
    return aged;
}
