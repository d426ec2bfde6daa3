/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/power.c: see power.h. */
#include "cmodel/analytic/power.h"

#include <math.h>
#include <string.h>

static int are_amounts(const double *v, size_t num)
{
    for (size_t i = 0; i < num; i++)
        if (!fit_amount(v[i]))
            return 0;
    return 1;
}

/* Which event coefficient c belongs to. */
static unsigned event_of(const struct power_model *m, unsigned c)
{
    if (m->naming == POWER_NAMING_TEXT && c == POWER_BRANCH)
        return POWER_FP;
    if (m->naming == POWER_NAMING_TEXT && c == POWER_FP)
        return POWER_BRANCH;
    return c;
}

static enum power_error check_model(const struct power_model *m)
{
    if (!m->events || m->events > POWER_EVENTS)
        return POWER_SIZE;
    if (m->naming == POWER_NAMING_TEXT && m->events != NUM_POWER_EVENTS)
        return POWER_SIZE;
    for (unsigned e = 0; e < m->events; e++)
        if (!(fabs(m->c[e]) <= FIT_LARGEST))
            return POWER_RANGE;
    return fit_amount(m->idle) ? POWER_OK : POWER_RANGE;
}

enum power_error power_fit(const double *rates, const double *watts, unsigned samples,
                           unsigned events, unsigned cores, double *work, struct power_fit *out)
{
    *out = (struct power_fit){.model.events = events};
    if (!samples || !events || events > POWER_EVENTS || !cores)
        return POWER_SIZE;
    if (!are_amounts(rates, (size_t)samples * events) || !are_amounts(watts, samples))
        return POWER_RANGE;
    const unsigned columns = events + 1;
    double *x = work, *y = x + (size_t)samples * columns;
    for (unsigned s = 0; s < samples; s++) {
        x[(size_t)s * columns] = 1;
        memcpy(x + (size_t)s * columns + 1, rates + (size_t)s * events, events * sizeof *x);
        y[s] = watts[s] / cores;
    }
    out->why = fit(x, y, samples, columns, y + samples, &out->quality);
    if (out->why)
        return POWER_FIT;
    out->model.idle = out->quality.coefficient[0];
    memcpy(out->model.c, out->quality.coefficient + 1, events * sizeof *out->model.c);
    return POWER_OK;
}

enum power_error power_core(const struct power_model *model, const double *rates, double *watts)
{
    const enum power_error error = check_model(model);
    if (error)
        return error;
    if (!are_amounts(rates, model->events))
        return POWER_RANGE;
    double sum = model->idle;
    for (unsigned e = 0; e < model->events; e++)
        sum += model->c[e] * rates[event_of(model, e)];
    if (!(sum > 0) || !isfinite(sum))
        return POWER_OUTSIDE;
    *watts = sum;
    return POWER_OK;
}

enum power_error power_process(const struct power_model *model, const struct power_profile *profile,
                               double spi, double l2mpr, struct power_parts *out)
{
    const enum power_error error = check_model(model);
    if (error)
        return error;
    if (model->events != NUM_POWER_EVENTS)
        return POWER_SIZE;
    const double per_instruction[NUM_POWER_EVENTS] = {
        [POWER_L1] = profile->l1rpi,    [POWER_L2] = profile->l2rpi, [POWER_L2_MISS] = 0,
        [POWER_BRANCH] = profile->brpi, [POWER_FP] = profile->fppi,
    };
    if (!are_amounts(per_instruction, NUM_POWER_EVENTS) || !fit_amount(spi) || !(spi > 0) ||
        !fit_amount(l2mpr) || l2mpr > 1)
        return POWER_RANGE;
    double sum = 0;
    for (unsigned e = 0; e < NUM_POWER_EVENTS; e++)
        sum += model->c[e] * per_instruction[event_of(model, e)];
    const double p1 = model->idle + sum / spi,
                 p2 = model->c[POWER_L2_MISS] * l2mpr * profile->l2rpi / spi;
    if (!(p1 + p2 > 0) || !isfinite(p1 + p2))
        return POWER_OUTSIDE;
    *out = (struct power_parts){p1, p2};
    return POWER_OK;
}

enum power_error power_time_shared(const double *watts, unsigned processes, double *core)
{
    if (!processes)
        return POWER_SIZE;
    if (!are_amounts(watts, processes))
        return POWER_RANGE;
    double sum = 0;
    for (unsigned p = 0; p < processes; p++)
        sum += watts[p];
    *core = sum / processes;
    return POWER_OK;
}

