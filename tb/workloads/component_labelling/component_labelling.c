/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/component_labelling/component_labelling.c: labels the components of a random graph
 * in rounds. The host searches each component from its first vertex, breadth-first. */
#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/reference.h"
#include "tb/workloads/common/rounds.h"

extern const char component_labelling_cl[];

/* Labels travel one edge a round; the last round changes nothing. */
static uint32_t expect(const struct csr *graph, struct random *random, int32_t *initial,
                       int32_t *expected)
{
    uint32_t *queue = allocate(graph->rows, sizeof *queue), tail = 0;
    uint32_t *round = allocate(graph->rows, sizeof *round), rounds = 0;
    (void)random;
    for (uint32_t vertex = 0; vertex < graph->rows; vertex++) {
        initial[vertex] = (int32_t)vertex;
        expected[vertex] = UNREACHED;
    }
    for (uint32_t first = 0, head = 0; first < graph->rows; first++) {
        if (expected[first] != UNREACHED)
            continue;
        expected[first] = (int32_t)first;
        queue[tail++] = first;
        for (; head < tail; head++)
            for (uint32_t i = graph->start[queue[head]]; i < graph->start[queue[head] + 1]; i++) {
                uint32_t next = graph->column[i];
                if (expected[next] != UNREACHED)
                    continue;
                expected[next] = (int32_t)first;
                round[next] = round[queue[head]] + 1;
                rounds = round[next] > rounds ? round[next] : rounds;
                queue[tail++] = next;
            }
    }
    free(queue);
    free(round);
    return rounds + 1;
}

static const struct rounds_workload workload = {
    .name = "component_labelling",
    .meaning = "Labels the connected components of a random graph on an OpenCL device.",
    .state = "label",
    .source = component_labelling_cl,
    .table = {ROUNDS_OPTIONS(9, 15, 17, 2)},
    .generate = generate_rmat,
    .expect = expect,
};

int main(int argc, char **argv)
{
    return rounds_main(&workload, argc, argv);
}
