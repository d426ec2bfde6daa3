/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/reads_file.c: see reads_file.h. */
#include "tb/gpu/reads_file.h"

#include <cjson/cJSON.h>

#include "tb/file.h"

static void number(cJSON *to, const char *name, double value)
{
    cJSON_AddNumberToObject(to, name, value);
}

static void add_three(cJSON *to, const char *name, const uint32_t of[3])
{
    cJSON *array = cJSON_AddArrayToObject(to, name);
    for (int i = 0; i < 3; i++)
        cJSON_AddItemToArray(array, cJSON_CreateNumber(of[i]));
}

static void add_loads(cJSON *to, const struct reads_row *row)
{
    cJSON *array = cJSON_AddArrayToObject(to, "loads");
    for (uint32_t i = 0; i < row->num_loads; i++) {
        const struct reads_load *l = &row->loads[i];
        cJSON *load = cJSON_CreateObject();
        number(load, "line", l->line);
        number(load, "bytes", l->bytes);
        cJSON_AddStringToObject(load, "text", l->instruction);
        number(load, "known", l->address != NULL);
        cJSON_AddStringToObject(load, l->address ? "address" : "why",
                                l->address ? l->address : l->why);
        cJSON_AddItemToArray(array, load);
    }
}

/* Cells that are not 0: x, y and sum of each. */
static void add_cells(cJSON *to, const struct reads_row *row)
{
    number(to, "cells", row->cells);
    cJSON *array = cJSON_AddArrayToObject(to, "matrix");
    for (uint32_t y = 0; y < row->cells; y++)
        for (uint32_t x = 0; x < row->cells; x++) {
            const uint64_t sum = row->cell[(size_t)y * row->cells + x];
            const double three[] = {x, y, (double)sum};
            if (sum)
                cJSON_AddItemToArray(array, cJSON_CreateDoubleArray(three, 3));
        }
}

static void add_row(cJSON *to, const struct reads_row *row)
{
    cJSON *kernel = cJSON_CreateObject();
    cJSON_AddItemToArray(to, kernel);
    cJSON_AddStringToObject(kernel, "name", row->kernel);
    number(kernel, "launches", (double)row->launches);
    add_three(kernel, "grid", row->grid);
    add_three(kernel, "block", row->block);
    number(kernel, "blocks", row->blocks);
    add_loads(kernel, row);
    cJSON_AddStringToObject(kernel, "failed", row->failed ? row->failed : "");
    if (row->failed)
        return;
#define COUNT(name, meaning) number(kernel, #name, (double)row->counts.name);
#include "tb/locality/sharing.def"
    number(kernel, "edges", (double)row->edges);
    cJSON *seconds = cJSON_AddObjectToObject(kernel, "seconds");
    number(seconds, "loads", row->loads_seconds);
    number(seconds, "memory", row->memory_seconds);
    number(seconds, "graph", row->graph_seconds);
    add_cells(kernel, row);
}

int reads_file(const char *path, const struct reads_row *rows, size_t count, uint32_t unit,
               FILE *err)
{
    struct file *file = file_create(path, err);
    if (!file)
        return -1;
    cJSON *root = cJSON_CreateObject();
    number(root, "unit", unit);
    cJSON *kernels = cJSON_AddArrayToObject(root, "kernels");
    for (size_t i = 0; i < count; i++)
        add_row(kernels, &rows[i]);
    char *text = cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    if (!text) {
        fprintf(err, "%s: no memory for what blocks read\n", path);
        file_discard(file);
        return -1;
    }
    fprintf(file_stream(file), "%s\n", text);
    cJSON_free(text);
    return file_commit(file, err);
}
