/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/stall/stall_test.c: the C reference against thesis 6.3 and 6.3.1, restated: each warp is asked for
 * what it waits, one question after the other, and long counts are kept that never wrap. Nothing is shared with stall.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/stall/stall.h"
#include "cosim/stimulus.h"

void stall_stimulus(struct stimulus *, void *);

#define CLASSES 11

/* What the thesis knows of a warp in a cycle. */
struct warp {
    int resident, issues;
    int has_instruction; /* in its buffer */
    int pc_known;
    int at_barrier, done;
    int pipeline; /* that its next instruction goes to: 0 SP, 1 SFU, 2 MEM */
    int pipeline_free;
    int operands; /* all are there */
    int load;     /* an operand comes from memory */
};

static int is_set(uint64_t mask, int bit)
{
    return (int)(mask >> bit & 1);
}

static struct warp warp_of(const struct stall_in *in, int w)
{
    static const int pipelines[] = {0, 1, 2, 2}; /* global and other memory have one pipeline */
    const int pipeline = pipelines[in->pipe[w]];
    return (struct warp){.resident = is_set(in->resident, w),
                         .issues = is_set(in->issued, w),
                         .has_instruction = is_set(in->buffered, w),
                         .pc_known = !is_set(in->jumping, w),
                         .at_barrier = is_set(in->at_barrier, w),
                         .done = is_set(in->done, w),
                         .pipeline = pipeline,
                         .pipeline_free = is_set(in->takes, pipeline),
                         .operands = is_set(in->clear, w),
                         .load = is_set(in->blocked_by_load, w)};
}

/* "In every cycle, profiling increments one of the stall counters for each warp if no instruction is issued from the warp."
 * The number of the class, or -1: none. Of hazards that overlap the first of 6.3 counts; `active`: structural ones only
 * "when there are active warps ready to issue". */
static int class_of(const struct warp *w, int active)
{
    if (!w->resident)
        return -1;
    if (w->issues)
        return 0;
    const int wants_instruction = !w->at_barrier && !w->done && w->pc_known;
    if (!w->has_instruction && wants_instruction)
        return 1;
    if (w->at_barrier)
        return 2;
    if (w->done)
        return 3;
    if (!w->has_instruction)
        return 4;
    if (!w->pipeline_free && (w->operands || !active))
        return 5 + w->pipeline;
    if (!w->operands)
        return w->load ? 8 : 9;
    return 10;
}

struct bench {
    struct stall_state s;
    struct stall_in in;
    uint64_t total[CLASSES]; /* since the kernel started */
    long seen[CLASSES], wrapped[CLASSES];
};

static uint64_t times_round(uint64_t total)
{
    return total >> STALL_COUNT_BITS;
}

/* One cycle of both. */
static void cycle(struct bench *b)
{
    struct stall_out out;
    uint64_t members[CLASSES] = {0}, before[CLASSES];
    memset(&out, 0xff, sizeof out);
    const struct stall_state asked = b->s;
    stall_comb(&b->s, &b->in, &out);
    assert_memory_equal(&asked, &b->s, sizeof asked); /* asking moves nothing */
    stall_tick(&b->s, &b->in, &out);
    if (b->in.start)
        memset(b->total, 0, sizeof b->total);
    memcpy(before, b->total, sizeof before);
    for (int w = 0; w < NUM_WARPS; w++) {
        const struct warp warp = warp_of(&b->in, w);
        const int class = class_of(&warp, b->in.overlap == 1);
        if (class < 0)
            continue;
        members[class] |= UINT64_C(1) << w;
        b->total[class]++;
        b->seen[class]++;
    }
    for (int i = 0; i < CLASSES; i++) {
        const int wraps = times_round(b->total[i]) != times_round(before[i]);
        assert_int_equal(out.members[i], members[i]);
        assert_int_equal(is_set(out.wraps, i), wraps);
        assert_int_equal(b->s.count[i],
                         b->total[i] - (times_round(b->total[i]) << STALL_COUNT_BITS));
        b->wrapped[i] += wraps;
    }
    assert_int_equal(out.wraps >> CLASSES, 0);
}

static void open_bench(struct bench *b)
{
    memset(b, 0, sizeof *b);
    memset(&b->s, 0xff, sizeof b->s);
    stall_reset(&b->s);
    for (int i = 0; i < CLASSES; i++)
        assert_int_equal(b->s.count[i], 0);
}

