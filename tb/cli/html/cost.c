/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/html/cost.c: what the units of the run cost, where a report of their synthesis is there. */
#include <cjson/cJSON.h>
#include <limits.h>

#include "tb/cli/cost.h"
#include "tb/cli/html/html.h"
#include "tb/cli/html/page.h"

/* The unit's cost on the run's configuration. Returns 0, or -1: nobody tells. */
static int read_cost(const struct page *p, const cJSON *unit, struct notes *notes, char *from,
                     size_t size)
{
    const char *config = page_word(p, "config");
    *notes = (struct notes){0};
    if (!config || !is_plain_name(config) || !unit->string || !is_plain_name(unit->string))
        return -1;
    return cost_read(notes, p->build, config, unit->string, from, size);
}

static int has_cost(const struct page *p)
{
    const cJSON *lockstep = statistics_at(p->statistics, "lockstep"), *unit;
    int any = 0;
    cJSON_ArrayForEach(unit, lockstep)
    {
        struct notes notes;
        char from[256];
        any |= !read_cost(p, unit, &notes, from, sizeof from);
        notes_free(&notes);
    }
    return any;
}

static void write_unit(FILE *to, const char *unit, const struct notes *notes, const char *from)
{
    fputs("<tr>", to);
    html_cell(to, unit);
    for (int i = 0; i < NUM_COST_ROWS; i++) {
        const char *value = notes_find(notes, cost_rows[i].name);
        fputs("<td class=\"n\">", to);
        html_text(to, value ? value : "");
        fputs("</td>", to);
    }
    html_cell(to, from);
    fputs("</tr>\n", to);
}

static void write_cost(const struct page *p)
{
    static const char *const heads[] = {"unit",
                                        "#STATE bits",
                                        "#flip-flops",
                                        "#area \xc2\xb5m\xc2\xb2",
                                        "#gate equivalents",
                                        "#critical path ns",
                                        "by"};
    const cJSON *lockstep = statistics_at(p->statistics, "lockstep"), *unit;
    fputs("<p>One instance of each unit on this configuration, as synthesis found it: before "
          "layout, without wires. The last column is the report that says so: "
          "<code>result.txt</code> of <code>make synth</code>, or the unit's page of evidence, "
          "which <code>make evidence</code> writes.</p>\n",
          p->to);
    html_table(p->to, "cost of units", heads, sizeof heads / sizeof heads[0]);
    cJSON_ArrayForEach(unit, lockstep)
    {
        struct notes notes;
        char from[256];
        if (!read_cost(p, unit, &notes, from, sizeof from))
            write_unit(p->to, unit->string, &notes, from);
        notes_free(&notes);
    }
    html_table_end(p->to);
}

const struct page_part part_cost = {"cost", "What the units cost", has_cost, write_cost};
