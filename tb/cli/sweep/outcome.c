/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/outcome.c: see outcome.h. */
#include "tb/cli/sweep/outcome.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tb/cli/statistics.h"
#include "tb/cli/sweep/memory.h"
#include "tb/file.h"

char *task_file(const char *folder, int number, const char *ending)
{
    return text_of("%s/%d%s", folder, number, ending);
}

int outcome_write(const struct outcome *o, const struct point *p, int number, const char *folder)
{
    char *path = task_file(folder, number, ".json");
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "number", number);
    cJSON_AddStringToObject(json, "point", p->text);
    cJSON_AddStringToObject(json, "build", o->build);
    cJSON_AddBoolToObject(json, "broken", o->broken);
    cJSON_AddNumberToObject(json, "exit_status", o->exit_status);
    cJSON_AddStringToObject(json, "message", o->message ? o->message : "");
    if (o->results)
        cJSON_AddItemReferenceToObject(json, "results", o->results);
    else
        cJSON_AddObjectToObject(json, "results");
    char *text = cJSON_Print(json);
    cJSON_Delete(json);
    if (!text)
        no_memory();
    struct file *file = file_create(path, stderr);
    if (file)
        fprintf(file_stream(file), "%s\n", text);
    const int status = file ? file_commit(file, stderr) : -1;
    cJSON_free(text);
    free(path);
    return status;
}

static const cJSON *member(const cJSON *json, const char *name, cJSON_bool (*is)(const cJSON *),
                           char why[128])
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(json, name);
    if (is(found))
        return found;
    if (!*why)
        snprintf(why, 128, "'%s' is missing, or of another type", name);
    return NULL;
}

/* Members of objects, at any depth, must be numbers or such objects, each named once. */
static int only_numbers(const cJSON *json)
{
    for (const cJSON *i = json->child; i; i = i->next) {
        if (!(cJSON_IsObject(i) ? only_numbers(i) : cJSON_IsNumber(i)) || !*i->string)
            return 0;
        for (const cJSON *j = json->child; j != i; j = j->next)
            if (!strcmp(i->string, j->string))
                return 0;
    }
    return 1;
}

static void understand(struct outcome *o, cJSON *json, const struct point *p, int number,
                       char why[128])
{
    const cJSON *its_number = member(json, "number", cJSON_IsNumber, why),
                *point = member(json, "point", cJSON_IsString, why),
                *build = member(json, "build", cJSON_IsString, why),
                *broken = member(json, "broken", cJSON_IsBool, why),
                *status = member(json, "exit_status", cJSON_IsNumber, why),
                *message = member(json, "message", cJSON_IsString, why),
                *results = member(json, "results", cJSON_IsObject, why);
    if (*why)
        return;
    if (its_number->valuedouble != number || strcmp(point->valuestring, p->text))
        snprintf(why, 128, "it is of another point");
    else if (strlen(build->valuestring) != sizeof o->build - 1)
        snprintf(why, 128, "'build' is not a hash");
    else if (!only_numbers(results))
        snprintf(why, 128, "'results' are not numbers, each named once");
    else if (!cJSON_IsTrue(broken) && !results->child)
        snprintf(why, 128, "done, but without results");
    if (*why)
        return;
    strcpy(o->build, build->valuestring);
    o->broken = cJSON_IsTrue(broken);
    o->exit_status = status->valueint;
    o->message = text_of("%s", message->valuestring);
    o->results = cJSON_DetachItemFromObjectCaseSensitive(json, "results");
}

int outcome_read(struct outcome *o, const struct point *p, int number, const char *folder,
                 char why[128])
{
    char *path = task_file(folder, number, ".json"), *text = NULL;
    cJSON *json = NULL;
    *o = (struct outcome){0};
    *why = 0;
    const int there = access(path, F_OK) == 0;
    if (there && !(text = read_text_file(path)))
        snprintf(why, 128, "it cannot be read");
    else if (there && !(json = cJSON_Parse(text)))
        snprintf(why, 128, "it is not JSON");
    if (json)
        understand(o, json, p, number, why);
    cJSON_Delete(json);
    free(text);
    free(path);
    return !there ? 1 : *why ? -1 : 0;
}

void outcome_free(struct outcome *o)
{
    cJSON_Delete(o->results);
    free(o->message);
    *o = (struct outcome){0};
}
