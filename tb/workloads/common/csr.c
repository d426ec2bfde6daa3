/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/csr.c: entries to compressed sparse rows, by two stable counting sorts. */
#include "tb/workloads/common/csr.h"

#include <stdlib.h>

static uint32_t key_of(const struct csr_entry *entry, int by_row)
{
    return by_row ? entry->row : entry->column;
}

/* Copies `from` to `to` in order of the key, entries of equal key in their order. */
static int counting_sort(const struct csr_entry *from, struct csr_entry *to, size_t count,
                         int by_row, uint32_t num_keys)
{
    size_t *place = calloc((size_t)num_keys + 1, sizeof *place);
    if (place == NULL)
        return -1;
    for (size_t i = 0; i < count; i++)
        place[key_of(&from[i], by_row) + 1]++;
    for (uint32_t key = 0; key < num_keys; key++)
        place[key + 1] += place[key];
    for (size_t i = 0; i < count; i++)
        to[place[key_of(&from[i], by_row)]++] = from[i];
    free(place);
    return 0;
}

int csr_allocate(struct csr *matrix, uint32_t rows, uint32_t columns, uint32_t nonzeros)
{
    size_t room = nonzeros > 0 ? nonzeros : 1;
    *matrix = (struct csr){.rows = rows, .columns = columns, .nonzeros = nonzeros};
    matrix->start = calloc((size_t)rows + 1, sizeof *matrix->start);
    matrix->column = calloc(room, sizeof *matrix->column);
    matrix->value = calloc(room, sizeof *matrix->value);
    if (matrix->start == NULL || matrix->column == NULL || matrix->value == NULL) {
        csr_free(matrix);
        return -1;
    }
    return 0;
}

void csr_free(struct csr *matrix)
{
    free(matrix->start);
    free(matrix->column);
    free(matrix->value);
    *matrix = (struct csr){0};
}

static size_t drop_repeats(struct csr_entry *sorted, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || sorted[i].row != sorted[kept - 1].row ||
            sorted[i].column != sorted[kept - 1].column)
            sorted[kept++] = sorted[i];
    return kept;
}

int csr_build(struct csr *matrix, uint32_t rows, uint32_t columns, struct csr_entry *entries,
              size_t count, enum csr_repeats repeats)
{
    struct csr_entry *by_column = malloc((count > 0 ? count : 1) * sizeof *by_column);
    int failed = by_column == NULL || counting_sort(entries, by_column, count, 0, columns) != 0 ||
                 counting_sort(by_column, entries, count, 1, rows) != 0;
    free(by_column);
    *matrix = (struct csr){0};
    if (failed)
        return -1;
    if (repeats == CSR_FIRST)
        count = drop_repeats(entries, count);
    if (csr_allocate(matrix, rows, columns, (uint32_t)count) != 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        matrix->start[entries[i].row + 1]++;
        matrix->column[i] = entries[i].column;
        matrix->value[i] = entries[i].value;
    }
    for (uint32_t row = 0; row < rows; row++)
        matrix->start[row + 1] += matrix->start[row];
    return 0;
}

void csr_row_lengths(const struct csr *matrix, uint32_t *shortest, uint32_t *longest)
{
    *shortest = UINT32_MAX;
    *longest = 0;
    for (uint32_t row = 0; row < matrix->rows; row++) {
        uint32_t length = matrix->start[row + 1] - matrix->start[row];
        *shortest = length < *shortest ? length : *shortest;
        *longest = length > *longest ? length : *longest;
    }
}