/* How many combinations there are of one process per core. */
static enum power_error count(const unsigned *processes, unsigned cores, unsigned *combinations)
{
    if (!cores || cores > POWER_CORES)
        return POWER_SIZE;
    *combinations = 1;
    for (unsigned c = 0; c < cores; c++) {
        if (!processes[c])
            return POWER_SIZE;
        if (processes[c] > POWER_COMBINATIONS / *combinations)
            return POWER_COMBINATIONS_TOO_MANY;
        *combinations *= processes[c];
    }
    return POWER_OK;
}

/* The mean over all combinations in which the first `fixed` cores run what they run. */
static enum power_error mean(const unsigned *processes, unsigned cores, unsigned fixed,
                             unsigned *running, unsigned combinations, power_together *predict,
                             void *context, double *watts)
{
    double sum = 0;
    for (unsigned i = 0; i < combinations; i++) {
        for (unsigned c = cores, left = i; c-- > fixed; left /= processes[c])
            running[c] = left % processes[c];
        double together;
        if (predict(context, running, cores, &together))
            return POWER_PREDICTION;
        if (!fit_amount(together))
            return POWER_RANGE;
        sum += together;
    }
    *watts = sum / combinations;
    return POWER_OK;
}

enum power_error power_core_set(const unsigned *processes, unsigned cores, power_together *predict,
                                void *context, double *watts)
{
    unsigned running[POWER_CORES] = {0}, combinations;
    const enum power_error error = count(processes, cores, &combinations);
    return error ? error
                 : mean(processes, cores, 0, running, combinations, predict, context, watts);
}

static enum power_error check_assignment(const struct power_assignment *a)
{
    if (a->partners >= POWER_CORES || a->busy > a->partners)
        return POWER_SIZE;
    if (a->processes[0] >= POWER_COMBINATIONS)
        return POWER_COMBINATIONS_TOO_MANY;
    const double amounts[] = {a->idle, a->alone, a->rest, a->processes[0] ? a->excluding : 0};
    return are_amounts(amounts, sizeof amounts / sizeof *amounts) ? POWER_OK : POWER_RANGE;
}

/* P_ex as (4.3) takes it. */
static double excluding(const struct power_assignment *a)
{
    if (!a->processes[0])
        return 0;
    const unsigned idle = a->partners_rule == POWER_PARTNERS_ONCE ? a->partners - a->busy : 0;
    return a->excluding - idle * a->idle;
}

enum power_error power_assign(const struct power_assignment *a, power_together *predict,
                              void *context, struct power_assigned *out)
{
    enum power_error error = check_assignment(a);
    if (error)
        return error;
    *out = (struct power_assigned){0};
    const double partners_idle = (a->partners - a->busy) * a->idle;
    if (!a->busy && !a->processes[0]) { /* scenario 1 */
        const double core = a->idle_rule == POWER_IDLE_ADDED ? a->idle : 0;
        out->combinations_in = 1;
        out->including = a->alone;
        out->watts = partners_idle + core + a->alone + a->rest;
        return POWER_OK;
    }
    /* Those of the partners; C runs K in S_in, and each of its others in S_ex. */
    unsigned processes[POWER_CORES] = {1}, running[POWER_CORES] = {a->processes[0]}, combinations;
    memcpy(processes + 1, a->processes + 1, a->busy * sizeof *processes);
    error = count(processes, 1 + a->busy, &combinations);
    if (!error)
        error = mean(processes, 1 + a->busy, 1, running, combinations, predict, context,
                     &out->including);
    if (error)
        return error;
    out->combinations_in = combinations;
    out->combinations_ex = (double)a->processes[0] * combinations;
    if (excluding(a) < 0)
        return POWER_RANGE;
    out->watts = partners_idle +
                 (excluding(a) * out->combinations_ex + out->including * out->combinations_in) /
                     (out->combinations_ex + out->combinations_in) +
                 a->rest;
    return POWER_OK;
}

const char *power_reason(enum power_error error)
{
    switch (error) {
    case POWER_OK: return "no error";
    case POWER_SIZE: return "there are no cores, samples, events or processes, or too many";
    case POWER_RANGE: return "a number is not finite, negative, or out of its range";
    case POWER_FIT: return "the coefficients could not be fitted";
    case POWER_OUTSIDE: return "the model gives no positive power for these rates";
    case POWER_COMBINATIONS_TOO_MANY: return "there are too many combinations of processes";
    case POWER_PREDICTION: return "the power of a combination could not be predicted";
    }
    return "unknown error";
}
