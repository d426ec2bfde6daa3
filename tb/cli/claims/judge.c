/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/judge.c: see judge.h. */
#include "tb/cli/claims/judge.h"

#include <stdlib.h>
#include <string.h>

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[NUM_VERDICTS] = {"shown",   "met",  "not met",
                                                    "not run", "open", "not comparable"};
    return names[verdict];
}

enum verdict verdict_of(const struct claim_value *v, double ours)
{
    return v->drawn                                ? VERDICT_SHOWN
           : rule_holds(&v->rule, &v->paper, ours) ? VERDICT_MET
                                                   : VERDICT_NOT_MET;
}

/* Returns 0; 1: a run is missing; -1: the expression is wrong, and reported. */
static int evaluate(const struct claim *c, const struct expr *e, const struct words *w, int begin,
                    const struct expr_source *source, double *value, char why[200], FILE *err)
{
    struct expr_error error;
    if (!expr_value(e, source, value, &error))
        return 0;
    snprintf(why, 200, "%s", error.what);
    return error.not_run ? 1 : ledger_fail(c->ledger, w, begin + error.at, error.what, err);
}

static int judge_value(struct judged *j, struct judged_value *out, const struct claim_value *v,
                       const struct expr_source *source, FILE *err)
{
    const struct claim *c = j->claim;
    out->verdict = c->not_comparable.text ? VERDICT_NOT_COMPARABLE : VERDICT_OPEN;
    if (!v->ours)
        return 0;
    const int status = evaluate(c, v->ours, &v->ours_words, 0, source, &out->ours, out->why, err);
    out->verdict = status ? VERDICT_NOT_RUN : verdict_of(v, out->ours);
    return status < 0 ? -1 : 0;
}

/* The reason with the value of each $(...) in its place. */
static int judge_reason(struct judged *j, const struct expr_source *source, FILE *err)
{
    const struct words *w = &j->claim->reason;
    size_t size;
    int at = 0, next, end, failed = 0;
    FILE *to = open_memstream(&j->reason, &size);
    if (!to)
        no_memory();
    for (; (next = reason_next(w->text, at, &end)) >= 0; at = end + 1) {
        struct arena memory = {0};
        struct expr_error e;
        char why[200], *text = text_of("%.*s", end - next, w->text + next);
        double value;
        fprintf(to, "%.*s", next - 2 - at, w->text + at);
        const int status =
            evaluate(j->claim, expr_parse(text, &memory, &e), w, next, source, &value, why, err);
        if (status)
            fprintf(to, NO_FIGURE);
        else
            fprintf(to, "%.4g", value);
        failed |= status < 0;
        arena_free(&memory);
        free(text);
    }
    fprintf(to, "%s", w->text + at);
    fclose(to);
    return failed ? -1 : 0;
}

static int judge_signs(struct judged *j, struct runs *runs, const struct expr_source *here,
                       FILE *err)
{
    const struct claim *c = j->claim;
    int failed = 0;
    for (int v = 0; v < runs->variants->count && !failed; v++) {
        struct expr_source source;
        runs_of(runs, c, v, &source);
        source.chooser = here;
        for (int i = 0; i < c->num_values && !failed; i++) {
            const struct claim_value *value = &c->values[i];
            struct judged_value *out = &j->values[i];
            double ours;
            char why[200];
            if (!value->robust || out->verdict > VERDICT_NOT_MET)
                continue;
            const int status =
                evaluate(c, value->ours, &value->ours_words, 0, &source, &ours, why, err);
            if (!status && rule_sign(&value->paper, ours) == rule_sign(&value->paper, out->ours))
                out->same |= 1u << v;
            else if (!status)
                out->turns |= 1u << v;
            failed = status < 0;
        }
        runs_forget(&source);
    }
    /* a gain that is the machine's, and not the policy's, is none */
    for (int i = 0; i < c->num_values; i++)
        if (j->values[i].turns && j->values[i].verdict == VERDICT_MET)
            j->values[i].verdict = VERDICT_NOT_MET;
    return failed ? -1 : 0;
}

static int was_run(const struct judged *j, int i)
{
    return j->values[i].verdict <= VERDICT_NOT_MET && expr_measures(j->claim->values[i].ours);
}

/* The worst of the values that can be computed. Where some were run, those that were not are missing. */
void judged_conclude(struct judged *j)
{
    const struct claim *c = j->claim;
    int computed = 0, run = 0;
    j->verdict = c->not_comparable.text ? VERDICT_NOT_COMPARABLE : VERDICT_OPEN;
    j->missing = 0;
    for (int i = 0; i < c->num_values; i++)
        run += was_run(j, i);
    for (int i = 0; i < c->num_values; i++)
        if (run && j->values[i].verdict == VERDICT_NOT_RUN)
            j->missing = 1;
        else if (c->values[i].ours && (!computed++ || j->values[i].verdict > j->verdict))
            j->verdict = j->values[i].verdict;
    j->partly = computed && (c->not_comparable.text || c->open.text);
}

int judge(struct judged *j, struct runs *runs, const struct claim *c, int robust, FILE *err)
{
    struct expr_source source;
    int failed = 0;
    *j = (struct judged){.claim = c};
    runs_of(runs, c, -1, &source);
    for (int i = 0; i < c->num_values; i++)
        failed |= judge_value(j, &j->values[i], &c->values[i], &source, err);
    failed |= judge_reason(j, &source, err);
    if (!failed && robust)
        failed = judge_signs(j, runs, &source, err);
    runs_forget(&source);
    judged_conclude(j);
    return failed ? -1 : 0;
}

void judged_free(struct judged *j)
{
    free(j->reason);
}

void judged_print(const struct judged *j, FILE *to)
{
    const struct claim *c = j->claim;
    if (j->partly || j->verdict <= VERDICT_NOT_RUN)
        fprintf(to, "%s%s%s%s", verdict_name(j->verdict),
                j->partly || j->missing ? "; the rest " : "", j->missing ? "not run" : "",
                j->partly && j->missing ? ", or " : "");
    if (c->open.text)
        fprintf(to, "open: needs %s", c->open.text);
    if (c->not_comparable.text)
        fprintf(to, "not comparable: %s", c->not_comparable.text);
}
