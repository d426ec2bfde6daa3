/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/pdvfs.c: the problem of P-DVFS and its solution: see pdvfs.h. */
#include "cmodel/analytic/pdvfs.h"

#include <math.h>

#define SHARES  1e-6 /* by which a sum of shares may miss 1 */
#define EXACTLY 1e-9 /* relative: a frequency so near to a level is that level */

enum pdvfs_error pdvfs_check_levels(const struct pdvfs_levels *l)
{
    if (!l->num || l->num > PDVFS_LEVELS)
        return PDVFS_SIZE;
    for (unsigned j = 0; j < l->num; j++) {
        if (!fit_amount(l->hz[j]) || !(l->hz[j] > 0))
            return PDVFS_RANGE;
        if (j && !(l->hz[j] > l->hz[j - 1]))
            return PDVFS_RISING;
    }
    return PDVFS_OK;
}

enum pdvfs_error pdvfs_check_slots(const struct pdvfs_slots *s)
{
    double sum = 0;
    if (!s->num || s->num > PDVFS_SLOTS)
        return PDVFS_SIZE;
    for (unsigned i = 0; i < s->num; i++) {
        if (!fit_amount(s->share[i]) || !fit_amount(s->mpi[i]))
            return PDVFS_RANGE;
        for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
            if (e != PDVFS_L2_MISS && !fit_amount(s->events[i][e]))
                return PDVFS_RANGE;
        sum += s->share[i];
    }
    return fabs(sum - 1) <= SHARES ? PDVFS_OK : PDVFS_SHARES;
}

static enum pdvfs_error check_speed(const struct pdvfs_speed *s)
{
    return fit_amount(s->c1) && fit_amount(s->c2) && s->c2 > 0 ? PDVFS_OK : PDVFS_SPEED;
}

/* Rates of a slot's events while an instruction takes `spi` seconds (5.12). */
static void rates_of(const struct pdvfs_slots *s, unsigned slot, double spi,
                     double rates[NUM_PDVFS_EVENTS])
{
    for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
        rates[e] = (e == PDVFS_L2_MISS ? s->mpi[slot] : s->events[slot][e]) / spi;
}

enum pdvfs_error pdvfs_predict(const struct pdvfs_levels *levels, const struct pdvfs_speed *speed,
                               const struct pdvfs_power *power, const struct pdvfs_slots *slots,
                               struct pdvfs_table *out)
{
    enum pdvfs_error error = pdvfs_check_levels(levels);
    if (!error)
        error = pdvfs_check_slots(slots);
    if (!error)
        error = check_speed(speed);
    *out = (struct pdvfs_table){.slots = slots->num, .levels = levels->num, .w0 = power->b[0]};
    for (unsigned i = 0; !error && i < slots->num; i++) {
        out->s0[i] = speed->c1 * slots->mpi[i];
        for (unsigned j = 0; !error && j < levels->num; j++) {
            double rates[NUM_PDVFS_EVENTS];
            out->spi[i][j] = pdvfs_spi(speed, slots->mpi[i], levels->hz[j]);
            rates_of(slots, i, out->spi[i][j], rates);
            error = pdvfs_watts(power, levels, j, rates, &out->watts[i][j]);
        }
    }
    return error;
}

double pdvfs_energy(const struct pdvfs_slots *slots, const struct pdvfs_table *t,
                    enum pdvfs_energy rule, unsigned i, unsigned j)
{
    if (rule == PDVFS_ENERGY_PRINTED) {
        const double s = t->spi[i][j] - t->s0[i], w = t->watts[i][j] - t->w0;
        return slots->share[i] * (t->w0 * s + w * t->s0[i] + w * s);
    }
    return slots->share[i] * t->watts[i][j] * t->spi[i][j];
}

double pdvfs_time(const struct pdvfs_slots *slots, const struct pdvfs_table *t,
                  enum pdvfs_time rule, unsigned i, unsigned j)
{
    return rule == PDVFS_TIME_PRINTED ? slots->share[i] / t->spi[i][j]
                                      : slots->share[i] * t->spi[i][j];
}

