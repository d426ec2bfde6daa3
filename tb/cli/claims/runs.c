/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/runs.c: see runs.h. */
#include "tb/cli/claims/runs.h"

#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/sweep/sweep.h"
#include "tb/file.h"

static struct plan *plan_of(const struct runs *r, int ledger, int variant)
{
    return &r->plans[ledger * (r->variants->count + 1) + variant + 1];
}

static int named(const struct claim *c, const char *group)
{
    for (int i = 0; i < c->num_runs; i++)
        if (!strcmp(c->runs[i], group))
            return 1;
    return 0;
}

/* Does a claim's sign need this run on other machines? */
static int robust(const struct ledger *l, const char *group)
{
    for (int c = 0; c < l->count; c++)
        for (int v = 0; v < l->claims[c].num_values; v++)
            if (l->claims[c].values[v].robust && named(&l->claims[c], group))
                return 1;
    return 0;
}

struct amender {
    const struct ledger *ledger;
    struct variant *variant;
};

/* As plan_style.amend: a variant's runs are those that a sign depends on. */
static int amend(void *user, const char *group, const struct config *config,
                 struct setting settings[MAX_SETTINGS], int count, struct arena *memory)
{
    const struct amender *a = user;
    return robust(a->ledger, group) ? variant_amend(a->variant, config, settings, count, memory)
                                    : -1;
}

static struct table *table_of(const struct runs *r, const char *name)
{
    for (int i = 0; i < r->num_tables; i++)
        if (!strcmp(r->tables[i].name, name))
            return &r->tables[i];
    return NULL;
}

static int read_tables(struct runs *r, const struct claim *c, FILE *err)
{
    for (int i = 0; i < c->num_tables; i++) {
        if (table_of(r, c->tables[i]))
            continue;
        r->tables = more(r->tables, (size_t)(r->num_tables + 1) * sizeof *r->tables);
        if (table_load(&r->tables[r->num_tables++], r->folder, c->tables[i], err))
            return -1;
    }
    return 0;
}

int runs_read(struct runs *r, FILE *err)
{
    const int each = r->variants->count + 1;
    r->plans = more(NULL, (size_t)(r->num_ledgers * each) * sizeof *r->plans);
    memset(r->plans, 0, (size_t)(r->num_ledgers * each) * sizeof *r->plans);
    for (int l = 0; l < r->num_ledgers; l++)
        for (int v = -1; v < r->variants->count; v++) {
            struct amender amender = {&r->ledgers[l], v < 0 ? NULL : &r->variants->variants[v]};
            const struct plan_style style = {"runs", r->size, v < 0 ? NULL : amend, &amender};
            if (plan_read_part(plan_of(r, l, v), r->ledgers[l].path, &style, err))
                return -1;
        }
    for (int l = 0; l < r->num_ledgers; l++)
        for (int c = 0; c < r->ledgers[l].count; c++)
            if (read_tables(r, &r->ledgers[l].claims[c], err))
                return -1;
    r->results = results_open(r->folder);
    return 0;
}

void runs_free(struct runs *r)
{
    for (int i = 0; r->plans && i < r->num_ledgers * (r->variants->count + 1); i++)
        plan_free(&r->plans[i]);
    for (int i = 0; i < r->num_tables; i++)
        table_drop(&r->tables[i]);
    free(r->tables);
    free(r->plans);
    free(r->wanted);
    if (r->results)
        results_close(r->results);
}

/* What a claim may speak of: its runs and, behind them, the rows of its tables, which are nothing but settings. */
struct of_claim {
    struct results *results;
    int num_runs;
    struct point points[];
};

static int fetch(void *user, int point, const char *name, double *value, char why[128])
{
    struct of_claim *of = user;
    if (point >= of->num_runs)
        return 1;
    return results_fetch(of->results, &of->points[point], name, value, why);
}

static int kernels(void *user, int point, const char ***names, struct arena *memory, char why[128])
{
    struct of_claim *of = user;
    if (point >= of->num_runs)
        return 0;
    return results_kernels(of->results, &of->points[point], names, memory, why);
}

