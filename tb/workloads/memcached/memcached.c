/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/memcached/memcached.c: a batch of GET requests to a key-value store (MEMC of DAWS).
 * Every word of every response is compared, also those that must stay untouched. */
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/check.h"
#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/memcached/store.h"

extern const char memcached_cl[];

enum { REQUESTS, ITEMS, BLOCK, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [REQUESTS] = NUMBER_OPTION("requests", 1, 1 << 20, 430, 30720, 184320, "GET requests"),
    [ITEMS] = NUMBER_OPTION("items", 1, 1 << 20, 500, 20000, 100000, "items of the store"),
    [BLOCK] = NUMBER_OPTION("block", 1, 1024, 64, 256, 256, "work-items of a work-group"),
};

static size_t run(const struct store *store, const uint8_t *packets, const int32_t *expected,
                  const struct options *options)
{
    struct opencl cl;
    const cl_uint requests = (cl_uint)options->own[REQUESTS].number;
    const size_t work = requests, group = (size_t)options->own[BLOCK].number,
                 words = work * RESPONSE_WORDS, bytes = words * sizeof *expected;
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, memcached_cl);
    cl_kernel kernel = opencl_kernel(&cl, "get");
    const cl_mem buffers[] = {
        opencl_buffer(&cl, CL_MEM_READ_ONLY, work * PACKET_BYTES, packets),
        opencl_buffer(&cl, CL_MEM_READ_ONLY,
                      (store->bucket_mask + (size_t)1) * sizeof *store->bucket, store->bucket),
        opencl_buffer(&cl, CL_MEM_READ_ONLY, store->words * sizeof *store->word, store->word),
        opencl_buffer(&cl, CL_MEM_WRITE_ONLY, bytes, NULL),
    };
    cl_mem responses = buffers[COUNT_OF(buffers) - 1];
    opencl_arguments(kernel, buffers, COUNT_OF(buffers));
    OPENCL_ARGUMENT(kernel, COUNT_OF(buffers), requests);
    OPENCL_ARGUMENT(kernel, COUNT_OF(buffers) + 1, store->bucket_mask);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, responses, bytes);
        opencl_launch(&cl, kernel, 1, &work, &group);
        opencl_report(&cl, i, options->repeat.number);
        wrong = check_integers(&cl, responses, "response word", expected, words);
    }
    opencl_release(buffers, COUNT_OF(buffers));
    CL(clReleaseKernel(kernel));
    opencl_close(&cl);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Answers GET requests to a key-value store on an OpenCL device.", table,
                       NUM_OPTIONS);
    const uint64_t seed = (uint64_t)options.seed.number;
    const uint32_t requests = (uint32_t)options.own[REQUESTS].number;
    struct store store = store_make((uint32_t)options.own[ITEMS].number, seed);
    uint8_t *packets = allocate(requests, PACKET_BYTES);
    int32_t *expected = allocate(requests, RESPONSE_WORDS * sizeof *expected);
    uint32_t found = store_request(&store, seed, requests, packets, expected);
    printf("memcached: %u requests, %u of them for the store's %u items in %u buckets, seed %lld\n",
           requests, found, store.items, store.bucket_mask + 1, (long long)options.seed.number);
    size_t wrong = run(&store, packets, expected, &options);
    if (wrong == 0)
        printf("verified: %u responses have the right values\n", requests);
    free(packets);
    free(expected);
    store_free(&store);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}
