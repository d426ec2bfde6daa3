/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/common/reference_test.c: the host's computations against slower, plainer ones.
 */
#include "tests/tb/workloads/common/csr_check.h"

#include <string.h>

#include "tb/workloads/common/generate.h"
#include "tb/workloads/common/reference.h"

/* Levels by relaxing every edge again and again until nothing changes. */
static void relax(const struct csr *graph, uint32_t source, int32_t *level)
{
    int changed = 1;
    for (uint32_t vertex = 0; vertex < graph->rows; vertex++)
        level[vertex] = INT32_MAX - 1;
    level[source] = 0;
    while (changed) {
        changed = 0;
        for (uint32_t from = 0; from < graph->rows; from++)
            for (uint32_t i = graph->start[from]; i < graph->start[from + 1]; i++)
                if (level[graph->column[i]] > level[from] + 1) {
                    level[graph->column[i]] = level[from] + 1;
                    changed = 1;
                }
    }
}

/* Directed graphs from very sparse, mostly unreachable, to dense. */
static void bfs_equals_relaxation(void **state)
{
    enum { VERTICES = 60 };
    struct random random = {2};
    unsigned unreached = 0;
    (void)state;
    for (unsigned trial = 0; trial < 400; trial++) {
        struct csr graph;
        int32_t level[VERTICES], expected[VERTICES];
        uint32_t source = (uint32_t)random_below(&random, VERTICES), reached = 0;
        uint32_t edges = (uint32_t)random_below(&random, trial % 4 == 0 ? 1000 : 120);
        assert_int_equal(generate_matrix(&graph, VERTICES, VERTICES, VERTICES, edges, &random), 0);
        relax(&graph, source, expected);
        for (uint32_t vertex = 0; vertex < VERTICES; vertex++) {
            expected[vertex] = expected[vertex] == INT32_MAX - 1 ? UNREACHED : expected[vertex];
            reached += expected[vertex] != UNREACHED;
        }
        assert_int_equal(reference_bfs(&graph, source, level), reached);
        assert_memory_equal(level, expected, sizeof level);
        unreached += VERTICES - reached;
        csr_free(&graph);
    }
    assert_true(unreached > 1000); /* the case did occur */
}

/* Small whole numbers: every order of summation is exact. */
static void multiply_equals_dense_product(void **state)
{
    enum { ROWS = 20, COLUMNS = 30 };
    struct random random = {6};
    (void)state;
    for (unsigned trial = 0; trial < 100; trial++) {
        struct csr m;
        float x[COLUMNS], y[ROWS];
        long dense[ROWS][COLUMNS] = {{0}};
        assert_int_equal(generate_matrix(&m, ROWS, COLUMNS, COLUMNS,
                                         (uint32_t)random_below(&random, 600), &random),
                         0);
        for (uint32_t column = 0; column < COLUMNS; column++)
            x[column] = (float)random_below(&random, 100) - 50;
        for (uint32_t row = 0; row < ROWS; row++)
            for (uint32_t i = m.start[row]; i < m.start[row + 1]; i++) {
                m.value[i] = (float)random_below(&random, 100) - 50;
                dense[row][m.column[i]] = (long)m.value[i];
            }
        reference_multiply(&m, x, y);
        for (uint32_t row = 0; row < ROWS; row++) {
            long sum = 0;
            for (uint32_t column = 0; column < COLUMNS; column++)
                sum += dense[row][column] * (long)x[column];
            assert_true(y[row] == (float)sum);
        }
        csr_free(&m);
    }
}

/* The square of 1 + 2^-12 is rounded before the sum: a fused product and sum would leave 2^-24. */
static void multiply_rounds_every_product(void **state)
{
    struct csr_entry entries[] = {{0, 0, -(1 + 0x1p-11f)}, {0, 1, 1 + 0x1p-12f}};
    const float x[] = {1, 1 + 0x1p-12f};
    struct csr m;
    float y;
    (void)state;
    assert_int_equal(csr_build(&m, 1, 2, entries, 2, CSR_KEEP), 0);
    reference_multiply(&m, x, &y);
    assert_true(y == 0);
    csr_free(&m);
}

/* The definition, each product and each sum rounded on its own, in the same order. */
static void matmul_equals_its_definition(void **state)
{
    enum { MOST = 19 };
    struct random random = {8};
    (void)state;
    for (uint32_t order = 1; order <= MOST; order++) {
        float a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];
        for (uint32_t i = 0; i < order * order; i++) {
            a[i] = random_float(&random);
            b[i] = random_float(&random);
        }
        memset(c, 0xff, sizeof c);
        reference_matmul(order, a, b, c);
        for (uint32_t row = 0; row < order; row++)
            for (uint32_t column = 0; column < order; column++) {
                volatile float sum = 0;
                for (uint32_t k = 0; k < order; k++) {
                    volatile float product = a[row * order + k] * b[k * order + column];
                    sum = sum + product;
                }
                float expected = sum;
                assert_memory_equal(&c[row * order + column], &expected, sizeof expected);
            }
    }
}

/* Small whole numbers, and what is there before. */
static void dense_products_are_added(void **state)
{
    enum { ROWS = 7, COLUMNS = 11 };
    float a[ROWS * COLUMNS], x[COLUMNS], t[ROWS], sums[ROWS], transposed[COLUMNS];
    (void)state;
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++)
        a[i] = (float)(i * i % 19) - 9;
    for (uint32_t j = 0; j < COLUMNS; j++) {
        x[j] = (float)j - 4;
        transposed[j] = (float)(100 * j);
    }
    for (uint32_t i = 0; i < ROWS; i++) {
        t[i] = 3 - (float)i;
        sums[i] = (float)(1000 * i);
    }
    reference_add_product(ROWS, COLUMNS, a, x, sums);
    reference_add_transposed(ROWS, COLUMNS, a, t, transposed);
    for (long i = 0; i < ROWS; i++) {
        long sum = 1000 * i;
        for (long j = 0; j < COLUMNS; j++) {
            long k = i * COLUMNS + j;
            sum += (k * k % 19 - 9) * (j - 4);
        }
        assert_true(sums[i] == (float)sum);
    }
    for (long j = 0; j < COLUMNS; j++) {
        long sum = 100 * j;
        for (long i = 0; i < ROWS; i++) {
            long k = i * COLUMNS + j;
            sum += (k * k % 19 - 9) * (3 - i);
        }
        assert_true(transposed[j] == (float)sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bfs_equals_relaxation),
        cmocka_unit_test(multiply_equals_dense_product),
        cmocka_unit_test(multiply_rounds_every_product),
        cmocka_unit_test(matmul_equals_its_definition),
        cmocka_unit_test(dense_products_are_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
