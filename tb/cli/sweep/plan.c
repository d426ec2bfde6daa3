/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/plan.c: see plan.h. */
#include "tb/cli/sweep/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hw.h"
#include "tb/cli/cli.h"
#include "tb/cli/sweep/groups.h"
#include "tb/cli/sweep/memory.h"

/* What a group's keys are at this point. */
struct choice {
    const struct item *item;
    int64_t number; /* of an item without a word */
};

/* A configuration that some group names, as its build has it. */
struct base {
    const char *name;
    struct config config; /* that of this build where it is not built */
    int built;
};

struct maker {
    struct plan *plan;
    const struct plan_style *style; /* NULL: the file is a sweep */
    struct groups groups;
    struct base *bases;
    int num_bases;
};

const char *plan_file(char path[PATH_MAX], const char *config, const char *file)
{
    /* build/gtx480-san has its neighbours in build/<config>-san */
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", build_path(7, ""));
    folder[strlen(folder) - 1] = 0;
    const char *self = strrchr(folder, '/') + 1;
    const char *mode =
        !strncmp(self, CONFIG_NAME, strlen(CONFIG_NAME)) ? self + strlen(CONFIG_NAME) : "";
    if (snprintf(path, PATH_MAX, "%.*s%s%s/%s", (int)(self - folder), folder, config, mode, file) >=
        PATH_MAX)
        *path = 0; /* a file that is nowhere */
    return path;
}

/* Repeats the first line of a message, without its own origin. */
static int fail_at(struct maker *m, unsigned line, const char *text)
{
    static const char *const origins[] = {"--set: ", "heddle: "};
    for (int i = 0; i < 2; i++)
        if (!strncmp(text, origins[i], strlen(origins[i])))
            text += strlen(origins[i]);
    m->groups.at.line = line;
    return ini_fail(&m->groups.at, "%.*s", (int)strcspn(text, "\n"), text);
}

/* A plain name, which cannot lead elsewhere as a part of a path. */
static int plain(const char *name)
{
    return *name && !strchr(name, '/') && *name != '.';
}

/* Reads a configuration without a word: an old build may lack keys. */
static int read_quietly(struct config *c, const char *path)
{
    char *told = NULL;
    size_t size;
    FILE *err = open_memstream(&told, &size);
    if (!err)
        no_memory();
    const int failed = config_read(c, path, err);
    fclose(err);
    free(told);
    return failed;
}

/* The configuration's base, NULL after an error. */
static const struct base *base_of(struct maker *m, const struct group *g, const char *name)
{
    char path[PATH_MAX], file[300];
    const struct entry *e = group_entry(g, ENTRY_CONFIG);
    for (int i = 0; i < m->num_bases; i++)
        if (!strcmp(m->bases[i].name, name))
            return &m->bases[i];
    m->groups.at.line = e ? e->line : g->line;
    snprintf(file, sizeof file, "%s.ini", name);
    int built = plain(name) && !access(plan_file(path, name, file), R_OK) &&
                !access(plan_file(path, name, "heddle"), X_OK);
    if (!built && !m->style) {
        ini_fail(&m->groups.at,
                 "config = %s is not built: `heddle list configs` shows what is; `make build "
                 "CONFIG=%s` builds it",
                 name, name);
        return NULL;
    }
    m->bases = more(m->bases, (size_t)(m->num_bases + 1) * sizeof *m->bases);
    struct base *base = &m->bases[m->num_bases];
    if (built && m->style && read_quietly(&base->config, plan_file(path, name, file)))
        built = 0;
    if (config_read(&base->config,
                    built ? plan_file(path, name, file) : build_path(6, CONFIG_NAME ".ini"),
                    m->groups.at.err)) {
        m->groups.at.failed = 1; /* and told */
        return NULL;
    }
    base->name = name;
    base->built = built;
    m->num_bases++;
    return base;
}

static int check_size(struct maker *m, const struct group *g, const char *size)
{
    if (!*size || is_size(size))
        return 0;
    const struct entry *e = group_entry(g, ENTRY_SIZE);
    m->groups.at.line = e ? e->line : g->line;
    return ini_fail(&m->groups.at, "size = %s; expected small, medium, large or a number from 1",
                    size);
}

static int set_own(const struct setting *s, FILE *err)
{
    if (!strcmp(s->value, "0") || !strcmp(s->value, "1"))
        return 0;
    fprintf(err, "%s = %s; expected 0 or 1", s->key, s->value);
    return -1;
}

