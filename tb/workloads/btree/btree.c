/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/btree/btree.c: queries of a B+ tree: values by key, an eighth of them of keys that
 * are not there, and ranges of keys. The host searches the sorted keys by themselves; all answers
 * must be equal. */
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/btree/tree.h"
#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"

extern const char btree_cl[];

#define MISSING  (-2) /* as in btree.cl */
#define MOST_GAP 3    /* between neighbouring keys */

enum { RECORDS, ORDER, POINTS, RANGES, LONGEST, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [RECORDS] = NUMBER_OPTION("records", 1, 1 << 24, 2000, 200000, 1000000, "records, and keys"),
    [ORDER] = NUMBER_OPTION("order", 2, 1024, 64, 256, 256,
                            "slots of a node, and work-items of a work-group"),
    [POINTS] = NUMBER_OPTION("points", 1, 1 << 20, 100, 3000, 10000, "queries for one key"),
    [RANGES] = NUMBER_OPTION("ranges", 1, 1 << 20, 60, 1500, 6000, "queries for a range of keys"),
    [LONGEST] = NUMBER_OPTION("longest", 1, 1 << 24, 200, 20000, 20000, "keys of a range at most"),
};

struct problem {
    struct tree tree;
    cl_int records, points, ranges;
    cl_int *key, *value;            /* of the records */
    cl_int *point, *point_expected; /* keys, values */
    cl_int *range, *range_expected; /* two each: keys; first record, count */
};

