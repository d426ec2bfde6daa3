/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/pdvfs_study.c: P-DVFS, its oracle and what it is compared with, of a program that was measured at all levels: see pdvfs.h.
 *
 * A period is in the slot of its misses per instruction at the highest level, whatever its level: each slot is measured at each. Shares
 * are those of the instructions at the highest level; misses and events of a slot are means over all levels. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tb/cli/model/model.h"
#include "tb/cli/model/pdvfs.h"

/* Sums that the knapsack may keep: thirty times those of mckp.h, as slots and levels may be more. */
#define SUMS (32 * MCKP_ROOM_15_4)

static int say(const struct pdvfs_study *s, const char *what)
{
    fprintf(stderr, "heddle model pdvfs: %s: %s\n", s->runs.name, what);
    return -1;
}

/* The fit of (5.3) -------------------------------------------------------------------------------*/

static struct pdvfs_point point_of(const struct pdvfs_study *s, enum clock_misses misses,
                                   unsigned level, size_t period)
{
    const struct clock_period *p = &s->runs.of[level][period];
    return (struct pdvfs_point){.mpi = p->misses[misses] / p->instructions,
                                .hz = s->levels.hz[level],
                                .cpi =
                                    p->cycles / s->runs.hz * s->levels.hz[level] / p->instructions};
}

static void fit_line(const struct pdvfs_point *points, size_t num, double *work,
                     struct pdvfs_line *out)
{
    struct fit quality = {0};
    *out = (struct pdvfs_line){0};
    out->error = pdvfs_fit_speed_of(points, num, work, &out->speed, &quality, &out->why);
    out->r2 = quality.r2;
}

/* Of the periods with each clock, one clock after the other, and of all. */
static int fit_lines(struct pdvfs_study *s)
{
    const size_t periods = s->runs.periods, all = periods * s->levels.num;
    struct pdvfs_point *points = calloc(all, sizeof *points);
    double *work = calloc(PDVFS_SPEED_WORK(all), sizeof *work);
    const int failed = !points || !work;
    for (enum clock_misses m = 0; !failed && m < NUM_CLOCK_MISSES; m++) {
        for (unsigned l = 0; l < s->levels.num; l++) {
            for (size_t p = 0; p < periods; p++)
                points[l * periods + p] = point_of(s, m, l, p);
            fit_line(points + l * periods, periods, work, &s->line[m][l]);
        }
        fit_line(points, all, work, &s->all[m]);
    }
    free(points);
    free(work);
    return failed ? say(s, "no memory") : 0;
}

/* What P-DVFS and F-DVFS go by. Where misses do not tell the time, or the fit is no speed, only the mean of CPI is known: the
 * slowdown of a lower clock is then overestimated (pdvfs.md). */
static void choose_speed(struct pdvfs_study *s)
{
    const struct pdvfs_line *line = &s->all[s->misses];
    double cpi = 0;
    s->speed = line->speed;
    if (!line->error)
        return;
    for (unsigned l = 0; l < s->levels.num; l++)
        for (size_t p = 0; p < s->runs.periods; p++)
            cpi += point_of(s, s->misses, l, p).cpi;
    s->speed = (struct pdvfs_speed){0, cpi / ((double)s->runs.periods * (double)s->levels.num)};
}

/* Slots -----------------------------------------------------------------------------------------*/

static double top_mpi(const struct pdvfs_study *s, size_t period)
{
    return point_of(s, s->misses, s->levels.num - 1, period).mpi;
}

static void set_edges(struct pdvfs_study *s)
{
    double most = 0;
    for (size_t p = 0; p < s->runs.periods; p++)
        most = fmax(most, top_mpi(s, p));
    for (unsigned i = 0; i < s->slots.num; i++) /* without misses all is in the first slot */
        s->edge[i] = (most > 0 ? most : 1) * (i + 1) / s->slots.num;
}

