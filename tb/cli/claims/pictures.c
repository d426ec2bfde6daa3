/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/pictures.c: the paper's bars beside ours, a picture for each figure. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/claims/page.h"
#include "tb/cli/gnuplot.h"

/* Have these two claims the same figure? */
static int same_figure(const struct claim *a, const struct claim *b)
{
    return a->ledger == b->ledger && a->figure.text && b->figure.text &&
           !strcmp(a->figure.text, b->figure.text);
}

static int bars(const struct page *p, const struct claim *of)
{
    int count = 0;
    for (int n = 0; n < p->count; n++)
        if (same_figure(p->judged[n].claim, of))
            count += p->judged[n].claim->num_values;
    return count;
}

/* What the bars reach from and to. */
struct extent {
    double low, high;
    int paper, ours; /* there are bars of it */
};

static struct extent extent_of(const struct page *p, const struct claim *of)
{
    struct extent e = {0};
    for (int n = 0; n < p->count; n++) {
        const struct judged *j = &p->judged[n];
        for (int i = 0; i < j->claim->num_values && same_figure(j->claim, of); i++) {
            const int ours = j->values[i].verdict <= VERDICT_NOT_MET;
            const double paper = j->claim->values[i].paper.value,
                         other = ours ? j->values[i].ours : paper;
            e.low = fmin(e.low, fmin(paper, other));
            e.high = fmax(e.high, fmax(paper, other));
            e.paper |= !j->claim->values[i].drawn;
            e.ours |= ours;
        }
    }
    return e;
}

/* As gnuplot reads it. */
static void write_number(double number, FILE *to)
{
    if (isnan(number))
        fprintf(to, " NaN");
    else
        fprintf(to, " %.8g", number);
}

static void write_bars(const struct page *p, const struct claim *of, FILE *to)
{
    fprintf(to, "$bars << EOD\n");
    for (int n = 0; n < p->count; n++) {
        const struct claim *c = p->judged[n].claim;
        for (int i = 0; i < c->num_values && same_figure(c, of); i++) {
            picture_label(to, c->values[i].label);
            const struct judged_value *v = &p->judged[n].values[i];
            write_number(c->values[i].paper.value, to);
            write_number(v->verdict <= VERDICT_NOT_MET ? v->ours : NAN, to);
            fprintf(to, "\n");
        }
    }
    fprintf(to, "EOD\n");
}

/* Bars, or their parts, in the order in which they come. */
struct names {
    const char *text[MAX_VALUES];
    int length[MAX_VALUES], count;
};

static int number_of(struct names *n, const char *text, int length)
{
    int i = 0;
    while (i < n->count && (n->length[i] != length || strncmp(n->text[i], text, (size_t)length)))
        i++;
    if (i == n->count) {
        n->text[n->count] = text;
        n->length[n->count++] = length;
    }
    return i;
}

static void write_name(const struct names *n, int i, FILE *to)
{
    char *text = text_of("%.*s", n->length[i], n->text[i]);
    picture_label(to, text);
    free(text);
}

/* What is drawn of one claim, by bar and part. */
struct stacks {
    struct names bars, parts;
    double values[MAX_VALUES][MAX_VALUES]; /* NaN: none */
};

static void stack(struct stacks *s, const struct judged *j)
{
    for (int i = 0; i < MAX_VALUES * MAX_VALUES; i++)
        s->values[i / MAX_VALUES][i % MAX_VALUES] = NAN;
    for (int i = 0; i < j->claim->num_values; i++)
        if (j->values[i].verdict == VERDICT_SHOWN) {
            const char *label = j->claim->values[i].label, *part = strstr(label, ", ") + 2;
            const int bar = number_of(&s->bars, label, (int)(part - label) - 2);
            s->values[bar][number_of(&s->parts, part, (int)strlen(part))] = j->values[i].ours;
        }
}

/* A row for each bar, a column for each part. */
static void draw_stacks(const struct stacks *s, FILE *to)
{
    fprintf(to, "$bars << EOD\n-");
    for (int k = 0; k < s->parts.count; k++) {
        fprintf(to, " ");
        write_name(&s->parts, k, to);
    }
    for (int i = 0; i < s->bars.count; i++) {
        fprintf(to, "\n");
        write_name(&s->bars, i, to);
        for (int k = 0; k < s->parts.count; k++)
            write_number(s->values[i][k], to);
    }
    fprintf(to,
            "\nEOD\nset style histogram rowstacked\nset yrange [0:*]\n"
            "plot for [i=2:%d] $bars using i:xtic(1) title columnheader(i)\n",
            s->parts.count + 1);
}

static void draw_pairs(const struct page *p, const struct claim *of, const struct extent *e,
                       FILE *to)
{
    write_bars(p, of, to);
    fprintf(to, "set style histogram clustered gap 1\nset yrange [%g:%g]\nplot %s%s\n",
            1.05 * e->low, e->low < e->high ? 1.05 * e->high : 1,
            e->paper ? "$bars using 2:xtic(1) title 'paper' linecolor rgb '#bdc3c7'" : "",
            !e->ours   ? ""
            : e->paper ? ", $bars using 3 title 'here' linecolor rgb '#1b4f80'"
                       : "$bars using 3:xtic(1) title 'here' linecolor rgb '#1b4f80'");
}

/* The picture of the n-th claim and those that have the same figure. */
static int draw(const struct page *p, int n, const char *folder)
{
    const struct claim *of = p->judged[n].claim;
    const int stacked = of->stacked.text != NULL;
    const struct extent e = extent_of(p, of);
    struct picture picture;
    struct stacks stacks = {0};
    if (stacked)
        stack(&stacks, &p->judged[n]);
    if (stacked ? !stacks.bars.count : !e.paper && !e.ours)
        return 0;
    const int width = 320 + 60 * (stacked ? stacks.bars.count : bars(p, of));
    char *path = text_of("%s/%s-%s.svg", folder, of->ledger->name.text, of->figure.text);
    int failed = picture_begin(&picture, path, width > 3000 ? 3000 : width, 480);
    if (!failed) {
        FILE *to = picture.script;
        fprintf(to, "set title ");
        picture_text(to, "%s, %s: %s%s%s", of->ledger->name.text, of->where.text, of->quantity.text,
                     p->size ? "; size " : "", p->size ? p->size : "");
        fprintf(to, "\nset style data histograms\nset style fill solid border -1\n"
                    "set boxwidth 0.9\nset grid y\nset xtics rotate by -35\n"
                    "set key outside right\nset xzeroaxis linetype -1\n");
        if (stacked)
            draw_stacks(&stacks, to);
        else
            draw_pairs(p, of, &e, to);
        failed = picture_end(&picture);
    }
    free(path);
    return failed;
}

int page_pictures(const struct page *p, const char *folder)
{
    for (int n = 0; n < p->count; n++) {
        const struct claim *c = p->judged[n].claim;
        int before = 0;
        while (before < n && !same_figure(p->judged[before].claim, c))
            before++;
        if (c->figure.text && before == n && bars(p, c) && draw(p, n, folder))
            return -1;
    }
    return 0;
}
