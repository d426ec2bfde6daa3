/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/ledger.c: see ledger.h. */
#include "tb/cli/claims/ledger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/claims/table.h"
#include "tb/cli/sweep/memory.h"
#include "tb/ini_file.h"

struct reader {
    struct ledger *ledger;
    struct ini_file at;
    unsigned section;    /* line of the section that `claim` is of */
    struct claim *claim; /* NULL: another section */
    struct words *last;  /* the value that an indented line goes on with */
};

static const struct {
    const char *key;
    size_t place;
    int needed;
} keys[] = {
    {"where", offsetof(struct claim, where), 1},
    {"quantity", offsetof(struct claim, quantity), 1},
    {"check", offsetof(struct claim, check), 1},
    {"reason", offsetof(struct claim, reason), 1},
    {"conditions", offsetof(struct claim, conditions), 0},
    {"paper", offsetof(struct claim, paper), 0},
    {"runs", offsetof(struct claim, runs_words), 0},
    {"tables", offsetof(struct claim, tables_words), 0},
    {"rule", offsetof(struct claim, rule_words), 0},
    {"open", offsetof(struct claim, open), 0},
    {"not_comparable", offsetof(struct claim, not_comparable), 0},
    {"figure", offsetof(struct claim, figure), 0},
    {"stacked", offsetof(struct claim, stacked), 0},
    {"robust", offsetof(struct claim, robust_words), 0},
};
#define NUM_KEYS (sizeof keys / sizeof keys[0])

static struct words *words_of(const struct claim *c, size_t key)
{
    return (struct words *)((char *)c + keys[key].place);
}

static void add_line(struct reader *r, struct words *w, const char *text)
{
    if (w->num_lines == (int)(sizeof w->lines / sizeof w->lines[0])) {
        ini_fail(&r->at, "a value of more than %d lines", w->num_lines);
        return;
    }
    const size_t before = w->text ? strlen(w->text) + 1 : 0;
    char *joined = text_of("%s%s%s", w->text ? w->text : "", w->text ? " " : "", text);
    w->text = arena_copy(&r->ledger->memory, joined, strlen(joined));
    w->begins[w->num_lines] = (int)before;
    w->lines[w->num_lines++] = r->at.line;
    free(joined);
}

/* A word of a list that commas separate: the next from *list on, NULL at its end. */
static const char *next_item(struct arena *memory, const char **list)
{
    *list += strspn(*list, ", \t");
    size_t length = strcspn(*list, ",");
    const char *begin = *list;
    *list += length;
    while (length && strchr(" \t", begin[length - 1]))
        length--;
    return length ? arena_copy(memory, begin, length) : NULL;
}

static struct claim_value *value_of(struct reader *r, const char *label)
{
    struct claim *c = r->claim;
    for (int i = 0; i < c->num_values; i++)
        if (!strcmp(c->values[i].label, label))
            return &c->values[i];
    if (c->num_values == MAX_VALUES) {
        ini_fail(&r->at, "more than %d values of one claim", MAX_VALUES);
        return NULL;
    }
    c->values[c->num_values].label = arena_copy(&r->ledger->memory, label, strlen(label));
    return &c->values[c->num_values++];
}

/* Where the value of this key belongs; NULL: unknown, and reported. */
static struct words *find_words(struct reader *r, const char *key)
{
    static const char *const kinds[] = {"paper.", "ours.", "rule."};
    for (size_t i = 0; i < NUM_KEYS; i++)
        if (!strcmp(keys[i].key, key))
            return words_of(r->claim, i);
    for (int i = 0; i < 3; i++)
        if (!strncmp(key, kinds[i], strlen(kinds[i])) && key[strlen(kinds[i])]) {
            struct claim_value *v = value_of(r, key + strlen(kinds[i]));
            return !v ? NULL : i == 0 ? &v->paper_words : i == 1 ? &v->ours_words : &v->rule_words;
        }
    ini_fail(&r->at,
             "unknown key '%s'; expected where, quantity, check, conditions, paper, runs, tables, "
             "rule, open, not_comparable, reason, figure, stacked, robust, paper.LABEL, ours.LABEL "
             "or rule.LABEL",
             key);
    return NULL;
}

static void begin_section(struct reader *r, const char *section)
{
    struct ledger *l = r->ledger;
    r->section = r->at.section;
    r->last = NULL;
    r->claim = NULL;
    if (!strcmp(section, "paper") || !strncmp(section, "runs ", 5))
        return;
    for (int i = 0; i < l->count; i++)
        if (!strcmp(l->claims[i].id, section))
            ini_fail(&r->at, "[%s] is given twice; first in line %u", section, l->claims[i].line);
    if (!l->name.text || strncmp(section, l->name.text, strlen(l->name.text)) != 0)
        ini_fail(&r->at,
                 "[%s]; expected [paper] with a name first, then claims [NAME-...] and "
                 "[runs ...]",
                 section);
    l->claims = more(l->claims, (size_t)(l->count + 1) * sizeof *l->claims);
    r->claim = memset(&l->claims[l->count++], 0, sizeof *r->claim);
    r->claim->id = arena_copy(&l->memory, section, strlen(section));
    r->claim->line = r->at.section;
    r->claim->ledger = l;
}