/* Keys below `key`. */
static cl_int keys_below(const struct problem *p, cl_int key)
{
    cl_int low = 0, high = p->records;
    while (low < high) {
        cl_int middle = low + (high - low) / 2;
        if (p->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void make_records(struct problem *p, struct random *random)
{
    p->key = allocate((size_t)p->records, sizeof *p->key);
    p->value = allocate((size_t)p->records, sizeof *p->value);
    for (cl_int i = 0, key = 0; i < p->records; i++) {
        key += 1 + (cl_int)random_below(random, MOST_GAP);
        p->key[i] = key;
        p->value[i] = (cl_int)random_below(random, INT32_MAX);
    }
}

static void make_points(struct problem *p, struct random *random)
{
    p->point = allocate((size_t)p->points, sizeof *p->point);
    p->point_expected = allocate((size_t)p->points, sizeof *p->point_expected);
    for (cl_int i = 0; i < p->points; i++) {
        cl_int record = (cl_int)random_below(random, (uint64_t)p->records);
        cl_int key = p->key[record];
        if (random_below(random, 8) == 0)
            for (key++; record + 1 < p->records && p->key[record + 1] == key; record++)
                key++;
        p->point[i] = key;
        p->point_expected[i] = key == p->key[record] ? p->value[record] : MISSING;
    }
}

static void make_ranges(struct problem *p, cl_int longest, struct random *random)
{
    const cl_int last = p->key[p->records - 1];
    p->range = allocate((size_t)p->ranges, 2 * sizeof *p->range);
    p->range_expected = allocate((size_t)p->ranges, 2 * sizeof *p->range_expected);
    for (cl_int i = 0; i < p->ranges; i++) {
        cl_int from = 1 + (cl_int)random_below(random, (uint64_t)last);
        cl_int to = from + (cl_int)random_below(random, (uint64_t)longest);
        p->range[2 * i] = from;
        p->range[2 * i + 1] = to;
        p->range_expected[2 * i] = keys_below(p, from);
        p->range_expected[2 * i + 1] = keys_below(p, to + 1) - keys_below(p, from);
    }
}

static void free_problem(struct problem *p)
{
    cl_int *const arrays[] = {p->key,   p->value,          p->point, p->point_expected,
                              p->range, p->range_expected, NULL};
    for (cl_int *const *array = arrays; *array != NULL; array++)
        free(*array);
    tree_free(&p->tree);
}

/* The buffers, in the order of find's arguments and between them. */
enum { KEY, LINK, VALUE, POINT, FOUND, RANGE, FOUND_RANGE, NUM_BUFFERS };

static void set_find(cl_kernel kernel, const cl_mem *buffers, const struct tree *tree)
{
    opencl_arguments(kernel, buffers + KEY, 3);
    OPENCL_ARGUMENT(kernel, 3, tree->root);
    OPENCL_ARGUMENT(kernel, 4, tree->height);
    OPENCL_ARGUMENT(kernel, 5, tree->order);
    OPENCL_ARGUMENT(kernel, 6, buffers[POINT]);
    OPENCL_ARGUMENT(kernel, 7, buffers[FOUND]);
}

static void set_find_range(cl_kernel kernel, const cl_mem *buffers, const struct tree *tree)
{
    opencl_arguments(kernel, buffers + KEY, 2);
    OPENCL_ARGUMENT(kernel, 2, tree->root);
    OPENCL_ARGUMENT(kernel, 3, tree->height);
    OPENCL_ARGUMENT(kernel, 4, tree->order);
    OPENCL_ARGUMENT(kernel, 5, buffers[RANGE]);
    OPENCL_ARGUMENT(kernel, 6, buffers[FOUND_RANGE]);
}

static size_t run(const struct problem *p, const struct options *options)
{
    struct opencl cl;
    const size_t group = (size_t)p->tree.order, slot_bytes = tree_slots(&p->tree) * sizeof(cl_int),
                 points = (size_t)p->points, ranges = (size_t)p->ranges,
                 point_bytes = points * sizeof(cl_int), range_bytes = ranges * sizeof(cl_int2);
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, btree_cl);
    cl_kernel find = opencl_kernel(&cl, "find"), find_range = opencl_kernel(&cl, "find_range");
    const cl_mem buffers[NUM_BUFFERS] = {
        [KEY] = opencl_buffer(&cl, CL_MEM_READ_ONLY, slot_bytes, p->tree.key),
        [LINK] = opencl_buffer(&cl, CL_MEM_READ_ONLY, slot_bytes, p->tree.link),
        [VALUE] =
            opencl_buffer(&cl, CL_MEM_READ_ONLY, (size_t)p->records * sizeof(cl_int), p->value),
        [POINT] = opencl_buffer(&cl, CL_MEM_READ_ONLY, point_bytes, p->point),
        [FOUND] = opencl_buffer(&cl, CL_MEM_WRITE_ONLY, point_bytes, NULL),
        [RANGE] = opencl_buffer(&cl, CL_MEM_READ_ONLY, range_bytes, p->range),
        [FOUND_RANGE] = opencl_buffer(&cl, CL_MEM_WRITE_ONLY, range_bytes, NULL),
    };
    set_find(find, buffers, &p->tree);
    set_find_range(find_range, buffers, &p->tree);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, buffers[FOUND], point_bytes);
        opencl_poison(&cl, buffers[FOUND_RANGE], range_bytes);
        opencl_launch(&cl, find, 1, &(size_t){points * group}, &group);
        opencl_launch(&cl, find_range, 1, &(size_t){ranges * group}, &group);
        opencl_report(&cl, i, options->repeat.number);
        wrong = check_integers(&cl, buffers[FOUND], "value", p->point_expected, points) +
                check_integers(&cl, buffers[FOUND_RANGE], "first and count", p->range_expected,
                               2 * ranges);
    }
    opencl_release(buffers, NUM_BUFFERS);
    CL(clReleaseKernel(find));
    CL(clReleaseKernel(find_range));
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Searches a B+ tree for keys and ranges of keys on an OpenCL device.", table,
                       NUM_OPTIONS);
    struct random random = {(uint64_t)options.seed.number};
    struct problem p = {.records = (cl_int)options.own[RECORDS].number,
                        .points = (cl_int)options.own[POINTS].number,
                        .ranges = (cl_int)options.own[RANGES].number};
    make_records(&p, &random);
    tree_build(&p.tree, (cl_int)options.own[ORDER].number, p.key, p.records, &random);
    make_points(&p, &random);
    make_ranges(&p, (cl_int)options.own[LONGEST].number, &random);
    printf(
        "btree: %d records, %d nodes of order %d on %d levels, %d keys and %d ranges, seed %lld\n",
        p.records, p.tree.nodes, p.tree.order, p.tree.height + 1, p.points, p.ranges,
        (long long)options.seed.number);
    size_t wrong = run(&p, &options);
    if (wrong == 0)
        printf("verified: the answers to %d queries equal the host's\n", p.points + p.ranges);
    free_problem(&p);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}