/* A file: "@WORD", the same in all settings of a point. */
static int set_other(const struct point *p, const struct setting *s, FILE *err)
{
    const char *word = other_run(s->value), *first = point_other_run(p);
    const int known = is_size(word) || stands_alone(word);
    if (known && !strcmp(word, first))
        return 0;
    if (known)
        fprintf(err, "%s = %s; expected @%s, as of another key", s->key, s->value, first);
    else
        fprintf(err,
                "%s = %s; expected behind the @ small, medium, large or a number from 1, whose "
                "profile it is, or a policy that needs no file, whose statistics",
                s->key, s->value);
    return -1;
}

/* The settings one by one, then together; and what runs with them. */
static int check_point(struct maker *m, const struct group *g, const struct base *base,
                       const struct point *p)
{
    struct config c = base->config;
    char *text = NULL;
    size_t size;
    int failed = 0;
    unsigned line = g->line;
    FILE *told = open_memstream(&text, &size);
    if (!told)
        no_memory();
    for (int i = 0; i < p->num_settings && !failed; i++) {
        char assignment[CONFIG_PATH_SIZE + 128];
        for (int e = 0; e < g->count; e++)
            if (!strcmp(g->entries[e].key, p->settings[i].key))
                line = g->entries[e].line;
        failed = snprintf(assignment, sizeof assignment, "%s=%s", p->settings[i].key,
                          p->settings[i].value) >= (int)sizeof assignment;
        if (failed)
            fprintf(told, "%s: expected at most %d characters", p->settings[i].key,
                    CONFIG_PATH_SIZE - 1);
        else if (is_sweep_key(p->settings[i].key))
            failed = set_own(&p->settings[i], told);
        else
            failed = config_set(&c, assignment, told) ||
                     (other_run(p->settings[i].value) && set_other(p, &p->settings[i], told));
    }
    if (!failed && point_has(p, "profile") && point_has(p, "launches")) {
        line = g->line;
        fprintf(told, "profile = 1 and launches = 1; expected one of them, as a profile is of all "
                      "launches of a kernel");
        failed = -1;
    }
    if (!failed && c.run_fold && point_has(p, "launches")) {
        line = g->line;
        fprintf(told, "run.fold = 1 and launches = 1; expected one of them, as folded launches "
                      "are one");
        failed = -1;
    }
    if (!failed && base->built) {
        line = g->line;
        failed = check_run_words(&c, told) ||
                 (!strcmp(p->config, CONFIG_NAME) ? config_check(&c, told)
                                                  : config_check_values(&c, told));
    }
    if (!failed) {
        line = group_entry(g, ENTRY_WORKLOAD)->line;
        failed =
            workload_check(p, !m->style, told) || replay_check(p, base->built ? &c : NULL, told);
    }
    fclose(told);
    if (failed)
        fail_at(m, line, text);
    free(text);
    return failed ? -1 : 0;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct setting *)a)->key, ((const struct setting *)b)->key);
}

/* Adds settings to those of a point, p->num_settings so far, unless one is there already. */
static int add_settings(struct maker *m, struct point *p, struct setting settings[MAX_SETTINGS],
                        const struct setting *added, int count)
{
    for (int i = 0; i < count; i++) {
        for (int s = 0; s < p->num_settings; s++)
            if (!strcmp(settings[s].key, added[i].key))
                return ini_fail(
                    &m->groups.at,
                    "%s is set here and by an earlier key of this group; expected it once",
                    added[i].key);
        if (p->num_settings == MAX_SETTINGS)
            return ini_fail(&m->groups.at, "more than %d settings, with those of files",
                            MAX_SETTINGS);
        settings[p->num_settings++] = added[i];
    }
    return 0;
}

static int add_point(struct maker *m, const struct group *g, const struct choice *choices)
{
    struct plan *plan = m->plan;
    struct setting settings[MAX_SETTINGS];
    struct point p = {g->name, CONFIG_NAME, "", "", "", NULL, 0, NULL, g->line};
    const char **words[] = {&p.config, &p.workload, &p.size, &p.args};
    if (plan->count == MAX_POINTS) {
        m->groups.at.line = g->line;
        return ini_fail(&m->groups.at, "[%s] makes more than %d points; expected fewer", g->name,
                        MAX_POINTS);
    }
    for (int i = 0; i < g->count; i++) {
        const struct entry *e = &g->entries[i];
        const struct item *item = choices[i].item;
        const char *word = item->word;
        char number[24];
        if (!word) {
            const int length = snprintf(number, sizeof number, "%" PRId64, choices[i].number);
            word = arena_copy(&plan->memory, number, (size_t)length);
        }
        m->groups.at.line = e->line;
        const struct setting own = {e->key, word};
        const int file = e->kind == ENTRY_SETTINGS;
        if (e->kind < ENTRY_SETTINGS)
            *words[e->kind] = word;
        else if (add_settings(m, &p, settings, file ? item->settings : &own,
                              file ? item->num_settings : 1))
            return -1;
    }
    point_split(&p, &plan->memory);
    const struct base *base = base_of(m, g, p.config);
    if (!base)
        return -1;
    if (m->style && m->style->size)
        workload_size(&p, m->style->size);
    if (m->style && m->style->amend)
        p.num_settings = m->style->amend(m->style->user, g->name, &base->config, settings,
                                         p.num_settings, &plan->memory);
    if (p.num_settings < 0)
        return 0;
    qsort(settings, (size_t)p.num_settings, sizeof settings[0], by_key);
    p.settings = arena_copy(&plan->memory, settings, sizeof settings[0] * (size_t)p.num_settings);
    if (check_point(m, g, base, &p) || check_size(m, g, p.size))
        return -1;
    p.text = point_text(&p, &plan->memory);
    if ((plan->count & (plan->count - 1)) == 0) /* 0, 1, 2, 4, ...: full */
        plan->points = more(plan->points, (size_t)(plan->count ? 2 * plan->count : 1) * sizeof p);
    plan->points[plan->count++] = p;
    return 0;
}

