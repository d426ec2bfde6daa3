/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/spmv_jds/spmv_jds.c: sparse matrix times vector in jagged diagonals, as Parboil's
 * SPMV, which the thesis and PAVER measure. By default with as many rows as PAVER's 765 blocks of
 * 192 work-items have, and the mean row of that suite's large matrix. As that is of a mesh in the
 * plane, a row's columns lie within two lines of a square mesh of so many points, 384 by 384, on
 * either side of its diagonal. */
#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/reference.h"
#include "tb/workloads/common/sparse.h"

extern const char spmv_jds_cl[];

#define LANES 32 /* of a warp, as in spmv_jds.cl */

/* A sparse matrix in jagged diagonals. Rows are numbered in the order of their lengths. */
struct jds {
    uint32_t longest;  /* row, and so many diagonals */
    uint32_t *start;   /* of each diagonal, less the first row, which is 0 */
    uint32_t *length;  /* of each warp's longest row */
    uint32_t *row;     /* of the matrix */
    uint32_t *column;  /* of each non-zero; 0 where there is none */
    float *value;      /* 0 where there is none */
    uint32_t nonzeros; /* places in these two */
};

static uint32_t row_length(const struct csr *a, uint32_t row)
{
    return a->start[row + 1] - a->start[row];
}

/* The rows, the longest first, and those of one length in their order. */
static void sort_rows(const struct csr *a, uint32_t *row, uint32_t longest)
{
    uint32_t *place = allocate((size_t)longest + 2, sizeof *place);
    for (uint32_t r = 0; r < a->rows; r++)
        place[longest - row_length(a, r) + 1]++;
    for (uint32_t i = 0; i <= longest; i++)
        place[i + 1] += place[i];
    for (uint32_t r = 0; r < a->rows; r++)
        row[place[longest - row_length(a, r)]++] = r;
    free(place);
}

static void build(const struct csr *a, struct jds *j)
{
    const uint32_t warps = (a->rows + LANES - 1) / LANES;
    uint32_t shortest;
    csr_row_lengths(a, &shortest, &j->longest);
    j->start = allocate(j->longest, sizeof *j->start);
    j->length = allocate(warps, sizeof *j->length);
    j->row = allocate(a->rows, sizeof *j->row);
    sort_rows(a, j->row, j->longest);
    for (uint32_t w = 0; w < warps; w++)
        j->length[w] = row_length(a, j->row[w * LANES]);
    /* Warps are in the order of their lengths, too. */
    for (uint32_t k = 0, w = warps; k < j->longest; k++) {
        while (j->length[w - 1] <= k)
            w--;
        j->start[k] = j->nonzeros;
        j->nonzeros += w * LANES;
    }
    j->column = allocate(j->nonzeros, sizeof *j->column);
    j->value = allocate(j->nonzeros, sizeof *j->value);
    for (uint32_t i = 0; i < a->rows; i++) {
        const uint32_t first = a->start[j->row[i]];
        for (uint32_t k = 0; k < row_length(a, j->row[i]); k++) {
            j->column[j->start[k] + i] = a->column[first + k];
            j->value[j->start[k] + i] = a->value[first + k];
        }
    }
}

static unsigned arrays(const struct csr *a, struct sparse_array *out)
{
    static struct jds j; /* for as long as the program runs */
    build(a, &j);
    const size_t warps = (a->rows + LANES - 1) / LANES;
    const struct sparse_array all[] = {
        {j.start, j.longest * sizeof *j.start, MOST_CONSTANT},
        {j.length, warps * sizeof *j.length, MOST_CONSTANT},
        {j.row, a->rows * sizeof *j.row, 0},
        {j.column, j.nonzeros * sizeof *j.column, 0},
        {j.value, j.nonzeros * sizeof *j.value, 0},
    };
    for (unsigned i = 0; i < COUNT_OF(all); i++)
        out[i] = all[i];
    return COUNT_OF(all);
}

static const struct sparse_workload workload = {
    .name = "spmv_jds",
    .meaning = "Multiplies a sparse matrix in jagged diagonals with a vector on an OpenCL device.",
    .source = spmv_jds_cl,
    .rows = {1000, 146880, 500000},
    .nonzeros = 25,
    .width = 1537,
    .lanes = 1,
    .group = 192,
    .arrays = arrays,
    .multiply = reference_multiply,
};

int main(int argc, char **argv)
{
    return sparse_main(&workload, argc, argv);
}
