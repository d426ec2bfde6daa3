/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/pdvfs_tables.c: what `heddle model pdvfs` prints. */
#include <stdio.h>

#include "tb/cli/csv.h"
#include "tb/cli/model/model.h"
#include "tb/cli/model/pdvfs.h"
#include "tb/file.h"

const char *pdvfs_policy_name(enum pdvfs_policy policy)
{
    static const char *const names[NUM_POLICIES] = {[POLICY_ORACLE] = "oracle",
                                                    [POLICY_N_DVFS] = "N-DVFS",
                                                    [POLICY_F_DVFS] = "F-DVFS",
                                                    [POLICY_P_DVFS] = "P-DVFS",
                                                    [POLICY_LOOP] = "loop"};
    return names[policy];
}

const char *pdvfs_misses_name(enum clock_misses misses)
{
    return misses == MISSES_L1D ? "L1D" : "L2";
}

const char *pdvfs_sixths(const struct pdvfs_study *s, const struct pdvfs_choice *c, char *text)
{
    unsigned i = 0;
    for (; i < s->slots.num; i++)
        text[i] = s->periods[i] ? (char)('0' + s->runs.sixths[c->level[i]]) : '.';
    text[i] = 0;
    return text;
}

static double shown(double value)
{
    return unsigned_zero(value, .01);
}

static double more(double a, double b)
{
    return shown(per_cent_more(a, b));
}

/* A program ------------------------------------------------------------------------------------*/

static void print_runs(const struct pdvfs_study *s)
{
    const struct model_clocks *r = &s->runs;
    double seconds[PDVFS_LEVELS] = {0}, joules[PDVFS_LEVELS] = {0};
    for (unsigned l = 0; l < r->num; l++)
        for (unsigned i = 0; i < s->slots.num; i++) {
            seconds[l] += s->seconds[i][l];
            joules[l] += s->joules[i][l];
        }
    printf("%s: %zu launch%s, %zu period%s\n", r->name, r->launches, r->launches == 1 ? "" : "es",
           r->periods, r->periods == 1 ? "" : "s");
    printf("%5s %12s %10s %12s %10s %8s\n", "clock", "us", "longer, %", "uJ", "energy, %", "watts");
    for (unsigned l = 0; l < r->num; l++)
        printf("  %u/%u %12.3f %+10.2f %12.3f %+10.2f %8.3g\n", r->sixths[l], CLOCK_SIXTHS,
               1e6 * seconds[l], more(seconds[l], seconds[r->num - 1]), 1e6 * joules[l],
               more(joules[l], joules[r->num - 1]), joules[l] / seconds[l]);
}

/* Nanoseconds per miss, cycles per instruction. */
static void print_line(const struct pdvfs_line *l)
{
    if (l->error && l->error != PDVFS_SPEED)
        printf(" %10s %10s %7s", "-", "-", "-");
    else
        printf(" %10.3f %10.4f %7.3f", 1e9 * l->speed.c1, l->speed.c2, l->r2);
}

static void print_lines(const struct pdvfs_study *s)
{
    printf("\nfit of SPI = c1 MPI + c2 / f; misses of\n%5s %29s %29s\n%5s", "", "L1D", "L2",
           "clock");
    for (enum clock_misses m = 0; m < NUM_CLOCK_MISSES; m++)
        printf(" %10s %10s %7s", "c1, ns", "c2, cycles", "R2");
    for (unsigned l = 0; l <= s->runs.num; l++) {
        if (l < s->runs.num)
            printf("\n  %u/%u", s->runs.sixths[l], CLOCK_SIXTHS);
        else
            printf("\n%5s", "all");
        for (enum clock_misses m = 0; m < NUM_CLOCK_MISSES; m++)
            print_line(l < s->runs.num ? &s->line[m][l] : &s->all[m]);
    }
    printf("\n");
}

/* As keys of the unit dvfs: nanowatts of b0 and b6, femtojoules of the others; thousandths of a miss. */
static void print_settings(const struct pdvfs_study *s)
{
    const struct pdvfs_power *p = &s->power;
    const double reach = 1000 * s->edge[s->slots.num > 1 ? s->slots.num - 2 : 0];
    printf("settings: --set dvfs.misses=%d --set dvfs.highest=%.0f", s->misses == MISSES_L2,
           reach < 1 ? 1 : reach);
    for (unsigned i = 0; i < NUM_PDVFS_EVENTS + 2; i++)
        printf(" --set dvfs.b%u=%.0f", i,
               unsigned_zero(p->b[i] * (i == 0 || i == NUM_PDVFS_EVENTS + 1 ? 1e9 : 1e15), 1));
    printf("\n");
}