void runs_of(struct runs *r, const struct claim *c, int variant, struct expr_source *source)
{
    const struct plan *plan = plan_of(r, (int)(c->ledger - r->ledgers), variant);
    int count = 0, rows = 0;
    const char *lacks = NULL;
    for (int i = 0; i < c->num_tables; i++) {
        const struct table *t = table_of(r, c->tables[i]);
        rows += t->count;
        lacks = t->found ? lacks : t->path;
    }
    struct of_claim *of =
        more(NULL, sizeof *of + ((size_t)(plan->count + rows) + 1) * sizeof of->points[0]);
    of->results = r->results;
    for (int i = 0; i < plan->count; i++)
        if (named(c, plan->points[i].group))
            of->points[count++] = plan->points[i];
    of->num_runs = count;
    for (int i = 0; i < c->num_tables; i++) {
        const struct table *t = table_of(r, c->tables[i]);
        if (t->count)
            memcpy(&of->points[count], t->rows, (size_t)t->count * sizeof *t->rows);
        count += t->count;
    }
    *source = (struct expr_source){of->points, count, fetch, kernels, of, NULL, lacks};
}

void runs_forget(struct expr_source *source)
{
    free(source->user);
}

/* Adds to a list of pointers that grows. */
static void add_point(const struct point ***list, int *count, const struct point *p)
{
    if ((*count & (*count - 1)) == 0) /* 0, 1, 2, 4, ...: full */
        *list = more(*list, (size_t)(*count ? 2 * *count : 1) * sizeof **list);
    (*list)[(*count)++] = p;
}

void runs_want(struct runs *r, const struct claim *c)
{
    const struct plan *plan = plan_of(r, (int)(c->ledger - r->ledgers), -1);
    for (int i = 0; i < plan->count; i++)
        if (named(c, plan->points[i].group))
            add_point(&r->wanted, &r->num_wanted, &plan->points[i]);
}

/* A variant, on which what is asked for is wanted, and is as on the machine as it is. */
struct wanting {
    struct runs *runs;
    const struct plan *plan;
    const struct expr_source *there, *here;
};

static int want(void *user, int point, const char *name, double *value, char why[128])
{
    const struct wanting *w = user;
    int i = 0;
    while (strcmp(w->plan->points[i].text, w->there->points[point].text) != 0)
        i++;
    add_point(&w->runs->wanted, &w->runs->num_wanted, &w->plan->points[i]);
    return w->here->fetch(w->here->user, point, name, value, why);
}

void runs_want_signs(struct runs *r, const struct claim *const *claims, int count)
{
    free(r->wanted);
    r->wanted = NULL;
    r->num_wanted = 0;
    for (int c = 0; c < count; c++)
        for (int v = 0; v < r->variants->count; v++) {
            struct expr_source here, there;
            struct expr_error error;
            double value;
            runs_of(r, claims[c], -1, &here);
            runs_of(r, claims[c], v, &there);
            struct wanting w = {r, plan_of(r, (int)(claims[c]->ledger - r->ledgers), v), &there,
                                &here};
            const struct expr_source asked = {there.points, there.count, want, NULL,
                                              &w,           &here,       NULL};
            for (int i = 0; i < claims[c]->num_values; i++)
                if (claims[c]->values[i].robust) /* what is wrong with it, judge() says */
                    expr_value(claims[c]->values[i].ours, &asked, &value, &error);
            runs_forget(&here);
            runs_forget(&there);
        }
}

static int by_text(const void *a, const void *b)
{
    return strcmp((*(const struct point *const *)a)->text, (*(const struct point *const *)b)->text);
}

