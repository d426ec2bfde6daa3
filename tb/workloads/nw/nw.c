/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/nw/nw.c: aligns two random sequences (NDL of DAWS), one launch for each
 * anti-diagonal of tiles. The matrix is padded to whole tiles, with letters that resemble nothing;
 * all of it is compared with one computed row by row. */
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"

extern const char nw_cl[];

#define TILE    16 /* as in nw.cl */
#define LETTERS 20 /* as many as there are amino acids */

enum { LENGTH, PENALTY, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [LENGTH] = NUMBER_OPTION("length", 1, 4096, 90, 500, 2000, "letters of each sequence"),
    [PENALTY] = NUMBER_OPTION("penalty", 0, 1000, 10, 10, 10, "of a letter left out"),
};

struct alignment {
    cl_uint tiles;   /* on a side */
    cl_uint pitch;   /* elements on a side, with the first row and column, which are given */
    size_t elements; /* pitch * pitch */
    cl_int penalty;
    cl_int *similarity; /* of the two letters that meet at an element */
    cl_int *start;      /* first row and column, and between them what a kernel must replace */
    cl_int *expected;
};

/* How much letters resemble each other: themselves 4 to 11, others -4 to 3, the same both ways. */
static void make_similarities(cl_int like[LETTERS][LETTERS], struct random *random)
{
    for (int a = 0; a < LETTERS; a++)
        for (int b = 0; b <= a; b++)
            like[a][b] = like[b][a] = (a == b ? 4 : -4) + (cl_int)random_below(random, 8);
}

static struct alignment make_alignment(const struct options *options)
{
    struct random random = {(uint64_t)options->seed.number};
    const size_t length = (size_t)options->own[LENGTH].number;
    struct alignment a = {.tiles = (cl_uint)(length + TILE - 1) / TILE,
                          .penalty = (cl_int)options->own[PENALTY].number};
    cl_int like[LETTERS][LETTERS];
    unsigned char *letter = allocate(2 * length, 1);
    a.pitch = a.tiles * TILE + 1;
    a.elements = (size_t)a.pitch * a.pitch;
    a.similarity = allocate(a.elements, sizeof *a.similarity);
    a.start = allocate(a.elements, sizeof *a.start);
    a.expected = allocate(a.elements, sizeof *a.expected);
    make_similarities(like, &random);
    for (size_t i = 0; i < 2 * length; i++)
        letter[i] = (unsigned char)random_below(&random, LETTERS);
    for (size_t y = 1; y <= length; y++)
        for (size_t x = 1; x <= length; x++)
            a.similarity[y * a.pitch + x] = like[letter[y - 1]][letter[length + x - 1]];
    for (size_t i = 0; i < a.elements; i++) {
        size_t y = i / a.pitch, x = i % a.pitch;
        a.start[i] = y == 0 || x == 0 ? -(cl_int)(x + y) * a.penalty : INT32_MIN;
    }
    free(letter);
    return a;
}

static void free_alignment(struct alignment *a)
{
    free(a->similarity);
    free(a->start);
    free(a->expected);
}

static void reference(struct alignment *a)
{
    for (size_t i = 0; i < a->elements; i++) {
        a->expected[i] = a->start[i];
        if (i < a->pitch || i % a->pitch == 0)
            continue;
        cl_int left = a->expected[i - 1] - a->penalty;
        cl_int above = a->expected[i - a->pitch] - a->penalty;
        cl_int both = a->expected[i - a->pitch - 1] + a->similarity[i];
        a->expected[i] = left > above ? left : above;
        a->expected[i] = both > a->expected[i] ? both : a->expected[i];
    }
}

static size_t run(const struct alignment *a, const struct options *options)
{
    struct opencl cl;
    const size_t bytes = a->elements * sizeof *a->start, group = TILE;
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, nw_cl);
    cl_kernel kernel = opencl_kernel(&cl, "align");
    const cl_mem buffers[] = {opencl_buffer(&cl, CL_MEM_READ_ONLY, bytes, a->similarity),
                              opencl_buffer(&cl, CL_MEM_READ_WRITE, bytes, NULL)};
    cl_mem score = buffers[1];
    opencl_arguments(kernel, buffers, COUNT_OF(buffers));
    OPENCL_ARGUMENT(kernel, 2, a->pitch);
    OPENCL_ARGUMENT(kernel, 3, a->penalty);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_write(&cl, score, bytes, a->start);
        for (cl_uint diagonal = 0; diagonal < 2 * a->tiles - 1; diagonal++) {
            const cl_uint first = diagonal < a->tiles ? 0 : diagonal - a->tiles + 1;
            const size_t work = (diagonal + 1 - 2 * first) * group;
            OPENCL_ARGUMENT(kernel, 4, diagonal);
            OPENCL_ARGUMENT(kernel, 5, first);
            opencl_launch(&cl, kernel, 1, &work, &group);
        }
        opencl_report(&cl, i, options->repeat.number);
        wrong = check_integers(&cl, score, "score", a->expected, a->elements);
    }
    opencl_release(buffers, COUNT_OF(buffers));
    CL(clReleaseKernel(kernel));
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv, "Aligns two sequences on an OpenCL device.", table,
                       NUM_OPTIONS);
    struct alignment a = make_alignment(&options);
    printf("nw: %lld letters, %u x %u tiles, penalty %d, seed %lld\n",
           (long long)options.own[LENGTH].number, a.tiles, a.tiles, a.penalty,
           (long long)options.seed.number);
    reference(&a);
    size_t wrong = run(&a, &options);
    if (wrong == 0)
        printf("verified: %zu scores equal the host's\n", a.elements);
    free_alignment(&a);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}
