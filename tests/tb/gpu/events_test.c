/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/events_test.c: what the machine tells, against what it counts, against the program and
 * against itself. All events of all SMs are listened to. */
#include <stdlib.h>
#include <unistd.h>

#include "tests/tb/gpu/follower.h"
#include "tests/tb/gpu/statistics.h"

#define EVERY_EVENT (UINT32_MAX >> (32 - NUM_EVENTS))
#define BLOCKS      (2 * NUM_SMS + 9)
#define THREADS     112 /* of a block of `work`: three whole warps and one of 16 lanes */

static char program[8192]; /* events_test.ptx */
static char directory[] = "/tmp/heddle-events-XXXXXX";
static char stats[64];

/* Listening. */
static struct event_list told[NUM_SMS];
static struct sm *sms[NUM_SMS];
static void (*hear_in_sm)(void *, const struct event *);

static void note(void *context, const struct event *e)
{
    event_keep(&told[e->sm], e);
    hear_in_sm(context, e);
}

static void listen(struct gpu *g)
{
    for (unsigned i = 0; i < NUM_SMS; i++) {
        struct listener *l = &g->sms[i]->listener;
        sms[i] = g->sms[i];
        event_list_free(&told[i]);
        hear_in_sm = l->hear;
        l->hears = EVERY_EVENT;
        l->hear = note;
    }
}

/* Words of an event's members. */
static const unsigned members_of[] = {
#define MEMBER(name)                  +1
#define EVENT(name, members, meaning) 0 members,
#include "tb/events.def"
};

static int same_events(const struct event_list *a, const struct event_list *b)
{
    int same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = a->events[i].kind == b->events[i].kind && a->events[i].sm == b->events[i].sm &&
               a->events[i].cycle == b->events[i].cycle &&
               !memcmp(&a->events[i].of, &b->events[i].of,
                       members_of[a->events[i].kind] * sizeof(uint64_t));
    return same;
}

/* How many of each kind were followed, in all. */
static uint64_t followed[NUM_EVENTS];
static uint64_t dropped_by_stores, dropped_by_atomics;

/* Takes the events of a kernel, on each SM those from from[] on. */
static void follow(const struct bench *b, const char *kernel, const uint64_t *trips,
                   const uint32_t from[NUM_SMS])
{
    static struct follower f;
    uint64_t last_block = 0, last_start = 0, blocks = 0;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        f = (struct follower){.kernel = ptx_kernel(b->module, kernel),
                              .config = &b->gpu->config,
                              .sm = sms[i],
                              .trips = trips};
        assert_int_equal(told[i].events[from[i]].kind, EVENT_kernel_start);
        assert_int_equal(told[i].events[told[i].count - 1].kind, EVENT_kernel_end);
        for (uint32_t n = from[i]; n < told[i].count; n++) {
            const struct event *e = &told[i].events[n];
            assert_int_equal(e->sm, i);
            follower_take(&f, e);
            followed[e->kind]++;
        }
        follower_end(&f);
        assert_true(last_block == 0 || f.last_block == last_block);
        last_block = f.last_block;
        last_start = f.last_start > last_start ? f.last_start : last_start;
        blocks += f.counts[EVENT_block_start];
    }
    assert_int_equal(blocks, bench_stats(b)->sums.sm.blocks);
    assert_true(last_block == last_start);
}

struct machine {
    const char *sched, *backend;
    int64_t n, p, threads, sets, wia_delay, l1i_sets;
};

static struct config config_of(const struct machine *m)
{
    struct config c = test_config();
    strcpy(c.run_sched, m->sched);
    strcpy(c.run_backend, m->backend);
    c.run_threads = m->threads;
    c.mask_n = m->n;
    c.mask_p = m->p;
    c.wia_delay = m->wia_delay;
    c.l1i_sets = m->l1i_sets;
    c.l1d_sets = m->sets;
    c.l1d_mshrs = 16;
    c.l1d_mshr_merge = 3;
    c.sm_max_blocks = 3;
    return c;
}

/* Runs two kernels; events are followed if `listens`. */
static void run(const struct machine *m, int listens)
{
    static const uint64_t trips[] = {3, 15, 7}; /* OUTER, INNER, LANES */
    struct config c = config_of(m);
    struct bench b;
    uint32_t from[NUM_SMS] = {0};
    bench_open(&b, &c, program, stats);
    if (listens)
        listen(b.gpu);
    const uint64_t buffer = bench_buffer(&b, 65536);
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t blocks = i == 1 ? 1 : BLOCKS;
        bench_param(&b, buffer + 128 * i);
        bench_time(&b, "work", blocks, THREADS);
        if (listens)
            follow(&b, "work", trips, from);
        dropped_by_stores += bench_stats(&b)->sums.l1d.store_evictions;
        dropped_by_atomics += bench_stats(&b)->sums.l1d.atomic_evictions;
        for (unsigned s = 0; s < NUM_SMS && listens; s++)
            from[s] = told[s].count;
    }
    bench_close(&b);
}

static const struct machine machines[] = {
    {"gto", "c", 0, 0, 1, 32, 0, 0},       {"lrr", "c", 0, 0, 1, 2, 0, 0},
    {"tl", "rtl", 0, 0, 1, 4, 0, 0},       {"gto", "c", 2, 1, 1, 4, 0, 0},
    {"lrr", "lockstep", 3, 2, 1, 1, 0, 0}, {"oldest", "c", 0, 0, 1, 4, 3, 0},
    {"ccws", "c", 0, 0, 1, 1, 0, 0},       {"daws", "c", 0, 0, 1, 2, 0, 0},
    {"rlws", "c", 0, 0, 1, 4, 0, 2},
};

