/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/similarity_score/similarity_score.c: scores of all pairs of random documents and
 * their ranking. Features are counts of words, small whole numbers of which every product and sum
 * is exact in whatever order; only the last three operations round (a product, a square root to 3
 * units in the last place, a quotient to 2.5), so a score of at most 1 may be off by 10^-6. The
 * ranking is checked on the device's own scores: every pair once, in the order of its score. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/mapreduce.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/zipf.h"

extern const char similarity_score_cl[];

#define TOLERANCE      1e-6
#define MOST_DOCUMENTS 1024
#define MOST_FEATURES  4096 /* the sum of squares of counts up to MOST_COUNT is below 2^24 */
#define MOST_COUNT     63

enum { DOCUMENTS, FEATURES, BLOCK, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [DOCUMENTS] =
        NUMBER_OPTION("documents", 2, MOST_DOCUMENTS, 40, 180, 360, "documents to compare"),
    [FEATURES] =
        NUMBER_OPTION("features", 1, MOST_FEATURES, 40, 160, 544, "numbers of a feature vector"),
    [BLOCK] = NUMBER_OPTION("block", 1, 1024, 128, 128, 128, "work-items of a work-group"),
};

struct problem {
    cl_uint documents, features, num_pairs;
    float *vectors;  /* a document's features stand together */
    float *expected; /* score of documents i < j at [i * documents + j] */
    cl_uint2 *tasks; /* all pairs i < j */
};

/* A document of as many words as there are features, by Zipf's law, beginning with the commonest
 * of its topic. */
static void make_vector(float *vector, cl_uint features, const struct zipf *words,
                        struct random *random)
{
    enum { TOPICS = 8 };
    uint32_t first = (uint32_t)(random_below(random, TOPICS) * features / TOPICS);
    for (cl_uint i = 0; i < features; i++) {
        float *count = &vector[(first + zipf_rank(words, random)) % features];
        *count += *count < MOST_COUNT;
    }
}

static float similarity(const float *a, const float *b, cl_uint features)
{
    double product = 0, a_square = 0, b_square = 0;
    for (cl_uint k = 0; k < features; k++) {
        product += (double)a[k] * b[k];
        a_square += (double)a[k] * a[k];
        b_square += (double)b[k] * b[k];
    }
    return (float)(product / (sqrt(a_square) * sqrt(b_square)));
}

static void make_problem(struct problem *p, const struct options *options)
{
    struct random random = {(uint64_t)options->seed.number};
    p->documents = (cl_uint)options->own[DOCUMENTS].number;
    p->features = (cl_uint)options->own[FEATURES].number;
    const size_t documents = p->documents, features = p->features;
    struct zipf words = zipf_make(p->features);
    p->num_pairs = 0;
    p->vectors = allocate(documents * features, sizeof *p->vectors);
    p->expected = allocate(documents * documents, sizeof *p->expected);
    p->tasks = allocate(documents * (documents - 1) / 2, sizeof *p->tasks);
    for (size_t i = 0; i < documents; i++)
        make_vector(p->vectors + i * features, p->features, &words, &random);
    for (cl_uint i = 0; i < documents; i++)
        for (cl_uint j = i + 1; j < documents; j++) {
            p->tasks[p->num_pairs++] = (cl_uint2){{i, j}};
            p->expected[i * documents + j] =
                similarity(p->vectors + i * features, p->vectors + j * features, p->features);
        }
    zipf_free(&words);
}

static void free_problem(struct problem *p)
{
    free(p->vectors);
    free(p->expected);
    free(p->tasks);
}

static float score_of(const struct pair *pair)
{
    float score;
    memcpy(&score, &pair->key, sizeof score);
    return score;
}

/* Whether b may follow a in the ranking. */
static int in_order(const struct pair *a, const struct pair *b)
{
    if (score_of(a) != score_of(b))
        return score_of(a) > score_of(b);
    return a->value != b->value ? a->value < b->value : a->value_size < b->value_size;
}

