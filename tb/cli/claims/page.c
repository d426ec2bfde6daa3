/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/page.c: see page.h. */
#include "tb/cli/claims/page.h"

#include <string.h>

static const char *rule_of(const struct claim *c, const struct claim_value *v)
{
    return v->rule_words.text ? v->rule_words.text : c->rule_words.text ? c->rule_words.text : "";
}

static const char *ours_of(const struct claim *c, const struct judged *j, int i, char room[48])
{
    return j->values[i].kept ? j->values[i].kept
           : j->values[i].verdict <= VERDICT_NOT_MET
               ? figure_print(&c->values[i].paper, j->values[i].ours, room)
               : "-";
}

/* On which machines the sign turns, or that it holds. */
static void print_signs(const struct page *p, const struct judged_value *v, FILE *to)
{
    const char *comma = "";
    if (v->kept_signs)
        fprintf(to, "%s", v->kept_signs);
    else if (!v->turns)
        fprintf(to, v->same ? "sign holds on %d" : "not run", __builtin_popcount(v->same));
    for (int i = 0; i < p->variants->count; i++)
        if (v->turns >> i & 1) {
            fprintf(to, "%s%s", *comma ? comma : "sign turns: ", p->variants->variants[i].name);
            comma = ", ";
        }
}

static int shown(const struct page *p, int n)
{
    return !p->shown || p->shown[n];
}

/* What stands for a claim that could not be judged here; NULL: nothing. A row that was not judged either
 * says what was missing then. */
static const struct kept_row *kept_of(const struct page *p, int n)
{
    const struct kept_row *row = p->kept && p->judged[n].verdict == VERDICT_NOT_RUN
                                     ? kept_row_of(p->kept, p->judged[n].claim->id)
                                     : NULL;
    return row && row->verdict <= VERDICT_NOT_MET ? row : NULL;
}

int page_columns(int robust)
{
    return 8 + (robust != 0);
}

static void print_counts(const struct page *p, FILE *to)
{
    int counts[NUM_VERDICTS] = {0}, partly = 0, all = 0;
    for (int i = 0; i < p->count; i++)
        if (shown(p, i)) {
            const struct kept_row *kept = kept_of(p, i);
            const enum verdict verdict = kept ? kept->verdict : p->judged[i].verdict;
            counts[verdict]++;
            partly += verdict == VERDICT_MET &&
                      (kept ? kept->partly : p->judged[i].partly || p->judged[i].missing);
            all++;
        }
    fprintf(to, "%d claims:", all);
    for (int i = VERDICT_MET; i < NUM_VERDICTS; i++) {
        fprintf(to, "%s %d %s", i > VERDICT_MET ? "," : "", counts[i],
                verdict_name((enum verdict)i));
        if (i == VERDICT_MET && partly)
            fprintf(to, " (%d of them in part)", partly);
    }
    fprintf(to, counts[VERDICT_SHOWN] ? "; %d shown\n" : "\n", counts[VERDICT_SHOWN]);
    if (p->size)
        fprintf(to,
                "All programs at --size=%s: for trying. The verdicts that count are those of the "
                "claims' own sizes.\n",
                p->size);
}

void page_text(const struct page *p, FILE *to)
{
    char room[48];
    for (int n = 0; n < p->count; n++) {
        const struct judged *j = &p->judged[n];
        const struct claim *c = j->claim;
        if (!shown(p, n))
            continue;
        fprintf(to, "%s  %s: %s\n", c->id, c->where.text, c->quantity.text);
        if (c->paper.text)
            fprintf(to, "    paper: %s\n", c->paper.text);
        for (int i = 0; i < c->num_values; i++) {
            const struct judged_value *v = &j->values[i];
            fprintf(to, "    %-28s paper %10s  here %10s  %s", c->values[i].label,
                    c->values[i].paper_words.text, ours_of(c, j, i, room),
                    verdict_name(v->verdict));
            if (c->values[i].ours && (!c->values[i].drawn || v->verdict == VERDICT_NOT_RUN))
                fprintf(to, " (%s)",
                        v->verdict == VERDICT_NOT_RUN ? v->why : rule_of(c, &c->values[i]));
            if (p->robust && c->values[i].robust) {
                fprintf(to, "; ");
                print_signs(p, v, to);
            }
            fprintf(to, "\n");
        }
        fprintf(to, "    ");
        judged_print(j, to);
        fprintf(to, "\n    %s\n    make claims CLAIM=%s\n", j->reason, c->id);
    }
    fprintf(to, "\n");
    print_counts(p, to);
}

