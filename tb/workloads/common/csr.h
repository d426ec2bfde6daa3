/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/csr.h: compressed sparse rows: a sparse matrix, or a graph (row v's columns:
 * v's neighbours). */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_CSR_H
#define HEDDLE_TB_WORKLOADS_COMMON_CSR_H

#include <stddef.h>
#include <stdint.h>

#define CSR_MOST_ROWS     (1u << 24) /* rows, and columns */
#define CSR_MOST_NONZEROS (1u << 28)

struct csr {
    uint32_t rows, columns, nonzeros;
    uint32_t *start;  /* rows + 1: row r is [start[r], start[r + 1]) of the two arrays below */
    uint32_t *column; /* ascending within a row */
    float *value;
};

struct csr_entry {
    uint32_t row, column;
    float value;
};

/* Entries at the same place. CSR_KEEP: all of them, in their order. CSR_FIRST: the first only. */
enum csr_repeats { CSR_KEEP, CSR_FIRST };

/* Makes *matrix from `count` entries in any order, all of them inside rows x columns, within the
 * limits above. Reorders `entries`. Returns 0, or -1: no memory. */
int csr_build(struct csr *matrix, uint32_t rows, uint32_t columns, struct csr_entry *entries,
              size_t count, enum csr_repeats repeats);

/* Makes room for rows and nonzeros; the arrays are zero. Returns 0, or -1: no memory (and *matrix
 * is empty). */
int csr_allocate(struct csr *matrix, uint32_t rows, uint32_t columns, uint32_t nonzeros);

/* Frees the arrays. */
void csr_free(struct csr *matrix);

/* Lengths of the shortest and the longest row. */
void csr_row_lengths(const struct csr *matrix, uint32_t *shortest, uint32_t *longest);

#endif
