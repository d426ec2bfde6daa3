/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/html/page.c: see page.h. The page needs no other file and no script; what it says of itself in
 * Content-Security-Policy makes browsers refuse both. */
#include "tb/cli/html/page.h"

#include <cjson/cJSON.h>

#include "tb/cli/html/html.h"
#include "tb/file.h"

static const struct page_part *const parts[] = {
    &part_kernels, &part_cycles, &part_issue, &part_memory,   &part_energy,
    &part_units,   &part_found,  &part_cost,  &part_pictures, &part_settings,
};
#define NUM_PARTS (sizeof parts / sizeof parts[0])

const char *page_word(const struct page *p, const char *path)
{
    return statistics_text(p->statistics, path);
}

int page_number(const struct page *p, const char *path, double *value)
{
    return statistics_finite(statistics_at(p->statistics, path), value);
}

void page_figures(FILE *to, enum figure_group group, unsigned parts, const struct report_row *row)
{
    if (row->lacks & (parts | ROW_MACHINE))
        return;
    fputs("<dl class=\"figures\">\n", to);
    for (const struct figure *f = NULL; (f = figure_next(group, f));)
        html_figure(to, f->head, f->meaning, f->of(row), f->digits);
    fputs("</dl>\n", to);
}

static void begin(const struct page *p)
{
    const char *command = page_word(p, "host.command");
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; img-src data:\">\n<title>",
          p->to);
    html_text(p->to, command ? command : "a run");
    fputs(" - Heddle</title>\n<style>\n", p->to);
    fputs(html_style, p->to);
    fputs("</style>\n</head>\n<body>\n", p->to);
}

static void write_contents(const struct page *p)
{
    fputs("<nav aria-label=\"parts of this page\"><ul>", p->to);
    for (size_t i = 0; i < NUM_PARTS; i++)
        if (parts[i]->has(p))
            fprintf(p->to, "<li><a href=\"#%s\">%s</a></li>", parts[i]->id, parts[i]->title);
    fputs("</ul></nav>\n", p->to);
}

static void write_page(const struct page *p)
{
    begin(p);
    page_head(p);
    write_contents(p);
    fputs("<main>\n", p->to);
    for (size_t i = 0; i < NUM_PARTS; i++)
        if (parts[i]->has(p)) {
            fprintf(p->to, "<section id=\"%s\"><h2>%s</h2>\n", parts[i]->id, parts[i]->title);
            parts[i]->write(p);
            fputs("</section>\n", p->to);
        }
    fputs("</main>\n</body>\n</html>\n", p->to);
}

int page_write(FILE *to, const struct statistics *s, const struct pictures *pictures,
               const char *build)
{
    struct page p = {.to = to, .statistics = s, .pictures = pictures, .build = build};
    double cycles;
    int status = rows_add(&p.rows, s, NULL);
    if (!status && !page_number(&p, "totals.cycles", &cycles)) {
        statistics_lack(s, "totals.cycles");
        status = -1;
    }
    if (!status) {
        rows_whole(&p.whole, s, &p.rows);
        write_page(&p);
    }
    rows_free(&p.rows);
    return status;
}

static int write_file(const char *path, const struct statistics *s, const struct pictures *pictures,
                      const char *build)
{
    struct file *file = file_create(path, stderr);
    if (!file)
        return -1;
    if (!page_write(file_stream(file), s, pictures, build))
        return file_commit(file, stderr);
    file_discard(file);
    return -1;
}

int page_report(const char *page, const char *statistics, const char *const *paths, int count,
                const char *build)
{
    struct pictures pictures = {0};
    int status = 0;
    for (int i = 0; i < count && !status; i++)
        status = pictures_add(&pictures, paths[i]);
    struct statistics *s = status ? NULL : statistics_read(statistics);
    status = s ? write_file(page, s, &pictures, build) : -1;
    statistics_free(s);
    pictures_free(&pictures);
    return status;
}
