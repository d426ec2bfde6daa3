/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/search/generation.c: the fitness of a generation's designs: one sweep for each generation, so that what was run is not run again when the
 * search is. The fitness of a design is the geometric mean, over the kernels of all workloads, of its speed over the baseline's (RLWS IV-H). */
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "hw.h"
#include "tb/cli/cli.h"
#include "tb/cli/search/search.h"
#include "tb/cli/sweep/store.h"
#include "tb/cli/sweep/sweep.h"
#include "tb/file.h"

static void begin_group(const struct search *s, FILE *to, int number, const char *policy)
{
    fprintf(to, "[%d]\nconfig = %s\nworkload = %s\nsize = %s\nrun.sched = %s\n", number,
            CONFIG_NAME, s->workloads, s->size, policy);
}

/* Runs the points of a file that stands complete. A point that is broken ends the search: its design has no fitness. */
static int sweep(const struct search *s, char *path)
{
    char name[] = "heddle sweep", forget[] = "--forget", *words[16] = {name, forget};
    int count = 2;
    for (int i = 0; i < s->num_sweep && count < 14; i++)
        words[count++] = s->sweep[i];
    words[count++] = path;
    return command_sweep(count, words);
}

/* Cycles of the kernels of a group of a sweep: workload, kernel, cycles. */
static const char *const cycles_of =
    "SELECT workload, substr(name, 8, length(name) - 14), value FROM results JOIN points ON point "
    "= id"
    " WHERE \"group\" = ?1 AND name GLOB 'kernel.*.cycles' AND name NOT GLOB '*.found.cycles'"
    " ORDER BY id, name";

int baseline_run(struct search *s)
{
    char *path = text_of("%s/baseline.ini", s->folder),
         *results = text_of("%s/baseline.sqlite", s->folder);
    struct file *file = file_create(path, stderr);
    int status = EXIT_USAGE;
    if (file) {
        fprintf(file_stream(file), "; What designs are compared with, from `heddle search`.\n");
        begin_group(s, file_stream(file), 1, s->compared);
        status = file_commit(file, stderr) ? EXIT_USAGE : sweep(s, path);
    }
    sqlite3 *db = status ? NULL : store_open(results, 0);
    if (db) {
        sqlite3_stmt *query = store_query(db, cycles_of);
        sqlite3_bind_text(query, 1, "1", -1, SQLITE_STATIC);
        while (store_step(query)) {
            s->baselines =
                more(s->baselines, (size_t)(s->num_baselines + 1) * sizeof *s->baselines);
            s->baselines[s->num_baselines++] = (struct baseline){
                text_of("%s", sqlite3_column_text(query, 0)),
                text_of("%s", sqlite3_column_text(query, 1)), sqlite3_column_double(query, 2)};
        }
        sqlite3_finalize(query);
        sqlite3_close(db);
    }
    free(results);
    free(path);
    return status ? status : s->num_baselines ? 0 : EXIT_USAGE;
}

static double baseline_cycles(const struct search *s, const char *workload, const char *kernel)
{
    for (int i = 0; i < s->num_baselines; i++)
        if (!strcmp(s->baselines[i].workload, workload) && !strcmp(s->baselines[i].kernel, kernel))
            return s->baselines[i].cycles;
    return 0;
}

/* The fitness of the design of a group; 0 with a message where kernels are missing. */
static double fitness_of(const struct search *s, sqlite3_stmt *query, int group)
{
    char number[16];
    double sum = 0;
    int kernels = 0;
    snprintf(number, sizeof number, "%d", group);
    sqlite3_bind_text(query, 1, number, -1, SQLITE_TRANSIENT);
    while (store_step(query)) {
        const double base = baseline_cycles(s, (const char *)sqlite3_column_text(query, 0),
                                            (const char *)sqlite3_column_text(query, 1)),
                     cycles = sqlite3_column_double(query, 2);
        if (base > 0 && cycles > 0) {
            sum += log(base / cycles);
            kernels++;
        }
    }
    sqlite3_reset(query);
    if (kernels == s->num_baselines)
        return exp(sum / kernels);
    fprintf(stderr, "heddle search: design %d ran %d kernels, the baseline %d\n", group, kernels,
            s->num_baselines);
    return 0;
}

static const struct candidate *find(const struct candidate *in, int count, const struct design *d)
{
    for (int i = 0; i < count; i++)
        if (design_same(&in[i].design, d))
            return &in[i];
    return NULL;
}

/* Adds the designs of a generation that are not known yet, each once, without a fitness. */
static int add_unknown(struct search *s, const struct candidate *of)
{
    int count = 0;
    s->known = more(s->known, (size_t)(s->num_known + s->population) * sizeof *s->known);
    for (int i = 0; i < s->population; i++)
        if (!find(s->known, s->num_known + count, &of[i].design))
            s->known[s->num_known + count++] = of[i];
    return count;
}

static int write_designs(const struct search *s, const struct candidate *of, int count,
                         const char *path)
{
    struct file *file = file_create(path, stderr);
    if (!file)
        return -1;
    char *prefix = text_of("%s.", s->stem);
    fprintf(file_stream(file), "; The designs of a generation, from `heddle search`.\n");
    for (int i = 0; i < count; i++) {
        begin_group(s, file_stream(file), i + 1, s->policy);
        design_print(&of[i].design, prefix, file_stream(file));
    }
    free(prefix);
    return file_commit(file, stderr);
}

/* Runs designs, and gives each its fitness. */
static int run(const struct search *s, int number, struct candidate *of, int count)
{
    char *path = text_of("%s/generation-%03d.ini", s->folder, number),
         *results = text_of("%s/generation-%03d.sqlite", s->folder, number);
    int status = write_designs(s, of, count, path) ? EXIT_USAGE : sweep(s, path);
    sqlite3 *db = status ? NULL : store_open(results, 0);
    if (db) {
        sqlite3_stmt *query = store_query(db, cycles_of);
        for (int i = 0; i < count && !status; i++) {
            of[i].fitness = fitness_of(s, query, i + 1);
            status = of[i].fitness > 0 ? 0 : EXIT_USAGE;
        }
        sqlite3_finalize(query);
        sqlite3_close(db);
    } else if (!status)
        status = EXIT_USAGE;
    free(results);
    free(path);
    return status;
}

int generation_run(struct search *s, int number, struct candidate *candidates)
{
    const int unknown = add_unknown(s, candidates),
              status = unknown ? run(s, number, &s->known[s->num_known], unknown) : 0;
    struct generation g = {.new_designs = unknown};
    if (status)
        return status;
    s->num_known += unknown;
    for (int i = 0; i < s->population; i++) {
        candidates[i].fitness = find(s->known, s->num_known, &candidates[i].design)->fitness;
        g.best = fmax(g.best, candidates[i].fitness);
        g.mean += candidates[i].fitness / s->population;
    }
    g.best_so_far = number ? fmax(g.best, s->history[number - 1].best_so_far) : g.best;
    s->history[number] = g;
    return 0;
}

int search_best(const struct search *s, struct candidate *best, int count)
{
    int found = 0;
    for (int i = 0; i < s->num_known; i++) {
        int at = found;
        while (at > 0 && best[at - 1].fitness < s->known[i].fitness)
            at--;
        if (at == count)
            continue;
        found += found < count;
        memmove(&best[at + 1], &best[at], (size_t)(found - at - 1) * sizeof *best);
        best[at] = s->known[i];
    }
    return found;
}