static void print_fits(const struct pdvfs_study *s)
{
    const struct pdvfs_line *l = &s->all[s->misses];
    print_lines(s);
    if (l->error)
        printf("note: misses of %s do not tell the time (%s): CPI is taken as %.4f, whatever they "
               "are\n",
               pdvfs_misses_name(s->misses),
               l->error == PDVFS_FIT ? fit_reason(l->why) : pdvfs_reason(l->error), s->speed.c2);
    if (s->no_power)
        printf("note: power by rates and voltage: %s: P-DVFS stays at the highest clock\n",
               pdvfs_reason(s->no_power));
    else {
        printf("power by rates and voltage: mean error %.2f %%, at most %.2f %% (thesis: 6.67, "
               "12.2)\n",
               100 * s->power_mean, 100 * s->power_most);
        print_settings(s);
    }
    const double differ = model_clocks_differ(&s->runs);
    if (differ > 0)
        printf("note: with one clock the program executes %.3f %% more instructions than with "
               "another\n",
               100 * differ);
}

/* Of each slot: time and energy at each clock over those at the highest. */
static void print_slots(const struct pdvfs_study *s)
{
    const struct model_clocks *r = &s->runs;
    const unsigned top = r->num - 1;
    printf("\nslots by misses of %s per warp instruction\n%4s %9s %9s %9s %8s %8s",
           pdvfs_misses_name(s->misses), "slot", "below", "mean", "periods", "share, %", "IPC");
    for (unsigned l = 0; l < top; l++)
        printf("   %u/%u: time energy", r->sixths[l], CLOCK_SIXTHS);
    printf("\n");
    for (unsigned i = 0; i < s->slots.num; i++) {
        if (!s->periods[i])
            continue;
        printf("%4u ", i + 1);
        if (i + 1 < s->slots.num)
            printf("%9.5f", s->edge[i]);
        else
            printf("%9s", "-");
        printf(" %9.5f %9zu %8.2f %8.3f", s->slots.mpi[i], s->periods[i], 100 * s->slots.share[i],
               1 / (s->measured.spi[i][top] * r->hz));
        for (unsigned l = 0; l < top; l++)
            printf("   %9.3f %6.3f", s->seconds[i][l] / s->seconds[i][top],
                   s->joules[i][l] / s->joules[i][top]);
        printf("\n");
    }
}

/* Of all time, how much the loop was at each clock. */
static void print_times(const struct pdvfs_study *s, const struct pdvfs_choice *c)
{
    for (unsigned l = 0; l < s->runs.num; l++)
        printf("%s%u/%u %.1f %%", l ? ", " : "", s->runs.sixths[l], CLOCK_SIXTHS,
               100 * c->at[l] / c->seconds);
    printf(" of its time\n");
}

static void print_choice(const struct pdvfs_study *s, unsigned goal, enum pdvfs_policy policy)
{
    const struct pdvfs_choice *c = &s->choice[goal][policy], *n = &s->choice[goal][POLICY_N_DVFS];
    char sixths[PDVFS_SLOTS + 1];
    if (policy == POLICY_LOOP && c->error) {
        printf("%-8s %s\n", pdvfs_policy_name(policy), pdvfs_reason(c->error));
        return;
    }
    printf("%-8s %+10.2f", pdvfs_policy_name(policy), shown(pdvfs_slower(s, goal, policy)));
    if (c->fitted_seconds > 0)
        printf(" %+8.2f", more(c->fitted_seconds, n->fitted_seconds));
    else
        printf(" %8s", "-");
    printf(" %+10.2f", more(c->joules, n->joules));
    if (c->fitted_seconds > 0)
        printf(" %+8.2f", more(c->fitted_joules, n->fitted_joules));
    else
        printf(" %8s", "-");
    printf(" %+13.2f  ", shown(pdvfs_above(s, goal, policy)));
    if (policy == POLICY_LOOP)
        print_times(s, c);
    else
        printf("%s%s%s\n", pdvfs_sixths(s, c, sixths), c->error ? "  " : "",
               c->error ? pdvfs_reason(c->error) : "");
}

void pdvfs_print(const struct pdvfs_study *s)
{
    print_runs(s);
    print_fits(s);
    print_slots(s);
    for (unsigned g = 0; g < s->goals; g++) {
        char title[24];
        snprintf(title, sizeof title, "%g %%", 100 * s->goal[g]);
        printf("\n%-8s %10s %8s %10s %8s %13s  %s\n", title, "slower, %", "by fits", "energy, %",
               "by fits", "over oracle,%", "clock of each slot, sixths");
        for (enum pdvfs_policy p = 0; p < NUM_POLICIES; p++)
            print_choice(s, g, p);
    }
    printf("\n");
}