/* Every place of the ranking must hold a pair of documents that no other place has, with its score,
 * and follow the place before. */
static size_t compare_ranking(const struct problem *p, const struct pair *ranking)
{
    unsigned char *seen = allocate((size_t)p->documents * p->documents, sizeof *seen);
    size_t wrong = 0;
    for (cl_uint place = 0; place < p->num_pairs; place++) {
        const struct pair *pair = &ranking[place];
        int known = pair->value < pair->value_size && pair->value_size < p->documents;
        size_t at = known ? (size_t)pair->value * p->documents + pair->value_size : 0;
        float expected = known ? p->expected[at] : NAN;
        int ordered = place == 0 || in_order(pair - 1, pair);
        if (known && ordered && !seen[at] &&
            fabs((double)score_of(pair) - (double)expected) <= TOLERANCE) {
            seen[at] = 1;
        } else if (wrong++ == 0) {
            printf("wrong: place %u of the ranking: documents %u and %u with a score of %.9g, "
                   "expected %.9g%s%s\n",
                   place, pair->value, pair->value_size, (double)score_of(pair), (double)expected,
                   ordered ? "" : ", out of order", known && seen[at] ? ", again" : "");
        }
    }
    if (wrong > 0)
        printf("%zu of %u places are wrong\n", wrong, p->num_pairs);
    free(seen);
    return wrong;
}

/* Launches a kernel of these buffers and numbers. */
static void launch(struct mapreduce *m, const char *name, const cl_mem *buffers,
                   cl_uint num_buffers, cl_uint work, cl_uint features)
{
    cl_kernel kernel = opencl_kernel(&m->cl, name);
    opencl_arguments(kernel, buffers, num_buffers);
    OPENCL_ARGUMENT(kernel, num_buffers, work);
    OPENCL_ARGUMENT(kernel, num_buffers + 1, features);
    mapreduce_launch(m, kernel, work);
    CL(clReleaseKernel(kernel));
}

static struct pair *device_ranking(struct mapreduce *m, const struct problem *p)
{
    const cl_mem buffers[] = {
        m->data,
        opencl_buffer(&m->cl, CL_MEM_READ_WRITE, p->documents * sizeof(cl_float), NULL),
        opencl_buffer(&m->cl, CL_MEM_READ_ONLY, p->num_pairs * sizeof *p->tasks, p->tasks),
        mapreduce_pairs(m, p->num_pairs),
    };
    const cl_uint num_buffers = COUNT_OF(buffers);
    launch(m, "square_lengths", buffers, 2, p->documents, p->features);
    launch(m, "emit_scores", buffers, num_buffers, p->num_pairs, p->features);
    mapreduce_sort(m, buffers[num_buffers - 1], p->num_pairs, 0);
    struct pair *ranking = mapreduce_read(m, buffers[num_buffers - 1], p->num_pairs);
    opencl_release(buffers + 1, num_buffers - 1);
    return ranking;
}

static size_t run(struct mapreduce *m, const void *input)
{
    struct pair *ranking = device_ranking(m, input);
    size_t wrong = compare_ranking(input, ranking);
    free(ranking);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    struct problem p;
    parse_command_line(&options, argc, argv,
                       "Ranks the pairs of random documents by similarity on an OpenCL device, by "
                       "MapReduce.",
                       table, NUM_OPTIONS);
    make_problem(&p, &options);
    printf("similarity_score: %u documents, %u features, %u pairs, seed %lld\n", p.documents,
           p.features, p.num_pairs, (long long)options.seed.number);
    size_t wrong =
        mapreduce_repeat(&options, similarity_score_cl, (size_t)options.own[BLOCK].number,
                         p.vectors, (size_t)p.documents * p.features * sizeof *p.vectors, run, &p);
    if (wrong == 0)
        printf("verified: %u scores equal the host's to %g, and are in order\n", p.num_pairs,
               TOLERANCE);
    free_problem(&p);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}
