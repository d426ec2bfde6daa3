/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/mapreduce.c: launches of a MapReduce workload's stages. */
#include "tb/workloads/common/mapreduce.h"

#include "tb/workloads/common/fail.h"

extern const char mapreduce_cl[];

#define SCAN 256 /* as in mapreduce.cl */

static void open_device(struct mapreduce *m, const char *device_type, const char *source,
                        size_t block, const void *data, size_t size)
{
    const char *const sources[] = {mapreduce_cl, source};
    opencl_open_sources(&m->cl, device_type, sources, COUNT_OF(sources));
    m->block = block;
    m->data = opencl_buffer(&m->cl, CL_MEM_READ_ONLY, size, data);
    m->scan_groups = opencl_kernel(&m->cl, "scan_groups");
    m->scan_offsets = opencl_kernel(&m->cl, "scan_offsets");
    m->sort_step = opencl_kernel(&m->cl, "sort_step");
    m->mark_first = opencl_kernel(&m->cl, "mark_first");
    m->list_first = opencl_kernel(&m->cl, "list_first");
}

static void close_device(struct mapreduce *m)
{
    const cl_kernel kernels[] = {m->scan_groups, m->scan_offsets, m->sort_step, m->mark_first,
                                 m->list_first};
    for (cl_uint i = 0; i < COUNT_OF(kernels); i++)
        CL(clReleaseKernel(kernels[i]));
    opencl_release(&m->data, 1);
    opencl_close(&m->cl);
}

size_t mapreduce_repeat(const struct options *options, const char *source, size_t block,
                        const void *data, size_t size,
                        size_t (*run)(struct mapreduce *, const void *), const void *input)
{
    struct mapreduce m;
    size_t wrong = 0;
    open_device(&m, options->device_type.text, source, block, data, size);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        wrong = run(&m, input);
        opencl_report(&m.cl, i, options->repeat.number);
    }
    close_device(&m);
    return wrong;
}

void mapreduce_launch(struct mapreduce *m, cl_kernel kernel, size_t work)
{
    if (work > 0)
        opencl_launch(&m->cl, kernel, 1, &work, &m->block);
}

static void scan_launch(struct mapreduce *m, cl_kernel kernel, cl_mem values, cl_mem sums,
                        cl_uint count)
{
    const size_t work = count, group = SCAN;
    const cl_mem buffers[] = {values, sums};
    opencl_arguments(kernel, buffers, COUNT_OF(buffers));
    OPENCL_ARGUMENT(kernel, COUNT_OF(buffers), count);
    opencl_launch(&m->cl, kernel, 1, &work, &group);
}

static cl_mem poisoned_buffer(struct mapreduce *m, size_t size)
{
    cl_mem buffer = opencl_buffer(&m->cl, CL_MEM_READ_WRITE, size, NULL);
    if (size > 0)
        opencl_poison(&m->cl, buffer, size);
    return buffer;
}

cl_mem mapreduce_pairs(struct mapreduce *m, cl_uint count)
{
    return poisoned_buffer(m, count * sizeof(struct pair));
}

/* Each of `count` > 0 values becomes the sum of those before it; returns the sum of all. The sums
 * of groups are scanned the same way. */
static cl_uint scan(struct mapreduce *m, cl_mem values, cl_uint count)
{
    cl_uint groups = (count + SCAN - 1) / SCAN, total;
    cl_mem sums = opencl_buffer(&m->cl, CL_MEM_READ_WRITE, groups * sizeof total, NULL);
    scan_launch(m, m->scan_groups, values, sums, count);
    if (groups == 1) {
        opencl_read(&m->cl, sums, sizeof total, &total);
    } else {
        total = scan(m, sums, groups);
        scan_launch(m, m->scan_offsets, values, sums, count);
    }
    opencl_release(&sums, 1);
    return total;
}

struct pair *mapreduce_read(struct mapreduce *m, cl_mem pairs, cl_uint count)
{
    struct pair *read = allocate(count, sizeof *read);
    if (count > 0)
        opencl_read(&m->cl, pairs, count * sizeof *read, read);
    return read;
}

static void map(struct mapreduce *m, const char *name, const cl_mem *buffers, cl_uint num_buffers,
                cl_uint tasks)
{
    cl_kernel kernel = opencl_kernel(&m->cl, name);
    opencl_arguments(kernel, buffers, num_buffers);
    OPENCL_ARGUMENT(kernel, num_buffers, tasks);
    mapreduce_launch(m, kernel, tasks);
    CL(clReleaseKernel(kernel));
}

cl_mem mapreduce_map(struct mapreduce *m, const char *count_kernel, const char *emit_kernel,
                     cl_mem input, cl_uint tasks, cl_uint *count)
{
    cl_mem position = poisoned_buffer(m, tasks * sizeof(cl_uint));
    cl_mem buffers[] = {m->data, input, position, NULL};
    map(m, count_kernel, buffers, COUNT_OF(buffers) - 1, tasks);
    *count = tasks > 0 ? scan(m, position, tasks) : 0;
    buffers[COUNT_OF(buffers) - 1] = mapreduce_pairs(m, *count);
    map(m, emit_kernel, buffers, COUNT_OF(buffers), tasks);
    opencl_release(&position, 1);
    return buffers[COUNT_OF(buffers) - 1];
}

void mapreduce_sort(struct mapreduce *m, cl_mem pairs, cl_uint count, cl_uint order)
{
    const cl_mem buffers[] = {pairs, m->data};
    cl_uint size = 1; /* a power of two, the pairs and what is missing */
    while (size < count)
        size *= 2;
    opencl_arguments(m->sort_step, buffers, COUNT_OF(buffers));
    OPENCL_ARGUMENT(m->sort_step, 2, count);
    OPENCL_ARGUMENT(m->sort_step, 5, order);
    for (cl_uint sorted = 1; sorted < size; sorted *= 2)
        for (cl_uint stride = sorted; stride > 0; stride /= 2) {
            cl_uint backwards = stride == sorted;
            OPENCL_ARGUMENT(m->sort_step, 3, stride);
            OPENCL_ARGUMENT(m->sort_step, 4, backwards);
            mapreduce_launch(m, m->sort_step, size / 2);
        }
}

cl_mem mapreduce_group(struct mapreduce *m, cl_mem pairs, cl_uint count, cl_uint order,
                       cl_uint *groups)
{
    cl_mem position = poisoned_buffer(m, count * sizeof(cl_uint));
    const cl_mem mark_buffers[] = {pairs, m->data, position};
    opencl_arguments(m->mark_first, mark_buffers, COUNT_OF(mark_buffers));
    OPENCL_ARGUMENT(m->mark_first, 3, count);
    OPENCL_ARGUMENT(m->mark_first, 4, order);
    mapreduce_launch(m, m->mark_first, count);
    *groups = count > 0 ? scan(m, position, count) : 0;
    cl_mem start = poisoned_buffer(m, (*groups + 1) * sizeof(cl_uint));
    const cl_mem list_buffers[] = {position, start};
    opencl_arguments(m->list_first, list_buffers, COUNT_OF(list_buffers));
    OPENCL_ARGUMENT(m->list_first, 2, count);
    OPENCL_ARGUMENT(m->list_first, 3, *groups);
    mapreduce_launch(m, m->list_first, count > 0 ? count : 1);
    opencl_release(&position, 1);
    return start;
}
