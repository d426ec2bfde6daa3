/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/camp_tables.c: what `heddle model camp` prints. */
#include <math.h>
#include <stdio.h>

#include "tb/cli/model/camp.h"
#include "tb/cli/model/model.h"
#include "tb/cli/model/sharing.h"

void camp_print_alone(const struct model_program *p, char letter)
{
    const struct fit *f = &p->fit;
    printf("%c: %s alone, %u SM%s: %.4f accesses per instruction; ", letter, p->name, p->sms,
           p->sms > 1 ? "s" : "", p->camp.api);
    if (p->level)
        printf("MPA hardly varies, SPI is taken as %.4f\n", p->camp.beta);
    else
        printf("SPI = %.4f MPA %c %.4f, R2 %.3f\n", p->camp.alpha, p->camp.beta < 0 ? '-' : '+',
               fabs(p->camp.beta), f->r2);
    printf("%5s %8s %8s %12s %9s%s\n", "ways", "MPA", "SPI", "by the line", "error",
           p->by_stacks ? "  MPA by stacks" : "");
    for (unsigned i = 0; i < p->num; i++) {
        const double spi = p->camp.alpha * p->runs[i].mpa + p->camp.beta;
        printf("%5u %8.4f %8.4f %12.4f %+7.1f %%", p->ways[i], p->runs[i].mpa, p->runs[i].spi, spi,
               unsigned_zero(per_cent_more(spi, p->runs[i].spi), .1));
        if (p->by_stacks)
            printf(" %14.4f", camp_mpa(&p->camp.curve, p->ways[i]));
        printf("\n");
    }
    printf("\n");
}

/* Two programs ----------------------------------------------------------------------------------*/

static void print_row(const char *name, const struct camp_row *r, const char *remark)
{
    printf("%-10s %6.2f %6.2f %8.4f %8.4f %9.4f %9.4f %6.3f %6.3f%s%s\n", name, r->ways[0],
           r->ways[1], r->mpa[0], r->mpa[1], r->spi[0], r->spi[1], r->over[0], r->over[1],
           *remark ? "  " : "", remark);
}

/* All equilibria, the answer first. */
static void print_model(const struct camp_pair *p, enum camp_model model)
{
    const struct camp_equilibria *e = &p->says[model];
    const char *name = camp_model_name(model);
    if (!camp_has_answer(p, model)) {
        printf("%-10s %s\n", name, camp_reason(p->error[model]));
        return;
    }
    for (unsigned i = 0; i < e->num; i++) {
        const unsigned which = i == 0 ? e->answer : i <= e->answer ? i - 1 : i;
        const int unstable = e->unstable >> which & 1;
        const struct camp_row r = camp_row_at(p, model, which);
        print_row(i ? "" : name, &r,
                  p->error[model] ? camp_reason(p->error[model])
                  : i ? (unstable ? "another equilibrium, unstable" : "another equilibrium")
                      : (unstable ? "unstable" : ""));
    }
}

static void print_error(const char *name, const struct camp_row *says, const struct camp_row *is)
{
    double ways[MODEL_PAIR], mpa[MODEL_PAIR], spi[MODEL_PAIR];
    for (unsigned i = 0; i < MODEL_PAIR; i++) {
        ways[i] = unsigned_zero(says->ways[i] - is->ways[i], .01);
        mpa[i] = unsigned_zero(100 * (says->mpa[i] - is->mpa[i]), .01);
        spi[i] = unsigned_zero(per_cent_more(says->spi[i], is->spi[i]), .01);
    }
    printf("%-10s %+6.2f %+6.2f %+8.2f %+8.2f %+9.2f %+9.2f %8.2f\n", name, ways[0], ways[1],
           mpa[0], mpa[1], spi[0], spi[1], (fabs(spi[0]) + fabs(spi[1])) / 2);
}

/* Of each model's answer; of what the profiles say with the ways that the machine gave: an error that is left there is none of a model's
 * ways; and of what CAMP says with the SPI that the machine had: an error of the ways that is left there is none of SPI. */
static void print_errors(const struct camp_pair *p, const struct camp_row *is)
{
    printf("\n%-10s %13s %17s %19s %8s\n", "error", "ways", "MPA, points", "SPI, %", "mean");
    for (enum camp_model m = 0; m < NUM_CAMP_MODELS; m++) {
        const struct camp_row says = camp_row_at(p, m, p->says[m].answer);
        if (camp_has_answer(p, m))
            print_error(camp_model_name(m), &says, is);
    }
    const struct camp_row known = camp_row_with(p, is->ways);
    print_error("known ways", &known, is);
    struct camp_row by_spi;
    if (!camp_row_by_spi(p, &by_spi))
        print_error("known SPI", &by_spi, is);
}

void camp_print_pair(const struct camp_pair *p)
{
    printf("A: %s, B: %s; %u ways\n\n", p->programs[0].name, p->programs[1].name, p->ways);
    printf("%-10s %13s %17s %19s %13s\n", "", "ways", "MPA", "SPI", "over alone");
    printf("%-10s %6s %6s %8s %8s %9s %9s %6s %6s\n", "", "A", "B", "A", "B", "A", "B", "A", "B");
    for (enum camp_model m = 0; m < NUM_CAMP_MODELS; m++)
        print_model(p, m);
    if (!p->measured)
        return;
    const struct camp_row is = camp_row_measured(p);
    print_row("machine", &is, "");
    print_errors(p, &is);
    model_sharers_note(p->programs, p->measured);
}

/* Several programs ------------------------------------------------------------------------------*/

void camp_print_share(const struct model_program *programs, unsigned num, unsigned ways,
                      const struct camp_share *share)
{
    printf("CAMP, %u ways\n%-24s %6s %8s %9s %10s\n", ways, "", "ways", "MPA", "SPI", "over alone");
    for (unsigned i = 0; i < num; i++) {
        const struct camp_program *camp = &programs[i].camp;
        const double spi = camp_spi(camp, share->ways[i]);
        printf("%c: %-21.21s %6.2f %8.4f %9.4f %10.3f\n", (char)('A' + i), programs[i].name,
               share->ways[i], camp_mpa(&camp->curve, share->ways[i]), spi,
               camp_spi(camp, ways) / spi);
    }
}
