/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/reading.c: see reading.h. */
#include "tb/cli/model/reading.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

int model_wrong(const char *path, const char *what, const char *name)
{
    fprintf(stderr, "%s: %s%s\n", path, what, name);
    return -1;
}

int model_number(const char *path, const struct cJSON *from, const char *name, double *value)
{
    return statistics_finite(statistics_within(from, name), value)
               ? 0
               : model_wrong(path, "no number ", name);
}

const char *model_name_of(struct statistics *s, unsigned number)
{
    const int count = statistics_count(s, "kernels");
    for (int i = 0; i < count; i++) {
        char path[48];
        snprintf(path, sizeof path, "kernels.%d.number", i);
        if (statistics_number(s, path) != number)
            continue;
        snprintf(path, sizeof path, "kernels.%d.name", i);
        return statistics_word(s, path);
    }
    return "?";
}

int model_names_are(struct statistics *s, const char *path, const char *first, const char *second)
{
    if (!strcmp(model_name_of(s, 0), first) && !strcmp(model_name_of(s, 1), second))
        return 0;
    fprintf(stderr, "%s: its kernels are %s and %s; expected %s and %s\n", path,
            model_name_of(s, 0), model_name_of(s, 1), first, second);
    return -1;
}

int model_check_alone(const char *path, struct statistics *s)
{
    const cJSON *kernel;
    double untimed;
    if (statistics_at(s, "together"))
        return model_wrong(path, "of two programs at once: expected one that ran alone", "");
    if (statistics_at(s, "incomplete"))
        return model_wrong(path, "not the statistics of a whole run", "");
    cJSON_ArrayForEach(kernel, statistics_at(s, "kernels"))
    {
        const char *status =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(kernel, "status"));
        if (!status || strcmp(status, "ok") != 0)
            return model_wrong(path, "a kernel did not end well: ", status ? status : "?");
    }
    if (model_number(path, statistics_at(s, "totals"), "untimed_instructions", &untimed))
        return -1;
    return untimed > 0 ? model_wrong(path, "some of its instructions took no time", "") : 0;
}
