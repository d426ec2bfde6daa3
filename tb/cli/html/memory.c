/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/html/memory.c: caches, crossbar, DRAM and energy of the whole run, counter by counter. */
#include <stdio.h>

#include "tb/cli/html/html.h"
#include "tb/cli/html/page.h"

/* A counter with the member of its object that it is. */
struct counter {
    const char *member, *meaning;
};

#define COUNTER(name, meaning) {#name, meaning},
#define FAILURE(name, meaning)                                                                     \
    {"reservation_failures." #name, "cycles that a load waited: " meaning},
static const struct counter l1_counters[] = {
#include "tb/mem/l1.def"
    {NULL, NULL}};
#undef FAILURE
#define FAILURE(name, meaning) {"stalls." #name, "cycles that a request waited: " meaning},
static const struct counter l2_counters[] = {
#include "tb/mem/l2.def"
    {NULL, NULL}};
#undef FAILURE
static const struct counter xbar_counters[] = {
#include "tb/mem/xbar.def"
    {NULL, NULL}};
static const struct counter dram_counters[] = {
#include "tb/mem/dram.def"
    {NULL, NULL}};
#undef COUNTER

static const struct level {
    const char *member, *title;
    const struct counter *counters;
} levels[] = {
    {"l1d", "L1D", l1_counters},
    {"l1c", "L1C, constants", l1_counters},
    {"l1i", "L1I, instructions", l1_counters},
    {"xbar", "Crossbar", xbar_counters},
    {"l2", "L2", l2_counters},
    {"dram", "DRAM", dram_counters},
};
#define NUM_LEVELS (sizeof levels / sizeof levels[0])

static int value_of(const struct page *p, const struct level *l, const struct counter *c,
                    double *value)
{
    char path[128];
    snprintf(path, sizeof path, "totals.%s.%s", l->member, c->member);
    return page_number(p, path, value);
}

/* Whether anything has happened there. */
static int is_used(const struct page *p, const struct level *l)
{
    double value;
    for (const struct counter *c = l->counters; c->member; c++)
        if (value_of(p, l, c, &value) && value > 0)
            return 1;
    return 0;
}

static int has_memory(const struct page *p)
{
    int any = 0;
    for (size_t i = 0; i < NUM_LEVELS; i++)
        any |= is_used(p, &levels[i]);
    return any;
}

static void write_level(const struct page *p, const struct level *l)
{
    static const char *const heads[] = {"counter", "#count", "meaning"};
    double value;
    fprintf(p->to, "<details><summary>%s</summary>\n", l->title);
    html_table(p->to, l->title, heads, 3);
    for (const struct counter *c = l->counters; c->member; c++) {
        if (!value_of(p, l, c, &value))
            continue;
        fputs("<tr>", p->to);
        html_cell(p->to, c->member);
        html_number_cell(p->to, value, 0);
        fputs("<td class=\"words\">", p->to);
        html_text(p->to, c->meaning);
        fputs("</td></tr>\n", p->to);
    }
    html_table_end(p->to);
    fputs("</details>\n", p->to);
}

static void write_memory(const struct page *p)
{
    page_figures(p->to, FIGURE_memory, ROW_MEMORY | ROW_CYCLES, &p->whole);
    for (size_t i = 0; i < NUM_LEVELS; i++)
        if (is_used(p, &levels[i]))
            write_level(p, &levels[i]);
}

const struct page_part part_memory = {"memory", "Caches and memory", has_memory, write_memory};

static const struct event {
    const char *part, *key, *meaning;
} events[] = {
#define ENERGY(part, key, volts, events, meaning) {#part, #key, meaning},
#include "tb/gpu/energy.def"
};

static int has_energy(const struct page *p)
{
    return !(p->whole.lacks & (ROW_ENERGY | ROW_CYCLES)) && p->whole.energy[ENERGY_total] > 0;
}

static void write_parts(const struct page *p)
{
    static const char *const colours[NUM_ROW_ENERGY] = {
        [ENERGY_core] = "#2b7a3d",
        [ENERGY_network] = "#8fc1e3",
        [ENERGY_memory] = "#c0392b",
        [ENERGY_leakage] = "#bdc3c7",
    };
    static const char *const names[NUM_ROW_ENERGY] = {"total", "core", "network", "memory",
                                                      "leakage"};
    static const char *const heads[] = {"part", "#\xc2\xb5J", "#share"};
    struct html_part parts[NUM_ROW_ENERGY];
    for (int i = 0; i < NUM_ROW_ENERGY; i++)
        parts[i] = (struct html_part){names[i], colours[i], p->whole.energy[i]};
    html_stack(p->to, "shares of the energy, by part", parts + 1, NUM_ROW_ENERGY - 1);
    html_table(p->to, "energy by part", heads, 3);
    for (int i = 1; i < NUM_ROW_ENERGY; i++) {
        fputs("<tr><td>", p->to);
        html_swatch(p->to, colours[i]);
        fprintf(p->to, "%s</td>", names[i]);
        html_number_cell(p->to, p->whole.energy[i] / 1e3, 3);
        html_share_cell(p->to, row_ratio(p->whole.energy[i], p->whole.energy[ENERGY_total]));
        fputs("</tr>\n", p->to);
    }
    html_table_end(p->to);
}

static void write_events(const struct page *p)
{
    static const char *const heads[] = {"key of [energy]", "part", "#\xc2\xb5J", "#share",
                                        "the key is"};
    double value;
    char path[64];
    fputs("<details><summary>By event</summary>\n", p->to);
    html_table(p->to, "energy by event", heads, 5);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        snprintf(path, sizeof path, "totals.energy.events.%s", events[i].key);
        if (!page_number(p, path, &value))
            continue;
        fputs("<tr>", p->to);
        html_cell(p->to, events[i].key);
        html_cell(p->to, events[i].part);
        html_number_cell(p->to, value / 1e3, 3);
        html_share_cell(p->to, row_ratio(value, p->whole.energy[ENERGY_total]));
        fputs("<td class=\"long\">", p->to);
        html_text(p->to, events[i].meaning);
        fputs("</td></tr>\n", p->to);
    }
    html_table_end(p->to);
    fputs("</details>\n", p->to);
}

static void write_energy(const struct page *p)
{
    fputs("<p>Events times what <code>[energy]</code> says that each costs, from published tables "
          "of one technology; units under test cost nothing. Compare runs of one machine.</p>\n",
          p->to);
    page_figures(p->to, FIGURE_energy, 0, &p->whole);
    write_parts(p);
    write_events(p);
}

const struct page_part part_energy = {"energy", "Energy, microjoules", has_energy, write_energy};
