/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/statistics.h: the file that a machine leaves, for tests that look into it. */
#ifndef HEDDLE_TESTS_TB_GPU_STATISTICS_H
#define HEDDLE_TESTS_TB_GPU_STATISTICS_H

#include <cjson/cJSON.h>

#include "tests/tb/gpu/bench.h"

static inline cJSON *statistics_of(const char *path)
{
    static char text[1 << 18];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    return root;
}

/* The statistics without what may differ from one backend or number of threads to the next, as text. */
static inline char *comparable(const char *path)
{
    cJSON *root = statistics_of(path);
    cJSON_DeleteItemFromObject(root, "host");
    cJSON_DeleteItemFromObject(root, "backend");
    cJSON_DeleteItemFromObject(root, "lockstep");
    char *result = cJSON_Print(root);
    cJSON_Delete(root);
    return result;
}

#endif
