/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/profile/lost_test.c: locality that warps lose, against a dumb restatement that keeps every
 * event there was, and for every cycle who was withheld and in a loop, and looks through all of them.
 * What L1D and the units do is random. Warps are of two kernels at once. Events that are told wrongly
 * must make a difference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/mem/tags.h"
#include "tb/profile/lost.h"
#include "tb/units/view.h"
#include "tests/tb/mem/random.h"
#include "tests/tb/test_config.h"

#define CYCLES 6000
#define WARPS  4
#define LINES  40 /* more than the victim tags of a warp */

/* Everything that has happened, in order. */
enum what { ACCESS, EVICTED };
struct happened {
    enum what what;
    unsigned warp, line;
    uint64_t cycle;
};

static struct {
    struct happened log[16 * CYCLES];
    unsigned count;
    struct happened victims[16 * CYCLES]; /* lost and not asked for since, the oldest first */
    unsigned num_victims;
    struct lost_counts counts[NUM_KERNELS];
    uint8_t withheld[WARPS][CYCLES + 1]; /* and in a loop, at the beginning of the cycle */
} plain;

static struct {
    uint64_t cycle;
    unsigned kernel[WARPS];
    int withheld[WARPS], in_loop[WARPS];
    uint64_t loop[WARPS]; /* around the next instruction */
    uint64_t owner[LINES];
    enum { ABSENT, COMING, THERE } lines[LINES];
} world;

static uint64_t address_of(unsigned line)
{
    return (UINT64_C(0x2000) + line) * (uint64_t)test_config().l1d_line;
}

/* What is told wrongly on its way to the guest. */
enum fault {
    NO_FAULT,
    OWNER_OFF_BY_ONE, /* a line leaves its neighbour */
    HITS_LOST,
    MERGED_FORGOTTEN,
    WITHHOLDING_LOST,
    ADMITTING_LOST,
    LOOPS_LOST,
    STARTS_LOST, /* a slot's next tenant is taken for the same warp */
    ONE_KERNEL,  /* all warps are the first kernel's */
    NUM_FAULTS
};
static enum fault fault;
static struct listener *listener;

static void say(struct event e)
{
    e.cycle = world.cycle;
    if (fault == OWNER_OFF_BY_ONE && e.kind == EVENT_l1d_evict && e.of.l1d_evict.owner < WARPS)
        e.of.l1d_evict.owner ^= 1;
    if (fault == MERGED_FORGOTTEN && e.kind == EVENT_l1d_miss)
        e.of.l1d_miss.merged = 0;
    if (fault == LOOPS_LOST && e.kind == EVENT_issue)
        e.of.issue.loop = 0;
    if (fault == ONE_KERNEL && e.kind == EVENT_warp_start)
        e.of.warp_start.kernel = 0;
    if ((fault == HITS_LOST && e.kind == EVENT_l1d_hit) ||
        (fault == WITHHOLDING_LOST && e.kind == EVENT_withhold) ||
        (fault == ADMITTING_LOST && e.kind == EVENT_admit) ||
        (fault == STARTS_LOST && e.kind == EVENT_warp_start && world.cycle > 1))
        return;
    if (listener->hears >> e.kind & 1)
        listener->hear(listener->context, &e);
}

static const struct happened *last_of(enum what what, unsigned warp, unsigned line,
                                      const struct happened *before)
{
    while (before-- > plain.log)
        if (before->what == what && before->warp == warp && before->line == line)
            return before;
    return NULL;
}

static int any_withheld(unsigned warp, uint64_t from, uint64_t to)
{
    int any = 0;
    for (uint64_t cycle = from; cycle <= to; cycle++)
        any |= plain.withheld[warp][cycle];
    return any;
}

static void take_victim(unsigned at)
{
    plain.num_victims--;
    memmove(&plain.victims[at], &plain.victims[at + 1],
            (plain.num_victims - at) * sizeof plain.victims[0]);
}

static int same_set(const struct happened *a, unsigned warp, unsigned line)
{
    return a->warp == warp && a->line % VTA_SETS == line % VTA_SETS;
}

