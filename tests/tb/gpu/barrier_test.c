/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/barrier_test.c: the machine's blocks meet at barriers by number and by count as the
 * executor's do. */
#include "tests/tb/exec/barriers.h"
#include "tests/tb/gpu/bench.h"

static void kernels_that_need_barriers(void **state)
{
    struct config c = test_config();
    struct bench b;
    char text[sizeof PTX_HEADER + sizeof barrier_kernels] = PTX_HEADER;
    (void)state;
    bench_open(&b, &c, strcat(text, barrier_kernels), NULL);
    uint64_t out = bench_buffer(&b, BARRIER_THREADS);
    for (int k = 0; k < BARRIER_KERNELS; k++) {
        memset(bench_words(&b, out), 0x55, 4 * BARRIER_THREADS);
        bench_param(&b, out);
        bench_time(&b, barrier_names[k], 1, BARRIER_THREADS);
        for (uint32_t t = 0; t < BARRIER_THREADS; t++)
            if (bench_words(&b, out)[t] != barrier_expected(k, t))
                fail_msg("%s: thread %u wrote %u, expected %u", barrier_names[k], t,
                         bench_words(&b, out)[t], barrier_expected(k, t));
    }
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_that_need_barriers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