/* All runs of a configuration, each once, ordered by text. */
static const struct point **all_of(const struct runs *r, const char *config, int *count)
{
    const struct point **all = NULL;
    int unique = 0;
    *count = 0;
    for (int l = 0; l < r->num_ledgers; l++)
        for (int v = -1; v < r->variants->count; v++) {
            const struct plan *plan = plan_of(r, l, v);
            for (int i = 0; i < plan->count; i++)
                if (!strcmp(plan->points[i].config, config))
                    add_point(&all, count, &plan->points[i]);
        }
    if (*count)
        qsort(all, (size_t)*count, sizeof *all, by_text);
    for (int i = 0; i < *count; i++)
        if (!i || strcmp(all[i]->text, all[unique - 1]->text) != 0)
            all[unique++] = all[i];
    *count = unique;
    return all;
}

static int write_sweep(const struct point **all, int count, const char *path)
{
    struct file *file = file_create(path, stderr);
    if (!file)
        return -1;
    FILE *to = file_stream(file);
    fprintf(to, "; The runs that the ledger of claims needs, from `heddle claims`.\n");
    for (int i = 0; i < count; i++) {
        const struct point *p = all[i];
        fprintf(to, "[%d]\nconfig = %s\nworkload = %s\n", i + 1, p->config, p->workload);
        if (*p->size)
            fprintf(to, "size = %s\n", p->size);
        if (*p->args)
            fprintf(to, "args = \"%s\"\n", p->args);
        for (int s = 0; s < p->num_settings; s++)
            fprintf(to, "%s = %s\n", p->settings[s].key, p->settings[s].value);
    }
    return file_commit(file, stderr);
}

/* The numbers of the wanted runs of a configuration, as --points takes them; "": none. How many
 * they are, and how many of them are done. */
static char *points_of(const struct runs *r, const struct point **all, int count, int *wanted,
                       int *done)
{
    char *list = NULL, *chosen = more(NULL, (size_t)count + 2);
    size_t size;
    memset(chosen, 0, (size_t)count + 2);
    *wanted = *done = 0;
    for (int i = 0; i < r->num_wanted; i++) {
        const struct point **found =
            count ? bsearch(&r->wanted[i], all, (size_t)count, sizeof *all, by_text) : NULL;
        if (found && !chosen[found - all + 1]) {
            chosen[found - all + 1] = 1;
            ++*wanted;
            *done += results_have(r->results, *found);
        }
    }
    FILE *to = open_memstream(&list, &size);
    if (!to)
        no_memory();
    for (int from = 1, to_number; from <= count; from = to_number + 1) {
        to_number = from;
        if (!chosen[from])
            continue;
        while (chosen[to_number + 1])
            to_number++;
        fprintf(to, "%s%d-%d", ftell(to) ? "," : "", from, to_number);
    }
    fclose(to);
    free(chosen);
    return list;
}

static int sweep_config(struct runs *r, const char *config, int dry, char *const *options,
                        int num_options)
{
    int count, wanted, done, status = 0;
    const struct point **all = all_of(r, config, &count);
    char *list = points_of(r, all, count, &wanted, &done),
         *file = text_of("%s/%s.ini", r->folder, config), *points = text_of("--points=%s", list),
         name[] = "heddle sweep", forget[] = "--forget";
    fprintf(stderr, "%s: %d runs, %d of them done\n", config, wanted, done);
    if (!dry && wanted) {
        char *words[16] = {name, points, forget};
        int words_count = 3;
        for (int i = 0; i < num_options && words_count < 14; i++)
            words[words_count++] = options[i];
        words[words_count++] = file;
        status = write_sweep(all, count, file) ? EXIT_USAGE : command_sweep(words_count, words);
    }
    free(points);
    free(file);
    free(list);
    free(all);
    return status == EXIT_BROKEN ? 0 : status; /* a claim says which run it lacks */
}

int runs_sweep(struct runs *r, int dry, char *const *options, int num_options)
{
    int status = 0;
    for (int i = 0; i < r->num_wanted && !status; i++) {
        int first = 0;
        while (strcmp(r->wanted[first]->config, r->wanted[i]->config) != 0)
            first++;
        if (first == i)
            status = sweep_config(r, r->wanted[i]->config, dry, options, num_options);
    }
    if (!dry) { /* what was read before is old */
        results_close(r->results);
        r->results = results_open(r->folder);
    }
    return status;
}