double pdvfs_total(const struct pdvfs_slots *slots, const struct pdvfs_table *t,
                   enum pdvfs_energy rule, const unsigned *level, double instructions)
{
    double sum = 0, s0 = 0;
    for (unsigned i = 0; i < slots->num; i++) {
        sum += pdvfs_energy(slots, t, rule, i, level[i]);
        s0 += slots->share[i] * t->s0[i];
    }
    return rule == PDVFS_ENERGY_PRINTED ? instructions * t->w0 * s0 + sum : instructions * sum;
}

double pdvfs_spi_highest(const struct pdvfs_slots *slots, const struct pdvfs_table *t)
{
    double sum = 0;
    for (unsigned i = 0; i < slots->num; i++)
        sum += slots->share[i] * t->spi[i][t->levels - 1];
    return sum;
}

double pdvfs_limit(double a, double t_highest, double t_elapsed, double left)
{
    return ((1 + a) * t_highest - t_elapsed) / left;
}

/* The least e_ij of each slot: what is left of the problem without its constraint. */
static void least_energy(const double *cost, unsigned slots, unsigned levels, unsigned *level)
{
    for (unsigned i = 0; i < slots; i++) {
        level[i] = 0;
        for (unsigned j = 1; j < levels; j++)
            if (cost[i * levels + j] < cost[i * levels + level[i]])
                level[i] = j;
    }
}

static enum pdvfs_error from_mckp(enum mckp_error error)
{
    switch (error) {
    case MCKP_OK: return PDVFS_OK;
    case MCKP_SIZE: return PDVFS_SIZE;
    case MCKP_RANGE: return PDVFS_RANGE;
    case MCKP_INFEASIBLE: return PDVFS_LATE;
    case MCKP_ROOM: return PDVFS_ROOM;
    }
    return PDVFS_RANGE;
}

enum pdvfs_error pdvfs_solve(const struct pdvfs_slots *slots, const struct pdvfs_table *t,
                             double limit, const struct pdvfs_rules *rules, struct mckp_sum *room,
                             size_t sums, unsigned *level)
{
    double weight[PDVFS_SLOTS * PDVFS_LEVELS], cost[PDVFS_SLOTS * PDVFS_LEVELS];
    struct mckp problem;
    struct mckp_answer answer;
    enum pdvfs_error error = pdvfs_check_slots(slots);
    if (error)
        return error;
    if (t->slots != slots->num || !t->levels || t->levels > PDVFS_LEVELS)
        return PDVFS_SIZE;
    for (unsigned i = 0; i < t->slots; i++)
        for (unsigned j = 0; j < t->levels; j++) {
            weight[i * t->levels + j] = pdvfs_time(slots, t, rules->time, i, j);
            cost[i * t->levels + j] = pdvfs_energy(slots, t, rules->energy, i, j);
        }
    error = from_mckp(mckp_scale(weight, cost, t->slots, t->levels, limit, &problem));
    if (!error)
        error = from_mckp(mckp_solve(&problem, room, sums, &answer));
    if (error && error != PDVFS_LATE)
        return error;
    for (unsigned i = 0; i < t->slots; i++)
        level[i] = error || !(slots->share[i] > 0) ? t->levels - 1 : answer.level[i];
    if (limit <= 0 && rules->late == PDVFS_LATE_TRIVIAL)
        least_energy(cost, t->slots, t->levels, level);
    return error;
}

enum pdvfs_error pdvfs_f_dvfs(const struct pdvfs_levels *levels, const struct pdvfs_speed *speed,
                              double mpi, double a, unsigned *level)
{
    enum pdvfs_error error = pdvfs_check_levels(levels);
    if (!error)
        error = check_speed(speed);
    if (error)
        return error;
    if (!fit_amount(mpi) || !fit_amount(a))
        return PDVFS_RANGE;
    const double highest = levels->hz[levels->num - 1],
                 hz = 1 / ((1 + a) / highest + a * speed->c1 * mpi / speed->c2);
    for (*level = 0; *level < levels->num - 1; ++*level)
        if (levels->hz[*level] >= hz * (1 - EXACTLY))
            break;
    return PDVFS_OK;
}

