/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/camp_rows.c: what models, profiles and the machine say of two programs; and that as comma-separated values. */
#include <math.h>

#include "tb/cli/csv.h"
#include "tb/cli/model/camp.h"
#include "tb/file.h"

const char *camp_model_name(enum camp_model model)
{
    static const char *const names[NUM_CAMP_MODELS] = {
        [CAMP_CAMP] = "CAMP", [CAMP_AB] = "AB", [CAMP_MB] = "MB"};
    return names[model];
}

int camp_has_answer(const struct camp_pair *p, enum camp_model model)
{
    return !p->error[model] || p->error[model] == CAMP_ROOM_LEFT;
}

double camp_ways_at(const struct camp_pair *p, enum camp_model model, unsigned equilibrium,
                    unsigned program)
{
    const double first = p->says[model].first[equilibrium];
    if (p->error[model] == CAMP_ROOM_LEFT && model == CAMP_CAMP)
        return p->uses[program];
    return program ? p->ways - first : first;
}

struct camp_row camp_row_with(const struct camp_pair *p, const double ways[MODEL_PAIR])
{
    struct camp_row r;
    for (unsigned i = 0; i < MODEL_PAIR; i++) {
        const struct camp_program *camp = &p->programs[i].camp;
        r.ways[i] = ways[i];
        r.mpa[i] = camp_mpa(&camp->curve, ways[i]);
        r.spi[i] = camp_spi(camp, ways[i]);
        r.over[i] = camp_spi(camp, p->ways) / r.spi[i];
    }
    return r;
}

struct camp_row camp_row_at(const struct camp_pair *p, enum camp_model model, unsigned equilibrium)
{
    const double ways[MODEL_PAIR] = {camp_ways_at(p, model, equilibrium, 0),
                                     camp_ways_at(p, model, equilibrium, 1)};
    return camp_row_with(p, ways);
}

struct camp_row camp_row_measured(const struct camp_pair *p)
{
    struct camp_row r;
    for (unsigned i = 0; i < MODEL_PAIR; i++) {
        r.ways[i] = p->measured->ways[i];
        r.mpa[i] = p->measured->mpa[i];
        r.spi[i] = p->measured->spi[i];
        r.over[i] = model_program_alone(&p->programs[i], p->ways) / r.spi[i];
    }
    return r;
}

int camp_row_by_spi(const struct camp_pair *p, struct camp_row *r)
{
    if (p->by_spi_error)
        return -1;
    const double first = p->by_spi.first[p->by_spi.answer],
                 ways[MODEL_PAIR] = {first, p->ways - first};
    *r = camp_row_with(p, ways);
    for (unsigned i = 0; i < MODEL_PAIR; i++)
        r->spi[i] = p->measured->spi[i];
    return 0;
}

/* A row for each program. `says`: NULL where a model has no answer. */
static void write_rows(FILE *to, const struct camp_pair *p, const char *model,
                       const struct camp_row *says, const struct camp_row *is)
{
    for (unsigned i = 0; i < MODEL_PAIR && says; i++) {
        const struct model_program *its = &p->programs[i];
        csv_field(to, p->programs[0].name);
        fputc(',', to);
        csv_field(to, p->programs[1].name);
        fprintf(to, ",%s,", model);
        csv_field(to, its->name);
        fputc(',', to);
        csv_field(to, p->programs[1 - i].name);
        fprintf(to, ",%u,%u,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", i, its->sms, its->camp.api,
                p->programs[1 - i].camp.api, its->level ? 1 : its->fit.r2,
                camp_spi(&its->camp, p->ways / 2.) / camp_spi(&its->camp, p->ways),
                model_program_alone(its, p->ways), says->ways[i], says->mpa[i], says->spi[i]);
        if (is)
            fprintf(to, ",%.6g,%.6g,%.6g\n", is->ways[i], is->mpa[i], is->spi[i]);
        else
            fputs(",,,\n", to);
    }
}

int camp_csv(const char *path, const struct camp_pair *p)
{
    struct file *file = file_create(path, stderr);
    if (!file)
        return -1;
    FILE *to = file_stream(file);
    const struct camp_row is = p->measured ? camp_row_measured(p) : (struct camp_row){0};
    fputs("first,second,model,name,beside,side,sms,api,beside_api,r2,half,alone_spi,ways,mpa,spi,"
          "machine_ways,machine_mpa,machine_spi\n",
          to);
    for (enum camp_model m = 0; m < NUM_CAMP_MODELS; m++) {
        const int answers = camp_has_answer(p, m);
        const struct camp_row says =
            answers ? camp_row_at(p, m, p->says[m].answer) : (struct camp_row){0};
        write_rows(to, p, camp_model_name(m), answers ? &says : NULL, p->measured ? &is : NULL);
    }
    if (p->measured) {
        const struct camp_row known = camp_row_with(p, is.ways);
        write_rows(to, p, "known", &known, &is);
        struct camp_row by_spi;
        if (!camp_row_by_spi(p, &by_spi))
            write_rows(to, p, "known_spi", &by_spi, &is);
    }
    return file_commit(file, stderr);
}
