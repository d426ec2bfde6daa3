/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/power_shared.c: the power of programs that run beside each other, from what is known of each alone: P1 + P2 of the thesis's
 * section 4.4, with SPI and misses as CAMP has them. */
#include <cjson/cJSON.h>
#include <stdio.h>

#include "tb/cli/model/power.h"
#include "tb/cli/model/reading.h"

/* The model of a core that is so many SMs. */
static struct power_model core_of(const struct power_model *of_sm, unsigned sms)
{
    struct power_model m = *of_sm;
    m.idle *= sms;
    return m;
}

/* Events per instruction and watts of its SMs, from the run with the most ways. Returns 0, or -1 with the reason on stderr. */
static int read_profile(const struct power_training *t, const struct model_program *p,
                        struct power_profile *profile)
{
    const char *path = p->paths[p->num - 1];
    struct statistics *s = statistics_read(path);
    const cJSON *totals = s ? statistics_at(s, "totals") : NULL;
    double counts[POWER_EVENTS], instructions;
    struct power_reading r;
    const int failed = !s || !power_same_machine(t, path, s) ||
                       model_number(path, totals, "warp_instructions", &instructions) ||
                       model_events_count(&t->events, path, totals, counts) ||
                       power_read(t, path, totals, &r);
    statistics_free(s);
    if (failed)
        return -1;
    *profile = (struct power_profile){
        .alone = r.watts - (t->machine.sms - p->sms) * t->fit.model.idle,
        .l1rpi = counts[POWER_L1] / instructions,
        .l2rpi = p->camp.api,
        .brpi = counts[POWER_BRANCH] / instructions,
        .fppi = counts[POWER_FP] / instructions,
    };
    return 0;
}

static int predict(const struct power_training *t, const struct model_program *p,
                   struct power_program *out)
{
    struct power_profile profile;
    const struct power_model model = core_of(&t->fit.model, p->sms);
    if (read_profile(t, p, &profile))
        return -1;
    out->mpa = camp_mpa(&p->camp.curve, out->ways);
    out->spi = camp_spi(&p->camp, out->ways);
    out->alone = profile.alone;
    const enum power_error error = power_process(
        &model, &profile, out->spi / (t->machine.clock_mhz * 1e6), out->mpa, &out->part);
    if (error)
        fprintf(stderr, "heddle model power: %s: %s\n", p->name, power_reason(error));
    return error ? 1 : 0;
}

/* What the machine took, and what the model says of it with the rates that it had. */
static int read_measured(const struct power_training *t, const char *path,
                         const struct model_sharers *sharers, struct power_shared *out)
{
    struct model_measured measured;
    struct power_reading r;
    if (model_measured_read(path, sharers->programs, sharers->ways, &measured))
        return -1;
    model_sharers_note(sharers->programs, &measured);
    struct statistics *s = statistics_read(path);
    const int failed = !s || power_read(t, path, statistics_at(s, "together.0"), &r);
    statistics_free(s);
    if (failed)
        return -1;
    out->machine = r.watts;
    out->by_rates = power_of(&t->fit.model, t->machine.sms, r.rates);
    return 0;
}

/* SMs that no program has. Returns 0, or -1: they have more than there are. */
static int count_idle(const struct power_training *t, const struct model_sharers *s, unsigned *idle)
{
    unsigned taken = 0;
    for (unsigned i = 0; i < s->count; i++)
        taken += s->programs[i].sms;
    if (taken > t->machine.sms) {
        fprintf(stderr,
                "heddle model power: the programs ran on %u SMs, the machine has %u: expected runs "
                "on SMs of their own (--set kmu.partition=3 --set kmu.sms_0=N)\n",
                taken, t->machine.sms);
        return -1;
    }
    *idle = t->machine.sms - taken;
    return 0;
}

static int divide(struct model_sharers *s, struct power_shared *out)
{
    double ways[CAMP_SHARERS];
    if (s->count > 1 && model_sharers_grow(s, "heddle model power"))
        return 1;
    const enum camp_error error = model_sharers_divide(s, ways);
    out->room_left = error == CAMP_ROOM_LEFT;
    if (error && !out->room_left) {
        fprintf(stderr, "heddle model power: %s\n", camp_reason(error));
        return 1;
    }
    for (unsigned i = 0; i < s->count; i++)
        out->programs[i].ways = ways[i];
    return 0;
}

int power_share(const struct power_training *t, struct model_sharers *s, const char *measured,
                struct power_shared *out)
{
    *out = (struct power_shared){.sharers = s};
    int failed = count_idle(t, s, &out->idle_sms);
    failed = failed ? failed : divide(s, out);
    out->idle = out->together = out->alone = out->idle_sms * t->fit.model.idle;
    for (unsigned i = 0; i < s->count && !failed; i++) {
        struct power_program *p = &out->programs[i];
        failed = predict(t, &s->programs[i], p);
        out->together += p->part.p1 + p->part.p2;
        out->alone += p->alone;
    }
    return failed || !measured ? failed : read_measured(t, measured, s, out);
}