/* Texts within a table: a bar would end the column. */
static void print_cell(const char *text, FILE *to)
{
    for (; text && *text; text++)
        fprintf(to, *text == '|' ? "\\|" : "%c", *text);
}

static void print_columns(const struct page *p, const struct judged *j, FILE *to)
{
    const struct claim *c = j->claim;
    char room[48];
    for (int column = 0; column < 2 + p->robust; column++) {
        const char *between = "";
        if (column == 0 && c->paper.text) {
            print_cell(c->paper.text, to);
            between = "<br>";
        }
        for (int i = 0; i < c->num_values; i++) {
            const struct claim_value *v = &c->values[i];
            if (column == 2 && !v->robust)
                continue;
            fprintf(to, "%s", between);
            between = "<br>";
            print_cell(v->label, to);
            fprintf(to, " ");
            if (column == 2)
                print_signs(p, &j->values[i], to);
            else
                fprintf(to, "%s", column ? ours_of(c, j, i, room) : v->paper_words.text);
        }
        fprintf(to, " | ");
    }
}

void page_markdown(const struct page *p, FILE *to)
{
    const struct ledger *last = NULL;
    fprintf(to, "# What the papers claim, and what the machine says\n\n");
    print_counts(p, to);
    for (int n = 0; n < p->count; n++) {
        const struct judged *j = &p->judged[n];
        const struct claim *c = j->claim;
        if (c->ledger != last)
            fprintf(
                to,
                "\n## %s\n\n%s\n\n| id | where | quantity | paper | here |%s verdict | reason | "
                "command |\n| --- | --- | --- | --- | --- |%s --- | --- | --- |\n",
                c->ledger->name.text, c->ledger->title.text, p->robust ? " signs |" : "",
                p->robust ? " --- |" : "");
        last = c->ledger;
        if (kept_of(p, n)) {
            fprintf(to, "%s\n", kept_of(p, n)->text);
            continue;
        }
        fprintf(to, "| %s | ", c->id);
        print_cell(c->where.text, to);
        fprintf(to, " | ");
        print_cell(c->quantity.text, to);
        if (c->conditions.text)
            fprintf(to, "; ");
        print_cell(c->conditions.text, to);
        fprintf(to, " | ");
        print_columns(p, j, to);
        judged_print(j, to);
        fprintf(to, " | ");
        print_cell(j->reason, to);
        fprintf(to, " | `make claims CLAIM=%s` |\n", c->id);
    }
}

static void print_field(const char *text, const char *end, FILE *to)
{
    fputc('"', to);
    for (; text && *text; text++)
        fprintf(to, *text == '"' ? "\"\"" : "%c", *text);
    fprintf(to, "\"%s", end);
}

/* One row per number; a claim without numbers has one row. */
void page_csv(const struct page *p, FILE *to)
{
    fprintf(to, "id,where,quantity,conditions,check,value,paper,here,rule,verdict,claim_verdict,"
                "turns_on,reason,command\n");
    for (int n = 0; n < p->count; n++) {
        const struct judged *j = &p->judged[n];
        const struct claim *c = j->claim;
        for (int i = 0; i < (c->num_values ? c->num_values : 1); i++) {
            const struct claim_value *v = i < c->num_values ? &c->values[i] : NULL;
            const int known = v && j->values[i].verdict <= VERDICT_NOT_MET;
            print_field(c->id, ",", to);
            print_field(c->where.text, ",", to);
            print_field(c->quantity.text, ",", to);
            print_field(c->conditions.text, ",", to);
            print_field(c->check.text, ",", to);
            print_field(v ? v->label : "", ",", to);
            print_field(v ? v->paper_words.text : c->paper.text, ",", to);
            if (known)
                fprintf(to, "%.10g", j->values[i].ours);
            fprintf(to, ",");
            print_field(v && v->ours ? rule_of(c, v) : "", ",", to);
            print_field(verdict_name(v ? j->values[i].verdict : j->verdict), ",", to);
            print_field(verdict_name(j->verdict), ",\"", to);
            for (int k = 0; v && k < p->variants->count; k++)
                if (j->values[i].turns >> k & 1)
                    fprintf(to, "%s ", p->variants->variants[k].name);
            fprintf(to, "\",");
            print_field(j->reason, ",", to);
            fprintf(to, "make claims CLAIM=%s\n", c->id);
        }
    }
}