/* A miss that is the last in the log. */
static void plain_miss(unsigned warp, unsigned line, int in_loop)
{
    const struct happened *now = &plain.log[plain.count - 1];
    for (unsigned i = 0; i < plain.num_victims; i++) {
        const struct happened lost = plain.victims[i];
        if (lost.warp != warp || lost.line != line)
            continue;
        const struct happened *evicted = last_of(EVICTED, warp, line, now),
                              *held = last_of(ACCESS, warp, line, evicted),
                              *last = last_of(ACCESS, warp, line, now);
        struct lost_counts *counts = &plain.counts[world.kernel[warp]];
        counts->locality++;
        counts->in_loops += (uint64_t)in_loop;
        counts->evicted_withheld +=
            (uint64_t)(in_loop && any_withheld(warp, held->cycle, evicted->cycle));
        counts->evicted_then +=
            (uint64_t)(in_loop && any_withheld(warp, evicted->cycle, evicted->cycle));
        counts->missed_withheld +=
            (uint64_t)(in_loop && any_withheld(warp, last->cycle, now->cycle));
        take_victim(i);
        return;
    }
}

static void plain_evict(unsigned warp, unsigned line)
{
    unsigned in_set = 0, oldest = 0;
    for (unsigned i = plain.num_victims; i > 0; i--)
        if (same_set(&plain.victims[i - 1], warp, line)) {
            in_set++;
            oldest = i - 1;
        }
    if (in_set == VTA_WAYS)
        take_victim(oldest);
    plain.victims[plain.num_victims++] = (struct happened){EVICTED, warp, line, world.cycle};
}

static void evict_one(void)
{
    const unsigned line = below(LINES);
    if (world.lines[line] != THERE)
        return;
    world.lines[line] = ABSENT;
    say((struct event){EVENT_l1d_evict, .of.l1d_evict = {address_of(line), world.owner[line]}});
    if (world.owner[line] == NOBODY)
        return;
    plain.log[plain.count++] =
        (struct happened){EVICTED, (unsigned)world.owner[line], line, world.cycle};
    plain_evict((unsigned)world.owner[line], line);
}

static void access_line(unsigned warp, unsigned line, int in_loop)
{
    const int hit = world.lines[line] == THERE, merged = world.lines[line] == COMING;
    plain.log[plain.count++] = (struct happened){ACCESS, warp, line, world.cycle};
    if (hit) {
        say((struct event){
            EVENT_l1d_hit,
            .of.l1d_hit = {.line = address_of(line), .warp = warp, .owner = world.owner[line]}});
        return;
    }
    say((struct event){
        EVENT_l1d_miss,
        .of.l1d_miss = {.line = address_of(line), .warp = warp, .merged = (uint64_t)merged}});
    if (merged)
        return;
    plain_miss(warp, line, in_loop);
    for (unsigned i = 0; i < 4; i++)
        evict_one();
    world.lines[line] = COMING;
    world.owner[line] = warp;
}

/* A load; now and then, in turns with its lines, one of the other kernel. */
static void access_some(void)
{
    struct {
        unsigned warp, lines, loop;
    } loads[2] = {{0}};
    for (unsigned i = 0, count = 1 + below(2); i < count; i++) {
        const unsigned warp = below(WARPS), lines = 1 + below(3), loop = below(4) ? 1 : 0;
        if (i && world.kernel[warp] == world.kernel[loads[0].warp])
            continue;
        loads[i].warp = warp;
        loads[i].lines = lines;
        loads[i].loop = loop;
        say((struct event){EVENT_access,
                           .of.access = {.warp = warp, .lines = lines, .loop = loop}});
    }
    while (loads[0].lines + loads[1].lines) {
        const unsigned i = loads[0].lines && loads[1].lines ? below(2) : !loads[0].lines;
        loads[i].lines--;
        access_line(loads[i].warp, below(LINES), loads[i].loop != 0);
    }
}

static void issue(unsigned warp)
{
    const uint64_t loop = below(4) ? 1 + below(2) : 0;
    say((struct event){EVENT_issue, .of.issue = {.warp = warp, .loop = loop}});
    world.in_loop[warp] = world.loop[warp] && loop;
    world.loop[warp] = loop;
}

