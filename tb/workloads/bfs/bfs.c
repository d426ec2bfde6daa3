/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/bfs/bfs.c: breadth-first search of an undirected graph, two launches a level, until
 * a flag that the host reads says that no vertex was reached. All levels are compared with those of
 * a search with a queue. The graph is of the kind that Rodinia's BFS comes with, which the papers
 * ran: every vertex has about six neighbours anywhere; or R-MAT, where a few have very many. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/generate.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/reference.h"
#include "tb/workloads/common/verify.h"

extern const char bfs_cl[];

#define MOST_EDGES (1u << 25)
#define MOST_SCALE 22

enum { GRAPH, SCALE, DEGREE, SOURCE, BLOCK, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [GRAPH] = TEXT_OPTION("graph", "KIND", "uniform",
                          "uniform: edges between any two vertices; rmat: a few vertices have very "
                          "many neighbours"),
    [SCALE] = NUMBER_OPTION("scale", 1, MOST_SCALE, 10, 17, 19,
                            "binary logarithm of the number of vertices"),
    [DEGREE] = NUMBER_OPTION("degree", 1, 1024, 3, 3, 3,
                             "edges drawn for each vertex, before loops and repeats are dropped"),
    [SOURCE] = CHOICE_OPTION("source", 0, (1 << MOST_SCALE) - 1, "one with the most neighbours",
                             "vertex where the search begins"),
    [BLOCK] = NUMBER_OPTION("block", 1, 1024, 256, 256, 256, "work-items of a work-group"),
};

/* The search's buffers; all but the graph's are reset for each run. */
struct search {
    struct opencl cl;
    cl_kernel expand, advance;
    cl_mem start, column, frontier, reached, visited, level, again;
};

static uint32_t degree_of(const struct csr *graph, uint32_t vertex)
{
    return graph->start[vertex + 1] - graph->start[vertex];
}

static uint32_t best_connected(const struct csr *graph)
{
    uint32_t best = 0;
    for (uint32_t vertex = 1; vertex < graph->rows; vertex++)
        if (degree_of(graph, vertex) > degree_of(graph, best))
            best = vertex;
    return best;
}

static void open_search(struct search *s, const struct csr *graph, const char *device_type)
{
    struct opencl *cl = &s->cl;
    const cl_uint vertices = graph->rows;
    opencl_open(cl, device_type, bfs_cl);
    s->expand = opencl_kernel(cl, "expand");
    s->advance = opencl_kernel(cl, "advance");
    s->start =
        opencl_buffer(cl, CL_MEM_READ_ONLY, (vertices + (size_t)1) * sizeof(cl_uint), graph->start);
    s->column =
        opencl_buffer(cl, CL_MEM_READ_ONLY, graph->nonzeros * sizeof(cl_uint), graph->column);
    s->frontier = opencl_buffer(cl, CL_MEM_READ_WRITE, vertices, NULL);
    s->reached = opencl_buffer(cl, CL_MEM_READ_WRITE, vertices, NULL);
    s->visited = opencl_buffer(cl, CL_MEM_READ_WRITE, vertices, NULL);
    s->level = opencl_buffer(cl, CL_MEM_READ_WRITE, vertices * sizeof(cl_int), NULL);
    s->again = opencl_buffer(cl, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL);
    const cl_mem expand_buffers[] = {s->start,   s->column,  s->frontier,
                                     s->reached, s->visited, s->level};
    const cl_mem advance_buffers[] = {s->frontier, s->reached, s->visited, s->again};
    opencl_arguments(s->expand, expand_buffers, COUNT_OF(expand_buffers));
    OPENCL_ARGUMENT(s->expand, COUNT_OF(expand_buffers), vertices);
    opencl_arguments(s->advance, advance_buffers, COUNT_OF(advance_buffers));
    OPENCL_ARGUMENT(s->advance, COUNT_OF(advance_buffers), vertices);
}

static void close_search(struct search *s)
{
    const cl_mem buffers[] = {s->start,   s->column, s->frontier, s->reached,
                              s->visited, s->level,  s->again};
    opencl_release(buffers, COUNT_OF(buffers));
    CL(clReleaseKernel(s->expand));
    CL(clReleaseKernel(s->advance));
    opencl_close(&s->cl);
}

/* Searches from `source` and reads the levels. Returns 1 where the search ends after `depth`
 * levels, as it should. A search that goes on is given up. */
