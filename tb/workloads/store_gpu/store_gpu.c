/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/store_gpu/store_gpu.c: SHA-1 digests of all windows of a random data stream. The
 * host computes each from the window's bytes, by the common SHA-1. */
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/sha1.h"
#include "tb/workloads/common/verify.h"

extern const char store_gpu_cl[];

#define BLOCK        128
#define WINDOW_BYTES 52
#define STEP_BYTES   4 /* from one window to the next */

enum { WINDOWS, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [WINDOWS] =
        NUMBER_OPTION("windows", 1, 1 << 24, 500, 49152, 196608, "windows of the data stream"),
};

static size_t stream_bytes(size_t windows)
{
    return (windows - 1) * STEP_BYTES + WINDOW_BYTES;
}

static size_t run(cl_uint windows, const uint8_t *stream, const cl_uint *expected, cl_uint *got,
                  const struct options *options)
{
    struct opencl cl;
    const size_t work = windows, group = BLOCK, words = (size_t)windows * SHA1_WORDS,
                 bytes = words * sizeof *got;
    size_t wrong = 0;
    opencl_open(&cl, options->device_type.text, store_gpu_cl);
    cl_kernel kernel = opencl_kernel(&cl, "store_gpu");
    cl_mem buffers[] = {
        opencl_buffer(&cl, CL_MEM_READ_ONLY, stream_bytes(windows), stream),
        opencl_buffer(&cl, CL_MEM_WRITE_ONLY, bytes, NULL),
    };
    opencl_arguments(kernel, buffers, COUNT_OF(buffers));
    OPENCL_ARGUMENT(kernel, 2, windows);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        opencl_poison(&cl, buffers[1], bytes);
        opencl_launch(&cl, kernel, 1, &work, &group);
        opencl_read(&cl, buffers[1], bytes, got);
        opencl_report(&cl, i, options->repeat.number);
        wrong =
            verify_integers("digest", (const cl_int *)expected, (const cl_int *)got, words, stdout);
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
                       "Hashes all windows of a data stream on an OpenCL device.", table,
                       NUM_OPTIONS);
    struct random random = {(uint64_t)options.seed.number};
    size_t windows = (size_t)options.own[WINDOWS].number, bytes = stream_bytes(windows);
    uint8_t *stream = allocate(bytes, sizeof *stream);
    cl_uint *expected = allocate(windows * SHA1_WORDS, sizeof *expected);
    cl_uint *got = allocate(windows * SHA1_WORDS, sizeof *got);
    for (size_t i = 0; i < bytes; i++)
        stream[i] = (uint8_t)random_bits(&random);
    for (size_t i = 0; i < windows; i++)
        sha1(stream + i * STEP_BYTES, WINDOW_BYTES, expected + i * SHA1_WORDS);
    printf("store_gpu: %zu windows of %d bytes, seed %lld\n", windows, WINDOW_BYTES,
           (long long)options.seed.number);
    size_t wrong = run((cl_uint)windows, stream, expected, got, &options);
    if (wrong == 0)
        printf("verified: the digests of %zu windows equal the host's\n", windows);
    free(stream);
    free(expected);
    free(got);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}
