/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/dense.h: the host program of the dense linear algebra workloads. A workload
 * says what its operands are, which kernels run over them in which order, and how the host computes
 * the same; the command line, the random operands, the launches and the comparison are here. Host
 * and device do the same operations in the same order, so every operand that a kernel writes must
 * be equal bit by bit (--tolerance is for devices whose compilers contract a product and a sum
 * although the kernel says not to). */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_DENSE_H
#define HEDDLE_TB_WORKLOADS_COMMON_DENSE_H

#include <stddef.h>
#include <stdint.h>

#include "tb/workloads/common/options.h"

#define DENSE_MOST_OPERANDS 5
#define DENSE_MOST_KERNELS  2
#define DENSE_MOST_SCALARS  2
#define DENSE_MOST_ITEMS    1024 /* work-items of a work-group */

/* Shapes of operands and of launches, from the two sizes that the command line gives. */
enum dense_shape {
    DENSE_ROWS,    /* a vector of `rows` */
    DENSE_COLUMNS, /* a vector of `columns` */
    DENSE_MATRIX,  /* rows x columns, row by row */
    DENSE_SQUARE   /* rows x rows, row by row */
};

enum dense_role {
    DENSE_INPUT,  /* random */
    DENSE_UPDATE, /* random before each run, compared after it */
    DENSE_OUTPUT  /* poisoned before each run, compared after it */
};

enum { ROWS, COLUMNS, BLOCK, TOLERANCE, WIDTH, NUM_DENSE_OPTIONS };

struct dense_workload {
    const char *name;
    const char *meaning; /* opens --help */
    const char *source;  /* the kernels, which may use what dense.cl declares */
    struct option_entry table[NUM_DENSE_OPTIONS];
    struct {
        const char *name; /* NULL: no more */
        enum dense_shape shape;
        enum dense_role role;
    } operands[DENSE_MOST_OPERANDS + 1];
    /* Run in this order, a work-item for each element of `over`. All take the same arguments: the
     * operands, `rows`, `columns` and the scalars. */
    struct {
        const char *name; /* NULL: no more */
        enum dense_shape over;
    } kernels[DENSE_MOST_KERNELS + 1];
    float scalars[DENSE_MOST_SCALARS];
    unsigned num_scalars;
    /* Does to the operands what all the kernels do; outputs are zero before. */
    void (*expect)(const struct dense_workload *, uint32_t rows, uint32_t columns,
                   float *const *operands);
};

/* The table of a workload that launches over vectors, and of one that launches over a matrix: of
 * each size the largest value and the defaults for --size=small, medium and large. The length of a
 * row decides into which sets of L1D the rows of a warp go. A power of two, which PolyBench has,
 * spreads them where the index is hashed, and puts them into a few sets where it is linear; an odd
 * number of lines does the reverse at 31 and 33. */
#define DENSE_SIZE_OPTIONS(most, rows_small, rows_medium, rows_large, columns_small,               \
                           columns_medium, columns_large)                                          \
    [ROWS] = NUMBER_OPTION("rows", 1, most, rows_small, rows_medium, rows_large, "rows of A"),     \
    [COLUMNS] = NUMBER_OPTION("columns", 1, most, columns_small, columns_medium, columns_large,    \
                              "columns of A"),                                                     \
    [TOLERANCE] =                                                                                  \
        REAL_OPTION("tolerance", "bit by bit", "allowed difference, relative to values above 1")
#define DENSE_VECTOR_OPTIONS                                                                       \
    [BLOCK] =                                                                                      \
        NUMBER_OPTION("block", 1, DENSE_MOST_ITEMS, 256, 256, 256, "work-items of a work-group")
#define DENSE_MATRIX_OPTIONS                                                                       \
    [BLOCK] = NUMBER_OPTION("block", 1, DENSE_MOST_ITEMS, 8, 8, 8, "rows of a work-group"),        \
    [WIDTH] = NUMBER_OPTION("width", 1, DENSE_MOST_ITEMS, 32, 32, 32, "work-items in each")

/* The whole program: returns its exit status. */
int dense_main(const struct dense_workload *workload, int argc, char **argv);

#endif