static void random_inputs(void **unused)
{
    (void)unused;
    long seen[CLASSES] = {0}, wrapped[CLASSES] = {0}, starts = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct bench b;
        struct stimulus stimulus = stimulus_start(seed * 77777);
        open_bench(&b);
        stimulus.state = &b.s;
        for (; stimulus.cycle < 20000; stimulus_next(&stimulus)) {
            stall_stimulus(&stimulus, &b.in);
            starts += b.in.start != 0;
            cycle(&b);
        }
        for (int i = 0; i < CLASSES; i++) {
            seen[i] += b.seen[i];
            wrapped[i] += b.wrapped[i];
        }
    }
    for (int i = 0; i < CLASSES; i++) /* the comparison saw enough of each */
        assert_true(seen[i] > 10000 && wrapped[i] >= 2);
    assert_in_range(starts, 300, 200000);
}

/* Directed cases: all warps run, have an instruction and their operands, and all pipelines are free. */
static void all_ready(struct bench *b)
{
    const uint64_t all = ~UINT64_C(0) >> (64 - NUM_WARPS);
    open_bench(b);
    b->in.resident = b->in.buffered = b->in.clear = all;
    b->in.takes = 7;
}

static void one_class_per_warp(void **unused)
{
    (void)unused;
    struct bench b;
    all_ready(&b);
    b.in.issued = 1;
    cycle(&b);
    assert_int_equal(b.s.count[STALL_issued], 1);
    assert_int_equal(b.s.count[STALL_not_selected], NUM_WARPS - 1);
    b.in.resident = 0; /* empty slots are in no class, whatever the other inputs say */
    b.in.at_barrier = b.in.done = b.in.jumping = 1;
    cycle(&b);
    assert_int_equal(b.total[STALL_issued] + b.total[STALL_not_selected], NUM_WARPS);
}

/* A warp with everything against it: what is taken away lets the next class apply. */
static void the_first_that_applies(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b);
    b.in = (struct stall_in){.resident = 1, .blocked_by_load = 1, .issued = 1};
    cycle(&b);
    assert_int_equal(b.s.count[STALL_issued], 1);
    b.in.issued = 0;
    cycle(&b);
    assert_int_equal(b.s.count[STALL_ibuf], 1); /* its PC is known: it wants an instruction */
    b.in.at_barrier = b.in.done = b.in.jumping = 1;
    cycle(&b);
    assert_int_equal(b.s.count[STALL_barrier], 1);
    b.in.at_barrier = 0;
    cycle(&b);
    assert_int_equal(b.s.count[STALL_done], 1);
    b.in.done = 0;
    cycle(&b);
    assert_int_equal(b.s.count[STALL_control], 1);
    b.in.buffered = 1;
    b.in.jumping = 0;
    for (b.in.pipe[0] = 0; b.in.pipe[0] < 4; b.in.pipe[0]++)
        cycle(&b);
    assert_int_equal(b.s.count[STALL_struct_sp], 1);
    assert_int_equal(b.s.count[STALL_struct_sfu], 1);
    assert_int_equal(b.s.count[STALL_struct_mem], 2);
    b.in.pipe[0] = stall_pipe_sfu;
    b.in.takes = 2;
    cycle(&b);
    assert_int_equal(b.s.count[STALL_data_mem], 1);
    b.in.blocked_by_load = 0;
    cycle(&b);
    assert_int_equal(b.s.count[STALL_data_exe], 1);
    b.in.clear = 1;
    cycle(&b);
    assert_int_equal(b.s.count[STALL_not_selected], 1);
}

static void overlaps(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b);
    b.in = (struct stall_in){.resident = 1, .buffered = 1, .overlap = stall_overlap_active};
    cycle(&b); /* waits for a register, and SP takes nothing */
    assert_int_equal(b.s.count[STALL_data_exe], 1);
    b.in.clear = 1;
    cycle(&b);
    assert_int_equal(b.s.count[STALL_struct_sp], 1);
    b.in.clear = 0;
    b.in.overlap = stall_overlap_first;
    cycle(&b);
    assert_int_equal(b.s.count[STALL_struct_sp], 2);
}

static void counts_wrap_and_kernels_start(void **unused)
{
    (void)unused;
    struct bench b;
    all_ready(&b);
    for (uint64_t i = 0; i < UINT64_C(1) << (STALL_COUNT_BITS + 1); i++)
        cycle(&b); /* NUM_WARPS in each */
    assert_int_equal(b.s.count[STALL_not_selected], 0);
    assert_int_equal(b.wrapped[STALL_not_selected], 2 * NUM_WARPS);
    cycle(&b);
    b.in.start = 1; /* its warps are counted in this cycle already */
    cycle(&b);
    assert_int_equal(b.s.count[STALL_not_selected], NUM_WARPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inputs),
        cmocka_unit_test(one_class_per_warp),
        cmocka_unit_test(the_first_that_applies),
        cmocka_unit_test(overlaps),
        cmocka_unit_test(counts_wrap_and_kernels_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
