/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/rounds.h: the host program of the workloads that go over a random undirected
 * graph in rounds until nothing is left to do: one launch a round, one work-item a vertex, which
 * makes its next state from its own and its neighbours' states. States are read from one array and
 * written to another, so that a round does not depend on who runs first, and the host knows how
 * many there must be. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_ROUNDS_H
#define HEDDLE_TB_WORKLOADS_COMMON_ROUNDS_H

#include <stddef.h>
#include <stdint.h>

#include "tb/workloads/common/generate.h"
#include "tb/workloads/common/options.h"

enum { SCALE, DEGREE, BLOCK, NUM_ROUNDS_OPTIONS };

struct rounds_workload {
    const char *name;    /* also the kernel's: NAME(start, column, from, to, again, vertices) */
    const char *meaning; /* opens --help */
    const char *state;   /* what a vertex has in the end: "colour" */
    const char *source;
    struct option_entry table[NUM_ROUNDS_OPTIONS];
    int (*generate)(struct csr *graph, unsigned scale, uint32_t degree, struct random *random);
    /* Makes the states before the first round and after the last, and returns the number of rounds,
     * of which the last is the first one that leaves *again zero. */
    uint32_t (*expect)(const struct csr *graph, struct random *random, int32_t *initial,
                       int32_t *expected);
};

/* The table: defaults of the graph's scale for --size=small, medium and large, and its degree. */
#define ROUNDS_OPTIONS(small, medium, large, degree)                                               \
    [SCALE] = NUMBER_OPTION("scale", 1, 20, small, medium, large,                                  \
                            "binary logarithm of the number of vertices"),                         \
    [DEGREE] = NUMBER_OPTION("degree", 0, 32, degree, degree, degree,                              \
                             "edges drawn for each vertex, before loops and repeats are dropped"), \
    [BLOCK] = NUMBER_OPTION("block", 1, 1024, 192, 192, 192, "work-items of a work-group")

/* The whole program: returns its exit status. */
int rounds_main(const struct rounds_workload *workload, int argc, char **argv);

#endif