/* Sums of a slot, of the instructions at each level too. */
struct sums {
    double instructions[PDVFS_LEVELS], all, misses, events[NUM_PDVFS_EVENTS];
};

static void add_period(struct pdvfs_study *s, size_t period, unsigned slot, struct sums *sums)
{
    s->periods[slot]++;
    for (unsigned l = 0; l < s->levels.num; l++) {
        const struct clock_period *p = &s->runs.of[l][period];
        sums->instructions[l] += p->instructions;
        sums->all += p->instructions;
        sums->misses += p->misses[s->misses];
        for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
            sums->events[e] += p->events[e];
        s->seconds[slot][l] += p->cycles / s->runs.hz;
        s->joules[slot][l] += p->joules;
    }
}

/* k_ij and e_ij as measured: times and energies are those of the instructions at the highest level. */
static void measure_slot(struct pdvfs_study *s, unsigned slot, const struct sums *sums)
{
    const double instructions = sums->instructions[s->levels.num - 1];
    s->slots.share[slot] = instructions / s->instructions;
    s->slots.mpi[slot] = sums->misses / sums->all;
    for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
        s->slots.events[slot][e] = sums->events[e] / sums->all;
    for (unsigned l = 0; l < s->levels.num; l++) {
        s->measured.spi[slot][l] = s->seconds[slot][l] / instructions;
        s->measured.watts[slot][l] = s->joules[slot][l] / s->seconds[slot][l];
    }
}

/* An empty slot is as another one, without a share: fits say nothing of what never happens. */
static void copy_slot(struct pdvfs_study *s, unsigned to, unsigned from)
{
    s->slots.share[to] = 0;
    s->slots.mpi[to] = s->slots.mpi[from];
    for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
        s->slots.events[to][e] = s->slots.events[from][e];
    for (unsigned l = 0; l < s->levels.num; l++) {
        s->measured.spi[to][l] = s->measured.spi[from][l];
        s->measured.watts[to][l] = s->measured.watts[from][l];
    }
}

static void measure(struct pdvfs_study *s)
{
    struct sums sums[PDVFS_SLOTS] = {0};
    unsigned last = 0; /* that has the period with the most misses per instruction */
    set_edges(s);
    for (size_t p = 0; p < s->runs.periods; p++) {
        const unsigned slot = pdvfs_slot(s->edge, s->slots.num, top_mpi(s, p));
        add_period(s, p, slot, &sums[slot]);
        s->instructions += s->runs.of[s->levels.num - 1][p].instructions;
        last = slot > last ? slot : last;
    }
    s->measured = (struct pdvfs_table){.slots = s->slots.num, .levels = s->levels.num};
    for (unsigned i = 0; i < s->slots.num; i++)
        if (s->periods[i])
            measure_slot(s, i, &sums[i]);
    for (unsigned i = 0; i < s->slots.num; i++)
        if (!s->periods[i])
            copy_slot(s, i, last);
}

/* The fit of (5.7) -------------------------------------------------------------------------------*/

struct power_samples {
    double (*rates)[NUM_PDVFS_EVENTS];
    unsigned *level;
    double *watts, *work;
};

static void fill(const struct pdvfs_study *s, const struct power_samples *to)
{
    size_t n = 0;
    for (unsigned l = 0; l < s->levels.num; l++)
        for (size_t p = 0; p < s->runs.periods; p++, n++) {
            const struct clock_period *is = &s->runs.of[l][p];
            const double seconds = is->cycles / s->runs.hz;
            for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
                to->rates[n][e] =
                    (e == PDVFS_L2_MISS ? is->misses[s->misses] : is->events[e]) / seconds;
            to->level[n] = l;
            to->watts[n] = is->joules / seconds;
        }
}