static void begin(unsigned warp)
{
    world.kernel[warp] = below(NUM_KERNELS);
    say((struct event){EVENT_warp_start,
                       .of.warp_start = {.warp = warp, .kernel = world.kernel[warp]}});
    world.in_loop[warp] = 0;
    world.loop[warp] = 0;
    for (unsigned i = 0; i < LINES; i++)
        if (world.owner[i] == warp)
            world.owner[i] = NOBODY;
    for (unsigned i = plain.num_victims; i > 0; i--)
        if (plain.victims[i - 1].warp == warp)
            take_victim(i - 1);
}

static void step(void)
{
    world.cycle++;
    for (unsigned w = 0; w < WARPS; w++)
        plain.withheld[w][world.cycle] = (uint8_t)(world.withheld[w] && world.in_loop[w]);
    if (below(2))
        issue(below(WARPS));
    if (below(3))
        access_some();
    for (unsigned i = 0; i < LINES; i++)
        if (world.lines[i] == COMING && !below(8))
            world.lines[i] = THERE;
    if (!below(300))
        begin(below(WARPS));
    if (!below(20)) {
        const unsigned warp = below(WARPS);
        world.withheld[warp] = !world.withheld[warp];
        say(world.withheld[warp] ? (struct event){EVENT_withhold, .of.withhold = {.warp = warp}}
                                 : (struct event){EVENT_admit, .of.admit = {.warp = warp}});
    }
}

/* What is found, by kernel. */
static void run(enum fault planted, struct lost_counts found[NUM_KERNELS])
{
    const struct config c = test_config();
    struct lost *l = lost_new(&c);
    memset(found, 0, NUM_KERNELS * sizeof *found);
    assert_non_null(l);
    listener = lost_listener(l);
    memset(&plain, 0, sizeof plain);
    memset(&world, 0, sizeof world);
    fault = planted;
    world.cycle = 1;
    say((struct event){.kind = EVENT_kernel_start});
    for (unsigned w = 0; w < WARPS; w++)
        begin(w);
    while (world.cycle < CYCLES)
        step();
    for (unsigned k = 0; k < NUM_KERNELS; k++) {
        struct lost_counts again = {0};
        assert_int_equal(lost_take(l, k, &found[k]), 0);
        assert_int_equal(lost_take(l, k, &again), 0);
        assert_int_equal(again.locality, 0);
    }
    lost_free(l);
}

static void as_restated(void **unused)
{
    (void)unused;
    struct lost_counts found[NUM_KERNELS];
    run(NO_FAULT, found);
    assert_memory_equal(found, plain.counts, sizeof found);
    for (unsigned k = 0; k < NUM_KERNELS; k++) {
        const struct lost_counts *f = &found[k];
        assert_true(f->locality > f->in_loops && f->in_loops > f->missed_withheld);
        assert_true(f->missed_withheld > f->evicted_withheld && f->evicted_withheld > 250);
        assert_true(f->in_loops > f->missed_withheld + 100);
        assert_true(f->evicted_withheld > f->evicted_then && f->evicted_then > 50);
    }
}

static void what_is_told_wrongly_is_noticed(void **unused)
{
    (void)unused;
    for (enum fault f = NO_FAULT + 1; f < NUM_FAULTS; f++) {
        struct lost_counts found[NUM_KERNELS];
        run(f, found);
        if (!memcmp(found, plain.counts, sizeof found))
            fail_msg("fault %d makes no difference", (int)f);
    }
}

/* A kernel begins with nothing lost. */
static void kernels_are_apart(void **unused)
{
    (void)unused;
    const struct config c = test_config();
    struct lost *l = lost_new(&c);
    struct lost_counts sums = {0};
    fault = NO_FAULT;
    listener = lost_listener(l);
    for (int kernel = 0; kernel < 2; kernel++) {
        say((struct event){.kind = EVENT_kernel_start});
        say((struct event){EVENT_l1d_miss, .of.l1d_miss = {.line = address_of(1), .warp = 2}});
        say((struct event){EVENT_l1d_evict, .of.l1d_evict = {address_of(1), 2}});
    }
    say((struct event){EVENT_l1d_miss, .of.l1d_miss = {.line = address_of(1), .warp = 2}});
    lost_take(l, 0, &sums);
    assert_int_equal(sums.locality, 1);
    lost_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_restated),
        cmocka_unit_test(what_is_told_wrongly_is_noticed),
        cmocka_unit_test(kernels_are_apart),
    };
    return cmocka_run_group_tests_name("tb/profile/lost", tests, NULL, NULL);
}
