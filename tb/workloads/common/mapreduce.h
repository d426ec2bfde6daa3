/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/mapreduce.h: MapReduce on a device in the manner of Mars (He et al., PACT
 * 2008): tasks that emit differing numbers of pairs run twice, to count and to emit; a bitonic
 * sort, one launch a step, brings equal keys together. See mapreduce.cl. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_MAPREDUCE_H
#define HEDDLE_TB_WORKLOADS_COMMON_MAPREDUCE_H

#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"

/* uint4 on the device. What the members hold is the workload's affair. */
struct pair {
    cl_uint key, key_size, value, value_size;
};

struct mapreduce {
    struct opencl cl;
    cl_mem data;
    size_t block; /* work-items of a work-group */
    cl_kernel scan_groups, scan_offsets, sort_step, mark_first, list_first;
};

/* Runs a workload as often as --repeat says, until a result is wrong: `run` does it once on `input`
 * and returns how many elements are wrong. `source` defines compare() and the map kernels; `data`,
 * of `size` bytes, is what they read. Returns what the last run returned. */
size_t mapreduce_repeat(const struct options *, const char *source, size_t block, const void *data,
                        size_t size, size_t (*run)(struct mapreduce *, const void *input),
                        const void *input);

/* Launches a kernel over `work` work-items, unless there are none. */
void mapreduce_launch(struct mapreduce *, cl_kernel kernel, size_t work);

/* Runs count_kernel(data, input, counts, tasks), and emit_kernel(data, input, position, pairs,
 * tasks), where position[i] is the number of pairs that the tasks before i emit. Returns a buffer
 * of the *count pairs. */
cl_mem mapreduce_map(struct mapreduce *, const char *count_kernel, const char *emit_kernel,
                     cl_mem input, cl_uint tasks, cl_uint *count);

/* Sorts pairs by the order of this number. It is not stable. */
void mapreduce_sort(struct mapreduce *, cl_mem pairs, cl_uint count, cl_uint order);

/* Returns a buffer of the number of the first pair of each of the *groups of neighbours that are
 * equal in an order, and, behind the last, the number of pairs. */
cl_mem mapreduce_group(struct mapreduce *, cl_mem pairs, cl_uint count, cl_uint order,
                       cl_uint *groups);

/* A buffer of `count` pairs, poisoned; its pairs, to be freed. */
cl_mem mapreduce_pairs(struct mapreduce *, cl_uint count);
struct pair *mapreduce_read(struct mapreduce *, cl_mem pairs, cl_uint count);

#endif
