/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/graph_coloring/graph_coloring.c: colours a random graph in rounds. The host colours
 * one vertex after the other, from the highest priority to the lowest, each with the smallest
 * colour that no neighbour has: the rounds must come to the same. */
#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/rounds.h"

extern const char graph_coloring_cl[];

#define UNCOLOURED (-1)

/* The smallest colour that no neighbour has; `used` remembers for whom a colour was seen. */
static int32_t free_colour(const struct csr *graph, uint32_t vertex, const int32_t *colour,
                           uint32_t *used)
{
    int32_t lowest = 0;
    for (uint32_t i = graph->start[vertex]; i < graph->start[vertex + 1]; i++)
        if (colour[graph->column[i]] != UNCOLOURED)
            used[colour[graph->column[i]]] = vertex + 1;
    while (used[lowest] == vertex + 1)
        lowest++;
    return lowest;
}

/* The round after the last one of the neighbours that come before. */
static uint32_t round_of(const struct csr *graph, uint32_t vertex, const uint32_t *round)
{
    uint32_t last = 0;
    for (uint32_t i = graph->start[vertex]; i < graph->start[vertex + 1]; i++)
        last = round[graph->column[i]] > last ? round[graph->column[i]] : last;
    return last + 1;
}

static uint32_t expect(const struct csr *graph, struct random *random, int32_t *initial,
                       int32_t *expected)
{
    uint32_t *by_priority = allocate(graph->rows, sizeof *by_priority);
    uint32_t *used = allocate(graph->rows, sizeof *used), rounds = 0;
    uint32_t *round = allocate(graph->rows, sizeof *round); /* 0: none yet */
    random_permutation(random, by_priority, graph->rows);
    for (uint32_t i = 0; i < graph->rows; i++) {
        initial[by_priority[i]] = (int32_t)i - (int32_t)graph->rows;
        expected[i] = UNCOLOURED;
    }
    for (uint32_t i = 0; i < graph->rows; i++) {
        uint32_t vertex = by_priority[i];
        expected[vertex] = free_colour(graph, vertex, expected, used);
        round[vertex] = round_of(graph, vertex, round);
        rounds = round[vertex] > rounds ? round[vertex] : rounds;
    }
    free(by_priority);
    free(used);
    free(round);
    return rounds;
}

static const struct rounds_workload workload = {
    .name = "graph_coloring",
    .meaning = "Colours a random graph on an OpenCL device.",
    .state = "colour",
    .source = graph_coloring_cl,
    .table = {ROUNDS_OPTIONS(9, 15, 17, 3)},
    .generate = generate_uniform,
    .expect = expect,
};

int main(int argc, char **argv)
{
    return rounds_main(&workload, argc, argv);
}
