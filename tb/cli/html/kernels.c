/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/html/kernels.c: the kernels, those that took most cycles first; each folds open. */
#include <stdlib.h>

#include "tb/cli/html/html.h"
#include "tb/cli/html/page.h"

#define MOST_OPENED 100 /* kernels that fold open: a page of thousands is of no use to anybody */

static int has_kernels(const struct page *p)
{
    return p->rows.count > 0;
}

/* More cycles first; of as many, the one that was launched first. */
static int compare(const void *a, const void *b)
{
    const struct report_row *const *x = a, *const *y = b;
    if ((*x)->cycles != (*y)->cycles)
        return (*x)->cycles > (*y)->cycles ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

static void write_name(FILE *to, const struct report_row *row, int number)
{
    fputs("<tr><td class=\"name\">", to);
    if (number < MOST_OPENED)
        fprintf(to, "<a href=\"#kernel-%d\">", number);
    html_text(to, row->name);
    fputs(number < MOST_OPENED ? "</a></td>" : "</td>", to);
}

/* A figure that the file has, or nothing. */
static void write_cell(FILE *to, const struct report_row *row, unsigned part, double value,
                       int digits)
{
    if (row->lacks & part)
        html_cell(to, "");
    else
        html_number_cell(to, value, digits);
}

static void write_row(FILE *to, const struct report_row *r, int number, double cycles)
{
    write_name(to, r, number);
    html_number_cell(to, r->launches, 0);
    write_cell(to, r, ROW_CYCLES, r->cycles, 0);
    html_share_cell(to, row_ratio(r->cycles, cycles));
    write_cell(to, r, ROW_CYCLES, r->instructions, 0);
    write_cell(to, r, ROW_CYCLES, row_ratio(r->instructions, r->cycles), 3);
    write_cell(to, r, ROW_CPI | ROW_CYCLES, row_ratio(row_resident(r), r->instructions), 2);
    if (r->lacks & ROW_MEMORY || !(r->l1d[L1D_accesses] > 0))
        html_cell(to, "");
    else
        html_number_cell(to, 100 - 100 * r->l1d[L1D_misses] / r->l1d[L1D_accesses], 2);
    fputs("</tr>\n", to);
}

static void write_part(FILE *to, const char *title, enum figure_group group,
                       const struct report_row *row)
{
    fprintf(to, "<h3>%s</h3>\n", title);
    page_figures(to, group, 0, row);
}

static void write_kernel(FILE *to, const struct report_row *row, int number)
{
    fprintf(to, "<details id=\"kernel-%d\"><summary>", number);
    html_text(to, row->name);
    fputs("</summary>\n", to);
    if (!(row->lacks & (ROW_CYCLES | ROW_CPI))) {
        write_part(to, "Cycles per instruction", FIGURE_cycles, row);
        stack_cpi(to, row);
        stack_cpi_table(to, row, 0);
    }
    if (!(row->lacks & ROW_ISSUE)) {
        fputs("<h3>Issue slots</h3>\n", to);
        stack_issue(to, row);
    }
    if (!(row->lacks & ROW_OCCUPANCY)) {
        write_part(to, "Occupancy, at the first launch", FIGURE_occupancy, row);
        fputs("<p>Blocks of an SM are limited by <code>", to);
        html_text(to, *row->limits ? row->limits : "nothing");
        fputs("</code>.</p>\n", to);
    }
    if (!(row->lacks & ROW_MEMORY))
        write_part(to, "Memory", FIGURE_memory, row);
    if (!(row->lacks & ROW_ENERGY))
        write_part(to, "Energy, microjoules", FIGURE_energy, row);
    if (row->lacks & (ROW_ISSUE | ROW_MEMORY))
        fputs("<p>Issue slots, caches and memory are not told of this kernel alone: others ran "
              "beside it, or the file lacks them.</p>\n",
              to);
    fputs("</details>\n", to);
}

/* What the short words above figures mean. */
static void write_words(FILE *to)
{
    static const char *const heads[] = {"figure", "meaning"};
    fputs("<details><summary>What the figures mean</summary>\n", to);
    html_table(to, "figures", heads, 2);
    for (int group = FIGURE_cycles; group <= FIGURE_occupancy; group++)
        for (const struct figure *f = NULL; (f = figure_next((enum figure_group)group, f));) {
            fputs("<tr>", to);
            html_cell(to, f->head);
            html_cell(to, f->meaning);
            fputs("</tr>\n", to);
        }
    html_table_end(to);
    fputs("</details>\n", to);
}

static void write_kernels(const struct page *p)
{
    static const char *const heads[] = {"kernel",  "#launches", "#cycles", "#share",
                                        "#instr.", "#IPC",      "#CPI",    "#L1D hit %"};
    const int count = p->rows.count;
    const struct report_row **sorted = calloc((size_t)count, sizeof *sorted);
    double cycles = 0;
    for (int i = 0; sorted && i < count; i++) {
        sorted[i] = &p->rows.rows[i];
        cycles += p->rows.rows[i].cycles;
    }
    if (!sorted)
        return;
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    fputs("<p>Launches of one kernel are summed; IPC is that of the whole machine.</p>\n", p->to);
    html_table(p->to, "kernels", heads, sizeof heads / sizeof heads[0]);
    for (int i = 0; i < count; i++)
        write_row(p->to, sorted[i], i, cycles);
    html_table_end(p->to);
    for (int i = 0; i < count && i < MOST_OPENED; i++)
        write_kernel(p->to, sorted[i], i);
    if (count > MOST_OPENED)
        fprintf(p->to, "<p>The %d kernels of the fewest cycles do not fold open.</p>\n",
                count - MOST_OPENED);
    write_words(p->to);
    free(sorted);
}

const struct page_part part_kernels = {"kernels", "Kernels", has_kernels, write_kernels};
