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

static void write_bars(const struct page *p, const struct claim *of, FILE *to)
{
    fprintf(to, "$bars << EOD\n");
    for (int n = 0; n < p->count; n++) {
        const struct claim *c = p->judged[n].claim;
        for (int i = 0; i < c->num_values && same_figure(c, of); i++) {
            picture_label(to, c->values[i].label);
            if (c->values[i].drawn)
                fprintf(to, " NaN");
            else
                fprintf(to, " %.8g", c->values[i].paper.value);
            if (p->judged[n].values[i].verdict <= VERDICT_NOT_MET)
                fprintf(to, " %.8g\n", p->judged[n].values[i].ours);
            else
                fprintf(to, " NaN\n");
        }
    }
    fprintf(to, "EOD\n");
}

static int draw(const struct page *p, const struct claim *of, const char *folder)
{
    struct picture picture;
    const struct extent e = extent_of(p, of);
    const int count = bars(p, of), width = 320 + 60 * count;
    if (!e.paper && !e.ours)
        return 0;
    char *path = text_of("%s/%s-%s.svg", folder, of->ledger->name.text, of->figure.text);
    int failed = picture_begin(&picture, path, width > 3000 ? 3000 : width, 480);
    if (!failed) {
        FILE *to = picture.script;
        write_bars(p, of, to);
        fprintf(to, "set title ");
        picture_text(to, "%s, %s: %s%s%s", of->ledger->name.text, of->where.text, of->quantity.text,
                     p->size ? "; size " : "", p->size ? p->size : "");
        fprintf(to,
                "\nset style data histograms\nset style histogram clustered gap 1\n"
                "set style fill solid border -1\nset boxwidth 0.9\nset grid y\n"
                "set xtics rotate by -35\nset key outside right\nset xzeroaxis linetype -1\n"
                "set yrange [%g:%g]\n"
                "plot %s%s\n",
                1.05 * e.low, e.low < e.high ? 1.05 * e.high : 1,
                e.paper ? "$bars using 2:xtic(1) title 'paper' linecolor rgb '#bdc3c7'" : "",
                !e.ours   ? ""
                : e.paper ? ", $bars using 3 title 'here' linecolor rgb '#1b4f80'"
                          : "$bars using 3:xtic(1) title 'here' linecolor rgb '#1b4f80'");
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
        if (c->figure.text && before == n && bars(p, c) && draw(p, c, folder))
            return -1;
    }
    return 0;
}