/* All programs ----------------------------------------------------------------------------------*/

static void print_mean(const struct pdvfs_study *s, unsigned programs, unsigned goal,
                       enum pdvfs_policy policy, pdvfs_figure *of)
{
    double value;
    if (pdvfs_mean(s, programs, goal, policy, of, &value))
        printf(" %7.2f", shown(value));
    else
        printf(" %7s", "-");
}

static void print_thesis(const struct pdvfs_study *s, unsigned goal, enum pdvfs_policy policy,
                         pdvfs_thesis *of)
{
    double value;
    if (of(s->goal[goal], policy, &value))
        printf(" %6.2f", value);
    else
        printf(" %6s", "-");
}

void pdvfs_print_means(const struct pdvfs_study *s, unsigned programs)
{
    printf("%s, beside the thesis's means of 11\n%-6s %37s   %52s\n%-6s",
           programs > 1 ? "means of the programs" : "the program", "", "slower than N-DVFS, %",
           "energy over the oracle, %", "goal");
    printf(" %7s %6s %7s %7s %6s  ", "F-DVFS", "thesis", "P-DVFS", "loop", "thesis");
    printf(" %7s %6s %7s %6s %7s %7s %6s\n", "N-DVFS", "thesis", "F-DVFS", "thesis", "P-DVFS",
           "loop", "thesis");
    for (unsigned g = 0; g < s->goals; g++) {
        printf("%4g %%", 100 * s->goal[g]);
        print_mean(s, programs, g, POLICY_F_DVFS, pdvfs_slower);
        print_thesis(s, g, POLICY_F_DVFS, pdvfs_thesis_slower);
        print_mean(s, programs, g, POLICY_P_DVFS, pdvfs_slower);
        print_mean(s, programs, g, POLICY_LOOP, pdvfs_slower);
        print_thesis(s, g, POLICY_LOOP, pdvfs_thesis_slower);
        printf("  ");
        for (enum pdvfs_policy p = POLICY_N_DVFS; p < NUM_POLICIES; p++) {
            print_mean(s, programs, g, p, pdvfs_above);
            if (p != POLICY_P_DVFS) /* that of the loop is the same */
                print_thesis(s, g, p, pdvfs_thesis_above);
        }
        printf("\n");
    }
}

/* CSV -------------------------------------------------------------------------------------------*/

/* A field, or an empty one. */
static void write_number(FILE *to, int is, double value)
{
    fputc(',', to);
    if (is)
        fprintf(to, "%.9g", value);
}

static void write_row(FILE *to, const struct pdvfs_study *s, unsigned goal,
                      enum pdvfs_policy policy)
{
    const struct pdvfs_choice *c = &s->choice[goal][policy];
    const int is = c->seconds > 0, fitted = c->fitted_seconds > 0;
    char sixths[PDVFS_SLOTS + 1];
    double slower = 0, above = 0;
    const int has_slower = pdvfs_thesis_slower(s->goal[goal], policy, &slower),
              has_above = pdvfs_thesis_above(s->goal[goal], policy, &above);
    csv_field(to, s->runs.name);
    fprintf(to, ",%s,%g,%s", pdvfs_misses_name(s->misses), 100 * s->goal[goal],
            pdvfs_policy_name(policy));
    write_number(to, is, c->seconds);
    write_number(to, is, c->joules);
    write_number(to, fitted, c->fitted_seconds);
    write_number(to, fitted, c->fitted_joules);
    write_number(to, is, pdvfs_slower(s, goal, policy));
    write_number(to, has_slower, slower);
    write_number(to, is, pdvfs_above(s, goal, policy));
    write_number(to, has_above, above);
    fprintf(to, ",%s\r\n", policy == POLICY_LOOP ? "" : pdvfs_sixths(s, c, sixths));
}

int pdvfs_csv(const char *path, const struct pdvfs_study *s, unsigned programs)
{
    struct file *file = file_create(path, stderr);
    if (!file)
        return -1;
    FILE *to = file_stream(file);
    fputs("program,misses,goal,policy,seconds,joules,fitted_seconds,fitted_joules,slower,"
          "thesis_slower,over_oracle,thesis_over_oracle,sixths\r\n",
          to);
    for (unsigned i = 0; i < programs; i++)
        for (unsigned g = 0; g < s[i].goals; g++)
            for (enum pdvfs_policy p = 0; p < NUM_POLICIES; p++)
                write_row(to, &s[i], g, p);
    return file_commit(file, stderr);
}
