/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/settings.c: see settings.h. */
#include "tb/cli/model/settings.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "tb/cli/model/reading.h"

/* A setting as it is written, for a message. */
static const char *written(const cJSON *value, char text[64])
{
    if (!value)
        return "none";
    return cJSON_PrintPreallocated((cJSON *)value, text, 64, 0) ? text : "...";
}

/* Has the name one of these beginnings, with spaces between them? */
static int begins_with_any(const char *name, const char *beginnings)
{
    for (const char *b = beginnings; *b; b += strspn(b, " ")) {
        const size_t length = strcspn(b, " ");
        if (!strncmp(name, b, length))
            return 1;
        b += length;
    }
    return 0;
}

int model_same(const char *a_path, const cJSON *a, const char *b_path, const cJSON *b,
               const char *name)
{
    char a_text[64], b_text[64];
    if ((!a && !b) || cJSON_Compare(a, b, 1))
        return 1;
    fprintf(stderr, "%s has %s = %s, %s %s: expected the same\n", a_path, name, written(a, a_text),
            b_path, written(b, b_text));
    return 0;
}

int model_same_words(const char *a_path, const struct statistics *a, const char *b_path,
                     const struct statistics *b, const char *const *words)
{
    for (; *words; words++)
        if (!model_same(a_path, statistics_at(a, *words), b_path, statistics_at(b, *words), *words))
            return 0;
    return 1;
}

int model_same_settings(const char *a_path, const struct statistics *a, const char *b_path,
                        const struct statistics *b, const char *but)
{
    const cJSON *ours = statistics_at(a, "settings"), *theirs = statistics_at(b, "settings"), *s;
    cJSON_ArrayForEach(s, ours)
    {
        if (!begins_with_any(s->string, but) &&
            !model_same(a_path, s, b_path, cJSON_GetObjectItemCaseSensitive(theirs, s->string),
                        s->string))
            return 0;
    }
    cJSON_ArrayForEach(s, theirs)
    {
        if (!begins_with_any(s->string, but) &&
            !model_same(a_path, cJSON_GetObjectItemCaseSensitive(ours, s->string), b_path, s,
                        s->string))
            return 0;
    }
    return 1;
}

int model_whole(const char *path, const struct statistics *s, const char *name, double least,
                double most, unsigned *value)
{
    double number;
    if (model_number(path, statistics_at(s, "settings"), name, &number))
        return -1;
    if (!(number >= least && number <= most) || number != (unsigned)number) {
        fprintf(stderr, "%s: %s = %.9g: expected a whole number from %.0f to %.0f\n", path, name,
                number, least, most);
        return -1;
    }
    *value = (unsigned)number;
    return 0;
}
