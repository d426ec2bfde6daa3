/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/html/stacks.c: where the cycles of warps and of schedulers went, as stacked bars and as tables; the parts of a page that
 * show them for the whole run. */
#include "tb/cli/html/html.h"
#include "tb/cli/html/page.h"
#include "tb/cli/report.h"

static const char *const outcome_meanings[NUM_ROW_OUTCOMES] = {
#define OUTCOME(name, meaning) meaning,
#include "tb/sm/sm.def"
};

/* Those of the classes that mean the same, where there is one. */
static const char *const outcome_colours[NUM_ROW_OUTCOMES] = {
    [ROW_OUTCOME_granted] = "#2b7a3d",   [ROW_OUTCOME_held] = "#bdc3c7",
    [ROW_OUTCOME_pipeline] = "#3f8fc4",  [ROW_OUTCOME_memory] = "#c0392b",
    [ROW_OUTCOME_execution] = "#e59866", [ROW_OUTCOME_fetch] = "#c9b458",
    [ROW_OUTCOME_block] = "#7b4fa3",     [ROW_OUTCOME_empty] = "#596673",
};

static double issue_slots(const struct report_row *row)
{
    double sum = 0;
    for (int i = 0; i < NUM_ROW_OUTCOMES; i++)
        sum += row->issue[i];
    return sum;
}

void stack_cpi(FILE *to, const struct report_row *row)
{
    struct html_part parts[NUM_CPI_CLASSES];
    for (int i = 0; i < NUM_CPI_CLASSES; i++)
        parts[i] = (struct html_part){cpi_name((enum cpi_class)i), report_colour((enum cpi_class)i),
                                      row->warp_cycles[i]};
    html_stack(to, "shares of the cycles of warps, by class", parts, NUM_CPI_CLASSES);
}

void stack_issue(FILE *to, const struct report_row *row)
{
    struct html_part parts[NUM_ROW_OUTCOMES];
    for (int i = 0; i < NUM_ROW_OUTCOMES; i++)
        parts[i] = (struct html_part){row_outcome_name((enum row_outcome)i), outcome_colours[i],
                                      row->issue[i]};
    html_stack(to, "shares of the cycles of schedulers, by outcome", parts, NUM_ROW_OUTCOMES);
}

static void begin_row(FILE *to, const char *colour, const char *name)
{
    fputs("<tr><td class=\"n\" style=\"text-align:left\">", to);
    html_swatch(to, colour);
    fprintf(to, "%s</td>", name);
}

static void end_row(FILE *to, const char *meaning)
{
    if (meaning) {
        fputs("<td class=\"words\">", to);
        html_text(to, meaning);
        fputs("</td>", to);
    }
    fputs("</tr>\n", to);
}

void stack_cpi_table(FILE *to, const struct report_row *row, int meanings)
{
    static const char *const heads[] = {"class", "#CPI", "#share", "a warp's cycle in which"};
    const double resident = row_resident(row);
    html_table(to, "cycles per instruction by class", heads, meanings ? 4 : 3);
    for (int i = 0; i < NUM_CPI_CLASSES; i++) {
        begin_row(to, report_colour((enum cpi_class)i), cpi_name((enum cpi_class)i));
        html_number_cell(to, row_ratio(row->warp_cycles[i], row->instructions), 2);
        html_share_cell(to, row_ratio(row->warp_cycles[i], resident));
        end_row(to, meanings ? cpi_meaning((enum cpi_class)i) : NULL);
    }
    html_table_end(to);
}

void stack_issue_table(FILE *to, const struct report_row *row)
{
    static const char *const heads[] = {"outcome", "#cycles", "#share",
                                        "a scheduler's cycle in which"};
    const double slots = issue_slots(row);
    html_table(to, "cycles of schedulers by outcome", heads, 4);
    for (int i = 0; i < NUM_ROW_OUTCOMES; i++) {
        begin_row(to, outcome_colours[i], row_outcome_name((enum row_outcome)i));
        html_number_cell(to, row->issue[i], 0);
        html_share_cell(to, row_ratio(row->issue[i], slots));
        end_row(to, outcome_meanings[i]);
    }
    html_table_end(to);
}

static int has_cycles(const struct page *p)
{
    return !(p->whole.lacks & (ROW_CPI | ROW_CYCLES)) && row_resident(&p->whole) > 0;
}

static void write_cycles(const struct page *p)
{
    fputs("<p>Each resident warp is in one class in each cycle, the first that applies. "
          "The IPC of an SM is its resident warps divided by the CPI.</p>\n",
          p->to);
    page_figures(p->to, FIGURE_cycles, 0, &p->whole);
    stack_cpi(p->to, &p->whole);
    stack_cpi_table(p->to, &p->whole, 1);
}

const struct page_part part_cycles = {"cycles", "Cycles per instruction", has_cycles, write_cycles};

static int has_issue(const struct page *p)
{
    return !(p->whole.lacks & ROW_ISSUE) && issue_slots(&p->whole) > 0;
}

static void write_issue(const struct page *p)
{
    fputs("<p>What became of each cycle of each scheduler: the first that applies.</p>\n", p->to);
    stack_issue(p->to, &p->whole);
    stack_issue_table(p->to, &p->whole);
}

const struct page_part part_issue = {"issue", "Issue slots", has_issue, write_issue};
