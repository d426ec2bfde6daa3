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

#endif