static void take(void *user, const char *section, const char *key, const char *value)
{
    struct reader *r = user;
    if (r->section != r->at.section || !r->section)
        begin_section(r, section);
    if (r->at.failed || !strncmp(section, "runs ", 5)) /* the plan reads those */
        return;
    if (r->at.continued && r->last) {
        add_line(r, r->last, value);
        return;
    }
    if (r->claim)
        r->last = find_words(r, key);
    else {
        r->last = !strcmp(key, "name")    ? &r->ledger->name
                  : !strcmp(key, "title") ? &r->ledger->title
                                          : NULL;
        if (!r->last)
            ini_fail(&r->at, "unknown key '%s' of [paper]; expected name or title", key);
    }
    if (r->last && r->last->text)
        ini_fail(&r->at, "%s is given twice; first in line %u", key, r->last->lines[0]);
    else if (r->last)
        add_line(r, r->last, value);
}

/* Where in its line a text stands, from 1: inih does not tell. */
static int column_of(const char *path, unsigned number, const char *text, size_t length)
{
    FILE *f = fopen(path, "r");
    char *line = NULL, *found = NULL;
    size_t size = 0;
    int column = 1;
    while (f && number-- && getline(&line, &size, f) >= 0)
        ;
    char *start = text_of("%.*s", (int)length, text);
    if (line && (found = strstr(line, start)))
        column = (int)(found - line) + 1;
    free(start);
    free(line);
    if (f)
        fclose(f);
    return column;
}

int ledger_fail(const struct ledger *l, const struct words *w, int at, const char *what, FILE *err)
{
    int i = w->num_lines - 1;
    while (i > 0 && w->begins[i] > at)
        i--;
    const char *begin = w->text + w->begins[i];
    const size_t length =
        i + 1 < w->num_lines ? (size_t)(w->begins[i + 1] - w->begins[i] - 1) : strlen(begin);
    fprintf(err, "%s:%u:%d: %s\n", l->path, w->lines[i],
            column_of(l->path, w->lines[i], begin, length) + at - w->begins[i], what);
    return -1;
}

int reason_next(const char *text, int at, int *end)
{
    const char *begin = strstr(text + at, "$(");
    int depth = 1, i;
    if (!begin)
        return -1;
    for (i = 2; begin[i] && depth; i++)
        depth += (begin[i] == '(') - (begin[i] == ')');
    *end = (int)(begin - text) + i - (depth == 0);
    return (int)(begin - text) + 2;
}

static int check_reason(struct ledger *l, const struct words *w, FILE *err)
{
    struct expr_error e;
    int end, at = 0;
    while ((at = reason_next(w->text, at, &end)) >= 0) {
        char *text = text_of("%.*s", end - at, w->text + at);
        if (w->text[end] != ')') {
            free(text);
            return ledger_fail(l, w, at - 2, "$( without its )", err);
        }
        const int failed = !expr_parse(text, &l->memory, &e);
        free(text);
        if (failed)
            return ledger_fail(l, w, at + e.at, e.what, err);
        at = end;
    }
    return 0;
}

/* After the file is read: one number of a claim. */
static int complete_value(struct ledger *l, struct claim *c, struct claim_value *v, FILE *err)
{
    struct expr_error e;
    const struct words *rule = v->rule_words.text ? &v->rule_words : &c->rule_words;
    char what[160];
    if (!v->paper_words.text) {
        const struct words *w = v->ours_words.text ? &v->ours_words : &v->rule_words;
        snprintf(what, sizeof what, "no paper.%s; expected what the paper says beside ours",
                 v->label);
        return ledger_fail(l, w, 0, what, err);
    }
    v->drawn = !strcmp(v->paper_words.text, "drawn");
    v->paper.value = NAN;
    if (!v->drawn && figure_read(&v->paper, v->paper_words.text))
        return ledger_fail(l, &v->paper_words, 0, "expected a decimal number, yes, no or drawn",
                           err);
    if (!v->ours_words.text && !v->drawn)
        return 0;
    if (!v->ours_words.text)
        return ledger_fail(l, &v->paper_words, 0, "drawn, and no number of ours", err);
    if (!(v->ours = expr_parse(v->ours_words.text, &l->memory, &e)))
        return ledger_fail(l, &v->ours_words, e.at, e.what, err);
    if (v->drawn && v->rule_words.text)
        return ledger_fail(l, &v->rule_words, 0, "a rule for what the paper has no number of", err);
    if (v->drawn)
        return 0;
    if (!rule->text) {
        snprintf(what, sizeof what, "no rule for '%s'; expected rule = ... or rule.%s = ...",
                 v->label, v->label);
        return ledger_fail(l, &v->ours_words, 0, what, err);
    }
    if (rule_read(&v->rule, rule->text))
        return ledger_fail(l, rule, 0,
                           "unknown rule; expected exact, rounded, true, same sign, at "
                           "least, at most, within X, within X %, factor X or "
                           "gain within X %",
                           err);
    if ((v->rule.kind == RULE_TRUE) != v->paper.yes_no)
        return ledger_fail(l, rule, 0, "the rule 'true' goes with yes and no, and only with them",
                           err);
    return 0;
}