unsigned pdvfs_slot(const double *edge, unsigned slots, double mpi)
{
    unsigned slot = 0;
    while (slot + 1 < slots && mpi >= edge[slot])
        slot++;
    return slot;
}

unsigned pdvfs_profile_next(const struct pdvfs_levels *levels, unsigned level)
{
    return level ? level - 1 : levels->num - 1;
}

/* Shares and events per instruction of the slots. */
static enum pdvfs_error slots_of(const struct pdvfs_profile *p, struct pdvfs_slots *out)
{
    double in[PDVFS_SLOTS] = {0}, all = 0;
    *out = (struct pdvfs_slots){.num = p->slots};
    for (unsigned i = 0; i < p->slots; i++) {
        for (unsigned j = 0; j < p->levels; j++)
            in[i] += p->instructions[i][j];
        all += in[i];
    }
    if (!fit_amount(all) || !(all > 0))
        return PDVFS_RANGE;
    for (unsigned i = 0; i < p->slots; i++) {
        out->share[i] = in[i] / all;
        for (unsigned e = 0; in[i] > 0 && e < NUM_PDVFS_EVENTS; e++)
            out->events[i][e] = p->events[i][e] / in[i];
        out->mpi[i] = out->events[i][PDVFS_L2_MISS];
    }
    return pdvfs_check_slots(out);
}

enum pdvfs_error pdvfs_oracle(const struct pdvfs_profile *p, const struct pdvfs_levels *levels,
                              const struct pdvfs_power *power, struct pdvfs_slots *slots,
                              struct pdvfs_table *t, unsigned *slot, unsigned *level)
{
    enum pdvfs_error error = pdvfs_check_levels(levels);
    if (!error && (!p->slots || p->slots > PDVFS_SLOTS || p->levels != levels->num))
        error = PDVFS_SIZE;
    if (!error)
        error = slots_of(p, slots);
    if (error)
        return error;
    *t = (struct pdvfs_table){.slots = p->slots, .levels = p->levels};
    for (unsigned i = 0; i < p->slots; i++)
        for (unsigned j = 0; slots->share[i] > 0 && j < p->levels; j++) {
            double rates[NUM_PDVFS_EVENTS];
            *slot = i;
            *level = j;
            if (!(p->instructions[i][j] > 0))
                return PDVFS_UNMEASURED;
            t->spi[i][j] = p->seconds[i][j] / p->instructions[i][j];
            if (!fit_amount(t->spi[i][j]) || !(t->spi[i][j] > 0))
                return PDVFS_RANGE;
            rates_of(slots, i, t->spi[i][j], rates);
            error = pdvfs_watts(power, levels, j, rates, &t->watts[i][j]);
            if (error)
                return error;
        }
    return PDVFS_OK;
}

const char *pdvfs_reason(enum pdvfs_error error)
{
    switch (error) {
    case PDVFS_OK: return "no error";
    case PDVFS_SIZE: return "there are no slots, levels, points or ticks, or too many";
    case PDVFS_RANGE: return "a number is not finite, negative, or 0 where it divides";
    case PDVFS_RISING: return "levels or edges do not rise";
    case PDVFS_SHARES: return "shares of instructions do not add up to 1";
    case PDVFS_FIT: return "the coefficients could not be fitted";
    case PDVFS_SPEED: return "an instruction or a miss would take no time, or less";
    case PDVFS_WATTS: return "the power model gives no positive power";
    case PDVFS_UNMEASURED: return "a slot has not been measured at every level";
    case PDVFS_LATE: return "the bound cannot be met even at the highest frequency";
    case PDVFS_ROOM: return "the knapsack needs more room";
    }
    return "unknown error";
}
