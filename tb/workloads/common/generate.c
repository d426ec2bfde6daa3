/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/generate.c: random sparse matrices, and R-MAT graphs. */
#include "tb/workloads/common/generate.h"

#include <stdlib.h>

#define WORD_BITS 64

/* Marks `count` of `columns` bits, every choice equally likely (Floyd's algorithm: Bentley, Floyd:
 * A Sample of Brilliance, CACM 1987), writes their numbers in ascending order, and clears the bits
 * again. */
static void choose_columns(uint64_t *marks, uint32_t columns, uint32_t *chosen, uint32_t count,
                           struct random *random)
{
    for (uint32_t last = columns - count; last < columns; last++) {
        uint32_t column = (uint32_t)random_below(random, (uint64_t)last + 1);
        if (marks[column / WORD_BITS] >> column % WORD_BITS & 1)
            column = last;
        marks[column / WORD_BITS] |= 1ull << column % WORD_BITS;
    }
    for (uint32_t word = 0; word <= (columns - 1) / WORD_BITS; word++)
        for (; marks[word] != 0; marks[word] &= marks[word] - 1)
            *chosen++ = word * WORD_BITS + (uint32_t)__builtin_ctzll(marks[word]);
}

/* The first of the `width` columns of which a row has some: those around its diagonal. */
static uint32_t first_column(uint32_t row, uint32_t columns, uint32_t width)
{
    const uint32_t half = width / 2, first = row > half ? row - half : 0;
    return first < columns - width ? first : columns - width;
}

int generate_matrix(struct csr *matrix, uint32_t rows, uint32_t columns, uint32_t width,
                    uint32_t nonzeros, struct random *random)
{
    uint64_t *marks = calloc((columns - 1) / WORD_BITS + 1, sizeof *marks);
    if (marks == NULL || csr_allocate(matrix, rows, columns, nonzeros) != 0) {
        free(marks);
        *matrix = (struct csr){0};
        return -1;
    }
    uint32_t *length = matrix->start + 1;
    for (uint32_t i = 0; i < nonzeros; i++) {
        uint32_t row;
        do {
            row = (uint32_t)random_below(random, rows);
        } while (length[row] == width);
        length[row]++;
    }
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t *chosen = matrix->column + matrix->start[row];
        const uint32_t first = first_column(row, columns, width);
        choose_columns(marks, width, chosen, length[row], random);
        for (uint32_t i = 0; i < length[row]; i++)
            chosen[i] += first;
        matrix->start[row + 1] += matrix->start[row];
    }
    for (uint32_t i = 0; i < nonzeros; i++)
        matrix->value[i] = random_float(random);
    free(marks);
    return 0;
}

void generate_edge(unsigned scale, uint32_t *from, uint32_t *to, struct random *random)
{
    static const double A = 0.57, B = 0.19, C = 0.19;
    *from = *to = 0;
    for (unsigned level = 0; level < scale; level++) {
        double where = random_unit(random);
        uint32_t lower = where >= A + B;
        uint32_t right = lower ? where >= A + B + C : where >= A;
        *from = *from << 1 | lower;
        *to = *to << 1 | right;
    }
}

/* An undirected graph of 2^scale vertices whose edges `draw` draws. */
static int generate_graph(struct csr *graph, unsigned scale, uint32_t degree, struct random *random,
                          void (*draw)(unsigned, uint32_t *, uint32_t *, struct random *))
{
    uint32_t vertices = 1u << scale;
    size_t edges = (size_t)degree << scale, count = 0;
    uint32_t *name = calloc(vertices, sizeof *name);
    struct csr_entry *entries = malloc(2 * (edges > 0 ? edges : 1) * sizeof *entries);
    int result = -1;
    *graph = (struct csr){0};
    if (name != NULL && entries != NULL) {
        random_permutation(random, name, vertices);
        for (size_t i = 0; i < edges; i++) {
            uint32_t from, to;
            draw(scale, &from, &to, random);
            if (from == to)
                continue;
            entries[count++] = (struct csr_entry){name[from], name[to], 0};
            entries[count++] = (struct csr_entry){name[to], name[from], 0};
        }
        result = csr_build(graph, vertices, vertices, entries, count, CSR_FIRST);
    }
    free(entries);
    free(name);
    return result;
}

int generate_rmat(struct csr *graph, unsigned scale, uint32_t degree, struct random *random)
{
    return generate_graph(graph, scale, degree, random, generate_edge);
}

static void uniform_edge(unsigned scale, uint32_t *from, uint32_t *to, struct random *random)
{
    *from = (uint32_t)random_below(random, 1ull << scale);
    *to = (uint32_t)random_below(random, 1ull << scale);
}

int generate_uniform(struct csr *graph, unsigned scale, uint32_t degree, struct random *random)
{
    return generate_graph(graph, scale, degree, random, uniform_edge);
}
