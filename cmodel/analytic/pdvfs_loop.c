/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/pdvfs_loop.c: see pdvfs_loop.h. */
#include "cmodel/analytic/pdvfs_loop.h"

void pdvfs_remaining_add(struct pdvfs_remaining *r, double instructions)
{
    r->retired += instructions;
    r->since_reset += instructions;
    if (r->total > 0) {
        r->left = r->total - r->retired;
        return;
    }
    r->left -= r->rule == PDVFS_LEFT_PRINTED ? r->since_reset : instructions;
    if (r->left < r->first) {
        r->left = r->retired;
        r->since_reset = 0;
    }
    if (r->left > r->most)
        r->left = r->most;
}

void pdvfs_defaults(struct pdvfs_settings *s, double highest_mpi)
{
    *s = (struct pdvfs_settings){.a = 0.2,
                                 .control_ticks = 100,
                                 .scaling_ticks = 3,
                                 .window = 67,
                                 .points = 20,
                                 .slots = 15,
                                 .levels = {4, {1.2e9, 1.6e9, 2.0e9, 2.4e9}},
                                 .left_first = 1e9,
                                 .left_most = 30e9};
    for (unsigned i = 0; i + 1 < s->slots; i++)
        s->edge[i] = highest_mpi * (i + 1) / s->slots;
}

static enum pdvfs_error check_settings(const struct pdvfs_settings *s)
{
    if (!s->control_ticks || !s->scaling_ticks || !s->window || s->window > PDVFS_WINDOW ||
        s->points < 2 || s->points > PDVFS_POINTS || !s->slots || s->slots > PDVFS_SLOTS)
        return PDVFS_SIZE;
    if (!fit_amount(s->a) || !fit_amount(s->total) || !fit_amount(s->left_first) ||
        !fit_amount(s->left_most) || !(s->left_first > 0) || s->left_most < s->left_first)
        return PDVFS_RANGE;
    for (unsigned i = 0; i + 1 < s->slots; i++) {
        if (!fit_amount(s->edge[i]))
            return PDVFS_RANGE;
        if (i && !(s->edge[i] > s->edge[i - 1]))
            return PDVFS_RISING;
    }
    return pdvfs_check_levels(&s->levels);
}

static unsigned highest(const struct pdvfs *p)
{
    return p->settings.levels.num - 1;
}

static void highest_everywhere(struct pdvfs *p)
{
    for (unsigned i = 0; i < PDVFS_SLOTS; i++)
        p->table[i] = highest(p);
}

enum pdvfs_error pdvfs_start(struct pdvfs *p, const struct pdvfs_settings *s)
{
    const enum pdvfs_error error = check_settings(s);
    if (error)
        return error;
    *p = (struct pdvfs){.settings = *s,
                        .level = s->levels.num - 1,
                        .remaining = {.rule = s->left_rule,
                                      .total = s->total,
                                      .first = s->left_first,
                                      .most = s->left_most,
                                      .left = s->total > 0 ? s->total : s->left_first}};
    highest_everywhere(p);
    return PDVFS_OK;
}

static double mpi_of(const struct pdvfs_sample *s)
{
    return s->events[PDVFS_L2_MISS] / s->instructions;
}

/* (5.26): what the time would have been at the highest frequency. Time without instructions has waited for something else. */
static double at_highest(const struct pdvfs *p, const struct pdvfs_sample *s)
{
    const double *hz = p->settings.levels.hz;
    if (p->level == highest(p) || !p->knows_speed || !(s->instructions > 0))
        return s->seconds;
    return s->seconds * pdvfs_spi(&p->speed, mpi_of(s), hz[highest(p)]) /
           pdvfs_spi(&p->speed, mpi_of(s), hz[p->level]);
}

static void add(struct pdvfs_sample *to, const struct pdvfs_sample *s)
{
    to->seconds += s->seconds;
    to->instructions += s->instructions;
    for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
        to->events[e] += s->events[e];
}

/* The number of entries that a ring of `size` holds. */
static unsigned held(const struct pdvfs *p, unsigned size)
{
    return p->periods < size ? (unsigned)p->periods : size;
}

/* A period ends: a point of the fit and an entry of the histogram. One without instructions is neither. */
static void end_period(struct pdvfs *p)
{
    const struct pdvfs_sample *s = &p->period;
    pdvfs_remaining_add(&p->remaining, s->instructions);
    if (s->instructions > 0) {
        const double hz = p->settings.levels.hz[p->level];
        p->point[p->periods % p->settings.points] = (struct pdvfs_point){
            .mpi = mpi_of(s), .hz = hz, .cpi = s->seconds * hz / s->instructions};
        p->window[p->periods % p->settings.window] = *s;
        p->periods++;
    }
}

/* What points say that all lie together, or that noise has turned round: only their mean is known. c1 is then the last one, if that
 * leaves a positive c2, else 0: the slowdown of a lower frequency is then overestimated, and the bound is kept. */
