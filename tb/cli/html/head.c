/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/html/head.c: who made the run, what is wrong with it, and the figures that one asks for first. */
#include <cjson/cJSON.h>
#include <string.h>

#include "tb/cli/html/html.h"
#include "tb/cli/html/page.h"

static void alarm(FILE *to, const char *begin, const char *rest)
{
    fputs("<p class=\"alarm\" role=\"alert\"><strong>", to);
    html_text(to, begin);
    fputs("</strong> ", to);
    html_text(to, rest);
    fputs("</p>\n", to);
}

/* What units did wrong. */
static double mismatches(const struct page *p)
{
    const cJSON *lockstep = statistics_at(p->statistics, "lockstep"), *unit;
    double sum = 0, found;
    cJSON_ArrayForEach(unit, lockstep)
    {
        if (statistics_finite(cJSON_GetObjectItemCaseSensitive(unit, "mismatches"), &found))
            sum += found;
    }
    return sum;
}

static void write_alarms(const struct page *p)
{
    const char *why = page_word(p, "incomplete");
    if (why || statistics_at(p->statistics, "incomplete"))
        alarm(p->to, "This run is incomplete.", why ? why : "The file does not say why.");
    for (int i = 0; i < p->rows.count; i++) {
        const struct report_row *row = &p->rows.rows[i];
        char text[256];
        if (!row->broken)
            continue;
        snprintf(text, sizeof text, "%.80s: %.0f of %.0f launches; the first of them: %s.",
                 row->name, row->broken, row->launches, row->end);
        alarm(p->to, "Not every launch ended well.", text);
    }
    if (mismatches(p) > 0)
        alarm(p->to, "Lockstep found a difference.",
              "The Verilog of a unit and its C reference are not the same; see below which.");
}

static void write_word(const struct page *p, const char *term, const char *path)
{
    const char *word = page_word(p, path);
    if (!word)
        return;
    fprintf(p->to, "<dt>%s</dt><dd>", term);
    html_text(p->to, word);
    fputs("</dd>\n", p->to);
}

/* What else `host` says, whatever it is. */
static void write_host(const struct page *p)
{
    const cJSON *const host = statistics_at(p->statistics, "host");
    static const char *const said[] = {"command", "version", "commit"};
    for (const cJSON *note = cJSON_IsObject(host) ? host->child : NULL; note; note = note->next) {
        size_t i = 0;
        while (i < sizeof said / sizeof said[0] && strcmp(note->string, said[i]) != 0)
            i++;
        if (i < sizeof said / sizeof said[0] || !(cJSON_IsString(note) || cJSON_IsNumber(note)))
            continue;
        fputs("<dt>", p->to);
        html_text(p->to, note->string);
        fputs("</dt><dd>", p->to);
        if (cJSON_IsString(note))
            html_text(p->to, note->valuestring);
        else
            html_value(p->to, note->valuedouble);
        fputs("</dd>\n", p->to);
    }
}

static void write_maker(const struct page *p)
{
    const char *command = page_word(p, "host.command");
    if (command) {
        fputs("<p><code>", p->to);
        html_text(p->to, command);
        fputs("</code></p>\n", p->to);
    }
    fputs("<dl class=\"made\">\n", p->to);
    write_word(p, "configuration", "config");
    write_word(p, "warps by", "sched");
    write_word(p, "blocks by", "dispatch");
    write_word(p, "decided by", "backend");
    write_word(p, "Heddle", "host.version");
    write_word(p, "commit", "host.commit");
    fputs("</dl>\n<details><summary>The host</summary><dl class=\"made\">\n", p->to);
    write_host(p);
    fputs("</dl></details>\n", p->to);
}

static void figure(const struct page *p, const char *term, unsigned part, double value, int digits,
                   const char *unit)
{
    if (p->whole.lacks & part)
        return;
    fprintf(p->to, "<div><dt>%s</dt><dd>", term);
    html_number(p->to, value, digits);
    fprintf(p->to, "%s</dd></div>\n", unit);
}

static void write_headline(const struct page *p)
{
    const struct report_row *w = &p->whole;
    const double accesses = w->l1d[L1D_accesses],
                 hits = w->l1d[L1D_hits_intra_warp] + w->l1d[L1D_hits_inter_warp];
    double bytes;
    fputs("<dl class=\"figures headline\">\n", p->to);
    figure(p, "cycles", ROW_CYCLES, w->cycles, 0, "");
    figure(p, "warp instructions", ROW_CYCLES, w->instructions, 0, "");
    figure(p, "IPC", ROW_CYCLES, row_ratio(w->instructions, w->cycles), 3, "");
    if (accesses > 0)
        figure(p, "L1D hits", ROW_MEMORY, 100 * hits / accesses, 2, " %");
    if (page_number(p, "totals.dram.bytes", &bytes))
        figure(p, "DRAM", 0, bytes / 1e6, 3, " MB");
    figure(p, "energy", ROW_ENERGY, w->energy[ENERGY_total] / 1e3, 3, " \xc2\xb5J");
    if (w->clock_mhz > 0)
        figure(p, "time on the machine", ROW_CYCLES, w->cycles / w->clock_mhz, 3, " \xc2\xb5s");
    figure(p, "launches", 0, w->launches, 0, "");
    fputs("</dl>\n", p->to);
    if (w->untimed > 0) {
        fputs("<p>", p->to);
        html_number(p->to, w->untimed, 0);
        fputs(" more instructions took no time (<code>run.timing</code>, "
              "<code>run.blocks</code>).</p>\n",
              p->to);
    }
}

void page_head(const struct page *p)
{
    const char *sched = page_word(p, "sched"), *config = page_word(p, "config");
    fputs("<header>\n<h1>", p->to);
    html_format(p->to, "Run under %s on %s", sched ? sched : "?", config ? config : "?");
    fputs("</h1>\n", p->to);
    write_alarms(p);
    write_maker(p);
    write_headline(p);
    fputs("</header>\n", p->to);
}