static int fit_power(struct pdvfs_study *s)
{
    const size_t num = s->runs.periods * s->levels.num;
    struct power_samples to = {calloc(num, sizeof *to.rates), calloc(num, sizeof *to.level),
                               calloc(num, sizeof *to.watts),
                               calloc(PDVFS_POWER_WORK(num), sizeof *to.work)};
    const int failed = !to.rates || !to.level || !to.watts || !to.work;
    s->power = (struct pdvfs_power){.voltage = PDVFS_VOLTAGE_TABLE};
    for (unsigned l = 0; l < s->levels.num; l++)
        s->power.term[l] = s->runs.volts[l];
    if (!failed) {
        struct fit quality = {0};
        enum fit_error why;
        fill(s, &to);
        const struct pdvfs_samples samples = {(unsigned)num, &s->levels,
                                              (const double(*)[NUM_PDVFS_EVENTS])to.rates, to.level,
                                              to.watts};
        s->no_power = pdvfs_fit_power_told(&samples, to.work, &s->power, &quality, &why);
        s->power_mean = quality.mean_relative;
        s->power_most = quality.max_relative;
    }
    free(to.rates);
    free(to.level);
    free(to.watts);
    free(to.work);
    return failed ? say(s, "no memory") : 0;
}

/* Choices ---------------------------------------------------------------------------------------*/

static void highest_everywhere(const struct pdvfs_study *s, struct pdvfs_choice *c)
{
    for (unsigned i = 0; i < PDVFS_SLOTS; i++)
        c->level[i] = s->levels.num - 1;
}

static void solve(const struct pdvfs_study *s, const struct pdvfs_table *t, double a,
                  struct mckp_sum *room, struct pdvfs_choice *c)
{
    const struct pdvfs_rules rules = {0};
    c->error = pdvfs_solve(&s->slots, t, (1 + a) * pdvfs_spi_highest(&s->slots, t), &rules, room,
                           SUMS, c->level);
    if (c->error)
        highest_everywhere(s, c);
}

static void choose_f_dvfs(const struct pdvfs_study *s, double a, struct pdvfs_choice *c)
{
    for (unsigned i = 0; !c->error && i < s->slots.num; i++)
        if (s->periods[i])
            c->error = pdvfs_f_dvfs(&s->levels, &s->speed, s->slots.mpi[i], a, &c->level[i]);
    if (c->error)
        highest_everywhere(s, c);
}

/* What the program takes with this choice. */
static void evaluate(const struct pdvfs_study *s, struct pdvfs_choice *c)
{
    for (unsigned i = 0; i < s->slots.num; i++) {
        const unsigned l = c->level[i];
        c->seconds += s->seconds[i][l];
        c->joules += s->joules[i][l];
        c->at[l] += s->seconds[i][l];
        if (s->no_power)
            continue;
        c->fitted_seconds +=
            s->instructions * pdvfs_time(&s->slots, &s->fitted, PDVFS_TIME_SECONDS, i, l);
        c->fitted_joules +=
            s->instructions * pdvfs_energy(&s->slots, &s->fitted, PDVFS_ENERGY_WHOLE, i, l);
    }
}

static void choose(struct pdvfs_study *s, unsigned goal, struct mckp_sum *room)
{
    const double a = s->goal[goal];
    struct pdvfs_choice *c = s->choice[goal], *loop = &c[POLICY_LOOP];
    for (enum pdvfs_policy p = 0; p < NUM_POLICIES; p++)
        highest_everywhere(s, &c[p]);
    solve(s, &s->measured, a, room, &c[POLICY_ORACLE]);
    choose_f_dvfs(s, a, &c[POLICY_F_DVFS]);
    c[POLICY_P_DVFS].error = loop->error = s->no_power;
    if (!s->no_power) {
        solve(s, &s->fitted, a, room, &c[POLICY_P_DVFS]);
        loop->error = pdvfs_run_loop(s, a, room, SUMS, loop);
        if (loop->error)
            loop->seconds = loop->joules = 0;
    }
    for (enum pdvfs_policy p = 0; p < POLICY_LOOP; p++)
        evaluate(s, &c[p]);
}