static void take_mean(struct pdvfs *p, unsigned points)
{
    double x = 0, y = 0;
    for (unsigned i = 0; i < points; i++) {
        x += p->point[i].mpi * p->point[i].hz / points;
        y += p->point[i].cpi / points;
    }
    const double c2 = y - p->speed.c1 * x;
    p->speed = p->knows_speed && c2 > 0 ? (struct pdvfs_speed){p->speed.c1, c2}
                                        : (struct pdvfs_speed){0, y};
}

static enum pdvfs_error learn_speed(struct pdvfs *p)
{
    const unsigned points = held(p, p->settings.points);
    struct pdvfs_speed speed;
    struct fit quality;
    enum fit_error why;
    if (points < 2)
        return PDVFS_FIT;
    if (pdvfs_fit_speed(p->point, points, &speed, &quality, &why))
        take_mean(p, points);
    else
        p->speed = speed;
    p->knows_speed = 1;
    return PDVFS_OK;
}

/* The window by slots (5.3.4): of each the share of instructions, and events per instruction. */
static enum pdvfs_error histogram(const struct pdvfs *p, struct pdvfs_slots *out)
{
    struct pdvfs_sample sum[PDVFS_SLOTS] = {{0}}, all = {0};
    *out = (struct pdvfs_slots){.num = p->settings.slots};
    for (unsigned i = 0; i < held(p, p->settings.window); i++) {
        add(&sum[pdvfs_slot(p->settings.edge, p->settings.slots, mpi_of(&p->window[i]))],
            &p->window[i]);
        add(&all, &p->window[i]);
    }
    if (!(all.instructions > 0))
        return PDVFS_RANGE;
    for (unsigned i = 0; i < p->settings.slots; i++) {
        /* An empty slot is as the mean: what the models say of instructions that never come is no reason to give up. */
        const struct pdvfs_sample *from = sum[i].instructions > 0 ? &sum[i] : &all;
        out->share[i] = sum[i].instructions / all.instructions;
        out->mpi[i] = mpi_of(from);
        for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
            out->events[i][e] = from->events[e] / from->instructions;
    }
    return PDVFS_OK;
}

/* (5.29), (5.30). SPI(f_max) is linear in MPI, so that of the window's mean is the mean of its slots. */
static void estimate(struct pdvfs *p)
{
    struct pdvfs_sample all = {0};
    for (unsigned i = 0; i < held(p, p->settings.window); i++)
        add(&all, &p->window[i]);
    if (p->knows_speed && all.instructions > 0)
        p->t_highest =
            p->elapsed_highest + p->remaining.left * pdvfs_spi(&p->speed, mpi_of(&all),
                                                               p->settings.levels.hz[highest(p)]);
}

static enum pdvfs_error control(struct pdvfs *p, struct mckp_sum *room, size_t sums)
{
    const struct pdvfs_settings *s = &p->settings;
    struct pdvfs_slots slots;
    struct pdvfs_table table;
    enum pdvfs_error error = learn_speed(p);
    if (!error)
        error = histogram(p, &slots);
    if (!error)
        error = pdvfs_predict(&s->levels, &p->speed, &s->power, &slots, &table);
    if (error)
        return error;
    estimate(p);
    if (!(p->remaining.left > 0))
        return PDVFS_LATE; /* more has retired than the program has: nothing is known of the rest */
    const double limit = pdvfs_limit(s->a, p->t_highest, p->elapsed, p->remaining.left);
    error = pdvfs_solve(&slots, &table, limit, &s->rules, room, sums, p->table);
    /* The printed rule has its own table for a bound that cannot be met. */
    return error == PDVFS_LATE && s->rules.late == PDVFS_LATE_TRIVIAL && limit <= 0 ? PDVFS_OK
                                                                                    : error;
}

static enum pdvfs_error check_sample(const struct pdvfs_sample *s)
{
    int good = fit_amount(s->seconds) && s->seconds > 0 && fit_amount(s->instructions);
    good &= !(s->instructions > 0 && s->instructions < 1); /* rates of it might overflow */
    for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
        good &= fit_amount(s->events[e]);
    return good ? PDVFS_OK : PDVFS_RANGE;
}

/* By the period that ends. One without instructions changes nothing. */
static void scale(struct pdvfs *p)
{
    if (p->period.instructions > 0)
        p->level = p->table[pdvfs_slot(p->settings.edge, p->settings.slots, mpi_of(&p->period))];
}

enum pdvfs_error pdvfs_tick(struct pdvfs *p, const struct pdvfs_sample *s, struct mckp_sum *room,
                            size_t sums)
{
    if (check_sample(s))
        return PDVFS_RANGE;
    p->elapsed += s->seconds;
    p->elapsed_highest += at_highest(p, s);
    add(&p->period, s);
    p->t1++;
    p->t2++;
    if (p->t1 == p->settings.control_ticks) {
        end_period(p);
        p->control = control(p, room, sums);
        p->controls++;
        if (p->control) {
            highest_everywhere(p);
            p->fallbacks++;
        }
        p->t1 = p->t2 = 0;
    } else if (p->t2 == p->settings.scaling_ticks) {
        end_period(p);
        scale(p);
        p->t2 = 0;
    } else {
        estimate(p);
        return PDVFS_OK;
    }
    p->period = (struct pdvfs_sample){0};
    return PDVFS_OK;
}
