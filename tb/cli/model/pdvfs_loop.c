/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/pdvfs_loop.c: the control loop of P-DVFS (cmodel/analytic/pdvfs_loop.h) through the periods of a program that was measured: see
 * pdvfs.h. Within a period all happens evenly; a period goes on with another clock where it was. */
#include "cmodel/analytic/pdvfs_loop.h"

#include "tb/cli/model/pdvfs.h"

#define CONTROL_TICKS 33 /* T_control is 1 s, T_scaling 30 ms (5.4.1) */
#define MOST_TICKS    1e6

/* How far the program has come. */
struct place {
    size_t period;
    double done; /* of the period, 0 to 1 */
};

/* The program goes on for as long, or to its end. */
static void advance(const struct pdvfs_study *s, struct place *at, unsigned level, double seconds,
                    struct pdvfs_sample *sample, double *joules)
{
    while (seconds > 0 && at->period < s->runs.periods) {
        const struct clock_period *p = &s->runs.of[level][at->period];
        const double whole = p->cycles / s->runs.hz, rest = (1 - at->done) * whole,
                     takes = rest < seconds ? rest : seconds, share = takes / whole;
        sample->seconds += takes;
        sample->instructions += share * p->instructions;
        for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
            sample->events[e] += share * (e == PDVFS_L2_MISS ? p->misses[s->misses] : p->events[e]);
        *joules += share * p->joules;
        seconds -= takes;
        at->done += share;
        if (takes == rest)
            *at = (struct place){at->period + 1, 0};
    }
}

static struct pdvfs_settings settings_of(const struct pdvfs_study *s, double a)
{
    struct pdvfs_settings to;
    pdvfs_defaults(&to, 1);
    to.a = a;
    to.control_ticks = CONTROL_TICKS;
    to.scaling_ticks = 1;
    to.slots = s->slots.num;
    to.levels = s->levels;
    to.power = s->power;
    to.total = to.left_first = to.left_most = s->instructions;
    for (unsigned i = 0; i + 1 < s->slots.num; i++)
        to.edge[i] = s->edge[i];
    return to;
}

enum pdvfs_error pdvfs_run_loop(const struct pdvfs_study *s, double a, struct mckp_sum *room,
                                size_t sums, struct pdvfs_choice *out)
{
    const struct pdvfs_settings settings = settings_of(s, a);
    const double tick = s->tick / s->runs.hz;
    struct pdvfs loop;
    struct place at = {0};
    enum pdvfs_error error = pdvfs_start(&loop, &settings);
    for (double ticks = 0; !error && at.period < s->runs.periods; ticks++) {
        struct pdvfs_sample sample = {0};
        const unsigned level = loop.level;
        if (ticks == MOST_TICKS)
            return PDVFS_SIZE;
        advance(s, &at, level, tick, &sample, &out->joules);
        out->seconds += sample.seconds;
        out->at[level] += sample.seconds;
        if (at.period < s->runs.periods) /* the last one may have part of an instruction */
            error = pdvfs_tick(&loop, &sample, room, sums);
    }
    return error;
}