static int complete_tables(struct ledger *l, struct claim *c, FILE *err)
{
    const char *list = c->tables_words.text ? c->tables_words.text : "", *item;
    while ((item = next_item(&l->memory, &list))) {
        if (c->num_tables == MAX_TABLES || !table_is_name(item))
            return ledger_fail(l, &c->tables_words, 0,
                               c->num_tables == MAX_TABLES
                                   ? "too many tables"
                                   : "expected names of tables: letters, digits, - and _",
                               err);
        c->tables[c->num_tables++] = item;
    }
    if (c->num_tables && c->robust_words.text)
        return ledger_fail(
            l, &c->robust_words, 0,
            "a claim with tables, which are of one machine: no sign is tried on others", err);
    return 0;
}

static int complete(struct ledger *l, struct claim *c, FILE *err)
{
    const char *list = c->runs_words.text ? c->runs_words.text : "", *item;
    int computed = 0;
    for (size_t i = 0; i < NUM_KEYS; i++)
        if (keys[i].needed && (!words_of(c, i)->text || !*words_of(c, i)->text)) {
            fprintf(err, "%s:%u: [%s] has no %s\n", l->path, c->line, c->id, keys[i].key);
            return -1;
        }
    while ((item = next_item(&l->memory, &list))) {
        if (c->num_runs == MAX_RUNS)
            return ledger_fail(l, &c->runs_words, 0, "too many names of runs", err);
        c->runs[c->num_runs++] = item;
    }
    if (complete_tables(l, c, err))
        return -1;
    for (int i = 0; i < c->num_values; i++) {
        if (complete_value(l, c, &c->values[i], err))
            return -1;
        computed += c->values[i].ours != NULL;
    }
    if (c->stacked.text && (strcmp(c->stacked.text, "yes") != 0 || !c->figure.text))
        return ledger_fail(l, &c->stacked, 0, "expected yes, and a figure", err);
    for (int i = 0; i < c->num_values; i++)
        if (c->stacked.text && c->values[i].drawn && !strstr(c->values[i].label, ", "))
            return ledger_fail(l, &c->values[i].paper_words, 0,
                               "a label that is not 'BAR, PART' in a stacked picture", err);
    if (!c->num_values && !c->paper.text) {
        fprintf(err,
                "%s:%u: [%s] says nothing of the paper's value; expected paper or paper.LABEL\n",
                l->path, c->line, c->id);
        return -1;
    }
    if ((!!c->open.text + !!c->not_comparable.text > 1) ||
        (!computed && !c->open.text && !c->not_comparable.text)) {
        fprintf(err, "%s:%u: [%s]: expected ours.LABEL, or one of open and not_comparable\n",
                l->path, c->line, c->id);
        return -1;
    }
    list = c->robust_words.text ? c->robust_words.text : "";
    while ((item = next_item(&l->memory, &list))) {
        int i = 0;
        while (i < c->num_values &&
               (strcmp(c->values[i].label, item) || !c->values[i].ours || c->values[i].drawn))
            i++;
        if (i == c->num_values)
            return ledger_fail(l, &c->robust_words, 0, "expected labels of values that are judged",
                               err);
        c->values[i].robust = 1;
    }
    return check_reason(l, &c->reason, err);
}

int ledger_read(struct ledger *l, const char *path, FILE *err)
{
    struct reader r = {.ledger = l, .at = {.name = path, .err = err}};
    *l = (struct ledger){.path = path};
    if (ini_read(&r.at, take, &r))
        return -1;
    if (!l->name.text || !l->title.text) {
        fprintf(err, "%s: no [paper] with name and title\n", path);
        return -1;
    }
    for (int i = 0; i < l->count; i++)
        if (complete(l, &l->claims[i], err))
            return -1;
    return 0;
}

void ledger_free(struct ledger *l)
{
    free(l->claims);
    arena_free(&l->memory);
}
