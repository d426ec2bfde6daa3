/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/power_tables.c: what `heddle model power` prints, and writes as comma-separated values. */
#include <stdio.h>
#include <string.h>

#include "tb/cli/csv.h"
#include "tb/cli/model/model.h"
#include "tb/cli/model/power.h"
#include "tb/file.h"

/* The fit -----------------------------------------------------------------------------------------*/

/* The widest of these texts, `least` or more. */
static int width_of(int least, const char *text)
{
    const int length = (int)strlen(text);
    return length > least ? length : least;
}

/* Which share of a run's power an event has, on average over those that have an answer; event -1: the idle SMs. */
static double share_of(const struct power_training *t, int event)
{
    const struct power_model *m = &t->fit.model;
    double sum = 0;
    unsigned num = 0;
    for (unsigned i = 0; i < t->count; i++) {
        const struct power_run *r = &t->runs[i];
        const double watts = event < 0 ? m->idle : m->c[event] * r->is.rates[event];
        if (!(r->fitted > 0))
            continue;
        sum += 100 * watts * t->machine.sms / r->fitted;
        num++;
    }
    return num ? sum / num : 0;
}

static void print_coefficients(const struct power_training *t)
{
    const struct power_model *m = &t->fit.model;
    int width = 12;
    for (unsigned e = 0; e < m->events; e++)
        width = width_of(width, t->events.name[e]);
    printf("%-*s  %12s  %16s\n", width, "", "coefficient", "share of power");
    printf("%-*s  %12.5g W   %12.1f %%\n", width, "an idle SM", m->idle, share_of(t, -1));
    for (unsigned e = 0; e < m->events; e++)
        printf("%-*s  %12.5g nJ  %12.1f %%\n", width, t->events.name[e], 1e9 * m->c[e],
               share_of(t, (int)e));
}

/* Watts that a model says, and by how many per cent they are more than the machine's. */
static void print_said(double says, double is)
{
    if (says > 0)
        printf(" %9.3f %+7.1f %%", says, per_cent_more(says, is));
    else
        printf(" %9s %9s", "-", "-");
}

static void print_runs(const struct power_training *t)
{
    int width = 12;
    for (unsigned i = 0; i < t->count; i++)
        width = width_of(width, t->runs[i].path);
    printf("\n%-*s %9s %9s %9s %9s %9s\n", width, "watts", "machine", "model", "error", "left out",
           "error");
    for (unsigned i = 0; i < t->count; i++) {
        const struct power_run *r = &t->runs[i];
        printf("%-*s %9.3f", width, r->path, r->is.watts);
        print_said(r->fitted, r->is.watts);
        print_said(r->left_out, r->is.watts);
        printf("\n");
    }
}

static void print_errors(const struct power_training *t, const char *what, int left_out)
{
    const struct power_errors e = power_errors_of(t, left_out);
    if (e.num)
        printf("%s: mean error %.2f %%, largest %.2f %% (%s)", what, e.mean, e.worst,
               t->runs[e.which].path);
    else
        printf("%s: no answer", what);
    if (e.num && e.num < t->count)
        printf("; no answer for %u", t->count - e.num);
    printf("\n");
}

void power_print_fit(const struct power_training *t)
{
    const struct fit *f = &t->fit.quality;
    printf("%u runs, %u SM%s, %.0f MHz", t->count, t->machine.sms, t->machine.sms > 1 ? "s" : "",
           t->machine.clock_mhz);
    if (t->machine.without)
        printf("; without the energy of %s", t->machine.without);
    printf("\n\n");
    print_coefficients(t);
    print_runs(t);
    printf("\nR2 %.4f, condition %.3g\n", f->r2, f->condition);
    if (t->fit.model.idle < 0)
        printf("the idle power is below 0: no model of these machines\n");
    print_errors(t, "fitted to all", 0);
    print_errors(t, "each left out", 1);
}

/* Programs beside each other ----------------------------------------------------------------------*/

/* Of the two last columns. */
static void print_sums(const char *name, double together, double alone)
{
    printf("%-24s %72.3f", name, together);
    if (alone > 0)
        printf(" %9.3f", alone);
    printf("\n");
}