static void everything_that_is_told_is_so(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < sizeof machines / sizeof *machines; i++)
        run(&machines[i], 1);
    for (enum event_kind kind = 0; kind < NUM_EVENTS; kind++) /* and all of it has happened */
        if (!followed[kind])
            fail_msg("%s was never told", event_name(kind));
    assert_true(dropped_by_stores && dropped_by_atomics);
}

static void listening_changes_nothing(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < sizeof machines / sizeof *machines; i++) {
        run(&machines[i], 0);
        char *alone = comparable(stats);
        run(&machines[i], 1);
        char *heard = comparable(stats);
        assert_string_equal(alone, heard);
        free(alone);
        free(heard);
    }
}

/* And neither do the host's threads. */
static void the_same_is_told_on_three_threads(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct event_list alone[NUM_SMS];
        struct machine m = machines[i];
        run(&m, 1);
        memcpy(alone, told, sizeof told);
        memset(told, 0, sizeof told);
        m.threads = 3;
        run(&m, 1);
        uint32_t count = 0;
        for (unsigned s = 0; s < NUM_SMS; s++) {
            assert_true(same_events(&alone[s], &told[s]));
            count += alone[s].count;
            event_list_free(&alone[s]);
        }
        assert_true(count > 10000);
    }
}

/* The units of the GPU: what they have heard, and in which cycle each went on after it. */
static struct {
    struct event events[65536];
    uint64_t at[65536]; /* the dispatcher's next cycle */
    unsigned count;
} heard;
static struct dispatcher *dispatcher;
static void (*hear_in_gpu)(struct plug *, const struct event *);

static void note_in_gpu(struct plug *p, const struct event *e)
{
    assert_true(heard.count < sizeof heard.events / sizeof *heard.events);
    heard.at[heard.count] = dispatcher->cycle;
    heard.events[heard.count++] = *e;
    if (e->kind == EVENT_block_end)
        hear_in_gpu(p, e);
}

/* They hear what SMs tell when the window in which it was is over, each SM's events in order; and of
 * the kernel as a whole by themselves, once. */
static void the_gpu_hears_a_window_later(void **unused)
{
    (void)unused;
    const uint32_t of_kernel = HEARS(kernel_start) | HEARS(kernel_end) | HEARS(last_block);
    struct config c = config_of(&machines[0]);
    struct bench b;
    bench_open(&b, &c, program, NULL);
    dispatcher = &b.gpu->dispatcher;
    struct plug *plug = &dispatcher->rack.plugs[0];
    struct socket all = *plug->socket;
    hear_in_gpu = all.hear;
    all.hear = note_in_gpu;
    all.hears = dispatcher->rack.hears = EVERY_EVENT;
    plug->socket = &all;
    listen(b.gpu);
    for (unsigned i = 0; i < NUM_SMS; i++) {
        assert_int_equal(sms[i]->gpu_hears, HEARS(block_end));
        sms[i]->gpu_hears = dispatcher_hears(dispatcher);
        assert_int_equal(sms[i]->gpu_hears, EVERY_EVENT & ~of_kernel);
    }
    heard.count = 0;
    const uint64_t window = sm_window(&c), buffer = bench_buffer(&b, 65536);
    bench_param(&b, buffer);
    bench_time(&b, "work", 13, THREADS);
    uint32_t next[NUM_SMS] = {0};
    uint64_t counts[NUM_EVENTS] = {0}, told_last = 0;
    for (unsigned i = 0; i < heard.count; i++) {
        const struct event *e = &heard.events[i];
        counts[e->kind]++;
        if (of_kernel >> e->kind & 1) {
            told_last = e->kind == EVENT_last_block ? e->cycle : told_last;
            continue;
        }
        assert_true(heard.at[i] > e->cycle && heard.at[i] <= e->cycle + window);
        while (of_kernel >> told[e->sm].events[next[e->sm]].kind & 1)
            next[e->sm]++;
        const struct event *in_sm = &told[e->sm].events[next[e->sm]++];
        assert_int_equal(e->kind, in_sm->kind);
        assert_int_equal(e->cycle, in_sm->cycle);
        assert_memory_equal(&e->of, &in_sm->of, members_of[e->kind] * sizeof(uint64_t));
    }
    for (unsigned i = 0; i < NUM_SMS; i++) {
        while (next[i] < told[i].count && of_kernel >> told[i].events[next[i]].kind & 1) {
            if (told[i].events[next[i]].kind == EVENT_last_block)
                assert_int_equal(told[i].events[next[i]].cycle, told_last);
            next[i]++;
        }
        assert_int_equal(next[i], told[i].count);
    }
    assert_int_equal(counts[EVENT_kernel_start], 1);
    assert_int_equal(counts[EVENT_last_block], 1);
    assert_int_equal(counts[EVENT_kernel_end], 1);
    assert_int_equal(counts[EVENT_block_end], 13);
    assert_int_equal(heard.events[0].kind, EVENT_kernel_start);
    assert_int_equal(heard.events[heard.count - 1].kind, EVENT_kernel_end);
    bench_close(&b);
}

int main(void)
{
    FILE *file = fopen("tests/tb/gpu/events_test.ptx", "r");
    if (!file || fread(program, 1, sizeof program - 1, file) == 0)
        return perror("tests/tb/gpu/events_test.ptx"), 1;
    fclose(file);
    if (!mkdtemp(directory))
        return perror(directory), 1;
    snprintf(stats, sizeof stats, "%s/stats.json", directory);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_that_is_told_is_so),
        cmocka_unit_test(listening_changes_nothing),
        cmocka_unit_test(the_same_is_told_on_three_threads),
        cmocka_unit_test(the_gpu_hears_a_window_later),
    };
    const int result = cmocka_run_group_tests_name("tb/gpu/events", tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command) ? 1 : result;
}
