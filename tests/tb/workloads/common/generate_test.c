/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/common/generate_test.c: random matrices and graphs are valid, the same for the
 * same seed, and distributed as their header says. Bounds are five standard deviations or more. */
#include "tests/tb/workloads/common/csr_check.h"

#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/generate.h"

static void matrix_has_the_mean_and_the_spread(void **state)
{
    enum { ROWS = 8192, MEAN = 82 };
    struct random random = {1};
    struct csr m;
    double variance = 0, column_variance = 0;
    unsigned *in_column = calloc(ROWS, sizeof *in_column);
    (void)state;
    assert_non_null(in_column);
    assert_int_equal(generate_matrix(&m, ROWS, ROWS, ROWS, ROWS * MEAN, &random), 0);
    check_csr(&m, 0);
    assert_int_equal(m.nonzeros, ROWS * MEAN); /* the mean is exact */
    for (uint32_t row = 0; row < ROWS; row++) {
        double off = (double)(m.start[row + 1] - m.start[row]) - MEAN;
        variance += off * off / ROWS;
    }
    for (uint32_t i = 0; i < m.nonzeros; i++) {
        in_column[m.column[i]]++;
        assert_true(m.value[i] >= -1 && m.value[i] < 1);
    }
    for (uint32_t column = 0; column < ROWS; column++)
        column_variance +=
            ((double)in_column[column] - MEAN) * ((double)in_column[column] - MEAN) / ROWS;
    /* Multinomial rows: 82 * (1 - 1/8192); columns, chosen without repetition: about 82 * (1 -
     * 82/8192). A sample variance of 8192 has a relative standard deviation of sqrt(2/8192) = 1.6
     * %. */
    assert_true(variance > MEAN * 0.92 && variance < MEAN * 1.08);
    assert_true(column_variance > MEAN * 0.99 * 0.92 && column_variance < MEAN * 0.99 * 1.08);
    free(in_column);
    csr_free(&m);
}

static void matrix_may_be_empty_full_or_oblong(void **state)
{
    static const uint32_t shapes[][3] = {{1, 1, 0},      {1, 1, 1},     {5, 3, 0},
                                         {5, 3, 15},     {3, 200, 599}, {200, 3, 600},
                                         {64, 64, 4096}, {7, 65, 300}};
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        struct random random = {s};
        struct csr m;
        assert_int_equal(
            generate_matrix(&m, shapes[s][0], shapes[s][1], shapes[s][1], shapes[s][2], &random),
            0);
        check_csr(&m, 0);
        assert_int_equal(m.rows, shapes[s][0]);
        assert_int_equal(m.columns, shapes[s][1]);
        assert_int_equal(m.nonzeros, shapes[s][2]);
        csr_free(&m);
    }
}

/* Every choice of 2 of 4 columns is equally likely: 6 choices, 12000 rows. */
static void matrix_chooses_columns_evenly(void **state)
{
    enum { TRIALS = 12000 };
    struct random random = {9};
    unsigned seen[16] = {0};
    (void)state;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        struct csr m;
        assert_int_equal(generate_matrix(&m, 1, 4, 4, 2, &random), 0);
        seen[1u << m.column[0] | 1u << m.column[1]]++;
        csr_free(&m);
    }
    for (unsigned choice = 0; choice < 16; choice++) {
        if (__builtin_popcount(choice) == 2)
            assert_in_range(seen[choice], 2000 - 205, 2000 + 205);
        else
            assert_int_equal(seen[choice], 0);
    }
}

static void same_seed_same_matrix(void **state)
{
    struct csr m[3];
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct random random = {i / 2};
        assert_int_equal(generate_matrix(&m[i], 50, 50, 50, 500, &random), 0);
    }
    assert_memory_equal(m[0].start, m[1].start, 51 * sizeof(uint32_t));
    assert_memory_equal(m[0].column, m[1].column, 500 * sizeof(uint32_t));
    assert_memory_equal(m[0].value, m[1].value, 500 * sizeof(float));
    assert_memory_not_equal(m[0].value, m[2].value, 500 * sizeof(float));
    for (unsigned i = 0; i < 3; i++)
        csr_free(&m[i]);
}