static int search(struct search *s, uint32_t vertices, uint32_t source, cl_int depth, size_t block,
                  cl_int *level)
{
    struct opencl *cl = &s->cl;
    const size_t work = vertices, level_bytes = vertices * sizeof *level;
    cl_uchar *flags = allocate(vertices, sizeof *flags);
    cl_uint again = 1;
    for (uint32_t vertex = 0; vertex < vertices; vertex++)
        level[vertex] = UNREACHED;
    level[source] = 0;
    opencl_write(cl, s->level, level_bytes, level);
    opencl_write(cl, s->reached, vertices, flags);
    flags[source] = 1;
    opencl_write(cl, s->frontier, vertices, flags);
    opencl_write(cl, s->visited, vertices, flags);
    free(flags);
    cl_int done = 0;
    for (; again != 0 && done <= depth; done++) {
        again = 0;
        opencl_write(cl, s->again, sizeof again, &again);
        opencl_launch(cl, s->expand, 1, &work, &block);
        opencl_launch(cl, s->advance, 1, &work, &block);
        opencl_read(cl, s->again, sizeof again, &again);
    }
    opencl_read(cl, s->level, level_bytes, level);
    return again == 0 && done == depth + 1;
}

static cl_int deepest(const cl_int *level, uint32_t vertices)
{
    cl_int depth = 0;
    for (uint32_t vertex = 0; vertex < vertices; vertex++)
        depth = level[vertex] > depth ? level[vertex] : depth;
    return depth;
}

static size_t run(const struct csr *graph, uint32_t source, const cl_int *expected,
                  const struct options *options)
{
    struct search s;
    size_t wrong = 0, block = (size_t)options->own[BLOCK].number;
    cl_int depth = deepest(expected, graph->rows);
    cl_int *level = allocate(graph->rows, sizeof *level);
    open_search(&s, graph, options->device_type.text);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        int ended = search(&s, graph->rows, source, depth, block, level);
        opencl_report(&s.cl, i, options->repeat.number);
        wrong = verify_integers("level", expected, level, graph->rows, stdout);
        if (!ended && wrong++ == 0)
            printf("wrong: the search does not end at level %d, the deepest\n", depth);
    }
    close_search(&s);
    free(level);
    return wrong;
}

static void make_graph(struct csr *graph, const struct options *options)
{
    static const struct {
        const char *name;
        int (*generate)(struct csr *, unsigned, uint32_t, struct random *);
    } kinds[] = {{"uniform", generate_uniform}, {"rmat", generate_rmat}};
    const char *name = options->own[GRAPH].given ? options->own[GRAPH].text : kinds[0].name;
    unsigned kind = 0;
    while (kind < COUNT_OF(kinds) && strcmp(kinds[kind].name, name) != 0)
        kind++;
    if (kind == COUNT_OF(kinds))
        fail_with(EXIT_USAGE, "--graph=%s: expected uniform or rmat", name);
    struct random random = {(uint64_t)options->seed.number};
    unsigned scale = (unsigned)options->own[SCALE].number;
    int64_t degree = options->own[DEGREE].number;
    if (degree << scale > MOST_EDGES)
        fail_with(EXIT_USAGE, "--scale=%u --degree=%lld: expected at most %u edges in all", scale,
                  (long long)degree, MOST_EDGES);
    if (kinds[kind].generate(graph, scale, (uint32_t)degree, &random) != 0)
        fail_with(EXIT_DEVICE, "no memory for a graph of %lld edges", (long long)degree << scale);
}

/* Says what is searched. A search that reaches less than half of what has a neighbour is a poor
 * test; where the source was not chosen, it is refused. */
static void check_reach(const struct csr *graph, uint32_t source, uint32_t reached,
                        const struct options *options)
{
    uint32_t connected = 0;
    for (uint32_t vertex = 0; vertex < graph->rows; vertex++)
        connected += degree_of(graph, vertex) > 0;
    printf("bfs: %u vertices (%u with neighbours), %u edges, from vertex %u to %u vertices, seed "
           "%lld\n",
           graph->rows, connected, graph->nonzeros / 2, source, reached,
           (long long)options->seed.number);
    if ((reached < connected / 2 || connected == 0) && !options->own[SOURCE].given)
        fail_with(EXIT_USAGE,
                  "the graph falls apart and makes no test; expected a larger --degree or "
                  "another --seed");
}

int main(int argc, char **argv)
{
    struct options options;
    struct csr graph;
    parse_command_line(&options, argc, argv,
                       "Searches a random graph breadth-first on an OpenCL device.", table,
                       NUM_OPTIONS);
    make_graph(&graph, &options);
    uint32_t source =
        options.own[SOURCE].given ? (uint32_t)options.own[SOURCE].number : best_connected(&graph);
    if (source >= graph.rows)
        fail_with(EXIT_USAGE, "--source=%u: expected a vertex in 0..%u", source, graph.rows - 1);
    cl_int *expected = allocate(graph.rows, sizeof *expected);
    uint32_t reached = reference_bfs(&graph, source, expected);
    if (reached == 0)
        fail_with(EXIT_DEVICE, "no memory for a search of %u vertices", graph.rows);
    check_reach(&graph, source, reached, &options);
    size_t wrong = run(&graph, source, expected, &options);
    if (wrong == 0)
        printf("verified: the levels of %u vertices equal the host's\n", graph.rows);
    free(expected);
    csr_free(&graph);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}
