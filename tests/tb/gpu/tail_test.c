/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/tail_test.c: what is counted in a kernel's tail, from its last block on (thesis 8.4.3), against the events of all SMs: which
 * blocks came when, and who issued when. */
#include <stdlib.h>

#include "tb/sm/sm_state.h"
#include "tests/tb/gpu/pair.h"

static const char text[] = PTX_HEADER ADDING_KERNEL("adds", "%r3") ADDING_KERNEL("sums", "0");

/* What has happened since the machine was opened. */
static struct {
    struct gpu *gpu;
    struct listener guests[NUM_SMS];
    uint64_t last[NUM_KERNELS]; /* cycle of the kernel's last block so far */
    struct {
        uint64_t cycle;
        unsigned kernel;
    } * issues;
    size_t count, places;
} seen;

static void see(void *context, const struct event *e)
{
    (void)context;
    if (e->kind == EVENT_block_start) {
        uint64_t *last = &seen.last[e->of.block_start.kernel];
        *last = e->cycle > *last ? e->cycle : *last;
        return;
    }
    if (seen.count == seen.places) {
        seen.places = seen.places ? 2 * seen.places : 4096;
        seen.issues = realloc(seen.issues, seen.places * sizeof *seen.issues);
        assert_non_null(seen.issues);
    }
    const struct sm *sm = seen.gpu->sms[e->sm];
    const struct sm_kernel *k = kernel_of_warp(sm, (unsigned)e->of.issue.warp);
    seen.issues[seen.count].cycle = e->cycle;
    seen.issues[seen.count++].kernel = (unsigned)(k - sm->kernels);
}

static void watch(struct bench *b)
{
    seen.gpu = b->gpu;
    seen.count = 0;
    memset(seen.last, 0, sizeof seen.last);
    for (unsigned i = 0; i < NUM_SMS; i++) {
        seen.guests[i] = (struct listener){
            .hears = HEARS(block_start) | HEARS(issue), .sm = i, .hear = see, .context = &seen};
        sm_listen(b->gpu->sms[i], &seen.guests[i]);
    }
}

/* How often kernels issued in these cycles: this one, or the others. */
static uint64_t issued(unsigned kernel, int others, uint64_t from, uint64_t until)
{
    uint64_t count = 0;
    for (size_t i = 0; i < seen.count; i++)
        count += (seen.issues[i].kernel != kernel) == others && seen.issues[i].cycle >= from &&
                 seen.issues[i].cycle < until;
    return count;
}

/* The statistics of a launch that was in the machine from `start` until `end`, and got its last block in `last`. */
static void check(const struct stats_sums *s, unsigned kernel, uint64_t start, uint64_t last,
                  uint64_t end)
{
    assert_int_equal(s->tail_cycles, end - last);
    assert_int_equal(s->sm.warp_instructions, issued(kernel, 0, start, end));
    assert_int_equal(s->sm.tail_instructions, issued(kernel, 0, last, end));
    assert_int_equal(s->sm.beside, issued(kernel, 1, start, end));
    assert_int_equal(s->sm.tail_beside, issued(kernel, 1, last, end));
}

static void of_a_kernel_alone(void **unused)
{
    (void)unused;
    const uint32_t blocks[] = {1, 7 * NUM_SMS * 8 + 3};
    for (unsigned i = 0; i < 2; i++) {
        const struct config c = pair_config("kmu");
        struct bench b;
        struct one adds = {.kernel = "adds", .blocks = blocks[i]};
        unsigned ended;
        bench_open(&b, &c, text, NULL);
        pair_prepare(&b, &adds);
        watch(&b);
        assert_int_equal(pair_begin(&b, 0, &adds), GPU_OK);
        assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
        const struct stats_sums *s = &bench_stats(&b)->sums;
        check(s, 0, adds.result.start_cycle, seen.last[0], adds.result.end_cycle);
        assert_true(s->sm.tail_instructions > 0);
        assert_int_equal(s->sm.tail_instructions < s->sm.warp_instructions, i);
        assert_int_equal(s->sm.beside, 0);
        bench_close(&b);
    }
}

/* One ends, and is begun once more, beside another, which is the last. */
static void beside_another(void **unused)
{
    (void)unused;
    const struct config c = pair_config("kmu");
    struct bench b;
    struct one adds = {.kernel = "adds", .blocks = NUM_SMS * 20},
               sums = {.kernel = "sums", .blocks = NUM_SMS * 120};
    struct stats_sums both = {0};
    uint64_t starts = 0;
    unsigned ended;
    pair_open(&b, &c, text, &adds, &sums);
    watch(&b);
    assert_int_equal(pair_begin(&b, 1, &sums), GPU_OK);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(pair_begin(&b, 0, &adds), GPU_OK);
        starts = gpu_cycle(b.gpu);
        assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
        assert_int_equal(ended, 0);
        const struct stats_sums *s = &pair_stats(&b, "adds")->sums;
        check(s, 0, starts, seen.last[0], gpu_cycle(b.gpu));
        assert_true(s->sm.tail_beside > 0 && s->sm.tail_beside < s->sm.beside);
        both.tail_cycles += s->tail_cycles;
        both.sm.tail_instructions += s->sm.tail_instructions;
        both.sm.beside += s->sm.beside;
    }
    assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
    const struct stats_sums *s = &pair_stats(&b, "sums")->sums;
    check(s, 1, 0, seen.last[1], sums.result.end_cycle);
    assert_true(s->sm.beside > 0 && s->sm.tail_instructions > 0);
    const struct stats_sums *period = &b.gpu->stats.periods[0].sums;
    assert_int_equal(period->tail_cycles, both.tail_cycles + s->tail_cycles);
    assert_int_equal(period->sm.tail_instructions,
                     both.sm.tail_instructions + s->sm.tail_instructions);
    assert_int_equal(period->sm.beside, both.sm.beside + s->sm.beside);
    bench_close(&b);
}

/* There is no tail where blocks are still to come. */
static void of_a_kernel_that_is_given_up(void **unused)
{
    (void)unused;
    const struct config c = pair_config("kmu");
    struct bench b;
    struct one adds = {.kernel = "adds"}, sums = {.kernel = "sums", .blocks = NUM_SMS * 1000};
    unsigned ended;
    pair_open(&b, &c, text, &adds, &sums);
    assert_int_equal(pair_begin(&b, 0, &adds), GPU_OK);
    assert_int_equal(pair_begin(&b, 1, &sums), GPU_OK);
    assert_int_equal(gpu_advance(b.gpu, &ended), GPU_OK);
    assert_int_equal(ended, 0);
    gpu_stop(b.gpu);
    const struct stats_sums *s = &pair_stats(&b, "sums")->sums;
    assert_true(s->sm.warp_instructions > 0);
    assert_int_equal(s->tail_cycles, 0);
    assert_int_equal(s->sm.tail_instructions, 0);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_kernel_alone),
        cmocka_unit_test(beside_another),
        cmocka_unit_test(of_a_kernel_that_is_given_up),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(seen.issues);
    return failed;
}