static void edges_fall_into_quadrants_as_published(void **state)
{
    static const double quadrant[2][2] = {{0.57, 0.19}, {0.19, 0.05}};
    enum { SCALE = 2, DRAWS = 200000 };
    struct random random = {4};
    unsigned seen[4][4] = {{0}};
    (void)state;
    for (unsigned i = 0; i < DRAWS; i++) {
        uint32_t from, to;
        generate_edge(SCALE, &from, &to, &random);
        assert_true(from < 4 && to < 4);
        seen[from][to]++;
    }
    for (unsigned from = 0; from < 4; from++)
        for (unsigned to = 0; to < 4; to++) {
            double expected = quadrant[from / 2][to / 2] * quadrant[from % 2][to % 2];
            double got = (double)seen[from][to] / DRAWS;
            assert_true(got > expected - 0.006 && got < expected + 0.006);
        }
}

static int is_neighbour(const struct csr *graph, uint32_t from, uint32_t to)
{
    for (uint32_t i = graph->start[from]; i < graph->start[from + 1]; i++)
        if (graph->column[i] == to)
            return 1;
    return 0;
}

static void graphs_are_undirected_and_simple(void **state)
{
    (void)state;
    for (unsigned trial = 2; trial <= 21; trial++) {
        unsigned scale = trial / 2;
        struct random random = {scale};
        struct csr graph;
        assert_int_equal((trial % 2 ? generate_uniform : generate_rmat)(&graph, scale, 8, &random),
                         0);
        check_csr(&graph, 0);
        assert_int_equal(graph.rows, 1 << scale);
        assert_int_equal(graph.columns, 1 << scale);
        assert_true(graph.nonzeros <= 2u * 8 << scale);
        for (uint32_t from = 0; from < graph.rows; from++)
            for (uint32_t i = graph.start[from]; i < graph.start[from + 1]; i++) {
                assert_int_not_equal(graph.column[i], from);
                assert_true(is_neighbour(&graph, graph.column[i], from));
            }
        csr_free(&graph);
    }
}

/* Few vertices have very many neighbours, and the renumbering has spread them. */
static void graph_is_skewed_and_renumbered(void **state)
{
    struct random random = {1};
    struct csr graph;
    uint32_t shortest, longest, first_half;
    (void)state;
    assert_int_equal(generate_rmat(&graph, 14, 8, &random), 0);
    csr_row_lengths(&graph, &shortest, &longest);
    assert_int_equal(shortest, 0);
    assert_true(longest > 40 * (graph.nonzeros / graph.rows));
    first_half = graph.start[graph.rows / 2]; /* without renumbering: three quarters of all */
    assert_in_range(first_half, graph.nonzeros / 10 * 4, graph.nonzeros / 10 * 6);
    csr_free(&graph);
}

/* Numbers of neighbours have the mean and the variance of Poisson's law. */
static void uniform_graph_has_the_mean_and_the_spread(void **state)
{
    struct random random = {1};
    struct csr graph;
    double squares = 0;
    (void)state;
    assert_int_equal(generate_uniform(&graph, 14, 8, &random), 0);
    assert_in_range(graph.nonzeros, 2 * 8 * 16384 - 500, 2 * 8 * 16384);
    for (uint32_t vertex = 0; vertex < graph.rows; vertex++) {
        double off = (double)(graph.start[vertex + 1] - graph.start[vertex]) - 16;
        squares += off * off;
    }
    assert_true(squares / graph.rows > 15 && squares / graph.rows < 17);
    csr_free(&graph);
}

/* Columns of a row lie around its diagonal, and all that do are drawn. */
static void rows_keep_to_their_band(void **state)
{
    (void)state;
    struct random random = {7};
    struct csr m;
    uint32_t least = UINT32_MAX, most = 0;
    assert_int_equal(generate_matrix(&m, 500, 500, 11, 2500, &random), 0);
    for (uint32_t row = 0; row < 500; row++)
        for (uint32_t i = m.start[row]; i < m.start[row + 1]; i++) {
            const uint32_t first = row < 5     ? 0
                                   : row > 494 ? 489
                                               : row - 5,
                           at = m.column[i] - first;
            assert_in_range(at, 0, 10);
            least = at < least ? at : least;
            most = at > most ? at : most;
        }
    assert_true(least == 0 && most == 10);
    assert_int_equal(m.nonzeros, 2500);
    csr_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_keep_to_their_band),
        cmocka_unit_test(matrix_has_the_mean_and_the_spread),
        cmocka_unit_test(matrix_may_be_empty_full_or_oblong),
        cmocka_unit_test(matrix_chooses_columns_evenly),
        cmocka_unit_test(same_seed_same_matrix),
        cmocka_unit_test(edges_fall_into_quadrants_as_published),
        cmocka_unit_test(graphs_are_undirected_and_simple),
        cmocka_unit_test(graph_is_skewed_and_renumbered),
        cmocka_unit_test(uniform_graph_has_the_mean_and_the_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