static int choose_all(struct pdvfs_study *s)
{
    struct mckp_sum *room = calloc(SUMS, sizeof *room);
    if (!room)
        return say(s, "no memory");
    for (unsigned g = 0; g < s->goals; g++)
        choose(s, g, room);
    free(room);
    return 0;
}

int pdvfs_study(struct pdvfs_study *s)
{
    s->levels.num = s->runs.num;
    for (unsigned l = 0; l < s->levels.num; l++)
        s->levels.hz[l] = s->runs.hz * s->runs.sixths[l] / CLOCK_SIXTHS;
    if (s->runs.periods > UINT_MAX / PDVFS_LEVELS)
        return say(s, "too many periods; --period=N makes fewer");
    if (fit_lines(s) || fit_power(s))
        return -1;
    choose_speed(s);
    measure(s);
    if (!s->no_power)
        s->no_power = pdvfs_predict(&s->levels, &s->speed, &s->power, &s->slots, &s->fitted);
    return choose_all(s);
}

/* Per cent --------------------------------------------------------------------------------------*/

double pdvfs_slower(const struct pdvfs_study *s, unsigned goal, enum pdvfs_policy policy)
{
    const struct pdvfs_choice *c = s->choice[goal];
    return per_cent_more(c[policy].seconds, c[POLICY_N_DVFS].seconds);
}

double pdvfs_above(const struct pdvfs_study *s, unsigned goal, enum pdvfs_policy policy)
{
    const struct pdvfs_choice *c = s->choice[goal];
    return per_cent_more(c[policy].joules, c[POLICY_ORACLE].joules);
}

int pdvfs_mean(const struct pdvfs_study *s, unsigned programs, unsigned goal,
               enum pdvfs_policy policy, pdvfs_figure *of, double *value)
{
    double sum = 0;
    for (unsigned i = 0; i < programs; i++) {
        if (policy == POLICY_LOOP && s[i].choice[goal][policy].error)
            return 0;
        sum += of(&s[i], goal, policy);
    }
    *value = sum / programs;
    return 1;
}

#define THESIS_GOALS 4
static const double thesis_goal[THESIS_GOALS] = {.05, .1, .15, .2};

static int of_thesis(double goal, const double *values, double *value)
{
    for (unsigned g = 0; g < THESIS_GOALS; g++)
        if (fabs(goal - thesis_goal[g]) < 1e-9 && values[g] >= 0) {
            *value = values[g];
            return 1;
        }
    return 0;
}

int pdvfs_thesis_slower(double goal, enum pdvfs_policy policy, double *value)
{
    static const double slower[NUM_POLICIES][THESIS_GOALS] = {
        [POLICY_ORACLE] = {-1, -1, -1, -1}, /* not printed */
        [POLICY_N_DVFS] = {0, 0, 0, 0},
        [POLICY_F_DVFS] = {0.28, 2.29, 5.98, 13.03},
        [POLICY_P_DVFS] = {3.72, 7.90, 12.65, 17.07}, /* 17.10 is a slip: pdvfs.md */
        [POLICY_LOOP] = {3.72, 7.90, 12.65, 17.07},
    };
    return of_thesis(goal, slower[policy], value);
}

int pdvfs_thesis_above(double goal, enum pdvfs_policy policy, double *value)
{
    static const double above[NUM_POLICIES][THESIS_GOALS] = {
        [POLICY_ORACLE] = {0, 0, 0, 0},
        [POLICY_N_DVFS] = {9.31, 12.81, 18.46, 22.59},
        [POLICY_F_DVFS] = {7.1, 8.23, 9.51, 9.80},
        [POLICY_P_DVFS] = {1.43, 1.16, 1.59, 1.83},
        [POLICY_LOOP] = {1.43, 1.16, 1.59, 1.83},
    };
    return of_thesis(goal, above[policy], value);
}
