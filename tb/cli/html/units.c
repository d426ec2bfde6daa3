/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/html/units.c: the units of the machine: what lockstep has compared, which edges of state machines were taken, and what
 * the units have found. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "tb/cli/html/html.h"
#include "tb/cli/html/page.h"

static double number_in(const cJSON *object, const char *name)
{
    double value = 0;
    statistics_finite(cJSON_GetObjectItemCaseSensitive(object, name), &value);
    return value;
}

/* A member of the file whose name ends in "_edges". */
static int is_edges(const cJSON *member)
{
    const char *const end = member->string ? strrchr(member->string, '_') : NULL;
    return end && !strcmp(end, "_edges") && cJSON_IsObject(member);
}

static const cJSON *first_member(const struct page *p)
{
    return statistics_root(p->statistics)->child;
}

static int has_units(const struct page *p)
{
    const cJSON *lockstep = statistics_at(p->statistics, "lockstep");
    int any = cJSON_IsObject(lockstep) && lockstep->child;
    for (const cJSON *m = first_member(p); m; m = m->next)
        any |= is_edges(m);
    return any;
}

static void write_lockstep(const struct page *p)
{
    static const char *const heads[] = {"unit", "#cycles compared", "#mismatches"};
    const cJSON *lockstep = statistics_at(p->statistics, "lockstep"), *unit;
    const char *backend = page_word(p, "backend");
    double compared = 0;
    if (!cJSON_IsObject(lockstep) || !lockstep->child)
        return;
    cJSON_ArrayForEach(unit, lockstep) compared += number_in(unit, "cycles");
    if (!(compared > 0)) {
        fputs("<p>Nothing was compared: the backend was ", p->to);
        html_text(p->to, backend ? backend : "not lockstep");
        fputs(". <code>--backend=lockstep</code> compares Verilog and C.</p>\n", p->to);
        return;
    }
    fputs("<p>In each of these cycles the unit had something to decide, and outputs and registers "
          "of its Verilog and its C reference were compared; all instances together.</p>\n",
          p->to);
    html_table(p->to, "lockstep", heads, 3);
    cJSON_ArrayForEach(unit, lockstep)
    {
        fputs("<tr>", p->to);
        html_cell(p->to, unit->string);
        html_number_cell(p->to, number_in(unit, "cycles"), 0);
        html_number_cell(p->to, number_in(unit, "mismatches"), 0);
        fputs("</tr>\n", p->to);
    }
    html_table_end(p->to);
}

/* Edges of one state machine, or, below it, of each of several. */
static void write_edges(FILE *to, const cJSON *edges, const char *machine)
{
    const cJSON *edge;
    cJSON_ArrayForEach(edge, edges)
    {
        if (cJSON_IsObject(edge) && !machine) {
            write_edges(to, edge, edge->string);
            continue;
        }
        double taken;
        if (!statistics_finite(edge, &taken))
            continue;
        fputs("<tr><td>", to);
        html_format(to, "%s%s%s", machine ? machine : "", machine ? ": " : "", edge->string);
        fputs("</td>", to);
        html_number_cell(to, taken, 0);
        fputs("</tr>\n", to);
    }
}

static void write_machines(const struct page *p)
{
    static const char *const heads[] = {"edge", "#taken"};
    for (const cJSON *m = first_member(p); m; m = m->next) {
        if (!is_edges(m))
            continue;
        fputs("<details><summary>Edges of ", p->to);
        html_format(p->to, "%.*s", (int)(strlen(m->string) - strlen("_edges")), m->string);
        fputs("</summary>\n", p->to);
        html_table(p->to, "edges", heads, 2);
        write_edges(p->to, m, NULL);
        html_table_end(p->to);
        fputs("</details>\n", p->to);
    }
}

static void write_units(const struct page *p)
{
    write_lockstep(p);
    write_machines(p);
}

const struct page_part part_units = {"units", "Lockstep and state machines", has_units,
                                     write_units};

static const struct found {
    const char *name, *meaning;
} founds[] = {
#define FOUND(name, meaning) {#name, meaning},
#include "tb/sm/sm.def"
};

static int found(const struct page *p, size_t i, double *value)
{
    char path[64];
    snprintf(path, sizeof path, "totals.found.%s", founds[i].name);
    return page_number(p, path, value) && *value != 0;
}

static int has_found(const struct page *p)
{
    double value;
    for (size_t i = 0; i < sizeof founds / sizeof founds[0]; i++)
        if (found(p, i, &value))
            return 1;
    return 0;
}

static void write_found(const struct page *p)
{
    static const char *const heads[] = {"count", "#value", "meaning"};
    double value;
    html_table(p->to, "what units have found", heads, 3);
    for (size_t i = 0; i < sizeof founds / sizeof founds[0]; i++) {
        if (!found(p, i, &value))
            continue;
        fputs("<tr>", p->to);
        html_cell(p->to, founds[i].name);
        html_number_cell(p->to, value, 0);
        fputs("<td class=\"words\">", p->to);
        html_text(p->to, founds[i].meaning);
        fputs("</td></tr>\n", p->to);
    }
    html_table_end(p->to);
}

const struct page_part part_found = {"found", "What units have found", has_found, write_found};