static void print_programs(const struct power_shared *s)
{
    const struct model_program *p = s->sharers->programs;
    printf("\n%u ways%s\n", s->sharers->ways,
           s->room_left ? ", which is more than the programs use" : "");
    printf("%-24s %4s %6s %8s %9s %9s %9s %9s %9s\n", "watts", "SMs", "ways", "MPA", "SPI", "P1",
           "P2", "together", "alone");
    for (unsigned i = 0; i < s->sharers->count; i++) {
        const struct power_program *q = &s->programs[i];
        printf("%c: %-21.21s %4u %6.2f %8.4f %9.4f %9.3f %9.3f %9.3f %9.3f\n", (char)('A' + i),
               p[i].name, p[i].sms, q->ways, q->mpa, q->spi, q->part.p1, q->part.p2,
               q->part.p1 + q->part.p2, q->alone);
    }
    printf("%-24s %4u %67.3f %9.3f\n", "idle SMs", s->idle_sms, s->idle, s->idle);
    print_sums("sum", s->together, s->alone);
}

void power_print_shared(const struct power_shared *s)
{
    print_programs(s);
    if (!(s->machine > 0))
        return;
    print_sums("machine", s->machine, 0);
    printf("\nerror: predicted %+.2f %%; as each alone %+.2f %%; ",
           per_cent_more(s->together, s->machine), per_cent_more(s->alone, s->machine));
    if (s->by_rates > 0)
        printf("the model with the machine's rates %+.2f %%\n",
               per_cent_more(s->by_rates, s->machine));
    else
        printf("the model has no answer for the machine's rates\n");
}

/* Comma-separated values --------------------------------------------------------------------------*/

/* Nothing for what is not above 0. */
static void write_watts(FILE *to, double watts)
{
    if (watts > 0)
        fprintf(to, ",%.9g", watts);
    else
        fprintf(to, ",");
}

static void write_error(FILE *to, double says, double is)
{
    if (says > 0 && is > 0)
        fprintf(to, ",%.9g", per_cent_more(says, is));
    else
        fprintf(to, ",");
}

int power_csv_runs(const char *path, const struct power_training *t)
{
    struct file *file = file_create(path, stderr);
    if (!file)
        return -1;
    FILE *to = file_stream(file);
    fprintf(to, "run,machine,model,error,left_out,left_out_error\r\n");
    for (unsigned i = 0; i < t->count; i++) {
        const struct power_run *r = &t->runs[i];
        csv_field(to, r->path);
        write_watts(to, r->is.watts);
        write_watts(to, r->fitted);
        write_error(to, r->fitted, r->is.watts);
        write_watts(to, r->left_out);
        write_error(to, r->left_out, r->is.watts);
        fprintf(to, "\r\n");
    }
    return file_commit(file, stderr);
}

/* The programs, with + between, as a field of all rows. */
static void write_names(FILE *to, const struct model_sharers *s)
{
    char names[CAMP_SHARERS * sizeof s->programs[0].name], *at = names;
    for (unsigned i = 0; i < s->count; i++)
        at += sprintf(at, "%s%s", i ? "+" : "", s->programs[i].name);
    csv_field(to, names);
}

static void write_program(FILE *to, const struct power_shared *s, unsigned i)
{
    const struct model_program *p = &s->sharers->programs[i];
    const struct power_program *q = &s->programs[i];
    write_names(to, s->sharers);
    fputc(',', to);
    csv_field(to, p->name);
    fprintf(to, ",%u,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,,,,,\r\n", p->sms, q->ways, q->mpa, q->spi,
            q->part.p1, q->part.p2, q->part.p1 + q->part.p2, q->alone);
}

int power_csv_shared(const char *path, const struct power_shared *s)
{
    struct file *file = file_create(path, stderr);
    if (!file)
        return -1;
    FILE *to = file_stream(file);
    fprintf(to, "programs,what,sms,ways,mpa,spi,p1,p2,together,alone,machine,error,alone_error,"
                "by_rates,by_rates_error\r\n");
    for (unsigned i = 0; i < s->sharers->count; i++)
        write_program(to, s, i);
    write_names(to, s->sharers);
    fprintf(to, ",idle,%u,,,,,,%.9g,%.9g,,,,,\r\n", s->idle_sms, s->idle, s->idle);
    write_names(to, s->sharers);
    fprintf(to, ",sum,,,,,,,%.9g,%.9g", s->together, s->alone);
    write_watts(to, s->machine);
    write_error(to, s->together, s->machine);
    write_error(to, s->alone, s->machine);
    write_watts(to, s->machine > 0 ? s->by_rates : 0);
    write_error(to, s->by_rates, s->machine);
    fprintf(to, "\r\n");
    return file_commit(file, stderr);
}
