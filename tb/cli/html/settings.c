/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/html/settings.c: the settings of the run, and which of them differ from the file of its configuration. */
#include <cjson/cJSON.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tb/cli/cost.h"
#include "tb/cli/html/html.h"
#include "tb/cli/html/page.h"
#include "tb/config.h"

static const struct key {
    const char *name, *meaning;
    size_t offset;
    int word;
} keys[] = {
#define KEY(section, key, least, most, meaning)                                                    \
    {#section "." #key, meaning, offsetof(struct config, section##_##key), 0},
#define WORD(section, key, meaning)                                                                \
    {#section "." #key, meaning, offsetof(struct config, section##_##key), 1},
#include "tb/config.def"
};
#define NUM_KEYS (sizeof keys / sizeof keys[0])

static const struct key *find_key(const char *name)
{
    for (size_t i = 0; i < NUM_KEYS; i++)
        if (!strcmp(keys[i].name, name))
            return &keys[i];
    return NULL;
}

/* Reads the file of the run's configuration: that of its build, or of the tree. Returns 0, or -1: there is none, or this build
 * cannot read it. */
static int read_configuration(const struct page *p, struct config *c)
{
    const char *name = page_word(p, "config");
    static const char *const places[] = {"%s/../%s/%s.ini", "%s/../../configs/%.0s%s.ini"};
    char path[PATH_MAX], *said = NULL;
    size_t length;
    int status = -1;
    FILE *err = name && is_plain_name(name) ? open_memstream(&said, &length) : NULL;
    for (size_t i = 0; err && status && i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, places[i], p->build, name, name);
        if (!access(path, R_OK))
            status = config_read(c, path, err);
    }
    if (err)
        fclose(err);
    free(said);
    return status;
}

/* Is the value that of the configuration? */
static int is_same(const cJSON *value, const struct key *key, const struct config *c)
{
    const char *member = (const char *)c + key->offset;
    int64_t number;
    if (key->word)
        return cJSON_IsString(value) && !strcmp(value->valuestring, member);
    memcpy(&number, member, sizeof number);
    return cJSON_IsNumber(value) && value->valuedouble == (double)number;
}

static void write_value(FILE *to, const cJSON *value)
{
    if (cJSON_IsString(value))
        html_text(to, *value->valuestring ? value->valuestring : "none");
    else
        html_value(to, value->valuedouble);
}

static void write_configured(FILE *to, const struct key *key, const struct config *c)
{
    const char *member = (const char *)c + key->offset;
    int64_t number;
    memcpy(&number, member, key->word ? 0 : sizeof number);
    if (key->word)
        html_text(to, *member ? member : "none");
    else
        html_value(to, (double)number);
}

static int is_value(const cJSON *value)
{
    return cJSON_IsString(value) || cJSON_IsNumber(value);
}

/* A row of the table of differences, if the setting differs. Returns how many rows that is. */
static int write_difference(FILE *to, const char *name, const cJSON *value, const struct config *c)
{
    const struct key *key = find_key(name);
    if (!key || !is_value(value) || is_same(value, key, c))
        return 0;
    fputs("<tr>", to);
    html_cell(to, name);
    fputs("<td class=\"n\">", to);
    write_value(to, value);
    fputs("</td><td class=\"n\">", to);
    write_configured(to, key, c);
    fputs("</td><td class=\"words\">", to);
    html_text(to, key->meaning);
    fputs("</td></tr>\n", to);
    return 1;
}

/* These three stand at the top of the file. */
static const struct {
    const char *path, *key;
} words[] = {{"sched", "run.sched"}, {"dispatch", "run.dispatch"}, {"backend", "run.backend"}};

static int write_rows(const struct page *p, const struct config *c, FILE *to)
{
    const cJSON *settings = statistics_at(p->statistics, "settings"), *value;
    int count = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        count += write_difference(to, words[i].key, statistics_at(p->statistics, words[i].path), c);
    cJSON_ArrayForEach(value, settings) count += write_difference(to, value->string, value, c);
    return count;
}

static void write_differences(const struct page *p)
{
    static const char *const heads[] = {"key", "#this run", "#configuration", "meaning"};
    static struct config c;
    char *rows = NULL;
    size_t length;
    if (read_configuration(p, &c)) {
        fputs("<p>This build has no configuration of that name that it can read, so nothing is "
              "compared with it.</p>\n",
              p->to);
        return;
    }
    FILE *to = open_memstream(&rows, &length);
    const int count = to ? write_rows(p, &c, to) : 0;
    if (to)
        fclose(to);
    if (!count)
        fputs("<p>All are those of the configuration's file.</p>\n", p->to);
    else {
        fputs("<p>These differ from the configuration's file, as this build has it.</p>\n", p->to);
        html_table(p->to, "settings that differ from the configuration", heads, 4);
        fputs(rows, p->to);
        html_table_end(p->to);
    }
    free(rows);
}

static int has_settings(const struct page *p)
{
    const cJSON *settings = statistics_at(p->statistics, "settings");
    return cJSON_IsObject(settings) && settings->child;
}

static void write_settings(const struct page *p)
{
    static const char *const heads[] = {"key", "#value", "meaning"};
    const cJSON *settings = statistics_at(p->statistics, "settings"), *value;
    write_differences(p);
    fputs("<details><summary>All settings</summary>\n", p->to);
    html_table(p->to, "all settings", heads, 3);
    cJSON_ArrayForEach(value, settings)
    {
        const struct key *key = find_key(value->string);
        if (!is_value(value))
            continue;
        fputs("<tr>", p->to);
        html_cell(p->to, value->string);
        fputs("<td class=\"n\">", p->to);
        write_value(p->to, value);
        fputs("</td><td class=\"words\">", p->to);
        html_text(p->to, key ? key->meaning : "");
        fputs("</td></tr>\n", p->to);
    }
    html_table_end(p->to);
    fputs("</details>\n", p->to);
}

const struct page_part part_settings = {"settings", "Settings", has_settings, write_settings};