static int64_t end_value(const struct end *end, const struct choice *choices)
{
    return end->entry < 0 ? end->number : choices[end->entry].number;
}

/* All combinations of the keys from `depth` on. */
static int expand(struct maker *m, const struct group *g, int depth, struct choice *choices)
{
    if (depth == g->count)
        return add_point(m, g, choices);
    const struct entry *e = &g->entries[depth];
    for (int i = 0; i < e->count; i++) {
        const struct item *item = &e->items[i];
        const int64_t from = end_value(&item->from, choices), to = end_value(&item->to, choices);
        choices[depth].item = item;
        if (item->word) {
            if (expand(m, g, depth + 1, choices))
                return -1;
            continue;
        }
        if (from > to) {
            m->groups.at.line = e->line;
            return ini_fail(&m->groups.at,
                            "%s: %" PRId64 "..%" PRId64
                            " is empty; expected the smaller number first",
                            e->key, from, to);
        }
        for (int64_t n = from;; n += item->step) {
            choices[depth].number = n;
            if (expand(m, g, depth + 1, choices))
                return -1;
            if ((uint64_t)to - (uint64_t)n < (uint64_t)item->step)
                break;
        }
    }
    return 0;
}

static int by_text(const void *a, const void *b)
{
    const struct point *x = *(const struct point *const *)a, *y = *(const struct point *const *)b;
    const int order = strcmp(x->text, y->text);
    return order ? order : (x > y) - (x < y);
}

static int check_duplicates(struct maker *m)
{
    const struct plan *plan = m->plan;
    const struct point **sorted = more(NULL, (size_t)plan->count * sizeof *sorted);
    int failed = 0;
    for (int i = 0; i < plan->count; i++)
        sorted[i] = &plan->points[i];
    qsort(sorted, (size_t)plan->count, sizeof *sorted, by_text);
    for (int i = 1; i < plan->count && !failed; i++)
        if (!strcmp(sorted[i - 1]->text, sorted[i]->text)) {
            m->groups.at.line = sorted[i]->line;
            failed = ini_fail(
                &m->groups.at, "point %d is point %d, of [%s], again: %s; expected each only once",
                (int)(sorted[i] - plan->points) + 1, (int)(sorted[i - 1] - plan->points) + 1,
                sorted[i - 1]->group, sorted[i]->text);
        }
    free(sorted);
    return failed;
}

int plan_read(struct plan *plan, const char *path, FILE *err)
{
    return plan_read_part(plan, path, NULL, err);
}

int plan_read_part(struct plan *plan, const char *path, const struct plan_style *style, FILE *err)
{
    struct maker m = {.plan = plan,
                      .style = style,
                      .groups = {.prefix = style ? style->prefix : NULL,
                                 .memory = &plan->memory,
                                 .at = {.name = path, .err = err}}};
    *plan = (struct plan){0};
    int failed = groups_read(&m.groups);
    for (int i = 0; i < m.groups.count && !failed; i++) {
        const struct group *g = &m.groups.groups[i];
        struct choice choices[MAX_ENTRIES] = {0};
        if (!group_entry(g, ENTRY_WORKLOAD)) {
            m.groups.at.line = g->line;
            failed =
                ini_fail(&m.groups.at, "[%s] has no workload; expected workload = ...", g->name);
        } else
            failed = expand(&m, g, 0, choices);
    }
    failed = failed || (!style && check_duplicates(&m));
    groups_free(&m.groups);
    free(m.bases);
    return failed ? -1 : 0;
}

void plan_free(struct plan *plan)
{
    free(plan->points);
    arena_free(&plan->memory);
}
