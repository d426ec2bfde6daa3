/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/statistics.c: see statistics.h. */
#include "tb/cli/statistics.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/text_file.h"

struct statistics {
    cJSON *root;
    char *path;
    int incomplete;
};

char *read_text_file(const char *path)
{
    return text_file_read(path, SIZE_MAX / 2, NULL, stderr);
}

void statistics_say_incomplete(const cJSON *root, const char *path)
{
    const cJSON *why = cJSON_GetObjectItemCaseSensitive(root, "incomplete");
    if (why)
        fprintf(stderr, "%s is incomplete: %s\n", path,
                cJSON_IsString(why) ? why->valuestring : "it does not say why");
}

struct statistics *statistics_read(const char *path)
{
    char *text = read_text_file(path);
    struct statistics *s = text ? calloc(1, sizeof *s) : NULL;
    if (s) {
        s->path = strdup(path);
        s->root = cJSON_Parse(text);
    }
    if (s && !s->root)
        fprintf(stderr, "%s: not JSON\n", path);
    free(text);
    if (s && s->root) {
        statistics_say_incomplete(s->root, path);
        return s;
    }
    statistics_free(s);
    return NULL;
}

void statistics_free(struct statistics *s)
{
    if (!s)
        return;
    cJSON_Delete(s->root);
    free(s->path);
    free(s);
}

/* The name of an array's element is its index, written to `text`. */
static const char *name_of(const cJSON *parent, const cJSON *child, int index, char text[16])
{
    if (!cJSON_IsArray(parent))
        return child->string;
    snprintf(text, 16, "%d", index);
    return text;
}

/* Names may hold dots themselves, as those of settings do: every child that the path begins with is
 * tried. */
const cJSON *statistics_within(const cJSON *json, const char *path)
{
    char text[16];
    int index = 0;
    for (const cJSON *child = json ? json->child : NULL; child; child = child->next) {
        const char *name = name_of(json, child, index++, text);
        const size_t length = strlen(name);
        if (strncmp(path, name, length))
            continue;
        const cJSON *found = !path[length]         ? child
                             : path[length] == '.' ? statistics_within(child, path + length + 1)
                                                   : NULL;
        if (found)
            return found;
    }
    return NULL;
}

const cJSON *statistics_at(const struct statistics *s, const char *path)
{
    return statistics_within(s->root, path);
}

int statistics_finite(const cJSON *json, double *value)
{
    if (!cJSON_IsNumber(json) || !isfinite(json->valuedouble))
        return 0;
    *value = json->valuedouble;
    return 1;
}

const cJSON *statistics_root(const struct statistics *s)
{
    return s->root;
}

void statistics_lack(const struct statistics *s, const char *path)
{
    fprintf(stderr, "%s: '%s' is missing\n", s->path, path);
}

static const cJSON *member(struct statistics *s, const char *path, cJSON_bool (*is)(const cJSON *))
{
    const cJSON *json = statistics_within(s->root, path);
    if (!json)
        json = statistics_within(cJSON_GetObjectItemCaseSensitive(s->root, "totals"), path);
    if (is(json))
        return json;
    if (!s->incomplete)
        statistics_lack(s, path);
    s->incomplete = 1;
    return NULL;
}

const char *statistics_text(const struct statistics *s, const char *path)
{
    const cJSON *json = statistics_within(s->root, path);
    return cJSON_IsString(json) ? json->valuestring : NULL;
}

int statistics_has(const struct statistics *s, const char *path)
{
    return cJSON_IsNumber(statistics_within(s->root, path));
}

int statistics_has_total(const struct statistics *s, const char *name)
{
    return cJSON_IsNumber(
        statistics_within(cJSON_GetObjectItemCaseSensitive(s->root, "totals"), name));
}

int statistics_count(struct statistics *s, const char *path)
{
    const cJSON *json = member(s, path, cJSON_IsArray);
    return json ? cJSON_GetArraySize(json) : 0;
}

double statistics_number(struct statistics *s, const char *path)
{
    const cJSON *json = member(s, path, cJSON_IsNumber);
    return json ? json->valuedouble : 0;
}

const char *statistics_word(struct statistics *s, const char *path)
{
    const cJSON *json = member(s, path, cJSON_IsString);
    return json ? json->valuestring : "?";
}

int statistics_incomplete(const struct statistics *s)
{
    return s->incomplete;
}

/* A member's name is that of what it is in, and its own. */
struct place {
    const struct place *in;
    const char *name;
};

static void print_place(const struct place *place, FILE *to)
{
    if (place->in) {
        print_place(place->in, to);
        fputc('.', to);
    }
    fputs(place->name, to);
}

/* A word as it is, but where it would not stay on its line. */
static int print_value(const cJSON *json, FILE *to)
{
    const char *word = cJSON_IsString(json) ? json->valuestring : NULL;
    for (const char *at = word; at && *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            word = NULL;
    char *text = word ? NULL : cJSON_PrintUnformatted(json);
    const int printed = (word || text) && fprintf(to, "%s\n", word ? word : text) >= 0;
    cJSON_free(text);
    return printed ? 0 : -1;
}

static int print_members(const cJSON *json, const struct place *place, FILE *to)
{
    char text[16];
    int index = 0, status = 0;
    if (!cJSON_IsObject(json) && !cJSON_IsArray(json)) {
        print_place(place, to);
        fputc(' ', to);
        return print_value(json, to);
    }
    for (const cJSON *child = json->child; child && !status; child = child->next) {
        struct place its = {place, name_of(json, child, index++, text)};
        status = print_members(child, &its, to);
    }
    return status;
}

static cJSON_bool is_anything(const cJSON *json)
{
    return json != NULL;
}

int statistics_print(struct statistics *s, const char *path, FILE *to)
{
    const cJSON *json = member(s, path, is_anything);
    const struct place place = {NULL, path};
    if (!json)
        return -1;
    return cJSON_IsObject(json) || cJSON_IsArray(json) ? print_members(json, &place, to)
                                                       : print_value(json, to);
}

int statistics_remove(struct statistics *s, const char *name)
{
    if (!cJSON_GetObjectItemCaseSensitive(s->root, name)) {
        statistics_lack(s, name);
        return -1;
    }
    cJSON_DeleteItemFromObjectCaseSensitive(s->root, name);
    return 0;
}

int statistics_print_all(const struct statistics *s, FILE *to)
{
    char *text = cJSON_Print(s->root);
    const int printed = text && fprintf(to, "%s\n", text) >= 0;
    cJSON_free(text);
    return printed ? 0 : -1;
}
