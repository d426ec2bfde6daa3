/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/statistics.c: see statistics.h. */
#include "tb/cli/statistics.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct statistics {
    cJSON *root;
    char *path;
    int incomplete;
};

char *read_text_file(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    errno = 0;
    FILE *f = fopen(path, "r");
    if (!f || getdelim(&text, &size, 0, f) < 0) {
        fprintf(stderr, "%s: cannot be read: %s\n", path, errno ? strerror(errno) : "it is empty");
        free(text);
        text = NULL;
    }
    if (f)
        fclose(f);
    return text;
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
    if (s && s->root)
        return s;
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

static const cJSON *member(struct statistics *s, const char *path, cJSON_bool (*is)(const cJSON *))
{
    const cJSON *json = s->root;
    char name[64];
    for (const char *at = path; json && *at;) {
        size_t length = strcspn(at, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        json = cJSON_IsArray(json) ? cJSON_GetArrayItem(json, atoi(name))
                                   : cJSON_GetObjectItemCaseSensitive(json, name);
        at += length + (at[length] == '.');
    }
    if (is(json))
        return json;
    if (!s->incomplete)
        fprintf(stderr, "%s: '%s' is missing\n", s->path, path);
    s->incomplete = 1;
    return NULL;
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

double statistics_setting(struct statistics *s, const char *key)
{
    const cJSON *settings = cJSON_GetObjectItemCaseSensitive(s->root, "settings");
    const cJSON *json = cJSON_GetObjectItemCaseSensitive(settings, key);
    if (cJSON_IsNumber(json))
        return json->valuedouble;
    if (!s->incomplete)
        fprintf(stderr, "%s: setting '%s' is missing\n", s->path, key);
    s->incomplete = 1;
    return 0;
}
